"""Cells of memory maps, and the smallest storage format of a memory space: box, packed, or by diagonals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod

from alphaz.diagnostics import Rejected
from alphaz.mapping.spaces import is_own, lives_inside
from alphaz.mapping.statement import Cell
from alphaz.mapping.storage_formats import Layout, layout_of
from alphaz.mapping.target_mapping import Format, MemoryMap, StorageFormat, Tightness
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import value_of
from alphaz.search.memory.set_sizes import Counts, SetSizes, Values


def cell_of(system: System, entry: MemoryMap) -> Cell:
    """Returns the cell of a memory map, with the names of the declaration."""
    names = system.variable(entry.variable).domain.space.names
    assert entry.function is not None
    function = entry.function.renamed(names)
    return Cell(entry.variable, entry.space, function, entry.moduli or (0,) * len(function.outputs))


_TRIED = (Format(Tightness.PACKED), Format(Tightness.BANDED))


@dataclass(frozen=True, slots=True)
class Stored:
    """A format of a variable, and its layout."""

    entry: StorageFormat
    layout: Layout

    def counts(self, samples: Sequence[Values]) -> Counts:
        """Returns the number of elements of the array."""
        extents = self.layout.extents
        return tuple(prod(max(0, value_of(extent, values)) for extent in extents) for values in samples)


@dataclass(frozen=True, slots=True, eq=False)
class Formats:
    """Formats of variables with the fewest elements at `sizes`: `given` by the script or, with `wanted`, found, if they
    have fewer elements than the box. Results are cached."""

    sizes: SetSizes
    entries: tuple[StorageFormat, ...] = ()
    finds: bool = False
    _formats: dict[str, Stored | None] = field(default_factory=dict, init=False, repr=False)

    @property
    def system(self) -> System:
        return self.sizes.system

    def of_space(self, together: tuple[MemoryMap, ...]) -> Stored | None:
        """Returns the format of the array that is allocated for these variables; None if it is a box."""
        if not (self.finds or self.entries) or any(self._variable(e).kind is not Kind.LOCAL for e in together):
            return None
        for entry in together:
            if is_own(cell_of(self.system, entry)):
                stored = self.of(self._variable(entry))
                if stored is not None and self._holds(entry, together):
                    return stored
        return None

    def new_formats(self, spaces: Iterable[tuple[MemoryMap, ...]]) -> tuple[StorageFormat, ...]:
        """Returns the formats of spaces, without the stated ones."""
        formats = (self.of_space(together) for together in spaces)
        return tuple(stored.entry for stored in formats if stored is not None and stored.entry not in self.entries)

    def of(self, variable: Variable) -> Stored | None:
        """Returns the format of a variable; None if it is stored over its bounding box."""
        if variable.name not in self._formats:
            self._formats[variable.name] = self._stored_format(variable)
        return self._formats[variable.name]

    def _stored_format(self, variable: Variable) -> Stored | None:
        entry_ = next((entry for entry in self.entries if entry.variable == variable.name), None)
        if entry_ is not None:
            return self._stored(entry_)
        names = variable.domain.space.names
        if not self.finds or len(names) < 2:
            return None
        tried = (self._stored(StorageFormat(variable.name, format_)) for format_ in _TRIED)
        best = min((format_ for format_ in tried if format_ is not None), key=self._elements, default=None)
        sides = [self.sizes.ranges(variable.name, Affine.name(name)) for name in names]
        box = prod(side[-1][1] - side[-1][0] + 1 for side in sides if side is not None)
        return best if best is not None and self._elements(best) < box else None

    def _stored(self, entry: StorageFormat) -> Stored | None:
        try:
            layout = layout_of(self.system, entry, self.system.variable(entry.variable))
        except Rejected:
            return None
        # A packed band has hardly fewer elements than one stored by diagonals, and costlier positions.
        return None if layout.clamps and entry not in self.entries else Stored(entry, layout)

    def _elements(self, stored: Stored) -> int:
        return stored.counts(self.sizes.samples)[-1]

    def _variable(self, entry: MemoryMap) -> Variable:
        return self.system.variable(entry.variable)

    def _holds(self, host: MemoryMap, together: tuple[MemoryMap, ...]) -> bool:
        others = (entry for entry in together if entry is not host)
        array = self._variable(host)
        return all(lives_inside(self.system, cell_of(self.system, e), self._variable(e), array) for e in others)
