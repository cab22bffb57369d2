"""Work in several processes, each task with a deadline.

An alarm interrupts what takes too long. isl holds the interpreter while it works, so that neither a signal nor a thread
can stop it: what does not hear the alarm is ended with its process.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from alphaz.cli.deadline import GRACE
from alphaz.cli.tasks import Crashed, Expired, Tasks
from alphaz.diagnostics.deadline import OutOfTime, Unfinished, alarm, follow
from alphaz.execution.forked import ended

# Seconds after which a task takes long: others may then prepare for what follows from it.
_LONG = 0.5
# How many bytes a process has to say where its work is.
_PLACE = 600
# Seconds that even a task gets whose time is spent.
_LEAST = 0.001


def run(pool: Tasks[Any, Any], queue: deque[Any]) -> Iterator[tuple[Any, Any]]:
    """Each task with what came of it, as it comes."""
    workers: list[_Worker] = []
    try:
        while queue or any(worker.busy and not worker.follows for worker in workers):
            _assign(pool, queue, workers)
            if not queue:
                _prepare(pool, workers)
            for worker in _reported(pool, workers):
                task, follows, result = worker.task, worker.follows, worker.take(pool.timeout)
                if isinstance(result, _Ready):
                    continue
                if isinstance(result, Expired | Crashed) and not worker.alive:
                    workers.remove(worker)
                if follows:
                    continue
                queue.extendleft(reversed(list(pool.follow(task, result))))
                yield task, result
    finally:
        for worker in workers:
            worker.end()


def _assign(pool: Tasks[Any, Any], queue: deque[Any], workers: "list[_Worker]") -> None:
    for worker in workers:
        if queue and worker.idle:
            task = queue.popleft()
            worker.give(task, None if pool.timeout is None else max(pool.timeout - pool.spent(task), _LEAST))
    starting = sum(not worker.ready for worker in workers)
    while len(workers) < pool.jobs and starting < len(queue):
        workers.append(_Worker.start(pool.work))
        starting += 1


def _prepare(pool: Tasks[Any, Any], workers: "list[_Worker]") -> None:
    """Whoever has nothing to do follows: does what takes long as well, to be of help with what comes of it."""
    now = time.monotonic()
    long = [worker.task for worker in workers if worker.leads(pool) and worker.since + _LONG <= now]
    for task in long:
        for worker in workers:
            if worker.idle and worker.task is not task:
                worker.give(task, pool.timeout, follows=True)
    while long and len(workers) < pool.jobs:
        workers.append(_Worker.start(pool.work))


def _reported(pool: Tasks[Any, Any], workers: "Sequence[_Worker]") -> "list[_Worker]":
    """Those that say something, and those whose time is over; none where a task begins to take long."""
    now = time.monotonic()
    moments = [worker.deadline for worker in workers if worker.deadline is not None]
    moments += [worker.since + _LONG for worker in workers if worker.leads(pool) and worker.since + _LONG > now]
    left = None if not moments else max(0.0, min(moments) - now)
    speaking = wait([worker.connection for worker in workers], left)
    now = time.monotonic()
    return [
        worker
        for worker in workers
        if worker.connection in speaking or (worker.deadline is not None and worker.deadline <= now)
    ]


@dataclass(frozen=True, slots=True)
class _Ready:
    """The first thing that a process says."""


@dataclass(slots=True)
class _Worker:
    """A process that does one task after another. It is `ready` once it has loaded what it needs.

    It `follows` where another does the same task, and what comes of this one is of no matter.
    """

    process: BaseProcess
    connection: Connection
    place: Any
    ready: bool = False
    busy: bool = False
    task: Any = field(default=None)
    deadline: float | None = None
    since: float = 0.0
    follows: bool = False

    @staticmethod
    def start(work: Callable[[Any], Any]) -> "_Worker":
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        place = context.RawArray("c", _PLACE)
        process = context.Process(target=_serve, args=(theirs, work, place), daemon=True)
        # An interruption is the business of the parent, from the first moment on: what is ignored stays so in a child.
        heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.start()
        signal.signal(signal.SIGINT, heeded)
        theirs.close()
        return _Worker(process, ours, place)

    @property
    def idle(self) -> bool:
        return self.ready and not self.busy

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def leads(self, pool: Tasks[Any, Any]) -> bool:
        """Whether others may follow."""
        return self.busy and not self.follows and pool.prepares(self.task)

    def give(self, task: Any, timeout: float | None, follows: bool = False) -> None:
        self.task, self.busy, self.follows, self.since = task, True, follows, time.monotonic()
        self.deadline = None if timeout is None else self.since + timeout + GRACE
        self.connection.send((task, timeout))

    def take(self, timeout: float | None) -> Any:
        """What the process says; Expired where it says nothing, Crashed where it is no more."""
        if not self.connection.poll():
            self.end()
            return Expired(timeout or 0.0)
        try:
            result = self.connection.recv()
        except (EOFError, OSError):
            self.end()
            if not self.ready:
                raise RuntimeError(f"a process could not be started: exit code {self.process.exitcode}") from None
            return Crashed(f"its process ended with {ended(self.process.exitcode or 0)}{self._where()}")
        if isinstance(result, _Ready):
            self.ready = True
        else:
            self.busy, self.follows, self.deadline = False, False, None
        return result

    def _where(self) -> str:
        """Where its work was, as it said last: nothing else is left of a process that died inside a library."""
        said = self.place.value.decode("utf-8", "ignore")
        return f", {said}" if said else ""

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, work: Callable[[Any], Any], place: Any) -> None:
    """The life of a worker."""

    def tell(at: Unfinished | None) -> None:
        said = "" if at is None else f"while it was to be found out {at.question} ({at.span})"
        place.value = said.encode()[: _PLACE - 1]

    follow(tell)
    connection.send(_Ready())
    while True:
        try:
            task, timeout = connection.recv()
        except EOFError:
            return
        try:
            with alarm(timeout):
                result: object = work(task)
        except OutOfTime as over:
            result = Expired(over.seconds, over.at)
        except Exception as error:
            result = Crashed(f"{type(error).__name__}: {error}")
        connection.send(result)
