"""Candidate places of a variable, given the places of others: a space of its own, or the space of another variable.

In the space of w, for a variable u: if u reads w[g], in the cells that it reads (updates in place); if w reads u[f], in
the cells of the reader (accumulators); at some of its indices; in the rows of a map of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import islice, permutations, product

from alphaz.mapping.factors import Factor, is_parametric
from alphaz.mapping.spaces import is_closed
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.model.program import Variable
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.poly import Affine, AffineFunction
from alphaz.poly.plain.solve import rank
from alphaz.search.memory.access_strides import Steps
from alphaz.search.memory.lattices import Vector
from alphaz.search.memory.map_candidates import Candidate, MapComponent, bad_accesses, dot, oddness, split
from alphaz.search.memory.placement import Placement, default_map
from alphaz.search.memory.set_sizes import VariableTiles
from alphaz.search.memory.space_formats import cell_of

# Most maps of its own for a variable, and most lattices in the space of another.
_MOST_OWN, _MOST_ALIGNED, _MOST_LATTICES = 3, 4, 12
# Most orders of indices in the space of another: all of up to five.
_MOST_PERMUTED = 120


class _Near(Enum):
    """The cells that a variable takes: its own; those that it reads; those that are written anyway after it was read;
    or others, which no access brings into the cache."""

    OWN = 0
    READ = 1
    WRITTEN = 2
    NOT = 3


@dataclass(frozen=True, slots=True)
class Option:
    """A place with its cost. `bad` and `odd` as in a candidate. `spread`: the number of directions, beyond the
    necessary ones, in which the variable takes cells that would not be written otherwise. `touched`: the number of
    cells that it writes in a tile beyond those of the best map of its own, except for cells that are in the caches
    anyway."""

    entry: MemoryMap
    bad: float
    odd: float
    spread: int = 0
    touched: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class PlacementOptions:
    """The options of one variable; `found` are its own maps, the best first. `timid`: the space of another variable is
    not taken merely because it exists. `is_tight`: at its own points it has a storage format."""

    operations: OperationTable
    variable: Variable
    candidates: tuple[Candidate, ...]
    steps: Steps
    tiles: VariableTiles
    timid: bool
    is_tight: bool = False

    def own(self) -> Iterator[Option]:
        if self.is_tight:
            yield self._option(default_map(self.variable), _Near.OWN)
        for candidate in self.candidates[:_MOST_OWN]:
            entry = candidate.entry(self.variable.name, self.variable.domain.space)
            yield Option(
                entry=entry,
                bad=candidate.bad,
                odd=candidate.odd,
                spread=self._spread(candidate.components),
                touched=self._more(candidate.touched),
            )

    def shared(self, placement: Placement) -> Iterator[Option]:
        """Returns options in the spaces of placed variables with values of the same type."""
        seen: set[MemoryMap] = set()
        for together in placement.spaces.values():
            occupants = [self.operations.system.variable(entry.variable) for entry in together]
            closed = is_closed(occupants, self.operations.mapping.overwritable)
            if closed or any(t.type != self.variable.type for t in occupants):
                continue
            for entry in together:
                for near, option in self._with(entry):
                    if option not in seen:
                        seen.add(option)
                        yield self._option(option, near)

    def suggested(self, occupant: MemoryMap) -> Iterator[MemoryMap]:
        """Returns maps into the space of a variable that it reads, or that reads it."""
        moduli = occupant.moduli if any(occupant.moduli) else ()
        for outputs in (*self._in_place(occupant), *self._collected(occupant)):
            yield self._entry(occupant.space, outputs, moduli)

    def _with(self, occupant: MemoryMap) -> "Iterator[tuple[_Near, MemoryMap]]":
        """Maps into the space of `occupant`, each with the nearness of its cells."""
        moduli = occupant.moduli if any(occupant.moduli) else ()
        for outputs in self._in_place(occupant):
            yield _Near.READ, self._entry(occupant.space, outputs, moduli)
        for outputs in self._collected(occupant):
            yield _Near.WRITTEN, self._entry(occupant.space, outputs, moduli)
        for option in self._elsewhere(occupant):
            yield _Near.NOT, option

    def _elsewhere(self, occupant: MemoryMap) -> Iterator[MemoryMap]:
        moduli = occupant.moduli if any(occupant.moduli) else ()
        assert occupant.function is not None
        width = len(occupant.function.outputs)
        if self.timid and not self._is_as_large(width):
            return
        for chosen in islice(permutations(self.variable.domain.space.names, width), _MOST_PERMUTED):
            yield self._entry(occupant.space, tuple(map(Affine.name, chosen)), moduli)
        for candidate in self.candidates[:_MOST_ALIGNED]:
            entry = candidate.entry(self.variable.name, self.variable.domain.space)
            assert entry.function is not None
            missing = width - len(entry.function.outputs)
            padded = (*entry.moduli, *(moduli or (0,) * width)[len(entry.moduli) :])
            if missing >= 0 and padded == (moduli or (0,) * width):
                yield self._entry(occupant.space, (*entry.function.outputs, *((Affine(),) * missing)), moduli)

    def _is_as_large(self, width: int) -> bool:
        return any(len(candidate.components) >= width for candidate in self.candidates[:1])

    def _entry(self, space: str, outputs: tuple[Affine, ...], moduli: tuple[Factor, ...]) -> MemoryMap:
        return MemoryMap(self.variable.name, space, AffineFunction(self.variable.domain.space, outputs), moduli)

    def _option(self, entry: MemoryMap, near: "_Near") -> Option:
        assert entry.function is not None
        moduli = entry.moduli or (0,) * len(entry.function.outputs)
        names = self.variable.domain.space.names
        pairs = zip(entry.function.outputs, moduli, strict=True)
        components = [MapComponent(tuple(o.coefficient(n) for n in names), m) for o, m in pairs]
        odd = oddness(components, self.steps) + sum(abs(output.constant) for output in entry.function.outputs)
        odd += near is _Near.NOT
        spread = 0 if near is _Near.WRITTEN else self._spread(components)
        return Option(
            entry=entry,
            bad=bad_accesses(components, self.steps),
            odd=odd,
            spread=spread,
            touched=self._more(self.tiles.cells(*split(components))) if near is _Near.NOT else 0,
        )

    def _more(self, touched: int) -> int:
        return max(0, touched - self.candidates[0].touched) if self.candidates else 0

    def _spread(self, components: Sequence[MapComponent]) -> int:
        least = _directions(self.candidates[0].components) if self.candidates else 0
        return max(0, _directions(components) - least)

    # --- as others access it ------------------------------------------------------------------------------------------

    def _in_place(self, occupant: MemoryMap) -> Iterator[tuple[Affine, ...]]:
        """u[z] in the cell of the w[g(z)] that it reads."""
        system, names = self.operations.system, self.variable.domain.space.names
        cell = cell_of(system, occupant)
        for read in self._reads(self.variable.name, occupant.variable):
            if read.reader.target.is_identity and read.at.is_identity:
                index = dict(zip(cell.function.domain.names, read.function.outputs, strict=True))
                here = {old: Affine.name(new) for old, new in zip(read.reader.names, names, strict=True)}
                outputs = tuple(o.substitute(index).substitute(here) for o in cell.function.outputs)
                all_names = {*names, *system.parameters}
                if all(set(o.names) <= all_names for o in outputs):
                    yield outputs

    def _collected(self, occupant: MemoryMap) -> Iterator[tuple[Affine, ...]]:
        """u[f(z)] in the cell of the w[z] that reads it, for the maps that its lattices allow."""
        cell = cell_of(self.operations.system, occupant)
        for read in self._reads(occupant.variable, self.variable.name):
            values = dict(zip(read.reader.names, read.at.outputs, strict=True))
            result = [o.substitute(values) for o in read.reader.target.outputs]
            index = dict(zip(cell.function.domain.names, result, strict=True))
            cell_outputs = [o.substitute(index) for o in cell.function.outputs]
            for candidate in self.candidates[:_MOST_LATTICES]:
                along = [direction for direction, factor in candidate.lattice.generators if factor == 1]
                outputs = [self._row(row, read.function.outputs, read.names, along) for row in cell_outputs]
                if all(output is not None for output in outputs):
                    yield tuple(output for output in outputs if output is not None)

    def _row(
        self, affine: Affine, index: Sequence[Affine], names: Sequence[str], along: Iterable[Vector]
    ) -> Affine | None:
        """The simplest r, constant along the directions, with r(index) = wanted at all values of the names."""
        own = self.variable.domain.space.names
        used = [name for name in names if any(name in o.names for o in (affine, *index))]
        columns = [(tuple(o.coefficient(name) for o in index), affine.coefficient(name)) for name in used]
        columns += [(direction, 0) for direction in along]
        for row in _small_rows(len(own)):
            if all(dot(row, column) == value for column, value in columns):
                there = sum((x * c for x, c in zip(index, row, strict=True)), Affine())
                return Affine.of(zip(own, row, strict=True)) + (affine - there)
        return None

    def _reads(self, reader: str, variable: str) -> Iterator[Read]:
        for read in self.operations.reads:
            if read.variable == variable and read.reader.variable == reader and not read.is_running:
                yield read


def _directions(components: Sequence[MapComponent]) -> int:
    """The number of directions in which there are cells without end."""
    return rank([component.row for component in components if not component.factor or is_parametric(component.factor)])


@cache
def _small_rows(width: int) -> tuple[Vector, ...]:
    most = 2 if width <= 3 else 1
    rows = product(range(-most, most + 1), repeat=width)
    return tuple(sorted(rows, key=lambda row: (sum(map(abs, row)), sum(x < 0 for x in row))))
