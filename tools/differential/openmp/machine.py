"""Generated functions, run by `driver.c` with the OpenMP runtime of `runtime.c`: each sample in a process of its own.

Needed are gcc and, for what is asked under sanitizers, their libraries; no OpenMP runtime, which is here.
"""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from pathlib import Path

import numpy as np

from alphaz.processes import external

HERE = Path(__file__).parent
# What is compiled into a library: between any two of its basic blocks another thread may go on.
_POINTS = "-fsanitize-coverage=trace-pc"
_MEANING = ("-std=c11", "-ffp-contract=off", "-fopenmp", "-fPIC", "-g1")
_RUNTIME = ("-std=gnu11", "-O2", "-g1", "-w")
_SECONDS = 300
# The statuses that the driver adds to those of generated functions, and what stands for no status.
CHANGED_INPUT, OUTSIDE, NOT_RUN = 1001, 1002, -(2**31)


class Look(Enum):
    """The checks of an execution: wrong values, and writes near arrays; all of memory, and undefined behaviour;
    races."""

    VALUES = "values"
    MEMORY = "memory"
    RACES = "races"


_SANITIZERS = {
    Look.VALUES: (),
    Look.MEMORY: ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    Look.RACES: ("-fsanitize=thread",),
}
_ENVIRONMENT = {
    # What stays allocated is the fibers' stacks.
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=66:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=0:exitcode=66",
    # Without a sleep at the end, a second long, for threads that are still running: nothing here has any.
    "TSAN_OPTIONS": "exitcode=66:halt_on_error=1:report_signal_unsafe=0:history_size=4:atexit_sleep_ms=0",
}


@cache
def filling(compiler: str) -> tuple[str, ...]:
    """Returns the options that fill local variables with a pattern that must not be read (gcc from version 12)."""
    flag = "-ftrivial-auto-var-init=pattern"
    messages = [*compiler.split(), flag, "-x", "c", "-fsyntax-only", "/dev/null"]
    return (flag,) if subprocess.run(messages, capture_output=True).returncode == 0 else ()


class NotBuilt(Exception):
    """The compiler refused; the text is what it said."""


@dataclass(frozen=True, eq=False)
class Run:
    """One call of a function: its integers, then its arrays. `outputs` are shapes and types; `seed` says in which order
    the threads go on, `delays` how often in 2^16 basic blocks one is left behind; outputs hold `fill` before. Inputs
    may be `overwritten`, those of these numbers; outputs `in_place` are in the array of an input, both by number.
    """

    symbol: str
    integers: Sequence[int]
    inputs: Sequence[np.ndarray]
    outputs: Sequence[tuple[tuple[int, ...], np.dtype]]
    threads: int = 1
    seed: int = 0
    delays: int = 0
    fill: int = 0
    overwritten: frozenset[int] = frozenset()
    in_place: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Ran:
    """The status that a function returned, and its outputs; NOT_RUN where the process ended before."""

    status: int
    outputs: Sequence[np.ndarray]


@dataclass(frozen=True, eq=False)
class Sample:
    """The work of one process: calls of functions of one library, with limits of processor seconds and megabytes."""

    library: Path
    runs: Sequence[Run]
    seconds: int = 10
    megabytes: int = 1024


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of a sample: `death` is empty, or gives the signal and the output of the process that died."""

    runs: Sequence[Ran]
    death: str = ""


@dataclass
class Machine:
    """Drivers and libraries in a folder. Each driver is compiled when it is needed first."""

    folder: Path
    compiler: str = "gcc"
    drivers: dict[Look, Path] = field(default_factory=dict)

    def driver(self, look: Look) -> Path:
        """Raises NotBuilt."""
        if look not in self.drivers:
            made = self.folder / f"driver-{look.value}"
            runtime, driver = HERE / "runtime.c", HERE / "driver.c"
            unit = self.folder / f"runtime-{look.value}.o"
            self._compile(*_RUNTIME, "-c", str(runtime), "-o", str(unit))
            rest = (str(driver), str(unit), "-rdynamic", "-ldl", "-lm", "-o", str(made))
            self._compile(*_RUNTIME, *(f for f in _SANITIZERS[look] if "undefined" not in f), *_linked(look), *rest)
            self.drivers[look] = made
        return self.drivers[look]

    def library(
        self, units: Sequence[Path], look: Look, made: Path, flags: Sequence[str] = ("-O1",), *, points: bool = True
    ) -> dict[Path, str]:
        """A library of C files, each of which finds its headers in its own folder. Returns what the compiler says of
        those that it refuses; they are left out. Without `points` threads go on only where they ask OpenMP for
        something.

        Raises NotBuilt where the whole cannot be linked.
        """
        objects = made.with_suffix("")
        objects.mkdir()
        points_of = [_POINTS] if points else []
        command = (*_MEANING, *filling(self.compiler), *points_of, *_SANITIZERS[look], *flags, "-c")
        refused: dict[Path, str] = {}
        try:
            self._compile(*command, *(str(unit.resolve()) for unit in units), folder=objects)
        except NotBuilt:
            refused = dict(self._refused(command, units, objects))
        # Without -fopenmp: the compiler's own runtime is not asked for, and need not be there.
        linked = (*_SANITIZERS[look], "-shared", *map(str, sorted(objects.glob("*.o"))), "-lm", "-o", str(made))
        self._compile(*linked)
        return refused

    def _refused(self, command: Sequence[str], units: Sequence[Path], objects: Path) -> Iterator[tuple[Path, str]]:
        for unit in units:
            if not (objects / unit.with_suffix(".o").name).exists():
                try:
                    self._compile(*command, str(unit.resolve()), folder=objects)
                except NotBuilt as problem:
                    yield unit, str(problem)

    def run(self, samples: Sequence[Sample], look: Look) -> list[Outcome]:
        """Raises NotBuilt, and RuntimeError for what should not be (the driver itself fails)."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            return list(_outcomes(self.driver(look), samples, Path(name)))

    def _compile(self, *words: str, folder: Path | None = None) -> None:
        command = [*self.compiler.split(), *words]
        done = external.run(command, folder or Path(), _SECONDS)
        if not done.succeeded:
            raise NotBuilt(done.errors)


def _linked(look: Look) -> tuple[str, ...]:
    """A library with UndefinedBehaviorSanitizer needs a program that has it."""
    return ("-fsanitize=address,undefined",) if look is Look.MEMORY else ()


def _outcomes(driver: Path, samples: Sequence[Sample], folder: Path) -> Iterator[Outcome]:
    layout = _Layout()
    plan = "".join(line for at, item in enumerate(samples) for line in _plan(item, folder / f"errors-{at}", layout))
    (folder / "plan").write_text(plan, encoding="utf-8")
    (folder / "data").write_bytes(layout.data)
    command = [str(driver), str(folder / "plan"), str(folder / "data")]
    environment: Mapping[str, str] = {**os.environ, **_ENVIRONMENT}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    ends = [int(line) for line in done.stdout.split()]
    if len(ends) != len(samples):
        raise RuntimeError(f"the driver ended with {done.returncode}: {done.stderr}")
    result, places = (folder / "data").read_bytes(), iter(layout.places)
    for at, (sample, end) in enumerate(zip(samples, ends, strict=True)):
        ran = [_ran(result, *next(places), run) for run in sample.runs]
        yield Outcome(ran, _death(end, folder / f"errors-{at}"))


class _Layout:
    """The layout of the data file: its bytes, and the positions of the status and the outputs of each run."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.places: list[tuple[int, list[int]]] = []

    def put(self, content: bytes) -> int:
        place = len(self.data)
        self.data += content + bytes(-len(content) % 16)
        return place


def _plan(sample: Sample, errors: Path, layout: _Layout) -> Iterator[str]:
    yield f"sample {sample.library} {sample.seconds} {sample.megabytes} {errors}\n"
    known: dict[int, int] = {}
    for run in sample.runs:
        status = layout.put(NOT_RUN.to_bytes(4, "little", signed=True))
        words = [run.symbol, run.threads, run.seed, run.delays, status, len(run.integers), *run.integers]
        words.append(len(run.inputs) + len(run.outputs))
        for at, array in enumerate(run.inputs):
            if id(array) not in known:
                known[id(array)] = layout.put(np.ascontiguousarray(array).tobytes())
            is_lost = at in run.overwritten or at in run.in_place.values()
            words += ["c" if is_lost else "i", array.nbytes, known[id(array)]]
        places = []
        for at, (shape, kind) in enumerate(run.outputs):
            size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
            places.append(layout.put(bytes([run.fill]) * size))
            words += ["o", size, places[-1]] if at not in run.in_place else ["p", run.in_place[at], places[-1]]
        layout.places.append((status, places))
        yield f"run {' '.join(map(str, words))}\n"


def _ran(data: bytes, status: int, places: Sequence[int], run: Run) -> Ran:
    outputs = [
        np.frombuffer(data, kind, int(np.prod(shape, dtype=np.int64)), place).reshape(shape)
        for place, (shape, kind) in zip(places, run.outputs, strict=True)
    ]
    return Ran(int.from_bytes(data[status : status + 4], "little", signed=True), outputs)


def _death(end: int, errors: Path) -> str:
    if end == 0:
        return ""
    message = errors.read_text(encoding="utf-8", errors="replace").splitlines() if errors.exists() else []
    code = os.waitstatus_to_exitcode(end)
    how = f"ended with {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
    telling = [line for line in message if line.strip() and not set(line) <= set("=- ")]
    return "\n  ".join([f"its process {how}", *telling[:12]])
