"""`@command` declares a command; its forms, checks and documentation are derived from the declaration.

    @command(Topic.MAPPING, forms="design system variables [space] map_ [moduli]")
    def set_memory_map(design: Design, system: SystemName, variables: VariableNames, map_: AffineMap,
                       space: NewName | None = None, moduli: Moduli = (), *, call: Call) -> Design:
        '''Summary in one sentence.

        Rewrites: what becomes of the program or the mapping.

        Checks: what is refused.

        Example:
            setMemoryMap(prog, "sums", "B", "(i->0)", "1");
        '''

The script calls it `setMemoryMap`, Python `set_memory_map`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from alphaz.scripting.commands.declaring.declaration import Command, CommandStatus, Topic, declared, script_name

F = TypeVar("F", bound=Callable[..., Any])

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
        made = declared(function, topic, name or script_name(function.__name__), forms, aliases, fresh)
        register(replace(made, status=status))
        return function

    return declare


def register(made: Command) -> None:
    """Adds a command under its name and its aliases. Raises ValueError if a name is taken."""
    for each in (made.name, *made.aliases):
        if each in _BY_NAME:
            raise ValueError(f"two commands are called {each}")
        _BY_NAME[each] = made


def commands() -> list[Command]:
    """Returns every loaded command, by name."""
    return sorted({c.name: c for c in _BY_NAME.values()}.values(), key=lambda each: each.name.lower())


def names() -> list[str]:
    """Returns the names of the loaded commands, aliases included."""
    return sorted(_BY_NAME, key=str.lower)


def find(wanted: str) -> Command | None:
    """Returns the command of that name or alias, if it is loaded; case matters."""
    return _BY_NAME.get(wanted)
