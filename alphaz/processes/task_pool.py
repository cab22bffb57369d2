"""Runs tasks here, or in several processes (`alphaz.processes.workers`)."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from alphaz.lazy import lazy_import
from alphaz.processes.tasks import Crashed, Expired, Tasks

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Pool(Tasks[T, R]):
    """Runs the tasks."""

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        """Yields each task with its result, as it comes. Follow-up tasks are run before waiting ones.

        Without limits and with one job the work runs in this process, and its exceptions are raised here.
        """
        queue = deque(tasks)
        if self.jobs == 1 and self.timeout is None and self.memory is None:
            return self._here(queue)
        found: Iterator[tuple[T, R | Expired | Crashed]]
        found = lazy_import("alphaz.processes.workers").run(self, queue)
        return found

    def _here(self, queue: deque[T]) -> Iterator[tuple[T, R | Expired | Crashed]]:
        while queue:
            task = queue.popleft()
            result = self.work(task)
            queue.extendleft(reversed(list(self.follow(task, result))))
            yield task, result
