"""MPI with OpenMP: ranks whose parallel loops are shared out to threads. Only the first thread of a rank calls MPI."""

from dataclasses import replace
from functools import partial

from alphaz.codegen.targets.mpi import MPI, mpi_files
from alphaz.codegen.targets.openmp import OPENMP, declared

_START = """\
    int threads;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads) != MPI_SUCCESS || threads < MPI_THREAD_FUNNELED) {
        return 1;
    }
    int my_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);"""

MPI_OPENMP = replace(
    MPI,
    name="mpi-openmp",
    passes=OPENMP.passes,
    forms=OPENMP.forms,
    modes=OPENMP.modes,
    distribute=partial(mpi_files, declared=declared),
    toolchain=replace(MPI.toolchain, threads=OPENMP.toolchain.threads),
    harness=replace(MPI.harness, start=_START),
)
