"""The wrong mappings of the lessons and of the samples: codes and witnesses as data, and the instructor's tables."""

import json
from pathlib import Path
from typing import Any

import pytest

import alphaz
from alphaz.diagnostics import Diagnostic
from tests.thinning import thinned

LESSONS = Path(__file__).parents[2] / "docs" / "lessons"
WRONG = LESSONS / "wrong"
EXPECTED: dict[str, dict[str, Any]] = json.loads((WRONG / "expected.json").read_text(encoding="utf-8"))


def finding_of(name: str) -> Diagnostic:
    """The first error of a script, named from the folder of wrong ones."""
    report = alphaz.verify(alphaz.run(WRONG / name))
    assert not report.is_proved
    return next(finding for finding in report.findings if finding.is_error)


def test_there_are_forty_and_all_are_known() -> None:
    here = {path.relative_to(WRONG).as_posix() for path in WRONG.rglob("*.cs")}
    samples = {f"../../../samples/{p.relative_to(LESSONS.parents[1] / 'samples').as_posix()}" for p in _samples()}
    assert set(EXPECTED) == here | samples
    assert len(EXPECTED) >= 40


def _samples() -> list[Path]:
    return sorted((LESSONS.parents[1] / "samples").rglob("wrong-*.cs"))


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(sorted(EXPECTED), 8))
def test_a_wrong_mapping_goes_wrong_as_it_should(name: str) -> None:
    finding = finding_of(name)
    witness = finding.witness
    assert witness is not None
    results = {
        "code": finding.rule.code,
        "parameters": dict(witness.parameters),
        "places": [[place.role, place.name, *place.point] for place in witness.places],
    }
    assert results == EXPECTED[name]
    assert (WRONG / name).read_text(encoding="utf-8").startswith("# Wrong: ")


def test_the_instructor_has_them_all_sorted_by_misconception() -> None:
    page = (LESSONS / "instructor.md").read_text(encoding="utf-8")
    for name, expected in EXPECTED.items():
        shown = name.removeprefix("../../../samples/")
        row = next((line for line in page.splitlines() if line.startswith(f"| `{shown}`")), "")
        assert f"| {expected['code']} |" in row, name


@pytest.mark.parametrize("number", range(1, 9))
def test_the_answers_of_the_exam_are_those_of_the_verifier(number: int) -> None:
    page = (LESSONS / "instructor.md").read_text(encoding="utf-8")
    question = next(line for line in page.splitlines() if line.startswith(f"{number}. (`"))
    name = question.split("`")[1]
    witness = finding_of(name).witness
    assert witness is not None
    assert witness.sentence in page
