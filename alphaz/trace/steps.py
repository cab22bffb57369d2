"""Steps: how long the longest chain of operations before each one is.

Leaving parallel components out of the dates would make wavefronts look sequential; here only the order itself counts.
"""

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from alphaz.verify.order.operations import Event, Moment
from alphaz.verify.order.precedence import Order

Pair = tuple[int, int]


def steps(events: Sequence[Event], order: Order, wanted: Iterable[Pair] = ()) -> tuple[int, ...]:
    """The step of each event, and as the last entry that of the end.

    The first of each `wanted` pair comes before the second, though the order does not say so. Where that contradicts
    the order (it is not transitive where statements of different kinds meet) they are left out.
    """
    before = {
        at: {b for b, other in enumerate(events) if _precedes(order, other, each)} for at, each in enumerate(events)
    }
    wished = {at: set(found) for at, found in before.items()}
    for first, second in wanted:
        wished[second].add(first)
    try:
        return _levels(events, wished)
    except CycleError:
        return _levels(events, before)


def _precedes(order: Order, one: Event, two: Event) -> bool:
    """Among dated operations: the start and the end are known."""
    both = one.family.moment is two.family.moment is Moment.DATED
    return both and order.compare(one, two).precedes


def _levels(events: Sequence[Event], before: dict[int, set[int]]) -> tuple[int, ...]:
    found = [0] * len(events)
    for at in TopologicalSorter(before).static_order():
        if events[at].family.moment is Moment.DATED:
            found[at] = 1 + max((found[other] for other in before[at]), default=0)
    end = 1 + max(found, default=0)
    return (*(end if e.family.moment is Moment.END else at for e, at in zip(events, found, strict=True)), end)
