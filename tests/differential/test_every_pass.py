"""Every prefix of the passes, and every choice of those that are optional, computes what the program says.

`scripts/fuzz-verifier --executed N --every-pass` does the same for long.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from alphaz.codegen.scheduled.pipeline import OPTIONAL, Pipeline
from alphaz.loops.passes.scan import ScanDates
from alphaz.loops.tree import Block, Dates, Node
from tools.differential.batch import Case, Way, values_wanted, verifications
from tools.differential.pass_choices import SCANNED, different
from tools.differential.proved_mappings import Proved, proved_cases

pytestmark = pytest.mark.slow

# What passes have to do with: mappings are taken that have something of it which others have not.
WANTED = frozenset(
    {"parallel", "registers", "packed", "vector dimension", "wavefront", "recursive tiles", "use equation"}
)
# Of these there is much text.
LONG = "levels of tiles"


def _chosen(seed: str, wanted: frozenset[str]) -> Iterator[Proved]:
    seen: set[str] = set()
    for case in proved_cases(seed, 90, 40, 4):
        if LONG not in case.features and not case.features & wanted <= seen:
            seen |= case.features
            yield case
        if seen >= wanted:
            return


@pytest.fixture(scope="module")
def ways() -> list[list[Proved]]:
    """Of each mapping those that are different. What these seeds draw is enough for every pass to make a difference."""
    registers = frozenset({"registers", "vector dimension"})
    chosen = [*_chosen("pass 1", WANTED - registers), *_chosen("passes 2", registers)]
    # Two loops of one team that no value connects: one barrier less.
    chosen += islice(proved_cases("barriers 14", 90, 40, 4), 24, 25)
    # A loop along rows of memory around another loop of a register tile.
    chosen += islice(proved_cases("interchange 4", 90, 40, 4), 13, 14)
    return [[*different(case)] for case in chosen]


def _wrong(ways: Iterable[Sequence[Proved]]) -> list[Case]:
    random, cases = Random("every pass"), list[Case]()
    for mapping in ways:
        wanted = values_wanted(mapping[0], random)
        cases += [Case(len(cases) + at, item, wanted) for at, item in enumerate(mapping)]
    verifications(cases, Way(), random)
    return [case for case in cases if case.complaints]


@pytest.mark.long
def test_every_choice_of_passes_computes_the_same(ways: list[list[Proved]]) -> None:
    assert [(case.proved.pipeline, case.complaints) for case in _wrong(ways)] == []
    every = [item for mapping in ways for item in mapping]
    assert len(every) > 40
    assert {name for item in every for name in item.features} >= WANTED
    assert {name for item in every for name in item.pipeline.without} == OPTIONAL


@pytest.mark.long
def test_choices_that_were_not_walked_make_the_same_files(ways: list[list[Proved]]) -> None:
    random = Random(5)
    for mapping in ways:
        files = {file for item in mapping for file in item.sources().files.items()}
        for _ in range(5):
            without = frozenset(name for name in sorted(OPTIONAL) if random.random() < 0.5)
            drawn = replace(mapping[0], pipeline=Pipeline(without, random.choice((None, *SCANNED))))
            assert {*drawn.sources().files.items()} <= files, drawn.pipeline


@pytest.mark.long
def test_a_choice_that_is_wrong_is_found(ways: list[list[Proved]], monkeypatch: pytest.MonkeyPatch) -> None:
    right, (case, *_) = ScanDates.__call__, next(way for way in ways if "wavefront" in way[0].features)

    def faulty(self: ScanDates, tree: Node) -> Node:
        return right(self, tree) if isinstance(tree, Dates) and tree.apart else Block(())

    monkeypatch.setattr(ScanDates, "__call__", faulty)
    wrong = [item.proved.pipeline for item in _wrong([[*different(case)]])]
    assert wrong
    assert all("separate" in item.without for item in wrong)
