"""Hints of the finder: values that rows force, and cores of z3. Wrong ones lead to no proof that the kernel refuses."""

from dataclasses import replace
from random import Random

import pytest

from alphaz.kernel.checker import NotConfirmed, ProofGoal, check
from alphaz.proof.refute.forced_instances import forced_instances, instances_of, instances_read
from alphaz.proof.refute.search import BUDGET, Allowance, NotRefuted, _proof_of
from alphaz.proof.refute.unsatisfiable_cores import Cores, Moves
from tests.kernel.small_sets import SmallSet, absent, at_least, case, equal

_TILE = [at_least(i=1, t=-32), at_least(31, i=-1, t=32)]
# Each i is in a tile t; the values of both names follow from the rows.
TILED = SmallSet("i", ([case(at_least(i=1))],), absent=(absent("t u", [case(*_TILE, equal(1, t=1, u=-1))]),))
# The tiles before and after 64 have writers of their own.
PARTS = SmallSet(
    "i",
    ([case(at_least(i=1))],),
    absent=(
        absent("t", [case(*_TILE, at_least(63, i=-1))]),
        absent("t", [case(*_TILE, at_least(-64, i=1))]),
    ),
)
UNKNOWN = replace(PARTS, absent=PARTS.absent[:1])


def proof(goal: ProofGoal) -> list[list[object]]:
    read = [*instances_read(goal)]
    return _proof_of(goal, Allowance(BUDGET), BUDGET, splits_early=False, opens_first=False, proposed=read)


def test_values_that_rows_force() -> None:
    goal = TILED.goal
    (instance,) = forced_instances(goal, goal.absences[0])
    assert instance.quotients == ((({0: 1}, 0), 32),)
    assert instance.values == (({1: 1}, 0), ({1: 1}, 1))


def test_no_value_where_rows_leave_two() -> None:
    loose = SmallSet("i", ([case(at_least(i=1))],), absent=(absent("t", [case(at_least(i=1, t=-32))]),))
    assert forced_instances(loose.goal, loose.goal.absences[0]) == []


@pytest.mark.parametrize("value", [TILED, PARTS], ids=["one writer", "two writers"])
def test_sets_with_forced_writers_have_short_proofs(value: SmallSet) -> None:
    steps = proof(value.goal)
    check(value.goal, steps)
    assert len(steps) < 20


def test_the_instances_of_a_proof_are_those_of_a_similar_goal() -> None:
    goal = TILED.goal
    assert [*instances_of(proof(goal), goal)] == [*instances_read(goal)]


def test_a_set_with_a_point_has_no_proof() -> None:
    with pytest.raises(NotRefuted):
        proof(UNKNOWN.goal)


@pytest.mark.parametrize("seed", range(20))
def test_wrong_cores_prove_nothing_wrong(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)

    def drawn(_: Cores, goal: ProofGoal, moves: Moves, *, all_facts: bool) -> tuple[frozenset[int], frozenset[int]]:
        labels = [label for label, _ in moves]
        facts = [] if all_facts else random.sample(range(len(goal.facts)), random.randint(0, len(goal.facts)))
        return frozenset(facts), frozenset(random.sample(labels, random.randint(0, len(labels))))

    monkeypatch.setattr(Cores, "_core", drawn)
    for value in (TILED, PARTS, UNKNOWN):
        try:
            steps = proof(value.goal)
        except NotRefuted:
            continue
        assert value is not UNKNOWN
        check(value.goal, steps)
        with pytest.raises(NotConfirmed):
            check(UNKNOWN.goal, steps)
