"""Loops over tiles."""

from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.levels import Level
from alphaz.loops.tree import Dates, Node


@dataclass(frozen=True, slots=True)
class TileLoops:
    """Loops over tiles stand in front of components of the dates, in sequence or in wavefronts. Every operation stays;
    the order becomes that of the tiles, for which the mapping is proved.
    """

    levels: tuple[Level, ...]
    name: ClassVar[str] = "tile"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return replace(tree, levels=self.levels) if isinstance(tree, Dates) else tree
