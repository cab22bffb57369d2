"""The commands about use equations: what they state, and what is said of wrong labels, numbers and maps."""

from pathlib import Path

import pytest

from alphaz.mapping.target_mapping import CallMoment
from alphaz.scripting.commands.reference import EXAMPLE_CALLER, EXAMPLE_PROGRAM
from tests.scripting.commands.scripts import design_of, error_of

PROGRAM = f"{EXAMPLE_PROGRAM}\n{EXAMPLE_CALLER}"
LABEL = "UseEquation_Y"


def test_the_call_has_a_date_of_its_own(tmp_path: Path) -> None:
    text = f'setSpaceTimeMap(prog, "table", "{LABEL}", "(r->r)");'
    mapping = design_of(text, tmp_path, PROGRAM).mapping("table")
    assert [(m.variable, str(m.function)) for m in mapping.space_time] == [(LABEL, "(r -> r)")]
    assert mapping.space_time[0].span.text == "(r->r)"


def test_labels_are_statements(tmp_path: Path) -> None:
    text = f"""
    setStatementOrdering(prog, "table", "{LABEL}", "Y");
    setDimensionType(prog, "table", "{LABEL}", 0, "P");
    """
    mapping = design_of(text, tmp_path, PROGRAM).mapping("table")
    assert [(o.before, o.after) for o in mapping.ordering] == [(LABEL, "Y")]
    assert [k.variable for k in mapping.kinds] == [LABEL]


def test_all_three_dates_at_once_and_one_by_one(tmp_path: Path) -> None:
    together = f"""
    setSpaceTimeMapForUseEquationOptimization(prog, "table", "{LABEL}", 1, 1, "(r->r,0)", "(r->r,2)", "(r->r,3)");
    """
    apart = f"""
    setSpaceTimeMapForMemoryAllocation(prog, "table", "{LABEL}", 1, "1", "(r->r,7)");
    setSpaceTimeMapForMemoryAllocation(prog, "table", "{LABEL}", 1, "1", "(r->r,0)");
    setSpaceTimeMapForValueCopy(prog, "table", "{LABEL}", "1", 1, "(r->r,2)");
    setSpaceTimeMapForMemoryFree(prog, "table", "{LABEL}", 1, 1, "(r->r,3)");
    """
    results = [design_of(text, tmp_path, PROGRAM).mapping("table").argument_dates for text in (together, apart)]
    assert results[0] == results[1] or [str(a.function) for a in results[0]] == [str(a.function) for a in results[1]]
    assert [(a.label, a.is_output, a.number, a.moment) for a in results[1]] == [
        (LABEL, True, 1, CallMoment.ALLOCATION),
        (LABEL, True, 1, CallMoment.COPY),
        (LABEL, True, 1, CallMoment.FREE),
    ]


def test_the_last_space_counts(tmp_path: Path) -> None:
    text = f"""
    setMemorySpaceForUseEquationOptimization(prog, "table", "{LABEL}", 0, 0, "W");
    setMemorySpaceForUseEquationOptimization(prog, "table", "{LABEL}", 0, 0, "X");
    """
    mapping = design_of(text, tmp_path, PROGRAM).mapping("table")
    assert [(a.is_output, a.number, a.space) for a in mapping.argument_spaces] == [(False, 0, "X")]
    assert not mapping.is_empty


WRONG = [
    ('setSpaceTimeMap(prog, "table", "UseEquation_Z", "(r->r)");', "AZ403", "no use equation `UseEquation_Z`", LABEL),
    ('setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r,i->r)");', "AZ404", "takes 1 index (r); this one has 2", ""),
    (
        'setSpaceTimeMap(prog, "table", "UseEquation_Y", "(r->r)", "(r->0)");',
        "AZ404",
        "it has no initialisation",
        "",
    ),
    (
        'setSpaceTimeMapForValueCopy(prog, "table", "UseEquation_Y", 0, 1, "(r->r)");',
        "AZ402",
        "`UseEquation_Y` has 1 input, counted from 0: there is no input 1",
        "",
    ),
    (
        'setMemorySpaceForUseEquationOptimization(prog, "table", "UseEquation_Y", 1, 2, "X");',
        "AZ402",
        "`UseEquation_Y` has 2 outputs, counted from 0: there is no output 2",
        "",
    ),
    (
        'setMemorySpaceForUseEquationOptimization(prog, "table", "UseEquation_Y", 2, 0, "X");',
        "AZ402",
        "the is_output must be 0 or 1",
        "",
    ),
    (
        'setSpaceTimeMapForMemoryFree(prog, "sums", "UseEquation_B", 0, 0, "(i->i)");',
        "AZ403",
        "system `sums` has no use equation `UseEquation_B`",
        "",
    ),
]


@pytest.mark.parametrize(("text", "code", "message", "help_"), WRONG, ids=[item[2] for item in WRONG])
def test_what_is_wrong_is_located(text: str, code: str, message: str, help_: str, tmp_path: Path) -> None:
    error = error_of(text, tmp_path, PROGRAM)
    assert error.rule.code == code
    assert message in error.message
    assert help_ in (error.help or "")
    assert error.primary.span.source.name == "test.cs"
