"""Equations that call other systems: C is proved against the caller with what it calls in the place of the calls."""

from functools import cache

import pytest

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import ROOT
from tests.thinning import thinned

pytestmark = pytest.mark.slow

CASES = "tests/cases/programs"
FILTERED = """#include <math.h>
static void smooth(int n, const double *x, double *y)
{
    y[0] = x[0];
    for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
    y[n - 1] = x[n - 1];
}
void filtered(int N, const double *Signal, double *Smooth, double *Change)
{
    double once[N], twice[N];
    smooth(N, Signal, once);
    for (int i = 0; i < N; i++) twice[i] = 2.0 * once[i];
    smooth(N, twice, Smooth);
    double most = -INFINITY;
    for (int i = 0; i < N; i++) {
        double d = Signal[i] - Smooth[i] > Smooth[i] - Signal[i] ? Signal[i] - Smooth[i] : Smooth[i] - Signal[i];
        most = d > most ? d : most;
    }
    *Change = most;
}
"""
ROWS = """void matrix_vector(int N, int M, const double A[M][N], const double X[N], double Y[M])
{
    #pragma omp parallel for
    for (int r = 0; r < M; r++) {
        double s = A[r][0] * X[0];
        for (int i = 1; i < N; i++) s += A[r][i] * X[i];
        Y[r] = s;
    }
}
"""
STAGES = """void steepest(int N, int B, const int *signal, int *most)
{
    for (int b = 0; b < B; b++) {
        const int *x = signal + b * N;
        int calm[N];
        for (int i = 0; i < N; i++) calm[i] = (i == 0 || i == N - 1) ? 4 * x[i] : x[i - 1] + 2 * x[i] + x[i + 1];
        int m = calm[1] - calm[0];
        for (int i = 2; i < N; i++) {
            int d = calm[i] - calm[i - 1];
            if (d > m) m = d;
        }
        most[b] = m;
    }
}
"""
PREFIXES = """void use_triangular(int N, const int *v, int *prefix)
{
    for (int n = 0; n < N; n++) {
        prefix[n] = 0;
        for (int i = 0; i <= n; i++) prefix[n] += v[i];
    }
}
"""
PRODUCTS = """static void product(int P, int Q, int R, const int *A, const int *B, int *C)
{
    for (int i = 0; i < P; i++)
        for (int j = 0; j < R; j++) C[i * R + j] = 0;
    for (int k = 0; k < Q; k++)
        for (int i = 0; i < P; i++)
            for (int j = 0; j < R; j++) C[i * R + j] += A[i * Q + k] * B[k * R + j];
}
void chain_of_products(int N, int M, const int A[N][M], const int B[M][N], const int C[N][M], int R[N][M])
{
    int AB[N][N];
    product(N, M, N, &A[0][0], &B[0][0], &AB[0][0]);
    product(N, N, M, &AB[0][0], &C[0][0], &R[0][0]);
}
"""
PARITIES = """void halves(int M, const int x[2 * M + 1], int *even, int *odd, int *each)
{
    *even = x[M] - 2 * M;
    *odd = x[M] - (2 * M + 1);
    for (int k = 1; k <= M; k++) each[k - 1] = x[k + 1] - 2 * k;
}
"""
# What is passed and what is returned has other types than there: both are converted.
NARROW = """affine counted {M | M>=1}
input
	int v {i | 0<=i<M};
output
	int w {i | 0<=i<M};
let
	w[i] = v[i] / 3;
.
affine narrow {N | N>=1}
input
	long x {i | 0<=i<2N};
output
	char y {i | 0<=i<2N};
let
	use counted[2N](x) returns (y);
.
"""
CONVERTED = (
    "void narrow(int N, const long *x, signed char *y) {"
    " for (int i = 0; i < 2 * N; i++) y[i] = (signed char)((int)x[i] / 3); }"
)

FOREIGN: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "filtered": (
        "samples/subsystems/filter.ab",
        FILTERED,
        (("2.0 * once", "once"), ("y[0] = x[0]", "y[0] = x[1]"), ("(N, twice", "(N, once")),
    ),
    "matrix_vector": (
        "samples/subsystems/matrix-vector.ab",
        ROWS,
        (("* X[0]", "* X[r]"), ("i < N", "i < N - 1"), ("    for (int i", "    #pragma omp simd\n    for (int i")),
    ),
    "steepest": (
        "samples/pipelines/stages.ab",
        STAGES,
        (("b * N", "b"), ("4 * x", "2 * x"), ("int m = calm[1] - calm[0]", "int m = 0")),
    ),
    "use_triangular": (
        f"{CASES}/language/use-triangular.ab",
        PREFIXES,
        (("i <= n", "i < N"), ("v[i]", "v[n]"), ("prefix[n] = 0", "prefix[n] = v[0]")),
    ),
    "chain_of_products": (
        f"{CASES}/linear-algebra/chain-of-products.ab",
        PRODUCTS,
        (("&AB[0][0], &C[", "&AB[0][0], &A["), ("k < Q", "k < P"), ("product(N, N, M", "product(N, M, M")),
    ),
    "halves": (
        f"{CASES}/language/calls-by-parity.ab",
        PARITIES,
        (("- 2 * k", "- 2 * M"), ("x[k + 1]", "x[k]"), ("(2 * M + 1);", "2 * M;")),
    ),
}  # fmt: skip


@cache
def program(path: str) -> Checked:
    return read_program(Source(path, (ROOT / path).read_text(encoding="utf-8")))


def verdict(system: str, text: str, checked: Checked | None = None) -> CVerdict:
    asked = program(FOREIGN[system][0]) if checked is None else checked
    return prove_c(asked, Source("k.c", text), ProofTask(system=system, executes=False))


@pytest.mark.parametrize("system", thinned(FOREIGN))
def test_what_is_called_is_put_in_its_place(system: str) -> None:
    assert verdict(system, FOREIGN[system][1]).is_proved


@pytest.mark.parametrize(
    ("system", "at"), thinned(((s, at) for s, (_, _, changes) in FOREIGN.items() for at in range(len(changes))), 8)
)
def test_what_computes_something_else_is_not_proved(system: str, at: int) -> None:
    _, text, changes = FOREIGN[system]
    right, wrong = changes[at]
    assert text.count(right) == 1
    assert not verdict(system, text.replace(right, wrong)).is_proved


def test_what_is_passed_is_converted_as_the_call_says() -> None:
    checked = read_program(Source("narrow.ab", NARROW))
    assert verdict("narrow", CONVERTED, checked).is_proved
    assert not verdict("narrow", CONVERTED.replace("(int)x[i]", "x[i]"), checked).is_proved
    assert not verdict("narrow", CONVERTED.replace("2 * N", "N"), checked).is_proved


def test_it_is_executed_against_the_program_with_its_calls() -> None:
    found = prove_c(program(FOREIGN["halves"][0]), Source("k.c", PARITIES), ProofTask(system="halves"))
    assert (found.verdict, str(found.tried)) == ("proved", "executed for M=1, 2, 5, 11, 302: agrees")


HEAD = "{N | N>=1}\ninput\n int x {i | 0<=i<N};\noutput\n int y;\n"
OTHERS = f"""affine f {HEAD}local\n int r {{| N>=2}};
let
 use {{| N>=2}} g[N-1](x) returns (r);
 y = case {{| N==1}} : x[0]; {{| N>=2}} : r; esac;
.
affine g {HEAD}let\n use f[N](x) returns (y);\n.
affine h {HEAD}let\n y = x[N-1];\n.
affine settles {HEAD}over {{t | t>=0}} while y > 0\nlet\n y = x[0];\n.
affine few {HEAD}local\n int t {{i | 0<=i<65}};\nlet\n use {{i | 0<=i<65}} h[N]((i,k -> k)@x) returns (t);
 y = t[64];
.
affine many {HEAD}local\n int {", ".join(f"t{n}" for n in range(64))};\nlet\n use h[N](x) returns (y);
{" ".join(f"use h[N](x) returns (t{n});" for n in range(64))}
.
affine calls {HEAD}let\n use settles[N](x) returns (y);\n.
"""


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        ("f", "is recursive"),
        ("g", "is recursive"),
        ("few", ""),
        ("many", "more than 64 calls"),
        ("calls", "`settles`, which it calls, has a while loop"),
    ],
)
def test_what_cannot_be_put_in_its_place_is_undecided(system: str, reason: str) -> None:
    text = f"void {system}(int N, const int *x, int *y) {{ *y = x[N - 1]; }}"
    found = verdict(system, text, read_program(Source("f.ab", OTHERS)))
    said = [(finding.rule.code, reason in finding.message) for finding in found.findings]
    assert (found.is_proved, said) == ((True, []) if not reason else (False, [("AZ835", True)]))


# As generated code calls, and people do: the callee says how it went, and it went well.
SUCCEEDS = """int twice(int n, const int *x, int *y)
{
    if (n < 1) return 1;
    int status = 0;
    int *z = malloc(n * sizeof *z);
    if (z == NULL) return 2;
    for (int i = 0; i < n; i++) z[i] = x[i];
    for (int i = 0; i < n; i++) y[i] = z[i] + z[i];
    free(z);
    return status;
}
void f(int N, const int *x, int *y)
{
    for (int k = 1; k <= N; k++) {
        int failed = 0;
        failed = twice(k, x, y);
        if (failed == 0) {
            failed = twice(1, &x[0], &y[0]);
            if (failed == 0) y[k - 1] = y[k - 1] + 1;
        }
        if (failed != 0) return_early(&failed);
    }
}
"""
ENDS = "{N | N>=1}\ninput\n int x {i | 0<=i<N};\noutput\n int y {i | 0<=i<N};\nlet\n y[i] = CASE;\n."
LAST = "case {| i<N-1} : x[i] + x[i]; {| i==N-1} : x[i] + x[i] + 1; esac"


def test_a_function_that_says_how_it_went_succeeds() -> None:
    checked = read_program(Source("f.ab", f"affine f {ENDS.replace('CASE', LAST)}\n"))
    text = f"#include <stdlib.h>\n{SUCCEEDS}"
    assert verdict("f", text, checked).is_proved
    for right, wrong in (
        ("if (n < 1)", "if (n < 2)"),
        ("malloc(n *", "malloc((n - 1) *"),
        ("malloc(n *", "malloc((signed char)n *"),
        ("malloc(n *", "malloc((unsigned short)n *"),
        ("return status;", "return x[0];"),
        ("return status;", "return 1;"),
        ("    return status;\n", ""),
        ("int status = 0;", "int status = 0; status += 1;"),
        ("failed == 0", "failed != 0"),
        ("twice(k, x, y)", "twice(k - 1, x, y)"),
        ("y[k - 1] + 1;", "y[k - 1] + failed;"),
        ("int twice", "double twice"),
    ):
        assert right in text
        assert (right, verdict("f", text.replace(right, wrong), checked).is_proved) == (right, False)


def test_the_system_is_the_one_that_no_others_call() -> None:
    found = prove_c(program(FOREIGN["filtered"][0]), Source("k.c", FILTERED), ProofTask(executes=False))
    assert (found.system, found.is_proved) == ("filtered", True)
    with pytest.raises(Rejected, match="the program has several systems"):
        prove_c(read_program(Source("f.ab", OTHERS)), Source("k.c", FILTERED), ProofTask(executes=False))


REPORTED = """#include <stdio.h>
static void report(int status)
{
    static const char *const reasons[] = {"success", "wrong"};
    fprintf(stderr, "%s", reasons[status]);
}
static int copied(int n, const int *x, int *y)
{
    if (n < 1) return 1;
    int status = 0;
    for (int i = 0; i < n - 1; i++) y[i] = x[i] + x[i];
    y[n - 1] = x[n - 1] + x[n - 1] + 1;
    return status;
}
void f(int N, const int *x, int *y) { report(copied(N, x, y)); }
"""


def test_what_is_reported_is_known() -> None:
    checked = read_program(Source("f.ab", f"affine f {ENDS.replace('CASE', LAST)}\n"))
    assert verdict("f", REPORTED, checked).is_proved
    for right, wrong in (("    return status;\n", ""), ("status = 0", "status = 2"), ("return 1;", "return 2;")):
        assert REPORTED.count(right) == 1
        assert (right, verdict("f", REPORTED.replace(right, wrong), checked).is_proved) == (right, False)
