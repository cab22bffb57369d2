"""Buffers of packed reads: one piece of memory each, laid out in the order in which register tiles read it.

A buffer has a side for each dimension of the dates that its values depend on. With x the date relative to the
beginning of the tile, and R that of the surrounding register tile, the position of a value is

    sum over sides in register tiles of  R * (extents before: whole sides, earlier pieces, later tiles)
    + row-major position in the whole sides, times the points of a register tile  + position in the register tile

which needs no division: all values that one register tile reads are adjacent.

A buffer in the memory of a block of threads has no pieces. The dimension that threads share along x is its last side,
so that lanes of a warp read adjacent values, and a row has an odd number of elements, so that they read a column from
different banks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.integers import bound, integer, total
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.readable_c import CONSTANT
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.loops.strided_loops import difference, extreme, multiplied, number_above, number_below, sum_of
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.loop_dimensions import TileAxis
from alphaz.mapping.resolved_mapping import Along, PackedRead, ResolvedMapping
from alphaz.poly import Affine, AffineFunction, fresh_names
from alphaz.poly.algorithms.bounds import bounding_box, count_or_zero, simplifier_of
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    of_affine,
)


@dataclass(frozen=True, slots=True)
class BufferSide:
    """A side of a buffer: index `name`, by the dates: `extent` values from `origin` on. `piece`: origin and size of the
    register tile. `unused`: elements at the end.
    """

    name: str
    dimension: int
    date: Affine
    origin: Affine
    extent: Integer
    piece: tuple[Affine, int] | None = None
    unused: int = 0

    @property
    def room(self) -> Integer:
        """Returns the number of elements."""
        return sum_of(self.extent, IntegerConstant(self.unused)) if self.unused else self.extent


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """The memory of a packed read. `sides` are over the names of its statement, and C identifiers."""

    packed: PackedRead
    array: FlatArray
    sides: tuple[BufferSide, ...]

    @property
    def name(self) -> str:
        return self.array.name

    @property
    def size(self) -> Integer:
        """Returns the number of elements."""
        return _product(self.array.extents)

    def element(self, point: Sequence[Affine]) -> c.Expression:
        """Returns the element for a point of the statement, over C identifiers."""
        terms = [_scaled(of_affine(delta), factor) for delta, factor in self._terms(point)]
        return c.Index(c.Name(self.name), integer(total(terms)))

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        """Returns by how many elements it moves when the identifier grows by 1; None if unknown."""
        stride = 0
        for delta, factor in self._terms(point):
            if delta.coefficient(name):
                if not isinstance(factor, IntegerConstant):
                    return None
                stride += delta.coefficient(name) * factor.value
        return stride

    def _terms(self, point: Sequence[Affine]) -> Iterator[tuple[Affine, Integer]]:
        values = dict(zip(self.packed.statement.domain.space.names, point, strict=True))
        tiled = [side for side in self.sides if side.piece]
        whole = [side for side in self.sides if not side.piece]
        pieces = [side.piece[1] for side in tiled if side.piece]
        points = _product(map(IntegerConstant, pieces))
        row = _product(side.room for side in whole)
        for position, side in enumerate(tiled):
            assert side.piece is not None
            behind = _product(
                (row, *map(IntegerConstant, pieces[:position]), *(s.extent for s in tiled[position + 1 :]))
            )
            yield side.piece[0] - side.origin, behind
        for position, side in enumerate(whole):
            behind = _product((*(s.room for s in whole[position + 1 :]), points))
            yield side.date.substitute(values) - side.origin, behind
        for position, side in enumerate(tiled):
            assert side.piece is not None
            yield side.date.substitute(values) - side.piece[0], _product(map(IntegerConstant, pieces[position + 1 :]))


def _scaled(value: Integer, factor: Integer) -> Integer:
    match value:
        case IntegerOperation("neg", (operand,)):
            return IntegerOperation("neg", (multiplied(operand, factor),))
    return multiplied(value, factor)


def _product(factors: Iterable[Integer]) -> Integer:
    multiple: Integer = IntegerConstant(1)
    for factor in factors:
        multiple = multiplied(multiple, factor)
    return multiple


# --- from a mapping --------------------------------------------------------------------------------------------------


def buffer_names(mapping: ResolvedMapping, names: Identifiers) -> dict[str, PackedRead]:
    """Returns the packed reads by the names of their buffers."""
    return {names.new(f"packed_{identifier(packed.variable)}"): packed for packed in mapping.packed}


def buffers_of(
    mapping: ResolvedMapping,
    packed: Mapping[str, PackedRead],
    layout: LoopNames,
    parameters: Mapping[str, Affine],
    *,
    of_blocks: bool = False,
    first: Mapping[int, int] = MappingProxyType({}),
) -> dict[str, Buffer]:
    """Returns the buffers by their names. `of_blocks`: they are in the memory of blocks of threads. `first`: the least
    values of dimensions of the dates in tiles that fill buffers of final values.
    """
    if of_blocks:
        return {name: _buffer_of_block(mapping, name, copy, layout, parameters) for name, copy in packed.items()}
    return {
        name: _buffer(mapping, name, copy, layout, parameters, first if copy.is_final else {})
        for name, copy in packed.items()
    }


def _buffer_of_block(
    mapping: ResolvedMapping, name: str, packed: PackedRead, layout: LoopNames, parameters: Mapping[str, Affine]
) -> Buffer:
    buffer = _buffer(mapping, name, packed, layout, parameters)
    adjacent = _dimension_along_x(mapping, packed)
    sides = sorted(buffer.sides, key=lambda side: side.dimension == adjacent)
    if len(sides) > 1 and isinstance(sides[-1].extent, IntegerConstant) and sides[-1].extent.value % 2 == 0:
        sides[-1] = replace(sides[-1], unused=1)
    array = replace(buffer.array, extents=tuple(side.room for side in sides))
    return Buffer(packed, array, tuple(sides))


def _dimension_along_x(mapping: ResolvedMapping, packed: PackedRead) -> int | None:
    entries = (entry for entry in mapping.launches if entry.of_threads and entry.axis == "x")
    return next((entry.position for entry in entries if has_prefix(packed.statement, entry.prefix)), None)


def _buffer(
    mapping: ResolvedMapping,
    name: str,
    packed: PackedRead,
    layout: LoopNames,
    parameters: Mapping[str, Affine],
    first: Mapping[int, int] = MappingProxyType({}),
) -> Buffer:
    constants: list[c.Declare] = []
    order = layout.orders[packed.statement.name]
    pieces = _pieces(mapping, packed, layout)
    ranked = sorted(packed.along, key=lambda along: (*pieces, *order).index(along.dimension))
    by_axis = [_side(mapping, name, packed, along, layout, parameters, constants) for along in ranked]
    sides = tuple(side for side in by_axis if side is not None)
    extents = [side.extent for side in sides]
    room = _room(mapping, packed, sides[0], parameters, first) if sides else None
    if room is not None:
        constants.append(c.Declare(CONSTANT, f"{name}_size{len(constants)}", integer(room)))
        extents[0] = IntegerName(constants[-1].name)
    type_ = mapping.facts.types[packed.read]
    array = FlatArray(
        name=name,
        type=type_,
        lower=(IntegerConstant(0),) * len(extents),
        extents=tuple(extents),
        constants=tuple(constants),
    )
    return Buffer(packed, array, sides)


def _pieces(mapping: ResolvedMapping, packed: PackedRead, layout: LoopNames) -> dict[int, tuple[str, int]]:
    """Returns the origins and the sizes of the register tiles around the reads, by dimension."""
    sizes = {tile.origin: tile.size for level in layout.levels for tile in level.tiles}
    return {
        tile.dimension: (origin, size)
        for number, level in enumerate(mapping.levels)
        if level.band.registers and level.has(packed.statement)
        for tile, origin in zip(level.tiles, layout.origins[number, packed.statement.name], strict=True)
        if isinstance(size := sizes[origin], int)
    }


def _side(
    mapping: ResolvedMapping,
    name: str,
    packed: PackedRead,
    along: Along,
    layout: LoopNames,
    parameters: Mapping[str, Affine],
    constants: list[c.Declare],
) -> BufferSide | None:
    """Returns the side of a dimension; None where the tile has only one value of it."""
    dimension, piece = along.dimension, _pieces(mapping, packed, layout).get(along.dimension)
    date = packed.statement.dates[dimension].substitute(parameters)
    inside = None if piece is None else (Affine.name(piece[0]), piece[1])
    tile = _tile_around(mapping, packed, layout, dimension)
    if tile is not None:
        origin, stated = tile
        size = IntegerConstant(stated.size) if stated.size is not None else IntegerName(stated.parameter)
        return BufferSide(
            name=along.name, dimension=dimension, date=date, origin=Affine.name(origin), extent=size, piece=inside
        )
    if dimension < mapping.levels[packed.level].position:
        return None
    low, extent = _range(mapping, packed, dimension)
    first, count = bound(low, parameters), bound(extent, parameters)
    if piece is not None:
        whole = multiplied(IntegerConstant(piece[1]), number_below(first, IntegerConstant(piece[1])))
        first, count = whole, _round_up(sum_of(count, difference(first, whole)), piece[1])
    begin = as_affine(first)
    if begin is None:
        constants.append(c.Declare(CONSTANT, f"{name}_first{len(constants)}", integer(first)))
        begin = Affine.name(constants[-1].name)
    if as_affine(count) is None:
        constants.append(c.Declare(CONSTANT, f"{name}_size{len(constants)}", integer(count)))
        count = IntegerName(constants[-1].name)
    return BufferSide(name=along.name, dimension=dimension, date=date, origin=begin, extent=count, piece=inside)


def _room(
    mapping: ResolvedMapping,
    packed: PackedRead,
    side: BufferSide,
    parameters: Mapping[str, Affine],
    first: Mapping[int, int],
) -> Integer | None:
    """Returns the used part of the outermost side, where that may be less than a tile."""
    if side.piece is None or not isinstance(side.extent, IntegerConstant):
        return None
    low, extent = _range(mapping, packed, side.dimension)
    if not isinstance(low, IntegerConstant) or low.value < 0:
        return None
    used = sum_of(extent, low)
    if first.get(side.dimension, 0) > 0:
        used = extreme("max", sum_of(used, IntegerConstant(-first[side.dimension])), IntegerConstant(0))
    most = simplifier_of(mapping.system.context).folded(_round_up(used, side.piece[1]))
    return extreme("min", side.extent, bound(most, parameters))


def _round_up(count: Integer, size: int) -> Integer:
    return multiplied(number_above(count, IntegerConstant(size)), IntegerConstant(size))


def _tile_around(
    mapping: ResolvedMapping, packed: PackedRead, layout: LoopNames, dimension: int
) -> tuple[str, TileAxis] | None:
    """Returns the innermost tile of the dimension in which the buffer is filled."""
    origin_and_tile = None
    for position, level in enumerate(mapping.levels):
        if position > packed.level or level.band.registers or not level.has(packed.statement):
            continue
        last = packed.tile + 1 if position == packed.level else len(level.tiles)
        for tile, origin in zip(level.tiles[:last], layout.origins[position, packed.statement.name], strict=False):
            if tile.dimension == dimension:
                origin_and_tile = (origin, tile)
    return origin_and_tile


def _range(mapping: ResolvedMapping, packed: PackedRead, dimension: int) -> tuple[Integer, Integer]:
    """Returns the least value of a dimension of the dates of the statement, and the number of values from there on."""
    domain = packed.statement.domain.in_context(mapping.system.context)
    function = AffineFunction(domain.space, (packed.statement.dates[dimension],))
    (name,) = fresh_names(1, "x", domain.space.parameters)
    box = bounding_box(domain.image(function, (name,)), mapping.system.context)
    return box.lower[0], count_or_zero(box.extents[0], domain, mapping.system.context)
