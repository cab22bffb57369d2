"""Headers: prototypes beside the file are read; what else they may define is not taken for granted."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.preprocessing import with_plain_lines
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import asked

HEAD = "affine s {N | N>=4}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
TWICE = f"{HEAD} B[i] = 2.0 * A[i];\n.\n"
POSITIVE = f"{HEAD} B[i] = max(A[i], 0.0);\n.\n"
CALLED = f"double f(double);\n{HEAD} B[i] = f(A[i]);\n.\n"
S = "void s(long N, const double *A, double *B)"
LOOP = "for (long i = 0; i < N; i++)"
DOUBLED = f"{LOOP} B[i] = 2.0 * A[i];"
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


def test_a_line_that_ends_for_some_compilers_only_is_not_read() -> None:
    found = asked(TWICE, f"{S} {{ {LOOP} B[i] = 3.0 * A[i]; // \r{DOUBLED}\n }}")
    assert found.verdict == "undecided"
    assert found.findings[0].message.startswith("a carriage return without a newline is not supported")


def test_functions_of_headers_are_those_that_the_program_declares() -> None:
    text = f'#include "mine.h"\n{S} {{ {LOOP} B[i] = f(A[i]); }}'
    found = asked(CALLED, text)
    assert found.is_proved
    assert "`mine.h` declares `f` as the program does" in found.assumed
    assert not asked(CALLED, text.replace("f(A[i])", "f(B[i])")).is_proved
    assert not asked(CALLED, text.partition("\n")[2]).is_proved
    assert not asked(CALLED, text.replace("void", "double f(float);\nvoid")).is_proved
