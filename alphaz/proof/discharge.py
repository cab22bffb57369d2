"""The one place that decides: is the set of violations empty?

Two engines answer, one after the other: isl with a small budget, then z3. A point that either finds is believed only
when plain integers confirm it.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, TypeVar

from alphaz.lazy import lazy_import
from alphaz.poly import Domain, Formula, OutOfBudget, any_point, budget, smallest_point
from alphaz.proof.obligation import Engine, Obligation, Proved, Refuted, Undecided, Verdict

if TYPE_CHECKING:
    from alphaz.proof.satisfiability import SolverAnswer

# isl operations for one obligation: typical ones take about 10^4.
BUDGET = 1_000_000
# isl operations for an obligation that z3 can decide as well.
SMALL = 270_000
# isl operations for the search of the smallest witness: beyond, any will do.
SEARCH = 50_000
# The first attempt has so many. What does not end is asked again with three times as many, unless its operations are so
# hard (they take from a microsecond to some milliseconds) that this would need more seconds of the processor.
FIRST = 10_000
_PATIENCE = 5.0
# What z3 takes long for is asked of isl with so many operations first, if they are quick.
_MORE = 9 * FIRST
_SHORT = 0.3

PERHAPS = "values at least twice a parametric mod factor apart are needed at one time, perhaps in one cell"

T = TypeVar("T")


class Contradiction(Exception):
    """A witness of isl is none by plain integers: a fault of alphaz (AZ901), never a verdict."""


def discharge(obligation: Obligation, operations: int = BUDGET) -> Verdict:
    """Proved, refuted with the smallest witness, or undecided when the budgets run out.

    isl is asked first. Where it gives up, and the set is stated, the second engine is. Where it takes too long to find
    the smallest witness, another is given, which says so.

    Raises Contradiction when the witness does not hold by `obligation.recheck`.
    """
    try:
        return _by_isl(obligation, operations)
    except OutOfBudget as limit:
        if obligation.stated is None:
            return Undecided(str(limit))
        return _second(obligation, obligation.stated, limit)


def _by_isl(obligation: Obligation, operations: int) -> Verdict:
    """Raises OutOfBudget."""

    def decided() -> Domain | None:
        violations = obligation.violations()
        return None if violations.is_empty() else violations

    found = patiently(decided, operations if obligation.stated is None else min(operations, SMALL))
    if found is None:
        return Proved()
    if obligation.certain is not None:
        found = patiently(obligation.certain, operations)
        if found.is_empty():
            return Undecided(PERHAPS)
    return _refuted(obligation, *_witness(found, operations), Engine.ISL)


def _second(obligation: Obligation, stated: Callable[[], Formula], first: OutOfBudget) -> Verdict:
    """What z3 says where isl has given up."""
    try:
        found: SolverAnswer | None = lazy_import("alphaz.proof.satisfiability").find(patiently(stated))
    except OutOfBudget as limit:
        return Undecided(f"isl: {first}; {limit}")
    if found is None:
        return Proved(Engine.Z3)
    return _refuted(obligation, dict(found.point), found.is_smallest, Engine.Z3)


def _refuted(obligation: Obligation, point: dict[str, int], is_smallest: bool, by: Engine) -> Refuted | Undecided:
    if not obligation.recheck(point):
        if obligation.certain is not None:
            return Undecided(PERHAPS)
        raise Contradiction(f"{obligation.claim}: {point} is no violation by plain integers")
    witness = obligation.explain(point)
    if not is_smallest:
        witness = replace(witness, sentence=f"{witness.sentence} (there may be smaller witnesses)")
    return Refuted(point, witness, by)


def holds(obligation: Obligation, operations: int = BUDGET) -> bool:
    """Whether it is proved, without a look for a witness where it is not; False, too, where the budgets run out."""
    try:
        return patiently(lambda: obligation.violations().is_empty(), operations)
    except OutOfBudget:
        return obligation.stated is not None and isinstance(discharge(obligation, operations), Proved)


def is_empty(
    stated: Callable[[], Formula],
    compared: Sequence[tuple[str, str]] = (),
    violations: Callable[[], Domain] | None = None,
) -> bool:
    """Whether a set is empty, as far as can soon be told, without a look for its points; False, too, where that is not
    known.

    For what is only a step on the way to a verdict: z3 gets a tenth of the steps. Cases are made of names that are
    `compared`. Where isl can be asked for the same set as `violations`, z3 is asked first whether it sees it at a
    glance, then isl, and then z3 by cases.
    """
    found = None if violations is None else empty_at_a_glance(stated)
    return empty_at_length(stated, compared, violations) if found is None else found


def empty_at_length(
    stated: Callable[[], Formula],
    compared: Sequence[tuple[str, str]] = (),
    violations: Callable[[], Domain] | None = None,
) -> bool:
    """The same, where a glance has not told."""
    found = None if violations is None else soon_empty(violations, _MORE, _SHORT)
    return bool(_by_z3(stated, compared)) if found is None else found


def empty_at_a_glance(stated: Callable[[], Formula]) -> bool | None:
    """Whether z3 sees with few steps that a set is empty, or that it is not; None where it does not."""
    return _by_z3(stated, is_soon=True)


def _by_z3(
    stated: Callable[[], Formula], compared: Sequence[tuple[str, str]] = (), is_soon: bool = False
) -> bool | None:
    try:
        ask = lazy_import("alphaz.proof.satisfiability").is_empty
        return bool(ask(patiently(stated), compared, is_soon))
    except OutOfBudget:
        return None


def soon_empty(violations: Callable[[], Domain], operations: int = FIRST, patience: float = _PATIENCE) -> bool | None:
    """Whether a set is empty; None where isl does not say so soon."""
    try:
        return patiently(lambda: violations().is_empty(), operations, patience=patience)
    except OutOfBudget:
        return None


def patiently(work: Callable[[], T], operations: int = BUDGET, first: int = FIRST, patience: float = _PATIENCE) -> T:
    """The result of some work of isl, done within so many operations. Raises OutOfBudget.

    The first attempt has `first` of them; the last attempts are left out where the first ones show that they would take
    too long.
    """
    most = min(first, operations)
    while True:
        start = process_time()
        try:
            with budget(most):
                return work()
        except OutOfBudget:
            if most == operations or 3 * (process_time() - start) > patience:
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
