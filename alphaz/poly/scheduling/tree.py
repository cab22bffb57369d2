"""Schedules as trees: bands of rows that belong together, and sequences. Plain data, whichever engine made it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.poly.plain.affine import Affine


@dataclass(frozen=True, slots=True)
class Leaf:
    """Nothing more is to be said of these statements."""

    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BandNode:
    """Rows, outermost first; each gives every statement a component of its date. `coincident`: of each row, whether
    operations that depend on each other have the same value in it. `bounds`: of each row, where the engine knows it, an
    affine function of the parameters that no distance of a dependence exceeds (Pluto's u . n + w).
    """

    statements: tuple[str, ...]
    rows: tuple[Mapping[str, Affine], ...]
    coincident: tuple[bool, ...]
    below: "Tree"
    bounds: tuple[Affine | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """One after the other."""

    parts: tuple["Tree", ...]

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.statements)


Tree = Leaf | BandNode | SequenceNode


def bands(tree: Tree) -> Iterator[BandNode]:
    """All bands, outermost first."""
    if isinstance(tree, BandNode):
        yield tree
        yield from bands(tree.below)
    elif isinstance(tree, SequenceNode):
        for part in tree.parts:
            yield from bands(part)
