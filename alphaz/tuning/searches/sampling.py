"""Points by chance."""

from dataclasses import dataclass
from random import Random

from alphaz.tuning.search import Asking, any_point
from alphaz.tuning.space import Space


@dataclass(frozen=True, slots=True)
class Sampling:
    name: str = "random"
    summary: str = "mappings by chance"

    def over(self, space: Space, random: Random) -> Asking:
        yield space.usual
        seen = {space.usual}
        while len(seen) < space.size:
            point = any_point(space, random)
            if point not in seen:
                seen.add(point)
                yield point
