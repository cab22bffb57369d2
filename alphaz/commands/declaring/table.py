"""Commands without a function of their own: known by name, and without effect."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alphaz.commands.declaring.call import Call
from alphaz.commands.declaring.declaration import Command, Documentation, Status, Topic
from alphaz.commands.declaring.registry import register
from alphaz.commands.outcome import Outcome
from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import IGNORED


@dataclass(frozen=True, slots=True)
class Row:
    """A command as the language has it: how it is called, and what it does (or would do)."""

    usage: str
    summary: str

    @property
    def name(self) -> str:
        return self.usage.partition("(")[0]

    @property
    def arguments(self) -> str:
        return self.usage.partition("(")[2].removesuffix(")")


def ignored(topic: Topic, gives: Callable[[Row], object], *rows: Row) -> None:
    """Declares commands that are accepted with a warning; `gives` makes the value that each call stands for."""
    for row in rows:
        _declare(topic, row, Status.IGNORED, _warning(row, gives(row)))


def _declare(topic: Topic, row: Row, status: Status, function: Callable[..., Any]) -> None:
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


def _warning(row: Row, value: object) -> Callable[..., Outcome]:
    def warn(*, call: Call) -> Outcome:
        note = f"it would {row.summary[0].lower()}{row.summary[1:].removesuffix('.')}"
        finding = Diagnostic(IGNORED, f"{row.name} has no effect here", Label(call.span), notes=(note,))
        return Outcome(value, findings=(finding,))

    return warn
