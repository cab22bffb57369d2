"""The scan from dates to loops and its options: tiles, register tiles, packing, full tiles, separation."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Protocol, TypeVar

from alphaz.loops import tree as nodes
from alphaz.loops.register_tiles import Never
from alphaz.loops.scanning import TimeBudget, readable_scan, short_scan
from alphaz.loops.tiling import Joint, tiled_scan
from alphaz.loops.tree import Allocate, Dates, Node, Scratch, inside, packs, with_inside
from alphaz.order.happens_before import SyncScope
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
class ScanOption:
    """A choice of the scan, which users select by name like a pass. Operations stay, whatever is chosen."""

    name: str
    optional: bool
    effect: str


TILE = ScanOption("tile", False, "Places loops over tiles before components of the dates, in sequence or in wavefronts")
"""The order becomes that of the tiles, for which the mapping is proved."""

REGISTER_TILES = ScanOption(
    "register-tiles", True, "Makes each whole register tile one statement with many points, by the names of the scans"
)
"""The operations of one tile are in any order, as no other operation lies between them."""

PACK = ScanOption("pack", True, "Copies the values that a tile reads repeatedly to buffers before the tile")
"""Operations read the copies, which the mapping proves equal to the original values."""

FULL_TILES = ScanOption(
    "full-tiles",
    True,
    "Separates tiles in which every point is an operation into loops of their own, without tests",
)
SEPARATE = ScanOption(
    "separate",
    True,
    "Separates loops where statements begin and end, if that avoids tests and is not much longer",
)

SCAN_OPTIONS = (TILE, REGISTER_TILES, PACK, FULL_TILES, SEPARATE)


@dataclass(frozen=True, slots=True)
class ScanDates:
    """Turns operations at their dates into loops that visit them in the order of the dates, inside tiles where there
    are any. Source: Grosser, Verdoolaege, Cohen, TOPLAS 2015; see `alphaz.poly.scanning`.

    `context` are the constraints on the parameters, `iterators` has a name for each component of the dates. `reads`
    returns True if a statement reads a buffer, both by their names; a tile in which none does fills none. Memory for
    the buffers is allocated once, around all loops. `never` proves that a set of operations has no points. Statements
    share loops in the components that `joint` returns for their names. Once the `patience` is used up, loops are made
    in a short way.
    """

    context: Domain
    iterators: tuple[str, ...]
    reads: Callable[[str, str], bool]
    never: Never
    joint: Joint
    patience: TimeBudget = field(default_factory=TimeBudget)
    name: ClassVar[str] = "scan"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        if not isinstance(tree, Dates):
            return tree
        scanner = partial(readable_scan if tree.apart else short_scan, patience=self.patience)
        tree_ = tiled_scan(
            tree.scans, tree.levels, self.context, self.iterators, scanner,
            apart=tree.full_tiles, never=self.never, joint=self.joint,
        )  # fmt: skip
        tree_ = self._where_read(tree_)
        buffers = packs(tree_)
        return Allocate(Scratch(SyncScope.THREAD, buffers=buffers), tree_) if buffers else tree_

    def _where_read(self, node: Node) -> Node:
        node = with_inside(node, [self._where_read(child) for child in inside(node)])
        if not isinstance(node, nodes.Pack):
            return node
        names = tuple(name for name in node.names if any(self.reads(scan.name, name) for scan in node.scans))
        return replace(node, names=names) if names else node.body
