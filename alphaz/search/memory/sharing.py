"""Who lives with whom: branch and bound over the options of one variable after the other.

The price of a placement only grows when a variable more is placed, so a branch that is no cheaper than what is known
already is left out. The first placements are those of always taking the cheapest option, in the order of the variables
and in the opposite one (arrays that take turns from the first to the last, or from the last to the first).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from time import process_time
from typing import Any

from alphaz.search.memory.legality import Legality
from alphaz.search.memory.options import Option, PlacementOptions
from alphaz.search.memory.placement import CostTable, MemoryCost, Placement

Price = tuple[Any, ...]


class Objective(StrEnum):
    """What is made small first: `speed` lets go of cells for accesses to neighbouring elements, `size` does not."""

    SPEED = "speed"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Placed:
    """A placement that was found: what it costs, and what its accesses and its maps look like."""

    placement: Placement
    bill: MemoryCost
    bad: float = 0.0
    odd: float = 0.0
    spread: int = 0
    touched: int = 0

    def price(self, objective: Objective) -> Price:
        """What is compared."""
        if objective is Objective.SIZE:
            return (self.bill.powers, self.bill.cells[2:], self.bad, self.odd)
        return (self.bill.largest, self.bad, self.spread, self.touched, self.bill.powers, self.bill.cells[2:], self.odd)


@dataclass(slots=True)
class SharingSearch:
    """From a placement of some variables to those of all: `variables` are the options of the others. `best` are the
    placements found, each cheaper than the one before. `complete`: none of the options leads to a cheaper one.
    `is_interrupted`: nothing more is looked for.
    """

    legality: Legality
    prices: CostTable
    objective: Objective
    start: Placement
    variables: Sequence[PlacementOptions]
    best: list[Placed] = field(default_factory=list)
    complete: bool = False
    is_interrupted: bool = False

    def begin(self) -> None:
        """The first placements, which are always finished."""
        self._try(self.variables, -inf)
        self._try(self.variables[::-1], -inf)
        self.complete = False

    def finish(self, end: float) -> None:
        """Until `end` (by `process_time`), or until nothing is left to be tried."""
        if not self.complete:
            self._try(self.variables, end)

    def _try(self, variables: Sequence[PlacementOptions], end: float) -> None:
        bill = self.prices.bill(self.start)
        if bill is None or self.is_interrupted:
            return
        try:
            self.complete = self._place(Placed(self.start, bill), variables, end)
        except KeyboardInterrupt:
            self.is_interrupted, self.complete = True, False

    def _place(self, placed: Placed, waiting: Sequence[PlacementOptions], end: float) -> bool:
        """Whether everything was tried that could be cheaper than the best. After `end` the cheapest option of each
        variable is.
        """
        if not waiting:
            self.best.append(placed)
            return True
        for each in self._cheapest_first(placed, waiting[0]):
            if not self._is_cheaper(each):
                return True
            if self._is_legal(each, waiting[0].variable.name):
                whole = self._place(each, waiting[1:], end)
                if not whole or process_time() > end:
                    return False
        return True

    def _is_cheaper(self, placed: Placed) -> bool:
        """Than the best that is known, where everything that is still to be placed costs nothing."""
        return not self.best or placed.price(self.objective) < self.best[-1].price(self.objective)

    def _cheapest_first(self, placed: Placed, options: PlacementOptions) -> list[Placed]:
        tried = (self._with(placed, o) for o in (*options.own(), *options.shared(placed.placement)))
        known = [each for each in tried if each is not None]
        return sorted(known, key=lambda each: each.price(self.objective))

    def _with(self, placed: Placed, option: Option) -> Placed | None:
        """None where infinitely many cells would be needed."""
        bill = self.prices.bill_with(placed.bill, placed.placement, option.entry)
        if bill is None:
            return None
        return Placed(
            placement=placed.placement.with_entry(option.entry),
            bill=bill,
            bad=placed.bad + option.bad,
            odd=placed.odd + option.odd,
            spread=placed.spread + option.spread,
            touched=placed.touched + option.touched,
        )

    def _is_legal(self, placed: Placed, variable: str) -> bool:
        entry = placed.placement.of(variable)
        if not self.legality.alone(entry):
            return False
        others = (e for e in placed.placement.spaces[entry.space] if e.variable != variable)
        return all(self.legality.together(entry, other) for other in others)
