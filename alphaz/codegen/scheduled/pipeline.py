"""All passes in their order, and the selection of the passes to run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import getdoc
from textwrap import fill
from typing import Any

from alphaz.codegen.c.naming import Statements
from alphaz.codegen.scheduled.passes.readable_c import Hoist, ShortenNames
from alphaz.codegen.scheduled.passes.scalar_replace import ScalarReplace
from alphaz.codegen.scheduled.passes.split_index_sets import SplitIndexSets
from alphaz.codegen.scheduled.passes.unpeel import Unpeel
from alphaz.codegen.scheduled.passes.vector_dimensions import VectorDimensions
from alphaz.loops.passes.fold import Fold
from alphaz.loops.passes.guards import Guards
from alphaz.loops.passes.join_regions import JoinRegions
from alphaz.loops.passes.parallelise import Parallelise
from alphaz.loops.passes.scan import FullTiles, PackReads, Pass, RegisterTiles, ScanDates, Separate, TileLoops, Tree
from alphaz.loops.passes.vectorise import Vectorise
from alphaz.loops.tree import Node

OF_LOOPS: tuple[type[Pass[Node]], ...] = (
    TileLoops, RegisterTiles, PackReads, FullTiles, Separate, ScanDates,
    Unpeel, Parallelise, Vectorise, SplitIndexSets, VectorDimensions, ScalarReplace, Guards,
    JoinRegions, Fold,
)  # fmt: skip
"""The way from a proved mapping to loops that are as fast as we know."""

OF_C: tuple[type[Pass[Statements]], ...] = (Hoist, ShortenNames)
"""And from the C that they become to C that people read."""

PASSES: tuple[type[Pass[Any]], ...] = (*OF_LOOPS, *OF_C)

NAMES = tuple(each.name for each in PASSES)
OPTIONAL = frozenset(each.name for each in PASSES if each.optional)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The passes to run: those up to `until`, without some optional ones."""

    without: frozenset[str] = frozenset()
    until: str | None = None

    def __post_init__(self) -> None:
        assert self.without <= OPTIONAL
        assert self.until in (None, *NAMES)

    def has(self, name: str) -> bool:
        last = NAMES.index(self.until) if self.until is not None else len(NAMES)
        return name not in self.without and NAMES.index(name) <= last

    def run(
        self,
        passes: Iterable[Pass[Tree]],
        tree: Tree,
        ends: Callable[[Tree], bool] = lambda _: False,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Tree:
        """Returns the tree after the selected passes. The scan is the last one where `ends` is true of its loops;
        optional passes are left out once it `is_late`.
        """
        for pass_ in passes:
            if self.has(pass_.name) and not (pass_.optional and is_late()):
                tree = pass_(tree)
            if pass_.name == ScanDates.name and ends(tree):
                break
        return tree


ALL = Pipeline()
PLAIN = Pipeline(OPTIONAL)
"""Without the passes that are optional: those that are there for speed."""


def described() -> str:
    """Returns a list of the passes as text."""
    width = max(map(len, NAMES))
    return "\n".join(
        fill(
            f"{each.name:{width}}  {'optional' if each.optional else 'always'}: {_sentence(each)}",
            width=100,
            subsequent_indent=" " * (width + 2),
        )
        for each in PASSES
    )


def _sentence(kind: type[Pass[Any]]) -> str:
    """Returns the first sentence of the docstring."""
    return " ".join((getdoc(kind) or "").split()).partition(". ")[0]
