"""Conflicts: the sets of pairs of values that may not share a cell (M1 to M4 without the condition "same cell").

Two values conflict where they form a conflict pair (see `conflict_pairs`) under one of the given orders. A memory
mapping is legal if and only if no two conflicting values have the same cell, provided that the rest of the mapping is
legal for all cells. This holds as long as no copy is dropped that was not dropped when the operations were listed (a
dropped copy is no operation). Source: Darte, Schreiber, Villard, Lattice-based memory allocation, IEEE Trans.
Computers 54(10), 2005, section 3, where lifetimes are intervals of one sequential order; here the order is that of the
verifier.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from alphaz.legality.mapping_obligations import orders
from alphaz.legality.obligations.conflict_pairs import ConflictPair, is_never_read, overwrite, race
from alphaz.legality.verdicts import TileOrder
from alphaz.mapping.cells import one_cell
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Cell
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.precedence import Order, always_before, differences
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, Space, equal, fresh_names
from alphaz.proof.discharge import with_growing_budget

# isl operations for the first attempt to make a set. Those for tiles of given sizes take many.
_FIRST = 150_000


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """The conflicts of one mapping under all of `orders`, by its `operations`.

    Each set is computed on its first use and cached for each order; `under` other orders, the cached sets of an order
    are reused. Where isl gives up on a set, all values are taken to conflict.
    """

    operations: OperationTable
    orders: tuple[Order, ...]
    _between: dict[tuple[Order, str, str], tuple[Domain, ...]] = field(default_factory=dict, repr=False)
    _differences: dict[tuple[Order, str], Domain] = field(default_factory=dict, repr=False)

    def under(self, *orders: Order) -> "Conflicts":
        """Returns the conflicts of the same mapping under other orders."""
        return replace(self, orders=orders)

    def between(self, one: str, other: str) -> tuple[Domain, ...]:
        """Returns `{ (x,y) : one[x] and other[y] conflict }`, with the indices of `one` followed by those of `other`,
        as the non-empty parts of a union.
        """
        domains: list[Domain] = []
        for order in self.orders:
            if (order, one, other) not in self._between:
                self._between[order, one, other] = self._pairs(order, one, other)
            domains += self._between[order, one, other]
        return tuple(domains)

    def differences(self, variable: str) -> Domain:
        """Returns `{ y-x : variable[x] and variable[y] conflict for some x, y }`, which is symmetric and never contains
        zero.
        """
        domains = []
        for order in self.orders:
            if (order, variable) not in self._differences:
                self._differences[order, variable] = self._apart(order, variable)
            domains.append(self._differences[order, variable])
        return domains[0] if len(domains) == 1 else _union(domains, domains[0].space)

    def differences_within(self, variable: str, part: Domain) -> Domain:
        """Returns the differences of conflicting values within a part of the domain of the variable."""
        width, pair = self._width(variable), self._pair_space(variable, variable)
        x, y = (tuple(map(Affine.name, names)) for names in (pair.names[:width], pair.names[width:]))
        both = part.preimage(AffineFunction(pair, x)) & part.preimage(AffineFunction(pair, y))
        apart = AffineFunction(pair, tuple(there - here for here, there in zip(x, y, strict=True)))
        space = self._space(fresh_names(width, "d", self.operations.system.parameters))
        return _union(((domain & both).image(apart, space.names) for domain in self.between(variable, variable)), space)

    def collisions(self, one: Cell, other: Cell) -> Iterator[Domain]:
        """Yields the conflicting values of two variables that share a cell; yields nothing where their cells
        are legal.
        """
        if one.space != other.space:
            return
        space, width = self._pair_space(one.variable, other.variable), len(one.function.domain.names)
        names = tuple(map(Affine.name, space.names))
        used_names = (*space.parameters, *space.names)
        together = one_cell(one, names[:width], other, names[width:], used_names).domain(space)
        for part in self.between(one.variable, other.variable):
            clash = part & together
            if not clash.is_empty():
                yield clash

    def _pairs(self, order: Order, one: str, other: str) -> tuple[Domain, ...]:
        space = self._pair_space(one, other)
        pairs = []
        for conflict, x, y in _both_ways(self.operations, one, other):
            part = _image(conflict, order, (*x, *y), space)
            if part is None:
                return (self._all_pairs(one, other),)
            pairs.append(part)
        return tuple(part for part in pairs if not part.is_empty())

    def _all_pairs(self, one: str, other: str) -> Domain:
        """Returns all pairs of different values."""
        space, width = self._pair_space(one, other), self._width(one)
        names = tuple(map(Affine.name, space.names))
        return Domain.where(space, *(differences(names[:width], names[width:]) if one == other else ((),)))

    def _pair_space(self, one: str, other: str) -> Space:
        width = self._width(one) + self._width(other)
        return self._space(fresh_names(width, "x", self.operations.system.parameters))

    def _apart(self, order: Order, variable: str) -> Domain:
        space = self._space(fresh_names(self._width(variable), "d", self.operations.system.parameters))
        zero = Domain.where(space, [equal(Affine.name(name), 0) for name in space.names])
        domains = []
        for conflict in _meetings(self.operations, variable, variable):
            moved = tuple(y - x for x, y in zip(conflict.one.index, conflict.other.index, strict=True))
            part = _image(conflict, order, moved, space)
            if part is None:
                return zero.complement()
            domains.append(part)
        half = _union(domains, space)
        back = AffineFunction(space, tuple(-Affine.name(name) for name in space.names))
        return (half | half.image(back, space.names)).simplify()

    def _width(self, variable: str) -> int:
        return len(self.operations.mapping.cells[variable].function.domain.names)

    def _space(self, names: Iterable[str]) -> Space:
        return self.operations.system.space(tuple(names))


def conflicts_of(mapping: ResolvedMapping) -> Conflicts:
    """Returns the conflicts of a mapping: without tiling and, where it has bands, for tiles of all sizes."""
    orders_ = orders(mapping)
    return Conflicts(
        operations(mapping),
        tuple(orders_[tile_order] for tile_order in (TileOrder.PLAIN, TileOrder.TILED) if tile_order in orders_),
    )


def _both_ways(
    operations: OperationTable, one: str, other: str
) -> Iterator[tuple[ConflictPair, tuple[Affine, ...], tuple[Affine, ...]]]:
    """Yields the conflict pairs of two variables, with the index of the value of each."""
    for conflict in _meetings(operations, one, other):
        yield conflict, conflict.one.index, conflict.other.index
    for conflict in _meetings(operations, other, one):
        yield conflict, conflict.other.index, conflict.one.index


def _meetings(operations: OperationTable, name: str, variable: str) -> Iterator[ConflictPair]:
    """Yields the pairs of a write and a value needed at that time, and the pairs of unordered writes."""
    writers = operations.writers.get(name, ())
    for read in operations.reads:
        for first in operations.firsts[variable] if read.variable == variable else ():
            for writer in writers if not is_never_read(read, first) else ():
                if not (always_before(writer, first) or always_before(read.reader, writer)):
                    yield overwrite(operations, read, first, writer)
    for one in writers:
        for two in operations.writers.get(variable, ()):
            if not (always_before(one, two) or always_before(two, one)):
                yield race(operations, one, two)


def _image(conflict: ConflictPair, order: Order, index: tuple[Affine, ...], space: Space) -> Domain | None:
    """Returns the values of `index` at the conflicts of the pair; None where isl gives up."""
    alternatives = conflict.alternatives(order)
    if not all(alternatives):
        return Domain.empty(space)
    violation_space = conflict.violation_space.where_some(
        *order.tiles([instance for _, instance in conflict.occurrences])
    )

    def violations_of() -> Domain:
        pieces = violation_space.counterexamples(*alternatives)
        return pieces.image(AffineFunction(pieces.space, index), space.names).simplify()

    try:
        return with_growing_budget(violations_of, first=_FIRST)
    except OutOfBudget:
        return None


def _union(parts: Iterable[Domain], space: Space) -> Domain:
    whole = Domain.empty(space)
    for part in parts:
        if not part.is_empty():
            whole = whole | part
    return whole.simplify()
