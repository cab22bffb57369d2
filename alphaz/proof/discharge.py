"""Discharges obligations: decides whether a set of violations is empty.

Two engines decide, one after the other: isl with a small budget, then z3. A point found by either engine counts as a
counterexample only if integer arithmetic confirms it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING, TypeVar

from alphaz.diagnostics.work_limits import working_at
from alphaz.lazy import lazy_import
from alphaz.poly import Domain, Formula, OutOfBudget, any_point, budget, smallest_point
from alphaz.proof.obligation import Engine, Obligation, Proved, Refuted, Undecided, Verdict

if TYPE_CHECKING:
    from alphaz.proof.z3_engine import SolverAnswer

# isl operations for one obligation: typical ones take about 10^4.
BUDGET = 1_000_000
# isl operations for an obligation that z3 can decide as well.
SMALL = 270_000
# isl operations for the search of the smallest witness; beyond these, any witness is accepted.
SEARCH = 50_000
# Operations of the first attempt. Each further attempt has three times as many, unless the operations are so hard
# (they take from a microsecond to some milliseconds) that it would exceed the patience in processor seconds.
FIRST = 10_000
_PATIENCE = 5.0
# Queries that are hard for z3 first go to isl with this number of operations, if these are quick.
_MORE = 9 * FIRST
_SHORT = 0.3

PERHAPS = "values at least twice a parametric mod factor apart are needed at one time, perhaps in one cell"

T = TypeVar("T")


class Contradiction(Exception):
    """Integer arithmetic rejects a witness found by isl: a fault of alphaz (AZ901), never a verdict."""


def discharge(obligation: Obligation, operations: int = BUDGET) -> Verdict:
    """Returns Proved, Refuted with the smallest witness, or Undecided if the budgets run out.

    isl decides first. If it gives up, and the set is available as a formula, z3 decides. If the smallest witness takes
    too long to find, another one is returned and marked as such.

    Raises Contradiction if the witness does not hold by `obligation.recheck`."""
    with working_at(obligation.span, f"whether {obligation.claim}"):
        try:
            return _by_isl(obligation, operations)
        except OutOfBudget as limit:
            if obligation.stated is None:
                return Undecided(str(limit))
            return _second(obligation, obligation.stated, limit)


def _by_isl(obligation: Obligation, operations: int) -> Verdict:
    """The verdict of isl. Raises OutOfBudget."""

    def decided() -> Domain | None:
        violations = obligation.violations()
        return None if violations.is_empty() else violations

    violating = with_growing_budget(decided, operations if obligation.stated is None else min(operations, SMALL))
    if violating is None:
        return Proved()
    if obligation.certain is not None:
        violating = with_growing_budget(obligation.certain, operations)
        if violating.is_empty():
            return Undecided(PERHAPS)
    return _refuted(obligation, *_witness(violating, operations), Engine.ISL)


def _second(obligation: Obligation, stated: Callable[[], Formula], first: OutOfBudget) -> Verdict:
    """The verdict of z3 after isl has given up."""
    try:
        answer: SolverAnswer | None = lazy_import("alphaz.proof.z3_engine").find(with_growing_budget(stated))
    except OutOfBudget as limit:
        return Undecided(f"isl: {first}; {limit}")
    if answer is None:
        return Proved(Engine.Z3)
    return _refuted(obligation, dict(answer.point), answer.is_smallest, Engine.Z3)


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
    """Returns True if the obligation is proved within the budget. Does not search for a witness."""
    try:
        return with_growing_budget(lambda: obligation.violations().is_empty(), operations)
    except OutOfBudget:
        return obligation.stated is not None and isinstance(discharge(obligation, operations), Proved)


def is_empty(
    stated: Callable[[], Formula],
    compared: Sequence[tuple[str, str]] = (),
    violations: Callable[[], Domain] | None = None,
) -> bool:
    """Returns True if the set is shown to be empty within a small budget, without a search for its points. False: not
    known.

    For intermediate steps of a proof: z3 gets a tenth of its steps, and splits cases over the names that are
    `compared`. If `violations` has the same set for isl, z3 first tries with few steps, then isl, and then z3 by cases.
    """
    answer = None if violations is None else is_empty_by_few_steps(stated)
    return is_empty_by_cases(stated, compared, violations) if answer is None else answer


def is_empty_by_cases(
    stated: Callable[[], Formula],
    compared: Sequence[tuple[str, str]] = (),
    violations: Callable[[], Domain] | None = None,
) -> bool:
    """Returns True if the set is shown to be empty after the first short try of z3 has failed. False: not known."""
    answer = None if violations is None else is_empty_by_isl(violations, _MORE, _SHORT)
    return bool(_by_z3(stated, compared)) if answer is None else answer


def is_empty_by_few_steps(stated: Callable[[], Formula]) -> bool | None:
    """Returns True or False if z3 decides emptiness with few steps; None otherwise."""
    return _by_z3(stated, is_soon=True)


def _by_z3(
    stated: Callable[[], Formula], compared: Sequence[tuple[str, str]] = (), is_soon: bool = False
) -> bool | None:
    try:
        ask = lazy_import("alphaz.proof.z3_engine").is_empty
        return bool(ask(with_growing_budget(stated), compared, is_soon))
    except OutOfBudget:
        return None


def is_empty_by_isl(
    violations: Callable[[], Domain], operations: int = FIRST, patience: float = _PATIENCE
) -> bool | None:
    """Returns True if a set is empty; None if isl does not decide that soon."""
    try:
        return with_growing_budget(lambda: violations().is_empty(), operations, patience=patience)
    except OutOfBudget:
        return None


def with_growing_budget(
    work: Callable[[], T], operations: int = BUDGET, first: int = FIRST, patience: float = _PATIENCE
) -> T:
    """Returns the result of some work of isl within this many operations. Raises OutOfBudget.

    The first attempt has `first` operations; the last attempts are skipped if the first ones show that they would take
    too long."""
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
    """A point of a non-empty set, and whether it is the smallest. Raises OutOfBudget."""
    try:
        smallest = with_growing_budget(lambda: smallest_point(violations), min(operations, SEARCH))
    except OutOfBudget:
        return with_growing_budget(lambda: any_point(violations), operations), False
    assert smallest is not None
    return smallest, True
