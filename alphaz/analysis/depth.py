"""Deep expressions: the greatest depth, and recursion over them.

Python runs calls of Python functions on the heap; its recursion limit is a guard, and low. A sum of a thousand terms is
a thousand levels deep, so the guard is raised while expressions are traversed, and deeper expressions than `DEEPEST`
are refused before."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from alphaz.syntax.tree import ExpressionNode, parts

DEEPEST = 2_000
"""Levels of nesting; an infix sum of n terms has n."""

_FRAMES = 40_000


@contextmanager
def deep() -> Iterator[None]:
    """Inside the block, recursion over an expression of up to `DEEPEST` levels is safe."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def too_deep(root: ExpressionNode) -> ExpressionNode | None:
    """Returns the first part that is nested deeper than `DEEPEST` levels, or None."""
    level: tuple[ExpressionNode, ...] = (root,)
    for _ in range(DEEPEST):
        level = tuple(part for node in level for part in parts(node))
        if not level:
            return None
    return level[0]
