"""Work of which each task may have a deadline, here or in several processes (`alphaz.cli.processes`)."""

import importlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from alphaz.diagnostics.deadline import Unfinished

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Expired:
    """The deadline passed; `at` is where the work was then, where that is known."""

    seconds: float
    at: Unfinished | None = None


@dataclass(frozen=True, slots=True)
class Crashed:
    """The work raised an exception, or its process ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pool(Generic[T, R]):
    """`work` is a function of a module (it must reach other processes); `follow` is told of each result, and says which
    tasks there are in turn.

    `timeout` is in seconds, for each task, of which those that are `spent` count; None: as long as it takes. Where a
    task `prepares` for those that follow from it, processes that have nothing to do do it too, once it takes long.
    """

    work: Callable[[T], R]
    follow: Callable[[T, Any], Iterable[T]] = lambda _, __: ()
    jobs: int = 1
    timeout: float | None = None
    spent: Callable[[T], float] = lambda _: 0.0
    prepares: Callable[[T], bool] = lambda _: False

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        """Each task with what came of it, as it comes. What follows from a task is done before what waits already.

        Without a deadline and with one job everything happens here, and an exception of the work is one of this.
        """
        queue = deque(tasks)
        if self.jobs == 1 and self.timeout is None:
            return self._here(queue)
        found: Iterator[tuple[T, R | Expired | Crashed]]
        found = importlib.import_module("alphaz.cli.processes").run(self, queue)
        return found

    def _here(self, queue: deque[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        while queue:
            task = queue.popleft()
            result = self.work(task)
            queue.extendleft(reversed(list(self.follow(task, result))))
            yield task, result
