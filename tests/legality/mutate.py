"""`scripts/mutate-verifier [--only WORDS] [--jobs N] [--log FILE] [--list]`: do tests notice a wrong verifier?

Each mutant is put into a copy of the tree; there the tests of the verifier run until one fails. A mutant that none of
them kills is a test that is missing: the exit code is then 1, and 2 where the tests fail without any mutant.

With `--log` a line of JSON is kept of each mutant, and a run that was interrupted goes on behind the last of them.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from time import monotonic

import pytest

from tests.equivalence.c_faults import FAULTS
from tests.legality.mutants import MUTANTS
from tests.legality.mutation import ROOT, Mutant

# The quickest and most telling tests first: those of the file with the fault, then all others.
FIRST = {
    "order/precedence.py": (
        "tests/legality/test_order.py",
        "tests/legality/test_reduction_dimensions.py",
        "tests/legality/test_recursive_tiles.py",
        "tests/legality/test_ordering_in_tiles.py",
    ),
    "legality/obligations/space_time.py": ("tests/legality/test_reduction_dimensions.py",),
    "legality/obligations/memory.py": ("tests/legality/test_nests.py",),
    "legality/obligations/copies.py": ("tests/legality/test_dropped.py", "tests/legality/test_in_place.py"),
    "legality/obligations/violation_space.py": ("tests/legality/test_dropped.py",),
    "legality/loops/conditions.py": ("tests/legality/test_tiles_at_once.py",),
    "legality/verification.py": ("tests/legality/test_register_tiles.py", "tests/legality/test_exact_tiles.py"),
    "legality/obligations/deferred.py": ("tests/legality/test_independence.py",),
    "order/concrete_reads.py": ("tests/legality/test_witnesses.py",),
    "mapping/kinds.py": ("tests/legality/test_reduction_dimensions.py", "tests/legality/test_ordering_in_tiles.py"),
    "mapping/bands.py": ("tests/legality/test_register_tiles.py", "tests/legality/test_ordering_in_tiles.py"),
    "mapping/axes.py": ("tests/legality/test_register_tiles.py",),
    "mapping/aliases.py": ("tests/mapping/test_aliases.py",),
    "poly/algorithms/functional.py": ("tests/poly/test_functional.py",),
    "poly/algorithms/smallest.py": ("tests/poly",),
    "proof/discharge.py": ("tests/proof/test_satisfiability.py",),
    "proof/satisfiability.py": ("tests/proof/test_satisfiability.py",),
    "equivalence/kills.py": ("tests/equivalence/test_closest.py",),
    "equivalence/skolem.py": ("tests/equivalence/test_witness.py",),
    "scop/vector_calls.py": ("tests/equivalence/test_vectors.py",),
    "scop/vector_ssa.py": ("tests/equivalence/test_vectors.py",),
    "equivalence/parallel_discharge.py": ("tests/equivalence/test_shared.py",),
    "equivalence/prove.py": ("tests/equivalence/test_shared.py", "tests/equivalence/test_exact.py"),
    "equivalence/claim_pruning.py": ("tests/equivalence/test_shared.py",),
    "equivalence/lemmas.py": ("tests/equivalence/test_steps.py", "tests/equivalence/test_covering.py"),
    "equivalence/participant.py": ("tests/equivalence/test_actor.py",),
    "equivalence/tree_matching.py": (
        "tests/equivalence/test_matching.py",
        "tests/equivalence/test_polynomials.py",
        "tests/equivalence/test_types.py",
        "tests/equivalence/test_exact.py",
    ),
    "equivalence/summation_order.py": ("tests/equivalence/test_exact.py",),
    "equivalence/index_numbers.py": ("tests/equivalence/test_types.py",),
    "scop/integer_widths.py": ("tests/equivalence/test_types.py", "tests/equivalence/test_believed.py"),
    "equivalence/value_graph_builder.py": (
        "tests/equivalence/test_polynomials.py",
        "tests/equivalence/test_types.py",
        "tests/equivalence/test_exact.py",
    ),
    "equivalence/polynomials.py": ("tests/equivalence/test_polynomials.py",),
    "equivalence/claims.py": ("tests/equivalence/test_actor.py", "tests/equivalence/test_as_told.py"),
    "equivalence/copy_propagation.py": ("tests/equivalence/test_actor.py",),
    "equivalence/argument_layout.py": (
        "tests/equivalence/test_formats.py",
        "tests/equivalence/test_textbook.py",
        "tests/equivalence/test_least_rows.py",
    ),
    "scop/index_expressions.py": ("tests/equivalence/test_least_rows.py",),
    "scop/shapes.py": ("tests/equivalence/test_least_rows.py",),
    "equivalence/branches.py": ("tests/equivalence/test_types.py",),
    "equivalence/operators.py": ("tests/equivalence/test_types.py",),
    "scop/conversions.py": ("tests/equivalence/test_types.py", "tests/scop/test_conversions.py"),
    "scop/data_expressions.py": ("tests/equivalence/test_types.py", "tests/scop/test_conversions.py"),
    "scop/packed_arrays.py": ("tests/scop/test_packed.py",),
    "scop/index_values.py": ("tests/scop/test_packed.py",),
    "scop/induction_variables.py": ("tests/equivalence/test_textbook.py",),
    "scop/scalar_promotion.py": ("tests/equivalence/test_forward_substitution.py", "tests/scop/test_kept.py"),
    "scop/kernel.py": ("tests/scop/test_kept.py",),
    "mapping": ("tests/mapping",),
    "proof": ("tests/proof",),
}
# The checker of C programs and their reader have tests of their own.
OF_C = (
    "tests/equivalence/test_questions.py",
    "tests/equivalence/test_matching.py",
    "tests/equivalence/test_traps.py",
    "tests/equivalence/test_strangers.py",
    "tests/equivalence/test_collected.py",
    "tests/equivalence/test_parts.py",
    "tests/scop/test_reading.py",
)
QUICK = ("tests/legality/test_rules.py", "tests/legality/test_structural.py", "tests/legality/test_witnesses.py")
SLOW = ("tests/legality", "tests/mapping", "tests/proof", "tests/poly", "tests/property/test_verifier.py")
COPIED = ("alphaz", "docs", "grammar", "samples", "tests", "tools", "pyproject.toml")
# Of processor: a machine may be busy.
SECONDS = 900
ITSELF = "tests/legality/test_mutants.py"
# The name of no mutant.
NONE = ""


@dataclass(frozen=True)
class Outcome:
    """`killer` is the test that failed first; "" where none did."""

    mutant: Mutant
    killer: str
    seconds: float


def main(arguments: list[str]) -> int:
    options = _options(arguments)
    chosen = [mutant for mutant in (*MUTANTS, *FAULTS) if options.only in mutant.name]
    if options.list:
        _say(*(f"{mutant.name}  ({mutant.path}, {mutant.function})" for mutant in chosen))
        return 0
    texts = {mutant: mutant.text() for mutant in chosen}
    known = _known(options.log)
    with _copies(options.jobs) as copies:
        every = (each for mutant in chosen for part in tests_for(mutant, copies.queue[0]) for each in part)
        killer = "" if NONE in known else _killer(copies.queue[0], tuple(dict.fromkeys(every)), None)
        if killer:
            _say(f"without any mutant a test fails: {killer}")
            return 2
        if NONE not in known:
            _log(options.log, NONE, "")
        for outcome in _tried({m: text for m, text in texts.items() if m.name not in known}, copies, options.jobs):
            known[outcome.mutant.name] = outcome.killer
            _say(f"{outcome.seconds:5.1f} s  {outcome.mutant.name}: {_verdict(outcome)}")
            _log(options.log, outcome.mutant.name, outcome.killer)
    survivors = sum(not known[mutant.name] for mutant in chosen)
    _say(f"{len(chosen)} mutants, {survivors} survived")
    return 1 if survivors else 0


def _known(log: Path | None) -> dict[str, str]:
    """The killers of the mutants that have been tried, and of NONE if the tests do not fail without any."""
    if log is None or not log.exists():
        return {}
    return {line["mutant"]: line["killer"] for line in map(json.loads, log.read_text(encoding="utf-8").splitlines())}


def _log(log: Path | None, mutant: str, killer: str) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps({'mutant': mutant, 'killer': killer})}\n")


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutate-verifier", description="Do the tests notice a wrong verifier?")
    parser.add_argument("--only", default="", metavar="WORDS", help="the mutants whose name has these words")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", type=Path, help="keep what is known of each, and do not try again what is known")
    parser.add_argument("--list", action="store_true", help="name the mutants and run nothing")
    return parser.parse_args(arguments)


@contextmanager
def _copies(count: int) -> "Iterator[Queue[Path]]":
    """As many copies of the tree as there are jobs."""
    with tempfile.TemporaryDirectory(prefix="alphaz-mutants-") as name:
        copies: Queue[Path] = Queue()
        for at in range(count):
            folder = Path(name) / str(at)
            folder.mkdir()
            for part in COPIED:
                _copy(ROOT / part, folder / part)
            copies.put(folder)
        yield copies


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


def _tried(texts: dict[Mutant, str], copies: "Queue[Path]", jobs: int) -> Iterator[Outcome]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda mutant: _try(mutant, texts[mutant], copies), texts)


def _try(mutant: Mutant, text: str, copies: "Queue[Path]") -> Outcome:
    folder = copies.get()
    path = folder / mutant.path
    before, start = path.read_text(encoding="utf-8"), monotonic()
    try:
        path.write_text(text, encoding="utf-8")
        early, late = tests_for(mutant, folder)
        return Outcome(mutant, _killer(folder, early) or _killer(folder, late), monotonic() - start)
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(folder)


def all_tests(folder: Path) -> tuple[str, ...]:
    """The files of all tests of the verifier in this copy, those of the rooms that are most telling first."""
    places = (folder / place for place in SLOW)
    files = (path for place in places for path in ([place] if place.is_file() else sorted(place.glob("test_*.py"))))
    return tuple(name for name in (str(path.relative_to(folder)) for path in files) if name != ITSELF)


def tests_for(mutant: Mutant, folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The quickest that may notice, and the others: to collect all tests takes longer than to run those."""
    if mutant in FAULTS:
        return (*FIRST.get(mutant.place, ()), *OF_C), ()
    every = all_tests(folder)
    place = mutant.place if mutant.place in FIRST else mutant.place.partition("/")[0]
    chosen = (*FIRST.get(place, ()), *QUICK)
    early = (name for each in chosen for name in every if name == each or name.startswith(f"{each}/"))
    first = tuple(dict.fromkeys(early))
    return first, tuple(name for name in every if name not in first)


def _killer(folder: Path, tests: Sequence[str], seconds: int | None = SECONDS) -> str:
    """The first of these tests that fails in this copy, "" for none; after so many seconds of processor a mutant is
    taken to run without end.

    Byte code is not kept: its time stamps are too coarse.
    """
    if not tests:
        return ""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ("-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=no")
    limit = "unlimited" if seconds is None else str(seconds)
    limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', limit]
    command = [*limited, sys.executable, "-m", "pytest", *options, *tests]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGKILL or done.returncode == -signal.SIGXCPU:
        return f"the time limit of {seconds} s"
    if done.returncode == 0:
        return ""
    if done.returncode == pytest.ExitCode.USAGE_ERROR:
        raise RuntimeError(done.stdout + done.stderr)
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1] if found else f"exit code {done.returncode}: {(done.stdout + done.stderr)[-300:]}"


def _verdict(outcome: Outcome) -> str:
    return f"killed by {outcome.killer.removeprefix('tests/')}" if outcome.killer else "SURVIVED"


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
