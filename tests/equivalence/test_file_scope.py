"""Arrays and numbers that stand outside of functions, and sizes that are macros."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.proof import ProofTask, prove_c
from alphaz.scop.parsing import array_sizes, sizes_in, with_sizes
from tests.equivalence.test_results import verdict

pytestmark = pytest.mark.slow

PRODUCT = (
    "affine matmul {N | N>=1}\ninput\n double A {i,j | 0<=i<N && 0<=j<N};\n double B {i,j | 0<=i<N && 0<=j<N};\n"
    "output\n double C {i,j | 0<=i<N && 0<=j<N};\nlet\n C[i,j] = reduce(+, [k], A[i,k] * B[k,j]);\n.\n"
)
TWICE = (
    "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\n"
    "let\n B[i] = 2.0 * A[i];\n.\n"
)
FILE = "#include <stdio.h>\n#define N 1024\nstatic double A[N][N], B[N][N], C[N][N];\n"
EACH = "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
ADD = "for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j];"
LOOPS = f"{EACH} {{ C[i][j] = 0.0; {ADD} }}"
MAIN = f"{FILE}void matmul(void) {{ {LOOPS} }}"
SUMMED = (
    f"{FILE}static double s;\nvoid matmul(void) {{\n%s\n{EACH} {{ %s for (int k = 0; k < N; k++)"
    " s += A[i][k] * B[k][j]; C[i][j] = s; } }"
)
S = "void s(int N, const double *A, double *B)"

RIGHT = {
    "an argument of the name of what the file has": (
        TWICE,
        f"double A[8];\n{S} {{ for (int i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
    ),
    "all in the file": (PRODUCT, MAIN),
    "arguments of a size that is a macro": (
        PRODUCT,
        f"#define N (64) /* rows */\nvoid matmul(double A[N][N], double B[N][N], double C[N][N]) {{ {LOOPS} }}",
    ),
    "a size that others may choose": (
        PRODUCT,
        "#ifndef N\n#define N 64\n#endif\ndouble A[N][N], B[N][N], C[N][N];\nstatic double dot(int i, int j)\n"
        "{ double s = 0; for (int k = 0; k < N; k++) s += A[i][k] * B[k][j]; return s; }\n"
        f"void matmul() {{ {EACH} C[i][j] = dot(i, j); }}",
    ),
    "what is in between, in the file": (
        PRODUCT,
        f"{FILE}static double T[N][N];\nvoid matmul(void) {{ {EACH} T[j][i] = B[i][j];\n#pragma omp parallel for\n"
        f"{EACH} {{ double s = 0; for (int k = 0; k < N; k++) s += A[i][k] * T[j][k]; C[i][j] = s; }} }}",
    ),
    "functions that clear it": (
        PRODUCT,
        f"{FILE}static void clear(void) {{ {EACH} C[i][j] = 0; }}\n"
        f"void matmul(void) {{ clear(); {EACH} {ADD} }}\nint main(void) {{ matmul(); return 0; }}",
    ),
    "a sum of the file that is begun": (PRODUCT, SUMMED % ("", "s = 0;")),
    "constants of the file": (
        TWICE,
        f"static const double w[2] = {{2.0, 1.0}};\nstatic int step = 1;\n{S}\n"
        "{ for (int i = 0; i < N; i += step) B[i] = w[0] * A[i]; }",
    ),
    "one constant of the file": (
        TWICE,
        f"const double two = 2.0;\n{S} {{ for (int i = 0; i < N; i++) B[i] = two * A[i]; }}",
    ),
}

WRONG = {
    "one product less": (PRODUCT, MAIN.replace("k < N", "k < N - 1")),
    "another factor": (PRODUCT, MAIN.replace("B[k]", "A[k]")),
    "a sum that goes on": (PRODUCT, SUMMED % ("", "if (i + j == 0) s = 0;")),
    "the factors of the last call": (PRODUCT, MAIN.replace("C[i][j] = 0.0;", "").replace("+=", "=")),
    "other constants of the file": (
        TWICE,
        f"static const double w[2] = {{2.0}};\n{S} {{ for (int i = 0; i < N; i++) B[i] = w[1] * A[i]; }}",
    ),
}

OPEN = {
    "a sum that stays": (PRODUCT, SUMMED.replace("C[i][j] = s;", "C[i][j] = s; s = 0;") % ("", "")),
    "a sum of all threads": (PRODUCT, SUMMED % ("#pragma omp parallel for", "s = 0;")),
    "how often it was called": (PRODUCT, f"{FILE}static int calls;\nvoid matmul(void) {{ calls++; {LOOPS} }}"),
    "the text depends on the size": (
        PRODUCT,
        MAIN.replace("1024\n", "1024\n#if N > 100\n#define FIRST 1\n#else\n#define FIRST 0\n#endif\n"),
    ),
    "two sizes": (PRODUCT, MAIN.replace("1024\n", "1024\n#undef N\n#define N 8\n")),
    "two names, of which one is to be the only one": (
        PRODUCT,
        f"{FILE}static void row(double *restrict c, int i) {{ for (int j = 0; j < N; j++) {{ c[j] = 0; {ADD} }} }}\n"
        "void matmul(void) { for (int i = 0; i < N; i++) row(C[i], i); }",
    ),
    "a function that changes more than it returns": (
        PRODUCT,
        f"{FILE}static double t;\nstatic double dot(int i, int j) {{ t = 0; for (int k = 0; k < N; k++)"
        f" t += A[i][k] * B[k][j]; return t; }}\nvoid matmul(void) {{ {EACH} C[i][j] = dot(i, j); }}",
    ),
    "a step that another function changes": (
        TWICE,
        f"static int step = 1;\nstatic void set(void) {{ step = 2; }}\n{S}\n"
        "{ for (int i = 0; i < N; i += step) B[i] = 2.0 * A[i]; }",
    ),
    "a step that another file may change": (
        TWICE,
        f"int step = 1;\n{S} {{ for (int i = 0; i < N; i += step) B[i] = 2.0 * A[i]; }}",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_proved(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("name", WRONG)
def test_what_looks_like_it_goes_wrong_when_it_is_executed(name: str) -> None:
    assert verdict(*WRONG[name], executes=True).verdict == "refuted"


@pytest.mark.parametrize("name", OPEN)
def test_what_holds_something_else_is_not_proved(name: str) -> None:
    assert verdict(*OPEN[name]).verdict == "undecided"


def test_sizes_that_are_parameters_are_told() -> None:
    said = ("no index exceeds the 32 bits of its type", "`N`, which is 1024 in the text, may be any N")
    assert verdict(*RIGHT["all in the file"]).assumed == said
    named = MAIN.replace("N", "SIZE")
    assert not verdict(PRODUCT, named).is_proved
    task = ProofTask(executes=False, names={"SIZE": "N"})
    assert prove_c(read_program(Source("p.ab", PRODUCT)), Source("k.c", named), task).is_proved


def test_an_execution_says_which_number_stood_in_the_place_of_a_macro() -> None:
    (found,) = verdict(*WRONG["one product less"], executes=True).findings
    assert "the macro `N` was 1 then" in found.notes


@pytest.mark.parametrize("name", ["all in the file", "arguments of a size that is a macro", "functions that clear it"])
def test_sizes_of_arrays_are_parameters_of_the_equations(name: str) -> None:
    made = from_c(Source("k.c", RIGHT[name][1]))
    assert made.is_proved
    assert made.checked.program.systems[0].parameters == ("N",)


def test_macros_that_are_numbers_are_sizes_where_any_number_would_do() -> None:
    text = (
        "#define N 8\n#define M (9) // rows\n#define L 010\n#define K N\ndouble a[M][N];\nvoid f(int n) { int b[N]; }\n"
    )
    assert sizes_in(text) == {"N": 8, "M": 9}
    assert array_sizes(text) == ("M", "N")
    assert with_sizes(text, {"M": "5"}) == text.replace("(9)", "5")
    for more in ("#if N > 3\n#endif\n", "#define J(x) x##N\n"):
        assert sizes_in(text + more) == {}
    assert sizes_in(f"{text}#undef N\n#ifdef M\n#endif\n#if defined(M)\n#endif\n") == {"M": 9}
