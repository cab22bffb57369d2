"""`@command` declares a command; its forms, checks and documentation are derived from the declaration."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import IGNORED
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import (
    Command,
    CommandStatus,
    Documentation,
    Topic,
    command_of,
    script_name,
)
from alphaz.scripting.commands.outcome import Outcome

F = TypeVar("F", bound=Callable[..., object])

_BY_NAME: dict[str, Command] = {}


def command(
    topic: Topic,
    *,
    forms: str | None = None,
    name: str | None = None,
    aliases: tuple[str, ...] = (),
    fresh: bool = False,
    status: CommandStatus = CommandStatus.DONE,
) -> Callable[[F], F]:
    """Declares the function as a command.

    `forms` gives the order of a script's arguments, `[those that may be left out]` in brackets and `[a+b]` for two that
    go together; by default it is the order of the signature. `name` is the script's name where it is not the usual one.
    `fresh`: the design that comes back is a new one, and does not replace the one that was given.
    """

    def declare(function: F) -> F:
        new_command = command_of(function, topic, name or script_name(function.__name__), forms, aliases, fresh)
        register(replace(new_command, status=status))
        return function

    return declare


def register(new_command: Command) -> None:
    """Adds a command under its name and its aliases. Raises ValueError if a name is taken."""
    for name in (new_command.name, *new_command.aliases):
        if name in _BY_NAME:
            raise ValueError(f"two commands are called {name}")
        _BY_NAME[name] = new_command


def commands() -> list[Command]:
    """Returns every loaded command, by name."""
    return sorted({c.name: c for c in _BY_NAME.values()}.values(), key=lambda command_: command_.name.lower())


def names() -> list[str]:
    """Returns the names of the loaded commands, aliases included."""
    return sorted(_BY_NAME, key=str.lower)


def find(name: str) -> Command | None:
    """Returns the command of that name or alias, if it is loaded; case matters."""
    return _BY_NAME.get(name)


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


def _declare(topic: Topic, row: CommandRow, status: CommandStatus, function: Callable[..., object]) -> None:
    function.__name__ = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", row.name).lower()
    documentation = Documentation(row.summary)
    new_command = Command(
        name=row.name,
        function=function,
        topic=topic,
        usage=(row.arguments,),
        forms=(),
        documentation=documentation,
        rebinds=False,
        status=status,
    )
    register(new_command)


def _warning(row: CommandRow, value: object) -> Callable[..., Outcome]:
    def warn(*, call: BoundCall) -> Outcome:
        note = f"it would {row.summary[0].lower()}{row.summary[1:].removesuffix('.')}"
        finding = Diagnostic(IGNORED, f"{row.name} has no effect here", Label(call.span), notes=(note,))
        return Outcome(value, findings=(finding,))

    return warn
