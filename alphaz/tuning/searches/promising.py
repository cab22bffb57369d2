"""What the model puts first, and what it does not see."""

from collections.abc import Iterator, Sequence
from math import floor, inf, log

from alphaz.tuning.search import Asking
from alphaz.tuning.space import Point, Space

# The model does not tell apart what costs so nearly the same; of what costs a tenth more it is not sure.
_NEARLY, _DOUBTED = 1.02, 5


def promising(space: Space, ranked: Sequence[tuple[float, Point]], most: int) -> Asking:
    """The script as it stands; points that may be better by the model, each in another way; then the axes that it does
    not see, one after the other with the best so far of the others; then other points. Of the points with what they
    cost by the model, which are given, `most` are asked for: the cheapest, and of those nearly alike the plainest.
    """
    first, rest = _in_order(space, ranked, most)
    best, least = space.usual, (yield space.usual)
    for point in first:
        cost = yield point
        if cost < least:
            best, least = point, cost
    for at, axis in enumerate(space.axes):
        for value in range(len(axis.alternatives)) if axis.is_fine else ():
            point = (*best[:at], value, *best[at + 1 :])
            cost = least if point == best else (yield point)
            if cost < least:
                best, least = point, cost
    for point in rest:
        yield point


def _in_order(
    space: Space, ranked: Sequence[tuple[float, Point]], most: int
) -> tuple[Sequence[Point], Sequence[Point]]:
    """The plainest of each degree of cost that is not worse than the script as it stands, half of all; and others."""
    usual = next((_degree(cost) for cost, point in ranked if point == space.usual), inf)
    order = sorted(_rated(space, ranked))
    better: dict[float, Point] = {}
    for degree, _, point in order:
        if degree <= usual + _DOUBTED and point != space.usual:
            better.setdefault(degree, point)
    first = list(better.values())[: (most + 1) // 2]
    rest = [point for _, _, point in order if point not in first and point != space.usual]
    return first, rest[: most - len(first)]


def _rated(space: Space, ranked: Sequence[tuple[float, Point]]) -> Iterator[tuple[float, int, Point]]:
    """Degree of cost, and how many choices are not the usual ones; without what is not proved."""
    for cost, point in ranked:
        if cost < inf:
            yield _degree(cost), sum(a != b for a, b in zip(point, space.usual, strict=True)), point


def _degree(cost: float) -> float:
    """Equal for what costs nearly the same."""
    return floor(log(cost) / log(_NEARLY)) if 0 < cost < inf else cost
