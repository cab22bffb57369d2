"""Packing: tiles copy values to buffers, and read them from there. See `alphaz.mapping.packing`.

Buffers for a whole team, or for a block, are filled by all of its threads, those that a thread has for itself by this
thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import claimed, succeeded
from alphaz.codegen.c.comments import line_of
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.integers import integer
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.c.nest import LoopForms, bind, counting, loops_in_c, reached_instances, with_used
from alphaz.codegen.c.readable_c import one_by_one
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.buffers import Buffer, BufferSide
from alphaz.codegen.scheduled.memory.emit_context import ScratchMemory
from alphaz.codegen.scheduled.statements.lowering import ScheduledLowering
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate, branches
from alphaz.loops.modes import Threads
from alphaz.loops.passes.launches import one_thread
from alphaz.loops.passes.simplify import Fold
from alphaz.loops.passes.teams import ShareOut, every_loop
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tile_levels import LoopTile, TileLevel
from alphaz.loops.tiling import tiled_scan
from alphaz.loops.tree import For, Instance, Node, Pack, Scan, inside, with_inside
from alphaz.mapping.resolved_mapping import Along, PackedRead, ResolvedMapping
from alphaz.model.expression import Access, Expression
from alphaz.model.walk import walk, without_restricts
from alphaz.order.happens_before import SyncScope
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.integer_expression import IntegerConstant, of_affine

Statements = tuple[c.Statement, ...]

# An index that a packed value does not depend on: no identifier of C, should it be used all the same.
_NOTHING = Affine.name("?")


@dataclass(frozen=True, slots=True)
class PackingPlan:
    """Writes the code for the buffers of one nest.

    `padded` are the statements that read more of their buffers than was filled: these buffers are zeroed first.
    `of_blocks`: buffers are in the memory of blocks of threads.
    """

    mapping: ResolvedMapping
    parameters: Mapping[str, Affine]
    names: Identifiers
    layout: LoopNames
    buffers: Mapping[str, Buffer]
    forms: LoopForms
    padded: frozenset[str] = frozenset()
    of_blocks: bool = False

    reads: Mapping[Expression, Buffer] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Caches the packed reads, which every operation looks up."""
        reads = {read: buffer for buffer in self.buffers.values() for read in buffer.packed.reads}
        object.__setattr__(self, "reads", reads)

    # --- filling ----------------------------------------------------------------------------------------------------

    def filled(self, node: Pack, actions: Mapping[str, StatementTemplate], lowering: ScheduledLowering) -> Statements:
        """Returns the copies before a tile; `lowering` reads from no buffer."""
        return one_by_one([self._filled(self.buffers[name], node, actions, lowering) for name in node.names])

    def _filled(
        self, buffer: Buffer, node: Pack, actions: Mapping[str, StatementTemplate], lowering: ScheduledLowering
    ) -> Statements:
        scans = [scan for scan in node.scans if self.is_reader(actions[scan.name], buffer)]
        parts = dict(enumerate(branches(self._needed(buffer.packed), buffer.packed.read, self.mapping.facts)))
        copied = [self._scan(buffer, str(at), domain, scans) for at, (domain, _) in parts.items()]
        iterators, levels = self._loops(buffer, [one.name for one in copied], node.assumptions.space.parameters)
        tree = tiled_scan(copied, levels, node.assumptions, iterators, readable_scan)
        if lowering.cells.around.scope_of(buffer.name) is SyncScope.TEAM:
            tree = ShareOut(every_loop)(tree)
        if node.threads:
            tree = self._by_block(tree, buffer, node.threads)
        tree = Fold(node.assumptions, self._multiples)(tree)
        names = buffer.packed.statement.domain.space.names
        own = [along.name for along in buffer.packed.along]
        copies: dict[Instance, Statements] = {}
        for call, arguments in reached_instances(tree, self.parameters):
            declared, scope = bind(own, arguments, self.names.copy().new)
            known = dict(zip(own, scope.values, strict=True))
            point = tuple(known.get(name, _NOTHING) for name in names)
            read, here = without_restricts(parts[int(call.name)][1]), CScope(names, point)
            lowered = lowering.value(read, here)
            about = None
            if isinstance(read, Access):
                about = c.ValueAnnotation(read.variable, lowering.image(read.function, here))
            assign = c.Assign(buffer.element(point), lowered.value.code, about=about)
            copies[call] = with_used(declared, (*lowered.before, assign))
        written = loops_in_c(tree, self.parameters, copies, self.forms)
        return (c.Comment(self._comment(buffer)), *written) if written else ()

    def _by_block(self, tree: Node, buffer: Buffer, threads: Sequence[tuple[str, int]]) -> Node:
        """Returns the copies, shared among the threads of a block: the innermost side along the first axis."""
        start, sides = len(self._fixed(buffer)), self._filled_sides(buffer)
        axis_of = self.shares(buffer, threads)
        axes = {start + position: axis_of[side.name] for position, side in enumerate(sides) if side.name in axis_of}
        shares = BlockShares(
            axes, {start + position: side for position, side in enumerate(sides)}, dict(threads), self.names.copy()
        )
        return shares.of(tree, frozenset())

    def shares(self, buffer: Buffer, threads: Sequence[tuple[str, int]]) -> dict[str, tuple[str, int]]:
        """Returns the axis and its number of threads that share a side, by the name of the side."""
        names = (side.name for side in reversed(self._filled_sides(buffer)))
        return dict(zip(names, threads, strict=False))

    def is_reader(self, action: StatementTemplate, buffer: Buffer) -> bool:
        """Returns True if a statement reads a value from the buffer."""
        if action.statement is not buffer.packed.statement or action.expression is None or not action.uses_buffers:
            return False
        return any(node is read for node in walk(action.expression) for read in buffer.packed.reads)

    def _needed(self, packed: PackedRead) -> Domain:
        """Returns the points of the statement at which the value is read: elsewhere it may be outside of its array."""
        domain, contexts = packed.statement.domain, self.mapping.facts.context_domain
        return domain & reduce(Domain.__or__, (contexts[read].renamed(domain.space.names) for read in packed.reads))

    def _scan(self, buffer: Buffer, name: str, part: Domain, scans: Sequence[Scan]) -> Scan:
        """Returns the points at which the tile reads the value, over the indices that it depends on."""
        first = scans[0].domain.space
        there = reduce(Domain.__or__, (scan.domain.renamed(first.names) for scan in scans))
        more = [p for p in first.parameters if p not in part.space.parameters]
        there = there & part.renamed(first.names).with_parameters(more)
        renamed = dict(zip(buffer.packed.statement.domain.space.names, first.names, strict=True))
        domain = there.onto([renamed[along.name] for along in buffer.packed.along]).simplify()
        date = tuple(value.rename(renamed) for value in self._order(buffer))
        return Scan(name, domain, date)

    def _order(self, buffer: Buffer) -> tuple[Affine, ...]:
        """Returns the order in which a buffer is filled, which is that of its elements. Dimensions that the tile fixes
        come first.
        """
        statement = buffer.packed.statement
        order = [along.dimension for along in self._fixed(buffer)]
        order += [side.dimension for side in self._filled_sides(buffer)]
        return tuple(statement.dates[dimension] for dimension in order)

    @staticmethod
    def _fixed(buffer: Buffer) -> list[Along]:
        free = {side.name for side in buffer.sides}
        return [along for along in buffer.packed.along if along.name not in free]

    def _loops(self, buffer: Buffer, names: Sequence[str], around: Sequence[str]) -> tuple[list[str], list[TileLevel]]:
        """Returns iterators, none of them of an enclosing loop, and the level of register tiles."""
        sides, start = self._filled_sides(buffer), len(self._fixed(buffer))
        order = self.layout.orders[buffer.packed.statement.name]
        fresh = self.names.copy()
        iterators = [fresh.new("c") for _ in range(start)]
        named = (self.layout.iterators[order.index(side.dimension)] for side in sides)
        iterators += [fresh.new("c") if name in around else name for name in named]
        tiles = tuple(
            LoopTile(side.piece[0].names[0], start + position, side.piece[1], _around(side))
            for position, side in enumerate(sides)
            if side.piece is not None
        )
        return iterators, [TileLevel(start, tiles, frozenset(names))] if tiles else []

    @property
    def _multiples(self) -> dict[str, int]:
        """Returns the sizes of which the origins of tiles are multiples."""
        tiles = [tile for level in self.layout.levels for tile in level.tiles]
        return {tile.origin: tile.size for tile in tiles if isinstance(tile.size, int)}

    def _comment(self, buffer: Buffer) -> str:
        what = line_of(buffer.name, "=", buffer.packed.read, buffer.packed.statement.domain.space.names)
        sizes = " x ".join(str(side.piece[1]) for side in buffer.sides if side.piece)
        return f"{what}, as the tile reads it{f', {sizes} after {sizes}' if sizes else ''}"

    def _filled_sides(self, buffer: Buffer) -> list[BufferSide]:
        """Returns the sides in the order of the loops that fill them. Threads of a block read adjacent elements."""
        if not self.of_blocks:
            return _sides(buffer)
        read, names = without_restricts(buffer.packed.read), buffer.packed.statement.domain.space.names
        last = read.function.renamed(names).outputs[-1:] if isinstance(read, Access) else ()
        return sorted(buffer.sides, key=lambda side: any(value.coefficient(side.name) for value in last))

    # --- memory -----------------------------------------------------------------------------------------------------

    def made(self, names: Sequence[str]) -> ScratchMemory:
        """Returns the allocation of these buffers."""
        buffers, failed = [self.buffers[name] for name in names], self.names.new("failed")
        constants = tuple(constant for buffer in buffers for constant in buffer.array.constants)
        arrays = (claimed(buffer.array, failed) for buffer in buffers)
        zeros = [self._zeros(buffer) for buffer in buffers if buffer.packed.statement.name in self.padded]
        filled = (c.If(succeeded(failed), tuple(zeros)),) if zeros else ()
        made = (c.Declare(c.INT, failed, c.ZERO), *arrays, *filled)
        return ScratchMemory(made, tuple(buffer.array for buffer in buffers), failed, constants)

    def of_block(self, names: Sequence[str]) -> Statements:
        """Returns the declarations of buffers in the memory of a block."""
        return tuple(_declared(self.buffers[name]) for name in names)

    def _zeros(self, buffer: Buffer) -> c.Statement:
        at = c.Name(self.names.copy().new("at"))
        return counting(at.name, integer(buffer.size), (c.Assign(c.Index(c.Name(buffer.name), at), c.ZERO),))


def _declared(buffer: Buffer) -> c.Declare:
    type_ = c.Array(c.scalar(buffer.array.type), integer(buffer.size))
    return c.Declare(type_, buffer.name, space=c.AddressSpace.SHARED)


@dataclass(frozen=True, slots=True)
class BlockShares:
    """Shares loops among the threads of a block. `axes`: the axis and its number of threads for a dimension of the
    loops; `sides` are those of the buffer by dimensions, `threads` the numbers by axes.
    """

    axes: Mapping[int, tuple[str, int]]
    sides: Mapping[int, BufferSide]
    threads: Mapping[str, int]
    names: Identifiers

    def of(self, node: Node, around: frozenset[str]) -> Node:
        """Returns the copies; the loops `around` are along these axes. Along other axes one thread copies."""
        match node:
            case For(dimension=at) if at in self.axes and node.step == IntegerConstant(1):
                axis, count = self.axes[at]
                side = self.sides[at]
                is_once = isinstance(side.extent, IntegerConstant) and side.extent.value <= count
                mode = Threads(axis, of_affine(side.origin), count, is_once)
                return replace(node, mode=mode, body=self.of(node.body, around | {axis}))
            case Instance():
                for axis, count in self.threads.items():
                    if axis not in around:
                        node = one_thread(node, axis, count, self.names.new(f"thread_{axis}"))
                return node
        return with_inside(node, [self.of(child, around) for child in inside(node)])


def _sides(buffer: Buffer) -> list[BufferSide]:
    """Returns the whole sides before those in pieces: their loops lie inside the loops over pieces."""
    return sorted(buffer.sides, key=lambda side: side.piece is not None)


def _around(side: BufferSide) -> tuple[str, int] | None:
    match side.extent, side.origin.names:
        case IntegerConstant(size), (name,):
            return name, size
    return None
