"""Small C texts that look right, and are not: each is a hole that a reader or a checker may have."""

from functools import cache

import pytest

from alphaz.analysis.checks.checked import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.proof import CVerdict, ProofTask, prove_c

pytestmark = pytest.mark.slow

HEAD = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
DOUBLED = f"{HEAD} B[i] = 2.0 * A[i];\n.\n"
COPIED = f"{HEAD} B[i] = A[i];\n.\n"
CALLED = f"double f(double);\n{HEAD} B[i] = f(A[i]);\n.\n"
SUMMED = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B;\nlet\n B = reduce(+, [k], A[k]);\n.\n"
LEAST = "affine s {N | N>=3}\ninput\n long A {i | 0<=i<N};\noutput\n long B;\nlet\n B = reduce(min, [k], A[k]);\n.\n"
SQUARE = (
    "affine s {N,M | N>=3 && M>=3}\ninput\n double A {i,j | 0<=i<N && 0<=j<M};\noutput\n"
    " double B {i,j | 0<=i<N && 0<=j<M};\nlet\n B[i,j] = A[i,j];\n.\n"
)
TABLE = (
    "affine s {N | N>=3}\ninput\n double A {i,k | 0<=i<N && 0<=k<N};\noutput\n double B;\nlet\n"
    " B = reduce(+, [i,k], A[i,k]);\n.\n"
)
TABLES = "void s(long N, const double A[N][N], double *B)"
BRANCHES = (
    "affine s {N | N>=3}\ninput\n double A {i,k | 0<=i<N && 0<=k<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
    " B[i] = case {| i==0} : reduce(+, [k], {| 0<=k<N} : A[k,0]); {| i>0} : reduce(+, [k], {| 0<=k<N} : A[i,k]);"
    " esac;\n.\n"
)
IN_BRANCHES = (
    "{ B[0] = 0; for (long k = 0; k < N; k++) B[0] += A[k][0]; for (long i = 1; i < N; i++) B[i] = 0;"
    " for (long i = 1; i < N; i++) for (long k = 0; k < (N < 50 ? N : 50); k++) B[i] += A[i][k]; }"
)
STEPS = (
    "affine s {N,T | N>=3 && T>=1}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlocal\n"
    " double X {t,i | 0<=t<=T && 0<=i<N};\nlet\n X[t,i] = case {| t==0} : A[i]; {| t>0} : 2.0 * X[t-1,N-1-i]; esac;\n"
    " B[i] = X[T,i];\n.\n"
)
OUTER = "for (i = 0; i < N; i++) for (j = 0; j < M; j++)"
SQUARES = "void s(long N, long M, const double A[N][M], double B[N][M])"
S = "void s(long N, const double *restrict A, double *restrict B)\n"
LOOP = "for (long i = 0; i < N; i++)"
TWICE = f"{LOOP} B[i] = 2.0 * A[i];"
ADDED = "for (long k = 0; k < N; k++)"
ALLOCATED = f"double *p = malloc(N * sizeof(double)); {LOOP} p[i] = A[i]; {LOOP} B[i] = p[i];"
STEPPED = (
    "static void step(long N, double *to, const double *from) {\n#pragma omp for%s\nfor (long i = 0; i < N; i++)"
    " to[i] = 2.0 * from[N-1-i]; }\nvoid s(long N, long T, const double *A, double *B)\n"
    "{ double *X = malloc((T + 1) * N * sizeof(double)); for (long i = 0; i < N; i++) X[i] = A[i];\n"
    "#pragma omp parallel\n{ for (long t = 1; t <= T; t++) step(N, X + t * N, X + (t - 1) * N); }\n"
    "for (long i = 0; i < N; i++) B[i] = X[T * N + i]; }"
)
VECTORS = "typedef double double4 __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));\n"
FOURS = "for (long o = 0; o < N - 3; o += 4)"
REST = "for (long i = N / 4 * 4; i < N; i++)"
OWN = (
    f"{S}{{\n#pragma omp parallel\n{{ double *p = malloc(N * sizeof(double)); {LOOP} p[i] = 0;\n#pragma omp for\n"
    f"{LOOP} {{ p[i] = A[i]; B[i] = 2.0 * p[%s]; }}\n%s free(p); }} }}"
)

WRONG = {
    "a local array is released, which was never allocated": (
        DOUBLED,
        f"{S}{{ double t[2]; {LOOP} {{ t[0] = A[i]; B[i] = 2.0 * t[0]; }} free(t); }}",
    ),
    "a sum in the second of two branches ends too early, where N is large": (BRANCHES, f"{TABLES} {IN_BRANCHES}"),
    "a step behind a pointer is no report": (
        DOUBLED,
        f"static void bump(double *x) {{ (*x)++; }}\n{S}{{ {TWICE} bump(B); }}",
    ),
    "a step in a condition": (
        DOUBLED,
        f"int s(long N, const double *A, double *B) {{ {TWICE} if (B[0]++ == 0) return 1; return 0; }}",
    ),
    "a step in what is told": (
        DOUBLED,
        f'static void say(double x) {{ printf("%f", x); }}\n{S}{{ {TWICE} say(B[0]++); }}',
    ),
    "each thread of a region has its own threads": (
        DOUBLED,
        f"{S}{{\n#pragma omp parallel\n{{\n#pragma omp parallel for\n{LOOP} B[i] = A[i];\n"
        f"#pragma omp parallel for\n{LOOP} B[i] = 2.0 * B[i];\n}} }}",
    ),
    "rows of another length by a conversion": (
        SQUARE,
        "void s(long N, long M, const double A[N][M], double B[N][M]) { for (long i = 0; i < N; i++)"
        " for (long j = 0; j < M; j++) B[i][j] = ((const double (*)[N])A)[i][j]; }",
    ),
    "the greatest int is no identity of longs": (
        LEAST,
        "void s(long N, const long *A, long *B) { long m = A[0] < 2147483647 ? A[0] : 2147483647;"
        " for (long k = 1; k < N; k++) m = A[k] < m ? A[k] : m; *B = m; }",
    ),
    "eight is written 010": (DOUBLED, f"{S}{{ {LOOP} B[i] = 2.0 * A[i] + A[010] * 0; }}"),
    "a constant that is infinite": (DOUBLED, f"{S}{{ {LOOP} B[i] = 2.0 * A[i] * 1e999; }}"),
    "a directive for the whole file": (DOUBLED, f'#pragma GCC optimize("fast-math")\n{S}{{ {TWICE} }}'),
    "a private constant has no value": (
        DOUBLED,
        f"{S}{{ double t = 2.0;\n#pragma omp parallel for private(t)\n{LOOP} B[i] = A[i] * t; }}",
    ),
    "a private number has no value": (
        DOUBLED,
        f"{S}{{ long k = 0;\n#pragma omp parallel for private(k)\n{LOOP} B[i + k] = 2.0 * A[i]; }}",
    ),
    "a parameter that is a char": (COPIED, f"void s(char N, const double *A, double *B) {{ {LOOP} B[i] = A[i]; }}"),
    "somebody else changes volatile cells": (
        COPIED,
        f"void s(long N, const double *A, volatile double *B) {{ {LOOP} B[i] = A[i]; }}",
    ),
    "the middle of a block is released": (COPIED, f"{S}{{ {ALLOCATED} double *q = p + 1; free(q); }}"),
    "an argument that is rounded": (CALLED, f"double f(float);\n{S}{{ {LOOP} B[i] = f(A[i]); }}"),
    "an argument that is an address": (CALLED, f"double f(const double *);\n{S}{{ {LOOP} B[i] = f(&A[i]); }}"),
    "threads inside of a lock": (
        SUMMED,
        f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp critical\n{{\n#pragma omp parallel for\n{ADDED} m[0] += A[k]; }}"
        " *B = m[0]; }",
    ),
    "lanes inside of a lock": (
        SUMMED,
        f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp critical\n{{\n#pragma omp simd\n{ADDED} m[0] += A[k]; }}"
        " *B = m[0]; }",
    ),
    "two locks": (
        SUMMED,
        f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp parallel for\n{ADDED} {{ if (k < 2) {{\n#pragma omp critical(a)\n"
        "m[0] += A[k]; } else {\n#pragma omp critical(b)\nm[0] += A[k]; } } *B = m[0]; }",
    ),
    "atomic protects one cell": (
        SUMMED,
        f"{S}{{ double m[1], n[1]; m[0] = 0; n[0] = 0;\n#pragma omp parallel for\n{ADDED} {{\n#pragma omp atomic\n"
        "m[0] += A[k];\n#pragma omp atomic\nn[0] += m[0]; } *B = m[0]; }",
    ),
    "nobody waits in a function": (STEPS, STEPPED % " nowait"),
    "a comment of two lines": (DOUBLED, f"{S}{{ {LOOP} B[i] = A[i]; // then \\\n {TWICE}\n}}"),
    "a clause with an effect": (
        DOUBLED,
        f"{S}{{ {TWICE}\n#pragma omp parallel for if(B[0]++)\n{LOOP} {{ double y = 0; }} }}",
    ),
    "wrong for large parameters only": (DOUBLED, f"{S}{{ {TWICE} if (N > 5000) B[7] = 0; }}"),
    "a part of a sum far away": (SUMMED, f"{S}{{ double m = 0; {ADDED} {{ if (k != 4000) m += A[k]; }} *B = m; }}"),
    "no value far away": (DOUBLED, f"{S}{{ {LOOP} {{ double y; if (i < 3000) y = 2.0 * A[i]; B[i] = y; }} }}"),
    "a race that changes nothing": (
        DOUBLED,
        f"{S}{{\n#pragma omp parallel for\n{LOOP} {{ B[i] = 2.0 * A[i]; B[0] = 2.0 * A[0]; }} }}",
    ),
    "a sum that is started again": (
        SUMMED,
        f"{S}{{ double m = 0; {ADDED} {{ m += A[k]; if (k == N - 2) m = 0; }} *B = m; }}",
    ),
    "an accumulator that is read before it is whole": (
        SUMMED,
        f"{S}{{ double m = 0;\n#pragma omp parallel\n{{\n#pragma omp for reduction(+:m) nowait\n{ADDED} m += A[k];\n"
        "#pragma omp single\n*B = m; } }",
    ),
    "one thread writes, and nobody waits": (
        DOUBLED,
        f"{S}{{ double t[1];\n#pragma omp parallel\n{{\n#pragma omp single nowait\nt[0] = 2.0;\n#pragma omp for\n{LOOP}"
        " B[i] = A[i] * t[0]; } }",
    ),
    "a dividend below zero": (
        COPIED,
        f"{S}{{ {LOOP} {{ long q = (i - 3) / 2; B[i] = A[i]; if (q + 2 >= 0) B[q + 2] = A[q + 2]; }} }}",
    ),
    "a variable that begins with itself": (
        DOUBLED,
        f"{S}{{ double x = 2.0; {LOOP} {{ double x = x * A[i]; B[i] = x; }} }}",
    ),
    "a loop that begins with itself": (
        DOUBLED,
        f"{S}{{ long i = 0; {{ for (long i = i; i < N; i++) B[i] = 2.0 * A[i]; }} }}",
    ),
    "one array under two names that promise to be apart": (
        DOUBLED,
        "static void f(long N, double *restrict x, const double *restrict y) { for (long i = 0; i < N; i++) x[i] ="
        f" 2.0 * y[i]; }}\n{S}{{ {LOOP} B[i] = A[i]; f(N, B, B); }}",
    ),
    "an early return": (
        COPIED,
        f"int s(long N, const double *A, double *B) {{ if (N > 9) return 0; {LOOP} B[i] = A[i]; return 0; }}",
    ),
}
WRONG |= {
    "an accumulator of the inner loop only": (
        TABLE,
        f"{TABLES} {{ double m = 0;\n#pragma omp parallel for\n{LOOP} {{\n#pragma omp simd reduction(+:m)\n"
        f"{ADDED} m += A[i][k]; }} *B = m; }}",
    ),
    "lanes of a neighbour that are overwritten": (
        DOUBLED,
        f"{VECTORS}{S}{{ {LOOP} B[i] = A[i]; {FOURS} *(double4 *)&B[o] = 2.0 * *(const double4 *)&B[o + 1]; }}",
    ),
    "a vector that ends behind the array": (
        DOUBLED,
        f"{VECTORS}{S}{{ for (long o = 0; o < N; o += 4) *(double4 *)&B[o] = 2.0 * *(const double4 *)&A[o]; }}",
    ),
    "vectors that must be aligned": (
        DOUBLED,
        f"typedef double double4 __attribute__((vector_size(32)));\n{S}{{ {FOURS} *(double4 *)&B[o] = 2.0 *"
        f" *(const double4 *)&A[o]; {REST} B[i] = 2.0 * A[i]; }}",
    ),
    "a lane too few": (
        DOUBLED,
        f"{VECTORS.replace('32', '16')}{S}{{ {FOURS} *(double4 *)&B[o] = 2.0 * *(const double4 *)&A[o];"
        f" {REST} B[i] = 2.0 * A[i]; }}",
    ),
    "what another iteration has left to a thread": (DOUBLED, OWN % ("i == 0 ? 0 : i - 1", "")),
    "what a thread has of its own, in another loop": (
        DOUBLED,
        OWN % ("i", f"#pragma omp for\n{LOOP} B[i] = 2.0 * p[i];\n"),
    ),
    "an inner iterator is one variable for all threads": (
        SQUARE,
        f"{SQUARES} {{ long i, j;\n#pragma omp parallel for\n{OUTER} B[i][j] = A[i][j]; }}",
    ),
    "an inner iterator is one variable for all lanes": (
        SQUARE,
        f"{SQUARES} {{ long i, j;\n#pragma omp simd\n{OUTER} B[i][j] = A[i][j]; }}",
    ),
    "an iterator around what is shared out is one variable for all threads": (
        SQUARE,
        f"{SQUARES} {{ long i, j;\n#pragma omp parallel\nfor (j = 0; j < M; j++) {{\n#pragma omp for\n"
        "for (i = 0; i < N; i++) B[i][j] = A[i][j]; } }",
    ),
    "a loop goes on where another one has been since": (
        DOUBLED,
        f"{S}{{ long i, r; for (i = 0; i < 3; i++) B[i] = 2.0 * A[i]; for (r = 0; r < 1; r++)"
        " for (i = 0; i < 1; i++) B[i] = 2.0 * A[i]; for (; i < N; i++) B[i] = A[i]; }",
    ),
    "a loop goes on twice where one has ended": (
        DOUBLED,
        f"{S}{{ long i; for (i = 0; i < 3; i++) B[i] = 2.0 * A[i]; for (long r = 0; r < 2; r++) for (; i < N; i++)"
        " B[i] = r == 1 ? 2.0 * A[i] : A[i]; }",
    ),
    "a function with a loop that writes what it reads": (
        DOUBLED,
        "static double f(long n, const double *a, double *b) { double s = 0; for (long k = 0; k < 1; k++)"
        f" {{ s += a[0]; b[0] = s; }} return s + s; }}\n{S}{{ {LOOP} B[i] = f(N, A + i, B + i); }}",
    ),
    "what a thread has of its own, by two names": (
        DOUBLED,
        f"{S}{{\n#pragma omp parallel\n{{ double p[2]; double *q = p;\n#pragma omp for\n"
        f"{LOOP} {{ p[0] = 2.0 * A[i]; q[0] = A[i]; B[i] = p[0]; }} }} }}",
    ),
    "what a thread has of its own, in lanes": (
        DOUBLED,
        f"{S}{{\n#pragma omp parallel\n{{ double p[2];\n#pragma omp for simd\n"
        f"{LOOP} {{ p[0] = 2.0 * A[i]; B[i] = p[0]; }} }} }}",
    ),
    "what one thread has of its own": (DOUBLED, OWN % ("i", "#pragma omp single\nB[0] = 2.0 * p[0];\n")),
    "each thread does it, round and round": (
        STEPS.replace("2.0 * X[t-1,N-1-i]", "X[t-1,i] + 1.0"),
        "void s(long N, long T, const double *A, double *B)\n{ for (long i = 0; i < N; i++) B[i] = A[i];\n"
        "#pragma omp parallel\n{ for (long t = 1; t <= T; t++) { B[0] = B[0] + 1.0;\n"
        "#pragma omp for nowait\nfor (long i = 1; i < N; i++) B[i] = B[i] + 1.0; } } }",
    ),
    "a status that is assigned": (
        DOUBLED,
        f"{S}{{ int failed = 0; failed = 1; if (failed == 0) {{ {TWICE} }} }}",
    ),
}

RIGHT = {
    "a lock": (
        SUMMED,
        f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp parallel for\n{ADDED} {{\n#pragma omp critical\nm[0] += A[k]; }}"
        " *B = m[0]; }",
    ),
    "atomic": (
        SUMMED,
        f"{S}{{ double m[1]; m[0] = 0;\n#pragma omp parallel for\n{ADDED} {{\n#pragma omp atomic\nm[0] += A[k]; }}"
        " *B = m[0]; }",
    ),
    "threads wait in a function": (STEPS, STEPPED % ""),
    "one thread writes, all wait": (
        DOUBLED,
        f"{S}{{ double t[1];\n#pragma omp parallel\n{{\n#pragma omp single\nt[0] = 2.0;\n#pragma omp for\n{LOOP}"
        " B[i] = A[i] * t[0]; } }",
    ),
    "private, and assigned": (
        DOUBLED,
        f"{S}{{ long i; double t;\n#pragma omp parallel for private(i, t)\nfor (i = 0; i < N; i++) {{ t = 2.0; B[i] ="
        " A[i] * t; } }",
    ),
    "the greatest long is the identity": (
        LEAST,
        f"void s(long N, const long *A, long *B) {{ long m = 9223372036854775807; {ADDED} m = A[k] < m ? A[k] : m;"
        " *B = m; }",
    ),
    "tiles that are larger than what was looked at": (
        DOUBLED,
        f"{S}{{ for (long o = 0; o < N; o += 64) for (long i = o; i < (o + 64 < N ? o + 64 : N);"
        " i++) B[i] = 2.0 * A[i]; }",
    ),
    "a sum is thrown away, and computed again": (
        SUMMED,
        f"{S}{{ double m = 0; for (long k = 1; k < N; k++) m += A[k]; m = 0; {ADDED} m += A[k]; *B = m; }}",
    ),
    "values are computed again, in order": (DOUBLED, f"{S}{{ {TWICE} {LOOP} {{ double y = 2.0 * A[i]; B[i] = y; }} }}"),
    "zero is written 00": (DOUBLED, f"{S}{{ for (long i = 00; i < N; i++) B[i] = 2.0 * A[i]; }}"),
    "one array under two names": (
        DOUBLED,
        "static void f(long N, double *x, const double *y) { for (long i = 0; i < N; i++) x[i] = 2.0 * y[i]; }\n"
        f"{S}{{ {LOOP} B[i] = A[i]; f(N, B, B); }}",
    ),
    "an accumulator of both loops": (
        TABLE,
        f"{TABLES} {{ double m = 0;\n#pragma omp parallel for reduction(+:m)\n{LOOP} {ADDED} m += A[i][k]; *B = m; }}",
    ),
    "four at a time": (
        DOUBLED,
        f"{VECTORS}{S}{{ {FOURS} *(double4 *)&B[o] = 2.0 * *(const double4 *)&A[o]; {REST} B[i] = 2.0 * A[i]; }}",
    ),
    "four at a time, through a local vector": (
        DOUBLED,
        f"{VECTORS}{S}{{ {FOURS} {{ double4 x[1]; x[0] = (double4){{0}} + 2.0; x[0] *= *(const double4 *)&A[o];"
        f" *(double4 *)&B[o] = x[0]; }} {REST} B[i] = 2.0 * A[i]; }}",
    ),
    "private iterators": (
        SQUARE,
        f"{SQUARES} {{ long i, j;\n#pragma omp parallel for private(j)\n{OUTER} B[i][j] = A[i][j]; }}",
    ),
    "a loop goes on where one has ended": (
        DOUBLED,
        f"{S}{{ long i; for (i = 0; i + 1 < N; i += 2) {{ B[i] = 2.0 * A[i]; B[i + 1] = 2.0 * A[i + 1]; }}"
        " for (; i < N; i++) B[i] = 2.0 * A[i]; }",
    ),
    "a loop goes on downwards": (
        DOUBLED,
        f"{S}{{ long i; for (i = N - 1; i > 2; i -= 2) {{ B[i] = 2.0 * A[i]; B[i - 1] = 2.0 * A[i - 1]; }}"
        " for (; i >= 0; i--) B[i] = 2.0 * A[i]; }",
    ),
    "a buffer of each thread": (DOUBLED, OWN % ("i", "")),
    "an external function": (CALLED, f"double f(double);\n{S}{{ {LOOP} B[i] = f(A[i]); }}"),
    "rows of one length by a conversion": (
        SQUARE,
        "void s(long N, long M, const double *A, double B[N][M]) { for (long i = 0; i < N; i++)"
        " for (long j = 0; j < M; j++) B[i][j] = ((const double (*)[M])A)[i][j]; }",
    ),
}


@cache
def program(text: str) -> Checked:
    return read_program(Source("s.ab", text))


def verdict(equations: str, text: str) -> CVerdict:
    return prove_c(program(equations), Source("s.c", text), ProofTask(executes=False))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    found = verdict(*WRONG[name])
    assert found.verdict == "undecided"
    assert found.findings


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_proved(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, found.findings
