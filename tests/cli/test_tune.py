"""`alphaz tune`: what it tries, writes and refuses. No test looks at how long anything took."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import ask

OPEN = """prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "B, C", choose("order", "(i->i)", "(i->-i)", "(i->2i)"));
setTiling(prog, "sums", 0, choose("size", 4, 8));
"""


@pytest.fixture(autouse=True)
def _open() -> None:
    Path("open.cs").write_text(OPEN, encoding="utf-8")


def tuned(*more: object) -> dict[str, object]:
    answer = ask("tune", "open.cs", "-p", "N=50", "--threads", 1, "--format", "json", *more)
    assert answer.code == 0, answer.err
    value = json.loads(answer.out)
    assert isinstance(value, dict)
    return value


def test_everybody_else_takes_the_first_alternative() -> None:
    assert ask("verify", "open.cs").code == 0
    Path("open.cs").write_text(OPEN.replace('"(i->i)", "(i->-i)"', '"(i->-i)", "(i->i)"'), encoding="utf-8")
    assert ask("verify", "open.cs").code == 1


@pytest.mark.slow
def test_all_mappings_are_tried_and_only_proved_ones_run() -> None:
    value = tuned("--search", "exhaustive", "--top", 2, "--afresh", "--log", "run.jsonl", "--plot", "run.svg")
    assert value["mappings"] == 6
    assert value["whole"] is True
    lines = [json.loads(line) for line in Path("run.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == value["trials"]
    states = {(line["choices"]["order"], line["choices"]["size"]): line["state"] for line in lines}
    assert len(states) == 6
    assert {state for (order, _), state in states.items() if "->-i" in order} == {"not proved"}
    assert {state for (order, _), state in states.items() if "->-i" not in order} == {"timed"}
    assert all("AZ5" in line["reason"] for line in lines if line["state"] == "not proved")
    assert Path("run.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.long
@pytest.mark.slow
def test_the_script_as_it_stands_is_as_fast_as_itself() -> None:
    """It runs once in the last contest, as what all are compared with."""
    Path("open.cs").write_text(
        OPEN.replace('choose("order", "(i->i)", "(i->-i)", "(i->2i)")', '"(i->i)"'), encoding="utf-8"
    )
    finals = tuned("--search", "exhaustive", "--budget", "3s")["finals"]
    assert isinstance(finals, list)
    assert len(finals) == 2
    assert [final["ratio"] for final in finals if final["choices"] == {"size": "4"}] == [1.0]


@pytest.mark.slow
def test_the_best_is_written_as_a_plain_script_that_is_proved_where_it_lies() -> None:
    Path("out").mkdir()
    tuned("--top", 1, "-o", "out/best.cs")
    text = Path("out/best.cs").read_text(encoding="utf-8")
    assert "choose" not in text
    assert 'ReadAlphabets("../sums.ab")' in text
    assert text.startswith("# Found by `alphaz tune open.cs`, and proved.")
    assert ask("verify", "out/best.cs").code == 0
    again = ask("tune", "open.cs", "-p", "N=50", "-o", "out/best.cs")
    assert again.code == 2
    assert "exists already" in again.err


@pytest.mark.slow
@pytest.mark.long
def test_what_was_timed_is_known_the_next_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    command = ("--search", "exhaustive", "--top", 1)
    first, second = tuned(*command), tuned(*command)
    # All but the reference, which runs each time.
    assert first["trials"][1:] == second["trials"][1:]  # type: ignore[index]


def test_a_script_that_leaves_nothing_open() -> None:
    Path("closed.cs").write_text('prog = ReadAlphabets("sums.ab");\n', encoding="utf-8")
    answer = ask("tune", "closed.cs", "-p", "N=50")
    assert answer.code == 2
    assert "leaves nothing open" in answer.err


@pytest.mark.parametrize("budget", ["soon", "-1s", "0", "nan"])
def test_a_budget_that_is_no_time(budget: str) -> None:
    answer = ask("tune", "open.cs", "-p", "N=50", "--budget", budget)
    assert answer.code == 2
    assert "is no time" in answer.err


def test_a_parameter_without_a_value() -> None:
    answer = ask("tune", "open.cs")
    assert answer.code == 2
    assert "-p N=" in answer.err


def test_parameters_that_no_kernel_has() -> None:
    Path("atax.m").write_text("K in A : matrix, x : vector out y : vector { y = A*x }", encoding="utf-8")
    answer = ask("tune", "atax.m", "-p", "m=-1,n=3", "--budget", "2s")
    assert answer.code != 0
    assert "m = -1, n = 3 is outside the context of `K`" in answer.err


def test_no_log_is_written_over_what_is_tuned() -> None:
    answer = ask("tune", "open.cs", "-p", "N=50", "--log", "./open.cs")
    assert answer.code == 2
    assert "give it another name" in answer.err
    assert Path("open.cs").read_text(encoding="utf-8") == OPEN


@pytest.mark.long
@pytest.mark.slow
def test_a_kernel_of_formulas_is_tuned_and_written_with_its_equations() -> None:
    Path("twice.m").write_text("TWICE in A : matrix, x : vector out y : vector { y = A'*(A*x) }", encoding="utf-8")
    answer = ask("tune", "twice.m", "-p", "m=20,n=30", "--budget", "2s", "--top", 1, "--afresh", "-o", "twice-fast.cs")
    assert answer.code == 0, answer.err
    assert "those that cost least were timed" in answer.out
    assert "affine TWICE" in Path("twice.ab").read_text(encoding="utf-8")
    assert ask("verify", "twice-fast.cs").code == 0
    assert ask("test", "twice-fast.cs", "-p", "m=7,n=5").code == 0


def test_what_is_wrong_with_the_script_is_said_first() -> None:
    Path("open.cs").write_text(OPEN.replace("choose(", "chose("), encoding="utf-8")
    answer = ask("tune", "open.cs", "-p", "N=50")
    assert answer.code == 1
    assert "there is no command `chose`" in answer.err
    assert "open.cs:2:" in answer.err


def test_a_choice_of_nothing() -> None:
    Path("open.cs").write_text(OPEN.replace('choose("size", 4, 8)', 'choose("size")'), encoding="utf-8")
    assert "choose takes 2 or more arguments, and is given 1" in ask("tune", "open.cs", "-p", "N=50").err
