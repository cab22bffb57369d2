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
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from time import monotonic

import pytest

from tools.command_line import parser
from tools.mutation.mutants import ROOT, Mutant, table

VERIFIER, OF_C = "verifier.md", "c.md"
# The tests of the prover of C and of its reader, behind those that are nearest to a fault of theirs.
TESTS_OF_C = (
    "tests/equivalence/test_questions.py",
    "tests/equivalence/test_matching.py",
    "tests/equivalence/test_parts.py",
    "tests/scop/test_reading.py",
    "tests/cases/test_prove.py",
)
QUICK = ("tests/legality/test_rules.py", "tests/legality/test_structural.py", "tests/legality/test_witnesses.py")
SLOW = ("tests/legality", "tests/mapping", "tests/proof", "tests/poly", "tests/property/test_verifier.py")
# The test that failed first when a mutant was tried last: it is tried first.
KILLERS = Path(__file__).with_name("killers.json")
COPIED = ("alphaz", "docs", "grammar", "samples", "tests", "tools", "pyproject.toml")
# Of processor: a machine may be busy.
SECONDS = 900
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
    chosen = [mutant for mutant in (*table(VERIFIER), *table(OF_C)) if options.only in mutant.name]
    if options.list:
        _say(*(f"{mutant.name}  ({mutant.place})" for mutant in chosen))
        return 0
    faults = {mutant: mutant.mutated() for mutant in chosen}
    known = _known(options.log)
    with _copies(options.jobs) as copies:
        every = (test for mutant in chosen for part in tests_for(mutant, copies.queue[0]) for test in part)
        killer = "" if NONE in known else _killer(copies.queue[0], tuple(dict.fromkeys(every)), None)
        if killer:
            _say(f"without any mutant a test fails: {killer}")
            return 2
        if NONE not in known:
            _log(options.log, NONE, "")
        for outcome in _tried({m: fault for m, fault in faults.items() if m.name not in known}, copies, options.jobs):
            known[outcome.mutant.name] = outcome.killer
            _say(f"{outcome.seconds:5.1f} s  {outcome.mutant.name}: {_verdict(outcome)}")
            _log(options.log, outcome.mutant.name, outcome.killer)
    if options.record:
        _record(known)
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


def killers() -> dict[str, str]:
    """The recorded tests, by the name of the mutant."""
    recorded: dict[str, str] = json.loads(KILLERS.read_text(encoding="utf-8"))
    return recorded


def _record(known: Mapping[str, str]) -> None:
    """Records the tests that failed, for mutants that there still are."""
    names = {mutant.name for mutant in (*table(VERIFIER), *table(OF_C))}
    recorded = killers() | {name: killer for name, killer in known.items() if "::" in killer}
    rest = {name: killer for name, killer in sorted(recorded.items()) if name in names}
    KILLERS.write_text(json.dumps(rest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _options(arguments: list[str]) -> argparse.Namespace:
    options_parser = parser(
        "scripts/mutate-verifier",
        "Puts one fault at a time into a copy of the verifier; one of the tests nearest to it must fail.",
        'scripts/mutate-verifier --only "C lemma" --jobs 2',
    )
    options_parser.add_argument("--only", default="", metavar="WORDS", help="the mutants whose name has these words")
    options_parser.add_argument("--jobs", type=int, default=2, help="so many at a time (default: 2)")
    options_parser.add_argument("--log", type=Path, help="keep the result of each, and do not try again those with one")
    options_parser.add_argument("--record", action="store_true", help=f"keep the tests that fail in {KILLERS.name}")
    options_parser.add_argument("--list", action="store_true", help="name the mutants and run nothing")
    return options_parser.parse_args(arguments)


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


def _tried(faults: dict[Mutant, tuple[str, str]], copies: "Queue[Path]", jobs: int) -> Iterator[Outcome]:
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda mutant: _try(mutant, *faults[mutant], copies), faults)


def _try(mutant: Mutant, name: str, text: str, copies: "Queue[Path]") -> Outcome:
    folder = copies.get()
    path = folder / name
    before, start = path.read_text(encoding="utf-8"), monotonic()
    try:
        path.write_text(text, encoding="utf-8")
        early, late = tests_for(mutant, folder)
        killer = _recorded_killer(folder, mutant) or _killer(folder, early) or _killer(folder, late)
        return Outcome(mutant, killer, monotonic() - start)
    finally:
        path.write_text(before, encoding="utf-8")
        copies.put(folder)


def _recorded_killer(folder: Path, mutant: Mutant) -> str:
    """The recorded test if it fails again, else ""; it may have another name now."""
    test = killers().get(mutant.name, "")
    if not (folder / test.partition("::")[0]).is_file():
        return ""
    try:
        return _killer(folder, (test,))
    except RuntimeError:
        return ""


def all_tests(folder: Path) -> tuple[str, ...]:
    """The files of all tests of the verifier in this copy."""
    places = (folder / place for place in SLOW)
    files = (path for place in places for path in ([place] if place.is_file() else sorted(place.glob("test_*.py"))))
    return tuple(str(path.relative_to(folder)) for path in files)


def tests_for(mutant: Mutant, folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tests that may notice the soonest, and the others: to collect all takes longer than to run those."""
    if mutant in table(OF_C):
        return tuple(dict.fromkeys((*mutant.tests, *TESTS_OF_C))), ()
    every = all_tests(folder)
    early = (name for test in (*mutant.tests, *QUICK) for name in every if name == test or name.startswith(f"{test}/"))
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
    match_ = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return match_[1] if match_ else f"exit code {done.returncode}: {(done.stdout + done.stderr)[-300:]}"


def _verdict(outcome: Outcome) -> str:
    return f"killed by {outcome.killer.removeprefix('tests/')}" if outcome.killer else "SURVIVED"


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
