"""Which innermost loops are done several iterations at a time, without being asked to be."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.modes import VECTOR, Mode, Parallel
from alphaz.loops.tree import For, Node, inside, is_innermost, with_inside


@dataclass(frozen=True, slots=True)
class Vectorise:
    """Innermost loops without tests inside, whose iterations are independent and go along rows of memory, are done in
    vectors. Operations stay; iterations of such a loop are in any order.
    """

    is_independent: Callable[[For], bool]
    name: ClassVar[str] = "vectorise"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        found = with_inside(tree, [self(child) for child in inside(tree)])
        if isinstance(found, For) and is_innermost(found) and self.is_independent(found):
            return replace(found, mode=_with_vectors(found.mode))
        return found


def _with_vectors(mode: Mode) -> Mode:
    """A thread that collects for itself does one iteration after the other."""
    if not isinstance(mode, Parallel):
        return VECTOR
    return mode if mode.reductions or mode.in_region else replace(mode, vector=True)
