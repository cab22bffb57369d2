"""Wavefronts of tiles whose sizes are parameters: tiles with one sum of numbers (origin / size) are independent.

The sum is no affine function of the origins, so it is added to loops over the origins: the outermost loop runs over
the sums; the number of the innermost tile follows from the sum and the numbers of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.loops.strided_loops import (  # fmt: skip
    ONE,
    difference,
    extreme,
    multiplied,
    number_above,
    number_below,
    only_multiples,
    subtracted_all,
    total,
)
from alphaz.loops.tree import Conditional, For, Instance, Let, Node, calls, inside, with_inside
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.domain import Domain
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerName,
    IntegerOperation,
    names_of,
    simplified,
    substitute,
)


def wave(
    tree: Node, tiles: Domain, body: str, outer: Sequence[str], sizes: Mapping[str, Integer], names: Sequence[str]
) -> Node:
    """Returns the loops over wavefronts: `tree` scans the origins of `tiles`, first those of the second tile and so on,
    last that of the first; `body` is its call for each tile, with the values of `outer` and the origins as its
    arguments.

    `outer` are the parameters of `tiles` that represent enclosing components: a loop may have another name for one, or
    none where it has one value. `sizes` is by origin; the loops are called `names`: the sum, then the number of each
    tile but the first. An origin that the others determine has no loop.
    """
    match tree:
        case For(iterator) | Let(iterator) if iterator in sizes:
            return _wave_loops(tree, tiles, body, outer, sizes, names)
        case Instance():
            return tree
    return with_inside(tree, [wave(child, tiles, body, outer, sizes, names) for child in inside(tree)])


def _wave_loops(
    tree: For | Let, tiles: Domain, body: str, outer: Sequence[str], sizes: Mapping[str, Integer], names: Sequence[str]
) -> Node:
    """Returns the same for the outermost loop over origins: components before it may differ between parts."""
    body_calls = [call for call in calls(tree) if call.name == body]
    fixed = {
        tuple(
            value
            for origin, value in zip(sizes, call.arguments[len(outer) :], strict=True)
            if value != IntegerName(origin)
        )
        for call in body_calls
    }
    if len(fixed) != 1:
        # Parts of the tiles have other loops than the others have: tile by tile in sequence, which is legal as well.
        return only_multiples(tree, sizes)
    call = body_calls[0]
    around = dict(zip(outer, call.arguments[: len(outer)], strict=True))

    def here(value: Integer) -> Integer:
        return simplified(substitute(value, around))

    box = bounding_box(tiles, tiles.parameters())
    limits = {
        origin: (number_above(here(low), size), number_below(here(high), size))
        for (origin, size), low, high in zip(sizes.items(), box.lower, box.upper, strict=True)
    }
    values = dict(zip(sizes, call.arguments[len(outer) :], strict=True))
    looped = tuple(origin for origin, value in values.items() if value == IntegerName(origin))
    own = dict(zip(tuple(sizes)[1:], map(IntegerName, names[1:]), strict=True))
    numbers = {o: own[o] if o in looped and o in own else number_below(v, sizes[o]) for o, v in values.items()}
    innermost = next((o for o in (next(iter(sizes)), *reversed(own)) if o in looped), None)
    others = [number for origin, number in numbers.items() if origin != innermost]
    follows = innermost if not any(innermost in names_of(number) for number in others) else None
    return (
        _Wave(
            body=body, sizes=sizes, limits=limits, numbers=numbers, looped=looped, sum=names[0], follows=follows
        ).node(tree)
        if looped
        else tree
    )


@dataclass(frozen=True, slots=True)
class _Wave:
    """A wavefront. `limits` has the least and the greatest number of each tile, `numbers` their values inside the
    loops.

    `follows` is the origin that follows from the sum and the numbers of the others; None where another depends on it.
    """

    body: str
    sizes: Mapping[str, Integer]
    limits: Mapping[str, tuple[Integer, Integer]]
    numbers: Mapping[str, Integer]
    looped: tuple[str, ...]
    sum: str
    follows: str | None
    is_outermost: bool = True

    def node(self, tree: Node) -> Node:
        match tree:
            case For(iterator) | Let(iterator) if iterator in self.looped:
                within = replace(self, is_outermost=False)
                changed = within.following(tree) if iterator == self.follows else within.numbered(tree)
                return self.summed(changed) if self.is_outermost else changed
            case Instance(name) if name == self.body and self.follows is None:
                return Conditional(
                    IntegerOperation("==", (IntegerName(self.sum), total(tuple(self.numbers.values())))), tree
                )
        return with_inside(tree, [self.node(child) for child in inside(tree)])

    def summed(self, body: Node) -> Node:
        lows, highs = zip(*self.limits.values(), strict=True)
        return For(
            iterator=self.sum, dimension=0, first=total(lows), comparison="<=", bound=total(highs), step=ONE, body=body
        )

    def numbered(self, loop: For | Let) -> Node:
        """Returns the loop over the numbers of a tile: those between its bounds that leave a possible sum for the
        others.
        """
        origin, size = loop.iterator, self.sizes[loop.iterator]
        first, last = _range(loop)
        order = tuple(self.sizes)
        position = order.index(origin)
        rest = subtracted_all(IntegerName(self.sum), [self.numbers[o] for o in order[1:position]])
        others = [self.limits[o] for o in (order[0], *order[position + 1 :])]
        low = extreme("max", number_above(first, size), subtracted_all(rest, [high for _, high in others]))
        high = extreme("min", number_below(last, size), subtracted_all(rest, [low for low, _ in others]))
        number = self.numbers[origin]
        assert isinstance(number, IntegerName)
        named = Let(origin, loop.dimension, multiplied(size, number), self.node(loop.body))
        return For(
            iterator=number.name,
            dimension=loop.dimension,
            first=low,
            comparison="<=",
            bound=high,
            step=ONE,
            body=named,
            uneven=True,
        )

    def following(self, loop: For | Let) -> Node:
        """Binds the rest of the sum to the last tile, if there is such a tile."""
        first, last = _range(loop)
        origin = IntegerName(loop.iterator)
        left = subtracted_all(IntegerName(self.sum), [n for o, n in self.numbers.items() if o != loop.iterator])
        exists = IntegerOperation(
            "and", (IntegerOperation("<=", (first, origin)), IntegerOperation("<=", (origin, last)))
        )
        body = Conditional(exists, self.node(loop.body))
        return Let(loop.iterator, loop.dimension, multiplied(self.sizes[loop.iterator], left), body)


def _range(loop: For | Let) -> tuple[Integer, Integer]:
    if isinstance(loop, Let):
        return loop.value, loop.value
    return loop.first, difference(loop.bound, ONE) if loop.comparison == "<" else loop.bound
