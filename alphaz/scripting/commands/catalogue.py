"""All commands. A family is loaded only if the name is not in the families before it: most scripts need few."""

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import nearest
from alphaz.diagnostics.rules import UNKNOWN_COMMAND
from alphaz.lazy import lazy_import
from alphaz.scripting.commands.declaring import registry
from alphaz.scripting.commands.declaring.call import usage_line
from alphaz.scripting.commands.declaring.declaration import Command

FAMILIES = (
    "programs", "space_time", "memory", "tiling", "overlapped_tiles", "generation", "use_equation_arguments",
    "transformations", "variable_changes", "index_changes", "reductions", "scheduling", "mapping_completion",
    "calculator", "part_selection", "from_c",
)  # fmt: skip
"""Modules of `all/`, the most frequently used first."""

# Least number of letters by which a word identifies a command.
_LONG_ENOUGH = 4


def commands() -> list[Command]:
    """Returns every command, by name."""
    _load_all()
    return registry.commands()


def names() -> list[str]:
    """Returns every name that a script may call, aliases included."""
    _load_all()
    return registry.names()


def find(name: str) -> Command | None:
    """Returns the command of that name or alias; case matters."""
    for family in FAMILIES:
        command = registry.find(name)
        if command is not None:
            return command
        _load(family)
    return registry.find(name)


def require(name: str, span: Span) -> Command:
    """Returns the command. Raises Rejected (AZ401) with the nearest name."""
    command = find(name)
    if command is None:
        help_ = _nearest_command(name) or "`alphaz commands` lists those that there are"
        raise Rejected(Diagnostic(UNKNOWN_COMMAND, f"there is no command `{name}`", Label(span), help=help_))
    return command


def _nearest_command(name: str) -> str | None:
    """The name of the command that was probably intended."""
    names_ = names()
    near = nearest(name, names_) or _shortest_name_around(name, names_)
    if near is None:
        return None
    command = find(near)
    forms = "" if command is None or not command.usage else f" Write {usage_line(command)}"
    return f"did you mean `{near}`?{forms}"


def _shortest_name_around(wanted_name: str, all_names: list[str]) -> str | None:
    """The shortest name that contains this one at its start, or after `set`, as VerifyTargetMapping for `verify`."""
    begins = wanted_name.lower(), f"set{wanted_name.lower()}"
    longer = [name for name in all_names if name.lower().startswith(begins)] if len(wanted_name) >= _LONG_ENOUGH else []
    return min(longer, key=len, default=None)


def _load(family: str) -> None:
    lazy_import(f"alphaz.scripting.commands.all.{family}")


def _load_all() -> None:
    for family in FAMILIES:
        _load(family)
