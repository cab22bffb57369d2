"""Lessons: what a student meets goes wrong as it should, and each solution is proved. Codes and witnesses are data."""

import json
from pathlib import Path
from typing import Any

import pytest

import alphaz
from alphaz.diagnostics import Diagnostic
from tests.lessons.notebook import cells, executed
from tests.thinning import thinned

LESSONS = Path(__file__).parents[2] / "docs" / "lessons"
EXPECTED: dict[str, dict[str, Any]] = json.loads((LESSONS / "expected.json").read_text(encoding="utf-8"))


def first_error(verdict: Any) -> Diagnostic:
    findings = verdict.diagnostics if isinstance(verdict, alphaz.Rejected) else verdict.findings
    return next(finding for finding in findings if finding.is_error)


def test_there_are_fourteen_and_each_has_a_solution() -> None:
    assert len(EXPECTED) == 14
    for folder in (LESSONS, LESSONS / "solutions"):
        assert sorted(path.stem for path in folder.glob("[0-9]*.md")) == sorted(EXPECTED)


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(sorted(EXPECTED), 4))
def test_a_student_meets_what_the_lesson_says(name: str) -> None:
    finding = first_error(executed(LESSONS / f"{name}.md")["verdict"])
    assert finding.rule.code == EXPECTED[name]["code"]
    parameters = {} if finding.witness is None else dict(finding.witness.parameters)
    assert parameters == EXPECTED[name]["parameters"]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_solution_is_right(name: str) -> None:
    names = executed(LESSONS / "solutions" / f"{name}.md")
    if "verdict" in names:
        assert names["verdict"].is_proved
        assert names["verdict"].systems
    else:
        # Of a program, and of a transformation, it is that there is one.
        assert isinstance(names["design"], alphaz.Design)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_lesson_has_its_parts(name: str) -> None:
    text = (LESSONS / f"{name}.md").read_text(encoding="utf-8")
    for part in ("## Look", "## Predict", "## A wrong", "## The verdict", "## Repair", f"solutions/{name}.md"):
        assert part in text
    assert 3 <= len(cells(LESSONS / f"{name}.md")) <= 5
