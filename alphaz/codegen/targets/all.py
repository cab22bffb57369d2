"""Every target, by its name."""

from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import SEQUENTIAL_C, Target
from alphaz.mapping.target import DEFAULT_TARGET

TARGETS = {target.name: target for target in (OPENMP, SEQUENTIAL_C)}
DEFAULT = TARGETS[DEFAULT_TARGET]
"""The target of a mapping without setTarget, whose compiler and harness are also those of C that is for no target."""


def target_names() -> list[str]:
    """Returns the names of all targets, sorted."""
    return sorted(TARGETS)


def target_of(name: str) -> Target:
    """Returns the target of one of these names."""
    return TARGETS[name]
