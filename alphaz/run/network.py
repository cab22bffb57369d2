"""Measures the network between two ranks of MPI: the latency of a message, and the bytes a second of long ones."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.registry import target_names, target_of
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import COMPILATION, DIED
from alphaz.machine import Machine, Network
from alphaz.processes.external import run
from alphaz.run.compiler import find_compiler
from alphaz.run.library import NotCompiled, compiled
from alphaz.run.machine import remember, this_machine
from alphaz.run.packaged_programs import located

_SECONDS = 120
# Bytes of a short and of a long message.
_SHORT, _LONG = 8, 1 << 22
# A message goes back and forth; half of the shortest round of each size is printed.
_SOURCE = f"""\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double fastest(int rank, char *data, int bytes, int rounds)
{{
    double best = 1e30;
    for (int at = 0; at < rounds; at++) {{
        const double begun = MPI_Wtime();
        if (rank == 0) {{
            MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }} else if (rank == 1) {{
            MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }}
        const double half = (MPI_Wtime() - begun) / 2;
        best = half < best ? half : best;
    }}
    return best;
}}

int main(int argc, char **argv)
{{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *data = calloc({_LONG}, 1);
    if (size < 2 || data == NULL) {{
        return 1;
    }}
    const double first = fastest(rank, data, {_SHORT}, 2000), other = fastest(rank, data, {_LONG}, 50);
    if (rank == 0) {{
        printf("%.9e %.9e\\n", first, other);
    }}
    free(data);
    MPI_Finalize();
    return 0;
}}
"""


def network_of(short: float, long: float) -> Network:
    """Returns the network in which a message of 8 bytes takes `short` seconds, and one of 4 MiB `long`."""
    rate = (_LONG - _SHORT) / max(long - short, 1e-12)
    return Network(latency=max(short - _SHORT / rate, 0.0), bytes=rate)


def measure_network() -> Network:
    """Measures now, between two ranks. Raises Rejected (NO_COMPILER, COMPILATION, DIED)."""
    target = next(target for target in map(target_of, target_names()) if target.has_ranks)
    compiler = find_compiler(target.toolchain)
    try:
        content = compiled(Sources({"network.c": _SOURCE}), compiler, compiler.toolchain.exact, None, is_program=True)
    except NotCompiled as problem:
        message = "the MPI compiler refused the program that measures the network"
        raise Rejected(Diagnostic(COMPILATION, message, Label(NOWHERE), notes=problem.first_lines())) from None
    with tempfile.TemporaryDirectory(prefix="alphaz-network-") as name:
        program = Path(name, "network")
        program.write_bytes(content)
        program.chmod(0o700)
        starter, *words = target.harness.command(2)
        outcome = run((located(starter), *words, str(program)), Path(name), _SECONDS)
    times = re.findall(r"^(\S+e\S+) (\S+e\S+)$", outcome.output, re.MULTILINE)
    if not outcome.succeeded or len(times) != 1:
        message = "the program that measures the network did not end"
        notes = tuple(outcome.errors.splitlines()[:6])
        remedy = f"`{starter} -n 2` must be able to start two ranks"
        raise Rejected(Diagnostic(DIED, message, Label(NOWHERE), notes=notes, help=remedy))
    ((short, long),) = times
    return network_of(float(short), float(long))


def with_network(*, again: bool = False) -> Machine:
    """Returns this machine with its network: measured once, and stored from then on; `again`: measured anew."""
    here = this_machine()
    if again or here.network == Network():
        here = replace(here, network=measure_network())
        remember(here)
    return here
