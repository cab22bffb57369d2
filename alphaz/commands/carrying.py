"""Carrying out the lines of a proposal."""

from pathlib import Path

from alphaz.commands.catalogue import require
from alphaz.commands.declaring.call import perform
from alphaz.commands.kinds.given import from_python
from alphaz.commands.library import Library
from alphaz.diagnostics import NOWHERE
from alphaz.mapping.design import Design
from alphaz.schedule.line import Line


def carry_out(design: Design, system: str, line: Line) -> Design:
    """The design after a line of a proposal, as a script would have it."""
    given = (design, *((system,) if line.of_system else ()), *line.arguments)
    outcome = perform(require(line.command, NOWHERE), [from_python(each) for each in given], NOWHERE, Library(Path()))
    assert isinstance(outcome.value, Design)
    return outcome.value
