"""Puts faults into generated code for MPI and executes it: `scripts/mutate-mpi`.

Each fault is one change of a text (`tests/codegen/mpi_mutants.py`). It is found if the program does not compile, dies,
computes other outputs, or sends other messages or bytes than the exact flow of values. Faults that the sizes of the
tests do not show are executed at more sizes, on more ranks. Those that are not found are printed: they must compute the
same.
"""

import argparse
import subprocess
import sys
from collections import Counter, deque
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from tests.codegen.mpi_mutants import RANKS, is_found, mutants
from tests.codegen.mpi_programs import MpiCase, build, run, sample
from tests.codegen.test_mpi import CASES, SAMPLES, case, with_ghosts, with_tiles
from tests.strategies.distributed_mappings import JACOBI, LCS, PREFIX
from tools.command_line import parser
from tools.mutate_rank_proofs import mutate_proofs

_MORE_RANKS = (2, 5, 6, 9)


def _tiled() -> tuple[MpiCase, ...]:
    """Returns pipelines with tiles as steps, and steps with tiles on a rank."""
    jacobi = [
        with_tiles(case(f"TiledJacobi{t}x{i}", JACOBI, 3, {"N": 9, "T": 6}, {"N": 4, "T": 2}, two="X"), 0, t, i)
        for t, i in ((1, 2), (2, 0), (2, 3), (3, 4), (4, 0), (5, 2), (8, 3))
    ]
    panels = [
        with_tiles(with_ghosts(case(f"Panels{i}x{j}", LCS, 0, {"N": 9}), "C", "(i,j -> i,0)", (i + 1, 0)), 0, i, j)
        for i, j in ((1, 0), (2, 0), (2, 3), (3, 2), (4, 0), (7, 2), (12, 4))
    ]
    halos = [with_tiles(case(f"Halo{i}x{j}", LCS, 0, {"N": 8}), 0, i, j) for i, j in ((2, 0), (3, 2), (4, 3))]
    inner = [with_tiles(case(f"Inner{i}", LCS, 0, {"N": 7}), 1, i) for i in (2,)] + [
        with_tiles(case(f"InPlace{i}", PREFIX, 0, {"N": 9}), 0, i) for i in (2, 4)
    ]
    return (*jacobi, *panels, *halos, *inner)


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    if options.proofs:
        return mutate_proofs(options.systems, options.mutants, options.seed, _say)
    folder = Path(mkdtemp(prefix="alphaz-mpi-"))
    cases = _tiled() if options.tiled else (*CASES, *(sample(script, folder) for script in SAMPLES))
    chosen = [one for one in cases if not options.systems or one.mapped.system in options.systems]
    every = []
    for one in chosen:
        idle = _idle_lines(one)
        every += [(one, mutant) for mutant in mutants(_text(one)) if mutant.number not in idle]
    chosen_mutants = Random(options.seed).sample(every, min(options.mutants, len(every)))
    result, left = Counter[str](), Counter[str]()
    for one, mutant in chosen_mutants:
        if is_found(one, mutant) or is_found(_larger(one), mutant, _MORE_RANKS):
            result[mutant.kind] += 1
        else:
            left[mutant.kind] += 1
            _say(f"not found: {one.mapped.system}: {mutant.kind}: {mutant.line}")
    for kind in sorted({*result, *left}):
        _say(f"{kind}: {result[kind]} found, {left[kind]} not")
    _say(f"{len(chosen_mutants)} of {len(every)} mutants, {left.total()} not found")
    return 0


def _larger(case: MpiCase) -> MpiCase:
    """Returns the case with more sizes, which differ in their remainders, and in which is the largest."""
    sizes = [*case.sizes, *({name: value + 1 for name, value in size.items()} for size in case.sizes)]
    sizes += [{**size, name: size[name] + more} for size in case.sizes for name in size for more in (2, 7)]
    return replace(case, sizes=tuple(sizes))


def _idle_lines(case: MpiCase) -> set[int]:
    """Returns the lines that no execution reaches: even shares leave some cases of a message out."""
    with TemporaryDirectory(prefix="alphaz-mpi-") as name:
        folder = Path(name)
        for item, ranks in ((case, RANKS), (_larger(case), _MORE_RANKS)):
            program = build([item], folder, flags=("--coverage",))
            for members in ranks:
                deque(run(program, [item], members), maxlen=0)
        stem = case.mapped.system
        command = ["gcov", "-o", str(folder), f"program-{stem}.gcno"]
        subprocess.run(command, cwd=folder, capture_output=True, check=True, timeout=100)
        lines = (folder / f"{stem}.c.gcov").read_text().splitlines()
    counts = [(line.split(":")[0].strip(), int(line.split(":")[1])) for line in lines]
    idle, is_idle = set[int](), False
    for count, number in counts:
        is_idle = count.startswith("#") if count != "-" else is_idle
        if is_idle:
            idle.add(number)
    return idle


def _text(case: MpiCase) -> str:
    files = scheduled_c(case.verified, case.mapped.system, target=case.target).files
    return next(text for name, text in files.items() if name.endswith(".c"))


def _options(arguments: list[str]) -> argparse.Namespace:
    command = parser(
        "scripts/mutate-mpi",
        "Puts faults into generated code for MPI and counts those that its execution shows.",
        "scripts/mutate-mpi --mutants 200 --seed 1",
        "scripts/mutate-mpi --mutants 50 Panels Grid",
        "scripts/mutate-mpi --proofs --mutants 150 pivots totals",
    )
    command.add_argument("systems", nargs="*", help="the systems of tests/codegen/test_mpi.py (default: all)")
    command.add_argument("--mutants", type=int, default=100, help="the number of faults (default: 100)")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--tiled", action="store_true", help="20 other mappings, with tiles")
    command.add_argument(
        "--proofs", action="store_true", help="try to prove the faulty texts of tests/equivalence/rank_programs.py"
    )
    return command.parse_args(arguments)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
