"""What a text says of itself is not believed: names, helpers, and what a compiler sees in another way."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.execution.c_proof import CVerdict, Task, prove_c

HEAD = "affine s {N | N>=4}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
TWICE = f"{HEAD} B[i] = 2.0 * A[i];\n.\n"
COPIED = f"{HEAD} B[i] = A[i];\n.\n"
BEFORE = f"{HEAD} B[i] = case {{| i<1}} : A[0]; {{| i>=1}} : A[i-1]; esac;\n.\n"
POSITIVE = f"{HEAD} B[i] = max(A[i], 0.0);\n.\n"
S = "void s(long N, const double *A, double *B)"
LOOP = "for (long i = 0; i < N; i++)"
DOUBLED = f"{LOOP} B[i] = 2.0 * A[i];"
SHIFTED = f"{S} {{ B[0] = A[0]; for (long i = 1; i < N; i++) B[i] = A[floor_div(2 * i - 1, 2)]; }}"
FLOOR_DIV = "static long floor_div(long a, long b) { return a / b - (a % b < 0); }\n"
BY_HELPER = f"{S} {{ {LOOP} B[f(i)] = 2.0 * A[f(i)]; }}"
KEPT = f"{S} {{ double *t = get((const int64_t[]){{N}}); {LOOP} t[i] = A[i]; {LOOP} B[i] = 2.0 * t[i]; }}"
MADE = f"{S} {{ double *t = %s; {LOOP} {{ t[i] = 2.0 * A[i]; B[i] = t[i]; }} }}"

NAMES = {
    "a memcpy of the file's own": (
        COPIED,
        "static void memcpy(double *d, const double *s, long n) { d[0] = s[0]; }\n"
        f"{S} {{ memcpy(B, A, N * sizeof(double)); }}",
        "`memcpy` is something of this file",
    ),
    "a malloc of the file's own": (
        TWICE,
        f"static double buf[3];\nstatic void *malloc(unsigned long n) {{ return buf; }}\n"
        f"{MADE % 'malloc(N * sizeof(double))'}",
        "`malloc` is something of this file",
    ),
    "a printf of the file's own": (
        TWICE,
        "static void printf(const char *s, double *p) { p[0] = 7; }\nstatic void tell(double *p) { printf(\"\", p); }\n"
        f"{S} {{ {DOUBLED} tell(B); }}",
        "`printf` is something of this file",
    ),
    "an INT64_C of the file's own": (
        TWICE,
        f"static long INT64_C(long v) {{ return 5; }}\n"
        f"{S} {{ for (long i = INT64_C(0); i < N; i++) B[i] = 2.0 * A[i]; }}",
        "`INT64_C` is something of this file",
    ),
    "enumerators that are called as truth is": (
        POSITIVE,
        f"enum {{ true, false }};\n{S} {{ {LOOP} B[i] = A[i] > false ? A[i] : false; }}",
        "`true` is something of this file",
    ),
    "a type of the library's name": (
        TWICE,
        f"typedef unsigned char int64_t;\n{S} {{ for (int64_t i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
        "`int64_t` is something of this file",
    ),
    "a size that is short": (
        TWICE,
        f"typedef short size_t;\n{S} {{ for (size_t i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
        "`size_t` is something of this file",
    ),
}  # fmt: skip
HELPERS = {
    "parameters that have changed places": (
        BEFORE,
        FLOOR_DIV.replace("(long a, long b)", "(long b, long a)") + SHIFTED,
        "no positive constant",
    ),
    "parameters that are narrow": (BEFORE, FLOOR_DIV.replace("(long a", "(signed char a") + SHIFTED, "is no index"),
    "parameters without a sign": (BEFORE, FLOOR_DIV.replace("long a", "unsigned a") + SHIFTED, "not affine"),
    "a result that is narrow": (BEFORE, FLOOR_DIV.replace("static long", "static signed char") + SHIFTED, "no index"),
    "one argument": (TWICE, FLOOR_DIV + f"{S} {{ for (long i = 0; i < floor_div(N); i++) B[i] = 0; }}", "of arguments"),
    "an index of one bit": (TWICE, f"static _Bool f(long i) {{ return i; }}\n{BY_HELPER}", "returns no index"),
    "an index of a byte": (TWICE, f"static unsigned char f(long i) {{ return i; }}\n{BY_HELPER}", "returns no index"),
    "memory of eight bytes": (
        TWICE,
        f"#include <stdint.h>\nstatic double *get(const int64_t *e) {{ return malloc(8); }}\n{KEPT}",
        "what `t` points to",
    ),
    "memory that is not fresh": (
        TWICE,
        "#include <stdint.h>\nstatic double buf[9];\n"
        "static double *get(const int64_t *e) { free(malloc(1)); return buf; }\n"
        f"{KEPT}",
        "what `t` points to",
    ),
    "parameters behind the head": (
        TWICE,
        f"void s(N, A, B) long N; const double *A; double *B; {{ {DOUBLED} }}",
        "declared behind its head",
    ),
    "any number of arguments": (TWICE, f"{S[:-1]}, ...) {{ {DOUBLED} }}", "how many arguments"),
}  # fmt: skip
RIGHT = {
    "a quotient of the file's own": (BEFORE, FLOOR_DIV + SHIFTED),
    "a type of the file's own": (
        TWICE,
        f"typedef double real;\ntypedef real number;\n{S.replace('double', 'number')} {{ {DOUBLED} }}",
    ),
    "a type of the library, as it is": (
        TWICE,
        f"typedef long int64_t;\n{S} {{ for (int64_t i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
    ),
    "an index through a function": (TWICE, f"static long f(long i) {{ return i; }}\n{BY_HELPER}"),
    "a prototype of a library's function": (COPIED, f"double sqrt(double);\n{S} {{ {LOOP} B[i] = A[i]; }}"),
}


WRONG = NAMES | HELPERS


def asked(program: str, text: str) -> CVerdict:
    return prove_c(read_program(Source("s.ab", program)), Source("s.c", text), Task(executes=False))


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_is_not_believed(case: tuple[str, str, str]) -> None:
    program, text, said = case
    found = asked(program, text)
    assert found.verdict == "undecided"
    assert any(said in each.message for each in found.findings), [each.message for each in found.findings]


@pytest.mark.parametrize("case", RIGHT.values(), ids=RIGHT)
def test_is_proved(case: tuple[str, str]) -> None:
    found = asked(*case)
    assert found.is_proved, found.findings
