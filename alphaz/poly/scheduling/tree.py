"""Schedules as trees of bands (permutable rows) and sequences. Plain data, independent of the engine."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.poly.plain.affine import Affine


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of the schedule of these statements."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BandNode:
    """A band. Rows, outermost first; each gives every statement a component of its date. `coincident`: for each row,
    whether dependent operations have the same value in it. `bounds`: for each row, if known, an affine upper bound
    in the parameters of all dependence distances (Pluto's u . n + w)."""

    statements: tuple[str, ...]
    rows: tuple[Mapping[str, Affine], ...]
    coincident: tuple[bool, ...]
    below: "Tree"
    bounds: tuple[Affine | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A sequence of subtrees."""

    parts: tuple["Tree", ...]

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.statements)


Tree = Leaf | BandNode | SequenceNode


def bands(tree: Tree) -> Iterator[BandNode]:
    """Yields all bands, outermost first."""
    if isinstance(tree, BandNode):
        yield tree
        yield from bands(tree.below)
    elif isinstance(tree, SequenceNode):
        for part in tree.parts:
            yield from bands(part)
