"""Every target, by its name: those of alphaz, and those of other packages."""

from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.codegen.targets.mpi import MPI, MPI_OPENMP
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.target import SEQUENTIAL_C, Target
from alphaz.diagnostics.plugins import load_provided, provided
from alphaz.mapping.target_mapping import DEFAULT_TARGET

TARGETS = {target.name: target for target in (OPENMP, SEQUENTIAL_C, MPI, MPI_OPENMP, CUDA_TARGET)}
DEFAULT = TARGETS[DEFAULT_TARGET]
"""The target of a mapping without setTarget, whose compiler and harness are also those of C that is for no target."""

_GROUP = "alphaz.targets"
"""The group of the entry points of other packages, each from the name of a target to a `Target`."""


def target_names() -> list[str]:
    """Returns the names of all targets, sorted."""
    return sorted({*TARGETS, *provided(_GROUP)})


def target_of(name: str) -> Target:
    """Returns the target of one of these names. Raises Rejected(CONFIGURATION) if its package cannot be loaded."""
    return TARGETS[name] if name in TARGETS else load_provided(_GROUP, name, Target, "target")
