"""C as others write it: what they expect to be read is read, and what looks like it and is wrong is not proved."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.execution.c_import import from_c
from alphaz.execution.c_proof import prove_c
from tests.c_proofs.test_traps import DOUBLED, LOOP, SQUARE, SQUARES, SUMMED, TWICE, S, verdict

NESTED = "for (i = 0; i < N; i++) for (j = 0; j < M; j++)"
TIMES = (
    "affine s {N,T | N>=3 && T>=0}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlocal\n"
    " double X {t,i | 0<=t<=T && 0<=i<N};\nlet\n X[t,i] = case {| t==0} : A[i]; {| t>0} : 2.0 * X[t-1,N-1-i]; esac;\n"
    " B[i] = X[T,i];\n.\n"
)
REGION = (
    "void s(int N, int T, const double *A, double *B)\n{ int t, i; double X[T + 1][N];\n%s\n{\n#pragma omp for\n"
    "for (i = 0; i < N; i++) X[0][i] = A[i];\nfor (t = 1; t <= T; t++) {\n#pragma omp for\nfor (i = 0; i < N; i++)"
    " X[t][i] = 2.0 * X[t - 1][N - 1 - i]; } }\nfor (i = 0; i < N; i++) B[i] = X[T][i]; }"
)
FIRST = (
    f"{S}{{ double t[1];\n#pragma omp parallel\n{{\n#pragma omp master\nt[0] = 2.0;\n%s#pragma omp for\n{LOOP}"
    " B[i] = A[i] * t[0]; } }"
)
ROUND = (
    "void s(long N, long T, const double *A, double *B)\n{ double X[T + 1][N]; for (long i = 0; i < N; i++) X[0][i] ="
    " A[i];\n#pragma omp parallel\nfor (long t = 1; t <= T; t++) {\n#pragma omp %s\n"
    "{ for (long i = 0; i < N; i++) X[t][i] = 2.0 * X[t - 1][N - 1 - i]; } }\n"
    "for (long i = 0; i < N; i++) B[i] = X[T][i]; }"
)

RIGHT = {
    "what PolyBench marks": (DOUBLED, f"{S}{{\n#pragma scop\n{TWICE}\n#pragma endscop\n}}"),
    "collapsed loops with iterators of the function": (
        SQUARE,
        f"{SQUARES} {{ int i, j, k;\n#pragma omp parallel for collapse(2) private(j, k) schedule(dynamic, 4)\n{NESTED}"
        " for (k = 0; k < 1; k++) B[i][j] = A[i][j]; }",
    ),
    "variables of the threads of a region": (TIMES, REGION % "#pragma omp parallel private(t, i) default(shared)"),
    "a number that threads have copies of": (
        DOUBLED,
        "void s(long N, const double *A, double *B) { double t = 2.0;\n"
        f"#pragma omp parallel for firstprivate(t)\n{LOOP} B[i] = A[i] * t; }}",
    ),
    "the first thread writes, all wait": (DOUBLED, FIRST % "#pragma omp barrier\n"),
    "one thread goes round, all wait": (TIMES, ROUND % "single"),
    "constants of the file": (
        DOUBLED,
        f"enum {{ NO, TILE = 8 }}; static const int STEP = TILE * 2;\n{S}{{ for (long o = NO; o < N; o += STEP)"
        " for (long i = o; i < (o + STEP < N ? o + STEP : N); i++) B[i] = 2.0 * A[i]; }",
    ),
    "the last bits by a mask": (
        DOUBLED,
        f"{S}{{ long n = N & ~3; for (long i = 0; i < n; i += 4) {{ B[i] = 2.0 * A[i]; B[i + 1] = 2.0 * A[i + 1];"
        " B[i + 2] = 2.0 * A[i + 2]; B[i + 3] = 2.0 * A[i + 3]; } for (long i = n; i < N; i++) B[i] = 2.0 * A[i]; }",
    ),
    "halves by a shift, and what is odd": (
        DOUBLED,
        f"{S}{{ long n = N >> 1; for (long i = 0; i < n; i++) {{ B[2 * i] = 2.0 * A[2 * i]; B[2 * i + 1] ="
        " 2.0 * A[2 * i + 1]; } if (N & 1) B[N - 1] = 2.0 * A[N - 1]; }",
    ),
    "a program around it": (
        DOUBLED,
        f"static {S.replace('void s', 'void kernel_s')}{{ {TWICE} }}\nint main(void) {{}}",
    ),
}

WRONG = {
    "a variable of one thread only is lost": (
        DOUBLED,
        f"{S}{{ double t = 1.0;\n#pragma omp parallel\n{{\n#pragma omp single private(t)\nt = 2.0;\n"
        f"#pragma omp for\n{LOOP} B[i] = t * A[i]; }} }}",
    ),
    "a copy of the one thread is lost": (
        DOUBLED,
        f"{S}{{ double t = 1.0;\n#pragma omp parallel\n{{\n#pragma omp single firstprivate(t)\nt = 2.0;\n"
        f"#pragma omp for\n{LOOP} B[i] = t * A[i]; }} }}",
    ),
    "a copy that changes": (
        DOUBLED,
        f"{S}{{ double t = 1.0;\n#pragma omp parallel for firstprivate(t)\n"
        f"{LOOP} {{ t = t * 2.0; B[i] = t * A[i]; }} }}",
    ),
    "variables of a region have no value": (
        DOUBLED,
        f"{S}{{ double t = 2.0;\n#pragma omp parallel private(t)\n{{\n#pragma omp for\n{LOOP} B[i] = t * A[i]; }} }}",
    ),
    "all variables are copies by default": (
        SUMMED,
        "void s(long N, const double *A, double *B) { double t = 0.0;\n#pragma omp parallel for default(firstprivate)\n"
        "for (long k = 0; k < N; k++) {\n#pragma omp critical\nt += A[k]; } *B = t; }",
    ),
    "the iterator in a region is that of all threads": (TIMES, REGION % "#pragma omp parallel private(i)"),
    "a region that does not wait": (
        TIMES,
        REGION.replace("for\nfor (i = 0; i < N; i++) X[t]", "for nowait\nfor (i = 0; i < N; i++) X[t]")
        % "#pragma omp parallel private(t, i)",
    ),
    "nobody waits for the first thread": (DOUBLED, FIRST % ""),
    "nobody waits for the first thread, round and round": (TIMES, ROUND % "master"),
    "an enumerator of the function": (
        DOUBLED,
        "enum { M = 3 };\nvoid s(long N, const double *A, double *B) { enum { M = 2 };"
        " for (long i = 0; i < N - M; i++) B[i] = 2.0 * A[i]; for (long i = N - 3; i < N; i++) B[i] = 2.0 * A[i]; }",
    ),
    "a number of the file that may change": (
        DOUBLED,
        f"int STEP = 1;\n{S}{{ for (long i = 0; i < N; i += STEP) B[i] = 2.0 * A[i]; }}",
    ),
    "a mask of other bits": (
        DOUBLED,
        f"{S}{{ long n = N & ~2; for (long i = 0; i < n; i++) B[i] = 2.0 * A[i];"
        " for (long i = n; i < N; i++) B[i] = 2.0 * A[i]; }",
    ),
    "the rest is masked by one bit too few": (
        DOUBLED,
        f"{S}{{ long n = N & ~3; for (long i = 0; i < n; i++) B[i] = 2.0 * A[i];"
        " for (long i = n; i < n + (N & 1); i++) B[i] = 2.0 * A[i]; }",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, found.findings


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    assert verdict(*WRONG[name]).verdict == "undecided"


IN_PLACE = "void f(long N, double x[N]) { for (long i = 1; i < N; i++) x[i] += x[i - 1]; }"


def test_an_argument_that_is_changed_in_place_holds_its_input_too() -> None:
    made = from_c(Source("f.c", IN_PLACE))
    found = prove_c(made.checked, Source("f.c", IN_PLACE))
    assert found.is_proved
    assert "`x` holds x_in at first, and x at the end" in found.assumed


@pytest.mark.parametrize(
    "inputs", ["double x_in {i | 0<=i<=N};", "float x_in {i | 0<=i<N};", "double x1, x2 {i | 0<=i<N};"]
)
def test_an_input_of_another_kind_is_not_what_an_output_holds_at_first(inputs: str) -> None:
    text = f"affine f {{N | N>=1}}\ninput {inputs}\noutput double x {{i | 0<=i<N}};\nlet x[i] = 1.0;\n."
    body = "{ for (long i = 0; i < N; i++) x[i] = 1.0; }"
    found = prove_c(read_program(Source("f.ab", text)), Source("f.c", f"void f(long N, double *x) {body}"))
    assert found.is_proved, found.findings
    assert found.assumed == ()
