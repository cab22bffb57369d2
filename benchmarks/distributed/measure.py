"""Weak and strong scaling of generated MPI programs, simulated by SMPI of SimGrid: writes results.json and scaling.png.

The computation of a step is replaced by the number of its floating-point operations, which the simulated processor
executes at 2 Gflop/s; all messages are sent, and all loops over steps, ranks and messages run. So one machine simulates
a thousand ranks, and repeated runs give the same digits.

    .venv/bin/python -m benchmarks.distributed.measure                 # all cases, in half an hour
    .venv/bin/python -m benchmarks.distributed.measure weak-grid 4,16  # one of them on fewer ranks
    .venv/bin/python -m benchmarks.distributed.measure --plot          # draws results.json again
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import matplotlib
from matplotlib import pyplot

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import certify, verify
from alphaz.machine import Network
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import Communication, CommunicationChoice
from alphaz.resources import resource_folder
from alphaz.run.simulated_ranks import platform
from alphaz.scripting.interpreter.python_api import run as run_script

matplotlib.use("Agg")
HERE = Path(__file__).parent
SAMPLES = resource_folder("samples") / "distributed"
# Two links of 1 us between any two hosts.
NETWORK = Network(2e-6, 12.5e9)
STEPS = 10

_GRID = ("((double)({0}high0 - {0}low0) * (double)({0}high1 - {0}low1) * 5)", "jacobi-2d/grid.cs")
_ROWS = ("((double)({0}high - {0}low) * (double)run->N * 5)", "jacobi-2d/rows.cs")
_SUMMA = ("((double)({0}high0 - {0}low0) * (double)({0}high1 - {0}low1) * 2)", "summa/grid.cs")
_LU = ("(low > step0 / 2 ? 2.0 * (double)(run->N - step0 / 2) : 0.0)", "lu/cyclic.cs")


@dataclass(frozen=True)
class Case:
    """A sample, the way of its messages, the operations of a call in C, sizes for so many ranks, numbers of ranks."""

    title: str
    operations: str
    script: str
    way: str
    sizes: Callable[[int], tuple[int, ...]]
    ranks: tuple[int, ...]


def _weak(ranks: int) -> tuple[int, ...]:
    return (round(512 * ranks**0.5), STEPS)


def _strong(_: int) -> tuple[int, ...]:
    return (2048, STEPS)


_MANY = (1, 4, 16, 64, 256, 1024)
_SQUARES, _FEW = (1, 4, 16, 64, 256), (1, 4, 16, 64, 128)
CASES = {
    "weak-grid": Case("grid, overlap", *_GRID, "overlap", _weak, _MANY),
    "weak-grid-exchange": Case("grid, exchange", *_GRID, "exchange", _weak, _MANY),
    "weak-rows": Case("rows, overlap", *_ROWS, "overlap", _weak, _MANY[:-1]),
    "weak-rows-exchange": Case("rows, exchange", *_ROWS, "exchange", _weak, _MANY[:-1]),
    "strong-grid": Case("grid, overlap", *_GRID, "overlap", _strong, _MANY),
    "strong-grid-exchange": Case("grid, exchange", *_GRID, "exchange", _strong, _MANY),
    "lu": Case("N = 512, broadcast", *_LU, "broadcast", lambda _: (512,), _FEW),
    "lu-large": Case("N = 1024, broadcast", *_LU, "broadcast", lambda _: (1024,), _FEW),
    "lu-exchange": Case("N = 512, exchange", *_LU, "exchange", lambda _: (512,), _FEW),
    "summa": Case("broadcast", *_SUMMA, "broadcast", lambda _: (512,), _SQUARES),
    "summa-exchange": Case("exchange", *_SUMMA, "exchange", lambda _: (512,), _SQUARES),
}

_MAIN = """\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "{name}.h"

int main(int argc, char **argv)
{{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int64_t {parameters};
    int64_t first[8], extent[8];
{arrays}    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    const int status = {name}_mpi({given}, MPI_COMM_WORLD);
    double mine = MPI_Wtime() - begun, longest = 0;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {{
        printf("%d %.9e\\n", status, longest);
    }}
    MPI_Finalize();
    return status;
}}
"""


def program(case: Case, folder: Path) -> Path:
    """Returns the program of a case, whose arguments are the sizes."""
    design = run_script(SAMPLES / case.script)
    (name,) = design.mapped_systems
    if case.way:
        design = _with_way(design, name, case.way)
    sources = scheduled_c(certify(verify(design)), name)
    for file, text in {**sources.if_absent, **sources.files}.items():
        (folder / file).write_text(_counted(text, name, case.operations) if file == f"{name}.c" else text)
    system = design.system(name)
    variables = (*system.inputs, *system.outputs)
    arrays = "".join(
        f"    {name}_mpi_block_{v.name}({', '.join(system.parameters)}, rank, size, first, extent);\n"
        f"    {v.type.c_name} *{v.name} = "
        f"malloc((size_t)({_product(v.domain.space.dimensions)}) * sizeof *{v.name} + 1);\n"
        for v in variables
    )
    parameters = ", ".join(f"{p} = atoll(argv[{at}])" for at, p in enumerate(system.parameters, 1))
    given = ", ".join((*system.parameters, *(v.name for v in variables)))
    main = _MAIN.format(name=name, parameters=parameters, arrays=arrays, given=given)
    (folder / "main.c").write_text(main)
    command = ["smpicc", "-std=c11", "-O2", f"{name}.c", "main.c", "-o", "program", "-lm"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder / "program"


def _with_way(design: Design, name: str, way: str) -> Design:
    """Returns the design with another way of communication."""
    choice = CommunicationChoice(Communication(way))
    return design.with_mapping(name, replace(design.mapping(name), communication=(choice,)))


def _product(rank: int) -> str:
    return " * ".join(f"extent[{at}]" for at in range(rank)) or "1"


def _counted(text: str, name: str, operations: str) -> str:
    """Returns the text with the number of operations instead of each call that computes."""
    part = "part_" if f"{name}_part(struct" in text else ("run->" if "{0}" in operations else "")
    call = rf"\b{name}_loops\(run->[^;]*\);"
    text, count = re.subn(call, f"smpi_execute_flops({operations.format(part)});", text)
    assert count == 1, count
    return text.replace("#include <string.h>", "#include <string.h>\n#include <smpi/smpi.h>")


def seconds(program_: Path, ranks: int, sizes: tuple[int, ...]) -> float:
    """Returns the simulated seconds of the slowest rank."""
    folder = program_.parent
    (folder / "platform.xml").write_text(platform(ranks, NETWORK))
    (folder / "hosts").write_text("".join(f"host{at}\n" for at in range(ranks)))
    command = ["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts"]
    command += ["--cfg=smpi/simulate-computation:no", "--log=root.thresh:critical", str(program_), *map(str, sizes)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800)
    found = re.search(r"^0 (\S+)$", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    return float(found[1])


def main(arguments: list[str]) -> None:
    results_file = HERE / "results.json"
    results = json.loads(results_file.read_text()) if results_file.exists() else {}
    if arguments[:1] != ["--plot"]:
        chosen = arguments[:1] or list(CASES)
        for key in chosen:
            ranks = tuple(map(int, arguments[1].split(","))) if len(arguments) > 1 else CASES[key].ranks
            with tempfile.TemporaryDirectory(prefix="alphaz-scaling-") as name:
                built = program(CASES[key], Path(name))
                for count in ranks:
                    found = seconds(built, count, CASES[key].sizes(count))
                    results.setdefault(key, {})[str(count)] = found
                    print(f"{key}, {count} ranks: {1000 * found:.3f} ms simulated", flush=True)
                    results_file.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    _plot(results)


def _plot(results: dict[str, dict[str, float]]) -> None:
    titles = {"weak": "jacobi-2d, 512 x 512 places a rank", "strong": "jacobi-2d, N = 2048", "lu": "LU"}
    titles["summa"] = "SUMMA, N = 512"
    shown = [stem for stem in titles if any(key.startswith(stem) for key in results)]
    figure, axes = pyplot.subplots(1, len(shown), figsize=(4.5 * len(shown), 4), squeeze=False)
    for axis, stem in zip(axes[0], shown, strict=True):
        title = titles[stem]
        for key, found in results.items():
            if key.startswith(stem):
                ranks = sorted(map(int, found))
                axis.plot(ranks, [1000 * found[str(r)] for r in ranks], "o-", label=f"{CASES[key].title} (simulated)")
        axis.set(title=title, xlabel="ranks", xscale="log", ylabel="ms")
        if stem != "weak":
            axis.set(yscale="log")
        else:
            axis.set(ylim=(0, None))
        if axis.lines:
            axis.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(HERE / "scaling.png", dpi=110)


if __name__ == "__main__":
    main(sys.argv[1:])
