"""Pools of worker processes that can be ended: isl holds the interpreter while it works, so that neither a signal nor a
thread can stop it.

- `Pool` runs tasks with limits of processor time and memory. An alarm interrupts a task that exceeds them; a worker
  that does not react to it is ended, and costs one task.
- `shared_out` runs numbered tasks in copies of this process, which need not receive the data of their work.
- `WorkerProcess` is one process with a connection, for users with a protocol of their own (the language server).
"""

import mmap
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from alphaz.diagnostics.work_limits import NO_MEMORY, OutOfTime, Unfinished, alarm, follow
from alphaz.processes.copies import can_fork, end_copy, end_with, exit_text, start_copy, uninterrupted
from alphaz.processes.watch import BYTES, Places, Watch, kill_below
from alphaz.usage import Limits, time_limit_reason

T = TypeVar("T")
R = TypeVar("R")

# Seconds between the starts of two workers: where there is little to do, there are few.
_PAUSE = 0.03
# Seconds after which a task takes long: other workers may then prepare for its follow-up tasks.
_LONG = 0.5
# Seconds between two checks of the usage of processes.
_LOOK = 0.2
# Seconds that even a task gets whose time is spent.
_LEAST = 0.001


@dataclass(frozen=True, slots=True)
class Expired:
    """A limit was reached: that of time, or another, for this `reason`; `at` is the current place of the work, where it
    is known.
    """

    seconds: float
    at: Unfinished | None = None
    reason: str = ""

    @staticmethod
    def of(over: OutOfTime) -> "Expired":
        is_time = over.reason == time_limit_reason(over.seconds)
        return Expired(over.seconds, over.at, "" if is_time else over.reason)

    @property
    def limit(self) -> str:
        """Returns the limit as text."""
        return self.reason or time_limit_reason(self.seconds)


@dataclass(frozen=True, slots=True)
class Crashed:
    """The work raised an exception, or its process ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pool(Generic[T, R]):
    """Runs tasks in `jobs` processes: `work` is a function of a module (other processes import it); `follow` gets each
    result, and returns follow-up tasks.

    `timeout` is in seconds of processor time for each task, including those `spent` before, and `memory` in bytes;
    None: no limit. A task that `prepares` for its follow-up tasks also runs in idle processes, once it takes long.
    """

    work: Callable[[T], R]
    follow: Callable[[T, R | Expired | Crashed], Iterable[T]] = lambda _, __: ()
    jobs: int = 1
    timeout: float | None = None
    memory: int | None = None
    spent: Callable[[T], float] = lambda _: 0.0
    prepares: Callable[[T], bool] = lambda _: False

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        """Yields each task with its result, as it comes. Follow-up tasks are run before waiting ones.

        Without limits and with one job the work runs in this process, and its exceptions are raised here.
        """
        queue = deque(tasks)
        if self.jobs == 1 and self.timeout is None and self.memory is None:
            return self._here(queue)
        # A copy has loaded all that this process has; where none can be made, a new process loads it again.
        forks = sys.platform == "linux" and can_fork()
        return _Run(self, queue, forks).results()

    def _here(self, queue: deque[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        while queue:
            task = queue.popleft()
            result = self.work(task)
            queue.extendleft(reversed(list(self.follow(task, result))))
            yield task, result


def shared_out(
    work: Callable[[int, Sequence[R]], R], tasks: Sequence[int], lost: Callable[[str], R], *, jobs: int
) -> Generator[tuple[int, R], None, None]:
    """Yields each number with its result, as it comes, computed in this many copies, which end with the generator.

    `work` gets each number with the results that arrived since its process got its last one: only these and numbers go
    through the connections, which could not transfer isl sets. If a process dies, the result of its task is `lost`,
    with the reason; an exception of the work is raised here.
    """
    pool: Pool[int, R | Exception] = Pool(partial(_caught, work), jobs=jobs)
    with closing(_Run(pool, deque(tasks), forks=True, shares=True).results()) as results:
        for task, result in results:
            if isinstance(result, Exception):
                raise result
            assert not isinstance(result, Expired)
            yield task, lost(result.reason) if isinstance(result, Crashed) else result


def _caught(work: Callable[[int, Sequence[R]], R], task: int, others: Sequence[R]) -> R | Exception:
    try:
        return work(task, others)
    except Exception as error:
        return error


@dataclass(slots=True)
class WorkerProcess:
    """A process that serves a connection until one of the two ends. It ignores interruptions, and ends with this
    process.
    """

    number: int
    connection: Connection
    _spawned: BaseProcess | None = None

    @staticmethod
    def copied(serve: Callable[[Connection], object], beside: Iterable["WorkerProcess"]) -> "WorkerProcess":
        """Returns a new copy of this process that calls `serve`; it does not hold the connections of those beside."""
        ours, theirs = multiprocessing.Pipe()

        def work() -> None:
            for connection in (ours, *(other.connection for other in beside)):
                connection.close()
            serve(theirs)

        number = start_copy(work)
        theirs.close()
        return WorkerProcess(number, ours)

    @staticmethod
    def spawned(serve: Callable[..., object], *arguments: object) -> "WorkerProcess":
        """Returns a new process that imports the module of `serve`, and calls it with a connection and these
        arguments.
        """
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_spawned, args=(os.getpid(), serve, theirs, *arguments), daemon=True)
        # From the start on: an ignored signal stays ignored in a child.
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
        try:
            process.start()
        finally:
            if is_main:
                signal.signal(signal.SIGINT, before)
        theirs.close()
        return WorkerProcess(process.pid or 0, ours, process)

    def end(self) -> int:
        """Ends the process, where it has not ended yet, and returns its exit code; that of a signal is negative."""
        if self._spawned is None:
            code = end_copy(self.number)
        else:
            self._spawned.kill()
            self._spawned.join()
            code = self._spawned.exitcode or 0
        self.connection.close()
        return code


def _spawned(parent: int, serve: Callable[..., object], *arguments: object) -> None:
    end_with(parent)
    serve(*arguments)


@dataclass(frozen=True, slots=True)
class _Ready:
    """The first message of a worker."""


@dataclass(slots=True)
class _Worker(Generic[T, R]):
    """A process that runs one task after another, once it has loaded its modules (`is_ready`).

    It `follows` where another worker runs the same task, and its own result is discarded; `told` is the number of
    results that it knows of.
    """

    process: WorkerProcess
    places: Places | None
    is_ready: bool = False
    is_busy: bool = False
    has_ended: bool = False
    task: T | None = None
    limits: Limits = field(default_factory=Limits)
    since: float = 0.0
    watch: Watch | None = None
    follows: bool = False
    told: int = 0

    @property
    def is_idle(self) -> bool:
        return self.is_ready and not self.is_busy

    def give(self, task: T, limits: Limits, *news: Sequence[R | Expired | Crashed], follows: bool = False) -> None:
        """Sends a task, and the results that the process does not know of, where it is to know them."""
        self.task, self.is_busy, self.follows, self.since = task, True, follows, time.monotonic()
        self.limits = limits
        self.watch = None if limits.are_none else Watch.of(self.process.number, limits)
        # A dead process shows by the end of the connection.
        with suppress(OSError):
            self.process.connection.send((task, limits, news))

    def is_over(self) -> bool:
        """Returns True if the process also had the time to report an exceeded limit."""
        return self.is_busy and self.watch is not None and self.watch.reason() is not None

    def take(self) -> "R | Expired | Crashed | _Ready":
        """Returns the message of the process; Expired without a message, Crashed if it has ended."""
        if not self.process.connection.poll():
            reason = None if self.watch is None else self.watch.reason()
            self.end()
            at = None if self.places is None else self.places.last()
            return Expired.of(OutOfTime(self.limits.seconds or 0.0, reason, at))
        try:
            result: R | Expired | _Ready = self.process.connection.recv()
        except (EOFError, OSError):
            code = self.end()
            if not self.is_ready:
                raise RuntimeError(f"a process could not be started: {exit_text(code)}") from None
            return Crashed(f"its process ended with {exit_text(code)}{self.places or ''}")
        if isinstance(result, _Ready):
            self.is_ready = True
        else:
            self.is_busy, self.follows = False, False
        return result

    def end(self) -> int:
        with uninterrupted():
            self.has_ended = True
            if self.is_busy:
                kill_below(self.process.number)
            return self.process.end()


@dataclass(slots=True)
class _Run(Generic[T, R]):
    """The state of a run of a pool: its workers are copies of this process where it `forks`, and hear of each other's
    results where it `shares` them.
    """

    pool: Pool[T, R]
    queue: deque[T]
    forks: bool
    shares: bool = False
    workers: list[_Worker[T, R]] = field(default_factory=list)
    known: list[R | Expired | Crashed] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def results(self) -> Generator[tuple[T, R | Expired | Crashed], None, None]:
        """Yields each task with its result, as it comes."""
        try:
            while self.queue or any(worker.is_busy and not worker.follows for worker in self.workers):
                self._assign()
                if not self.queue:
                    self._prepare()
                for worker in self._reporting():
                    task, follows, result = worker.task, worker.follows, worker.take()
                    if worker.has_ended:
                        self.workers.remove(worker)
                    if isinstance(result, _Ready) or follows or task is None:
                        continue
                    if self.shares and not isinstance(result, Crashed):
                        self.known.append(result)
                    self.queue.extendleft(reversed(list(self.pool.follow(task, result))))
                    yield task, result
        finally:
            for worker in self.workers:
                if not worker.has_ended:
                    worker.end()

    def _assign(self) -> None:
        for worker in self.workers:
            if self.queue and worker.is_idle:
                task = self.queue.popleft()
                timeout = self.pool.timeout
                left = None if timeout is None else max(timeout - self.pool.spent(task), _LEAST)
                news = [self.known[worker.told :]] * self.shares
                worker.told = len(self.known)
                worker.give(task, Limits(left, self.pool.memory), *news)
        if self._pause() == 0.0:
            self._start()

    def _pause(self) -> float | None:
        """Returns the seconds until another worker is to be started; None where none is."""
        starting = sum(not worker.is_ready for worker in self.workers)
        if len(self.workers) >= self.pool.jobs or starting >= len(self.queue):
            return None
        return max(0.0, self.begun + _PAUSE * len(self.workers) - time.monotonic())

    def _start(self) -> None:
        if not self.forks:
            places = Places(multiprocessing.get_context("spawn").RawArray("c", BYTES))
            self.workers.append(_Worker(WorkerProcess.spawned(_serve, self.pool.work, places), places))
            return
        # Processes that share their results report places where this process does.
        own = None if self.shares else Places(mmap.mmap(-1, BYTES))
        serve = partial(_serve, work=self.pool.work, places=own)
        with uninterrupted():
            process = WorkerProcess.copied(serve, [worker.process for worker in self.workers])
            self.workers.append(_Worker(process, own))

    def _leading(self) -> list[tuple[T, float]]:
        """Returns the tasks that idle workers may follow, and since when each runs."""
        busy = ((w.task, w.since) for w in self.workers if w.is_busy and not w.follows)
        return [(task, since) for task, since in busy if task is not None and self.pool.prepares(task)]

    def _prepare(self) -> None:
        """Gives idle workers the same long task, so that they are ready for its follow-up tasks."""
        now = time.monotonic()
        long = [task for task, since in self._leading() if since + _LONG <= now]
        for task in long:
            for worker in self.workers:
                if worker.is_idle and worker.task is not task:
                    worker.give(task, Limits(self.pool.timeout, self.pool.memory), follows=True)
        while long and len(self.workers) < self.pool.jobs:
            self._start()

    def _reporting(self) -> list[_Worker[T, R]]:
        """Returns the workers that report, or that exceed a limit without reacting; none where a worker is to be
        started, or a task begins to take long.
        """
        now = time.monotonic()
        active = [worker for worker in self.workers if not worker.is_idle]
        pauses = [since + _LONG - now for _, since in self._leading() if since + _LONG > now]
        pauses += [_LOOK for worker in active if not worker.limits.are_none]
        pause = self._pause()
        pauses += [] if pause is None else [pause]
        reporting = wait([worker.process.connection for worker in active], min(pauses, default=None))
        return [worker for worker in active if worker.process.connection in reporting or worker.is_over()]


def _serve(connection: Connection, work: Callable[..., object], places: Places | None) -> None:
    """Runs a worker process."""
    if places is not None:
        follow(places.tell)
    connection.send(_Ready())
    while True:
        try:
            task, limits, news = connection.recv()
        except EOFError:
            return
        try:
            with alarm(limits.seconds, limits.bytes):
                result = work(task, *news)
            connection.send(result)
        except OutOfTime as over:
            connection.send(Expired.of(over))
        except MemoryError:
            connection.send(Expired(limits.seconds or 0.0, None if places is None else places.last(), NO_MEMORY))
        except Exception as error:
            connection.send(Crashed(f"{type(error).__name__}: {error}"))
