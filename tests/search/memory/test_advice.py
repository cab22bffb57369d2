"""Advice for proved mappings, and what becomes of a search that is cut short."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.diagnostics.rules import document
from alphaz.legality.verdicts import Options as Asked
from alphaz.legality.verdicts import SystemVerdict
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import TargetMapping
from alphaz.search.memory import map_reports
from alphaz.search.memory import proposal as proposals
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.placement_options import PlacementOptions
from alphaz.search.memory.proposal import Request
from alphaz.search.memory.sharing import Placed, SharingSearch
from alphaz.search.memory.text import document as values
from alphaz.search.memory.text import lines, memory_advice
from tests.cli.command_line import ask
from tests.search.memory.programs import blur, kernel, maps, pingpong, proposed
from tests.thinning import thinned


@pytest.mark.parametrize(("section", "notes"), [("Wrong", ["AZ611"]), ("Right", ["AZ410"])])
def test_the_document_says_what_is_found(
    section: str, notes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = document("AZ611").split(f"### {section}")[1]
    program, script = (item[1] for item in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)[:2])
    (tmp_path / "program.ab").write_text(program)
    (tmp_path / "script.cs").write_text(script)
    monkeypatch.chdir(tmp_path)
    answer = ask("verify", "--advise", "memory", "script.cs")
    assert answer.code == 0
    assert re.findall(r"note\[(AZ\d+)\]", answer.out) == notes
    assert "AZ611" not in ask("verify", "script.cs").out


def test_a_note_has_the_maps_that_would_do() -> None:
    design = blur()
    (note,) = memory_advice(design.design, design.system, Asked())
    assert note.message == "blur has N*(N-2) cells besides the arrays of its caller, and 3*(N-2) are enough"
    assert note.help is not None
    assert 'setMemoryMap(prog, "blur", "h", "(i,j -> i,j)", "3,0");' in note.help


def test_nothing_is_said_of_what_is_small_enough() -> None:
    design = blur().memory("h", "(i,j -> i,j)", moduli=(4, 0))
    assert memory_advice(design.design, design.system, Asked()) == ()


def test_a_search_without_time_still_gives_something_that_is_proved() -> None:
    proposal = proposed(pingpong(), Request(seconds=0.0))
    assert proposal.report.is_proved
    assert not proposal.complete


def test_an_interrupted_search_gives_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SharingSearch._cheapest_first

    def interrupted(self: SharingSearch, placed: Placed, options: PlacementOptions) -> list[Placed]:
        if self.best:
            raise KeyboardInterrupt
        return whole(self, placed, options)

    monkeypatch.setattr(SharingSearch, "_cheapest_first", interrupted)
    proposal = proposed(pingpong())
    assert proposal.report.is_proved
    assert proposal.entries
    assert not proposal.complete


def test_a_search_that_is_interrupted_at_once_gives_a_cell_for_every_point(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("alphaz.search.memory.proposal.lattices", interrupted)
    proposal = proposed(kernel("lu-tuned"))
    assert proposal.report.is_proved
    assert not proposal.complete
    # Those of copies without a date come before any search.
    assert set(maps(proposal)) == {"L", "U"}


def test_an_interrupted_proof_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption during the proof of a proposal does not lose the proposal."""
    whole, asked = proposals._report, list[int]()

    def interrupted(design: Design, system: str, options: Asked) -> SystemVerdict:
        asked.append(1)
        if len(asked) == 1:
            raise KeyboardInterrupt
        return whole(design, system, options)

    monkeypatch.setattr(proposals, "_report", interrupted)
    proposal = proposed(pingpong())
    assert proposal.report.is_proved
    assert proposal.entries
    assert not proposal.complete


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", thinned(["_alternatives", "_rejected_maps", "_passed_arguments", "cuts", "_in_place"], 3)
)
def test_what_is_proved_is_told_when_its_reasons_are_interrupted(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    proposal = proposed(kernel("jacobi-2d-tuned"))
    monkeypatch.setattr(map_reports, part, interrupted)
    account = ProposalReport.of(proposal)
    assert account.is_brief
    messages = list(lines(account, TargetMapping()))
    assert any(line.startswith("setMemoryMap(") for line in messages)
    assert any("interrupted" in line for line in messages)
    assert values(account, TargetMapping())["brief"]


@pytest.mark.slow
def test_maps_that_are_given_are_pins() -> None:
    design, system = kernel("adi-tuned")
    pinned = design.with_mapping(system, replace(design.mapping(system), memory=proposed((design, system)).entries[:1]))
    again = proposed((pinned, system))
    assert pinned.mapping(system).memory[0].variable not in maps(again)
    assert pinned.mapping(system).memory[0] in again.placement.entries
