"""Every program that passes make of a mapping: whichever optional ones are left out, and whichever is the last.

There are thousands of choices and few trees, since a pass that finds nothing to do leaves the tree as it is. So the
passes are walked once with all trees that there can be so far, each with one choice that makes it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from alphaz.codegen.scheduled.passes.innermost_loops import SplitIndexSets
from alphaz.codegen.scheduled.pipeline import ALL, NAMES, OF_C, OF_LOOPS, Pipeline
from alphaz.codegen.scheduled.scheduled_c import tree_text
from alphaz.legality.verdicts import Verified
from alphaz.loops.passes.scan import FULL_TILES, PACK, REGISTER_TILES, SEPARATE, Pass, ScanDates, Tree
from alphaz.loops.tree import Dates
from tools.differential.proved_mappings import Proved

SCANNED = NAMES[NAMES.index(ScanDates.name) :]
"""Behind which passes there are loops, that can be executed."""

# What is left out of these is known before the first pass, so that each choice has a walk of its own.
_AHEAD = (REGISTER_TILES.name, PACK.name, SplitIndexSets.name)
_LAST = OF_LOOPS[-1].name


@dataclass(frozen=True)
class _Walk(Pipeline):
    """Runs each of the passes that are optional, and does not. `found` are the choices, by the trees that they make, as
    text, apart from those that more passes follow.
    """

    found: dict[tuple[bool, str], Pipeline] = field(default_factory=dict)

    def run(
        self,
        passes: Iterable[Pass[Tree]],
        tree: Tree,
        ends: Callable[[Tree], bool] = lambda _: False,
        is_late: Callable[[], bool] = lambda: False,
    ) -> Tree:
        if not isinstance(tree, Dates):
            return Pipeline.run(self, passes, tree, ends, is_late)
        trees: dict[str, tuple[Tree, frozenset[str]]] = {}
        for full_tiles, apart in product((True, False), repeat=2):
            without = {name for name, has in ((FULL_TILES.name, full_tiles), (SEPARATE.name, apart)) if not has}
            dates = replace(tree, full_tiles=full_tiles, apart=apart)
            trees[repr(dates)] = dates, self.without | without
        for pass_ in passes:
            if pass_.name not in self.without:
                trees = dict(made for way in trees.values() for made in _behind(pass_, *way))
            if self._is_known(pass_.name):
                self._keep(pass_.name, {text: without for text, (_, without) in trees.items()})
        return tree

    def _is_known(self, last: str) -> bool:
        """Returns True if a pipeline that ends here leaves out the same ahead."""
        splitting = SplitIndexSets.name
        return last in SCANNED and (splitting in self.without or SCANNED.index(last) >= SCANNED.index(splitting))

    def _keep(self, last: str, trees: dict[str, frozenset[str]]) -> None:
        for text, without in trees.items():
            self.found.setdefault((last == _LAST, text), Pipeline(without, last))


def _behind(one: Pass[Tree], tree: Tree, without: frozenset[str]) -> Iterator[tuple[str, tuple[Tree, frozenset[str]]]]:
    """The tree without the pass, where that is said here, and with it."""
    if one.optional and one.name not in _AHEAD:
        yield repr(tree), (tree, without | {one.name})
    made = one(tree)
    yield repr(made), (made, without)


def different(case: Proved) -> Iterator[Proved]:
    """The mapping by the passes of each choice that makes a file which the ones before do not make."""
    seen: set[tuple[str, str]] = set()
    for item in (ALL, *_pipelines(case.verified)):
        changed = replace(case, pipeline=item)
        files = {*changed.sources().files.items()}
        if not files <= seen:
            seen |= files
            yield changed


def _pipelines(verified: Verified) -> Iterator[Pipeline]:
    """Choices that make all trees that there are of each system, and C of the whole ones by each pass over C."""
    mappings = verified.mappings.values()
    there = (
        any(band.registers for mapping in mappings for band in mapping.bands),
        any(mapping.packed for mapping in mappings),
        True,
    )
    ahead = [name for name, is_there in zip(_AHEAD, there, strict=True) if is_there]
    for without in (chosen for count in range(len(ahead) + 1) for chosen in combinations(ahead, count)):
        for system in verified.mappings:
            walk = _Walk(frozenset(without))
            tree_text(verified, system, walk)
            for (is_last, _), value in walk.found.items():
                yield value
                for last in (*(one.name for one in OF_C[:-1]), None) if is_last else ():
                    yield replace(value, until=last)
