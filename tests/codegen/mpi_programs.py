"""One C program that runs several distributed kernels under MPI, and what it prints.

The messages are watched (`mpi_checks`). A kernel is called with the blocks of the ranks, on
the whole communicator; then on a part of it (every other rank) and on a rank alone, which must give the same outputs.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod, sqrt
from pathlib import Path

import numpy as np

from alphaz.codegen.c.frame import stub_of_externals
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import EXTERNALS
from alphaz.codegen.targets.mpi import MPI, MPI_OPENMP
from alphaz.codegen.targets.mpi_message_checks import CHECKS
from alphaz.codegen.targets.registry import target_of
from alphaz.codegen.targets.target import Target
from alphaz.legality.verdicts import DesignVerdict, Verified
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.resolution import resolve
from alphaz.mapping.target_mapping import Communication, Ownership
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.run.data import random_inputs, tame_inputs
from alphaz.run.storage_conversion import shape_of
from alphaz.scripting.interpreter.python_api import run as run_script_file
from tests.legality.bruteforce import world
from tests.legality.distributed_execution import DistributedExecution
from tests.legality.mapped import Mapped
from tests.legality.plain_order import Point

STRICT = ("-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-O0")
# The size of tiles, where it is a parameter.
_SIDE = 3
# Memory begins with large positive numbers: a maximum that has no start is wrong.
_ASAN = "detect_leaks=0:max_malloc_fill_size=1048576:malloc_fill_byte=127"
SANITIZED = ("-g", "-fsanitize=address", "-fno-sanitize-recover=all")


def engine(program: str) -> str | None:
    """Returns the path of a program of the engine: in PATH, or next to this Python."""
    return shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))


@dataclass(frozen=True)
class Scripted:
    """The mapping of a system by a script."""

    design: Design
    system: str

    def verified(self) -> DesignVerdict:
        return verify(self.design)


@dataclass(frozen=True)
class MpiCase:
    """A mapping of a system whose name is its own, and parameters to run it with; `values`: that of inputs, at most."""

    mapped: Mapped | Scripted
    sizes: tuple[dict[str, int], ...]
    target: Target = MPI
    values: int = 0

    @property
    def verified(self) -> Verified:
        return certify(self.mapped.verified())

    @property
    def is_rounded(self) -> bool:
        """Returns True if floating-point sums depend on the number of ranks."""
        mapping = resolve(self.mapped.design, self.mapped.system)
        distribution = mapping.distribution
        combined = set(distribution.combined) if distribution is not None else set()
        if distribution is not None and distribution.way is Communication.SCAN:
            combined |= {variable.name for variable in mapping.system.variables}
        return any(mapping.system.variable(name).type.is_float for name in combined)

    def inputs(self, size: dict[str, int]) -> dict[str, np.ndarray]:
        made = tame_inputs if self.mapped.design.program.externals else random_inputs
        inputs = made(self.mapped.design.system(self.mapped.system), size, 1)
        return {name: array % (self.values + 1) for name, array in inputs.items()} if self.values else inputs

    def agree(self, found: np.ndarray, wanted: np.ndarray) -> bool:
        """Returns True if outputs are equal, but for rounding if it differs."""
        return np.allclose(found, wanted, rtol=1e-9) if self.is_rounded else np.array_equal(found, wanted)


def sample(script: Path, folder: Path) -> MpiCase:
    """Returns the case of a script, in a folder of its own, with another name for its system; its sizes are the line
    `# sizes: N=2 N=9,M=3 ..`; its inputs are at most the number of a line `# values: 3`.
    """
    text, here = script.read_text(), folder / f"{script.parent.name}-{script.stem}"
    here.mkdir()
    (program,) = script.parent.glob("*.ab")
    system = re.findall(r"^affine (\w+)", program.read_text(), re.MULTILINE)[-1]
    name = f"{system}_{script.stem}"
    (here / program.name).write_text(program.read_text().replace(f"affine {system} ", f"affine {name} "))
    (here / script.name).write_text(text.replace(f'"{system}"', f'"{name}"'))
    found = re.findall(r"^# sizes: (.+)$", text, re.MULTILINE)[0].split()
    sizes = tuple({n: int(value) for n, value in (part.split("=") for part in one.split(","))} for one in found)
    design = run_script_file(here / script.name)
    values = sum(map(int, re.findall(r"^# values: (\d+)$", text, re.MULTILINE)))
    return MpiCase(Scripted(design, name), sizes, target_of(design.mapping(name).target_name), values)


@dataclass(frozen=True)
class MpiResult:
    """The outputs of a case, and the messages and bytes that all ranks sent in one call."""

    outputs: dict[str, np.ndarray]
    messages: int
    sent: int


def build(
    cases: Sequence[MpiCase],
    folder: Path,
    flags: Sequence[str] = SANITIZED,
    changed: Callable[[str], str] = lambda text: text,
) -> Path:
    """Returns the program; `changed` makes other sources of the generated ones."""
    names = []
    for case in cases:
        sources = scheduled_c(case.verified, case.mapped.system, target=case.target)
        for name, text in {**sources.if_absent, **sources.files}.items():
            (folder / name).write_text(changed(text) if name.endswith(".c") else text)
            names.append(name)
    programs = [case.mapped.design.program for case in cases]
    externals = {external.name: external for program in programs for external in program.externals}
    (folder / EXTERNALS).write_text(stub_of_externals(replace(programs[0], externals=tuple(externals.values()))))
    (folder / "main.c").write_text(_main(cases))
    (folder / "checks.c").write_text(CHECKS)
    compiler = engine("mpicc")
    assert compiler is not None
    units = [name for name in (*names, "main.c", "checks.c") if name.endswith(".c")]
    threads = ["-fopenmp"] if any(case.target is MPI_OPENMP for case in cases) else []
    command = [compiler, *STRICT, *flags, *threads, *units, "-o", "program", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return folder / "program"


def run(program: Path, cases: Sequence[MpiCase], ranks: int) -> Iterator[MpiResult]:
    """Yields the results of every case and size, on this many ranks."""
    starter = engine("mpiexec")
    assert starter is not None
    environment = {"ALPHAZ_RANK_WAIT": "20", **os.environ, "OMP_NUM_THREADS": "2", "ASAN_OPTIONS": _ASAN}
    command = [starter, "-n", str(ranks), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = iter(done.stdout.splitlines())
    for case in cases:
        system = case.mapped.design.system(case.mapped.system)
        for size in case.sizes:
            messages, sent = map(int, next(lines).split())
            outputs = {}
            for variable in system.outputs:
                values = [float(word) for word in next(lines).split()]
                outputs[variable.name] = np.array(values).reshape(shape_of(variable, {}, size))
            yield MpiResult(outputs, messages, sent)


def expected(case: MpiCase, size: dict[str, int], ranks: int) -> MpiResult:
    """Returns the outputs by the interpreter, and the exact flow of values between ranks by plain integers."""
    design, name = case.mapped.design, case.mapped.system
    system = design.system(name)
    checked = design.checked
    functions: dict[str, Callable[..., object]] = {"sqrt": sqrt, "compose": compose}
    outputs = evaluate(checked.program, checked.facts, name, size, case.inputs(size), functions)
    resolved = resolve(design, name)
    assert resolved.distribution is not None
    execution = DistributedExecution(
        world(design, name, size, resolved.aliases),
        resolved.distribution.position,
        False,
        resolved.distribution.width,
        is_scan=resolved.distribution.way is Communication.SCAN,
    )
    rank_of = owners(execution.places, ranks, resolved.distribution)
    messages, sent = execution.traffic(rank_of.__getitem__)
    widths = {v.name: np.dtype(v.type.numpy).itemsize for v in system.variables}
    return MpiResult(outputs, messages, sum(widths[element[0]] for element in sent))


def compose(first: int, then: int) -> int:
    """Returns the composition of two affine maps x -> m x + c modulo 97, each given as 97 m + c modulo 97 * 97: 97 is
    the identity.
    """
    first, then = first % 9409, then % 9409
    return first // 97 * (then // 97) % 97 * 97 + (then // 97 * (first % 97) + then % 97) % 97


def owners(places: Sequence[Point], ranks: int, distribution: Distribution) -> dict[Point, int]:
    """Returns the rank of each place."""
    first, behind = zip(*((min(side), max(side) + 1) for side in zip(*places, strict=True)), strict=True)
    if not distribution.is_by_blocks:
        size, shape = max(distribution.size, 1), _square(ranks) if distribution.width == 2 else (ranks,)
        dealt = [
            {place: (place - low) // size % count for place in range(low, high)}
            for low, high, count in zip(first, behind, shape, strict=True)
        ]
        return {
            tuple(place): sum(dealt[at][x] * prod(shape[at + 1 :]) for at, x in enumerate(place))
            for place in product(*dealt)
        }
    if distribution.ownership is Ownership.GIVEN:
        ends = unequal(first[0], behind[0], ranks)
        return {(place,): rank for rank in range(ranks) for place in range(ends[rank], ends[rank + 1])}
    most = distribution.shape
    if distribution.width == 1:
        ranks = min(ranks, most[0] or ranks) if most else ranks
        return {(place,): rank for rank, block in enumerate(blocks(first[0], behind[0], ranks)) for place in block}
    shapes = [(rows, columns) for rows in range(1, ranks + 1) for columns in range(1, ranks + 1)]
    if any(most):
        fits = [
            s for s in shapes if s[0] * s[1] <= ranks and all(x <= m or not m for x, m in zip(s, most, strict=True))
        ]
        # The given columns have precedence, else the given rows.
        rows, columns = max(fits, key=lambda s: (s[1], s[0]) if most[1] else s)
    else:
        rows, columns = _square(ranks)
    grid = product(blocks(first[0], behind[0], rows), blocks(first[1], behind[1], columns))
    return {place: rank for rank, block in enumerate(grid) for place in product(*block)}


def unequal(first: int, behind: int, ranks: int) -> list[int]:
    """Returns the ends of blocks that the tests give: the first ranks have few places, or none."""
    return [first + (behind - first) * rank * rank // (ranks * ranks) for rank in range(ranks + 1)]


def _square(ranks: int) -> tuple[int, int]:
    """Returns the rows and columns of a grid of all ranks, as square as possible."""
    return max((rows, ranks // rows) for rows in range(1, ranks + 1) if ranks % rows == 0 and rows * rows <= ranks)


def blocks(first: int, behind: int, ranks: int) -> list[range]:
    """Returns the places of the ranks."""
    count, at, found = behind - first, first, []
    for rank in range(ranks):
        size = count // ranks + (rank < count % ranks)
        found.append(range(at, at + size))
        at += size
    return found


def _main(cases: Sequence[MpiCase]) -> str:
    names = [case.mapped.system for case in cases]
    calls = "".join(_call(case, number) for number, case in enumerate(cases))
    includes = "".join(f'#include "{name}.h"\n' for name in names)
    return f"{_HEAD}{includes}{_SHIM}{calls}int main(int argc, char **argv)\n{{\n    MPI_Init(&argc, &argv);\n" + (
        "".join(f"    case_{at}();\n" for at in range(len(cases))) + "    MPI_Finalize();\n    return 0;\n}\n"
    )


def _call(case: MpiCase, number: int) -> str:
    """Returns the C of a case: for every size a call on all ranks, on every other rank, and on each rank alone."""
    design, name = case.mapped.design, case.mapped.system
    system = design.system(name)
    variables = (*system.inputs, *system.outputs)
    text, body = "", ""
    for at, size in enumerate(case.sizes):
        inputs = case.inputs(size)
        given = "".join(f"{size[p]}, " for p in system.parameters)
        given += f"{_SIDE}, " * len(resolve(design, name).tile_sizes)
        ends = _ends(case, size)
        given += "ends, " * bool(ends)
        count = {v.name: max(prod(shape_of(v, {}, size)), 1) for v in variables}
        for variable in system.inputs:
            values = ", ".join(map(repr, inputs[variable.name].ravel().tolist())) or "0"
            text += f"static const {variable.type.c_name} {variable.name}_{number}_{at}[] = {{{values}}};\n"
        outputs = "".join(
            f"    static {v.type.c_name} {v.name}_{at}[{count[v.name]}], {v.name}_{at}_alone[{count[v.name]}];\n"
            for v in system.outputs
        )
        body += f"    {{\n{outputs}"
        for comm, mine in (("MPI_COMM_WORLD", ""), ("part_of(MPI_COMM_WORLD)", "_alone"), ("MPI_COMM_SELF", "_alone")):
            body += f"    {{\n        MPI_Comm comm = {comm};\n        int rank, size;\n"
            body += f"        MPI_Comm_rank(comm, &rank);\n        MPI_Comm_size(comm, &size);\n{ends}"
            for v in variables:
                rank = max(v.domain.space.dimensions, 1)
                body += f"        int64_t {v.name}_f[{rank}], {v.name}_e[{rank}] = {{1}};\n"
                body += f"        {name}_mpi_block_{v.name}({given}rank, size, {v.name}_f, {v.name}_e);\n"
                extents = " * ".join(f"{v.name}_e[{d}]" for d in range(rank))
                body += (
                    f"        {v.type.c_name} *my_{v.name} = malloc((size_t)({extents}) * sizeof *my_{v.name} + 1);\n"
                )
            for v in system.inputs:
                whole = f"{v.name}_{number}_{at}"
                body += f"        check({name}_mpi_scatter_{v.name}({given}{whole}, my_{v.name}, 0, comm));\n"
            arrays = "".join(f"my_{v.name}, " for v in variables)
            body += f"        watched_messages = watched_bytes = 0;\n        check({name}_mpi({given}{arrays}comm));\n"
            body += "        total(comm);\n" if not mine else ""
            for v in system.outputs:
                whole = f"{v.name}_{at}{mine}"
                body += f"        check({name}_mpi_gather_{v.name}({given}my_{v.name}, {whole}, 0, comm));\n"
                shown = f"show_{v.type.c_name}({whole}, {count[v.name]})"
                if not mine:
                    body += f"        MPI_Bcast({whole}, sizeof {whole}, MPI_BYTE, 0, comm);\n"
                    body += f"        if (rank == 0) {{\n            {shown};\n        }}\n"
                else:
                    same = f"memcmp({whole}, {v.name}_{at}, sizeof {whole}) == 0"
                    same = f"are_close({whole}, {v.name}_{at}, {count[v.name]})" if case.is_rounded else same
                    body += f"        check(rank == 0 && !({same}));\n"
            body += "".join(f"        free(my_{v.name});\n" for v in variables) + "    }\n"
        body += "    }\n"
    return f"{text}static void case_{number}(void)\n{{\n{body}}}\n"


def _ends(case: MpiCase, size: dict[str, int]) -> str:
    """Returns the text that declares the ends of unequal blocks, if the caller gives them."""
    design, name = case.mapped.design, case.mapped.system
    resolved = resolve(design, name)
    distribution = resolved.distribution
    assert distribution is not None
    if distribution.ownership is not Ownership.GIVEN:
        return ""
    execution = DistributedExecution(world(design, name, size, resolved.aliases), distribution.position, False)
    places = [place for (place,) in execution.places]
    count = max(places) + 1 - min(places)
    return (
        "        int64_t ends[64];\n        for (int at = 0; at <= size; at++) {\n"
        f"            ends[at] = {min(places)} + {count} * at * at / (size * size);\n        }}\n"
    )


_HEAD = """#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long compose(long first, long then)
{
    first = (first % 9409 + 9409) % 9409;
    then = (then % 9409 + 9409) % 9409;
    return first / 97 * (then / 97) % 97 * 97 + (then / 97 * (first % 97) + then % 97) % 97;
}
"""

_SHIM = """
extern long long watched_messages, watched_bytes;

static void check(int status)
{
    if (status != 0) {
        fprintf(stderr, "status %d\\n", status);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void total(MPI_Comm comm)
{
    long long mine[2] = {watched_messages, watched_bytes}, all[2];
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Reduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, 0, comm);
    if (rank == 0) {
        printf("%lld %lld\\n", all[0], all[1]);
    }
}

static MPI_Comm part_of(MPI_Comm comm)
{
    int rank;
    MPI_Comm part;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split(comm, rank % 2, rank, &part);
    return part;
}

__attribute__((unused)) static int are_close(const double *values, const double *others, int count)
{
    int result = 1;
    for (int at = 0; at < count; at++) {
        result = result && fabs(values[at] - others[at]) <= 1e-9 * (1 + fabs(others[at]));
    }
    return result;
}

__attribute__((unused)) static void show_double(const double *values, int count)
{
    for (int at = 0; at < count; at++) {
        printf("%.17g ", values[at]);
    }
    printf("\\n");
}

__attribute__((unused)) static void show_int(const int *values, int count)
{
    for (int at = 0; at < count; at++) {
        printf("%d ", values[at]);
    }
    printf("\\n");
}

__attribute__((unused)) static void show_long(const long *values, int count)
{
    for (int at = 0; at < count; at++) {
        printf("%ld ", values[at]);
    }
    printf("\\n");
}
"""
