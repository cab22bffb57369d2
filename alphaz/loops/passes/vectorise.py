"""Automatic vectorisation: innermost loops, and whole register tiles."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.modes import VECTOR, Mode, Parallel
from alphaz.loops.tree import For, Instance, Lanes, Merge, Node, inside, is_innermost, with_inside


@dataclass(frozen=True, slots=True)
class Vectorise:
    """Vectorises innermost loops without tests inside, whose iterations are independent and go along rows of memory,
    and register tiles whose points are independent. Operations stay; iterations of such a loop, and points of such a
    tile, are in any order.

    `may_fail` returns True if operations of a loop report failures, one after the other. `lanes`: the points of a
    statement of many points that are computed at a time, inside whole loops with a merge after them; None where these
    are not independent, or have no form as vectors.
    """

    is_independent: Callable[[For], bool]
    may_fail: Callable[[For], bool]
    lanes: Callable[[Instance, tuple[Merge, ...]], Lanes | None]
    name: ClassVar[str] = "vectorise"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, ())

    def _marked(self, node: Node, merges: tuple[Merge, ...]) -> Node:
        if isinstance(node, Merge):
            merges = (*merges, node)
        found = with_inside(node, [self._marked(child, merges) for child in inside(node)])
        if isinstance(found, Instance):
            return replace(found, vector=self.lanes(found, merges))
        if isinstance(found, For) and is_innermost(found) and self.is_independent(found) and not self.may_fail(found):
            return replace(found, mode=_with_vectors(found.mode))
        return found


def _with_vectors(mode: Mode) -> Mode:
    """Returns the mode with vectors; a thread with private accumulators executes its iterations one after the other."""
    if not isinstance(mode, Parallel):
        return VECTOR
    return mode if mode.reductions or mode.in_region else replace(mode, vector=True)
