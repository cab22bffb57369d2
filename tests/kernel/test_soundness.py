"""No changed proof of an empty set is accepted for a set that has a point; sets and points are found by brute force."""

from random import Random

import pytest

from alphaz.kernel.checker import NotConfirmed
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.kernel.random_sets import mutated, narrowed, points, random_set
from tests.kernel.small_sets import is_confirmed

SETS, CHANGES = 12, 20


def test_changed_proofs_of_sets_that_have_a_point() -> None:
    random, sets, proved = Random(36), 0, 0
    while sets < SETS:
        small_set = random_set(random)
        if next(points(small_set), None) is None:
            continue
        sets += 1
        empty = narrowed(random, small_set)
        try:
            steps = proof_of(empty.goal)
        except NotRefuted:
            continue
        is_confirmed(empty, steps)
        proved += 1
        for _ in range(CHANGES):
            with pytest.raises(NotConfirmed):
                is_confirmed(small_set, mutated(random, steps))
    assert proved >= 0.8 * SETS


def test_no_proof_is_found_of_a_set_that_has_a_point() -> None:
    random, sets = Random(1), 0
    while sets < SETS:
        small_set = random_set(random)
        if next(points(small_set), None) is not None:
            sets += 1
            with pytest.raises(NotRefuted):
                proof_of(small_set.goal, 500)


def test_the_same_set_gives_the_same_proof() -> None:
    random = Random(2)
    for _ in range(5):
        empty = narrowed(random, random_set(random))
        assert proof_of(empty.goal) == proof_of(empty.goal)
