"""SMPI of SimGrid: executes programs for MPI in one process, on any number of ranks, and finds deadlocks.

Messages are not watched (`mpi_checks`): SMPI's MPI_Testall does not return the status of what it completed before. Of
operators that are not commutative, SMPI of SimGrid 3.32 does not return the prefixes (MPI_Exscan), and combines too few
elements for roots other than 0 (MPI_Reduce): functions on MPI_Allgather replace both.
"""

import sys
from dataclasses import replace

from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import Words

_ORDERED = """\
/* Instead of functions of SMPI that are wrong for operators which are not commutative. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Combines the elements of ranks `[0, end)` in their order, where `is_given`. */
static int combine(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int end, int is_given,
                   MPI_Comm comm)
{
    int size, bytes;
    MPI_Comm_size(comm, &size);
    MPI_Type_size(type, &bytes);
    const size_t length = (size_t)bytes * (size_t)count;
    unsigned char *all = malloc(length * (size_t)size + 1);
    int failed = all == NULL || MPI_Allgather(in, count, type, all, count, type, comm) != MPI_SUCCESS;
    if (!failed && is_given && end > 0) {
        memcpy(out, all + (size_t)(end - 1) * length, length);
        for (int rank = end - 2; rank >= 0 && !failed; rank--) {
            failed = MPI_Reduce_local(all + (size_t)rank * length, out, count, type, op) != MPI_SUCCESS;
        }
    }
    free(all);
    return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int ordered_exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return combine(in == MPI_IN_PLACE ? out : in, out, count, type, op, rank, 1, comm);
}

int ordered_reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    return combine(in == MPI_IN_PLACE ? out : in, out, count, type, op, size, rank == root, comm);
}
"""


def simulated(target: Target) -> Target:
    """Returns a target with ranks whose programs SMPI executes."""

    def command(members: int) -> Words:
        return (sys.executable, "-m", "alphaz.run.simulated_ranks", str(max(members, 1)))

    toolchain = replace(
        target.toolchain,
        commands=("smpicc",),
        variable="SMPICC",
        launcher=command(1),
        meaning=(*target.toolchain.meaning, "-DMPI_Exscan=ordered_exscan", "-DMPI_Reduce=ordered_reduce"),
        files=(*target.toolchain.files, ("ordered_collectives.c", _ORDERED)),
        remedy="install SimGrid (Debian: apt install simgrid libsimgrid-dev)",
    )
    return replace(target, toolchain=toolchain, harness=replace(target.harness, command=command, checks=""))
