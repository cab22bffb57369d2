"""Compiled functions, measured in processes of their own: a crash ends one of them, and threads disturb no other one.

A fork server is a process that holds the inputs and forks the processes that run functions. They share the inputs
immediately, at the same addresses, and do not see each other's writes. A request names the job for which the server
forks a process, or the process to end. Requests to such a process use a separate connection; it answers with seconds.

These are not copies of this process (`alphaz.processes`), which may have threads, and whose use of memory would show in
the measured times.
"""

import contextlib
import ctypes
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from statistics import median
from typing import Protocol

import numpy as np

from alphaz.processes.copies import end_copy, fork
from alphaz.run.bench.blas_libraries import BlasLibrary
from alphaz.run.bench.contest import NoPeer, spoil
from alphaz.run.library import open_library, set_members

Arrays = Mapping[str, np.ndarray]
# The shape of an array, and its type.
Shape = tuple[tuple[int, ...], str]

_ALIGNED = 64
_COMMAND = "from alphaz.run.bench.fork_server import serve; serve({}, {})"
OUTPUTS, LIBRARIES = "outputs", "libraries"
"""Requests for the results of the last run, and for the BLAS libraries of a process."""


class ServedJob(Protocol):
    """Work that a forked process does again and again; it has results of these shapes and types."""

    @property
    def outputs(self) -> Mapping[str, Shape]: ...

    def serve(self, parent: int, connection: Connection, made: int, inputs: list[np.ndarray]) -> None:
        """Serves requests until the connection closes. `parent` is the process that forked this one, `made` the memory
        for outputs.
        """


@dataclass(frozen=True, slots=True, eq=False)
class ForkJob:
    """A function of a library, and its arguments: numbers, then the inputs, then outputs, of which there are shapes and
    types. `has_status`: the function returns a status, otherwise nothing. `overwritten` are the numbers of the inputs
    that it changes. `setter`: the function that sets the number of threads, if the library has it.
    """

    library: bytes
    symbol: str
    has_status: bool
    numbers: tuple[int, ...]
    outputs: Mapping[str, Shape]
    overwritten: tuple[int, ...] = ()
    setter: str = ""

    def serve(self, parent: int, connection: Connection, made: int, inputs: list[np.ndarray]) -> None:
        """Serves requests until the connection closes."""
        _serve_job(self, connection, made, inputs)


@dataclass(frozen=True, slots=True)
class ForkRequest:
    """A request to run with this number of threads, repeatedly until the runs have taken `lasting` seconds, at least
    once.
    """

    threads: int | None
    lasting: float = 0.0


class ForkServer:
    """The server. Its process is started on the first use, and again when it has ended."""

    def __init__(self, inputs: Sequence[np.ndarray]) -> None:
        self._inputs = inputs
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    @property
    def number(self) -> int | None:
        """Returns the process number, if it was started."""
        return None if self._process is None else self._process.pid

    def split_off(self, job: ServedJob, made: int) -> tuple[int, Connection]:
        """Returns the number of a new process that runs the job, and the connection to it. `made` is memory for
        outputs. Raises EOFError and OSError where it cannot be started.
        """
        try:
            if self._connection is None:
                self._connection = self._started()
            ours, theirs = Pipe()
            with theirs:
                self._connection.send(job)
                for descriptor in (theirs.fileno(), made):
                    send_handle(self._connection, descriptor, None)
            return self._connection.recv(), ours
        except (EOFError, OSError):
            self._process = self._connection = None
            raise

    def end(self, child: int) -> int | None:
        """Returns the exit code of the process, or the number of its signal, negative; None where it is unknown. Ends
        the process if it has not ended.
        """
        with contextlib.suppress(EOFError, OSError):
            if self._connection is not None:
                self._connection.send(child)
                status: int = self._connection.recv()
                return status
        return None

    def _started(self) -> Connection:
        ours, theirs = Pipe()
        shapes = tuple((array.shape, str(array.dtype)) for array in self._inputs)
        memory = anonymous(shapes)
        try:
            for there, array in zip(arrays(memory, shapes), self._inputs, strict=True):
                there[...] = array
            with theirs:
                descriptors = (theirs.fileno(), memory)
                command = [sys.executable, "-c", _COMMAND.format(*descriptors)]
                # A process with threads is not split.
                alone = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
                paths = {**os.environ, **alone, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
                # The function's own output is discarded.
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=descriptors, env=paths
                )
        finally:
            os.close(memory)
        weakref.finalize(self, _stop, self._process)
        ours.send(shapes)
        return ours


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


class Stopped(NoPeer):
    """The function has returned this status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"it returns status {status}")
        self.status = status


class ForkedFunction:
    """Runs a job in a process of its own, which is forked on the first use, and again when it has ended.

    `shown` converts the arrays of the function to those for comparison. `pauses`: between requests the process is
    stopped, with all its threads, which may otherwise wait actively.
    """

    def __init__(
        self, job: ServedJob, server: ForkServer, shown: Callable[[Arrays], Arrays], *, pauses: bool = False
    ) -> None:
        self.job = job
        self._pauses = pauses
        self._child: int | None = None
        self._shown = shown
        self.server = server
        self._connection: Connection | None = None
        self._stop: Callable[[], int | None] = lambda: None
        self._results: Arrays = {}

    def __call__(self, threads: int | None = None, lasting: float = 0.0) -> float:
        """Returns seconds of wall clock; where that is less than `lasting`, the median of several runs. Raises NoPeer
        with the reason if the process ended, and Stopped.
        """
        answer = self._asked(ForkRequest(threads, lasting))
        if isinstance(answer, int):
            raise Stopped(answer)
        if isinstance(answer, float):
            return answer
        raise NoPeer(str(answer))

    @property
    def outputs(self) -> Mapping[str, np.ndarray]:
        """Returns the outputs of the last run, converted, valid until the next call. Raises NoPeer."""
        answer = self._asked(OUTPUTS)
        if answer is not True:
            raise NoPeer(str(answer))
        return self._shown(self._results)

    @property
    def libraries(self) -> tuple[BlasLibrary, ...]:
        """Returns the BLAS libraries of the process. Raises NoPeer."""
        answer = self._asked(LIBRARIES)
        return answer if isinstance(answer, tuple) else ()

    def _asked(self, what: object) -> object:
        try:
            if self._connection is None:
                self._connection = self._started()
            self._signal(signal.SIGCONT)
            self._connection.send(what)
            answer: object = self._connection.recv()
            self._signal(signal.SIGSTOP)
            return answer
        except (EOFError, OSError):
            self._connection, stop = None, self._stop
            raise NoPeer(_end(stop())) from None

    def _signal(self, number: signal.Signals) -> None:
        if self._pauses and self._child is not None:
            os.kill(self._child, number)

    def _started(self) -> Connection:
        """Returns the connection of the process. Of the shared memory only the outputs are kept."""
        shapes = tuple(self.job.outputs.values())
        made = anonymous(shapes)
        try:
            self._results = dict(zip(self.job.outputs, arrays(made, shapes), strict=True))
            child, connection = self.server.split_off(self.job, made)
        finally:
            os.close(made)
        self._child, self._stop = child, weakref.finalize(self, self.server.end, child)
        return connection


def _end(status: int | None) -> str:
    if status is None:
        return "it cannot be started"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"it crashed ({signal.Signals(-status).name})"
    return f"it ended by itself (exit status {status})"


def keep_memory() -> None:
    """Lets the C library keep freed memory, so that benchmarks measure the kernels and not new pages of the system."""
    os.environ.setdefault("KMP_BLOCKTIME", "0")
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        trim_threshold, most_mapped = -1, -4
        mallopt(trim_threshold, -1)
        mallopt(most_mapped, 0)


# --- in the other process -------------------------------------------------------------------------------------------


def serve(descriptor: int, number: int) -> None:
    """Serves requests until the connection closes. `given` is memory that has the inputs; timed functions get arrays
    allocated as in a program.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(descriptor)
    with contextlib.suppress(EOFError, OSError):
        inputs = [array.copy() for array in arrays(number, connection.recv())]
        os.close(number)
        while True:
            asked = connection.recv()
            if isinstance(asked, int):
                connection.send(end_copy(asked))
                continue
            channel, made = recv_handle(connection), recv_handle(connection)
            server, child = os.getpid(), fork()
            if not child:
                connection.close()
                _run_copy(asked, server, Connection(channel), made, inputs)
            os.close(channel)
            os.close(made)
            connection.send(child)


def _run_copy(job: ServedJob, parent: int, connection: Connection, made: int, inputs: list[np.ndarray]) -> None:
    """Runs the forked process; never returns."""
    try:
        with contextlib.suppress(EOFError, OSError):
            job.serve(parent, connection, made, inputs)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _serve_job(job: ForkJob, connection: Connection, made: int, inputs: list[np.ndarray]) -> None:
    """Serves requests until the connection closes."""
    shared = arrays(made, tuple(job.outputs.values()))
    keep_memory()
    outputs = {name: np.zeros(shape, type_) for name, (shape, type_) in job.outputs.items()}
    library, seen = open_library(job.library), set[object]()
    pristine = {at: inputs[at] for at in job.overwritten}
    own = [array.copy() if position in pristine else array for position, array in enumerate(inputs)]
    while True:
        asked = connection.recv()
        if asked == OUTPUTS:
            for there, array in zip(shared, outputs.values(), strict=True):
                there[...] = array
            connection.send(True)
            continue
        if asked.threads not in seen:
            seen.add(asked.threads)
            spoil(outputs)
        answers: list[float | int] = []
        total = 0.0
        while not answers or (isinstance(answers[-1], float) and total < asked.lasting):
            for at, array in pristine.items():
                own[at][...] = array
            answers.append(_run(job, library, (*own, *outputs.values()), asked.threads))
            total += answers[-1]
        connection.send(median(answers) if isinstance(answers[-1], float) else answers[-1])


def _run(job: ForkJob, library: ctypes.CDLL, arrays: tuple[np.ndarray, ...], threads: int | None) -> float | int:
    """Returns the seconds, or the status of a failure."""
    function = library[job.symbol]
    function.restype = ctypes.c_int if job.has_status else None
    function.argtypes = [ctypes.c_int64] * len(job.numbers) + [ctypes.c_void_p] * len(arrays)
    if threads is not None:
        set_members(library, job.setter, threads)
    addresses = [array.ctypes.data for array in arrays]
    before = time.perf_counter()
    status = function(*job.numbers, *addresses)
    seconds = time.perf_counter() - before
    return int(status) if status else seconds


# --- memory shared by two processes ---------------------------------------------------------------------------------


def anonymous(shapes: Sequence[Shape]) -> int:
    """Returns the descriptor of memory for such arrays, which is in no folder; its owner closes it."""
    size = _places(shapes)[-1]
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("alphaz")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, size)
    return descriptor


def arrays(descriptor: int, shapes: Sequence[Shape]) -> list[np.ndarray]:
    """Returns the arrays in the memory, one after the other; the memory lives as long as one of them."""
    *places, size = _places(shapes)
    memory = mmap.mmap(descriptor, size)
    return [
        np.frombuffer(memory, dtype=kind, count=_count(shape), offset=at).reshape(shape)
        for at, (shape, kind) in zip(places, shapes, strict=True)
    ]


def _places(shapes: Sequence[Shape]) -> list[int]:
    """Returns the offset of each array, and the total size, which is never 0."""
    places = [0]
    for shape, kind in shapes:
        bytes_ = _count(shape) * np.dtype(kind).itemsize
        places.append(places[-1] + -(-bytes_ // _ALIGNED) * _ALIGNED)
    places[-1] = max(places[-1], _ALIGNED)
    return places


def _count(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))
