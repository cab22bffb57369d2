"""Loops that run at least once whenever they are reached."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.tree import For, Node, inside, with_inside
from alphaz.poly import Domain


@dataclass(frozen=True, slots=True)
class Guards:
    """Removes the test of loops that always have an iteration, where other statements depend on the test. The tree
    stays as it is except for this fact (`For.runs`).

    `runs`: proves that a loop at a place has an iteration whenever it is reached.
    """

    context: Domain
    runs: Callable[[LoopPlace, For], bool]
    name: ClassVar[str] = "guards"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, LoopPlace(self.context))

    def _marked(self, node: Node, place: LoopPlace) -> Node:
        pairs = zip(inside(node), place.inside(node), strict=True)
        found = with_inside(node, [self._marked(child, here) for child, here in pairs])
        if isinstance(found, For) and (found.kept or found.split is not None or found.vector_dimension):
            return replace(found, runs=self.runs(place, found))
        return found
