"""Work in several processes, each task with limits of processor time and memory.

An alarm interrupts a task that exceeds them. isl holds the interpreter while it works, so that neither a signal nor a
thread can stop it: a process that does not react to the alarm is ended.
"""

import mmap
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from alphaz.diagnostics.deadline import NO_MEMORY, OutOfTime, alarm, follow
from alphaz.processes.copies import can_fork, end_with, exit_text
from alphaz.processes.progress_places import BYTES, Places
from alphaz.processes.tasks import Crashed, Expired, Tasks
from alphaz.processes.watch import Watch, kill_below
from alphaz.usage import Limits

# Seconds after which a task takes long: other workers may then prepare for its follow-up tasks.
_LONG = 0.5
# Seconds between two checks of the usage of processes.
_LOOK = 0.2
# Seconds that even a task gets whose time is spent.
_LEAST = 0.001


def run(pool: Tasks[Any, Any], queue: deque[Any]) -> Iterator[tuple[Any, Any]]:
    """Yields each task with its result, as it comes."""
    workers: list[_Worker] = []
    try:
        while queue or any(worker.busy and not worker.follows for worker in workers):
            _assign(pool, queue, workers)
            if not queue:
                _prepare(pool, workers)
            for worker in _reported(pool, workers):
                task, follows, result = worker.task, worker.follows, worker.take()
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
            left = None if pool.timeout is None else max(pool.timeout - pool.spent(task), _LEAST)
            worker.give(task, Limits(left, pool.memory))
    starting = sum(not worker.ready for worker in workers)
    while len(workers) < pool.jobs and starting < len(queue):
        workers.append(_Worker.start(pool.work))
        starting += 1


def _prepare(pool: Tasks[Any, Any], workers: "list[_Worker]") -> None:
    """Gives idle workers the same long task, so that they are ready for its follow-up tasks."""
    now = time.monotonic()
    long = [worker.task for worker in workers if worker.leads(pool) and worker.since + _LONG <= now]
    for task in long:
        for worker in workers:
            if worker.idle and worker.task is not task:
                worker.give(task, Limits(pool.timeout, pool.memory), follows=True)
    while long and len(workers) < pool.jobs:
        workers.append(_Worker.start(pool.work))


def _reported(pool: Tasks[Any, Any], workers: "Sequence[_Worker]") -> "list[_Worker]":
    """Returns the workers that report, or that exceed a limit without reacting; none where a task begins to
    take long.
    """
    now = time.monotonic()
    moments = [worker.since + _LONG for worker in workers if worker.leads(pool) and worker.since + _LONG > now]
    moments += [now + _LOOK for worker in workers if worker.busy and not worker.limits.are_none]
    left = None if not moments else max(0.0, min(moments) - now)
    speaking = wait([worker.connection for worker in workers], left)
    return [worker for worker in workers if worker.connection in speaking or worker.is_over()]


@dataclass(frozen=True, slots=True)
class _Ready:
    """The first message of a process."""


@dataclass(slots=True)
class _Worker:
    """A process that runs one task after another. It is `ready` once it has loaded its modules.

    It `follows` where another worker runs the same task, and its own result is discarded.
    """

    process: BaseProcess
    connection: Connection
    places: Places
    ready: bool = False
    busy: bool = False
    task: Any = field(default=None)
    limits: Limits = field(default_factory=Limits)
    since: float = 0.0
    watch: Watch | None = None
    follows: bool = False

    @staticmethod
    def start(work: Callable[[Any], Any]) -> "_Worker":
        # A copy has loaded all that this process has; where none can be made, a new one loads it again.
        copies = sys.platform == "linux" and can_fork()
        context: Any = multiprocessing.get_context("fork" if copies else "spawn")
        ours, theirs = context.Pipe()
        places = Places(mmap.mmap(-1, BYTES) if copies else context.RawArray("c", BYTES))
        process = context.Process(target=_serve, args=(theirs, work, places, os.getpid()), daemon=True)
        # The parent handles interruptions, from the start: an ignored signal stays ignored in a child.
        heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
        process.start()
        signal.signal(signal.SIGINT, heeded)
        theirs.close()
        return _Worker(process, ours, places)

    @property
    def idle(self) -> bool:
        return self.ready and not self.busy

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def leads(self, pool: Tasks[Any, Any]) -> bool:
        """Returns True if others may follow."""
        return self.busy and not self.follows and pool.prepares(self.task)

    def give(self, task: Any, limits: Limits, follows: bool = False) -> None:
        self.task, self.busy, self.follows, self.since = task, True, follows, time.monotonic()
        self.limits = limits
        self.watch = None if limits.are_none else Watch.of(self.process.pid or 0, limits)
        self.connection.send((task, limits))

    def is_over(self) -> bool:
        """Returns True if the process also had the time to report an exceeded limit."""
        return self.busy and self.watch is not None and self.watch.reason() is not None

    def take(self) -> Any:
        """Returns the message of the process; Expired without a message, Crashed if it has ended."""
        if not self.connection.poll():
            reason = None if self.watch is None else self.watch.reason()
            self.end()
            return Expired.of(OutOfTime(self.limits.seconds or 0.0, reason, self.places.last()))
        try:
            result = self.connection.recv()
        except (EOFError, OSError):
            self.end()
            if not self.ready:
                raise RuntimeError(f"a process could not be started: exit code {self.process.exitcode}") from None
            return Crashed(f"its process ended with {exit_text(self.process.exitcode or 0)}{self.places}")
        if isinstance(result, _Ready):
            self.ready = True
        else:
            self.busy, self.follows = False, False
        return result

    def end(self) -> None:
        if self.busy:
            kill_below(self.process.pid or 0)
        self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection, work: Callable[[Any], Any], places: Places, parent: int) -> None:
    """Runs a worker process."""
    end_with(parent)
    follow(places.tell)
    connection.send(_Ready())
    while True:
        try:
            task, limits = connection.recv()
        except EOFError:
            return
        try:
            with alarm(limits.seconds, limits.bytes):
                result: object = work(task)
        except OutOfTime as over:
            result = Expired.of(over)
        except MemoryError:
            result = Expired(limits.seconds or 0.0, places.last(), NO_MEMORY)
        except Exception as error:
            result = Crashed(f"{type(error).__name__}: {error}")
        connection.send(result)
