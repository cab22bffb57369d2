"""What a text says of itself is not believed: names, helpers, and what a compiler sees in another way."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.codegen.c.helpers import helper_texts
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.equivalence.driver.proof import ProofTask, prove_c
from tests.equivalence.asking import asked

pytestmark = pytest.mark.slow

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
        "this file redefines the library name",
    ),
    "a malloc of the file's own": (
        TWICE,
        f"static double buf[3];\nstatic void *malloc(unsigned long n) {{ return buf; }}\n"
        f"{MADE % 'malloc(N * sizeof(double))'}",
        "this file redefines the library name",
    ),
    "a printf of the file's own": (
        TWICE,
        "static void printf(const char *s, double *p) { p[0] = 7; }\nstatic void tell(double *p) { printf(\"\", p); }\n"
        f"{S} {{ {DOUBLED} tell(B); }}",
        "this file redefines the library name",
    ),
    "an INT64_C of the file's own": (
        TWICE,
        f"static long INT64_C(long v) {{ return 5; }}\n"
        f"{S} {{ for (long i = INT64_C(0); i < N; i++) B[i] = 2.0 * A[i]; }}",
        "this file redefines the library name",
    ),
    "enumerators that are called as truth is": (
        POSITIVE,
        f"enum {{ true, false }};\n{S} {{ {LOOP} B[i] = A[i] > false ? A[i] : false; }}",
        "this file redefines the library name",
    ),
    "a type of the library's name": (
        TWICE,
        f"typedef unsigned char int64_t;\n{S} {{ for (int64_t i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
        "this file redefines the library name",
    ),
    "a size that is short": (
        TWICE,
        f"typedef short size_t;\n{S} {{ for (size_t i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}",
        "this file redefines the library name",
    ),
}  # fmt: skip
HELPERS = {
    "parameters that have changed places": (
        BEFORE,
        FLOOR_DIV.replace("(long a, long b)", "(long b, long a)") + SHIFTED,
        "the divisor is not a positive constant",
    ),
    "parameters that are narrow": (BEFORE, FLOOR_DIV.replace("(long a", "(signed char a") + SHIFTED, "not an integer"),
    "parameters without a sign": (BEFORE, FLOOR_DIV.replace("long a", "unsigned a") + SHIFTED, "not affine"),
    "a result that is narrow": (BEFORE, FLOOR_DIV.replace("static long", "static signed char") + SHIFTED, "an integer"),
    "one argument": (TWICE, FLOOR_DIV + f"{S} {{ for (long i = 0; i < floor_div(N); i++) B[i] = 0; }}", "of arguments"),
    "an index of one bit": (TWICE, f"static _Bool f(long i) {{ return i; }}\n{BY_HELPER}", "an integer index"),
    "an index of a byte": (TWICE, f"static unsigned char f(long i) {{ return i; }}\n{BY_HELPER}", "an integer index"),
    "memory of eight bytes": (
        TWICE,
        f"#include <stdint.h>\nstatic double *get(const int64_t *e) {{ return malloc(8); }}\n{KEPT}",
        "cannot tell which array",
    ),
    "memory that is not fresh": (
        TWICE,
        "#include <stdint.h>\nstatic double buf[9];\n"
        "static double *get(const int64_t *e) { free(malloc(1)); return buf; }\n"
        f"{KEPT}",
        "cannot tell which array",
    ),
    "parameters behind the head": (
        TWICE,
        f"void s(N, A, B) long N; const double *A; double *B; {{ {DOUBLED} }}",
        "old-style (K&R) parameter declarations",
    ),
    "any number of arguments": (TWICE, f"{S[:-1]}, ...) {{ {DOUBLED} }}", "variable arguments"),
}  # fmt: skip
SIZED = "#define N 1024\n"
MACRO = "void s(const double *A, double *B)"
TEXTS = {
    "a comment that goes on, for some": (
        TWICE,
        f"{S} {{ {LOOP} {{\n// saved under C:\\ \n  B[i] = 2.0 * A[i];\n}} }}",
        "at the end of a line",
    ),
    "a quote in what is left out": (
        TWICE,
        f'{S} {{ {DOUBLED}\n#if 0\n" /*\n#endif\n B[0] = 7;\n#if 0\n*/\n#endif\n}}',
        "a quote that is not closed on its line",
    ),
    "a condition of two lines": (
        TWICE,
        f"{SIZED}{MACRO} {{\n#if 1 \\\n && N > 100\n double s = 3.0;\n#else\n double s = 2.0;\n#endif\n"
        f"{LOOP} B[i] = s * A[i]; }}",
        "is read and nothing has been written",
    ),
    "names that are glued by other characters": (
        TWICE,
        f"{SIZED}#define C2(a, b) a%:%:b\n#define C(a, b) C2(a, b)\n"
        f"{MACRO} {{ double s1024 = 3.0, sN = 2.0; {LOOP} B[i] = C(s, N) * A[i]; }}",
        "a digraph or trigraph",
    ),
    "a comment that begins across lines": (
        TWICE,
        f"{S} {{ {DOUBLED}\n/\\\n/ /*\nB[0] = 7; /* */\n}}",
        "line break inside the start or end of a comment",
    ),
    "a limit that a header has": (
        TWICE,
        f"#include <limits.h>\n{S} {{\n#if CHAR_BIT == 8\n{LOOP} B[i] = 3.0 * A[i];\n#else\n{DOUBLED}\n#endif\n}}",
        "depends on definitions of a header",
    ),
    "a macro that a header has": (
        TWICE,
        f"#include <limits.h>\n#ifdef INT_MAX\n#define F 3.0\n#else\n#define F 2.0\n#endif\n"
        f"{S} {{ {LOOP} B[i] = F * A[i]; }}",
        "depends on definitions of a header",
    ),
    "a number that a header has, too": (
        TWICE,
        f"#define M_PI 2.0\n#include <math.h>\n{S} {{ {LOOP} B[i] = M_PI * A[i]; }}",
        "is also a macro of a header",
    ),
    "a macro of the compiler's options": (
        TWICE,
        f"{S} {{\n#ifdef __OPTIMIZE__\n double s = 3.0;\n#else\n double s = 2.0;\n#endif\n{LOOP} B[i] = s * A[i]; }}",
        "depends on compiler options",
    ),
    "a macro of the options by another name": (
        TWICE,
        f"#define FAST __FAST_MATH__\n{S} {{\n double s = 2.0;\n#if FAST\n s = 3.0;\n#endif\n"
        f"{LOOP} B[i] = s * A[i]; }}",
        "depends on compiler options",
    ),
    "a header that may be there": (
        TWICE,
        f'{S} {{ {DOUBLED}\n#if __has_include("s.h")\n B[0] = 7;\n#endif\n}}',
        "depends on compiler options",
    ),
    "lines of another file": (
        TWICE,
        f'#define TWO 2.0\n{S} {{ {LOOP} B[i] = TWO * A[i];\n#line 1 "other"\n B[0] = 7;\n#line 9 "kernel"\n}}',
        "a partly preprocessed text (with",
    ),
    "another text without OpenMP": (
        TWICE,
        f"{S} {{\n#ifndef _OPENMP\n double s = 3.0;\n#else\n double s = 2.0;\n#endif\n{LOOP} B[i] = s * A[i]; }}",
        "depends on OpenMP",
    ),
    "a macro that is called as truth is": (
        POSITIVE,
        f"#define false 1\n{S} {{ {LOOP} B[i] = A[i] > false ? A[i] : 0.0; }}",
        "a redefinition of the library name",
    ),
}
TELL = "static void tell(double *p) {{ {} }}\n"
BUMP = "static int bump(double *p) { p[0] = 7; return 1; }\n"
PADDED = f"{HEAD.replace('N>=4', 'N>=1')} B[i] = 2.0 * A[i];\n.\n"
GIVEN_UP = (
    "int s(long N, const double *A, double *B) {{ {} " + DOUBLED.replace("{", "{{").replace("}", "}}") + " return 0; }}"
)
EFFECTS = {
    "a call in a clause": (
        TWICE,
        f"{BUMP}{S} {{ {DOUBLED}\n#pragma omp parallel for num_threads(bump(B))\n{LOOP} B[i] = B[i]; }}",
        "num_threads(bump(B))",
    ),
    "a call in a hint": (
        TWICE,
        f"{BUMP}{S} {{ {DOUBLED} __builtin_prefetch(A, bump(B)); }}",
        "cannot interpret the call of",
    ),
    "a hint that reads": (
        TWICE,
        f"{S} {{ {DOUBLED} __builtin_prefetch((void *)(long)B[N]); }}",
        "cannot interpret the call of",
    ),
    "what never ends": (
        TWICE,
        f"{TELL.format('for (;;);')}{S} {{ {DOUBLED} tell(B); }}",
        "loop must initialise one integer iterator in its head",
    ),
    "a format that writes": (
        TWICE,
        TELL.format('printf("ab%n", p);') + f"{S} {{ {DOUBLED} tell(B); }}",
        "cannot interpret the call of",
    ),
    "what reads far away": (
        TWICE,
        TELL.format('printf("%g", p[1000000]);') + f"{S} {{ {DOUBLED} tell(B); }}",
        "cannot interpret the call of",
    ),
    "a text that is none": (
        TWICE,
        TELL.format('printf("%s", p);') + f"{S} {{ {DOUBLED} tell(B); }}",
        "cannot interpret the call of",
    ),
    "too few numbers": (
        TWICE,
        TELL.format('printf("%g %g", 1.0);') + f"{S} {{ {DOUBLED} tell(B); }}",
        "cannot interpret the call of",
    ),
    "an array that is alone in two ways": (
        TWICE,
        f"{S} {{ double *restrict p = B; double *restrict q = B; {LOOP} {{ p[i] = A[i]; q[i] = 2.0 * p[i]; }} }}",
        "cannot show that no other name accesses the target of",
    ),
    "a status that depends on data": (
        TWICE,
        GIVEN_UP.format("if (A[0] < 0) return 1;"),
        "the condition of this early return must be affine",
    ),
    "a status of a function with loops": (
        TWICE,
        "static int bad(long n) { long v = 1; for (int k = 0; k < 2; k++) v *= 2; return v > 3; }\n"
        + GIVEN_UP.format("if (bad(N)) return 1;"),
        "`bad` must consist of a single `return` to be used in an index",
    ),
    "a status of sizes that there are": (
        TWICE,
        "static _Bool big(long n) { return n > 1000; }\n" + GIVEN_UP.format("if (N < 1 || big(N)) return 1;"),
        "not proved",
    ),
    "bytes that are never counted": (
        TWICE,
        "#include <stdint.h>\n"
        + "".join(helper_texts(["bytes_of"])).replace("return bytes", "return -1")
        + GIVEN_UP.format("if (bytes_of(sizeof(*A), 1, (const int64_t[]){{N}}) < 0) return 2;"),
        "the condition of this early return must be affine",
    ),
    "what the caller holds is released": (
        TWICE,
        f"int {S[5:]} {{ {DOUBLED} if (N > 9) {{ free(B); return 1; }} return 0; }}",
        "cannot release this",
    ),
}
SIZES = {
    "less than nothing is copied": (
        PADDED,
        f"{S} {{ memcpy(B, A, (N - 3) * sizeof(double)); {DOUBLED} }}",
        "no unsigned number wraps around below 0",
    ),
    "less than nothing is cleared": (
        PADDED,
        f"{S} {{ memset(B, 0, (N - 3) * sizeof(double)); {DOUBLED} }}",
        "no unsigned number wraps around below 0",
    ),
    "memory that lies nowhere": (
        TWICE,
        f"{S} {{ double *t = aligned_alloc(3, N * sizeof(double)); {LOOP} t[i] = A[i]; {LOOP} B[i] = 2.0 * t[i]; }}",
        "is not a supported allocation (expected",
    ),
    "an array without elements": (
        PADDED,
        f"{S} {{ double t[N - 3]; {DOUBLED} }}",
        "this array may have size 0 for some parameters",
    ),
    "a product of 32 bits": (
        TWICE,
        "void s(unsigned N, const double *A, double *B)"
        " { for (unsigned i = 0; i < N; i++) B[i * 65536u / 65536u] = 2.0 * A[i]; }",
        "may wrap around at 2^32",
    ),
    "a product of 64 bits": (
        TWICE,
        f"#define T 4294967296ul\n{S} {{ for (unsigned long i = 0; i < N; i++) B[i * T * T / T / T] = 2.0 * A[i]; }}",
        "this product of unsigned numbers may wrap around",
    ),
    "a shift of 32 bits": (
        TWICE,
        "void s(unsigned N, const double *A, double *B)"
        " { for (unsigned i = 0; i < N; i++) B[(i << 4) >> 4] = 2.0 * A[i]; }",
        "may wrap around at 2^32",
    ),
    "a sum of 32 bits": (
        # At N=999 it is less than N.
        TWICE,
        "void s(unsigned N, const double *A, double *B) { for (unsigned i = 0; i < N; i++)"
        " if (i + N + 4294966000u < N && N < 1000) B[i] = 0.0; else B[i] = 2.0 * A[i]; }",
        "this sum of unsigned numbers may wrap around",
    ),
    "a sum of 64 bits": (
        # And where i is not below 498.
        TWICE,
        "void s(unsigned long N, const double *A, double *B) { for (unsigned long i = 0; i < N; i++)"
        " if (i + 9223372036854775807l + 9223372036854775309l < N && N < 1000) B[i] = 0.0; else B[i] = 2.0 * A[i]; }",
        "differs from its value in the equations",
    ),
    "a conversion to 32 bits": (TWICE, f"{S} {{ {LOOP} B[(int)i] = 2.0 * A[i]; }}", "conversion to 32 bits"),
}
TRIANGLE = (
    "affine s {N | N>=1}\ninput\n double A {i,j | 0<=j<=i<N};\noutput\n double B {i,j | 0<=j<=i<N};\n"
    "let\n B[i,j] = 2.0 * A[i,j];\n.\n"
)
ROWS = (
    "void s(long N, %sdouble A[N][N], double B[N][N]) { for (long i = 0; i < N; i++) for (long j = 0; j %s; j++) %s }"
)
DESTROYED = {
    "nothing": (TRIANGLE, ROWS % ("const ", "<= i", "B[i][j] = 2.0 * A[i][j];"), ()),
    "an input": (
        TRIANGLE,
        ROWS % ("", "<= i", "{ B[i][j] = 2.0 * A[i][j]; A[i][j] = 0.0; }"),
        ("nobody needs `A` afterwards: it is overwritten (line 1)",),
    ),
    "what lies beyond": (
        TRIANGLE,
        ROWS % ("const ", "< N", "B[i][j] = j <= i ? 2.0 * A[i][j] : 0.0;"),
        ("nobody needs what lies in `B` beyond the domain of `B`: it may be overwritten (line 1)",),
    ),
}
HEADERS = {
    "a function": "static double fmax(double a, double b) { return a + b; }",
    "a macro": "#define fmax(a, b) ((a) + (b))",
    "statements": "B[0] = 7;",
    "a function behind another header": '#include "more.h"\n',
    "itself": '#include "own.h"\n',
}
PROTOTYPE = """#ifndef OWN_H
#define OWN_H
#include <stdint.h>
void s(long N, const double *A, double *B);
#endif
"""
RIGHT = {
    "a status of sizes that there are not": (
        TWICE,
        "#include <stdint.h>\n#include <stdbool.h>\n"
        + "".join(helper_texts(["bytes_of", "too_large"]))
        + GIVEN_UP.format(
            "if (too_large(N)) return 2; if (N < 1) return 1;"
            " if (bytes_of(sizeof(*A), 1, (const int64_t[]){{N}}) < 0) return 2;"
        ),
    ),
    "what is told of a status": (
        TWICE,
        "#include <stdio.h>\n"
        + "".join(helper_texts(["report"]))
        + "static "
        + GIVEN_UP.format("").replace(" s(", " run(")
        + f'\n{S} {{ report("s", run(N, A, B)); }}',
    ),
    "a hint": (TWICE, f"{S} {{ {LOOP} {{ __builtin_prefetch(&A[i + 8], 0, 1); B[i] = 2.0 * A[i]; }} }}"),
    "threads of so many": (TWICE, f"{S} {{\n#pragma omp parallel for num_threads(omp_get_max_threads())\n{DOUBLED} }}"),
    "rows of so many": (
        COPIED,
        f"{S} {{ double t[N - 3]; memcpy(B, A, (N - 3) * sizeof(double));"
        " memcpy(B + (N - 3), A + (N - 3), 3 * sizeof(double)); }",
    ),
    "products of few": (
        TWICE,
        f"{S} {{ for (unsigned r = 0; r < 4; r++) for (long i = r; i < N; i += 4)"
        " B[r * 4u / 4u + (i - r)] = 2.0 * A[i]; }",
    ),
    "conversions of few": (
        TWICE,
        f"{S} {{ {LOOP} B[i - i % 4 + (int)(i % 4)] = 2.0 * A[i]; }}",
    ),
    "what only some tell": (TWICE, f"{S} {{ {DOUBLED}\n#ifdef VERBOSE\n B[0] = 7;\n#endif\n}}"),
    "what threads are told": (
        TWICE,
        f"#include <stdlib.h>\n{S} {{\n#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n{DOUBLED} }}",
    ),
    "a macro of two lines": (TWICE, f"#define TWO \\\n 2.0\n{S} {{ {LOOP} B[i] = TWO * A[i]; }}"),
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


WRONG = NAMES | HELPERS | TEXTS | EFFECTS | SIZES


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_is_not_believed(case: tuple[str, str, str]) -> None:
    program, text, said = case
    found = asked(program, text)
    assert found.verdict == "undecided"
    assert any(said in finding.message for finding in found.findings), [finding.message for finding in found.findings]


@pytest.mark.parametrize("case", RIGHT.values(), ids=RIGHT)
def test_is_proved(case: tuple[str, str]) -> None:
    found = asked(*case)
    assert found.is_proved, found.findings


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_headers_beside_the_file_say_no_more_than_prototypes(header: str, tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(header, encoding="utf-8")
    (tmp_path / "more.h").write_text(HEADERS["a function"], encoding="utf-8")
    text = f'#include <math.h>\n#include "own.h"\n{S} {{ {LOOP} B[i] = fmax(A[i], 0.0); }}'
    found = prove_c(
        read_program(Source("s.ab", POSITIVE)), Source(str(tmp_path / "s.c"), text), ProofTask(executes=False)
    )
    assert found.verdict == "undecided"
    assert "cannot be used" in found.findings[0].message
    (tmp_path / "own.h").write_text(PROTOTYPE, encoding="utf-8")
    found = prove_c(
        read_program(Source("s.ab", POSITIVE)), Source(str(tmp_path / "s.c"), text), ProofTask(executes=False)
    )
    assert found.is_proved
    assert found.assumed == ()


def test_headers_that_are_not_read_and_names_that_nobody_defines_are_told() -> None:
    asks = f"{S} {{ {DOUBLED}\n#ifdef VERBOSE\n B[0] = 7;\n#endif\n}}"
    assert asked(TWICE, asks).assumed == ("`VERBOSE` is not defined",)
    found = asked(TWICE, f"#include <mine.h>\n{S} {{ {DOUBLED} }}")
    assert found.assumed == ("`mine.h` defines no macro or function that this text uses",)
    both = asked(TWICE, f"#include <mine.h>\n{asks}")
    assert both.findings[0].message == "whether `VERBOSE` is defined depends on `mine.h`, which is not read"


def test_headers_of_headers_may_define_what_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text(
        "#include <math.h>\nvoid s(long N, const double *A, double *B);\n", encoding="utf-8"
    )
    text = f'#include "own.h"\n{S} {{ {LOOP}\n#ifdef M_PI\n B[i] = 3.0 * A[i];\n#else\n B[i] = 2.0 * A[i];\n#endif\n}}'
    found = prove_c(read_program(Source("s.ab", TWICE)), Source(str(tmp_path / "s.c"), text), ProofTask(executes=False))
    assert found.findings[0].message == "whether this line is compiled depends on definitions of a header"


def test_lines_may_end_as_elsewhere() -> None:
    text = f"\ufeff{S} {{\r\n {DOUBLED}\r\n}}\r\n"
    source = with_plain_lines(Source("s.c", text))
    assert prove_c(read_program(Source("s.ab", TWICE)), source, ProofTask(executes=False)).is_proved


@pytest.mark.parametrize(
    ("type_", "said"), [("int", True), ("unsigned", True), ("long", False), ("size_t", False), ("int64_t", False)]
)
def test_indices_of_less_than_64_bits_are_told(type_: str, said: bool) -> None:
    found = asked(TWICE, f"{S} {{ for ({type_} i = 0; i < N; i++) B[i] = 2.0 * A[i]; }}")
    assert found.is_proved
    assert found.assumed == (("no index exceeds the 32 bits of its type",) if said else ())


def test_what_a_clause_promises_is_told() -> None:
    found = asked(TWICE, f"{S} {{\n#pragma omp simd aligned(A, B : 64)\n{DOUBLED} }}")
    assert found.is_proved
    assert found.assumed == ("what `aligned(A, B : 64)` says of where arrays lie is so",)


@pytest.mark.parametrize("case", DESTROYED.values(), ids=DESTROYED)
def test_what_is_destroyed_besides_is_told(case: tuple[str, str, tuple[str, ...]]) -> None:
    program, text, said = case
    found = asked(program, text)
    assert found.is_proved
    assert found.assumed == said
