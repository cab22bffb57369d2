"""Compiled contestants in processes of their own: one that crashes takes nobody along, and its threads disturb nobody.

Such a process gets its job through a connection, then numbers of threads; it answers with seconds.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from alphaz.codegen.sources import Sources
from alphaz.execution.bench.contest import NoPeer, spoil
from alphaz.execution.bench.sharing import Shape, anonymous, arrays
from alphaz.execution.compiler import Compiler
from alphaz.execution.library import load

_COMMAND = "from alphaz.execution.bench.worker import serve; serve({}, {}, {})"
_OUTPUTS = "outputs"


Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A function of C sources, how they are compiled, and its arguments: numbers, then arrays, of which there are
    shapes and types. `has_status` tells whether the function returns a status, or nothing. Of the inputs `overwritten`
    are those, by number, that it leaves in another state.
    """

    sources: Sources
    compiler: Compiler
    flags: tuple[str, ...]
    include: Path
    libraries: tuple[str, ...]
    symbol: str
    has_status: bool
    numbers: tuple[int, ...]
    inputs: tuple[Shape, ...]
    outputs: Mapping[str, Shape]
    overwritten: tuple[int, ...] = ()

    def library(self) -> ctypes.CDLL:
        """Raises NotCompiled."""
        return load(self.sources, self.compiler, self.flags, self.include, meaning=(), libraries=self.libraries)


class Stopped(NoPeer):
    """The function has returned this status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"it returns status {status}")
        self.status = status


class Worker:
    """Runs a job in a process of its own, which is started when it is needed first, and again when it has ended.

    `shown` makes of the arrays that the function leaves those that others look at.
    """

    def __init__(self, job: Job, inputs: Sequence[np.ndarray], shown: Callable[[Arrays], Arrays]) -> None:
        self.job = job
        self._shown = shown
        self._inputs = inputs
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._results: Arrays = {}

    def __call__(self, threads: int | None = None) -> float:
        """Seconds of wall clock. Raises NoPeer with how it ended, if it did, and Stopped."""
        answer = self._asked(threads)
        if isinstance(answer, int):
            raise Stopped(answer)
        if isinstance(answer, float):
            return answer
        raise NoPeer(str(answer))

    @property
    def outputs(self) -> Mapping[str, np.ndarray]:
        """Those of the last run, as they are to be seen, until they are asked for again. Raises NoPeer."""
        self._asked(_OUTPUTS)
        return self._shown(self._results)

    def _asked(self, what: object) -> object:
        try:
            if self._connection is None:
                self._connection = self._started()
            self._connection.send(what)
            return self._connection.recv()
        except (EOFError, OSError):
            process, self._process, self._connection = self._process, None, None
            raise NoPeer(_end(None if process is None else process.wait())) from None

    def _started(self) -> Connection:
        """Of the memory in common only what comes back is kept."""
        ours, theirs = Pipe()
        given, made = anonymous(self.job.inputs), anonymous(tuple(self.job.outputs.values()))
        try:
            for there, array in zip(arrays(given, self.job.inputs), self._inputs, strict=True):
                there[...] = array
            self._results = dict(zip(self.job.outputs, arrays(made, tuple(self.job.outputs.values())), strict=True))
            with theirs:
                descriptors = (theirs.fileno(), given, made)
                command = [sys.executable, "-c", _COMMAND.format(*descriptors)]
                paths = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
                # What the peer prints is no part of our output.
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=descriptors, env=paths
                )
        finally:
            os.close(given)
            os.close(made)
        weakref.finalize(self, _stop, self._process)
        ours.send(self.job)
        return ours


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _end(status: int | None) -> str:
    if status is None:
        return "it cannot be started"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"it crashed ({signal.Signals(-status).name})"
    return f"it ended by itself (exit status {status})"


# --- in the other process -------------------------------------------------------------------------------------------


def serve(descriptor: int, given: int, made: int) -> None:
    """Does what it is told until nobody is there. `given` is memory that has the inputs, `made` is for outputs; the
    function that is timed has arrays of its own, as a program has them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(descriptor)
    with contextlib.suppress(EOFError, OSError):
        job = connection.recv()
        assert isinstance(job, Job)
        inputs = [array.copy() for array in arrays(given, job.inputs)]
        os.close(given)
        shared = arrays(made, tuple(job.outputs.values()))
        keep_memory()
        outputs = {name: np.zeros(shape, type_) for name, (shape, type_) in job.outputs.items()}
        library, seen = job.library(), set[object]()
        pristine = {at: inputs[at].copy() for at in job.overwritten}
        while True:
            asked = connection.recv()
            if asked == _OUTPUTS:
                for there, array in zip(shared, outputs.values(), strict=True):
                    there[...] = array
                connection.send(True)
                continue
            if asked not in seen:
                seen.add(asked)
                spoil(outputs)
            for at, array in pristine.items():
                inputs[at][...] = array
            connection.send(_run(job, library, (*inputs, *outputs.values()), asked))


def _run(job: Job, library: ctypes.CDLL, arrays: tuple[np.ndarray, ...], threads: int | None) -> float | int:
    """Seconds, or the status that tells why it stopped."""
    function = library[job.symbol]
    function.restype = ctypes.c_int if job.has_status else None
    function.argtypes = [ctypes.c_int64] * len(job.numbers) + [ctypes.c_void_p] * len(arrays)
    # A library without a parallel loop may not be linked with OpenMP at all.
    set_threads = getattr(library, "omp_set_num_threads", None)
    if set_threads is not None and threads is not None:
        set_threads.restype = None
        set_threads(ctypes.c_int(threads))
    addresses = [array.ctypes.data for array in arrays]
    before = time.perf_counter()
    status = function(*job.numbers, *addresses)
    seconds = time.perf_counter() - before
    return int(status) if status else seconds


def keep_memory() -> None:
    """Lets the C library keep what is freed: the kernels are measured, not the pages that the system hands out anew."""
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        trim_threshold, most_mapped = -1, -4
        mallopt(trim_threshold, -1)
        mallopt(most_mapped, 0)
