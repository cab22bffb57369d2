"""Applies one line of a proposed script to a design."""

from pathlib import Path

from alphaz.diagnostics import NOWHERE
from alphaz.mapping.design import Design
from alphaz.scripting.commands.catalogue import require
from alphaz.scripting.commands.declaring.call import perform
from alphaz.scripting.commands.file_lookup import Library
from alphaz.scripting.commands.kinds.argument_values import from_python
from alphaz.search.schedule.script_lines import Line


def carry_out(design: Design, system: str, line: Line) -> Design:
    """Returns the design after a line of a proposal, as if a script had executed it."""
    arguments = (design, *((system,) if line.of_system else ()), *line.arguments)
    outcome = perform(
        require(line.command, NOWHERE), [from_python(argument) for argument in arguments], NOWHERE, Library(Path())
    )
    assert isinstance(outcome.value, Design)
    return outcome.value
