"""`scripts/mutate-verifier [--only WORDS] [--jobs N] [--list]`: does a test notice when the verifier is wrong?

Each mutant is put into a copy of the tree; there the tests of the verifier run until one fails. A mutant that none of
them kills is a test that is missing: the exit code is then 1, and 2 where the tests fail without any mutant.
"""

import argparse
import os
import re
import shutil
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

from tests.c_proofs.c_faults import FAULTS
from tests.verify.mutants import MUTANTS
from tests.verify.mutation import ROOT, Mutant

# The quickest and most telling tests first: those of the file with the fault, then all others.
FIRST = {
    "verify/order/precedence.py": (
        "tests/verify/test_order.py",
        "tests/verify/test_reduction_dimensions.py",
        "tests/verify/test_recursive_tiles.py",
    ),
    "verify/obligations/nests.py": ("tests/verify/test_nests.py",),
    "verify/obligations/dropped.py": ("tests/verify/test_dropped.py",),
    "verify/obligations/in_place.py": ("tests/verify/test_in_place.py",),
    "verify/obligations/scene.py": ("tests/verify/test_dropped.py",),
    "verify/loops/tiles.py": ("tests/verify/test_tiles_at_once.py",),
    "verify/reads/evidence.py": ("tests/verify/test_witnesses.py",),
    "mapping/aliases.py": ("tests/mapping/test_aliases.py",),
    "poly/questions/functional.py": ("tests/poly/test_functional.py",),
    "poly/questions/smallest.py": ("tests/poly",),
    "mapping": ("tests/mapping",),
    "proof": ("tests/proof",),
}
# The checker of C programs and their reader have tests of their own.
OF_C = (
    "tests/c_proofs/test_questions.py",
    "tests/c_proofs/test_matching.py",
    "tests/c_proofs/test_traps.py",
    "tests/c_proofs/test_parts.py",
    "tests/c_reading/test_reading.py",
)
QUICK = ("tests/verify/test_rules.py", "tests/verify/test_structural.py", "tests/verify/test_witnesses.py")
SLOW = ("tests/verify", "tests/mapping", "tests/proof", "tests/poly", "tests/property/test_verifier.py")
COPIED = ("alphaz", "docs", "grammar", "samples", "tests", "pyproject.toml")
SECONDS = 600
ITSELF = "tests/verify/test_mutants.py"


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
    with _copies(options.jobs) as copies:
        every = (each for mutant in chosen for each in tests_for(mutant, copies.queue[0]))
        killer = _killer(copies.queue[0], tuple(dict.fromkeys(every)), None)
        if killer:
            _say(f"without any mutant a test fails: {killer}")
            return 2
        survivors = 0
        for outcome in _tried(texts, copies, options.jobs):
            survivors += not outcome.killer
            _say(f"{outcome.seconds:5.1f} s  {outcome.mutant.name}: {_verdict(outcome)}")
    _say(f"{len(chosen)} mutants, {survivors} survived")
    return 1 if survivors else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutate-verifier", description="Do the tests notice a wrong verifier?")
    parser.add_argument("--only", default="", metavar="WORDS", help="the mutants whose name has these words")
    parser.add_argument("--jobs", type=int, default=2)
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
        return Outcome(mutant, _killer(folder, tests_for(mutant, folder)), monotonic() - start)
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(folder)


def all_tests(folder: Path) -> tuple[str, ...]:
    """The files of all tests of the verifier in this copy."""
    places = (folder / place for place in SLOW)
    files = (path for place in places for path in ([place] if place.is_file() else place.glob("test_*.py")))
    return tuple(sorted(name for name in (str(path.relative_to(folder)) for path in files) if name != ITSELF))


def tests_for(mutant: Mutant, folder: Path) -> tuple[str, ...]:
    """The same, the quickest that may notice first."""
    if mutant in FAULTS:
        return OF_C
    every = all_tests(folder)
    place = mutant.place if mutant.place in FIRST else mutant.place.partition("/")[0]
    chosen = (*FIRST.get(place, ()), *QUICK)
    early = (name for each in chosen for name in every if name == each or name.startswith(f"{each}/"))
    return tuple(dict.fromkeys((*early, *every)))


def _killer(folder: Path, tests: Sequence[str], seconds: float | None = SECONDS) -> str:
    """The first test that fails in this copy, "" for none; after so many seconds a mutant is taken to run without end.

    Byte code is not kept: its time stamps are too coarse.
    """
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    options = ("-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--tb=no")
    command = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
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
