"""Sharing of memory spaces: branch and bound over the options of one variable after the other.

The cost of a placement only grows with each further variable, so a branch that is no cheaper than the best known
placement is cut. The first placements take the cheapest option for each variable, in the order of the variables and in
the opposite order (arrays that alternate from the first to the last, or from the last to the first)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from time import process_time

from alphaz.search.memory.legality import Legality
from alphaz.search.memory.placement import CostTable, MemoryCost, Placement
from alphaz.search.memory.placement_options import Option, PlacementOptions

Price = tuple[object, ...]


class Objective(StrEnum):
    """The quantity that is minimised first: `speed` accepts more cells for accesses to neighbouring elements, `size`
    does not."""

    SPEED = "speed"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Placed:
    """A complete or partial placement with its costs."""

    placement: Placement
    bill: MemoryCost
    bad: float = 0.0
    odd: float = 0.0
    spread: int = 0
    touched: int = 0

    def price(self, objective: Objective) -> Price:
        """Returns the key by which placements are compared."""
        if objective is Objective.SIZE:
            return (self.bill.powers, self.bill.cells[2:], self.bad, self.odd)
        return (self.bill.largest, self.bad, self.spread, self.touched, self.bill.powers, self.bill.cells[2:], self.odd)


@dataclass(slots=True)
class SharingSearch:
    """Extends a placement of some variables to all: `variables` are the options of the rest. `best` are the placements
    found, each cheaper than the one before. `complete`: no option leads to a cheaper one. `is_interrupted`: the
    search stops."""

    legality: Legality
    prices: CostTable
    objective: Objective
    start: Placement
    variables: Sequence[PlacementOptions]
    best: list[Placed] = field(default_factory=list)
    complete: bool = False
    is_interrupted: bool = False

    def begin(self) -> None:
        """Finds the first placements; this step is never interrupted."""
        self._try(self.variables, -inf)
        self._try(self.variables[::-1], -inf)
        self.complete = False

    def finish(self, end: float) -> None:
        """Searches until `end` (by `process_time`), or until all branches are visited."""
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
        """Returns True if all branches that could be cheaper than the best were tried. After `end` it tries only the
        cheapest option of each variable."""
        if not waiting:
            self.best.append(placed)
            return True
        for option in self._cheapest_first(placed, waiting[0]):
            if not self._is_cheaper(option):
                return True
            if self._is_legal(option, waiting[0].variable.name):
                whole = self._place(option, waiting[1:], end)
                if not whole or process_time() > end:
                    return False
        return True

    def _is_cheaper(self, placed: Placed) -> bool:
        """Returns True if it is cheaper than the best known placement, even if the remaining variables cost nothing."""
        return not self.best or placed.price(self.objective) < self.best[-1].price(self.objective)

    def _cheapest_first(self, placed: Placed, options: PlacementOptions) -> list[Placed]:
        tried = (self._with(placed, o) for o in (*options.own(), *options.shared(placed.placement)))
        priced = [candidate for candidate in tried if candidate is not None]
        return sorted(priced, key=lambda option: option.price(self.objective))

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
        return all(self.legality.can_share(entry, other) for other in others)
