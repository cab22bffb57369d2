"""The files next to a program for MPI build it: CMake, and callers in Fortran."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from alphaz.codegen.makefile import makefile
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI, MPI_OPENMP
from alphaz.codegen.targets.target import Target
from alphaz.codegen.wrapper.main_program import wrapper
from tests.codegen.mpi_programs import engine
from tests.codegen.test_mpi import CASES

pytestmark = pytest.mark.slow

JACOBI = CASES[0]

MAIN = """program main
  use iso_c_binding
  implicit none
  interface
    function started(first) bind(C)
      import c_int
      integer(c_int) :: started, first
    end function
    function Jacobi_mpi_f(N, T, A, B, comm) bind(C, name="Jacobi_mpi_f")
      import c_int, c_int64_t, c_double
      integer(c_int64_t), value :: N, T
      real(c_double) :: A(*), B(*)
      integer(c_int), value :: comm
      integer(c_int) :: Jacobi_mpi_f
    end function
    function Jacobi_mpi_f_gather_B(N, T, block, B, root, comm) bind(C, name="Jacobi_mpi_f_gather_B")
      import c_int, c_int64_t, c_double
      integer(c_int64_t), value :: N, T
      real(c_double) :: block(*), B(*)
      integer(c_int), value :: root, comm
      integer(c_int) :: Jacobi_mpi_f_gather_B
    end function
    subroutine MPI_Finalize() bind(C, name="MPI_Finalize")
    end subroutine
  end interface
  real(c_double) :: A(9), B(9), whole(9)
  integer(c_int) :: comm, first
  A = 1
  comm = started(first)
  if (Jacobi_mpi_f(9_8, 2_8, A, B, comm) /= 0) error stop
  if (Jacobi_mpi_f_gather_B(9_8, 2_8, B, whole, 0, comm) /= 0) error stop
  if (first == 0) print "(9i3)", nint(whole)
  call MPI_Finalize()
end program
"""
# The wheel of MPICH has no modules of Fortran.
START = """#include <mpi.h>
MPI_Fint started(int *rank)
{
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return MPI_Comm_c2f(MPI_COMM_WORLD);
}
"""
# Two threads of each rank call it, each on a communicator of its own.
TWO_CALLS = """#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "Jacobi.h"
enum { N = 9, T = 3, TIMES = 20 };
struct call { MPI_Comm comm; double value, whole[N]; int errors; };
static void *called(void *data)
{
    struct call *own = data;
    double block[N], next[N];
    for (int i = 0; i < N; i++)
        block[i] = own->value;
    for (int time = 0; time < TIMES; time++)
        own->errors += Jacobi_mpi(N, T, block, next, own->comm) != 0;
    own->errors += Jacobi_mpi_gather_B(N, T, next, own->whole, 0, own->comm) != 0;
    return 0;
}
int main(void)
{
    int provided, rank;
    struct call calls[2] = {{.value = 1}, {.value = 2}};
    pthread_t threads[2];
    MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int at = 0; at < 2; at++)
        MPI_Comm_dup(MPI_COMM_WORLD, &calls[at].comm);
    for (int at = 0; at < 2; at++)
        pthread_create(&threads[at], 0, called, &calls[at]);
    for (int at = 0; at < 2; at++)
        pthread_join(threads[at], 0);
    if (rank == 0)
        for (int at = 0; at < 2; at++) {
            printf("%d:", calls[at].errors);
            for (int i = 0; i < N; i++)
                printf(" %g", calls[at].whole[i]);
            printf("\\n");
        }
    for (int at = 0; at < 2; at++)
        MPI_Comm_free(&calls[at].comm);
    MPI_Finalize();
    return 0;
}
"""


# Ends that are no blocks: too few places, and a block that ends before it begins; then blocks.
GIVEN_ENDS = """#include <mpi.h>
#include <stdio.h>
#include "Given.h"
int main(void)
{
    const int64_t ends[3][3] = {{0, 5, 8}, {0, 10, 9}, {0, 0, 9}};
    int rank, status[5];
    double A[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, block[9], B[9];
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int at = 0; at < 3; at++)
        status[at] = Given_mpi(9, 2, ends[at], A, block, MPI_COMM_WORLD);
    status[3] = Given_mpi_gather_B(9, 2, ends[1], block, B, 0, MPI_COMM_WORLD);
    status[4] = Given_mpi_gather_B(9, 2, ends[2], block, B, 0, MPI_COMM_WORLD);
    for (int at = 0; rank == 0 && at < 5; at++)
        printf("%d ", status[at]);
    for (int at = 0; rank == 0 && at < 9; at++)
        printf("%g ", B[at]);
    MPI_Finalize();
    return 0;
}
"""


def required(*names: str) -> list[str]:
    found = [engine(name) for name in names]
    missing = [name for name, path in zip(names, found, strict=True) if path is None]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed")
    return [path for path in found if path is not None]


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.long
@pytest.mark.parametrize("target", [MPI, MPI_OPENMP], ids=lambda target: target.name)
def test_cmake_builds_the_program(target: Target, tmp_path: Path) -> None:
    cmake, mpicc, mpiexec = required("cmake", "mpicc", "mpiexec")
    checked = JACOBI.mapped.design.checked
    code = scheduled_c(JACOBI.verified, "Jacobi", target=target)
    files = code | wrapper(checked, "Jacobi", harness=target.harness) | makefile(checked, "Jacobi", target.toolchain)
    write(tmp_path, files.files)
    run(tmp_path, cmake, "-S", ".", "-B", "out", f"-DMPI_C_COMPILER={mpicc}")
    run(tmp_path, cmake, "--build", "out")
    assert run(tmp_path, mpiexec, "-n", "2", "out/Jacobi", "20", "3")


def test_a_caller_in_fortran(tmp_path: Path) -> None:
    gfortran, mpicc, mpiexec = required("gfortran", "mpicc", "mpiexec")
    code = scheduled_c(JACOBI.verified, "Jacobi", target=MPI).files
    write(tmp_path, {"main.f90": MAIN, "start.c": START, **code})
    run(tmp_path, gfortran, "-c", "-Wall", "-Werror", "main.f90")
    run(tmp_path, mpicc, "main.o", "start.c", "Jacobi.c", "-o", "main", "-lgfortran", "-lm")
    assert run(tmp_path, mpiexec, "-n", "2", "./main").split() == ["1", "7", *["9"] * 5, "7", "1"]


def test_two_calls_at_once_on_two_communicators(tmp_path: Path) -> None:
    mpicc, mpiexec = required("mpicc", "mpiexec")
    write(tmp_path, {"main.c": TWO_CALLS, **scheduled_c(JACOBI.verified, "Jacobi", target=MPI).files})
    run(tmp_path, mpicc, "main.c", "Jacobi.c", "-o", "main", "-lpthread", "-lm")
    one, other = run(tmp_path, mpiexec, "-n", "3", "./main").splitlines()
    assert one == "0: 1 17 25 27 27 27 25 17 1"
    assert other == "0: 2 34 50 54 54 54 50 34 2"


def test_ends_that_are_no_blocks_are_refused(tmp_path: Path) -> None:
    mpicc, mpiexec = required("mpicc", "mpiexec")
    given = next(case for case in CASES if case.mapped.system == "Given")
    write(tmp_path, {"main.c": GIVEN_ENDS, **scheduled_c(given.verified, "Given", target=MPI).files})
    run(tmp_path, mpicc, "main.c", "Given.c", "-o", "main", "-lm")
    assert run(tmp_path, mpiexec, "-n", "2", "./main").split() == [*"11010", "1", "7", *["9"] * 5, "7", "1"]


def test_the_batch_file_has_threads_for_them(tmp_path: Path) -> None:
    checked = JACOBI.mapped.design.checked
    plain, threads = (makefile(checked, "Jacobi", t.toolchain).files["Jacobi.slurm"] for t in (MPI, MPI_OPENMP))
    assert "OMP_NUM_THREADS" in threads
    assert "OMP_NUM_THREADS" not in plain
    (tmp_path / "job").write_text(threads)
    run(tmp_path, shutil.which("sh") or "sh", "-n", "job")
