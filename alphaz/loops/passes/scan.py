"""The scan from dates to loops and its options: tiles, register tiles, packing, full tiles, separation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Protocol, TypeVar

from alphaz.loops import tree as nodes
from alphaz.loops.levels import TileLevel
from alphaz.loops.never import Never
from alphaz.loops.patience import Patience
from alphaz.loops.scanning import readable_scan, short_scan
from alphaz.loops.tiling import tiled_scan
from alphaz.loops.tree import Dates, Node, Whole, inside, with_inside
from alphaz.poly import Domain

Tree = TypeVar("Tree")


class Pass(Protocol[Tree]):
    """A rewriting of a tree (of loops, or of the C made from them): a frozen dataclass, whose fields are its options.

    Its docstring states its effect and its invariants. `optional`: the pass serves speed alone; the others make the
    loops that the mapping requires, or readable C.
    """

    name: ClassVar[str]
    optional: ClassVar[bool]

    def __call__(self, tree: Tree) -> Tree: ...


@dataclass(frozen=True, slots=True)
class TileLoops:
    """Places loops over tiles before components of the dates, in sequence or in wavefronts. Every operation stays; the
    order becomes that of the tiles, for which the mapping is proved.
    """

    levels: tuple[TileLevel, ...]
    name: ClassVar[str] = "tile"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return replace(tree, levels=self.levels) if isinstance(tree, Dates) else tree


@dataclass(frozen=True, slots=True)
class RegisterTiles:
    """Makes each whole register tile one statement with many points, by the names of the scans. Every operation stays;
    those of one tile are in any order, as no other operation lies between them.
    """

    whole: Mapping[str, tuple[Whole, ...]]
    name: ClassVar[str] = "register-tiles"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        if not isinstance(tree, Dates):
            return tree
        return replace(tree, scans=tuple(replace(one, whole=self.whole.get(one.name, ())) for one in tree.scans))


@dataclass(frozen=True, slots=True)
class PackReads:
    """Copies the values that a tile reads repeatedly to buffers before the tile. Every operation and the order stay;
    operations read the copies, which the mapping proves equal to the original values.
    """

    levels: tuple[TileLevel, ...]
    name: ClassVar[str] = "pack"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, levels=self.levels) if isinstance(tree, Dates) else tree


@dataclass(frozen=True, slots=True)
class FullTiles:
    """Separates tiles in which every point is an operation into loops of their own, without tests. Operations and order
    stay.
    """

    name: ClassVar[str] = "full-tiles"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, full_tiles=True) if isinstance(tree, Dates) else tree


@dataclass(frozen=True, slots=True)
class Separate:
    """Separates loops where statements begin and end, if that avoids tests and is not much longer. Operations and order
    stay.
    """

    name: ClassVar[str] = "separate"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return replace(tree, apart=True) if isinstance(tree, Dates) else tree


@dataclass(frozen=True, slots=True)
class ScanDates:
    """Turns operations at their dates into loops that visit them in the order of the dates, inside tiles where there
    are any. Source: Grosser, Verdoolaege, Cohen, TOPLAS 2015; see `alphaz.poly.scanning`.

    `context` are the constraints on the parameters, `iterators` has a name for each component of the dates. `reads`
    returns True if a statement reads a buffer, both by their names; a tile in which none does fills none. `never`
    proves that a set of operations has no points. Once the `patience` is used up, loops are made in a short way.
    """

    context: Domain
    iterators: tuple[str, ...]
    reads: Callable[[str, str], bool]
    never: Never
    patience: Patience = field(default_factory=Patience)
    name: ClassVar[str] = "scan"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        if not isinstance(tree, Dates):
            return tree
        scanner = partial(readable_scan if tree.apart else short_scan, patience=self.patience)
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
