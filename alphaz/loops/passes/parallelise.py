"""Which loops are shared out among threads."""

from collections.abc import Callable
from dataclasses import replace

from alphaz.loops.modes import Parallel
from alphaz.loops.tree import For, Node, inside, is_innermost, with_inside
from alphaz.poly.plain.integer import names_in


def parallelised(node: Node, is_parallel: Callable[[For], bool]) -> Node:
    """The outermost parallel loops shared out; the ones inside them stay sequential, so that threads are made once."""
    if isinstance(node, For) and is_parallel(node):
        return replace(node, mode=Parallel(_collapsed(node, is_parallel), node.uneven))
    return with_inside(node, [parallelised(child, is_parallel) for child in inside(node)])


def _collapsed(loop: For, is_parallel: Callable[[For], bool]) -> int:
    """How many loops can share their iterations out as one: parallel, rectangular, and not the innermost, which goes
    along the rows.
    """
    outer = [loop]
    while isinstance(below := outer[-1].body, For) and is_parallel(below) and not is_innermost(below):
        if {each.iterator for each in outer} & {*names_in(below.first), *names_in(below.bound)}:
            break
        outer.append(below)
    return len(outer)
