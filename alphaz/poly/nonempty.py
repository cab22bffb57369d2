"""Loops that run at least once whenever they are reached."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from alphaz.poly.domain import Domain
from alphaz.poly.integer import Integer, Operation
from alphaz.poly.loops import For, If, Let, Node, inside
from alphaz.poly.place import Place, each_of


@dataclass(frozen=True, slots=True)
class Reached:
    """The loops in a tree, each by its `id`, with all their places."""

    places: dict[int, list[Place]]

    @staticmethod
    def inside(tree: Node, context: Domain) -> "Reached":
        """`context` is a set of parameters."""
        found: dict[int, list[Place]] = {}
        for loop, place in _found(tree, Place(context)):
            found.setdefault(loop, []).append(place)
        return Reached(found)

    def never_empty(self, loop: For, first: Integer | None = None) -> bool:
        """Whether a loop always has a turn, or would have one if it began at `first`; also False where it would take
        long to find out.
        """
        places = self.places.get(id(loop), ())
        bounds = list(product(each_of("max", first or loop.first), each_of("min", loop.bound)))
        empty = [Operation(_OPPOSITE[loop.comparison], bound) for bound in bounds]
        return bool(places) and all(place.never(each) for place in places for each in empty)


def _found(node: Node, place: Place) -> Iterator[tuple[int, Place]]:
    """Each loop, at each of its places."""
    match node:
        case For():
            yield id(node), place
            yield from _found(node.body, place.in_loop(node))
        case Let():
            yield from _found(node.body, place.in_let(node))
        case If(condition, then, otherwise):
            yield from _found(then, place.where(condition))
            if otherwise is not None:
                yield from _found(otherwise, place)
        case _:
            for child in inside(node):
                yield from _found(child, place)


_OPPOSITE = {"<": ">=", "<=": ">"}
