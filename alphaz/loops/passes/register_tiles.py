"""Register tiles: unroll-and-jam."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.tree import Dates, Node, Whole


@dataclass(frozen=True, slots=True)
class RegisterTiles:
    """Whole register tiles are one statement with many points, by the names of the scans. Every operation stays; those
    of one tile are in any order, as nothing else stands between them.
    """

    whole: Mapping[str, tuple[Whole, ...]]
    name: ClassVar[str] = "register-tiles"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if not isinstance(tree, Dates):
            return tree
        return replace(tree, scans=tuple(replace(one, whole=self.whole.get(one.name, ())) for one in tree.scans))
