"""All passes, in their order, and which of them are run."""

from collections.abc import Iterable
from dataclasses import dataclass
from inspect import getdoc
from textwrap import fill

from alphaz.codegen.scheduled.passes.scalar_replace import ScalarReplace
from alphaz.codegen.scheduled.passes.split_index_sets import SplitIndexSets
from alphaz.codegen.scheduled.passes.unpeel import Unpeel
from alphaz.codegen.scheduled.passes.vector_dimensions import VectorDimensions
from alphaz.loops.passes.full_tiles import FullTiles
from alphaz.loops.passes.guards import Guards
from alphaz.loops.passes.join_regions import JoinRegions
from alphaz.loops.passes.kind import Pass
from alphaz.loops.passes.pack import PackReads
from alphaz.loops.passes.parallelise import Parallelise
from alphaz.loops.passes.register_tiles import RegisterTiles
from alphaz.loops.passes.scan import ScanDates
from alphaz.loops.passes.separate import Separate
from alphaz.loops.passes.tile import TileLoops
from alphaz.loops.passes.vectorise import Vectorise

PASSES: tuple[type[Pass], ...] = (
    TileLoops, RegisterTiles, PackReads, FullTiles, Separate, ScanDates,
    Unpeel, Parallelise, Vectorise, SplitIndexSets, VectorDimensions, ScalarReplace, Guards,
    JoinRegions,
)  # fmt: skip
"""The way from a proved mapping to loops that are as fast as we know."""

NAMES = tuple(each.name for each in PASSES)
OPTIONAL = frozenset(each.name for each in PASSES if each.optional)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The passes that are run: those up to `until`, without some that are optional."""

    without: frozenset[str] = frozenset()
    until: str | None = None

    def __post_init__(self) -> None:
        assert self.without <= OPTIONAL
        assert self.until in (None, *NAMES)

    def has(self, name: str) -> bool:
        last = NAMES.index(self.until) if self.until is not None else len(NAMES)
        return name not in self.without and NAMES.index(name) <= last

    def chosen(self, passes: Iterable[Pass]) -> tuple[Pass, ...]:
        return tuple(each for each in passes if self.has(each.name))


ALL = Pipeline()
PLAIN = Pipeline(OPTIONAL)


def described() -> str:
    """A list of the passes, for people."""
    width = max(map(len, NAMES))
    return "\n".join(
        fill(
            f"{each.name:{width}}  {'optional' if each.optional else 'always'}: {_sentence(each)}",
            width=100,
            subsequent_indent=" " * (width + 2),
        )
        for each in PASSES
    )


def _sentence(kind: type[Pass]) -> str:
    """What the docstring says first."""
    return " ".join((getdoc(kind) or "").split()).partition(". ")[0]
