"""Programs that are rejected, at the parameters of a counterexample: what is marked is what the finding says."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path

import pytest

from alphaz.analysis.read import examine_program
from alphaz.diagnostics import Source
from alphaz.figures.drawing.figures import best, figure
from alphaz.figures.trace.rejected_program import rejected
from alphaz.figures.trace.trace_data import Trace
from tests.cases.test_wrong_programs import fence

WRONG = Path(__file__).parents[2] / "cases" / "wrong"
# Findings with a counterexample, each with a document or more.
CODES = ("AZ304", "AZ305", "AZ306", "AZ307", "AZ310", "AZ311", "AZ313")
CASES = sorted(path for code in CODES for path in WRONG.glob(f"{code}-*.md"))


def seen(path: Path) -> tuple[Trace | None, tuple[tuple[str, tuple[int, ...]], ...], dict[str, int]]:
    """The trace, and the places and parameters of the first counterexample."""
    examined = examine_program(Source("program.ab", fence(path.read_text(encoding="utf-8"), "alphabets")))
    witness = next((d.witness for d in examined.diagnostics if d.is_error and d.witness is not None), None)
    if witness is None:
        return rejected(examined), (), {}
    return rejected(examined), tuple((p.name, p.point) for p in witness.places), dict(witness.parameters)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_wrong_is_marked_and_drawn(path: Path) -> None:
    shown, places, least = seen(path)
    if not places:
        # Counts that do not fit have no point.
        assert path.stem.startswith("AZ311")
        assert shown is None
        return
    assert shown is not None
    code, at = path.stem[:5], dict(shown.parameters)
    assert shown.witness is not None
    marked = [shown.operations[number] for _, number in shown.witness.places]
    assert [(o.name, o.point) for o in marked] == list(places)
    assert all(at[name] - value in (0, 1, 2) for name, value in least.items())
    reads = {(read.reader, *read.producers) for read in shown.reads}
    numbers = [o.number for o in marked]
    moments = {o.moment for o in marked}
    if code == "AZ304" and "call" not in path.stem:
        assert moments == {"never"}
    if code == "AZ305":
        assert moments == {"twice"}
    if code == "AZ306":
        assert marked[-1].moment == "nowhere"
        assert marked[0].moment == "dated"
    if code == "AZ310" and "call" not in path.stem:
        assert set(pairwise((*numbers, numbers[0]))) <= reads
    made = figure(shown, best(shown))
    ElementTree.fromstring(made.svg)
    assert f">{code}: " in made.svg
    assert made.svg.count('-bad"') >= len(set(numbers))
    assert made.svg == figure(shown, "witness").svg


def test_only_what_is_wrong_is_said_to_be() -> None:
    shown, _, _ = seen(WRONG / "AZ305-corners-twice.md")
    assert shown is not None
    size = dict(shown.parameters)["N"]
    corners = {(i, j) for i in (0, size) for j in (0, size)}
    twice = {o.point for o in shown.operations if o.moment == "twice"}
    assert twice
    assert twice <= corners
    assert {o.moment for o in shown.operations} == {"start", "dated", "twice"}


def test_a_right_program_has_no_such_trace() -> None:
    text = "affine a {N|N>0} input int x {i|0<=i<N}; output int y {i|0<=i<N}; let y[i] = x[i]; ."
    assert rejected(examine_program(Source("a.ab", text))) is None


def test_a_counterexample_with_too_many_points_is_not_drawn() -> None:
    text = "affine a {N|N>300} input int x {i|0<=i<N}; output int y {i|0<=i<N}; let y[i] = x[i+1]; ."
    examined = examine_program(Source("a.ab", text))
    assert any(d.witness is not None for d in examined.diagnostics)
    assert rejected(examined) is None
