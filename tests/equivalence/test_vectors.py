"""Kernels with vector intrinsics: right ones are proved, none of their mutants is."""

from pathlib import Path

import pytest

import alphaz.equivalence.driver.sanitized_run as c_trial
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "vectors"
HEAD = "affine s {N | N>=1}\ninput\n double x {i | 0<=i<N};\n double y {i | 0<=i<N};\noutput\n"
DOT = f"{HEAD} double s;\nlet\n s = reduce(+, [i], x[i] * y[i]);\n.\n"
AXPY = f"{HEAD} double z {{i | 0<=i<N}};\nlet\n z[i] = y[i] + 2.0 * x[i];\n.\n"
SUMS = "affine s {N | N>=1}\ninput\n %s x {i | 0<=i<N};\noutput\n %s s;\nlet\n s = reduce(+, [i], x[i]);\n.\n"
MOST = "affine s {N | N>=4}\ninput\n double x {i | 0<=i<N};\noutput\n double m;\nlet\n m = reduce(max, [i], x[i]);\n.\n"
STENCIL = (
    "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
    " B[i] = case { | 1<=i<N-1} : 0.25 * (A[i-1] + 2.0 * A[i] + A[i+1]);"
    " { | i<1 } : A[i]; { | i>=N-1} : A[i]; esac;\n.\n"
)
TRANSPOSE = (
    "affine s {M,N | M>=1 && N>=1}\ninput\n double A {i,j | 0<=i<M && 0<=j<N};\noutput\n"
    " double B {j,i | 0<=i<M && 0<=j<N};\nlet\n B[j,i] = A[i,j];\n.\n"
)
MATVEC = (
    "affine s {M,N | M>=1 && N>=1}\ninput\n float A {i,j | 0<=i<M && 0<=j<N};\n float x {j | 0<=j<N};\noutput\n"
    " float y {i | 0<=i<M};\nlet\n y[i] = reduce(+, [j], A[i,j] * x[j]);\n.\n"
)
GEMM = (
    "affine s {M,N,K | M>=1 && N>=1 && K>=1}\ninput\n double A {i,k | 0<=i<M && 0<=k<K};\n"
    " double B {k,j | 0<=k<K && 0<=j<N};\noutput\n double C {i,j | 0<=i<M && 0<=j<N};\nlet\n"
    " C[i,j] = reduce(+, [k], A[i,k] * B[k,j]);\n.\n"
)
KERNELS = {
    "dot": (
        DOT,
        [
            ("i + 4 <= n", "i + 3 <= n"),
            ("_mm256_extractf128_pd(sum, 1)", "_mm256_extractf128_pd(sum, 0)"),
            ("_mm_unpackhi_pd(low, low)", "_mm_unpacklo_pd(low, low)"),
        ],
    ),
    "axpy": (
        AXPY,
        [
            ("_mm256_set1_pd(2.0)", "_mm256_set_pd(2.0, 2.0, 2.0, 1.0)"),
            ("_mm256_loadu_pd(&y[i])", "_mm256_loadu_pd(&y[i + 1])"),
            ("i < n - 3", "i < n - 2"),
        ],
    ),
    "stencil": (
        STENCIL,
        [("A + i - 1", "A + i"), ("i + 4 <= N - 1", "i + 4 <= N"), ("B + i,", "B + i - 1,")],
    ),
    "matvec": (
        MATVEC,
        [
            ("_mm_add_ss(v, _mm_movehdup_ps(v))", "_mm_add_ss(v, _mm_moveldup_ps(v))"),
            ("_mm_movehl_ps(v, v)", "_mm_movelh_ps(v, v)"),
            ("j += 4", "j += 8"),
        ],
    ),
    "most": (
        MOST,
        [
            ("_mm256_max_pd(best", "_mm256_min_pd(best"),
            ("long i = 4", "long i = 8"),
            ("_mm_unpackhi_pd(two, two)", "_mm_unpacklo_pd(two, two)"),
        ],
    ),
    "transpose": (
        TRANSPOSE,
        [
            ("_mm256_permute2f128_pd(t0, t2, 0x31)", "_mm256_permute2f128_pd(t0, t2, 0x21)"),
            ("_mm256_unpackhi_pd(r0, r1)", "_mm256_unpackhi_pd(r1, r0)"),
            ("_mm256_unpacklo_pd(r2, r3)", "_mm256_shuffle_pd(r2, r3, 0x2)"),
        ],
    ),
    "integers": (
        SUMS % ("int", "int"),
        [("_mm_add_epi32", "_mm_sub_epi32"), ("t[3]", "t[2]"), ("_mm_setzero_si128()", "_mm_set1_epi32(1)")],
    ),
    "wide": (
        DOT,
        [
            ("_mm512_fmadd_pd", "_mm512_fnmadd_pd"),
            ("_mm512_reduce_add_pd(sum)", "_mm512_cvtsd_f64(sum)"),
            ("x + i)", "x + i + 1)"),
        ],
    ),
    "neon": (
        DOT,
        [
            ("vfmaq_f64(sum, a, b)", "vfmaq_f64(a, b, sum)"),
            ("vaddvq_f64(sum)", "vgetq_lane_f64(sum, 0)"),
            ("vfmaq_f64", "vfmsq_f64"),
        ],
    ),
    "update": (
        GEMM,
        [
            ("C[i * N + j] = 0.0", "C[i * N + j] = 1.0"),
            ("_mm256_storeu_pd(&C[i * N + j], c)", "_mm256_storeu_pd(&C[i * N + j], _mm256_setzero_pd())"),
            ("&B[k * N + j]", "&B[j * N + k]"),
        ],
    ),
    "gemm": (
        GEMM,
        [
            ("_mm256_storeu_pd(c + n, c1)", "_mm256_storeu_pd(c + n, c2)"),
            ("b + k * n", "b + k * n + 1"),
            ("a[1 * kk + k]", "a[k]"),
        ],
    ),
}


def text(name: str) -> str:
    return (FOLDER / f"{name}.c").read_text(encoding="utf-8")


def asked(program: str, c: str, laws: Laws = PLAIN, *, executes: bool = False) -> CVerdict:
    return prove_c(read_program(Source("s.ab", program)), Source("s.c", c), ProofTask(laws=laws, executes=executes))


@pytest.mark.parametrize("name", thinned(KERNELS, 4))
def test_a_kernel_with_intrinsics_is_proved(name: str) -> None:
    program, _ = KERNELS[name]
    found = asked(program, text(name))
    assert found.is_proved, found.findings


@pytest.mark.parametrize(
    ("name", "before", "after"),
    thinned(((name, *each) for name, (_, mutants) in KERNELS.items() for each in mutants), 12),
)
def test_no_mutant_is_proved(name: str, before: str, after: str) -> None:
    program, _ = KERNELS[name]
    changed = text(name).replace(before, after)
    assert changed != text(name)
    assert asked(program, changed).verdict == "undecided"


COPY = f"{HEAD} double z {{i | 0<=i<N}};\nlet\n z[i] = x[i];\n.\n"
S = "#include <immintrin.h>\nvoid s(long N, const double *x, const double *y, double *z)"
FOURS = "for (long i = 0; i + 4 <= N; i += 4)"
REST = "for (long i = N - N % 4; i < N; i++) z[i] = x[i];"
COPIED = f"{S} {{ {FOURS} _mm256_storeu_pd(z + i, _mm256_loadu_pd(x + i)); {REST} }}"
ALIGNED = COPIED.replace("loadu", "load")
LOCAL = (
    f"{S} {{ {FOURS} {{ double t[4]; _mm256_storeu_pd(t, _mm256_loadu_pd(x + i));"
    f" for (int l = 0; l < 4; l++) z[i + l] = t[l]; }} {REST} }}"
)
# All is read before anything is written.
TURNED = (
    f"{S} {{ for (long i = 0; i + 2 <= N; i += 2) {{ _mm_storeu_pd(z + i, _mm_permute_pd(_mm_loadu_pd(x + i), 1));"
    " double *p = z + i; _mm_storeu_pd(p, _mm_permute_pd(_mm_loadu_pd(p), 1)); }"
    " for (long i = N - N % 2; i < N; i++) z[i] = x[i]; }"
)
KEPT = (
    f"{S} {{ for (long i = 0; i + 2 <= N; i += 2) {{ _mm_storeu_pd(z + i, _mm_loadu_pd(x + i));"
    " __m128d old = _mm_loadu_pd(z + i); _mm_storeu_pd(z + i, _mm_setzero_pd()); _mm_storeu_pd(z + i, old); }"
    " for (long i = N - N % 2; i < N; i++) z[i] = x[i]; }"
)
TURN = "static __m256d turned(__m256d v) { v = _mm256_permute4x64_pd(v, 0x1B); return v; }\n"
GIVEN = (
    f"{S.replace('void s', f'{TURN}void s')} {{ {FOURS}"
    f" _mm256_storeu_pd(z + i, turned(turned(_mm256_loadu_pd(x + i)))); {REST} }}"
)
RIGHT = {
    "a copy": COPIED,
    "an array of its own": LOCAL,
    "attributes": LOCAL.replace("double t[4]", "double t[4] __attribute__((aligned(32)))")
    .replace("void s", '__attribute__((noinline, target("avx2"))) void s')
    .replace("*x", "*__restrict__ x")
    .replace("*y", "*__restrict y"),
    "an aligned array of its own": LOCAL.replace("double t[4]", "_Alignas(32) double t[4]").replace("storeu", "store"),
    "in place": TURNED,
    "a function of vectors": GIVEN,
    "what is kept for a while": KEPT,
    "an array of vectors": f"{S} {{ {FOURS} {{ __m256d v[2]; v[0] = _mm256_loadu_pd(x + i); v[1] = v[0];"
    f" _mm256_storeu_pd(z + i, v[1]); }} {REST} }}",
    "a hint": COPIED.replace("_mm256_storeu", "_mm_prefetch((const char *)(x + i + 64), _MM_HINT_T0); _mm256_storeu")
    .replace("i += 4) _mm", "i += 4) { _mm").replace("; for", "; } for"),
}  # fmt: skip
OUTSIDE = {
    "no header": (COPIED.replace("#include <immintrin.h>\n", ""), "call of `_mm256_storeu_pd`"),
    "a header beside": (COPIED.replace("<immintrin.h>", '"immintrin.h"'), "cannot interpret the call"),
    "a function of the file's own": (
        COPIED.replace("void s", "static double _mm256_loadu_pd(const double *p) { return 7; } void s"),
        "this file redefines the library name",
    ),
    "a macro of the file's own": (
        COPIED.replace("void s", "#define _mm256_loadu_pd(p) _mm256_setzero_pd()\nvoid s"),
        "a redefinition of the library name",
    ),
    "a type of the file's own": (COPIED.replace("void s", "typedef double __m256d; void s"), "library name"),
    "a hint of the file's own": (
        COPIED.replace("void s", "static void _mm_prefetch(double *p) { p[0] = 7; } void s"),
        "this file redefines the library name",
    ),
    "one that is not known": (COPIED.replace("loadu_pd(", "lddqu_pd("), "is not defined"),
    "a mask that is none": (
        TURNED.replace("_pd(p), 1", "_pd(p), (int)N"),
        "this operand must be a constant, because it selects lanes",
    ),
    "too few arguments": (COPIED.replace("(x + i)", "()"), "is called with a wrong number of arguments"),
    "elements of another type": (
        COPIED.replace("_mm256_loadu_pd(x + i)", "_mm256_loadu_ps((const float *)(x + i))"),
        "returns another vector type than is needed here",
    ),
    "half of a vector": (
        COPIED.replace("_mm256_loadu_pd(x", "_mm_loadu_pd(x"),
        "returns another vector type than is needed here",
    ),
    "an address that is no multiple": (
        ALIGNED.replace("(x + i)", "(x + i + 1)"),
        "needs an address that is a multiple",
    ),
    "this constant selects a lane that does not exist": (
        TURNED.replace("_mm_loadu_pd(x + i), 1", "_mm256_extractf128_pd(_mm256_loadu_pd(x + i), 2), 1"),
        "this constant selects a lane that does not exist",
    ),
    "what is kept from call to call": (
        COPIED.replace("{ for", "{ static __m256d v; for"),
        "values kept between calls are not supported",
    ),
    "vectors that change by themselves": (
        COPIED.replace("{ for", "{ volatile __m256d v = _mm256_setzero_pd(); for"),
        "the declaration of `v` is not supported",
    ),
    "vectors that are compared": (
        COPIED.replace("_mm256_loadu_pd(x + i)", "_mm256_loadu_pd(x + i) < _mm256_loadu_pd(y + i)"),
        "comparisons of vectors are not supported: their result is -1 in lanes where they hold",
    ),
    "an address that may be none": (
        LOCAL.replace("_mm256_storeu", "_mm256_store"),
        "`t` may begin at another one",
    ),
    "an attribute that is not known": (
        COPIED.replace("void s", '__attribute__((target("fpmath=387"))) void s'),
        "cannot parse this C",
    ),
    "an attribute that is a macro": (
        COPIED.replace("void s", "#define noinline unused)) __attribute__((weak\n__attribute__((noinline)) void s"),
        "cannot parse this C",
    ),
    "a pointer to vectors": (
        COPIED.replace("_mm256_loadu_pd(x + i)", "*(const __m256d *)(x + i)"),
        "a pointer converted to a vector type can be used only in loads and stores",
    ),
}  # fmt: skip
WRONG = {
    "what was there before": f"{S} {{ for (long i = 0; i < N; i++) z[i] = 0; {FOURS} {{"
    " __m256d old = _mm256_loadu_pd(z + i);"
    f" _mm256_storeu_pd(z + i, _mm256_loadu_pd(x + i)); _mm256_storeu_pd(z + i, old); }} {REST} }}",
    "a load of which a lane is looked at": COPIED.replace(
        FOURS, "z[N - 1] = _mm256_cvtsd_f64(_mm256_loadu_pd(x + N - 1)); " + FOURS
    ),
    "a load of which nothing is looked at": COPIED.replace(
        "_mm256_loadu_pd(x + i)", "_mm256_blend_pd(_mm256_loadu_pd(x + i), _mm256_loadu_pd(y + N), 0)"
    ),
    "a number of which nothing is looked at": COPIED.replace(
        "_mm256_loadu_pd(x + i)", "_mm256_blend_pd(_mm256_loadu_pd(x + i), _mm256_set1_pd(y[N]), 0)"
    ),
    "a vector of which nothing is looked at": COPIED.replace(FOURS, f"__m256d c[2]; {FOURS}").replace(
        "_mm256_loadu_pd(x + i)", "_mm256_blend_pd(_mm256_loadu_pd(x + i), c[2], 0)"
    ),
    "a lane that another section writes": COPIED.replace(
        FOURS,
        "__m128d v; double t;\n#pragma omp parallel sections\n{\n#pragma omp section\n"
        "v = _mm_set1_pd(x[0]);\n#pragma omp section\nt = _mm_cvtsd_f64(v);\n}\nz[0] = t;"
        f" {FOURS}",
    ),
    "behind the end": COPIED.replace("i + 4 <= N", "i < N"),
    "what is read is written before": TURNED.replace("1)); }", "1)); p[0] = p[1]; }"),
    "an output that a function writes": GIVEN.replace("0x1B); return", "0x1E); return"),
}


@pytest.mark.parametrize("c", RIGHT.values(), ids=RIGHT)
def test_what_is_read_before_it_is_written_is_proved(c: str) -> None:
    found = asked(COPY, c)
    assert found.is_proved, found.findings


@pytest.mark.parametrize("name", thinned(WRONG, 4))
def test_what_is_wrong_is_not_proved(name: str) -> None:
    """A read of a cell that another section writes is a data race."""
    assert asked(COPY, WRONG[name]).verdict == ("refuted" if "section" in name else "undecided")


@pytest.mark.parametrize("case", OUTSIDE.values(), ids=OUTSIDE)
def test_an_unsupported_use_of_vectors_is_undecided(case: tuple[str, str]) -> None:
    c, said = case
    found = asked(COPY, c)
    assert found.verdict == "undecided"
    assert any(said in finding.message for finding in found.findings), [finding.message for finding in found.findings]


def test_what_is_taken_for_granted_is_told() -> None:
    assert asked(COPY, ALIGNED).assumed == ("`x` begins at a multiple of 32 bytes",)
    found = asked(DOT, text("dot"))
    assert any("`_mm256_fmadd_pd` rounds a product and a sum once" in each for each in found.assumed)


def test_what_is_rounded_once_is_not_what_equations_say_exactly() -> None:
    found = asked(DOT, text("dot"), Laws(is_exact=True))
    assert found.verdict == "undecided"
    assert "rounds a product and a sum once" in found.findings[0].message


def test_it_is_executed_where_the_processor_can(monkeypatch: pytest.MonkeyPatch) -> None:
    found = asked(COPY, ALIGNED, executes=True)
    assert found.is_proved
    assert found.tried is not None
    assert found.tried.ran or "has no avx2" in found.tried.left
    monkeypatch.setattr(c_trial, "has_feature", lambda *_: False)
    found = asked(COPY, ALIGNED, executes=True)
    assert found.is_proved
    assert found.tried is not None
    assert str(found.tried) == "not executed: the processor, or the compiler, does not support sse4.2"
