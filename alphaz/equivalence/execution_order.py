"""Execution order as C and OpenMP guarantee it, by the text alone, with the caller first and last."""

from functools import lru_cache

from alphaz.equivalence.participant import Participant
from alphaz.order.happens_before import Conjunction, OrderCase, Verdict
from alphaz.order.kernel_order import statement_order

Relation = tuple[Conjunction, ...]

EVER: Relation = ((),)
NEVER: Relation = ()


def before(one: Participant, other: Participant) -> Relation:
    """Returns the pairs in which the instance of `one` ends before that of `other` begins."""
    if one.is_start or other.is_end:
        return EVER
    if one.is_end or other.is_start:
        return NEVER
    return tuple(case.where for case in _cases(one, other) if case.verdict is Verdict.BEFORE)


def not_before(one: Participant, other: Participant) -> Relation:
    """Returns all other pairs: `one` comes later, the order is open, or they are one instance."""
    if one.is_start or other.is_end:
        return NEVER
    if one.is_end or other.is_start:
        return EVER
    return tuple(case.where for case in _cases(one, other) if case.verdict is not Verdict.BEFORE)


def unordered(one: Participant, other: Participant) -> tuple[tuple[Conjunction, int], ...]:
    """Returns the pairs that may happen at once, each with the component of the dates that leaves them unordered."""
    return tuple(
        (case.where, case.cause)
        for case in _cases(one, other)
        if case.verdict is Verdict.UNORDERED and case.cause is not None
    )


@lru_cache(maxsize=4096)
def _cases(one: Participant, other: Participant) -> tuple[OrderCase, ...]:
    assert one.statement is not None
    assert other.statement is not None
    return statement_order(one.statement, other.statement, one.names, other.names)
