"""Loops over tiles: loops over the origins of boxes are placed before some components of the dates, and the loops after
them stay inside one box.

An origin is the multiple of the tile's size that is not above the component. For isl an origin is any integer with
`origin <= component < origin + size`, which is affine when the size is a parameter, too; only the step of the loop
restricts it to multiples. The loops over tiles are scanned first; the contents of a tile are scanned separately, with
the origins as parameters. So the tiles may be any superset of the non-empty tiles: empty ones do nothing.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Protocol

from alphaz.loops.full_tiles import TileSide, full_tiles, tiles_around
from alphaz.loops.recursive_tiles import TileBox, recursive
from alphaz.loops.register_tiles import Never, Parts, RegisterCells, TilePart, WholeTile, split, unknown
from alphaz.loops.strided_loops import ONE, extreme, multiplied, only_multiples, sum_of
from alphaz.loops.tile_levels import LoopTile, TileLevel, TileVersion
from alphaz.loops.tree import (
    Conditional,
    For,
    Instance,
    Let,
    Merge,
    Node,
    Pack,
    Scan,
    Whole,
    in_sequence,
    inside,
    tests,
    with_inside,
)
from alphaz.loops.wavefronts import wave
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.algorithms.smallest import as_context, preimage_of
from alphaz.poly.algorithms.tile_corners import partial_tile_corners
from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint, at_least, equal, less
from alphaz.poly.plain.integer_expression import Integer, IntegerName, names_of, of_affine
from alphaz.poly.plain.space import fresh_names


class Scanner(Protocol):
    """Scans, with the constraints on the parameters and a name for each component of the dates.

    In the components of `whole` there is one loop for all statements. `compact`: prefer short loops to fast ones.
    """

    def __call__(
        self,
        scans: Sequence[Scan],
        context: Domain,
        iterators: Sequence[str],
        whole: Collection[int] = (),
        *,
        compact: bool = False,
    ) -> Node: ...


Joint = Callable[[Collection[str]], Collection[int]]
"""Returns the components of the dates in which scans of these names share their loops."""


def _none_joint(_: Collection[str]) -> tuple[int, ...]:
    return ()


def tiled_scan(
    scans: Sequence[Scan],
    levels: Sequence[TileLevel],
    context: Domain,
    iterators: Sequence[str],
    scanner: Scanner,
    *,
    apart: bool = True,
    never: Never = unknown,
    joint: Joint = _none_joint,
) -> Node:
    """Returns the loop tree; without levels that of `scanner`. Levels are given outermost first. `apart`: full tiles
    have loops of their own, where those are simpler. `never` proves sets to be empty. Scans whose
    loops would be apart inside others share one, with tests, in the components that `joint` returns for their names.

    The names of tiles and wavefronts differ from each other, from the iterators and from the parameters.
    """
    sizes = tuple(dict.fromkeys(t.size for level in levels for t in level.tiles if isinstance(t.size, str)))
    assumptions = context.with_parameters(sizes)
    assumptions = assumptions & Domain.where(assumptions.space, [at_least(Affine.name(size), 1) for size in sizes])
    origins = frozenset(name for level in levels for tile in level.tiles for name in tile.names)
    own = {*iterators, *origins, *(name for level in levels for name in level.wavefront)}
    own |= {name for level in levels if level.recursion for name in level.recursion.names}
    members = [_rename_points(scan, sizes, own) for scan in scans]
    nest = _Nest(iterators=tuple(iterators), scanner=scanner, origins=origins, apart=apart, never=never, joint=joint)
    return nest.node(members, 0, tuple(levels), assumptions)


def _rename_points(one: Scan, sizes: Sequence[str], used_names: set[str]) -> Scan:
    """Renames the points of the scan to names that no loop has."""
    space = one.domain.space
    names = fresh_names(space.dimensions, "e", (*space.parameters, *sizes, *used_names))
    values = dict(zip(space.names, names, strict=True))
    date = tuple(a.rename(values) for a in one.date)

    def anew(whole: Whole) -> Whole:
        steps = tuple(replace(step, name=values[step.name]) for step in whole.steps)
        return replace(whole, corners=whole.corners.renamed(names).with_parameters(sizes), steps=steps)

    return Scan(one.name, one.domain.renamed(names).with_parameters(sizes), date, tuple(map(anew, one.whole_tiles)))


@dataclass(frozen=True, slots=True)
class _Nest:
    iterators: tuple[str, ...]
    scanner: Scanner
    origins: frozenset[str]
    apart: bool
    never: Never
    joint: Joint

    def node(self, scans: Sequence[Scan], start: int, levels: tuple[TileLevel, ...], assumptions: Domain) -> Node:
        """Returns the loops; components before `start` are parameters already, and so are the origins of earlier
        levels.
        """
        if self.is_apart(scans, start, levels):
            return in_sequence([self.node(nest, start + 1, levels, assumptions) for nest in _by_constant(scans, start)])
        groups: dict[int, list[Scan]] = {}
        others: list[Scan] = []
        for scan in scans:
            first = next((index for index, level in enumerate(levels) if scan.name in level.names), None)
            (others if first is None else groups.setdefault(first, [])).append(scan)
        if not groups:
            return self.points(scans, start, assumptions)
        # Only where no other scan is before, between or behind the nests that constants separate.
        is_alone = len(groups) == 1 and not others
        stages = [_stage(levels[at:], groups[at], start) if is_alone else levels[at:] for at in sorted(groups)]
        boxes = [
            _Boxes.around(f"tiles {at}", stage[0], groups[at], start, self.iterators, assumptions, self.never)
            for at, stage in zip(sorted(groups), stages, strict=True)
        ]
        layout = [
            (box, name)
            for index in range(start, len(self.iterators))
            for box in (*(box for box in boxes if box.level.position == index), None)
            for name in (box.loops if box else (self.iterators[index],))
        ]
        inner = [box.scan(layout, start) for box in boxes]
        inner += [replace(one, date=_laid_out(one, layout, start)) for one in others]
        whole = [index for index, (box, _) in enumerate(layout) if box]
        if len(boxes) == 1 and not others and not boxes[0].level.tiles and boxes[0].level.position == start:
            return boxes[0].guarded(assumptions, self.inside(boxes[0], stages[0][1:]))
        tree = self.scanner(inner, assumptions, [name for _, name in layout], whole)
        for box in boxes:
            tree = box.stepped(tree)
        for box, stage in zip(boxes, stages, strict=True):
            tree = box.placed(tree, self.inside(box, stage[1:]))
        return tree

    def is_apart(self, scans: Sequence[Scan], start: int, levels: tuple[TileLevel, ...]) -> bool:
        """Returns True if constants order the scans, without tiles before these constants."""
        if start >= len(self.iterators) - 1 or not all(scan.date[start].is_constant for scan in scans):
            return False
        return not any(level.position == start and level.names & {scan.name for scan in scans} for level in levels)

    def _parts(self, parts: Parts, start: int, levels: tuple[TileLevel, ...]) -> Node:
        """Returns the loops for the scans in some tiles, and for those in other tiles."""
        if isinstance(parts, TilePart):
            return self.node(parts.scans, start, levels, parts.assumptions)
        then, otherwise = (self._parts(part, start, levels) for part in (parts.then, parts.otherwise))
        return Conditional(parts.condition, then, otherwise)

    def inside(self, boxes: "_Boxes", levels: tuple[TileLevel, ...]) -> Node:
        """Returns the contents of one tile; in an innermost tile, full tiles may be separate."""
        start = boxes.level.position
        if boxes.level.version is not None:
            return self._versions(boxes, boxes.level.version, levels)
        if boxes.level.whole_tiles:
            return self._parts(split(boxes.register_cells(self.never), boxes.assumptions, self.never), start, levels)
        scans = [register_cell.scan for register_cell in boxes.register_cells(self.never)]
        sides = [TileSide(tile.dimension, tile.first, tile.end) for tile in boxes.level.tiles]
        innermost = not any(scan.name in level.names for level in levels for scan in scans)
        may_be_full = self.apart and innermost and sides
        box = full_tiles(scans, sides, boxes.assumptions) if may_be_full else None
        if box is not None:
            full, filling = box
            test, simple = guard(full, boxes.assumptions), self.points(filling, start, full)
            general = self.points(scans, start, boxes.assumptions, compact=True)
            if test is not None and tests(simple) < tests(general):
                return Conditional(test, simple, general)
        tree = self.node(scans, start, levels, boxes.assumptions)
        if boxes.level.packs:
            return Pack(boxes.level.packs, tuple(scans), boxes.assumptions, tree)
        merged = tuple(scan for scan in scans if scan.name in boxes.level.merged)
        return Merge(merged, boxes.assumptions, tree) if merged else tree

    def _versions(self, boxes: "_Boxes", version: TileVersion, levels: tuple[TileLevel, ...]) -> Node:
        """Returns the contents of a tile that has another version in some places."""
        level = replace(boxes.level, version=None)
        where = Domain.where(boxes.assumptions.space, version.where)
        inside = boxes.without(version.outside, level, (boxes.assumptions & where).simplify())
        outside = boxes.without(version.inside, level, boxes.assumptions)
        test = guard(where, boxes.assumptions)
        here = self.inside(inside, levels)
        return here if test is None else Conditional(test, here, self.inside(outside, levels))

    def points(self, scans: Sequence[Scan], start: int, assumptions: Domain, *, compact: bool = False) -> Node:
        """Returns the loops outside all tiles, or inside the innermost."""
        inner = [replace(scan, date=scan.date[start:]) for scan in scans]
        tree = self.scanner(inner, assumptions, self.iterators[start:], compact=compact)
        level = None if compact else self._joint_level(tree, scans, start, assumptions)
        if level is not None:
            return self.node(scans, start, (level,), assumptions)
        return self._up_to_the_end(tree)

    def _joint_level(self, tree: Node, scans: Sequence[Scan], start: int, assumptions: Domain) -> TileLevel | None:
        """Returns the level (without tiles) of the scans with one loop in their joint components, where they have
        several inside of another one, outside of all tiles."""
        names = frozenset(scan.name for scan in scans)
        joint = [at for at in self.joint(names) if at >= start]
        if not joint or max(joint) + 1 > len(self.iterators) or self.origins & {*assumptions.space.parameters}:
            return None
        is_split = _has_several({self.iterators[at] for at in joint}, tree)
        return TileLevel(max(joint) + 1, (), names) if is_split else None

    def _up_to_the_end(self, node: Node) -> Node:
        """Writes `i < origin + size` instead of `i <= origin + (size - 1)`."""
        node = with_inside(node, [self._up_to_the_end(child) for child in inside(node)])
        match node:
            case For(_, _, _, "<=", bound) if self.origins & names_of(bound):
                return replace(node, comparison="<", bound=sum_of(bound, ONE))
        return node


def _has_several(iterators: Collection[str], node: Node) -> bool:
    """Returns True if a loop over one of these has several loops over another one inside."""
    if isinstance(node, For) and node.iterator in iterators:
        inner = [loop.iterator for loop in _outermost(iterators, node.body)]
        if len({*inner}) < len(inner):
            return True
    return any(_has_several(iterators, child) for child in inside(node))


def _outermost(iterators: Collection[str], node: Node) -> Iterator[For]:
    """Yields the outermost loops over these."""
    if isinstance(node, For) and node.iterator in iterators:
        yield node
    else:
        for child in inside(node):
            yield from _outermost(iterators, child)


def _by_constant(scans: Sequence[Scan], position: int) -> list[list[Scan]]:
    """Returns the groups of scans that a constant component separates, in order."""
    values = sorted({scan.date[position].constant for scan in scans})
    return [[scan for scan in scans if scan.date[position].constant == value] for value in values]


def _stage(levels: tuple[TileLevel, ...], scans: Sequence[Scan], start: int) -> tuple[TileLevel, ...]:
    """Returns the next levels: the tiles of the first level or, where constants separate nests before them, loops
    around these nests (a level without tiles).
    """
    for index in range(start, levels[0].position):
        if all(scan.date[index].is_constant for scan in scans) and len({scan.date[index] for scan in scans}) > 1:
            return (TileLevel(index, (), frozenset(scan.name for scan in scans)), *levels)
    return levels


# The loops of a stage: those over some boxes, or (None) over a component of the dates.
Layout = Sequence[tuple["_Boxes | None", str]]


def _laid_out(one: Scan, layout: Layout, start: int) -> tuple[Affine, ...]:
    """Returns the date of a scan that is in no tiles here."""
    components = iter(one.date[start:])
    return tuple(Affine() if box else next(components) for box, _ in layout)


@dataclass(frozen=True, slots=True, eq=False)
class _Boxes:
    """The tiles of one level that may contain points of its scans.

    `domain` is over the components `outer` before them, then the origins; `known` is the same set as parameters.
    """

    name: str
    level: TileLevel
    scans: tuple[Scan, ...]
    outer: tuple[tuple[str, int], ...]
    leading: tuple[Affine, ...]
    domain: Domain
    assumptions: Domain

    @staticmethod
    def around(
        name: str,
        level: TileLevel,
        scans: Sequence[Scan],
        start: int,
        iterators: Sequence[str],
        assumptions: Domain,
        never: Never,
    ) -> "_Boxes":
        leading = tuple(scan.date[index] for index in range(start, level.position) for scan in scans[:1])
        fixed = [
            leading[index - start].is_constant and all(scan.date[index] == leading[index - start] for scan in scans)
            for index in range(start, level.position)
        ]
        outer = tuple((iterators[index], index) for index in range(start, level.position) if not fixed[index - start])
        names = tuple(name for name, _ in outer)
        used_names = (*assumptions.space.parameters, *iterators, *(tile.origin for tile in level.tiles))
        points = fresh_names(len(level.tiles), "y", used_names)
        at = [*(place for _, place in outer), *(tile.dimension for tile in level.tiles)]
        images = (
            scan.domain.image(AffineFunction(scan.domain.space, _at(scan, at)), (*names, *points)) for scan in scans
        )
        there = reduce(Domain.__or__, images)
        held = there.hull()
        origins = tuple(tile.origin for tile in level.tiles)
        space = held.space.with_names((*names, *origins, *points))
        inside = [c for t, y in zip(level.tiles, points, strict=True) for c in _around(t, Affine.name(y))]
        inside += [c for t, y in zip(level.tiles, points, strict=True) for c in _not_below(t, there.least(y))]
        inside += [c for t in level.tiles for c in _in_tile(t)]
        pairs = held.embedded(space) & Domain.where(space, inside)
        sides = {y: _side(tile) for tile, y in zip(level.tiles, points, strict=True)}
        shorter = tiles_around(pairs, sides) if any(isinstance(tile.size, str) for tile in level.tiles) else None
        domain = shorter or pairs.onto((*names, *origins)).hull()
        parts = tuple(Affine() if not is_fixed else value for is_fixed, value in zip(fixed, leading, strict=True))
        context = as_context(domain, (*names, *origins)) & assumptions.with_parameters((*names, *origins))
        for tile in level.tiles:
            context = _with_cut(tile, context, partial(never, scans[0].name))
        return _Boxes(
            name=name,
            level=level,
            scans=tuple(scans),
            outer=outer,
            leading=parts,
            domain=domain.simplify(),
            assumptions=context.simplify(),
        )

    def without(self, names: Collection[str], level: TileLevel, assumptions: Domain) -> "_Boxes":
        """Returns the tiles of another level, in some places, without some scans."""
        scans = tuple(scan for scan in self.scans if scan.name not in names)
        return replace(self, level=level, scans=scans, assumptions=assumptions)

    @property
    def loops(self) -> tuple[str, ...]:
        """Returns the names of the scanned loops."""
        origins = tuple(tile.origin for tile in self.level.tiles)
        if self.level.recursion:
            return ()
        if not self.level.wavefront:
            return origins
        return self.level.wavefront if self.level.is_counted else (*origins[1:], origins[0])

    def scan(self, layout: Layout, start: int) -> Scan:
        """Returns the scan that represents the inside of one tile."""
        names = {place: name for name, place in self.outer}
        own, domain = iter(self._own()), self._scanned()
        outputs: list[Affine] = []
        place = start
        for box, _ in layout:
            if box is not None:
                outputs.append(next(own) if box is self else Affine())
                continue
            constant = self.leading[place - start] if place < self.level.position else Affine()
            outputs.append(Affine.name(names[place]) if place in names else constant)
            place += 1
        return Scan(self.name, domain, tuple(outputs))

    def _own(self) -> tuple[Affine, ...]:
        """Returns the components for the loops over tiles."""
        if not self.level.is_counted:
            return tuple(map(Affine.name, self.loops))
        origins = [Affine.name(tile.origin) for tile in self.level.tiles]
        return (reduce(Affine.__add__, origins), *origins[1:])

    def _scanned(self) -> Domain:
        """Returns the tiles with their numbers instead of their origins, where a wavefront adds them; without numbers,
        where these have loops of their own.
        """
        if self.level.recursion:
            return self.domain.onto([name for name, _ in self.outer])
        if not self.level.is_counted:
            return self.domain
        space = self.domain.space
        sizes = {tile.origin: tile.size for tile in self.level.tiles if isinstance(tile.size, int)}
        return self.domain.preimage(AffineFunction(space, tuple(Affine.name(n) * sizes.get(n, 1) for n in space.names)))

    def register_cells(self, never: Never) -> list[RegisterCells]:
        """Returns the contents of one tile, with `outer` and the origins as parameters. A tile that the enclosing one
        cuts has its own constraint for the common part.
        """
        tiles = self.level.tiles
        more = (*(name for name, _ in self.outer), *(t.origin for t in tiles), *(n for t in tiles for n in t.names[1:]))
        cells_ = []
        for scan in self.scans:
            domain = scan.domain.with_parameters(more)
            around = [c for t in tiles if t.cut for c in _in_box(t.cut.around, scan.date[t.dimension])]
            if around:
                domain = domain.gist(Domain.where(domain.space, around))
            constraints = [equal(scan.date[at], Affine.name(name)) for name, at in self.outer]
            constraints += [c for tile in tiles for c in _in_box(tile, scan.date[tile.dimension])]
            here = domain & Domain.where(domain.space, constraints)
            whole = [
                self._whole_tile(scan, tile_, domain, constraints)
                for tile_ in scan.whole_tiles
                if self.level.whole_tiles
            ]
            cells_.append(RegisterCells(replace(scan, domain=here), tuple(whole)))
        where = " and ".join(tile.origin for tile in tiles) or "nests"
        inside = [(cells, cells.scan.domain.in_context(self.assumptions)) for cells in cells_]
        return [
            cells for cells, here in inside if not never(cells.scan.name, f"no operation is in tiles {where}", here)
        ]

    def _whole_tile(self, one: Scan, whole: Whole, domain: Domain, constraints: Sequence[Constraint]) -> WholeTile:
        """Returns the corners in the tile, and the tiles that have some for any surroundings."""
        parameters = whole.corners.space.parameters
        corners = whole.corners.with_parameters([p for p in domain.space.parameters if p not in parameters])
        at = [equal(one.date[tile.dimension], Affine.name(tile.origin)) for tile in self.level.tiles]
        there = partial_tile_corners(domain, whole.steps) if whole.is_partial else domain
        corners = corners & Domain.where(domain.space, at)
        inside = corners & there & Domain.where(domain.space, constraints)
        tiles = corners.parameters().simplify()
        places = tiles.free_of(parameters)
        return WholeTile(
            scan=Scan(whole.name, inside, one.date),
            steps=whole.steps,
            tiles=tiles,
            places=places,
            is_partial=whole.is_partial,
        )

    def guarded(self, assumptions: Domain, inside: Node) -> Node:
        """Returns the inside under the conditions that it assumes: that the scans have points here."""
        test = guard(self.domain, assumptions)
        return inside if test is None else Conditional(test, inside)

    def stepped(self, tree: Node) -> Node:
        """Returns the loops over tiles, stepping from tile to tile.

        The inside is placed later: loops over other tiles may have the same names there.
        """
        sizes = {tile.origin: _size(tile) for tile in self.level.tiles}
        if self.level.recursion:
            return tree
        if not self.level.wavefront:
            starts = {tile.origin: tile.around[0] for tile in self.level.tiles if tile.around}
            return only_multiples(tree, sizes, starts)
        if self.level.is_counted:
            return tree
        outer = tuple(name for name, _ in self.outer)
        return wave(tree, self._below_outer(), self.name, outer, sizes, self.level.wavefront)

    def placed(self, tree: Node, inside: Node) -> Node:
        """Replaces the call of the inside by the inside."""
        cut = reduce(_bound_cut, reversed(self.level.tiles), inside)
        if self.level.recursion:
            there = self._below_outer().renamed([tile.origin for tile in self.level.tiles])
            cut = recursive(TileBox(self.level.tiles, there), self.level.recursion, cut)
        return self._put(tree, cut)

    def _put(self, node: Node, cut: Node) -> Node:
        if isinstance(node, Instance) and node.name == self.name:
            return self._bound(node.arguments, cut)
        return with_inside(node, [self._put(child, cut) for child in inside(node)])

    def _below_outer(self) -> Domain:
        """Returns the origins alone, with the components before them as parameters."""
        names = [name for name, _ in self.outer]
        space = self.domain.space
        onto = AffineFunction(space, tuple(map(Affine.name, names)))
        anew = fresh_names(space.dimensions, "y", (*space.parameters, *space.names))
        fixed = preimage_of(self.domain.renamed(anew), onto, names)
        return fixed.onto(fixed.space.names[len(names) :])

    def _bound(self, arguments: Sequence[Integer], inside: Node) -> Node:
        """Binds names to the arguments that are not names yet."""
        names = self.domain.space.names
        tiles = {tile.origin: tile for tile in self.level.tiles}
        for name, argument in reversed(list(zip(names, arguments, strict=not self.level.recursion))):
            value = argument
            if self.level.is_counted and name in tiles:
                value = multiplied(_size(tiles[name]), argument)
            if value != IntegerName(name):
                inside = Let(name, tiles[name].dimension if name in tiles else 0, value, inside)
        return inside


def _at(one: Scan, places: Sequence[int]) -> tuple[Affine, ...]:
    return tuple(one.date[place] for place in places)


def _around(tile: LoopTile, component: Affine) -> tuple[Constraint, Constraint]:
    origin = Affine.name(tile.origin)
    return at_least(component, origin), at_least(origin + tile.extent - 1, component)


def _side(tile: LoopTile) -> TileSide:
    """Returns the side of the whole tile, including the part outside of the enclosing tile."""
    origin = Affine.name(tile.origin)
    return TileSide(tile.dimension, origin, origin + tile.extent)


def _in_box(tile: LoopTile, component: Affine) -> tuple[Constraint, Constraint]:
    return at_least(component, tile.first), at_least(tile.end - 1, component)


def _with_cut(tile: LoopTile, assumptions: Domain, never: Callable[[str, Domain], bool]) -> Domain:
    """Returns the set with the names of the intersection of a tile with the enclosing one, which is not empty where
    `assumptions` says so.
    """
    if tile.cut is None:
        return assumptions
    cut, around, own = tile.cut, tile.cut.around, Affine.name(tile.origin)
    apart = (less(own + tile.extent - 1, around.first), less(around.end - 1, own))
    claim = f"each tile {tile.origin} has something in common with that around it"
    met = all(never(claim, assumptions & Domain.where(assumptions.space, [dimension])) for dimension in apart)
    more = assumptions.with_parameters((cut.first, cut.end))
    return more & Domain.where(more.space, [less(tile.first, tile.end)] if met else [])


def _bound_cut(inside: Node, tile: LoopTile) -> Node:
    if tile.cut is None:
        return inside
    around = tile.cut.around
    first = extreme("max", IntegerName(tile.origin), of_affine(around.first))
    end = extreme("min", of_affine(Affine.name(tile.origin) + tile.extent), of_affine(around.end))
    return Let(tile.cut.first, tile.dimension, first, Let(tile.cut.end, tile.dimension, end, inside))


def _in_tile(tile: LoopTile) -> Iterator[Constraint]:
    """Yields the constraints of the enclosing tile."""
    if tile.around is not None:
        origin, size = tile.around
        yield at_least(Affine.name(tile.origin), Affine.name(origin))
        yield at_least(Affine.name(origin) + size, Affine.name(tile.origin) + tile.extent)


def _not_below(tile: LoopTile, least: int | None) -> Iterator[Constraint]:
    """Yields the constraints on origins as multiples of the size, which do not hold for all integers."""
    if least is not None and isinstance(tile.size, int):
        yield at_least(Affine.name(tile.origin), least // tile.size * tile.size)
    elif least is not None and least >= 0:
        yield at_least(Affine.name(tile.origin), 0)


def _size(tile: LoopTile) -> Integer:
    return of_affine(tile.extent)
