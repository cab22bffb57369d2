"""From dates to loops."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops import tree as nodes
from alphaz.loops.never import Never
from alphaz.loops.scanning import readable_scan, short_scan
from alphaz.loops.tiling import tiled_scan
from alphaz.loops.tree import Dates, Node, inside, with_inside
from alphaz.poly import Domain


@dataclass(frozen=True, slots=True)
class ScanDates:
    """Operations at their dates become loops that reach them in the order of the dates, inside tiles where there are
    such. Source: Grosser, Verdoolaege, Cohen, TOPLAS 2015; see `alphaz.poly.scanning`.

    `context` is what is known of the parameters, `iterators` has a name for each component of the dates. `reads`:
    whether a statement reads a buffer, both by their names; a tile in which none does fills none.
    `never`: whether a set of operations is proved to have no points.
    """

    context: Domain
    iterators: tuple[str, ...]
    reads: Callable[[str, str], bool]
    never: Never
    name: ClassVar[str] = "scan"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        if not isinstance(tree, Dates):
            return tree
        scanner = readable_scan if tree.apart else short_scan
        found = tiled_scan(
            tree.scans, tree.levels, self.context, self.iterators, scanner, apart=tree.full_tiles, never=self.never
        )
        return self._where_read(found)

    def _where_read(self, node: Node) -> Node:
        node = with_inside(node, [self._where_read(child) for child in inside(node)])
        if not isinstance(node, nodes.Pack):
            return node
        wanted = tuple(name for name in node.names if any(self.reads(one.name, name) for one in node.scans))
        return replace(node, names=wanted) if wanted else node.body
