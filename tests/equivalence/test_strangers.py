"""C as others write it: what they expect to be read is read, and what looks like it and is wrong is not proved."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.equations_from_c import from_c
from alphaz.equivalence.driver.proof import prove_c
from tests.equivalence.test_traps import CALLED, DOUBLED, LOOP, SQUARE, SQUARES, SUMMED, TWICE, S, verdict

pytestmark = pytest.mark.slow

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

SWAPPED = (
    "void s(int N, int T, const double *A, double *B)\n{ double *p = malloc(N * sizeof(double));"
    " double *q = malloc(N * sizeof(double)); for (int i = 0; i < N; i++) p[i] = A[i];"
    " for (int t = %s; t++) { for (int i = 0; i < N; i++) q[i] = 2.0 * p[N - 1 - i];"
    " double *r = p; p = q; q = r; } for (int i = 0; i < N; i++) B[i] = %s[i]; free(p); free(q); }"
)
EDGE = (
    f"{S}{{ for (long o = 0; o < N; o += 8) {{ long e = o + 8; %s; for (long i = o; i < e; i++) B[i] = 2.0 * A[i]; }}"
    " }"
)
BACKWARDS = f"{S}{{ long i, j; for (i = 0, j = %s; i < N; i++, j--) B[j] = 2.0 * A[j]; }}"

WAITING = (
    "void s(long N, long T, const double *A, double *B)\n{ double X[T + 1][N]; for (long i = 0; i < N; i++) X[0][i] ="
    " A[i]; double *p = malloc(N * sizeof(double));\n#pragma omp parallel\nfor (long t = 1; t <= T; t++) {\n"
    "%s#pragma omp for nowait\nfor (long i = 0; i < N; i++) p[i] = X[t - 1][N - 1 - i];\n"
    "%s#pragma omp for%s\nfor (long i = N - 1; i >= 0; i--) X[t][N - 1 - i] = 2.0 * p[N - 1 - i]; }\n"
    "for (long i = 0; i < N; i++) B[i] = X[T][i]; free(p); }"
)

COUNTED = "void s(size_t N, const double *A, double *B)\n{ for (size_t i = %s) B[%s] = 2.0 * A[%s]; }"

ELEMENTS = "void s(long N, long M, const double *A, double *B) { %sfor (%s = 0; i < N * M; i++) %s; }"

RIGHT = {
    "all elements in one loop": (SQUARE, ELEMENTS % ("", "long i", "B[i] = A[i]")),
    "all elements in one loop of threads": (
        SQUARE,
        ELEMENTS % ("int i;\n#pragma omp parallel for\n", "i", "{ double t = A[i]; B[i] = t; }"),
    ),
    "unsigned": (DOUBLED, COUNTED % ("0; i < N; ++i", "i", "i")),
    "unsigned, in tiles": (
        DOUBLED,
        "void s(unsigned N, const double *A, double *B) { for (unsigned o = 0; o < N; o += 8u) for (unsigned i = o;"
        " i < (o + 8u < N ? o + 8u : N); i++) B[i] = 2.0 * A[i]; }",
    ),
    "unsigned, and a signed size": (DOUBLED, f"{S}{{ for (unsigned i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}"),
    "unsigned, downwards": (DOUBLED, COUNTED % ("N; i > 0; i--", "i - 1", "i - 1")),
    "unsigned, downwards by what is asked": (DOUBLED, COUNTED % ("N; i-- > 0;", "i", "i")),
    "unsigned, and back from the end": (DOUBLED, COUNTED % ("0; i < N; i++", "N - 1 - i", "N - 1 - i")),
    "unsigned rows": (
        SQUARE,
        "static void row(size_t m, const double *a, double *b) { for (size_t j = 0; j < m; j++) b[j] = a[j]; }\n"
        "void s(size_t N, size_t M, const double *A, double *B)"
        " { for (size_t i = 0; i < N; i++) row(M, A + i * M, &B[i * M]); }",
    ),
    "threads wait for each other": (TIMES, WAITING % ("", "#pragma omp barrier\n", "")),
    "a pointer that is none": (
        DOUBLED,
        f"int s(long N, const double *A, double *B) {{ if (A == 0 || !B) return -1; {TWICE} return 0; }}",
    ),
    "while": (DOUBLED, f"{S}{{ long i = 0; while (i < N) {{ B[i] = 2.0 * A[i]; i++; }} }}"),
    "while, with what stands in between": (
        DOUBLED,
        f"{S}{{ long i, n; double t; i = 0; t = 2.0;"
        " while (i < N) { n = 0; while (n < 1) { B[i] = t * A[i]; n += 1; } i += 1; } }",
    ),
    "while, downwards": (DOUBLED, f"{S}{{ long i = N - 1; while (i >= 0) {{ B[i] = 2.0 * A[i]; --i; }} }}"),
    "downwards by what is asked": (DOUBLED, f"{S}{{ for (long i = N; i-- > 0;) B[i] = 2.0 * A[i]; }}"),
    "downwards by what is asked at first": (DOUBLED, f"{S}{{ for (int i = N; --i >= 0;) B[i] = 2.0 * A[i]; }}"),
    "two iterators": (DOUBLED, BACKWARDS % "N - 1"),
    "the rest of an iteration is left out": (
        DOUBLED,
        f"{S}{{ {LOOP} {{ if (i == 2) {{ B[i] = 2.0 * A[2]; continue; }} if (i < 0) continue; B[i] = 2.0 * A[i]; }} }}",
    ),
    "a bound that is cut": (DOUBLED, EDGE % "if (e > N) e = N"),
    "two bounds that are cut": (DOUBLED, EDGE % "long f = o; if (e >= N) { e = N; } if (f > N) f = N"),
    "pointers that are swapped": (TIMES, SWAPPED % ("0; t < T", "p")),
    "pointers that are swapped, counted from one": (TIMES, SWAPPED % ("1; t <= T", "p")),
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
    "all elements but for one": (SQUARE, ELEMENTS.replace("N * M", "N * (M - 1)") % ("", "long i", "B[i] = A[i]")),
    "all elements of more rows": (SQUARE, ELEMENTS.replace("N * M", "(N + 1) * M") % ("", "long i", "B[i] = A[i]")),
    "all elements, of the columns": (SQUARE, ELEMENTS % ("", "long i", "B[i] = i < N ? A[i] : 0")),
    "all elements, by one iterator of all threads": (
        SQUARE,
        ELEMENTS % ("long i, r;\n#pragma omp parallel for\nfor (r = 0; r < 1; r++) ", "i", "B[i] = A[i]"),
    ),
    "all elements, and the one before": (
        SQUARE,
        ELEMENTS % ("\n#pragma omp parallel for\n", "long i", "{ if (i > 0) B[i - 1] = A[i - 1]; B[i] = A[i]; }"),
    ),
    "all elements of sizes that may be below zero": (
        SQUARE.replace("N>=3 && M>=3", "N>=-3 && M>=-3"),
        ELEMENTS % ("", "long i", "B[i] = A[i]"),
    ),
    "numbers are compared with unsigned ones": (
        "affine s {N | N>=3}\ninput\n int A {i | 0<=i<N};\noutput\n int B {i | 0<=i<N};\nlet\n"
        " B[i] = if A[i] < [i] then 1 else 0;\n.\n",
        "void s(unsigned N, const int *A, int *B) { for (unsigned i = 0; i < N; i++) B[i] = A[i] < i ? 1 : 0; }",
    ),
    "a copy that changes once": (
        DOUBLED,
        f"{S}{{ double t = 1.0;\n#pragma omp parallel for firstprivate(t)\n"
        f"{LOOP} {{ if (i == 0) t = 2.0; B[i] = 1.0; }} {LOOP} B[i] = t * A[i]; }}",
    ),
    "pointers of which one takes the place of a third": (
        TIMES,
        SWAPPED.replace("p = q; q = r", "z = q; q = r").replace(" for (int t", " double *z = q; for (int t")
        % ("0; t < T", "p"),
    ),
    "unsigned is never below zero": (DOUBLED, COUNTED % ("N - 1; i >= 0; i--", "i", "i")),
    "unsigned, and one row before": (DOUBLED, COUNTED % ("0; i + 1 - 2 < N - 1; i++", "i", "i")),
    "unsigned, and the end wraps": (DOUBLED, COUNTED % ("0; i <= N - 4; i++", "i", "i")),
    "unsigned, and less than nothing": (
        DOUBLED,
        f"{S}{{ for (unsigned i = 0; i < N; i++) if (i > -1) B[i] = 2.0 * A[i]; }}",
    ),
    "unsigned, and a signed size that is less than nothing": (
        DOUBLED,
        f"{S}{{ for (unsigned long i = 0; i < N - 4; i++) B[i] = 2.0 * A[i];"
        f" {LOOP} if (i >= N - 4) B[i] = 2.0 * A[i]; }}",
    ),
    "unsigned, and a conversion of what is less than nothing": (
        DOUBLED,
        f"{S}{{ {LOOP} if ((unsigned long)(i - 1) + 1 >= 0) B[i] = 2.0 * A[i]; }}",
    ),
    "unsigned data of unsigned numbers": (
        "affine s {N | N>=3}\ninput\n int A {i | 0<=i<N};\noutput\n int B {i | 0<=i<N};\nlet\n"
        " B[i] = if A[i] < 1 then 1 else 0;\n.\n",
        "void s(unsigned N, const int *A, int *B) { for (unsigned i = 0; i < N; i++) B[i] = A[i] < 1u ? 1 : 0; }",
    ),
    "a difference of unsigned numbers as a number": (
        "affine s {N | N>=3}\noutput\n double B {i | 0<=i<N};\nlet\n B[i] = [i-1];\n.\n",
        "void s(unsigned N, double *B) { for (unsigned i = 0; i < N; i++) B[i] = (double)(i - 1); }",
    ),
    "a number that is no pointer may be zero": (
        DOUBLED,
        f"{S}{{ {LOOP} {{ double t = A[i]; if (!t) t = 5.0; B[i] = 2.0 * t; }} }}",
    ),
    "a number that is compared with zero is none either": (
        DOUBLED,
        f"{S}{{ {LOOP} {{ double t = A[i]; if (t == 0) t = 5.0; B[i] = 2.0 * t; }} }}",
    ),
    "threads wait, and then one goes ahead": (TIMES, WAITING % ("", "#pragma omp barrier\n", " nowait")),
    "threads do not wait": (TIMES, WAITING % ("", "", "")),
    "threads wait for nothing": (TIMES, WAITING % ("#pragma omp barrier\n", "", "")),
    "while, from the second": (DOUBLED, f"{S}{{ long i = 1; while (i < N) {{ B[i] = 2.0 * A[i]; i++; }} }}"),
    "while, begun by what has changed since": (
        DOUBLED,
        f"{S}{{ long n = 1; long i = n; n = 0; while (i < N) {{ B[i] = 2.0 * A[i]; i++; }} }}",
    ),
    "while, begun once for all rounds": (
        TIMES,
        "void s(long N, long T, const double *A, double *B) { double X[T + 1][N]; long i = 0;"
        " while (i < N) { X[0][i] = A[i]; i++; } i = 0; for (long t = 1; t <= T; t++) while (i < N) {"
        " X[t][i] = 2.0 * X[t - 1][N - 1 - i]; i++; }"
        " for (long j = 0; j < N; j++) B[j] = X[T][j]; }",
    ),
    "while, with a step that is left out": (
        DOUBLED,
        f"{S}{{ long i = 0; while (i < N) {{ if (i == 2) continue; B[i] = 2.0 * A[i]; i++; }} }}",
    ),
    "the start of a loop is done by one thread": (
        DOUBLED,
        f"{S}{{ long i = 1; if (N == 5) i = 0; while (i < N) {{ B[i] = 2.0 * A[i]; i++; }} }}",
    ),
    "downwards to the second": (DOUBLED, f"{S}{{ for (long i = N; i-- > 1;) B[i] = 2.0 * A[i]; }}"),
    "downwards, with what comes after the question": (
        DOUBLED,
        f"{S}{{ for (long i = N; i-- >= 0;) B[i] = 2.0 * A[i]; }}",
    ),
    "downwards, and on from there": (
        DOUBLED,
        f"{S}{{ long i = N; for (i = N; i-- > 0;) B[i] = 2.0 * A[i]; for (; i < N; i++) B[i + 1] = 2.0 * A[i + 1]; }}",
    ),
    "two iterators, one begins too far": (DOUBLED, BACKWARDS % "N"),
    "two iterators, one is asked for behind": (
        DOUBLED,
        BACKWARDS.replace("}}", "").rstrip(" }") % "N - 1" + " B[j + 1] = A[0]; }",
    ),
    "the rest of one iteration is left out": (
        DOUBLED,
        f"{S}{{ {LOOP} {{ if (i == 2) continue; B[i] = 2.0 * A[i]; }} }}",
    ),
    "a bound that is cut too short": (DOUBLED, EDGE % "if (e > N) e = N - 1"),
    "a bound that is not always cut": (DOUBLED, EDGE % "if (e > N + 1) e = N"),
    "a bound that is cut by what changes": (
        DOUBLED,
        EDGE % "long n = N; n = 2; if (e > n) e = n",
    ),
    "pointers that are swapped, and the other is taken": (TIMES, SWAPPED % ("0; t < T", "q")),
    "pointers that are swapped once too often": (TIMES, SWAPPED % ("0; t <= T", "p")),
    "pointers that are swapped, in steps of two": (TIMES, SWAPPED.replace("t++", "t += 2") % ("0; t < 2 * T", "p")),
    "pointers that are swapped, and one is set behind": (
        TIMES,
        SWAPPED.replace("for (int i = 0; i < N; i++) B", "p = q; for (int i = 0; i < N; i++) B") % ("0; t < T", "p"),
    ),
    "pointers that are swapped in rounds": (
        TIMES,
        SWAPPED.replace(" for (int t", " for (int u = 0; u < 2; u++) for (int t") % ("0; t < T", "p"),
    ),
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


def test_functions_of_headers_are_those_that_the_program_declares() -> None:
    text = f'#include "mine.h"\n{S}{{ {LOOP} B[i] = f(A[i]); }}'
    found = verdict(CALLED, text)
    assert found.is_proved
    assert "`mine.h` declares `f` as the program does" in found.assumed
    assert not verdict(CALLED, text.replace("f(A[i])", "f(B[i])")).is_proved
    assert not verdict(CALLED, text.partition("\n")[2]).is_proved
    assert not verdict(CALLED, text.replace("void", "double f(float);\nvoid")).is_proved


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
