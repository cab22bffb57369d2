"""Separation of full tiles."""

from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.tree import Dates, Node


@dataclass(frozen=True, slots=True)
class FullTiles:
    """Tiles in which every point is an operation get loops of their own, without tests. Operations and order stay."""

    name: ClassVar[str] = "full-tiles"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, full_tiles=True) if isinstance(tree, Dates) else tree
