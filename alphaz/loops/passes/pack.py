"""Packing."""

from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.levels import Level
from alphaz.loops.tree import Dates, Node


@dataclass(frozen=True, slots=True)
class PackReads:
    """Tiles copy what they read over and over to buffers in front of what is in them. Every operation and the order
    stay; it reads the copies, which the mapping proves to be those of what it would read.
    """

    levels: tuple[Level, ...]
    name: ClassVar[str] = "pack"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, levels=self.levels) if isinstance(tree, Dates) else tree
