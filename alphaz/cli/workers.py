"""Work in several processes, each task with a deadline.

isl holds the interpreter while it works, so that neither a signal nor a thread can stop it: what takes too long is
ended with its process. Without a deadline and with one job everything happens here.
"""

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Expired:
    """The deadline passed, and the process was ended."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Crashed:
    """The work raised an exception, or its process ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pool(Generic[T, R]):
    """`work` is a function of a module (it must reach other processes); `follow` says what a result asks for in turn.

    `timeout` is in seconds, for each task; None: as long as it takes.
    """

    work: Callable[[T], R]
    follow: Callable[[T, R], Iterable[T]] = lambda _, __: ()
    jobs: int = 1
    timeout: float | None = None

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        """Each task with what came of it, as it comes. What a task asks for is done before what waits already."""
        queue = deque(tasks)
        if self.jobs == 1 and self.timeout is None:
            return self._here(queue)
        return self._elsewhere(queue)

    def _here(self, queue: deque[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        while queue:
            task = queue.popleft()
            result = self.work(task)
            queue.extendleft(reversed(list(self.follow(task, result))))
            yield task, result

    def _elsewhere(self, queue: deque[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        workers: list[_Worker] = []
        try:
            while queue or any(worker.busy for worker in workers):
                self._assign(queue, workers)
                for worker in self._reported(workers):
                    task, result = worker.task, worker.take(self.timeout)
                    if isinstance(result, _Ready):
                        continue
                    if isinstance(result, Expired | Crashed) and not worker.alive:
                        workers.remove(worker)
                    elif not isinstance(result, Expired | Crashed):
                        queue.extendleft(reversed(list(self.follow(task, result))))
                    yield task, result
        finally:
            for worker in workers:
                worker.end()

    def _assign(self, queue: deque[T], workers: "list[_Worker]") -> None:
        for worker in workers:
            if queue and worker.idle:
                worker.give(queue.popleft(), self.timeout)
        starting = sum(not worker.ready for worker in workers)
        while len(workers) < self.jobs and starting < len(queue):
            workers.append(_Worker.start(self.work))
            starting += 1

    def _reported(self, workers: "Sequence[_Worker]") -> "list[_Worker]":
        """Those that say something, and those whose time is over."""
        deadlines = [worker.deadline for worker in workers if worker.deadline is not None]
        left = None if not deadlines else max(0.0, min(deadlines) - time.monotonic())
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
    """A process that does one task after another. It is `ready` once it has loaded what it needs."""

    process: BaseProcess
    connection: Connection
    ready: bool = False
    busy: bool = False
    task: Any = field(default=None)
    deadline: float | None = None

    @staticmethod
    def start(work: Callable[[Any], Any]) -> "_Worker":
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    @property
    def idle(self) -> bool:
        return self.ready and not self.busy

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def give(self, task: Any, timeout: float | None) -> None:
        self.task, self.busy = task, True
        self.deadline = None if timeout is None else time.monotonic() + timeout
        self.connection.send(task)

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
            return Crashed(f"its process ended with exit code {self.process.exitcode}")
        if isinstance(result, _Ready):
            self.ready = True
        else:
            self.busy, self.deadline = False, None
        return result

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    """The life of a worker. An interruption is the business of its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection.send(_Ready())
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            result: object = work(task)
        except Exception as error:
            result = Crashed(f"{type(error).__name__}: {error}")
        connection.send(result)
