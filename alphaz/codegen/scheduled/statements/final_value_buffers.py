"""Buffers of final values: a tile that writes nothing of what it reads may copy these values to buffers before its
loops.

Let t be the origins of the tiles around a buffer, x a reading operation and y a writing one:
    { (t, x, y) : t is in the chosen set, x and y are in the tiles t, cell(read(x)) = cell(target(y)) }
is empty for every statement that writes. The tiles without such a pair are chosen, and the obligation (V) is then put
to the proof engine: without a proof no tile has buffers. Source: Goto and van de Geijn, "Anatomy of high-performance
matrix multiplication" (TOMS 2008), whose blocks are packed before they are used.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import lcm

from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.statements.independence import OracleQuery
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.legality.loops.independence import alike, cell_access
from alphaz.loops.tile_levels import TileVersion
from alphaz.mapping.resolved_mapping import PackedRead, ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access
from alphaz.model.walk import walk
from alphaz.poly import Affine, Constraint, Domain, at_least, equal, fresh_names
from alphaz.poly.algorithms.tile_corners import BoxKey, corner_point_pairs, corners_of_points

_BUFFERED = " from buffers"


@dataclass(frozen=True, slots=True)
class FinalCopies:
    """The buffers of a statement, by their names. They are filled in the tiles of `quiet`, a set of the origins of the
    tiles around them, the outermost first; `first` is the least value of each dimension of the dates that is in tiles.
    `is_alone`: no other statement is executed in these tiles (asked where the sizes of register tiles depend on it).
    """

    buffers: Mapping[str, PackedRead]
    quiet: Domain
    first: Mapping[int, int]
    is_alone: bool = False

    @property
    def packed(self) -> PackedRead:
        """Returns one of the packed reads; all have buffers in the same tiles."""
        return next(iter(self.buffers.values()))

    def versions(self, actions: Sequence[StatementTemplate]) -> Iterator[StatementTemplate]:
        """Yields the actions; those that read the packed values also in a version that reads the buffers."""
        for action in actions:
            if action.statement is not self.packed.statement or action.expression is None:
                yield action
                continue
            yield replace(action, uses_buffers=False)
            yield replace(action, name=f"{action.name}{_BUFFERED}")

    def resized(self, actions: Sequence[StatementTemplate]) -> frozenset[str]:
        """Returns the names of the versions whose register tiles may have sizes of their own."""
        return frozenset(action.name for action in actions if self.is_alone and action.name.endswith(_BUFFERED))

    def placed(self, mapping: ResolvedMapping, layout: LoopNames) -> LoopNames:
        """Returns the loops, with a version of the tiles that fill the buffers."""
        around = self.packed
        origins = [
            origin
            for position, level in enumerate(mapping.levels[: around.level + 1])
            if level.has(around.statement) and not level.band.registers
            for origin in layout.origins[position, around.statement.name]
        ]
        names = dict(zip(self.quiet.space.names, origins, strict=True))
        (piece,) = self.quiet.pieces()
        where = tuple(replace(constraint, affine=constraint.affine.rename(names)) for constraint in piece.constraints)
        return replace(
            layout,
            levels=tuple(
                replace(level, version=_version(where, level.names)) if self.buffers.keys() & {*level.packs} else level
                for level in layout.levels
            ),
        )


def _version(where: tuple[Constraint, ...], names: frozenset[str]) -> TileVersion:
    inside = frozenset(name for name in names if name.endswith(_BUFFERED))
    return TileVersion(where, inside, frozenset(name.removesuffix(_BUFFERED) for name in inside))


def final_copies(mapping: ResolvedMapping, packed: Mapping[str, PackedRead], asked: OracleQuery) -> FinalCopies | None:
    """Returns the buffers of the final values that one statement reads, with the tiles that use them; None if it is not
    proved that there are such tiles.
    """
    final = {name: copy for name, copy in packed.items() if copy.is_final}
    if len({(copy.statement.name, copy.level, copy.tile) for copy in final.values()}) != 1:
        return None
    tiles = _Tiles(mapping, next(iter(final.values())))
    if not tiles.are_known:
        return None
    conflicts = [conflict for copy in final.values() for conflict in tiles.conflicts(copy)]
    quiet = tiles.quiet(conflicts)
    if quiet is None:
        return None
    readers = tiles.readers & quiet.embedded(tiles.readers.space)
    for conflict in conflicts:
        pairs = corner_point_pairs(readers, conflict.keys, conflict.writer, conflict.other_keys)
        if not asked.nothing(conflict.claim, pairs, tiles.packed.span):
            return None
    is_asked = any(band.final for band in mapping.bands)
    is_alone = is_asked and all(tiles.apart(readers, asked))
    return FinalCopies(final, quiet, dict(tiles.first(readers)), is_alone)


@dataclass(frozen=True, slots=True)
class _Conflict:
    """The keys that a reading operation, in its tiles, and a writing one have in common where they access one cell."""

    claim: str
    writer: Domain
    keys: tuple[BoxKey, ...]
    other_keys: tuple[BoxKey, ...]


@dataclass(frozen=True, slots=True)
class _Tiles:
    """The tiles around a buffer."""

    mapping: ResolvedMapping
    packed: PackedRead

    @property
    def are_known(self) -> bool:
        """Returns True if the sizes of all tiles are numbers, and their order is no recursion."""
        levels = [level for level in self.mapping.levels[: self.packed.level + 1] if level.has(self.packed.statement)]
        plain = [level for level in levels if not level.band.registers]
        return all(not one.recursive and all(tile.size is not None for tile in one.tiles) for one in plain)

    @property
    def sides(self) -> tuple[tuple[int, int], ...]:
        return tuple(self.mapping.sides_around(self.packed))

    @property
    def names(self) -> tuple[str, ...]:
        """Returns names for the origins, then for the numbers of the tiles."""
        space = self.packed.statement.domain.space
        return fresh_names(2 * len(self.sides), "t", (*space.parameters, *space.names))

    @property
    def origins(self) -> tuple[str, ...]:
        return self.names[: len(self.sides)]

    @property
    def readers(self) -> Domain:
        """Returns the reading operations with the origins and the numbers of their tiles."""
        statement = self.packed.statement
        domain = statement.domain.in_context(self.mapping.system.context)
        space, inside = domain.space.with_names((*self.names, *domain.space.names)), list[Constraint]()
        for position, (dimension, size) in enumerate(self.sides):
            origin, number = (Affine.name(self.names[place]) for place in (position, position + len(self.sides)))
            offset = statement.dates[dimension] - origin
            inside += [equal(origin, number * size), at_least(offset, 0), at_least(-offset, 1 - size)]
        return domain.embedded(space) & Domain.where(space, inside)

    def quiet(self, conflicts: Sequence["_Conflict"]) -> Domain | None:
        """Returns tiles without a conflict, by their origins, for all parameters. Any such set is right: other tiles
        read memory.
        """
        every = self._numbers(self.readers)
        met = [
            self._numbers(corners_of_points(self.readers, conflict.keys, conflict.writer, conflict.other_keys))
            for conflict in conflicts
        ]
        parts = reduce(Domain.__sub__, met, every).simplify().parts()
        wide = [part.gist(every).free_of(every.space.parameters) for part in parts]
        some = [part for part in wide if all((part & one).is_empty() for one in met) and part.piece_count == 1]
        found = [origins for part in some for origins in self._of_origins(part)]
        return min(found, key=lambda part: len(part.pieces()[0].constraints), default=None)

    def apart(self, readers: Domain, asked: OracleQuery) -> Iterator[bool]:
        """Yields for each other statement whether it is proved not to be executed in the tiles of these readers."""
        level = self.mapping.levels[self.packed.level]
        for other in self.mapping.statements:
            if other is not self.packed.statement and level.has(other):
                found = self._conflict(f"{other.name} is not executed in the tiles with buffers", other)
                pairs = corner_point_pairs(readers, found.keys, found.writer, found.other_keys)
                yield asked.nothing(found.claim, pairs, self.packed.span)

    def first(self, readers: Domain) -> Iterator[tuple[int, int]]:
        """Yields the least value of each dimension that is in tiles, if there is one."""
        for origin, (dimension, _) in zip(self.origins, self.sides, strict=True):
            least = readers.least(origin)
            if least is not None:
                yield dimension, least

    def _numbers(self, readers: Domain) -> Domain:
        return readers.onto(self.names[len(self.sides) :])

    def _of_origins(self, numbers: Domain) -> Iterator[Domain]:
        """Yields the same tiles by their origins, if the set of numbers has no divisions."""
        (piece,) = numbers.pieces()
        if piece.floors:
            return
        sizes = [size for _, size in self.sides]
        scale, own = lcm(*sizes), numbers.space.names
        constraints = [
            replace(
                constraint,
                affine=sum(
                    (
                        Affine.name(origin) * (constraint.affine.coefficient(name) * scale // size)
                        for origin, name, size in zip(self.origins, own, sizes, strict=True)
                    ),
                    Affine(constant=constraint.affine.constant * scale),
                ),
            )
            for constraint in piece.constraints
        ]
        space = numbers.space.with_names(self.origins)
        yield Domain.where(space, constraints).simplify()

    def conflicts(self, copy: PackedRead) -> Iterator[_Conflict]:
        """Yields what may be written of the values of a buffer in its tiles."""
        for node in (node for read in copy.reads for node in walk(read) if isinstance(node, Access)):
            point = node.function.renamed(copy.statement.domain.space.names).outputs
            cell = cell_access(self.mapping, node.variable, point)
            for writer in self.mapping.statements:
                if writer.variable in self.mapping.cells:
                    target = writer.target.renamed(writer.domain.space.names).outputs
                    written = cell_access(self.mapping, writer.variable, target)
                    if cell.may_be(written):
                        claim = f"{writer.name} writes nothing of {cell.text} in the tiles with a buffer of it"
                        yield self._conflict(claim, writer, *alike(cell, written))

    def _conflict(
        self, claim: str, writer: Statement, mine: Sequence[BoxKey] = (), other: Sequence[BoxKey] = ()
    ) -> _Conflict:
        leading = range(self.mapping.levels[self.packed.level].position)
        dates = self.packed.statement.dates
        keys = [BoxKey(dates[at]) for at in leading]
        keys += [BoxKey(Affine.name(origin), size) for origin, (_, size) in zip(self.origins, self.sides, strict=True)]
        other_keys = [BoxKey(writer.dates[at]) for at in leading]
        other_keys += [BoxKey(writer.dates[at], size) for at, size in self.sides]
        return _Conflict(
            claim=claim,
            writer=writer.domain.in_context(self.mapping.system.context),
            keys=(*keys, *mine),
            other_keys=(*other_keys, *other),
        )
