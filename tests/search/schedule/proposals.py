"""Proposals for the tests: `proposed(text)` of a program's text, `kernel("gemm")` of a sample."""

from functools import cache
from pathlib import Path

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.propose import Proposal, propose, with_reduction_equations
from alphaz.search.schedule.request import ScheduleRequest

SAMPLES = Path(__file__).parents[3] / "samples"
KERNELS = sorted(path.name for path in (SAMPLES / "kernels").iterdir() if path.is_dir())


def design_of(text: str, name: str = "program.ab") -> Design:
    """With an equation for every reduction."""
    design = Design(read_program(Source(name, text)))
    for system in design.program.systems:
        design, _ = with_reduction_equations(design, system.name, carry_out)
    return design


@cache
def kernel_design(name: str) -> Design:
    return design_of(program_of(name).read_text(encoding="utf-8"), str(program_of(name)))


def program_of(name: str) -> Path:
    return SAMPLES / "kernels" / name / f"{name}.ab"


def only_system(design: Design) -> str:
    (system,) = design.program.systems
    return system.name


def problem(design: Design) -> Problem:
    return problem_of(design, only_system(design))


def proposed(design: Design, schedule_request: ScheduleRequest | None = None) -> Proposal:
    return propose(design, only_system(design), schedule_request or ScheduleRequest(), carry_out)


@cache
def kernel(name: str, schedule_request: ScheduleRequest | None = None) -> Proposal:
    """Of the program as it is written, without an equation for every reduction."""
    program = program_of(name)
    return proposed(Design(read_program(Source(str(program), program.read_text(encoding="utf-8")))), schedule_request)


def rows(proposal: Proposal, name: str) -> list[tuple[str, str]]:
    """Every loop of a statement: its component, and its kind."""
    return [(str(c.value), c.kind.value) for c in proposal.dates[name] if c.is_row]
