"""Search methods over a space of mappings: exhaustive, random, one axis after the other, genetic, learned."""

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import floor, inf, log
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from alphaz.tuning.space import Point, SearchAxis, SearchSpace

# A generator of points, which receives the cost of each, infinite for an illegal mapping.
Asking = Generator[Point, float, None]


class Search(Protocol):
    """A search method with a `summary` for documentation."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    def over(self, space: SearchSpace, random: Random) -> Asking:
        """Returns the points, the script as it stands first. A repeated point costs nothing."""


# The probability of considering rare axes, and that of changing one of them.
_LOOKED, _CHANGED = 0.4, 0.3


def any_point(space: SearchSpace, random: Random) -> Point:
    """Returns a random point."""
    changed = _CHANGED if random.random() < _LOOKED else 0.0
    return tuple(
        axis.usual if axis.is_rare and random.random() >= changed else random.randrange(len(axis.alternatives))
        for axis in space.axes
    )


@dataclass(frozen=True, slots=True)
class Exhaustive:
    name: str = "exhaustive"
    summary: str = "every mapping, in order"

    def over(self, space: SearchSpace, random: Random) -> Asking:
        yield space.usual
        yield from (point for point in space.points())


@dataclass(frozen=True, slots=True)
class Sampling:
    name: str = "random"
    summary: str = "mappings by chance"

    def over(self, space: SearchSpace, random: Random) -> Asking:
        yield space.usual
        seen = {space.usual}
        while len(seen) < space.size:
            point = any_point(space, random)
            if point not in seen:
                seen.add(point)
                yield point


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """One axis after the other. It ends when a round over all axes finds no improvement: a point that no single change
    improves."""

    name: str = "orthogonal"
    summary: str = "one choice after the other, the rest as good as is known"

    def over(self, space: SearchSpace, random: Random) -> Asking:
        best = space.usual
        least = yield best
        better = True
        while better:
            better = False
            for position, length in enumerate(space.shape):
                for value in range(length):
                    point = (*best[:position], value, *best[position + 1 :])
                    cost = least if point == best else (yield point)
                    if cost < least:
                        best, least, better = point, cost, True


Rated = list[tuple[float, Point]]


@dataclass(frozen=True, slots=True)
class Genetic:
    """A genetic search with `population` points in each generation; it ends after `patience` generations without a new
    point."""

    name: str = "genetic"
    summary: str = "a population that begins at the script as it stands"
    population: int = 10
    patience: int = 20

    def over(self, space: SearchSpace, random: Random) -> Asking:
        points = [space.usual]
        for _ in range(self.population - 1):
            changed = space.usual
            for _ in range(3):
                changed = _mutate(changed, space, random)
            points.append(changed)
        seen: set[Point] = set()
        idle = 0
        while idle < self.patience:
            rated: Rated = []
            idle = idle + 1 if seen.issuperset(points) else 0
            seen.update(points)
            for point in points:
                cost = yield point
                rated.append((cost, point))
            points = [min(rated)[1], *(_child(rated, space, random) for _ in range(self.population - 1))]


def _child(rated: Rated, space: SearchSpace, random: Random) -> Point:
    one, other = _parent(rated, random), _parent(rated, random)
    mixed = tuple(random.choice(pair) for pair in zip(one, other, strict=True))
    return _mutate(mixed, space, random)


def _parent(rated: Rated, random: Random) -> Point:
    """The better of two (a binary tournament)."""
    return min(random.choice(rated), random.choice(rated))[1]


def _mutate(point: Point, space: SearchSpace, random: Random) -> Point:
    """The point with one axis changed by a step, or randomly."""
    at = random.randrange(len(point))
    length = space.shape[at]
    step = random.choice((-1, 1))
    value = min(max(point[at] + step, 0), length - 1) if random.random() < 0.7 else random.randrange(length)
    return (*point[:at], value, *point[at + 1 :])


# The number of random points of larger spaces that are predicted.
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Learned:
    """A learned model: `sample` points train it (regression by extremely randomised trees, of scikit-learn) for the
    logarithm of the cost; then `best` of its recommendations are tried. Needs the extra `tune`."""

    name: str = "learned"
    summary: str = "a model learns from a sample, and says which are worth a run"
    sample: int = 24
    best: int = 100

    def over(self, space: SearchSpace, random: Random) -> Asking:
        from sklearn.ensemble import ExtraTreesRegressor  # noqa: PLC0415 - an extra

        figures: dict[Point, float] = {}
        points = [space.usual, *(any_point(space, random) for _ in range(self.sample - 1))]
        for point in dict.fromkeys(points):
            figures[point] = yield point
        taught = [(point, math.log(cost)) for point, cost in figures.items() if 0 < cost < math.inf]
        if not taught:
            return
        model: Any = ExtraTreesRegressor(n_estimators=100, random_state=random.randrange(2**31))
        model.fit([_features(space, point) for point, _ in taught], [cost for _, cost in taught])
        others = [point for point in _candidates(space, random) if point not in figures]
        if not others:
            return
        predicted = model.predict([_features(space, point) for point in others])
        for _, point in islice(sorted(zip(predicted, others, strict=True)), self.best):
            yield point


def _candidates(space: SearchSpace, random: Random) -> list[Point]:
    if space.size <= _MOST:
        return list(space.points())
    return sorted({any_point(space, random) for _ in range(_MOST)})


def _features(space: SearchSpace, point: Point) -> list[float]:
    """Numbers by their logarithm, since sizes act by their ratio; other texts by one feature for each alternative."""
    features: list[float] = []
    for axis, at in zip(space.axes, point, strict=True):
        features += [math.log(int(axis.alternatives[at]))] if _is_number(axis) else _indicator_features(axis, at)
    return features


def _is_number(axis: SearchAxis) -> bool:
    return all(text.isdigit() and int(text) for text in axis.alternatives)


def _indicator_features(axis: SearchAxis, position: int) -> list[float]:
    return [float(position == other) for other in range(len(axis.alternatives))]


# The model does not distinguish costs closer than this; a difference of a tenth is uncertain.
_NEARLY, _DOUBTED = 1.02, 5


def promising(space: SearchSpace, ranked: Sequence[tuple[float, Point]], most: int) -> Asking:
    """Yields the script as it stands; points that may be better under the model, each in another way; then the axes
    that the model ignores, one after the other with the best values so far of the others; then other points. Of the
    `ranked` points with their costs under the model, `most` are tried: the cheapest, and of nearly equal ones the
    plainest."""
    first, rest = _in_order(space, ranked, most)
    best, best_cost = space.usual, (yield space.usual)
    for point in first:
        cost = yield point
        if cost < best_cost:
            best, best_cost = point, cost
    for position, axis in enumerate(space.axes):
        for value in range(len(axis.alternatives)) if axis.is_fine else ():
            point = (*best[:position], value, *best[position + 1 :])
            cost = best_cost if point == best else (yield point)
            if cost < best_cost:
                best, best_cost = point, cost
    for point in rest:
        yield point


def _in_order(
    space: SearchSpace, ranked: Sequence[tuple[float, Point]], most: int
) -> tuple[Sequence[Point], Sequence[Point]]:
    """The plainest of each degree of cost that is not worse than the script as it stands, half of all; and the
    others."""
    usual = next((_degree(cost) for cost, point in ranked if point == space.usual), inf)
    order = sorted(_rate(space, ranked))
    better: dict[float, Point] = {}
    for degree, _, point in order:
        if degree <= usual + _DOUBTED and point != space.usual:
            better.setdefault(degree, point)
    first = list(better.values())[: (most + 1) // 2]
    rest = [point for _, _, point in order if point not in first and point != space.usual]
    return first, rest[: most - len(first)]


def _rate(space: SearchSpace, ranked: Sequence[tuple[float, Point]]) -> Iterator[tuple[float, int, Point]]:
    """The degree of cost, and the number of unusual choices; without unproved points."""
    for cost, point in ranked:
        if cost < inf:
            yield _degree(cost), sum(a != b for a, b in zip(point, space.usual, strict=True)), point


def _degree(cost: float) -> float:
    """The degree of a cost: equal for nearly equal costs."""
    return floor(log(cost) / log(_NEARLY)) if 0 < cost < inf else cost


SEARCHES: Mapping[str, Search] = MappingProxyType(
    {search.name: search for search in (Exhaustive(), Sampling(), Orthogonal(), Genetic(), Learned())}
)
