"""The three answers, and the witness that is none."""

import sys

import pytest

from alphaz.diagnostics import NOWHERE, Witness
from alphaz.diagnostics.rules import CAUSALITY
from alphaz.poly import Affine, Domain, OutOfBudget, Space, at_least, equal, less
from alphaz.poly.engine import CONTEXT
from alphaz.proof import Contradiction, Obligation, Proved, Refuted, Undecided, Values, discharge, with_growing_budget

i, n = Affine.name("i"), Affine.name("N")
SPACE = Space(("N",), ("i",))


def obligation(violations: Domain, *, holds: bool = True) -> Obligation:
    def explain(values: Values) -> Witness:
        return Witness((("N", values["N"]),), (), f"i={values['i']}")

    return Obligation(CAUSALITY, "a claim", lambda: violations, (), explain, lambda _: holds, NOWHERE)


def test_empty_is_proved() -> None:
    assert discharge(obligation(Domain.where(SPACE, [less(i, n), less(n, i)]))) == Proved()


def test_a_violation_is_refuted_with_the_smallest_point() -> None:
    verdict = discharge(obligation(Domain.where(SPACE, [at_least(i, 2), less(i, n)])))
    assert verdict == Refuted({"N": 3, "i": 2}, Witness((("N", 3),), (), "i=2"))


def test_no_budget_is_undecided_and_never_proved() -> None:
    even_and_odd = Domain.where(SPACE, [equal(i * 2, n), equal(i * 4, n * 2 + 1)])
    assert discharge(obligation(even_and_odd)) == Proved()
    crossing = Domain.where(SPACE, [at_least(i, 0), less(i, n)]) - Domain.where(SPACE, [less(i * 3, n), at_least(i, 1)])
    assert isinstance(discharge(obligation(crossing), operations=1), Undecided)


def test_a_witness_that_does_not_recheck_is_no_verdict() -> None:
    with pytest.raises(Contradiction):
        discharge(obligation(Domain.universe(SPACE), holds=False))


def test_attempts_grow_until_the_work_is_done_or_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, cost, tried = [0.0], [1e-6], []

    def work() -> str:
        most = CONTEXT.get_max_operations()
        tried.append(most)
        clock[0] += most * cost[0]
        if most < 200_000:
            raise OutOfBudget(f"more than {most} operations")
        return "done"

    monkeypatch.setattr(sys.modules["alphaz.proof.discharge"], "process_time", lambda: clock[0])
    assert with_growing_budget(work) == "done"
    assert tried == [10_000, 30_000, 90_000, 270_000]
    tried.clear()
    cost[0] = 1e-4
    with pytest.raises(OutOfBudget):
        with_growing_budget(work)
    assert tried == [10_000, 30_000]
    tried.clear()
    with pytest.raises(OutOfBudget):
        with_growing_budget(work, 500)
    assert tried == [500]
