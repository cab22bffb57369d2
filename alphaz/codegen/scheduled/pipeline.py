"""All passes in their order, and the selection of the passes to run."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import getdoc
from textwrap import fill

from alphaz.codegen.c.readable_c import Hoist, ShortenNames, Statements
from alphaz.codegen.scheduled.passes.innermost_loops import ScalarReplace, SplitIndexSets, VectorDimensions
from alphaz.codegen.scheduled.passes.triangles import Triangles
from alphaz.codegen.scheduled.passes.unpeel import Unpeel
from alphaz.loops.passes.interchange import Interchange
from alphaz.loops.passes.launches import Launches
from alphaz.loops.passes.private_arrays import PlaceArrays
from alphaz.loops.passes.scan import SCAN_OPTIONS, Pass, ScanDates, ScanOption, Tree
from alphaz.loops.passes.simplify import Fold, Guards
from alphaz.loops.passes.teams import DropBarriers, JoinTeams, LimitTeams, ShareOut
from alphaz.loops.passes.vectorise import Vectorise
from alphaz.loops.tree import Node

OF_LOOPS: tuple[type[Pass[Node]], ...] = (
    ScanDates, Unpeel, ShareOut, JoinTeams, DropBarriers, LimitTeams, Launches, PlaceArrays, Interchange,
    Vectorise, SplitIndexSets, VectorDimensions, ScalarReplace, Triangles, Guards, Fold,
)  # fmt: skip
"""The way from a proved mapping to loops that are as fast as we know; with the passes of all targets."""

OF_C: tuple[type[Pass[Statements]], ...] = (Hoist, ShortenNames)
"""And from the C that they become to C that people read."""

STEPS: tuple[ScanOption | type[Pass[Node]] | type[Pass[Statements]], ...] = (*SCAN_OPTIONS, *OF_LOOPS, *OF_C)
"""The parts that users select by name: the options of the scan, then the passes."""

NAMES = tuple(step.name for step in STEPS)
OPTIONAL = frozenset(step.name for step in STEPS if step.optional)


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
        return name not in self.without and NAMES.index(name if name in NAMES else ShareOut.name) <= last

    def scan_options(self, is_late: Callable[[], bool] = lambda: False) -> frozenset[ScanOption]:
        """Returns the selected options of the scan; only those that are required once it `is_late`."""
        return frozenset(
            option for option in SCAN_OPTIONS if self.has(option.name) and not (option.optional and is_late())
        )

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
THREADED = Pipeline(frozenset({LimitTeams.name}))
"""With threads for few operations as well: for tests, which have small sizes."""


def described() -> str:
    """Returns a list of the passes as text."""
    width = max(map(len, NAMES))
    return "\n".join(
        fill(
            f"{step.name:{width}}  {'optional' if step.optional else 'always'}: {_effect(step)}",
            width=100,
            subsequent_indent=" " * (width + 2),
        )
        for step in STEPS
    )


def _effect(step: ScanOption | type[Pass[Node]] | type[Pass[Statements]]) -> str:
    """Returns what the step does: of a pass, the first sentence of the docstring."""
    if isinstance(step, ScanOption):
        return step.effect
    return " ".join((getdoc(step) or "").split()).partition(". ")[0]
