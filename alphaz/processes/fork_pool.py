"""Work shared among forks of this process. A fork has all existing data of the process: only numbers and plain
results go through the pipes, which could not transfer isl sets.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Generic, NoReturn, TypeVar, cast

from alphaz.processes.copies import end_with, exit_text, fork

R = TypeVar("R")

# Seconds between the start of one process and the next: where there is little to do, there are few.
_PAUSE = 0.03


def cores() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_out(
    work: Callable[[int, Sequence[R]], R], tasks: Sequence[int], lost: Callable[[str], R], *, jobs: int
) -> Generator[tuple[int, R], None, None]:
    """Yields each number with its result, as it comes, computed in this many processes, which end with the generator.

    `work` gets each number with the results that arrived since the process got its last one. If a process dies, the
    result of its task is `lost`, with the reason; an exception of the work is raised here.
    """
    crew = _Crew(work, lost, deque(tasks))
    begun = monotonic()
    try:
        while crew.waiting or crew.workers:
            has_room = bool(crew.waiting) and len(crew.workers) < jobs
            left = max(0.0, begun + _PAUSE * len(crew.workers) - monotonic()) if has_room else None
            if left == 0.0:
                crew.start()
            for connection in wait([*crew.workers], left):
                yield crew.answer(cast("Connection", connection))
    finally:
        crew.end()


@dataclass(slots=True)
class _Worker:
    """A process with its task, and the number of results that were sent to it."""

    process: int
    task: int
    told: int = 0


@dataclass(slots=True)
class _Crew(Generic[R]):
    """The working processes, by their connections; a process without further tasks is ended."""

    work: Callable[[int, Sequence[R]], R]
    lost: Callable[[str], R]
    waiting: deque[int]
    workers: dict[Connection, _Worker] = field(default_factory=dict)
    results: list[R] = field(default_factory=list)

    def start(self) -> None:
        """Starts another process, with a task."""
        ours, theirs = Pipe()
        parent = os.getpid()
        # Between the start and the entry, an interruption would leave the child alone.
        heeded = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGALRM))
        try:
            process = fork()
            if process == 0:
                self._serve(theirs, [ours, *self.workers], parent)
            self.workers[ours] = _Worker(process, self.waiting.popleft())
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, heeded)
        theirs.close()
        self._give(ours)

    def answer(self, connection: Connection) -> tuple[int, R]:
        """Returns the result of a process's task; the process gets the next task. Raises the exception of its work."""
        worker = self.workers[connection]
        try:
            error, result = connection.recv()
        except (EOFError, OSError):
            code = self._end(connection)
            return worker.task, self.lost(f"its process ended with {exit_text(code)}")
        if error is not None:
            raise error
        self.results.append(result)
        done = worker.task
        if self.waiting:
            worker.task = self.waiting.popleft()
            self._give(connection)
        else:
            self._end(connection)
        return done, result

    def end(self) -> None:
        for each in [*self.workers]:
            self._end(each)

    def _give(self, connection: Connection) -> None:
        worker = self.workers[connection]
        # A dead process shows by the end of the connection.
        with suppress(OSError):
            connection.send((worker.task, self.results[worker.told :]))
        worker.told = len(self.results)

    def _end(self, connection: Connection) -> int:
        """Returns the exit code of an idle process."""
        process = self.workers.pop(connection).process
        connection.close()
        os.kill(process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def _serve(self, connection: Connection, strange: Sequence[Connection], parent: int) -> NoReturn:
        """Runs a worker process. Interruptions stay blocked: the parent handles them, and its end ends all."""
        try:
            end_with(parent)
            for each in strange:
                each.close()
            while True:
                task, others = connection.recv()
                try:
                    connection.send((None, self.work(task, others)))
                except Exception as error:
                    connection.send((error, None))
        finally:
            os._exit(1)
