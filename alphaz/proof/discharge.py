"""The one engine that decides: is the set of violations empty?"""

from collections.abc import Callable
from dataclasses import replace
from time import process_time
from typing import TypeVar

from alphaz.poly import Domain, OutOfBudget, any_point, budget, smallest_point
from alphaz.proof.obligation import Obligation, Proved, Refuted, Undecided, Verdict

# isl operations for one obligation: typical ones take about 10^4.
BUDGET = 1_000_000
# isl operations for the search of the smallest witness: beyond, any will do.
SEARCH = 50_000
# The first attempt has so many. What does not end is asked again with three times as many, unless its operations are so
# hard (they take from a microsecond to some milliseconds) that this would need more seconds of the processor.
_FIRST = 10_000
_PATIENCE = 5.0

T = TypeVar("T")


class Contradiction(Exception):
    """A witness of isl is none by plain integers: a fault of alphaz (AZ901), never a verdict."""


def discharge(obligation: Obligation, operations: int = BUDGET) -> Verdict:
    """Proved, refuted with the smallest witness, or undecided when the budget runs out.

    Where it takes too long to find the smallest witness, another is given, which says so.

    Raises Contradiction when the witness does not hold by `obligation.recheck`.
    """

    def decided() -> Domain | None:
        violations = obligation.violations()
        return None if violations.is_empty() else violations

    try:
        found = patiently(decided, operations)
        if found is None:
            return Proved()
        point, is_smallest = _witness(found, operations)
    except OutOfBudget as limit:
        return Undecided(str(limit))
    if not obligation.recheck(point):
        raise Contradiction(f"{obligation.claim}: {point} is no violation by plain integers")
    witness = obligation.explain(point)
    if not is_smallest:
        witness = replace(witness, sentence=f"{witness.sentence} (there may be smaller witnesses)")
    return Refuted(point, witness)


def holds(obligation: Obligation, operations: int = BUDGET) -> bool:
    """Whether it is proved, without a look for a witness where it is not; False, too, where the budget runs out."""
    try:
        return patiently(lambda: obligation.violations().is_empty(), operations)
    except OutOfBudget:
        return False


def patiently(work: Callable[[], T], operations: int = BUDGET) -> T:
    """The result of some work of isl, done within so many operations. Raises OutOfBudget.

    The last attempts are left out where the first ones show that they would take too long.
    """
    most = min(_FIRST, operations)
    while True:
        start = process_time()
        try:
            with budget(most):
                return work()
        except OutOfBudget:
            if most == operations or 3 * (process_time() - start) > _PATIENCE:
                raise
        most = min(3 * most, operations)


def _witness(violations: Domain, operations: int) -> tuple[dict[str, int], bool]:
    """A point of a set that is not empty, and whether it is the smallest. Raises OutOfBudget."""
    try:
        smallest = patiently(lambda: smallest_point(violations), min(operations, SEARCH))
    except OutOfBudget:
        return patiently(lambda: any_point(violations), operations), False
    assert smallest is not None
    return smallest, True
