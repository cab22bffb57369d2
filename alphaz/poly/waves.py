"""Wavefronts of tiles whose sizes are parameters: tiles with one sum of numbers (origin / size) are independent.

The sum is no affine function of the origins, so it is added to loops that run through the origins: outermost through
the sums; the number of the first tile follows from the sum and the numbers of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.poly.bounds import bounding_box
from alphaz.poly.domain import Domain
from alphaz.poly.integer import Integer, Name, Operation
from alphaz.poly.loops import For, If, Let, Node, inside, with_inside
from alphaz.poly.strides import ONE, extreme, number_above, number_below, product, subtracted, total


def wave(tree: Node, tiles: Domain, sizes: Mapping[str, Integer], names: Sequence[str]) -> Node:
    """`tree` scans the origins of `tiles`, first those of the second tile and so on, last that of the first.

    `sizes` is by origin; the loops are called `names`: the sum, then the number of each tile but the first.
    """
    box = bounding_box(tiles, tiles.parameters())
    limits = {
        origin: (number_above(low, size), number_below(high, size))
        for (origin, size), low, high in zip(sizes.items(), box.lower, box.upper, strict=True)
    }
    return _Wave(sizes, limits, tuple(names)).node(tree)


@dataclass(frozen=True, slots=True)
class _Wave:
    """`limits` has the least and the greatest number of each tile."""

    sizes: Mapping[str, Integer]
    limits: Mapping[str, tuple[Integer, Integer]]
    names: tuple[str, ...]

    def node(self, tree: Node) -> Node:
        origins = tuple(self.sizes)
        match tree:
            case For(iterator) | Let(iterator) if iterator in origins:
                at = origins.index(iterator)
                changed = self._first(tree) if at == 0 else self._numbered(tree, at)
                return self._summed(changed) if at == 1 else changed
        return with_inside(tree, [self.node(child) for child in inside(tree)])

    def _summed(self, body: Node) -> Node:
        lows, highs = zip(*self.limits.values(), strict=True)
        return For(self.names[0], 0, total(lows), "<=", total(highs), ONE, body)

    def _numbered(self, loop: For | Let, at: int) -> Node:
        """Through the numbers of a tile: those between its bounds that leave the others something of the sum."""
        origin, size = loop.iterator, self.sizes[loop.iterator]
        first, last = _range(loop)
        before = tuple(map(Name, self.names[1:at]))
        others = [self.limits[o] for place, o in enumerate(self.sizes) if place == 0 or place > at]
        rest = _less(Name(self.names[0]), before)
        low = extreme("max", number_above(first, size), _less(rest, [high for _, high in others]))
        high = extreme("min", number_below(last, size), _less(rest, [low for low, _ in others]))
        named = Let(origin, loop.dimension, product(size, Name(self.names[at])), self.node(loop.body))
        return For(self.names[at], loop.dimension, low, "<=", high, ONE, named)

    def _first(self, loop: For | Let) -> Node:
        """What is left of the sum, if there is such a tile."""
        first, last = _range(loop)
        origin = Name(loop.iterator)
        left = _less(Name(self.names[0]), tuple(map(Name, self.names[1:])))
        exists = Operation("and", (Operation("<=", (first, origin)), Operation("<=", (origin, last))))
        body = If(exists, self.node(loop.body))
        return Let(loop.iterator, loop.dimension, product(self.sizes[loop.iterator], left), body)


def _range(loop: For | Let) -> tuple[Integer, Integer]:
    if isinstance(loop, Let):
        return loop.value, loop.value
    return loop.first, subtracted(loop.bound, ONE) if loop.comparison == "<" else loop.bound


def _less(value: Integer, many: Sequence[Integer]) -> Integer:
    for each in many:
        value = subtracted(value, each)
    return value
