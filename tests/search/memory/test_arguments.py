"""Arguments of calls in the cells of the caller's variables, where that is proved."""

from pathlib import Path

import pytest

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.run.kernel import compile_kernel
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, propose
from alphaz.search.memory.text import document, lines

SUBSYSTEMS = Path(__file__).parents[3] / "samples" / "subsystems"


def _proposed(name: str, system: str) -> tuple[Design, MemoryProposal]:
    design = alphaz.run(SUBSYSTEMS / name)
    proposal = propose(design, system)
    assert isinstance(proposal, MemoryProposal)
    assert proposal.report.is_proved
    return design, proposal


@pytest.mark.slow
def test_what_needs_no_copy_is_passed_where_it_lies(tmp_path: Path) -> None:
    """The first filtered signal is computed into the result, where the second call works on it in place."""
    design, proposal = _proposed("filter.cs", "filtered")
    assert [(entry.label, entry.is_output, entry.number, entry.space) for entry in proposal.arguments] == [
        ("UseEquation_Once", False, 0, "Signal"),
        ("UseEquation_Once", True, 0, "Smooth"),
        ("UseEquation_Smooth", True, 0, "Smooth"),
        ("UseEquation_Change", False, 0, "Signal"),
        ("UseEquation_Change", False, 1, "Smooth"),
        ("UseEquation_Change", True, 0, "Change"),
    ]
    both = []
    for item in (design, proposal.design):
        verified = certify(verify(item))
        kernel = compile_kernel(scheduled_c(verified, "filtered"), item.checked, "filtered", include=tmp_path)
        both.append(kernel.run({"N": 5}, {"Signal": [1.0, 5.0, 2.0, 4.0, 3.0]}).outputs)
    assert {name: array.tolist() for name, array in both[0].items()} == {
        name: array.tolist() for name, array in both[1].items()
    }


def test_proposals_for_arguments_are_commands() -> None:
    design, proposal = _proposed("halves.cs", "total")
    account = ProposalReport.of(proposal)
    command = 'setMemorySpaceForUseEquationOptimization(prog, "total", "UseEquation_Right", 1, 0, "Right");'
    assert command in lines(account, design.mapping("total"))
    arguments = document(account, design.mapping("total"))["arguments"]
    assert isinstance(arguments, list)
    assert command in arguments


def test_what_the_script_says_of_an_argument_stays() -> None:
    _, proposal = _proposed("filter-in-place.cs", "filtered")
    messages = {("UseEquation_Once", False), ("UseEquation_Once", True), ("UseEquation_Smooth", False)}
    assert not messages & {(entry.label, entry.is_output) for entry in proposal.arguments}
