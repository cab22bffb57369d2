"""The loops that are requested for a mapping: one for each component of the dates, with loops over tiles, merges and
recursions.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from types import MappingProxyType

from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.loops.tile_levels import LevelCut, LoopTile, Recursion, TileEdge, TileLevel
from alphaz.mapping.dimension_kinds import ordering_value
from alphaz.mapping.loop_dimensions import AxisLevel as Tiles
from alphaz.mapping.loop_dimensions import scan_order
from alphaz.mapping.resolved_mapping import PackedRead, ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.poly import Affine


@dataclass(frozen=True, slots=True)
class LoopNames:
    """Names of the loops. `iterators` are those of the components of dates, then the rank of equal ones, then ties.

    `dimensions`: the dimension of the dates that a loop over tiles tiles; `independent`: loops over the tiles of a
    wavefront; `orders`: the dimensions of the dates of each statement in the order of the loops over points;
    `origins`: the loops over tiles of each level of the mapping, by its number, for each statement; `tiled`: the
    dimensions of the dates of each statement that are in tiles other than register tiles.
    """

    iterators: tuple[str, ...]
    levels: tuple[TileLevel, ...]
    dimensions: Mapping[str, int]
    independent: frozenset[str]
    orders: Mapping[str, tuple[int, ...]]
    origins: Mapping[tuple[int, str], tuple[str, ...]]
    tiled: Mapping[str, frozenset[int]]

    def dimension(self, iterator: str, statement: Statement) -> int | None:
        """Returns the dimension of the dates of a statement that a loop scans or tiles."""
        if iterator in self.iterators:
            position = self.iterators.index(iterator)
            order = self.orders[statement.name]
            return order[position] if position < len(order) else None
        return self.dimensions.get(iterator)

    def is_parallel(self, iterator: str, statement: Statement) -> bool:
        """Returns True if operations of this statement that differ in this loop first are unordered."""
        if iterator in self.independent:
            return True
        axis = self.dimension(iterator, statement)
        return axis is not None and statement.kinds[axis].is_shared

    def chunk(self, iterator: str, statement: Statement) -> int:
        """Returns the number of values of its dimension that a thread takes at a time; 0: each has an equal share."""
        axis = self.dimension(iterator, statement)
        return 0 if axis is None else statement.chunk(axis)

    def is_vector(self, iterator: str, statement: Statement) -> bool:
        """Returns True if the values of this loop are vectorised by request: those of a vector dimension, and those
        in a tile of a reduction dimension, whose tiles are shared by threads.
        """
        axis = self.dimension(iterator, statement) if iterator in self.iterators else None
        if axis is None:
            return False
        shared = _reduces(statement, axis) and axis in self.tiled[statement.name]
        return shared or statement.kinds[axis] is DimensionKind.VECTOR


def layout_of(
    mapping: ResolvedMapping,
    scanned: Mapping[str, Statement],
    ties: int,
    names: Identifiers,
    packed: Mapping[str, PackedRead] = MappingProxyType({}),
    apart: frozenset[str] = frozenset(),
    resized: frozenset[str] = frozenset(),
) -> LoopNames:
    """Returns the loops for the scanned statements, which are given by name. `packed`: the packed reads, by the names
    of buffers. `apart`: statements whose register tiles are whole inside the loop of a vector dimension, because its
    iterations are independent in a tile only. `resized`: the scans whose register tiles are those of tiles with final
    values, in which nothing else is executed.
    """
    levels, dimensions = mapping.levels, mapping.dimensions
    statements = list({s.name: s for s in scanned.values()}.values())
    orders = {s.name: scan_order(mapping.registers(s), dimensions) for s in statements}
    points = [_iterator(axis, statements, orders, names) for axis in range(dimensions)]
    by_name: dict[str, int] = {}
    tile_levels: list[TileLevel] = []
    independent: list[str] = []
    numbers: list[int] = []
    for number, level, names_ in _by_size(levels, scanned, resized):
        named = {name: statement for name, statement in scanned.items() if name in names_}
        for order, members in _by_order(named, orders, dimensions).items():
            numbers.append(number)
            around = {t.dimension: t for outer in tile_levels if members <= outer.names for t in outer.tiles}
            tiles = tuple(
                _tile(names, points[at], level.band.registers, at, t.size or t.parameter, around.get(at))
                for t, at in ((t, order.index(t.dimension)) for t in level.tiles)
            )
            if level.recursive:
                recursion = _recursion(names, [points[t.dimension] for t in tiles], _free(level, named))
                independent += recursion.shared
                tile_levels.append(TileLevel(level.position, tiles, members, recursion=recursion))
            elif level.wavefront:
                wave = (
                    names.new(f"w{points[tiles[0].dimension]}"),
                    *(names.new(f"n{points[t.dimension]}") for t in tiles[1:]),
                )
                independent += wave[1:]
                tile_levels.append(TileLevel(level.position, tiles, members, wave))
            else:
                by_name |= {tile.origin: order[tile.dimension] for tile in tiles}
                rows = [s.name for s in named.values() if _rows(level, s)]
                whole_tiles = level.band.registers and (not rows or not apart.isdisjoint(rows))
                tile_levels.append(TileLevel(level.position, tiles, members, whole_tiles=whole_tiles))
    last = (names.new("order"), *(names.new(f"k{slot}") for slot in range(ties)))
    origins = {
        (number, scanned[name].name): tuple(tile.origin for tile in level.tiles)
        for number, level in zip(numbers, tile_levels, strict=True)
        for name in level.names
    }
    merging = _with_merges(_with_packs(list(zip(numbers, tile_levels, strict=True)), packed, scanned), scanned, orders)
    return LoopNames(
        iterators=(*points, *last),
        levels=merging,
        dimensions=by_name,
        independent=frozenset(independent),
        orders=orders,
        origins=origins,
        tiled={s.name: frozenset(_tiled(levels, s)) for s in statements},
    )


def _by_size(
    levels: Sequence[Tiles], scanned: Mapping[str, Statement], resized: frozenset[str]
) -> Iterator[tuple[int, Tiles, frozenset[str]]]:
    """Yields the levels with their numbers and their scans: register tiles of two sizes are two levels, of which the
    second has the tiles with final values.
    """
    for number, level in enumerate(levels):
        members = frozenset(name for name, statement in scanned.items() if level.has(statement))
        final = members & resized if level.band.registers and level.band.final else frozenset()
        yield number, level, members - final
        if final:
            band = level.band.of_final()
            tiles = tuple(replace(tile, size=band.size(tile.dimension)) for tile in level.tiles)
            yield number, replace(level, band=band, tiles=tiles), final


def _tiled(levels: Sequence[Tiles], statement: Statement) -> Iterator[int]:
    for level in levels:
        if level.has(statement) and not level.band.registers:
            yield from (tile.dimension for tile in level.tiles)


def _with_packs(
    levels: Sequence[tuple[int, TileLevel]], packed: Mapping[str, PackedRead], scanned: Mapping[str, Statement]
) -> list[TileLevel]:
    """Returns levels, by their numbers in the mapping, cut after the tiles in which buffers are filled."""
    cut_levels: list[TileLevel] = []
    for number, level in levels:
        members = {scanned[name].name for name in level.names}
        behind: dict[int, list[str]] = {}
        for name, tiles in packed.items():
            if tiles.level == number and tiles.statement.name in members:
                behind.setdefault(tiles.tile + 1, []).append(name)
        cut = 0
        for end, names in sorted(behind.items()):
            cut_levels.append(replace(level, tiles=level.tiles[cut:end]))
            cut_levels.append(TileLevel(level.position, (), level.names, packs=tuple(names)))
            cut = end
        if cut < len(level.tiles):
            cut_levels.append(replace(level, tiles=level.tiles[cut:]))
    return cut_levels


def _tile(
    names: Identifiers, point: str, registers: bool, position: int, size: int | str, around: LoopTile | None
) -> LoopTile:
    """Returns the tile; a register tile lies entirely in its enclosing tile."""
    origin = names.new(f"{'r' if registers else 't'}{point}")
    if around is None:
        return LoopTile(origin, position, size)
    if registers and isinstance(around.size, int):
        return LoopTile(origin, position, size, (around.origin, around.size))
    return LoopTile(
        origin, position, size, cut=LevelCut(names.new(f"{point}_first"), names.new(f"{point}_end"), around)
    )


def _recursion(names: Identifiers, points: Sequence[str], free: frozenset[int]) -> Recursion:
    """Returns the names for recursive tiles along these components."""
    stems = ("low_{}", "all_{}", "blocks_{}", "b{}", "{}_first", "{}_end", "tiles_{}")
    edges = tuple(TileEdge(*(names.new(stem.format(point)) for stem in stems)) for point in points)
    return Recursion(
        edges=edges,
        diagonal=names.new("diagonal"),
        iteration=names.new("iteration"),
        number=names.new("number"),
        free=free,
    )


def _free(level: Tiles, named: Mapping[str, Statement]) -> frozenset[int]:
    """Returns the tiles that are unordered, for all contents."""
    free = (
        position
        for position, tile in enumerate(level.tiles)
        if all(statement.kinds[tile.dimension].is_shared for statement in named.values())
    )
    return frozenset(free)


def rows_in_vectors(mapping: ResolvedMapping, statement: Statement) -> tuple[int, ...]:
    """Returns the vector dimensions around a register tile of a statement: an iteration of their loops computes all
    points of the tile.
    """
    return tuple(
        at
        for level in mapping.levels
        if level.band.registers and level.has(statement)
        for at in _rows(level, statement)
    )


def _rows(level: Tiles, statement: Statement) -> tuple[int, ...]:
    tiled, kinds = {tile.dimension for tile in level.tiles}, enumerate(statement.kinds)
    return tuple(at for at, kind in kinds if kind is DimensionKind.VECTOR and at >= level.position and at not in tiled)


def _by_order(
    members: Mapping[str, Statement],
    orders: Mapping[str, tuple[int, ...]],
    dimensions: int,
) -> dict[tuple[int, ...], frozenset[str]]:
    """Returns the scans of a level by the order of their loops, which register tiles change. Scans of several orders
    are in nests that constants before the level separate.
    """
    names_of: dict[tuple[int, ...], set[str]] = {}
    for name, statement in members.items():
        names_of.setdefault(orders[statement.name], set()).add(name)
    return {order: frozenset(names) for order, names in names_of.items()} or {tuple(range(dimensions)): frozenset()}


def _iterator(
    component: int, statements: Sequence[Statement], orders: Mapping[str, tuple[int, ...]], names: Identifiers
) -> str:
    """Returns an index x where every statement that has an index x has it as this component of its dates; else c0, c1,
    ...
    """
    dates = {s.name: s.dates[orders[s.name][component]] for s in statements}
    for statement in statements:
        for index in statement.domain.space.names:
            owners = [s for s in statements if index in s.domain.space.names]
            if all(dates[s.name] == Affine.name(index) for s in owners):
                return names.new(identifier(index))
    return names.new(f"c{component}")


def _with_merges(
    levels: Sequence[TileLevel], scanned: Mapping[str, Statement], orders: Mapping[str, tuple[int, ...]]
) -> tuple[TileLevel, ...]:
    """Returns the levels with the whole loop of each outermost reduction dimension as a separate level; its tiles
    belong to it.

    The loops decide which one is outermost: register tiles have other dimensions inside than the dates have. The level
    is around all statements of the loop, also those without a merge there. Nests that ordering dimensions separate
    share no loop, and tiles of one are not those of the other. Register tiles that have the dimension inside are
    ordinary tiles: they accumulate in the accumulators.
    """
    new_levels = list(levels)
    nests = {name: _leading(name, statement, levels) for name, statement in scanned.items()}
    for dimensions in sorted({at for s in scanned.values() if (at := _reduced(s))}):
        merged = frozenset(name for name, statement in scanned.items() if _reduced(statement) == dimensions)
        names = merged.union(
            name
            for name, statement in scanned.items()
            if any(_reduces(statement, dimension) for dimension in dimensions)
        )
        least = min(dimensions)
        for order, nest in sorted({(orders[scanned[name].name], nests[name][:least]) for name in merged}):
            alike = (name for name in names if orders[scanned[name].name] == order)
            members = frozenset(name for name in alike if nests[name][:least] == nest)
            places = frozenset(map(order.index, dimensions))
            new_levels = [_plain(level, members) if level.position <= min(places) else level for level in new_levels]
            new_levels = _merging(new_levels, TileLevel(min(places), (), members, merged=merged & members), places)
    return tuple(new_levels)


def _leading(name: str, statement: Statement, levels: Sequence[TileLevel]) -> tuple[int, ...]:
    """Returns the constants of the ordering dimensions that lead its dates, before all tiles."""
    end = min((level.position for level in levels if name in level.names), default=len(statement.kinds))
    places = takewhile(lambda at: statement.kinds[at] is DimensionKind.ORDERING, range(end))
    return tuple(ordering_value(statement, place) for place in places)


def _reduced(statement: Statement) -> tuple[int, ...]:
    """Returns its reduction dimensions."""
    return tuple(position for position, kind in enumerate(statement.kinds) if kind is DimensionKind.REDUCTION)


def _plain(level: TileLevel, members: frozenset[str]) -> TileLevel:
    return replace(level, whole_tiles=False) if level.names & members else level


def _reduces(statement: Statement, dimension: int) -> bool:
    """Returns True if the script requests a reduction: the result may determine the dimension, which is then just
    parallel.
    """
    setting = statement.settings[dimension] if statement.settings else None
    return setting is not None and setting.kind is DimensionKind.REDUCTION


def _merging(levels: list[TileLevel], whole: TileLevel, places: Collection[int]) -> list[TileLevel]:
    """Returns the levels with `whole` around the first loop that scans one of the components `places`, or tiles it."""
    for index, level in enumerate(levels):
        if not level.names & whole.names:
            continue
        if level.position > whole.position:
            return [*levels[:index], whole, *levels[index:]]
        split = next((n for n, tile in enumerate(level.tiles) if tile.dimension in places), None)
        if split is not None:
            outer = [replace(level, tiles=level.tiles[:split])] if split else []
            around = replace(whole, position=level.position)
            return [*levels[:index], *outer, around, replace(level, tiles=level.tiles[split:]), *levels[index + 1 :]]
    return [*levels, whole]


def ranks(mapping: ResolvedMapping) -> dict[str, int]:
    """Returns a rank for each statement in a total order that contains the statement ordering,
    initialisations first.
    """
    before = set(mapping.before)
    for init in mapping.statements:
        if init.role is Role.INIT:
            others = (s for s in mapping.statements if s.variable == init.variable and s.role is Role.BODY)
            before |= {(init.name, other.name) for other in others}
    waiting = [s.name for s in mapping.statements]
    order: dict[str, int] = {}
    while waiting:
        ready = next(n for n in waiting if not any((other, n) in before for other in waiting))
        waiting.remove(ready)
        order[ready] = len(order)
    return order
