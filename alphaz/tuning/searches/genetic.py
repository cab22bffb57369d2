"""A population of points: the better of two is a parent, children mix two parents and change a little, the best stays.

Source: Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), section 5.4 (a
genetic search that begins at the greedy choice, which here is the script as it stands).
"""

from dataclasses import dataclass
from random import Random

from alphaz.tuning.search import Asking
from alphaz.tuning.space import Point, Space

Rated = list[tuple[float, Point]]


@dataclass(frozen=True, slots=True)
class Genetic:
    """`population` points in each generation; `patience` generations without a point that is new end it."""

    name: str = "genetic"
    summary: str = "a population that begins at the script as it stands"
    population: int = 10
    patience: int = 20

    def over(self, space: Space, random: Random) -> Asking:
        points = [space.usual]
        for _ in range(self.population - 1):
            changed = space.usual
            for _ in range(3):
                changed = _mutated(changed, space, random)
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


def _child(rated: Rated, space: Space, random: Random) -> Point:
    one, other = _parent(rated, random), _parent(rated, random)
    mixed = tuple(random.choice(pair) for pair in zip(one, other, strict=True))
    return _mutated(mixed, space, random)


def _parent(rated: Rated, random: Random) -> Point:
    """The better of two (a binary tournament)."""
    return min(random.choice(rated), random.choice(rated))[1]


def _mutated(point: Point, space: Space, random: Random) -> Point:
    """One axis goes a step up or down, or anywhere."""
    at = random.randrange(len(point))
    length = space.shape[at]
    step = random.choice((-1, 1))
    value = min(max(point[at] + step, 0), length - 1) if random.random() < 0.7 else random.randrange(length)
    return (*point[:at], value, *point[at + 1 :])
