"""All commands. A family is loaded only if the name is not in the families before it: most scripts need few."""

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.nearest import nearest
from alphaz.diagnostics.rules import UNKNOWN_COMMAND
from alphaz.lazy import lazy_import
from alphaz.scripting.commands.declaring import registry
from alphaz.scripting.commands.declaring.call import usage_line
from alphaz.scripting.commands.declaring.declaration import Command

FAMILIES = (
    "programs", "space_time", "memory", "tiling", "generation", "use_equations", "transformations", "restructuring",
    "reshaping", "reductions", "scheduling", "schedulers", "completing", "memory_proposals", "calculator", "selecting",
    "from_c",
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


def find(wanted: str) -> Command | None:
    """Returns the command of that name or alias; case matters."""
    for family in FAMILIES:
        found = registry.find(wanted)
        if found is not None:
            return found
        _load(family)
    return registry.find(wanted)


def require(wanted: str, span: Span) -> Command:
    """Returns the command. Raises Rejected (AZ401) with the nearest name."""
    found = find(wanted)
    if found is None:
        help_ = _nearest_command(wanted) or "`alphaz commands` lists those that there are"
        raise Rejected(Diagnostic(UNKNOWN_COMMAND, f"there is no command `{wanted}`", Label(span), help=help_))
    return found


def _nearest_command(wanted: str) -> str | None:
    """The name of the command that was probably intended."""
    known = names()
    near = nearest(wanted, known) or _around(wanted, known)
    if near is None:
        return None
    found = find(near)
    forms = "" if found is None or not found.usage else f" Write {usage_line(found)}"
    return f"did you mean `{near}`?{forms}"


def _around(wanted: str, known: list[str]) -> str | None:
    """The shortest name that contains this one at its start, or after `set`, as VerifyTargetMapping for `verify`."""
    begins = wanted.lower(), f"set{wanted.lower()}"
    longer = [name for name in known if name.lower().startswith(begins)] if len(wanted) >= _LONG_ENOUGH else []
    return min(longer, key=len, default=None)


def _load(family: str) -> None:
    lazy_import(f"alphaz.scripting.commands.all.{family}")


def _load_all() -> None:
    for family in FAMILIES:
        _load(family)
