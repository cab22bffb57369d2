"""What a search is: it asks for the cost of points, one after the other, and learns from the answers.

Who drives it answers, keeps what is known, and ends it; so a search knows neither time nor mappings, and is the same
for the same seed and the same answers.
"""

from collections.abc import Generator
from random import Random
from typing import Protocol

from alphaz.tuning.space import Point, Space

# Points are asked for; the answer is what one costs, infinite where it is no legal mapping.
Asking = Generator[Point, float, None]


class Search(Protocol):
    """One way to search; `summary` is for people."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    def over(self, space: Space, random: Random) -> Asking:
        """The points, the script as it stands first. One that was asked for before costs nothing to ask for again."""


# How often axes that are mostly left alone are looked at, and how often one of them is changed then.
_LOOKED, _CHANGED = 0.4, 0.3


def any_point(space: Space, random: Random) -> Point:
    """By chance."""
    changed = _CHANGED if random.random() < _LOOKED else 0.0
    return tuple(
        axis.usual if axis.is_rare and random.random() >= changed else random.randrange(len(axis.alternatives))
        for axis in space.axes
    )
