"""`alphaz propose memory`, and the commands that find memory maps."""

import json
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Rejected
from alphaz.search.memory.map_reports import ProposalReport
from tests.cli.command_line import ask
from tests.legality.test_conflicts import STENCIL
from tests.search.memory.programs import BLUR

SCRIPT = """prog = ReadAlphabets("blur.ab");
setSpaceTimeMap(prog, "blur", "h", "(i,j -> i,0,j)");
setSpaceTimeMap(prog, "blur", "b", "(i,j -> i,1,j)");
"""
MAP = 'setMemoryMap(prog, "blur", "h", "(i,j -> i,j)", "3,0");'


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    (folder / "blur.ab").write_text(BLUR)
    (folder / "blur.cs").write_text(SCRIPT)


@pytest.mark.slow
def test_a_proposal_is_printed_as_commands_that_are_proved(folder: Path) -> None:
    answer = ask("propose", "memory", "blur.cs")
    assert answer.code == 0
    assert answer.out.splitlines()[:3] == [
        "# blur: 3*(N-2) cells instead of N*(N-2), proved",
        "# h: 3*(N-2) cells instead of N*(N-2); degree 1 is least",
        MAP,
    ]
    (folder / "found.cs").write_text(SCRIPT + answer.out)
    assert ask("verify", "found.cs").code == 0


@pytest.mark.slow
def test_maps_of_the_script_are_kept_unless_they_are_named_or_set_aside(folder: Path) -> None:
    (folder / "given.cs").write_text(SCRIPT + 'setMemoryMap(prog, "blur", "h", "(i,j -> i,j)", "5,0");\n')
    assert ask("propose", "memory", "given.cs").out == "# blur: no smaller maps were found; 5*(N-2) cells\n"
    assert MAP in ask("propose", "memory", "given.cs", "--only", "h").out
    afresh = ask("propose", "memory", "given.cs", "--afresh").out
    assert afresh.startswith("# in place of all memory maps of the script\n")
    assert MAP in afresh


def test_who_lives_in_the_space_of_a_variable_is_named(folder: Path) -> None:
    occupant = 'setMemorySpace(prog, "blur", "h", "b"); setMemoryMap(prog, "blur", "h", "(i,j -> i,j)");\n'
    (folder / "shared.cs").write_text(SCRIPT + occupant)
    answer = ask("propose", "memory", "shared.cs", "--only", "h")
    assert answer.code == 2
    assert "the maps of the script keep `b` in its space" in answer.err
    assert MAP in ask("propose", "memory", "shared.cs", "--afresh").out
    (folder / "both.cs").write_text(SCRIPT + occupant + 'setParallel(prog, "blur", "", 0);\n')
    assert "AZ502" in ask("propose", "memory", "both.cs", "--only", "h").err


def test_a_proposal_as_json() -> None:
    (system,) = json.loads(ask("propose", "memory", "blur.cs", "--format", "json").out)["systems"]
    assert (system["system"], system["cells"], system["complete"]) == ("blur", "3*(N-2)", True)
    (result,) = system["maps"]
    assert (result["variable"], result["map"], result["factors"]) == ("h", "(i,j -> i,j)", [3, 0])
    assert result["command"] == MAP


def test_an_illegal_schedule_gets_the_findings_of_the_verifier_alone(folder: Path) -> None:
    (folder / "blurpar.cs").write_text(SCRIPT + 'setParallel(prog, "blur", "", 0);\n')
    answer = ask("propose", "memory", "blurpar.cs")
    assert answer.code == 1
    assert answer.out == ""
    assert "error[AZ502]" in answer.err
    values = ask("propose", "memory", "blurpar.cs", "--format", "json")
    assert (values.code, values.err) == (1, "")
    assert {load["code"] for load in json.loads(values.out)["diagnostics"]} == {"AZ502"}
    (folder / "open.cs").write_text("ReadAlphabets(")
    values = ask("propose", "memory", "open.cs", "--format", "json")
    assert {load["code"] for load in json.loads(values.out)["diagnostics"]} == {"AZ101"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "g"], "g is no local of blur: its locals: `h`"),
        (["--only", "b"], "b is no local of blur"),
        (["--sizes", "M=3"], "blur has no parameter M: its parameters: `N`"),
        (["--sizes", "many"], "`many` is not of the form NAME=INTEGER"),
        (["--system", "blut"], "blur.cs has no mapping of a system `blut`"),
    ],
)
def test_what_is_wrong_on_the_command_line_is_said(arguments: list[str], said: str) -> None:
    answer = ask("propose", "memory", "blur.cs", *arguments)
    assert answer.code == 2
    assert said in answer.err


def test_scripts_print_proposals_or_take_them(folder: Path) -> None:
    (folder / "print.cs").write_text(SCRIPT + 'proposeMemory(prog, "blur", "SIZE", "N=100");\n')
    assert MAP in ask("run", "print.cs").out
    (folder / "take.cs").write_text(SCRIPT + 'setProposedMemory(prog, "blur");\nlistMemoryMaps(prog, "blur");\n')
    assert "h: (i,j -> i,j) mod (3,0) in h" in ask("run", "take.cs").out


def test_an_objective_that_there_is_not_is_told_from_sizes(folder: Path) -> None:
    (folder / "fast.cs").write_text(SCRIPT + 'proposeMemory(prog, "blur", "h", "fast");\n')
    assert "this is neither `speed` nor `size`, nor values of parameters" in ask("run", "fast.cs").out


def test_python_has_a_proposal_as_values(folder: Path) -> None:
    design = alphaz.run(folder / "blur.cs")
    account = design.propose_memory("blur")
    assert isinstance(account, ProposalReport)
    assert repr(account) == "Account(blur: 3*(N-2) cells instead of N*(N-2))"
    assert [map_.entry.variable for map_ in account.maps] == ["h"]
    assert alphaz.verify(design.set_proposed_memory("blur")).is_proved
    with pytest.raises(Rejected, match="AZ502"):
        design.set_parallel("blur", "", 0).propose_memory("blur")


@pytest.mark.slow
@pytest.mark.long
def test_alternatives_are_measured(folder: Path) -> None:
    (folder / "steps.ab").write_text(STENCIL)
    (folder / "steps.cs").write_text(
        'prog = ReadAlphabets("steps.ab");\n'
        'setSpaceTimeMap(prog, "stencil", "X", "(t,i -> t,i)");\n'
        'setSpaceTimeMap(prog, "stencil", "B", "(i -> T+1,i)");\n'
    )
    answer = ask("propose", "memory", "steps.cs", "--measure", "-p", "N=200,T=10", "--threads", "1")
    lines = answer.out.splitlines()
    assert answer.code == 0
    assert lines[0] == "# measured at N=200, T=10, 1 thread:"
    assert lines[1].startswith("#   the first: ")
    assert lines[2].startswith("#   X ")
    assert "times as fast" in lines[2]
    assert any(line.startswith("setMemoryMap(") for line in lines)
    refused = ask("propose", "memory", "steps.cs", "--measure", "-p", "N=200")
    assert (refused.code, "-p T=.." in refused.err) == (2, True)


def test_lifetimes_in_the_proposed_cells_are_drawn(folder: Path) -> None:
    answer = ask("propose", "memory", "blur.cs", "--draw", "cells.svg")
    assert answer.code == 0, answer.err
    assert MAP in answer.out
    picture = (folder / "cells.svg").read_text(encoding="utf-8")
    assert "which value is in which cell, and how long" in picture
    # Three rows of h at most.
    assert "h[2,0]" in picture
    assert "h[3,0] in cell h[0,0]" in picture


def test_a_figure_that_cannot_be_written_is_refused_before_anything_is_looked_for() -> None:
    assert ask("propose", "memory", "blur.cs", "--draw", "cells.txt").code == 2
    assert ask("propose", "memory", "blur.cs", "--draw", "nowhere/cells.svg").code == 2
