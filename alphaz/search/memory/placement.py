"""A placement: the memory maps of the variables as they are chosen in a search, with the cost in cells."""

from dataclasses import dataclass, field, replace
from math import prod

from alphaz.mapping.factors import value_at
from alphaz.mapping.spaces import is_own, lenders, lives_inside
from alphaz.mapping.statement import Cell
from alphaz.mapping.target_mapping import MemoryMap, TargetMapping
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import AffineFunction
from alphaz.search.memory.set_sizes import Counts, SetSizes, degree
from alphaz.search.memory.space_formats import Formats, cell_of


@dataclass(frozen=True, slots=True)
class Placement:
    """The maps of the variables placed so far, each with a function; in the order of placing."""

    entries: tuple[MemoryMap, ...] = ()

    def of(self, variable: str) -> MemoryMap:
        """Returns the map of a variable. Raises KeyError if it is not placed."""
        for entry in self.entries:
            if entry.variable == variable:
                return entry
        raise KeyError(variable)

    def with_entry(self, entry: MemoryMap) -> "Placement":
        others = (e for e in self.entries if e.variable != entry.variable)
        return Placement((*others, entry))

    def has(self, variable: str) -> bool:
        return any(entry.variable == variable for entry in self.entries)

    @property
    def spaces(self) -> dict[str, tuple[MemoryMap, ...]]:
        memory_maps: dict[str, tuple[MemoryMap, ...]] = {}
        for entry in self.entries:
            memory_maps[entry.space] = (*memory_maps.get(entry.space, ()), entry)
        return memory_maps

    def script_maps(self, system: System) -> tuple[MemoryMap, ...]:
        """Returns the maps that a script has to state: all except identity maps into a space of the variable's own."""
        return tuple(e for e in self.entries if not (e.space == e.variable and is_own(cell_of(system, e))))


def default_map(variable: Variable) -> MemoryMap:
    """Returns the default map of a variable."""
    return MemoryMap(variable.name, variable.name, AffineFunction.identity(variable.domain.space))


def given_map(variable: Variable, stated: TargetMapping) -> MemoryMap:
    """Returns the stated map of a variable, or its default map."""
    entry = stated.memory_of(variable.name)
    if entry is None:
        return default_map(variable)
    return entry if entry.function is not None else replace(entry, function=default_map(variable).function)


@dataclass(frozen=True, slots=True)
class MemoryCost:
    """The allocated cells at the samples, without the arrays of the caller; and the number of spaces whose cells grow
    with the power 6, 5, .. 1 of the parameters."""

    cells: Counts = ()
    powers: tuple[int, ...] = (0,) * 6

    @property
    def largest(self) -> tuple[int, int]:
        """Returns the highest degree, and the number of spaces with it."""
        return next(
            ((len(self.powers) - position, spaces) for position, spaces in enumerate(self.powers) if spaces), (0, 0)
        )


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """Computes costs of spaces in their `formats`; results are cached. Variables may live in the arrays of outputs, and
    in those of inputs that are `overwritable`."""

    formats: Formats
    overwritable: frozenset[str] = frozenset()
    _spaces: dict[tuple[MemoryMap, ...], Counts | None] = field(default_factory=dict, repr=False)
    _inside: dict[tuple[MemoryMap, str], bool] = field(default_factory=dict, repr=False)

    @property
    def sizes(self) -> SetSizes:
        return self.formats.sizes

    @property
    def system(self) -> System:
        return self.sizes.system

    @property
    def plain(self) -> "CostTable":
        """Returns the table without the proposed formats."""
        return CostTable(replace(self.formats, finds=False), self.overwritable)

    def bill(self, placement: Placement) -> "MemoryCost | None":
        """Returns the cost of all spaces; None if a space has infinitely many cells, or is malformed."""
        cost: MemoryCost | None = MemoryCost()
        for together in placement.spaces.values():
            cost = None if cost is None else self._added(cost, (), together)
        return cost

    def bill_with(self, bill: "MemoryCost", placement: Placement, entry: MemoryMap) -> "MemoryCost | None":
        """Returns the cost with one more map, given the cost without it."""
        before = placement.spaces.get(entry.space, ())
        return self._added(bill, before, (*before, entry))

    def _added(
        self, bill: "MemoryCost", before: tuple[MemoryMap, ...], after: tuple[MemoryMap, ...]
    ) -> "MemoryCost | None":
        old, new = self.space(before) if before else (0,) * len(self.sizes.samples), self.space(after)
        if old is None or new is None:
            return None
        total = tuple(b - o + n for b, o, n in zip(bill.cells or (0,) * len(new), old, new, strict=True))
        powers = list(bill.powers)
        for counts, sign in ((old, -1), (new, 1)):
            power = degree(counts)
            if power > 0:
                powers[-min(power, len(powers))] += sign
        return MemoryCost(total, tuple(powers))

    def space(self, together: tuple[MemoryMap, ...]) -> Counts | None:
        """Returns the cells of one space, as the generated code allocates it; empty if the caller owns the array."""
        if together not in self._spaces:
            self._spaces[together] = self._allocated(together)
        return self._spaces[together]

    def _allocated(self, together: tuple[MemoryMap, ...]) -> Counts | None:
        if self._is_callers(together):
            return (0,) * len(self.sizes.samples)
        stored = self.formats.of_space(together)
        return self._box(together) if stored is None else stored.counts(self.sizes.samples)

    def _box(self, together: tuple[MemoryMap, ...]) -> Counts | None:
        cells = [cell_of(self.system, entry) for entry in together]
        if len({len(cell.moduli) for cell in cells}) > 1:
            return None  # arrays of different dimensions cannot share a space
        extents = []
        for position in range(len(cells[0].moduli)):
            extent = self._extent(cells, position)
            if extent is None:
                return None
            extents.append(extent)
        return (
            tuple(prod(extent) for extent in zip(*extents, strict=True)) if extents else (1,) * len(self.sizes.samples)
        )

    def _extent(self, cells: list[Cell], position: int) -> Counts | None:
        factors = {cell.moduli[position] for cell in cells}
        if len(factors) == 1 and 0 not in factors:
            return tuple(value_at(next(iter(factors)), values) for values in self.sizes.samples)
        ranges = []
        for cell in cells:
            factor = cell.moduli[position]
            range_ = self.sizes.ranges(cell.variable, cell.function.outputs[position])
            if range_ is None or not isinstance(factor, int):
                return None
            ranges.append([(0, factor - 1) for _ in range_] if factor else range_)
        columns = [[(low, high) for low, high in column if low <= high] for column in zip(*ranges, strict=True)]
        return tuple(max(h for _, h in c) - min(low for low, _ in c) + 1 if c else 0 for c in columns)

    def _is_callers(self, together: tuple[MemoryMap, ...]) -> bool:
        variables = [self.system.variable(entry.variable) for entry in together]
        if [variable.kind for variable in variables] == [Kind.INPUT]:
            return True
        entries = {entry.variable: entry for entry in together}
        return any(self._owns(entries[lender.name], together) for lender in lenders(variables, self.overwritable))

    def _owns(self, owner: MemoryMap, together: tuple[MemoryMap, ...]) -> bool:
        if not is_own(cell_of(self.system, owner)):
            return False
        return all(self._is_inside(entry, owner.variable) for entry in together if entry is not owner)

    def _is_inside(self, entry: MemoryMap, owner: str) -> bool:
        key = (entry, owner)
        if key not in self._inside:
            variable, array = self.system.variable(entry.variable), self.system.variable(owner)
            self._inside[key] = lives_inside(self.system, cell_of(self.system, entry), variable, array)
        return self._inside[key]
