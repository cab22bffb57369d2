"""Wrong C that reads like right C: a compiler sees the difference, and the reader has to see it as well."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.proof import ProofTask, prove_c
from tests.equivalence.asking import asked

S = "void s(long N, const double *A, double *B)"
RESULT = "void s(long N, const double *A, double *r)"
LOOP = "for (long i = 0; i < N; i++)"
DOUBLED = f"{LOOP} B[i] = 2.0 * A[i];"


def program(equations: str, input_: str = "double", output: str = "double", more: str = "", size: str = "N") -> str:
    declared = f"input\n {input_} A {{i | 0<=i<{size}}};\noutput\n {output} B {{i | 0<=i<{size}}};\n {more}\n"
    return f"affine s {{N | N>=4}}\n{declared}let\n {equations};\n.\n"


TWICE = program("B[i] = 2.0 * A[i]")
COPIED = program("B[i] = A[i]")
LARGE = program("B[i] = 4294967296.0 * A[i]")
FOUR = program("B[i] = A[i]", size="4")
SUM = TWICE.replace("B {i | 0<=i<N}", "r").replace("B[i] = 2.0 * A[i]", "r = reduce(+, [i], A[i])")
BOTH = program("B[i] = 2 * A[i]; C[i] = min(B[i], 100)", "int", "int", "int C {i | 0<=i<N};")
FLAT = (
    "affine s {N,M | N>=1 && M>=1}\ninput\n double A {i,j | 0<=i<N && 0<=j<M};\n"
    "output\n double B {i,j | 0<=i<N && 0<=j<M};\nlet\n B[i,j] = 2.0 * A[i,j];\n.\n"
)
FIRST = "enum { T = 2 };\n"
HELD = f"{S} {{ double *t = %smalloc(N * sizeof(double)); {LOOP} t[i] = 2.0 * A[i]; %s }}"
LOCKED = f"{RESULT} {{ *r = 0;\n#pragma omp parallel for\n{LOOP} {{\n%s\nf(r, A[i]);\n}} }}"
INSIDE = f"{S} {{ {LOOP}\n B[i] = %s * A[i]; }}"
BY_CALL = f"static void f(long N, const double *A, double *B) {{\n%s }}\n{S} {{\n#pragma omp parallel\n{{\n%s }} }}"
ADDS = "static void f(double *r, double x) {\n#pragma omp critical%s\n*r += x; }\n"
SIGNED = "void s(int N, const double *A, double *B) { for (int i = 0; i < N; i++) %s }"
INTS = "typedef int v4 __attribute__((vector_size(16), may_alias, aligned(sizeof(int))));\n"

SCOPES = {
    "an enumeration in a cast": (
        TWICE,
        f"{FIRST}{S} {{ (enum {{ T = 3 }})0; {LOOP} B[i] = T * A[i]; }}",
        "enumeration",
    ),
    "an enumeration of a prototype": (
        TWICE,
        f"enum {{ T = 3 }};\nvoid f(enum {{ T = 2 }} x);\n{INSIDE % 'T'}",
        "an enumeration inside another declaration is not supported",
    ),
    "an enumeration that is returned": (
        TWICE,
        f"{FIRST}{S} {{ enum {{ T = 3 }} f(void); {LOOP} B[i] = T * A[i]; }}",
        "an enumeration inside another declaration is not supported",
    ),
    "a cast that computes": (
        TWICE,
        f"{S} {{ double t = 2.0; (double (*)[(long)(t += 1)])A; {LOOP} B[i] = t * A[i]; }}",
        "this statement is not supported",
    ),
    "fresh memory of another type": (
        TWICE,
        HELD % ("(float *)", f"{LOOP} B[i] = t[i]; free(t);"),
        "allocated memory is converted to another type",
    ),
    "a macro of a name that was taken before": (
        program("B[i] = [N] * A[i]"),
        "static const long N = 5;\nstatic double f(double x) { return N * x; }\n#define N 1024\n"
        f"void s(const double *A, double *B) {{ {LOOP} B[i] = f(A[i]); }}",
        "nothing has been written",
    ),
    "a function that may be a macro": (
        TWICE,
        "#include <math.h>\nstatic double (isgreater)(double x, double y) { return 2.0 * x; }\n"
        + INSIDE.replace("%s * A[i]", "isgreater(A[i], 0.0)"),
        "its name is in parentheses, so a header may define a macro of that name",
    ),
    "a prototype in a function": (
        program("B[i] = sqrt(A[i])").replace("affine", "double sqrt(double);\naffine"),
        f"{S} {{ float sqrt(float); {LOOP} B[i] = sqrt(A[i]); }}",
        "function declarations inside a function are not supported",
    ),
    "a pointer that is called as functions are": (
        program("B[i] = sqrt(A[i])").replace("affine", "double sqrt(double);\naffine"),
        f"static double g(double x) {{ return x; }}\nstatic double (*sqrt)(double) = g;\n"
        f"{S} {{ {LOOP} B[i] = sqrt(A[i]); }}",
        "is not defined",
    ),
    "a function for clauses": (
        TWICE,
        "static double *p;\nstatic int omp_get_max_threads(void) { p[0] = 7; return 1; }\n"
        f"{S} {{ p = B; {DOUBLED}\n#pragma omp parallel for num_threads(omp_get_max_threads())\n{LOOP} B[i] = B[i]; }}",
        "this file redefines the library name",
    ),
    "a clause that divides": (
        TWICE,
        f"{S} {{\n#pragma omp parallel for num_threads(4 / (N - 5))\n{DOUBLED} }}",
        "clause",
    ),
    "functions by the types of arguments": (TWICE, f"#include <tgmath.h>\n{INSIDE % '2.0'}", "tgmath.h"),
    "a number of the options": (
        TWICE,
        f"#define K 1\n{INSIDE % '(K + __NO_INLINE__)'}",
        "depends on compiler options",
    ),
    "a number of the standard": (
        TWICE,
        "#if __STDC_VERSION__ > 199901L\n#define T 2.0\n#else\n#define T 3.0\n#endif\n"
        f"{S} {{\n#if __STDC_VERSION__ > 199901L\n{DOUBLED}\n#endif\n}}",
        "depends on the standard",
    ),
    "a word of OpenMP directives": (
        TWICE,
        f"#define shared private\n{S} {{ double t = 2.0;\n#pragma omp parallel for shared(t)\n"
        f"{LOOP} B[i] = t * A[i]; }}",
        "a word of OpenMP directives",
    ),
    "a limit of helpers": (
        TWICE,
        f"typedef long int64_t;\nstatic const int64_t INT64_MAX = 100;\n{INSIDE % '2.0'}",
        "this file redefines the library name",
    ),
    "a line that ends for some": (TWICE, f"{S} {{ {LOOP} B[i] = 3.0 * A[i]; // \r{DOUBLED}\n }}", "carriage return"),
    "vectors of a type that is another": (
        program("B[i] = 2 * A[i]", "float", "float", size="2"),
        "#define double float\n"
        + INTS.replace("int", "double")
        + "void s(long N, const float *A, float *B) { *(v4 *)&B[0] = 2 * *(v4 *)&A[0]; }",
        "cannot parse this C",
    ),
}
TYPES = {
    "a limit of what was cut off": (
        program("B[i] = min(A[i], 100)", "long", "int"),
        f"void s(long N, const long *A, int *B) {{ {LOOP} {{ int e = A[i]; if (e > 100) e = 100; B[i] = e; }} }}",
        "differs from its value in the equations",
    ),
    "a limit of what was there before": (
        BOTH,
        "void s(long N, const int *A, int *B, int *C)"
        f" {{ {LOOP} {{ B[i] = A[i]; int e = B[i]; B[i] = 2 * A[i]; if (e > 100) e = 100; C[i] = e; }} }}",
        "differs from its value in the equations",
    ),
    "a second iterator that wraps around": (
        TWICE,
        f"{S} {{ long i; unsigned j;"
        " for (i = 0, j = 2; i < N; i++, j--) if (j > 5) B[i] = 7; else B[i] = 2.0 * A[i]; }",
        "one integer iterator",
    ),
    "elements that a char counts": (
        FLAT,
        "void s(long N, long M, const double *A, double *B)"
        " { for (unsigned char i = 0; i < N * M; i++) B[i] = 2.0 * A[i]; }",
        "one integer iterator",
    ),
    "elements of a product that wraps around": (
        FLAT,
        "void s(unsigned N, unsigned M, const double *A, double *B)"
        " { for (unsigned long i = 0; i < N * M; i++) B[i] = 2.0 * A[i]; }",
        "this product of unsigned numbers may wrap around",
    ),
    "downwards without an end": (
        TWICE,
        f"{S} {{ for (unsigned long i = N; --i >= 0;) B[i] = 2.0 * A[i]; }}",
        "is modified outside the loop head",
    ),
    "a product of constants": (LARGE, INSIDE % "65536 * 65536", "differs from its value in the equations"),
    "a shift out of its type": (
        COPIED,
        SIGNED % "B[i + (i >> 32)] = A[i];",
        "the shift count exceeds the width of the type",
    ),
    "the least number, turned": (
        program("B[i] = 2147483648.0 * A[i]"),
        INSIDE % "-(-2147483647 - 1)",
        "differs from its value in the equations",
    ),
    "a counter that is multiplied": (
        program("B[i] = [i] * A[i]", "int", "long"),
        f"void s(long N, const int *A, long *B) {{ int k = 0; {LOOP} {{ B[i] = k * A[i]; k++; }} }}",
        "not proved",
    ),
    "a second iterator that is multiplied": (
        program("B[i] = [N-i] * A[i]", "int", "long"),
        "void s(long N, const int *A, long *B) { for (int i = 0, j = N; i < N; i++, j--) B[i] = j * A[i]; }",
        "not proved",
    ),
    "a constant that is cut off": (
        LARGE,
        f"{S} {{ int k = 4294967296; {LOOP} B[i] = k * A[i]; }}",
        "differs from its value in the equations",
    ),
    "a constant that a function cuts off": (
        LARGE,
        f"static int f(long x) {{ return x; }}\n{S} {{ long k = f(4294967296); {LOOP} B[i] = k * A[i]; }}",
        "differs from its value in the equations",
    ),
    "a constant that is cut off when it is passed": (
        LARGE,
        f"static void f(int k, long N, const double *A, double *B) {{ {LOOP} B[i] = k * A[i]; }}\n"
        f"{S} {{ f(4294967296, N, A, B); }}",
        "differs from its value in the equations",
    ),
    "a start that is cut off": (
        FOUR,
        "void s(long N, const double *A, double *B)"
        " { for (int i = 4294967296; i < 4294967300; i++) B[i - 4294967296] = A[i - 4294967296]; }",
        "does not fit into type int",
    ),
    "an unsigned choice": (
        COPIED,
        SIGNED % "B[(long)(i < 3 ? i - 3 : 0u) + (i < 3 ? 3 : i)] = A[i];",
        "wraps around below 0",
    ),
    "a float that is rounded twice": (
        program("B[i] = A[i]", "float", "float"),
        INSIDE.replace("double", "float") % "1.000000059604644775390626f",
        "differs from its value in the equations",
    ),
    "truth of lanes": (
        program("B[i] = A[i] < 5", "int", "int", size="4"),
        f"{INTS}void s(long N, const int *A, int *B) {{ *(v4 *)&B[0] = *(v4 *)&A[0] < *(v4 *)&A[0] + 5; }}",
        "comparisons of vectors",
    ),
    "elements of another type": (
        TWICE,
        f"{S} {{ double *q = B; for (const float *p = A; p < A + N; p++) *q++ = 2.0 * *p; }}",
        "a pointer is converted to another element type",
    ),
    "an output by value": (
        SUM,
        f"void s(long N, const double *A, double r) {{ r = 0; {LOOP} r += A[i]; }}",
        "passed by value",
    ),
}
OBJECTS = {
    "a pointer that is assigned": (
        FOUR,
        "void s(long N, double A[4], double B[4]) { B = A; }",
        "is reassigned other than by one step",
    ),
    "a pointer that is assigned by its address": (
        FOUR,
        "void s(long N, double A[4], double B[4]) { *(&B) = A; }",
        "the address of a pointer",
    ),
    "a constant that is written": (
        TWICE,
        f"{S} {{ const double w[1] = {{1.0}}; ((double *)w)[0] = 2.0; {LOOP} B[i] = w[0] * A[i]; }}",
        "assignment to constant",
    ),
    "a constant number that is written": (
        TWICE,
        f"{S} {{ const double w = 1.0; *(double *)&w = 2.0; {LOOP} B[i] = w * A[i]; }}",
        "assignment to constant",
    ),
    "a private pointer": (
        TWICE,
        f"{S} {{ double *t = malloc(2 * sizeof(double));\n#pragma omp parallel for private(t)\n"
        f"{LOOP} {{ t[0] = A[i]; B[i] = 2.0 * t[0]; }} free(t); }}",
        "`private(t)` is not supported: expected a scalar or a whole array",
    ),
    "a private size": (TWICE, f"{S} {{\n#pragma omp parallel for private(N)\n{DOUBLED} }}", "which is private"),
    "a copy of what another function changes": (
        TWICE,
        f"static double g;\nstatic void f(double x) {{ g = x; }}\n{S} {{ f(1.0);\n"
        "#pragma omp parallel firstprivate(g)\n{\n#pragma omp single\nf(2.0);\n"
        f"#pragma omp for\n{LOOP} B[i] = g * A[i]; }} }}",
        "`firstprivate(g)` is supported only for variables that never change",
    ),
    "a sum by another name": (
        SUM,
        f"{RESULT} {{ double t = 0; double *p = &t;\n"
        f"#pragma omp parallel for reduction(+:t)\n{LOOP} *p += A[i]; *r = t; }}",
        "is private to each thread in the reduction",
    ),
    "a sum of the file": (
        SUM,
        f"static double t;\nstatic void f(double x) {{ t += x; }}\n{RESULT} {{ t = 0;\n"
        f"#pragma omp parallel for reduction(+:t)\n{LOOP} f(A[i]); *r = t; }}",
        "is private to each thread in the reduction",
    ),
    "memory that all threads release": (
        TWICE,
        HELD % ("", f"{LOOP} B[i] = t[i];\n#pragma omp parallel\n {{ free(t); }}"),
        "released by other threads",
    ),
    "memory that is released beside its use": (
        TWICE,
        HELD % ("", f"\n#pragma omp parallel sections\n{{\n{LOOP} B[i] = t[i];\n#pragma omp section\nfree(t);\n}}"),
        "released by other threads",
    ),
    "a format by numbers": (TWICE, f'{S} {{ {DOUBLED} printf("\\x25n"); }}', "call of `printf`"),
    "a lock in itself": (SUM, ADDS % "" + LOCKED % "#pragma omp critical", "omp critical"),
    "a lock in another one": (SUM, ADDS % "(a)" + LOCKED % "#pragma omp critical(b)", "omp critical"),
    "work that is shared out in a lock": (
        TWICE,
        BY_CALL % (f"#pragma omp for\n{DOUBLED}", "#pragma omp critical\nf(N, A, B);"),
        "omp critical",
    ),
    "sections in a lock": (
        TWICE,
        BY_CALL % (f"#pragma omp sections\n{{ {DOUBLED} }}", "#pragma omp critical\nf(N, A, B);"),
        "is not supported",
    ),
    "a barrier in a lock": (
        TWICE,
        BY_CALL % ("#pragma omp barrier\n", f"#pragma omp critical\nf(N, A, B);\n#pragma omp for\n{DOUBLED}"),
        "the other threads never reach it",
    ),
}
RIGHT = {
    "enumerations": (TWICE, f"enum {{ ONE = 1, T }};\ntypedef enum {{ THREE = T + 1 }} three;\n{INSIDE % 'T'}"),
    "a cast of what is not used": (TWICE, f"{S} {{ (void)N; {DOUBLED} }}"),
    "fresh memory of its type": (TWICE, HELD % ("(double *)", f"{LOOP} B[i] = t[i]; free(t);")),
    "a limit": (
        TWICE,
        f"{S} {{ for (long t = 0; t < N; t += 8) {{ long e = t + 8; if (e > N) e = N;"
        " for (long i = t; i < e; i++) B[i] = 2.0 * A[i]; } }",
    ),
    "a limit of data": (
        program("B[i] = min(A[i], 100)", "int", "int"),
        f"void s(long N, const int *A, int *B) {{ {LOOP} {{ int e = A[i]; if (e > 100) e = 100; B[i] = e; }} }}",
    ),
    "two iterators": (TWICE, f"{S} {{ long i, j; for (i = 0, j = N; i < N; i++, j--) B[j - 1] = 2.0 * A[j - 1]; }}"),
    "elements that an int counts": (
        FLAT,
        "void s(int N, int M, const double *A, double *B) { for (int i = 0; i < N * M; i++) B[i] = 2.0 * A[i]; }",
    ),
    "downwards": (TWICE, f"{S} {{ for (long i = N; --i >= 0;) B[i] = 2.0 * A[i]; }}"),
    "a choice in a choice": (
        COPIED,
        f"{S} {{ {LOOP} B[i] = A[i % 3 < 0 ? 0 : i % 3 >= N ? N - 1 : i]; }}",
    ),
    "a choice of what is passed": (
        COPIED,
        f"static long g(unsigned long x) {{ return x >= 1 ? x : 1; }}\n"
        f"{S} {{ {LOOP} B[i] = A[g(i & 7) < 0 ? 0 : i]; }}",
    ),
    "a counter": (TWICE, f"{S} {{ int k = 0; {LOOP} {{ B[k] = 2.0 * A[k]; k++; }} }}"),
    "a sum through a function": (
        SUM,
        f"static void f(double *t, double x) {{ *t += x; }}\n{RESULT} {{ double t = 0;\n"
        f"#pragma omp parallel for reduction(+:t)\n{LOOP} f(&t, A[i]); *r = t; }}",
    ),
    "a constant array": (TWICE, f"{S} {{ static const double w[2] = {{1.0, 2.0}}; {LOOP} B[i] = w[1] * A[i]; }}"),
    "memory of each thread": (
        TWICE,
        f"{S} {{\n#pragma omp parallel for\n{LOOP} {{ double *t = malloc(sizeof(double)); *t = A[i];"
        " B[i] = 2.0 * *t; free(t); } }",
    ),
    "pointers in the head": (
        TWICE,
        f"{S} {{ double *q = B; for (const double *p = A; p < A + N; p++) *q++ = 2.0 * *p; }}",
    ),
    "a condition of the standard": (
        TWICE,
        "#if __STDC_VERSION__ < 199901L\n#define inline\n#endif\n"
        f"static inline double f(double x) {{ return 2.0 * x; }}\n{S} {{ {LOOP} B[i] = f(A[i]); }}",
    ),
    "a lane and a number": (
        program("B[i] = A[i] + 5", "int", "int", size="4"),
        f"{INTS}void s(long N, const int *A, int *B) {{ *(v4 *)&B[0] = *(v4 *)&A[0] + 5; }}",
    ),
}  # fmt: skip
WRONG = SCOPES | TYPES | OBJECTS


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_is_not_proved(case: tuple[str, str, str]) -> None:
    program_, text, said = case
    found = asked(program_, text)
    assert found.verdict == "undecided"
    assert any(said in finding.message for finding in found.findings), [finding.message for finding in found.findings]


@pytest.mark.parametrize("case", RIGHT.values(), ids=RIGHT)
def test_is_proved(case: tuple[str, str]) -> None:
    found = asked(*case)
    assert found.is_proved, found.findings


def test_truths_that_are_wrong_are_refuted() -> None:
    text = f"void s(long N, const _Bool *A, _Bool *B) {{ {LOOP} B[i] = !A[0]; }}"
    found = prove_c(
        read_program(Source("s.ab", program("B[i] = A[i]", "bool", "bool"))), Source("s.c", text), ProofTask()
    )
    assert found.verdict == "refuted"
