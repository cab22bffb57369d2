"""C that the reader does not support is executed, if it only computes."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.driver.unsupported_code import may_have_effects, without_bodies
from alphaz.scop.c_model import OtherFile
from tests.equivalence.asking import DOUBLED, S
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PROGRAM = read_program(Source("s.ab", DOUBLED))
# A loop of jumps, which the model does not have.
LEFT = "long i = 0; again: if (i >= N) goto out; B[i] = {} * A[i]; i++; goto again; out: ;"
# A macro with a statement expression, which the parser does not have.
EXPRESSION = "#define TWICE(x) ({ double _x = (x); _x + _x; })\n"
USED = "for (long i = 0; i < N; i++) B[i] = TWICE(A[i]);"


def verdict(text: str, **options: object) -> CVerdict:
    return prove_c(PROGRAM, Source("s.c", text), ProofTask(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    thinned(
        [
            f"{S}{{ {LEFT.format('3.0')} }}\n",
            f"{EXPRESSION.replace('_x + _x', '_x')}{S}{{ {USED} }}\n",
            f"{S}{{ long n = N > 64 ? 64 : N; {LEFT.format('2.0').replace('>= N', '>= n')} }}\n",
            f"#include <math.h>\n{S}{{ {LEFT.format('fabs(-1.9)')} }}\n",
        ],
        3,
    ),
    ids=["jumps", "statement-expression", "beyond-a-constant", "library"],
)
def test_wrong_code_is_refuted(text: str) -> None:
    found = verdict(text)
    (finding,) = found.findings
    assert (found.verdict, finding.rule.code) == ("refuted", "AZ836")
    assert any("only executed" in note for note in finding.notes)
    assert verdict(text, executes=False).verdict == "undecided"


@pytest.mark.parametrize("text", [f"{S}{{ {LEFT.format('2.0')} }}\n", f"{EXPRESSION}{S}{{ {USED} }}\n"])
def test_right_code_is_undecided_with_its_execution(text: str) -> None:
    found = verdict(text)
    assert found.verdict == "undecided"
    assert any("executed for N=3, 4" in note for note in found.findings[0].notes)


def test_the_compiler_says_what_is_no_c() -> None:
    found = verdict(f"{S}{{\n    for (long i = 0; i < N; i++) B[i] = twice;\n}}\n")
    assert found.verdict == "undecided"
    assert "this is no C: ‘twice’ undeclared" in found.findings[0].message
    assert found.findings[0].primary.span.position[0] == 3


@pytest.mark.parametrize(
    "text",
    [
        'if (N < 0) system("true");',
        'int (*run)(const char *) = system; if (N < 0) run("true");',
        'if (N < 0) fopen("x", "w");',
        'if (N < 0) fprintf(stderr, "x");',
        'asm volatile("nop");',
        "static void *place; place = &place; unknown(place);",
    ],
)
def test_code_with_effects_is_not_executed(text: str, tmp_path: Path) -> None:
    whole = f"#include <stdio.h>\n#include <stdlib.h>\n{S}{{ {text} {LEFT.format('3.0')} }}\n"
    found = verdict(whole)
    assert (found.verdict, found.tried) == ("undecided", None)
    (tmp_path / "effect.h").write_text(f"static void effect(long N) {{ {text} }}\n", encoding="utf-8")
    beside = Source(str(tmp_path / "s.c"), f'#include "effect.h"\n{S}{{ {LEFT.format("3.0")} }}\n')
    assert may_have_effects([beside])
    assert may_have_effects([Source("other.c", "#include <nowhere/effects.h>\n")])


@pytest.mark.parametrize(
    ("text", "has_effects"),
    [
        ("#pragma omp parallel for private(k) reduction(+:y[:n]) schedule(static, 4) collapse(2)\n", False),
        ('#pragma omp parallel for num_threads(mkdtemp("x"))\n', True),
        ("", False),
    ],
)
def test_clauses_and_pointers_to_rows_have_no_effects(text: str, has_effects: bool) -> None:
    whole = (
        f"void s(int n, double (*A)[3], double *restrict y)\n{{\n{text}for (int i = 0; i < n; i++) y[i] = A[i][0];\n}}"
    )
    assert may_have_effects([Source("s.c", whole)]) is has_effects


def test_arguments_that_are_not_understood_are_not_executed() -> None:
    for arguments in ("const double *A, double *C, double *D", "const float *A, double *B"):
        found = verdict(f"void s(long N, {arguments})\n{{ for (long i = 0; ; i++) if (i >= N) break; }}\n")
        assert (found.verdict, found.tried) == ("undecided", None)


def test_functions_of_further_files_are_executed() -> None:
    second = OtherFile(
        Source("t.c", "double twice(double x) { while (1) { if (x < 9) break; return 3.0; } return x; }")
    )
    text = f"double twice(double x);\n{S}{{ for (long i = 0; i < N; i++) B[i] = twice(A[i]); }}\n"
    assert verdict(text, others=(second,)).verdict == "refuted"


def test_bodies_are_left_out() -> None:
    text = """#define OPEN {
/* { */ static const double c[2] = { 1.0, 2.0 };
struct pair { double a, b; };
static double f(double x) { return "}"[0] == '}' ? x : c[0]; }
void g(long N,
       double A[N])
{
    for (;;) { A[0] = f(A[0]); }
}
"""
    outline = without_bodies(Source("s.c", text)).text
    assert [line.split() for line in outline.splitlines()] == [
        ["#define", "OPEN", "{"],
        ["static", "const", "double", "c[2]", "=", "{", "1.0,", "2.0", "};"],
        ["struct", "pair", "{", "double", "a,", "b;", "};"],
        ["static", "double", "f(double", "x)", "{", "}"],
        ["void", "g(long", "N,"],
        ["double", "A[N])"],
        ["{"],
        [],
        ["}"],
    ]
    assert [len(line) for line in outline.splitlines()] == [len(line) for line in text.splitlines()]
