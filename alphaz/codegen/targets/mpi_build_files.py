"""The files next to the Makefile of a program for MPI: CMake, and a batch file for SLURM."""

from collections.abc import Mapping

from alphaz.codegen.toolchain import Toolchain, Words

_CMAKE = """\
# cmake -S . -B out && cmake --build out: the program {stem}; {stem}.check reads its inputs and prints its outputs.
# EXTERNAL names further C files (those that define external functions).
cmake_minimum_required(VERSION 3.16)
project({stem} C)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(EXTERNAL "" CACHE STRING "further C files")
find_package(MPI REQUIRED COMPONENTS C)
{find}foreach(name {stem} {stem}.check)
  add_executable(${{name}} {stem}.c {stem}-wrapper.c ${{EXTERNAL}})
  target_compile_options(${{name}} PRIVATE {meaning})
  target_link_libraries(${{name}} PRIVATE MPI::MPI_C {threads}m)
endforeach()
target_compile_definitions({stem}.check PRIVATE CHECKING)
"""

_SLURM = """\
#!/bin/sh
# sbatch {stem}.slurm {arguments}
#SBATCH --job-name={stem}
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task={cpus}
#SBATCH --time=00:10:00
{threads}srun ./{stem} "$@"
"""

_THREADS = 'export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK" OMP_PLACES=cores\n'
# srun does not take the number of processors from the batch file since SLURM 22.05.
_CPUS = 'export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"\n'


def mpi_builds(toolchain: Toolchain, stem: str, parameters: Words) -> Mapping[str, str]:
    """Returns `CMakeLists.txt` and `<stem>.slurm`; `parameters` are the arguments of the main program."""
    has_threads = toolchain.threads is not None
    cmake = _CMAKE.format(
        stem=stem,
        find="find_package(OpenMP REQUIRED COMPONENTS C)\n" if has_threads else "",
        meaning=" ".join(toolchain.meaning),
        threads="OpenMP::OpenMP_C " if has_threads else "",
    )
    slurm = _SLURM.format(
        stem=stem,
        arguments=" ".join(parameters),
        cpus=4 if has_threads else 1,
        threads=_THREADS + _CPUS if has_threads else "",
    )
    return {"CMakeLists.txt": cmake, f"{stem}.slurm": slurm}
