"""Parts of loops that do different things."""

from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.tree import Dates, Node


@dataclass(frozen=True, slots=True)
class Separate:
    """Loops are separated where statements begin and end, if that spares tests and is not much longer. Operations and
    order stay.
    """

    name: ClassVar[str] = "separate"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, apart=True) if isinstance(tree, Dates) else tree
