"""Objects that other packages provide, by entry points of a group."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from alphaz.diagnostics.diagnostic import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFIGURATION
from alphaz.diagnostics.source import NOWHERE
from alphaz.lazy import lazy_import

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


def provided(group: str) -> "Mapping[str, EntryPoint]":
    """Returns the entry points of a group by their names, none of them loaded."""
    entries = lazy_import("importlib.metadata").entry_points(group=group)
    return {entry.name: entry for entry in entries}


def load_provided(group: str, name: str, kind: type[T], noun: str) -> T:
    """Returns the object of an entry point, whose own name is that of the entry. Raises Rejected(CONFIGURATION) if its
    package cannot be loaded, or it is something else."""
    entry = provided(group)[name]

    def refused(reason: str) -> Rejected:
        message = f"the {noun} `{name}` ({entry.value}) cannot be loaded: {reason}"
        return Rejected(Diagnostic(CONFIGURATION, message, Label(NOWHERE), help="correct or remove its package"))

    try:
        loaded = entry.load()
    except Exception as problem:
        raise refused(f"{type(problem).__name__}: {problem}") from None
    if not isinstance(loaded, kind) or getattr(loaded, "name", None) != name:
        raise refused(f"it is no `{kind.__name__}` of the name `{name}`")
    return loaded
