"""Proved samples, executed: the values of the interpreter, for every number of threads.

The code runs in processes of its own (`worker.py`), so that one that dies, or does not end, or is reported by a
sanitizer, is a disagreement like any other and names its sample.
"""

import atexit
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from alphaz.codegen.sources import Sources
from tests.differential.worker import SIZES, THREADS, Batch, Job
from tests.safety.sanitizers import MEMORY, preloaded
from tools.differential.proved_mappings import Proved

# So many seconds may one sample take, and so many lines of what a dead process said are told.
SECONDS = 60
_LINES = 8
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Way:
    """The compilation and execution of code: values of the first parameter, and numbers of threads."""

    flags: tuple[str, ...] = ("-O1",)
    environment: Mapping[str, str] = field(default_factory=dict)
    seconds: int = SECONDS
    values: tuple[int, ...] = SIZES
    threads: tuple[int, ...] = THREADS

    def with_flags(self, *flags: str) -> "Way":
        return replace(self, flags=(*self.flags, *flags))


@dataclass(frozen=True)
class Disagreement:
    """A failure of a sample: its code is not generated, not compiled, dies, or computes other values."""

    case: Proved
    said: str


@dataclass(frozen=True)
class _Ended:
    """The lines, standard error and exit status of a batch."""

    lines: Sequence[tuple[str, str, str]]
    errors: str
    code: int

    @property
    def complaint(self) -> str | None:
        """Returns the message of the compiler; None if there is none."""
        return next((how for what, _, how in self.lines if what == "compile"), None)

    def names(self, wanted: str) -> list[str]:
        return [name for what, name, _ in self.lines if what == wanted]

    @property
    def death(self) -> str:
        telling = [line for line in self.errors.splitlines() if line.strip()][:_LINES]
        return "\n  ".join([f"the process that ran it ended with {self.code}", *telling])


STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")


def sanitized() -> Way:
    """Under AddressSanitizer and UndefinedBehaviorSanitizer."""
    return Way(("-g", "-O1", *MEMORY), preloaded())


def disagreements(cases: Sequence[Proved], seed: int = 0, way: Way | None = None) -> list[Disagreement]:
    """Every case at every size with every number of threads."""
    results: list[tuple[Proved, Sources]] = []
    result: list[Disagreement] = []
    for case in cases:
        try:
            results.append((case, case.sources()))
        except Exception as problem:
            result.append(Disagreement(case, f"is not generated: {type(problem).__name__}: {problem}"))
    return [*result, *executed(results, seed, way or Way())]


def executed(written: Sequence[tuple[Proved, Sources]], seed: int, way: Way) -> Iterator[Disagreement]:
    """The same, for code that is there. All is compiled at once; where that fails, each half is."""
    waiting = list(written)
    while waiting:
        ended = _run(waiting, seed, way)
        if ended.complaint is not None and len(waiting) > 1:
            middle = len(waiting) // 2
            yield from executed(waiting[:middle], seed, way)
            yield from executed(waiting[middle:], seed, way)
            return
        if ended.complaint is not None:
            yield Disagreement(waiting[0][0], f"is not compiled: {ended.complaint}")
            return
        cases = {case.name: case for case, _ in waiting}
        for name in dict.fromkeys(ended.names("wrong")):
            wrong = [how for what, where, how in ended.lines if (what, where) == ("wrong", name)]
            yield Disagreement(cases[name], "\n  ".join(wrong[:_LINES]))
        begun, over = ended.names("begin"), set(ended.names("end"))
        dead = [name for name in begun if name not in over]
        yield from (Disagreement(cases[name], ended.death) for name in dead)
        if not dead and len(over) < len(waiting):
            raise RuntimeError(ended.death)
        waiting = [(case, sources) for case, sources in waiting if case.name not in begun]


def _run(written: Sequence[tuple[Proved, Sources]], seed: int, way: Way) -> _Ended:
    sources = Sources({})
    for _, own in written:
        sources |= own
    mappings = [(case, case.verified.mappings[case.name], own.overwritten) for case, own in written]
    jobs = tuple(Job(case.name, case.sample.program, it.tile_sizes, it.layouts, lost) for case, it, lost in mappings)
    worker = _worker(tuple(sorted(way.environment.items())))
    assert worker.stdin is not None
    assert worker.stdout is not None
    pickle.dump(Batch(jobs, sources, way.flags, seed, way.seconds, way.values, way.threads), worker.stdin)
    worker.stdin.flush()
    output, errors, code = pickle.load(worker.stdout)
    lines = [tuple(json.loads(line)) for line in output.splitlines()]
    return _Ended(lines, errors.decode(errors="replace"), code)


@cache
def _worker(environment: tuple[tuple[str, str], ...]) -> "subprocess.Popen[bytes]":
    """The process that executes batches in copies of itself: to start one takes as long as most batches."""
    command = [sys.executable, "-m", "tests.differential.worker"]
    variables = {**os.environ, **dict(environment)}
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT, env=variables)
    atexit.register(worker.__exit__, None, None, None)
    return worker
