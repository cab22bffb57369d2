"""Who lives with whom: branch and bound over the options of one variable after the other.

The price of a placement only grows when a variable more is placed, so a branch that is no cheaper than what is known
already is left out. The first placement is that of always taking the cheapest option.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any

from alphaz.storage.legality import Legality
from alphaz.storage.options import Option, Options
from alphaz.storage.placement import Placement, Prices

Price = tuple[Any, ...]


class Objective(StrEnum):
    """What is made small first: `speed` lets go of cells for accesses to neighbouring elements, `size` does not."""

    SPEED = "speed"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Placed:
    """A placement that was found, with what its accesses and its maps look like."""

    placement: Placement
    bad: float = 0.0
    odd: float = 0.0

    def with_option(self, option: Option) -> "Placed":
        return Placed(self.placement.with_entry(option.entry), self.bad + option.bad, self.odd + option.odd)


@dataclass(slots=True)
class Search:
    """`best` are the placements found, each cheaper than the one before. `complete`: no option was left out."""

    legality: Legality
    prices: Prices
    objective: Objective
    end: float
    best: list[Placed] = field(default_factory=list)
    complete: bool = True

    def run(self, start: Placement, variables: Sequence[Options]) -> None:
        """Whoever interrupts a search gets what was found, if there is something."""
        try:
            self._place(Placed(start), variables)
        except KeyboardInterrupt:
            if not self.best:
                raise
            self.complete = False

    def price(self, placed: Placed) -> Price | None:
        """What is compared; None where it needs infinitely many cells."""
        total = self.prices.total(placed.placement)
        if total is None:
            return None
        powers = self.prices.by_degree(placed.placement)
        if self.objective is Objective.SIZE:
            return (powers, total[2], placed.bad, placed.odd)
        return (powers, placed.bad, total[2], placed.odd)

    def _place(self, placed: Placed, waiting: Sequence[Options]) -> None:
        if not waiting:
            self.best.append(placed)
            return
        for each in self._cheapest_first(placed, waiting[0]):
            if self.best and monotonic() > self.end:
                self.complete = False
                return
            if not self._is_cheaper(each):
                return
            if self._is_legal(each, waiting[0].variable.name):
                self._place(each, waiting[1:])

    def _is_cheaper(self, placed: Placed) -> bool:
        """Than the best that is known, where everything that is still to be placed costs nothing."""
        price = self.price(placed)
        if price is None:
            return False
        known = self.price(self.best[-1]) if self.best else None
        return known is None or price < known

    def _cheapest_first(self, placed: Placed, options: Options) -> Iterator[Placed]:
        tried = [placed.with_option(o) for o in (*options.own(), *options.shared(placed.placement))]
        priced = [(self.price(each), each) for each in tried]
        known = [(price, each) for price, each in priced if price is not None]
        yield from (each for _, each in sorted(known, key=lambda pair: pair[0]))

    def _is_legal(self, placed: Placed, variable: str) -> bool:
        entry = placed.placement.of(variable)
        if not self.legality.alone(entry):
            return False
        others = (e for e in placed.placement.spaces[entry.space] if e.variable != variable)
        return all(self.legality.together(entry, other) for other in others)
