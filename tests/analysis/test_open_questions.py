"""A limit that is reached while a program is read names the phase, and the equation or variable with its place."""

from importlib import import_module
from typing import Any

import pytest

from alphaz.diagnostics.work_limits import OutOfTime
from alphaz.syntax.grammar import Automaton
from tests.analysis.programs import read

PROGRAM = """affine part {N | N>0}
input int a {i | 0<=i<N};
output int b {i | 0<=i<N};
let b = a;
.
affine whole {N | N>0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
local int C, D {i | 0<=i<N};
let
  C[i] = case {| i==0} : 1; {| i>0} : C[i-1] + reduce(+, [k], {| 0<=k<i} : A[k]); esac;
  use part[N] (C) returns (D);
  B = {| N>0} : D;
.
"""


_DECLARED = "whether the names and indices of this equation are declared"


def _stopped(*_: object, **__: object) -> Any:
    raise OutOfTime(1.0)


def _place_of(text: str) -> str:
    """Returns the line and column of a part of the program."""
    before = PROGRAM[: PROGRAM.index(text)]
    return f"test.ab:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.mark.parametrize(
    ("function", "question", "place"),
    [
        ("elaborate.signature._domain_of", "whether this declaration is right", "int a"),
        (
            "elaborate.systems._Builder._standard",
            _DECLARED,
            "b = a",
        ),
        ("elaborate.systems._Builder._use", _DECLARED, "use part"),
        ("checks.check.count_equations", "whether the variables of `part` have equations and are used", "part"),
        ("checks.check.empty_variables", "whether the variables of `part` have equations and are used", "part"),
        (
            "checks.equation_checks.with_growing_budget",
            "where the values of this equation are defined and needed",
            "b = a",
        ),
        ("checks.types.Typing._type", "which types the values of this equation have", "b = a"),
        ("checks.equation_checks.coverage", "whether `b` is defined at every point of its domain", "b = a"),
        ("checks.equation_checks.overlaps", "whether branches of this `case` overlap", "case"),
        ("checks.equation_checks.reductions", "whether the reductions of this expression are defined", "a;\n."),
        (
            "checks.equation_checks.empty_restricts",
            "whether every part of this expression is evaluated somewhere",
            "a;\n.",
        ),
        ("checks.calls.CallCheck._parameters", "whether this equation is right", "use part"),
        ("checks.cycles._has_positive_weights", "whether a value of `C` depends on itself", "C[i] ="),
    ],
)
def test_the_phase_and_the_place_are_named(
    function: str, question: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"alphaz.analysis.{function}", _stopped)
    with pytest.raises(OutOfTime) as over:
        read(PROGRAM)
    assert over.value.at is not None
    assert (over.value.at.question, str(over.value.at.span)) == (question, _place_of(place))


def test_the_calls_of_a_system_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphaz.analysis.checks.recursion._first_diagnostic", _stopped)
    text = "affine own {N | N>=0}\noutput int y;\nlet\n  use {| N>0} own[N-1] () returns (y);\n."
    with pytest.raises(OutOfTime) as over:
        read(text)
    assert over.value.at is not None
    assert (over.value.at.question, str(over.value.at.span)) == ("whether the calls of `own` end", "test.ab:4:3")


def test_an_obligation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("alphaz.proof.discharge"), "_by_isl", _stopped)
    with pytest.raises(OutOfTime) as over:
        read(PROGRAM)
    assert over.value.at is not None
    assert "whether every point of b" in over.value.at.question


def test_the_last_part_that_was_parsed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shift = Automaton.shift

    def shifted(automaton: Automaton, states: list[int], values: list[Any], kind: str, value: Any) -> bool:
        return _stopped() if kind == "ESAC" else shift(automaton, states, values, kind, value)

    monkeypatch.setattr(Automaton, "shift", shifted)
    with pytest.raises(OutOfTime) as over:
        read(PROGRAM)
    assert over.value.at is not None
    assert over.value.at.question == "whether the syntax is correct from here on"
    assert over.value.at.span.position[0] == 11
