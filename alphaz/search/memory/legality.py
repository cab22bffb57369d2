"""Legality of memory maps, alone and together, from the conflicts; results are cached."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from alphaz.legality.conflicts import Conflicts
from alphaz.mapping.factors import is_parametric
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof.discharge import with_growing_budget
from alphaz.search.memory.lattices import ReuseVector
from alphaz.search.memory.set_sizes import growth_directions
from alphaz.search.memory.space_formats import cell_of

_RAY = "growing"
# Budget of isl operations for one query: most take less than 10^4.
_BUDGET = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Legality:
    """Checks maps against `conflicts`. An answer that isl does not decide counts as not legal.

    `stricter` has a superset of the conflicts in simpler form: a map that is legal for it is legal."""

    conflicts: Conflicts
    stricter: "Legality | None" = None
    _reuse: dict[str, ReuseVector] = field(default_factory=dict, repr=False)
    _verdicts: dict[tuple[MemoryMap, MemoryMap], bool] = field(default_factory=dict, repr=False)

    def reuse(self, variable: str) -> ReuseVector:
        if variable not in self._reuse:
            self._reuse[variable] = ReuseVector.of(self.conflicts.differences(variable))
        return self._reuse[variable]

    def least_degree(self, variable: str) -> int:
        """Returns a lower bound of the degree in the parameters of the cells of the variable, for any affine map.

        The order of tiles of given sizes is left out: it makes the sets too hard for this test."""
        reuse = self.reuse(variable)
        if self._simple.orders != self.conflicts.orders:
            reuse = ReuseVector.of(self._simple.differences(variable))
        return reuse.growing_conflict_dimension(growth_directions(self.conflicts.operations.system, _RAY), _RAY)

    def least_degree_within(self, variable: str, part: Domain) -> int:
        """Returns the lower bound for the values in a part of the domain alone."""
        reuse = ReuseVector.of(self._simple.differences_within(variable, part))
        return reuse.growing_conflict_dimension(growth_directions(self.conflicts.operations.system, _RAY), _RAY)

    @property
    def _simple(self) -> Conflicts:
        return self.conflicts.under(*(order for order in self.conflicts.orders if not order.axes))

    def alone(self, entry: MemoryMap) -> bool:
        """Returns True if no two conflicting values of the variable share a cell."""
        key = (entry, entry)
        if key not in self._verdicts:
            easily = self.stricter is not None and self.stricter.alone(entry)
            self._verdicts[key] = easily or self._is_alone(entry)
        return self._verdicts[key]

    def can_share(self, one: MemoryMap, other: MemoryMap) -> bool:
        """Returns True if no conflicting values of two variables share a cell."""
        key = (one, other) if one.variable < other.variable else (other, one)
        if key not in self._verdicts:
            easily = self.stricter is not None and self.stricter.can_share(*key)
            self._verdicts[key] = easily or self._is_together(*key)
        return self._verdicts[key]

    def clashes(self, one: MemoryMap, other: MemoryMap) -> Iterator[Domain]:
        """Returns the conflicting values of two variables that would share a cell."""
        return self._clashes(self.conflicts, one, other)

    def _clashes(self, conflicts: Conflicts, one: MemoryMap, other: MemoryMap) -> Iterator[Domain]:
        system = conflicts.operations.system
        return conflicts.collisions(cell_of(system, one), cell_of(system, other))

    def _is_together(self, one: MemoryMap, other: MemoryMap) -> bool:
        pairs = zip(one.moduli, other.moduli, strict=False)
        if any(
            own_name != other_name and (is_parametric(own_name) or is_parametric(other_name))
            for own_name, other_name in pairs
        ):
            return False
        # The simplest order comes first: a clash under it needs no further check.
        return all(self._is_apart(self.conflicts.under(order), one, other) for order in self.conflicts.orders)

    def _is_apart(self, conflicts: Conflicts, one: MemoryMap, other: MemoryMap) -> bool:
        # The conflicts are made first, with a budget of their own.
        conflicts.between(one.variable, other.variable)
        try:
            return with_growing_budget(lambda: next(self._clashes(conflicts, one, other), None) is None, _BUDGET)
        except OutOfBudget:
            return False

    def _is_alone(self, entry: MemoryMap) -> bool:
        cell = cell_of(self.conflicts.operations.system, entry)
        names = cell.function.domain.names
        rows = [tuple(output.coefficient(name) for name in names) for output in cell.function.outputs]
        reuse = self.reuse(entry.variable)
        try:
            return with_growing_budget(lambda: reuse.allows_map(rows, cell.moduli), _BUDGET)
        except OutOfBudget:
            return False
