"""Conflicts: the values that may not share a cell, as sets; M1 to M4 without "same cell".

Two values conflict where they meet (see `meetings`) under one of the orders that are asked. A memory mapping is legal
if and only if no two conflicting values have one cell, and the rest of the mapping is legal whatever the cells are.
That is so as long as no copy is dropped that was not when the operations were listed (a dropped copy is no operation).
Source: Darte, Schreiber, Villard, Lattice-based memory allocation, IEEE Trans. Computers 54(10), 2005, section 3, where
lifetimes are intervals of one sequential order; here the order is that of the verifier.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from alphaz.legality.obligations.conflict_pairs import ConflictPair, is_never_read, overwrite, race
from alphaz.legality.options import TileOrder
from alphaz.legality.verification import orders
from alphaz.mapping.cells import one_cell
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Cell
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.precedence import Order, always_before, differences
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, Space, equal, fresh_names
from alphaz.proof.discharge import patiently

# isl operations for the first attempt to make a set. Those for tiles of given sizes take many.
_FIRST = 150_000


@dataclass(frozen=True, slots=True, eq=False)
class Conflicts:
    """Those of one mapping under all of `orders`, by its `operations`. Each set is made when it is first asked for, and
    kept for each order: `under` others, what is known of an order stays known.

    Where isl gives up on a set, everything is taken to conflict.
    """

    operations: OperationTable
    orders: tuple[Order, ...]
    _between: dict[tuple[Order, str, str], tuple[Domain, ...]] = field(default_factory=dict, repr=False)
    _differences: dict[tuple[Order, str], Domain] = field(default_factory=dict, repr=False)

    def under(self, *orders: Order) -> "Conflicts":
        """Those of the same mapping under other orders."""
        return replace(self, orders=orders)

    def between(self, one: str, other: str) -> tuple[Domain, ...]:
        """`{ (x,y) : one[x] and other[y] conflict }`, the indices of both one after the other: the parts of a union,
        none of them empty.
        """
        found: list[Domain] = []
        for order in self.orders:
            if (order, one, other) not in self._between:
                self._between[order, one, other] = self._pairs(order, one, other)
            found += self._between[order, one, other]
        return tuple(found)

    def differences(self, variable: str) -> Domain:
        """`{ y-x : variable[x] and variable[y] conflict for some x, y }`, which has -d with every d, and never zero."""
        found = []
        for order in self.orders:
            if (order, variable) not in self._differences:
                self._differences[order, variable] = self._apart(order, variable)
            found.append(self._differences[order, variable])
        return found[0] if len(found) == 1 else _united(found, found[0].space)

    def differences_within(self, variable: str, part: Domain) -> Domain:
        """The same of the values in a part of the domain of the variable alone."""
        width, pair = self._width(variable), self._pair_space(variable, variable)
        x, y = (tuple(map(Affine.name, names)) for names in (pair.names[:width], pair.names[width:]))
        both = part.preimage(AffineFunction(pair, x)) & part.preimage(AffineFunction(pair, y))
        apart = AffineFunction(pair, tuple(there - here for here, there in zip(x, y, strict=True)))
        space = self._space(fresh_names(width, "d", self.operations.system.parameters))
        return _united(((each & both).image(apart, space.names) for each in self.between(variable, variable)), space)

    def collisions(self, one: Cell, other: Cell) -> Iterator[Domain]:
        """The conflicting values of two variables that would have one cell; none where their cells are legal."""
        if one.space != other.space:
            return
        space, width = self._pair_space(one.variable, other.variable), len(one.function.domain.names)
        names = tuple(map(Affine.name, space.names))
        taken = (*space.parameters, *space.names)
        together = one_cell(one, names[:width], other, names[width:], taken).domain(space)
        for part in self.between(one.variable, other.variable):
            clash = part & together
            if not clash.is_empty():
                yield clash

    def _pairs(self, order: Order, one: str, other: str) -> tuple[Domain, ...]:
        space = self._pair_space(one, other)
        found = []
        for meeting, x, y in _both_ways(self.operations, one, other):
            part = _image(meeting, order, (*x, *y), space)
            if part is None:
                return (self._all_pairs(one, other),)
            found.append(part)
        return tuple(part for part in found if not part.is_empty())

    def _all_pairs(self, one: str, other: str) -> Domain:
        """Of different values."""
        space, width = self._pair_space(one, other), self._width(one)
        names = tuple(map(Affine.name, space.names))
        return Domain.where(space, *(differences(names[:width], names[width:]) if one == other else ((),)))

    def _pair_space(self, one: str, other: str) -> Space:
        width = self._width(one) + self._width(other)
        return self._space(fresh_names(width, "x", self.operations.system.parameters))

    def _apart(self, order: Order, variable: str) -> Domain:
        space = self._space(fresh_names(self._width(variable), "d", self.operations.system.parameters))
        zero = Domain.where(space, [equal(Affine.name(name), 0) for name in space.names])
        found = []
        for meeting in _meetings(self.operations, variable, variable):
            moved = tuple(y - x for x, y in zip(meeting.one.index, meeting.other.index, strict=True))
            part = _image(meeting, order, moved, space)
            if part is None:
                return zero.complement()
            found.append(part)
        half = _united(found, space)
        back = AffineFunction(space, tuple(-Affine.name(name) for name in space.names))
        return (half | half.image(back, space.names)).simplify()

    def _width(self, variable: str) -> int:
        return len(self.operations.mapping.cells[variable].function.domain.names)

    def _space(self, names: Iterable[str]) -> Space:
        return self.operations.system.space(tuple(names))


def conflicts_of(mapping: ResolvedMapping) -> Conflicts:
    """Those of a mapping: without tiling, and for tiles of all sizes where it has bands."""
    known = orders(mapping)
    return Conflicts(
        operations(mapping), tuple(known[each] for each in (TileOrder.PLAIN, TileOrder.TILED) if each in known)
    )


def _both_ways(
    operations: OperationTable, one: str, other: str
) -> Iterator[tuple[ConflictPair, tuple[Affine, ...], tuple[Affine, ...]]]:
    """The meetings of two variables, with the index of a value of each."""
    for meeting in _meetings(operations, one, other):
        yield meeting, meeting.one.index, meeting.other.index
    for meeting in _meetings(operations, other, one):
        yield meeting, meeting.other.index, meeting.one.index


def _meetings(operations: OperationTable, written: str, kept: str) -> Iterator[ConflictPair]:
    """What is written while something is kept, and what is written in no order with it."""
    writers = operations.writers.get(written, ())
    for read in operations.reads:
        for first in operations.firsts[kept] if read.variable == kept else ():
            for writer in writers if not is_never_read(read, first) else ():
                if not (always_before(writer, first) or always_before(read.reader, writer)):
                    yield overwrite(operations, read, first, writer)
    for one in writers:
        for two in operations.writers.get(kept, ()):
            if not (always_before(one, two) or always_before(two, one)):
                yield race(operations, one, two)


def _image(meeting: ConflictPair, order: Order, index: tuple[Affine, ...], space: Space) -> Domain | None:
    """The values of `index` where the two meet; None where isl gives up."""
    alternatives = meeting.alternatives(order)
    if not all(alternatives):
        return Domain.empty(space)
    scene = meeting.scene.where_some(*order.tiles(each for _, each in meeting.occurrences))

    def made() -> Domain:
        found = scene.counterexamples(*alternatives)
        return found.image(AffineFunction(found.space, index), space.names).simplify()

    try:
        return patiently(made, first=_FIRST)
    except OutOfBudget:
        return None


def _united(parts: Iterable[Domain], space: Space) -> Domain:
    whole = Domain.empty(space)
    for part in parts:
        if not part.is_empty():
            whole = whole | part
    return whole.simplify()
