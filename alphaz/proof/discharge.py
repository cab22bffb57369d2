"""The one engine that decides: is the set of violations empty?"""

from dataclasses import replace

from alphaz.poly import Domain, OutOfBudget, any_point, budget, smallest_point
from alphaz.proof.obligation import Obligation, Proved, Refuted, Undecided, Verdict

# isl operations for one obligation: typical ones take about 10^4, and the hardest operations 100 microseconds each.
BUDGET = 1_000_000
# isl operations for the search of the smallest witness: beyond, any will do. Hard ones take a millisecond each.
SEARCH = 50_000


class Contradiction(Exception):
    """A witness of isl is none by plain integers: a fault of alphaz (AZ901), never a verdict."""


def discharge(obligation: Obligation, operations: int = BUDGET) -> Verdict:
    """Proved, refuted with the smallest witness, or undecided when the budget runs out.

    Where it takes too long to find the smallest witness, another is given, which says so.

    Raises Contradiction when the witness does not hold by `obligation.recheck`.
    """
    try:
        with budget(operations):
            violations = obligation.violations()
            if violations.is_empty():
                return Proved()
        point, is_smallest = _witness(violations, operations)
    except OutOfBudget as limit:
        return Undecided(str(limit))
    if not obligation.recheck(point):
        raise Contradiction(f"{obligation.claim}: {point} is no violation by plain integers")
    witness = obligation.explain(point)
    if not is_smallest:
        witness = replace(witness, sentence=f"{witness.sentence} (there may be smaller witnesses)")
    return Refuted(point, witness)


def _witness(violations: Domain, operations: int) -> tuple[dict[str, int], bool]:
    """A point of a set that is not empty, and whether it is the smallest. Raises OutOfBudget."""
    try:
        with budget(min(operations, SEARCH)):
            smallest = smallest_point(violations)
    except OutOfBudget:
        with budget(operations):
            return any_point(violations), False
    assert smallest is not None
    return smallest, True
