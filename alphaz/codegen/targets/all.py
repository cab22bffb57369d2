"""Every target, by its name: those of alphaz, and those of other packages."""

from typing import TYPE_CHECKING

from alphaz.codegen.targets.mpi import MPI
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import SEQUENTIAL_C, Target
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFIGURATION
from alphaz.lazy import lazy_import
from alphaz.mapping.target import DEFAULT_TARGET

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

TARGETS = {target.name: target for target in (OPENMP, SEQUENTIAL_C, MPI)}
DEFAULT = TARGETS[DEFAULT_TARGET]
"""The target of a mapping without setTarget, whose compiler and harness are also those of C that is for no target."""

_GROUP = "alphaz.targets"
"""The group of the entry points of other packages, each from the name of a target to a `Target`."""


def target_names() -> list[str]:
    """Returns the names of all targets, sorted."""
    return sorted({*TARGETS, *_provided()})


def target_of(name: str) -> Target:
    """Returns the target of one of these names. Raises Rejected(CONFIGURATION) if its package cannot be loaded."""
    return TARGETS[name] if name in TARGETS else _loaded(_provided()[name])


def _provided() -> "dict[str, EntryPoint]":
    entries = lazy_import("importlib.metadata").entry_points(group=_GROUP)
    return {entry.name: entry for entry in entries}


def _loaded(entry: "EntryPoint") -> Target:
    try:
        target = entry.load()
    except Exception as problem:
        raise _refused(entry, f"{type(problem).__name__}: {problem}") from None
    if not isinstance(target, Target) or target.name != entry.name:
        raise _refused(entry, f"it is no `Target` of the name `{entry.name}`")
    return target


def _refused(entry: "EntryPoint", reason: str) -> Rejected:
    message = f"the target `{entry.name}` ({entry.value}) cannot be loaded: {reason}"
    return Rejected(Diagnostic(CONFIGURATION, message, Label(NOWHERE), help="correct or remove its package"))
