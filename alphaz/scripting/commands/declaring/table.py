"""Commands without effect and without a function: known by name only."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import IGNORED
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus, Documentation, Topic
from alphaz.scripting.commands.declaring.registry import register
from alphaz.scripting.commands.outcome import Outcome


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command of the language: its name and parameters, and its effect in the original tool."""

    usage: str
    summary: str

    @property
    def name(self) -> str:
        return self.usage.partition("(")[0]

    @property
    def arguments(self) -> str:
        return self.usage.partition("(")[2].removesuffix(")")


def declare_ignored(topic: Topic, gives: Callable[[CommandRow], object], *rows: CommandRow) -> None:
    """Declares commands that are accepted with a warning; `gives` makes the value of each call."""
    for row in rows:
        _declare(topic, row, CommandStatus.IGNORED, _warning(row, gives(row)))


def _declare(topic: Topic, row: CommandRow, status: CommandStatus, function: Callable[..., Any]) -> None:
    function.__name__ = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", row.name).lower()
    documentation = Documentation(row.summary)
    made = Command(
        name=row.name,
        function=function,
        topic=topic,
        usage=(row.arguments,),
        forms=(),
        documentation=documentation,
        rebinds=False,
        status=status,
    )
    register(made)


def _warning(row: CommandRow, value: object) -> Callable[..., Outcome]:
    def warn(*, call: BoundCall) -> Outcome:
        note = f"it would {row.summary[0].lower()}{row.summary[1:].removesuffix('.')}"
        finding = Diagnostic(IGNORED, f"{row.name} has no effect here", Label(call.span), notes=(note,))
        return Outcome(value, findings=(finding,))

    return warn
