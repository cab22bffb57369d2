"""The checks against enumeration: what is said of all parameters holds at small ones; witnesses are the smallest."""

import contextlib
import re
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from alphaz.analysis.checks.check import Examined
from alphaz.analysis.facts.dependences import dependences
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow, show
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.model.program import Equation
from tests.property.agreement import disagreement, examined, systems
from tests.strategies.programs import programs

pytestmark = pytest.mark.slow

_BOUNDED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _of(examined: Examined, *codes: str) -> list[Diagnostic]:
    return [d for d in examined.diagnostics if d.rule.code in codes]


def _least(findings: list[Diagnostic]) -> int:
    return min(dict(d.witness.parameters)["N"] for d in findings if d.witness is not None)


@_BOUNDED
@given(programs())
def test_undefined_points_are_those_of_the_enumeration(text: str) -> None:
    result = _of(examined(text), "AZ304", "AZ306")
    wrong = {n: set(system.undefined()) for n, system in systems(text).items()}
    assert bool(result) == any(wrong.values())
    if result:
        assert _least(result) == min(n for n, points in wrong.items() if points)
    for diagnostic in result:
        assert diagnostic.witness is not None
        place = diagnostic.witness.places[0]
        # Behind `f @`, a point is one of the inner space.
        assert "@" in text or (place.name, place.point) in wrong[dict(diagnostic.witness.parameters)["N"]]


_MIRRORED = """affine test {N | N>=1}
input int V0 {i | 0<=i<N};
output int V1 {i,j | -1<=i<N && i<=j<N};
let V1[i,j] = case V0[i]; {| i!=j}: V1[i,i]; V0[i+1]; esac;
.
"""


@_BOUNDED
@given(programs())
@example(_MIRRORED)  # its smallest parameters are those of a point with a negative index
def test_overlaps_are_those_of_the_enumeration(text: str) -> None:
    result = _of(examined(text), "AZ305")
    wrong = [n for n, system in systems(text).items() if system.overlapping()]
    assert bool(result) == bool(wrong)
    if result:
        assert _least(result) == min(wrong)


@_BOUNDED
@given(programs())
def test_empty_reductions_are_those_of_the_enumeration(text: str) -> None:
    whole = examined(text)
    results = [item for item in _of(whole, "AZ309") if "for some results" in item.message]
    wrong = [n for n, system in systems(text).items() if system.empty_reductions()]
    if not _of(whole, "AZ304", "AZ306"):
        assert bool(results) == bool(wrong)
        assert not results or _least(results) == min(wrong)


@_BOUNDED
@given(programs())
def test_what_is_right_computes_what_the_enumeration_does(text: str) -> None:
    assert disagreement(text) is None


@_BOUNDED
@given(programs())
def test_what_is_printed_reads_as_the_same_program(text: str) -> None:
    first = examined(text)
    for printer in (show, ashow):
        second = examined(printer(first.checked.program))
        assert _codes(second) == _codes(first)
        _same(first, second)


def _codes(result: Examined) -> list[str]:
    """Without AZ208, which is about names: those of a restrict are the printer's own choice."""
    return sorted(d.rule.code for d in result.diagnostics if d.rule.code != "AZ208")


def _same(first: Examined, second: Examined) -> None:
    (one,), (other,) = first.checked.program.systems, second.checked.program.systems
    for variable in one.variables:
        assert variable.domain.equals(other.variable(variable.name).domain)
        assert variable.type == other.variable(variable.name).type
    reads = dependences(one, first.checked.facts), dependences(other, second.checked.facts)
    for mine, theirs in zip(*reads, strict=True):
        assert (mine.consumer, mine.producer) == (theirs.consumer, theirs.producer)
        assert mine.domain.equals(theirs.domain)
        assert mine.function.renamed(theirs.function.domain.names) == theirs.function
    for equation in one.equations:
        assert isinstance(equation, Equation)
        again = other.equation(equation.variable)
        assert isinstance(again, Equation)
        values = first.checked.facts.expression_domain[equation.expression]
        assert values.equals(second.checked.facts.expression_domain[again.expression])


@_BOUNDED
@given(programs(), st.randoms(use_true_random=False))
def test_a_program_with_a_slip_raises_nothing_but_findings(text: str, random: Random) -> None:
    words = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(random.randrange(1, 3)):
        at, other = random.randrange(len(words)), random.randrange(len(words))
        words[at] = random.choice(("", words[other], words[at] * 2, "[", "i", "99999999999999999999"))
    with contextlib.suppress(Rejected):
        read_program(Source("test.ab", "".join(words)))
