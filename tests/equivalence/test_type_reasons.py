"""C that goes wrong by its types alone: the finding names the accumulator, or the operation."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from tests.equivalence.asking import asked
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def refuted(types: str, equation: str, body: str) -> tuple[str, ...]:
    """The notes, where it is refuted."""
    narrow, wide = types.split(" to ")
    program = (
        f"affine s {{N | N>=1}}\ninput\n {narrow} x, y {{i | 0<=i<N}};\noutput\n {wide} c;\nlet\n c = {equation};\n.\n"
    )
    text = f"void s(int n, const {narrow} *x, const {narrow} *y, {wide} *c)\n{{\n{body}\n}}\n"
    found = prove_c(read_program(Source("s.ab", program)), Source("s.c", text), ProofTask())
    assert found.verdict == "refuted", found.findings
    return found.findings[0].notes


SUM = "reduce(+, [i], x[i] * y[i])"
LOOP = "for (int i = 0; i < n; i++)"
REASONS = [
    (
        "short to long",
        SUM,
        f"int a = 0; {LOOP} a += x[i] * y[i]; *c = a;",
        "`a` accumulates in `int` (line 3), the equations combine c in `long`",
    ),
    (
        "double to double",
        SUM,
        f"float a = 0;\n{LOOP} a += x[i] * y[i];\n*c = a;",
        "`a` accumulates in `float` (line 4), the equations combine c in `double`",
    ),
    (
        "double to double",
        "reduce(max, [i], x[i])",
        f"float a = x[0];\n{LOOP} a = x[i] > a ? x[i] : a;\n*c = a;",
        "`a` accumulates in `float` (line 4), the equations combine c in `double`",
    ),
    (
        "short to long",
        SUM,
        f"*c = 0; {LOOP} *c += (short)(x[i] * y[i]);",
        "`*` is computed in `short` (line 3), the equations compute it in `int`",
    ),
    (
        "double to double",
        "reduce(+, [i], x[i])",
        f"double a = 0; {LOOP} {{ float t = x[i]; a += t; }} *c = a;",
        "a value is converted to `float` (line 3), none in the equations",
    ),
]


@pytest.mark.parametrize(("types", "equation", "body", "reason"), thinned(REASONS, 3))
def test_the_reason_is_told(types: str, equation: str, body: str, reason: str) -> None:
    assert reason in refuted(types, equation, body)


OTHERWISE = [
    ("short to long", SUM, f"int a = 0; {LOOP} a += x[i] * y[0]; *c = a;"),
    ("double to double", SUM, f"float a = 0; {LOOP} a += x[i] + y[i]; *c = a;"),
]


@pytest.mark.parametrize(("types", "equation", "body"), OTHERWISE)
def test_another_function_is_not_wrong_by_its_types(types: str, equation: str, body: str) -> None:
    assert not any("accumulates" in each or "computed in" in each for each in refuted(types, equation, body))


ALL = Laws(frozenset({"associativity", "distributivity"}))
# Executed, these agree: what the types change is smaller than the tolerance, or does not occur.
UNDECIDED = [
    (
        "int long",
        "c[i] = d[i] * (a[i] + b[i])",
        "c[i] = d[i] * a[i] + d[i] * b[i];",
        "not proved: `+` is computed in `long` (line 2), the equations compute it in `int`",
    ),
    (
        "float double",
        "c[i] = d[i] * a[i] + d[i] * b[i]",
        "c[i] = d[i] * (a[i] + b[i]);",
        "not proved: `+` is computed in `float` (line 2), the equations compute it in `double`",
    ),
    (
        "int long",
        "c[i] = a[i] * b[i] * d[i]",
        "c[i] = d[i] * a[i] * b[i];",
        "not proved: `*` is computed in `long` (line 2), the equations compute one in `int`",
    ),
]


def undecided(types: str, equation: str, body: str) -> CVerdict:
    narrow, wide = types.split()
    program = (
        f"affine s {{N | N>=1}}\ninput\n {narrow} a, b {{i | 0<=i<N}};\n {wide} d {{i | 0<=i<N}};\n"
        f"output\n {wide} c {{i | 0<=i<N}};\nlet\n {equation};\n.\n"
    )
    text = (
        f"void s(int N, const {narrow} *a, const {narrow} *b, const {wide} *d, {wide} *c)\n"
        f"{{ for (int i = 0; i < N; i++) {{ {body} }} }}\n"
    )
    return asked(program, text, ALL)


@pytest.mark.parametrize(("types", "equation", "body", "reason"), UNDECIDED)
def test_the_reason_of_an_undecided_verdict_is_the_type(types: str, equation: str, body: str, reason: str) -> None:
    found = undecided(types, equation, body)
    assert found.verdict == "undecided"
    assert [finding.message for finding in found.findings] == [reason]


def test_the_reason_of_an_undecided_verdict_is_no_type_where_types_agree() -> None:
    found = undecided("long long", "c[i] = a[i] * b[i] + d[i]", "c[i] = a[i] * b[i] + d[i] * (i < 5000 ? 1 : 2);")
    assert not any("computed in" in finding.message for finding in found.findings)
