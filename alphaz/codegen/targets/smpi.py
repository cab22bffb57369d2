"""SMPI of SimGrid: executes programs for MPI in one process, on any number of ranks, and finds deadlocks.

Messages are not watched (`mpi_checks`): SMPI's MPI_Testall does not return the status of what it completed before.
"""

import sys
from dataclasses import replace

from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import Words


def simulated(target: Target) -> Target:
    """Returns a target with ranks whose programs SMPI executes."""

    def command(members: int) -> Words:
        return (sys.executable, "-m", "alphaz.run.simulated", str(max(members, 1)))

    toolchain = replace(
        target.toolchain,
        commands=("smpicc",),
        variable="SMPICC",
        launcher=command(1),
        remedy="install SimGrid (Debian: apt install simgrid libsimgrid-dev)",
    )
    return replace(target, toolchain=toolchain, harness=replace(target.harness, command=command, checks=""))
