"""The script of found mappings, proved as it is read."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click

from alphaz.analysis.read import read_program
from alphaz.cli.output import progress
from alphaz.diagnostics import Source
from alphaz.diagnostics.work_limits import working_at
from alphaz.frontends.matrix.checked_kernel import MatrixKernel
from alphaz.frontends.matrix.headerless_kernels import formats
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.commands.kinds.argument_values import literal
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.explanation import script_of
from alphaz.search.schedule.propose import Proposal, propose
from alphaz.search.schedule.request import ScheduleRequest
from alphaz.search.schedule.script_lines import Line


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a script: the path of its program, in quotes; its author; whether it has reasons; its folder; the
    given parts of each system.
    """

    program: str
    made_by: str
    explained: bool
    folder: Path
    format_lines: tuple[Line, ...] = ()


Find = Callable[[Design, str], Proposal]
"""Returns the mapping that is found for a system of a design. Raises Rejected where there is none."""


def script_of_proposals(
    design: Design,
    names: Iterable[str],
    find: Find,
    heading: Heading,
) -> str:
    """Returns the script of proposals for these systems, proved as it is read. Raises Rejected where there is none."""
    proposals: list[Proposal] = []
    for name in names:
        progress(f"scheduling {name}")
        with working_at(design.program.system(name).span, f"whether `{name}` has a schedule"):
            for line in heading.format_lines:
                design = carry_out(design, name, line)
            proposals.append(find(design, name))
        design = proposals[-1].design
    progress("verifying the script")
    text = script_of(heading.program, heading.made_by, proposals, heading.explained, heading.format_lines)
    _check(text, heading.folder)
    progress("")
    for proposal in proposals:
        if proposal.unproved_text:
            click.echo(f"{proposal.system}: the mapping is proved; {proposal.unproved_text}", err=True)
    return text


def script_of_kernel(kernel: MatrixKernel, equations: Source, name: str) -> str:
    """Returns the script of a kernel of formulas, next to its equations; `name` is its file."""
    path = Path(equations.name)
    format_lines = tuple(Line("setStorageFormat", format_) for format_ in formats(kernel))
    made_by = f"Found by `alphaz matrix build {Path(name).name}`, and proved."
    heading = Heading(literal(path.name), made_by, explained=False, folder=path.parent, format_lines=format_lines)
    request = ScheduleRequest(bounded=bounded)

    def find(design: Design, system: str) -> Proposal:
        return propose(design, system, request, carry_out)

    return script_of_proposals(Design(read_program(equations)), [kernel.name], find, heading)


def _check(text: str, folder: Path) -> None:
    """Proves the script text as it will be read, which covers errors in writing it."""
    session = run_script(Source("<schedule>", text), folder)
    if not session.is_clean:
        raise AssertionError("the script of a proved mapping is not proved")
