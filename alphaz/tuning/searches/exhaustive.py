"""All points."""

from dataclasses import dataclass
from random import Random

from alphaz.tuning.search import Asking
from alphaz.tuning.space import Space


@dataclass(frozen=True, slots=True)
class Exhaustive:
    name: str = "exhaustive"
    summary: str = "every mapping, in order"

    def over(self, space: Space, random: Random) -> Asking:
        yield space.usual
        yield from (point for point in space.points())
