"""Whether maps are legal, alone and together: asked of the conflicts, and remembered."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from alphaz.legality.conflicts import Conflicts
from alphaz.mapping.factors import is_parametric
from alphaz.mapping.target import MemoryMap
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof.discharge import patiently
from alphaz.search.memory.cells import cell_of
from alphaz.search.memory.lattices import ReuseVector
from alphaz.search.memory.sizes import rays

_RAY = "growing"
# isl operations for one question: most take less than 10^4.
_BUDGET = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Legality:
    """What `conflicts` say of maps. What isl does not decide is not legal.

    `stricter` has conflicts that are more and simpler: what it allows is legal.
    """

    conflicts: Conflicts
    stricter: "Legality | None" = None
    _reuse: dict[str, ReuseVector] = field(default_factory=dict, repr=False)
    _known: dict[tuple[MemoryMap, MemoryMap], bool] = field(default_factory=dict, repr=False)

    def reuse(self, variable: str) -> ReuseVector:
        if variable not in self._reuse:
            self._reuse[variable] = ReuseVector.of(self.conflicts.differences(variable))
        return self._reuse[variable]

    def least_degree(self, variable: str) -> int:
        """The power of the parameters with which the cells of the variable grow at least, for any affine map.

        The numbers of tiles of given sizes make sets too hard for this: their order is left out.
        """
        reuse = self.reuse(variable)
        if self._simple.orders != self.conflicts.orders:
            reuse = ReuseVector.of(self._simple.differences(variable))
        return reuse.clique(rays(self.conflicts.operations.system, _RAY), _RAY)

    def least_degree_within(self, variable: str, part: Domain) -> int:
        """The same of the values in a part of its domain alone."""
        reuse = ReuseVector.of(self._simple.differences_within(variable, part))
        return reuse.clique(rays(self.conflicts.operations.system, _RAY), _RAY)

    @property
    def _simple(self) -> Conflicts:
        return self.conflicts.under(*(order for order in self.conflicts.orders if not order.axes))

    def alone(self, entry: MemoryMap) -> bool:
        """Whether no two conflicting values of the variable have one cell."""
        key = (entry, entry)
        if key not in self._known:
            easily = self.stricter is not None and self.stricter.alone(entry)
            self._known[key] = easily or self._is_alone(entry)
        return self._known[key]

    def together(self, one: MemoryMap, other: MemoryMap) -> bool:
        """Whether no conflicting values of two variables have one cell."""
        key = (one, other) if one.variable < other.variable else (other, one)
        if key not in self._known:
            easily = self.stricter is not None and self.stricter.together(*key)
            self._known[key] = easily or self._is_together(*key)
        return self._known[key]

    def clashes(self, one: MemoryMap, other: MemoryMap) -> Iterator[Domain]:
        """The conflicting values of two variables that would have one cell."""
        return self._clashes(self.conflicts, one, other)

    def _clashes(self, conflicts: Conflicts, one: MemoryMap, other: MemoryMap) -> Iterator[Domain]:
        system = conflicts.operations.system
        return conflicts.collisions(cell_of(system, one), cell_of(system, other))

    def _is_together(self, one: MemoryMap, other: MemoryMap) -> bool:
        pairs = zip(one.moduli, other.moduli, strict=False)
        if any(mine != theirs and (is_parametric(mine) or is_parametric(theirs)) for mine, theirs in pairs):
            return False
        # The simplest order comes first: what clashes under it needs no other.
        return all(self._is_apart(self.conflicts.under(order), one, other) for order in self.conflicts.orders)

    def _is_apart(self, conflicts: Conflicts, one: MemoryMap, other: MemoryMap) -> bool:
        # The conflicts are made first, with a budget of their own.
        conflicts.between(one.variable, other.variable)
        try:
            return patiently(lambda: next(self._clashes(conflicts, one, other), None) is None, _BUDGET)
        except OutOfBudget:
            return False

    def _is_alone(self, entry: MemoryMap) -> bool:
        cell = cell_of(self.conflicts.operations.system, entry)
        names = cell.function.domain.names
        rows = [tuple(output.coefficient(name) for name in names) for output in cell.function.outputs]
        reuse = self.reuse(entry.variable)
        try:
            return patiently(lambda: reuse.allows_map(rows, cell.moduli), _BUDGET)
        except OutOfBudget:
            return False
