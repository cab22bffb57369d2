"""Which loops are shared out among threads."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.modes import Parallel
from alphaz.loops.tree import For, Node, inside, is_innermost, with_inside
from alphaz.poly.plain.integer import names_in


@dataclass(frozen=True, slots=True)
class Parallelise:
    """The outermost parallel loops are shared out; the ones inside them stay sequential, so that threads are made once.
    Operations stay, and the order inside an iteration; iterations of such a loop are in any order, as is proved.
    """

    is_parallel: Callable[[For], bool]
    name: ClassVar[str] = "parallelise"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        if isinstance(tree, For) and self.is_parallel(tree):
            return replace(tree, mode=Parallel(self._collapsed(tree), tree.uneven))
        return with_inside(tree, [self(child) for child in inside(tree)])

    def _collapsed(self, loop: For) -> int:
        """How many loops can share their iterations out as one: parallel, rectangular, and not the innermost, which
        goes along the rows.
        """
        outer = [loop]
        while isinstance(below := outer[-1].body, For) and self.is_parallel(below) and not is_innermost(below):
            if {each.iterator for each in outer} & {*names_in(below.first), *names_in(below.bound)}:
                break
            outer.append(below)
        return len(outer)
