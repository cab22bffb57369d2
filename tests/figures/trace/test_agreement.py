"""The trace against enumeration, on random programs and mappings: operations, order, steps, cells, violations, and what
is lost. The other side (`tests.legality.bruteforce`) shares nothing with it but the mapping as stated.
"""

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from alphaz.diagnostics import Rejected
from alphaz.figures.trace.trace_data import Element, Trace
from alphaz.figures.trace.tracing import LISTED, trace
from alphaz.mapping.target_mapping import Band, TargetMapping
from tests.legality.agreement import JudgedMapping, judged
from tests.legality.bruteforce import World
from tests.legality.plain_order import EXACT, PLAIN, Operation
from tools.fuzz_verifier import drawn

pytestmark = pytest.mark.slow

Key = tuple[int, str, tuple[int, ...]]
MOMENTS = {"start": 0, "dated": 1, "end": 2}


def traced(seed: int) -> tuple[JudgedMapping, Trace] | None:
    verdict = judged(drawn("trace", seed))
    if verdict is None:
        return None
    try:
        return verdict, trace(verdict.design, verdict.report.system, verdict=verdict.report)
    except Rejected:
        return None


def world(verdict: JudgedMapping, shown: Trace) -> World:
    """With the tiles that are drawn instead of those of the script."""
    system = verdict.report.system
    mapping = _with_tiles(verdict.design.mapping(system), dict(shown.tiles))
    design = verdict.design.with_mapping(system, mapping)
    return World(design, system, dict(shown.parameters), verdict.mapping.aliases)


def _with_tiles(mapping: TargetMapping, sizes: dict[int, int]) -> TargetMapping:
    return replace(mapping, tiling=tuple(replace(band, sizes=(_sizes(band, sizes),)) for band in mapping.tiling))


def _sizes(band: Band, sizes: dict[int, int]) -> tuple[int, ...]:
    return tuple(sizes.get(len(band.prefix) + d, 1) for d in range(band.start, band.end + 1))


def key(operation: Operation) -> Key:
    return operation.moment, operation.statement, operation.point


def check(verdict: JudgedMapping, shown: Trace) -> None:
    brute = world(verdict, shown)
    mode = EXACT if shown.tiles else PLAIN
    mine = {(MOMENTS[o.moment], o.name, o.point): o for o in shown.operations}
    theirs = {key(o): o for o in brute.operations if o.role != "merge"}
    merges = {name for _, name, _ in mine if name.endswith(".merge")}
    assert {k for k in mine if k[1] not in merges} == set(theirs)
    for k, operation in theirs.items():
        assert mine[k].date == (operation.date if k[0] == 1 else None)
        assert dict(mine[k].writes).keys() == {Element(*e) for e in operation.writes}
        results = {read.value for read in shown.reads if read.reader == mine[k].number}
        wanted = {Element(*e) for e, _ in operation.reads}
        assert results <= wanted
        # An accumulation begins by assigning.
        assert wanted - results <= {Element(*e) for e, running in operation.reads if running}
    _check_cells(shown, brute)
    _check_steps(shown, brute, theirs, mode, exact=not merges and shown.witness is None)
    _check_violations(shown, brute, mode, bool(merges))
    _check_lost(shown)


def _check_cells(shown: Trace, brute: World) -> None:
    """Two values share a cell for both, or for neither (the arrays of arguments have other names there)."""
    cells = {cell: brute.cell((value.name, value.index)) for o in shown.operations for value, cell in o.writes}
    for operation in shown.operations:
        assert all(cells[cell] == brute.cell((value.name, value.index)) for value, cell in operation.writes)
    assert len(set(cells.values())) == len(cells)


def _check_steps(shown: Trace, brute: World, theirs: dict[Key, Operation], mode: str, exact: bool) -> None:
    step = {(MOMENTS[o.moment], o.name, o.point): o.step for o in shown.operations}
    dated = [o for o in theirs.values() if o.moment == 1]
    before = {key(b): {key(a) for a in dated if brute.precedes(a, b, mode)} for b in dated}
    for b, value in before.items():
        assert all(step[a] < step[b] for a in value), b
        if exact:
            assert step[b] == 1 + max((step[a] for a in value), default=0)
    assert {step[k] for k in theirs if k[0] == 0} <= {0}
    assert {step[k] for k in theirs if k[0] == 2} <= {shown.steps}


def _check_violations(shown: Trace, brute: World, mode: str, merging: bool) -> None:
    """Compares the violated rules at these parameters and, for reads that are too early, every case."""
    violations = brute.violations(mode)
    if mode == PLAIN and not any(v.rule.code == "AZ702" for v in shown.violations):
        assert {v.rule.code for v in shown.violations} == set(violations)
    else:
        assert bool(shown.violations) == bool(violations)
    if merging or mode != PLAIN:
        return
    message = defaultdict(set)
    for violation in shown.violations:
        number = violation.roles
        reader = number.get("reader")
        value = violation.value
        if violation.rule.code == "AZ502" and reader is not None and value is not None:
            message["AZ502"].add(
                (_words(shown, reader), str((value.name, value.index)), _words(shown, number["producer"]))
            )
    wanted = {tuple(words.replace(" of ", " reads ").split(" reads ")) for words in violations.get("AZ502", ())}
    assert message["AZ502"] == wanted


def _words(shown: Trace, number: int) -> str:
    operation = shown.operations[number]
    return f"{operation.name}{list(operation.point)} at {operation.date or ()}"


def _check_lost(shown: Trace) -> None:
    """Executed with tokens once more, and in the other order within a step."""
    lost = {(read.reader, read.value) for read in shown.reads if read.is_lost}
    if shown.verdict == "proved":
        assert not lost
        assert not shown.violations
    memory: dict[Element, Element] = {}
    last = () if shown.witness is None else shown.witness.places
    for step in range(shown.steps + 1):
        here = [o for o in reversed(shown.operations) if o.step == step]
        for operation in here:
            for read in shown.reads:
                if read.reader == operation.number and memory.get(read.cell) != read.value:
                    assert (operation.number, read.value) in lost
        # What the witness says is overwritten is overwritten last.
        for operation in sorted(here, key=lambda o: (("writer", o.number) in last, o.number)):
            memory |= {cell: value for value, cell in operation.writes}
    violated = {v.roles["reader"] for v in shown.violations if "reader" in v.roles}
    codes = {v.rule.code for v in shown.violations}
    listed = Counter(v.claim for v in shown.violations)
    # Whoever reads something else is accused by an obligation, where no race makes it a matter of luck.
    if not codes & {"AZ503", "AZ701", "AZ702"} and max(listed.values(), default=0) < LISTED:
        assert {reader for reader, _ in lost} <= violated


@given(st.integers(0, 10**9))
# The nests of one band have tiles of the same sizes.
@example(1000000)
@settings(max_examples=25, deadline=None)
def test_a_trace_agrees_with_brute_force(seed: int) -> None:
    result = traced(seed)
    if result is not None:
        check(*result)


@given(st.integers(0, 10**9))
@settings(max_examples=20, deadline=None)
def test_a_refuted_mapping_shows_its_witness(seed: int) -> None:
    """It is there, holds at the parameters drawn, and its reader finds something else where the steps can show that."""
    result = traced(seed)
    if result is None or result[1].verdict != "refuted":
        return
    shown = result[1]
    if "without tiles: none" in shown.why:
        return
    assert shown.witness is not None, shown.why
    assert shown.sentence
    if shown.witness.rule.code in ("AZ502", "AZ601", "AZ602", "AZ603"):
        numbers = shown.witness.roles
        assert shown.witness.value is not None
        reads = [r for r in shown.reads if (r.reader, r.value) == (numbers["reader"], shown.witness.value)]
        same = len(set(numbers.values())) < len(numbers)
        assert same or any(r.is_lost for r in reads), (shown, shown.sentence)


@pytest.mark.long
def test_samples_of_all_kinds_are_met() -> None:
    """Otherwise the tests above would say little."""
    seen = [item[1] for item in map(traced, range(60)) if item is not None]
    verdicts = [item.verdict for item in seen]
    assert min(verdicts.count("proved"), verdicts.count("refuted")) > 10
    assert any(item.tiles for item in seen)
    assert {"AZ502", "AZ601"} <= {v.rule.code for item in seen for v in item.violations}


@pytest.mark.parametrize("seed", range(3))
def test_a_trace_is_the_same_every_time(seed: int) -> None:
    one, two = traced(seed), traced(seed)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        assert one[1] == two[1]
