"""One axis after the other: each is tried whole, with the best that is known of the others."""

from dataclasses import dataclass
from random import Random

from alphaz.tuning.search import Asking
from alphaz.tuning.space import Space


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """Ends when a round over all axes has found nothing better: a point that no single change improves."""

    name: str = "orthogonal"
    summary: str = "one choice after the other, the rest as good as is known"

    def over(self, space: Space, random: Random) -> Asking:
        best = space.usual
        least = yield best
        better = True
        while better:
            better = False
            for at, length in enumerate(space.shape):
                for value in range(length):
                    point = (*best[:at], value, *best[at + 1 :])
                    cost = least if point == best else (yield point)
                    if cost < least:
                        best, least, better = point, cost, True
