"""Recursive tiles: a box of tiles is halved recursively along its longest side, until one tile is left.

Around this recursion, the box is cut into blocks, BLOCKS along each side with enough tiles. Blocks with one sum of
numbers (a diagonal) are independent; so are all that differ only along sides whose tiles are unordered. Empty blocks
and tiles are left out. For every cache size, some box of the recursion fits into the cache. Source: Frigo, Leiserson,
Prokop, Ramachandran, Cache-oblivious algorithms, FOCS 1999; Frigo, Strumpen, Cache oblivious stencil computations, ICS
2005.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from alphaz.loops.strided_loops import (
    ONE,
    difference,
    extreme,
    multiplied,
    number_above,
    number_below,
    subtracted_all,
    sum_of,
    total,
)
from alphaz.loops.tile_levels import LoopTile, Recursion, TileEdge
from alphaz.loops.tree import Conditional, For, Let, Node
from alphaz.poly.algorithms.bounds import bounding_box, guard
from alphaz.poly.algorithms.smallest import as_context
from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine, Constraint, at_least
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, of_affine

# The most blocks along a side: enough for the threads of a machine, and few diagonals with a barrier.
BLOCKS = 16


@dataclass(frozen=True, slots=True)
class TileBox:
    """The tiles of a level, and the origins (over their names) of those that may contain operations."""

    tiled: tuple[LoopTile, ...]
    tiles: Domain

    @property
    def origins(self) -> tuple[str, ...]:
        return tuple(tile.origin for tile in self.tiled)


def recursive(box: TileBox, names: Recursion, inside: Node) -> Node:
    """Returns the loops around the contents of one tile."""
    return _Recursion(box, names).node(inside)


@dataclass(frozen=True, slots=True)
class _Recursion:
    box: TileBox
    names: Recursion

    def node(self, inside: Node) -> Node:
        bounds = bounding_box(self.box.tiles, self.box.tiles.parameters())
        lows = [number_above(low, size) for low, size in zip(bounds.lower, self.sizes, strict=True)]
        highs = [number_below(high, size) for high, size in zip(bounds.upper, self.sizes, strict=True)]
        starts = [
            low if isinstance(low, IntegerConstant) else IntegerName(s.low)
            for low, s in zip(lows, self.names.edges, strict=True)
        ]
        iterations = self.iterations(inside)
        several = len(self.names.edges) > 1 or self.names.free
        tree = self.blocks(self.bounded(iterations, starts)) if several else self.one_block(iterations, starts)
        for position, edge in reversed(list(enumerate(self.names.edges))):
            most = extreme("min", IntegerConstant(BLOCKS), IntegerName(edge.count))
            count = sum_of(difference(highs[position], starts[position]), ONE)
            tree = self.let(edge.count, position, count, self.let(edge.blocks, position, most, tree))
            tree = (
                self.let(edge.low, position, lows[position], tree)
                if starts[position] == IntegerName(edge.low)
                else tree
            )
        return tree

    # --- blocks -----------------------------------------------------------------------------------------------------

    def blocks(self, body: Node) -> Node:
        """Returns the loops over blocks by diagonals; the blocks of one diagonal run in parallel."""
        edges = self.names.edges
        led, *others = self.names.ordered or (None,)
        if led is not None and others:
            rest = subtracted_all(IntegerName(self.names.diagonal), [IntegerName(edges[at].block) for at in others])
            here = IntegerName(edges[led].block)
            conditions = (
                IntegerOperation("<=", (IntegerConstant(0), here)),
                IntegerOperation("<", (here, IntegerName(edges[led].blocks))),
            )
            body = self.let(here.name, led, rest, Conditional(IntegerOperation("and", conditions), body))
        for at in sorted((*others, *self.names.free), reverse=True):
            body = self.loop(edges[at].block, at, IntegerName(edges[at].blocks), body, uneven=True)
        if led is None:
            return body
        if not others:
            return self.loop(edges[led].block, led, IntegerName(edges[led].blocks), body)
        sums = total([IntegerName(edges[at].blocks) for at in self.names.ordered])
        return self.loop(self.names.diagonal, led, difference(sums, IntegerConstant(len(others))), body)

    def bounded(self, inside: Node, starts: Sequence[Integer]) -> Node:
        """Binds the first and the last value of a block; only where the block is not empty."""
        test = guard(self.nonempty_blocks, self.known_of_block())
        tree = inside if test is None else Conditional(test, inside)
        for position, edge in reversed(list(enumerate(self.names.edges))):
            behind = (
                self.cut(edge, IntegerName(edge.block)),
                self.cut(edge, sum_of(IntegerName(edge.block), ONE)),
            )
            tree = self.between(position, [sum_of(starts[position], cut) for cut in behind], tree)
        return tree

    def one_block(self, inside: Node, starts: Sequence[Integer]) -> Node:
        """Returns the loops with one block."""
        for position, edge in reversed(list(enumerate(self.names.edges))):
            inside = self.between(
                position, [starts[position], sum_of(starts[position], IntegerName(edge.count))], inside
            )
        return inside

    def between(self, position: int, numbers: Sequence[Integer], inside: Node) -> Node:
        """Binds the tiles of a block, from one tile to another."""
        edge = self.names.edges[position]
        first, end = (multiplied(self.sizes[position], number) for number in numbers)
        values = difference(IntegerName(edge.end), IntegerName(edge.first))
        tiles = values if self.sizes[position] == ONE else IntegerOperation("exact_div", (values, self.sizes[position]))
        return self.let(
            edge.first,
            position,
            first,
            self.let(edge.end, position, end, self.let(edge.tiles, position, tiles, inside)),
        )

    @staticmethod
    def cut(edge: TileEdge, block: Integer) -> Integer:
        """Returns the number of tiles before a block: block sizes differ by at most one."""
        return IntegerOperation("quotient", (multiplied(block, IntegerName(edge.count)), IntegerName(edge.blocks)))

    # --- tiles of a block -------------------------------------------------------------------------------------------

    def iterations(self, inside: Node) -> Node:
        """Returns the loops over the non-empty tiles of a block in their order."""
        edges, counts = self.names.edges, [IntegerName(edge.tiles) for edge in self.names.edges]
        test = guard(self.there, self.known_of_tile())
        tree = inside if test is None else Conditional(test, inside)
        for position in reversed(range(len(edges))):
            origin = sum_of(IntegerName(edges[position].first), multiplied(self.sizes[position], self.place(position)))
            tree = self.let(self.box.origins[position], position, origin, tree)
        if len(edges) > 1:
            halved = IntegerOperation("halved", (IntegerName(self.names.iteration), *counts, *self.sizes))
            tree = self.let(self.names.number, 0, halved, tree)
        return self.loop(
            self.names.iteration, 0, IntegerOperation("volume", tuple(counts)) if len(counts) > 1 else counts[0], tree
        )

    def place(self, position: int) -> Integer:
        """Returns the number of the tile along a side of the block."""
        counts: list[Integer] = [IntegerName(edge.tiles) for edge in self.names.edges]
        if len(counts) == 1:
            return IntegerName(self.names.iteration)
        number: Integer = IntegerName(self.names.number)
        if behind := counts[position + 1 :]:
            number = IntegerOperation("quotient", (number, reduce(multiplied, behind)))
        return number if position == 0 else IntegerOperation("remainder", (number, counts[position]))

    # --- sets -------------------------------------------------------------------------------------------------------

    @property
    def nonempty_blocks(self) -> Domain:
        """Returns the non-empty blocks, over the names of their ends."""
        tiles = self.box.tiles.with_parameters(self.ends)
        return (tiles & Domain.where(tiles.space, self.in_block())).parameters().hull().simplify()

    def known_of_block(self) -> Domain:
        """Returns the constraints that hold wherever a block is reached."""
        domain = self.box.tiles.parameters().with_parameters(self.ends)
        sizes = [at_least(size, 1) for size in self.extents]
        ends = [
            at_least(Affine.name(edge.end), Affine.name(edge.first) + size)
            for edge, size in zip(self.names.edges, self.extents, strict=True)
        ]
        return domain & Domain.where(domain.space, [*sizes, *ends])

    @property
    def there(self) -> Domain:
        """Returns the non-empty tiles, over the names of their origins."""
        return as_context(self.box.tiles, self.box.origins).with_parameters(self.ends)

    def known_of_tile(self) -> Domain:
        """Returns the constraints that hold wherever a tile is reached."""
        domain = self.box.tiles.parameters().with_parameters((*self.box.origins, *self.ends))
        sizes = [at_least(size, 1) for size in self.extents]
        return domain & Domain.where(domain.space, [*sizes, *self.in_block()])

    def in_block(self) -> Iterator[Constraint]:
        """Yields the constraints that a tile lies in a block."""
        for name, edge, size in zip(self.box.origins, self.names.edges, self.extents, strict=True):
            yield at_least(Affine.name(name), Affine.name(edge.first))
            yield at_least(Affine.name(edge.end), Affine.name(name) + size)

    @property
    def ends(self) -> tuple[str, ...]:
        return tuple(name for edge in self.names.edges for name in (edge.first, edge.end))

    @property
    def extents(self) -> tuple[Affine, ...]:
        return tuple(tile.extent for tile in self.box.tiled)

    # --- nodes ------------------------------------------------------------------------------------------------------

    @property
    def sizes(self) -> tuple[Integer, ...]:
        return tuple(map(of_affine, self.extents))

    def let(self, name: str, position: int, value: Integer, body: Node) -> Let:
        return Let(name, self.box.tiled[position].dimension, value, body)

    def loop(self, name: str, position: int, count: Integer, body: Node, *, uneven: bool = False) -> For:
        return For(
            iterator=name,
            dimension=self.box.tiled[position].dimension,
            first=IntegerConstant(0),
            comparison="<",
            bound=count,
            step=ONE,
            body=body,
            uneven=uneven,
        )
