"""Which innermost loops are done several iterations at a time, without being asked to be."""

from collections.abc import Callable
from dataclasses import replace

from alphaz.loops.modes import VECTOR, Mode, Parallel
from alphaz.loops.tree import For, Node, inside, is_innermost, with_inside


def vectorised(node: Node, is_independent: Callable[[For], bool]) -> Node:
    """The innermost loops, without tests inside, whose iterations are independent, in vectors."""
    found = with_inside(node, [vectorised(child, is_independent) for child in inside(node)])
    if isinstance(found, For) and is_innermost(found) and is_independent(found):
        return replace(found, mode=_with_vectors(found.mode))
    return found


def _with_vectors(mode: Mode) -> Mode:
    return replace(mode, vector=True) if isinstance(mode, Parallel) else VECTOR
