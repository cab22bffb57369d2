"""Tasks with individual limits, and the outcomes of a task without a result."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from alphaz.diagnostics.deadline import OutOfTime, Unfinished
from alphaz.usage import said_of_time

T = TypeVar("T")
R = TypeVar("R")


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
        is_time = over.reason == said_of_time(over.seconds)
        return Expired(over.seconds, over.at, "" if is_time else over.reason)

    @property
    def limit(self) -> str:
        """Returns the limit as text."""
        return self.reason or said_of_time(self.seconds)


@dataclass(frozen=True, slots=True)
class Crashed:
    """The work raised an exception, or its process ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tasks(Generic[T, R]):
    """Tasks and their work: `work` is a function of a module (other processes import it); `follow` gets each result,
    and returns follow-up tasks.

    `timeout` is in seconds of processor time for each task, including those `spent` before, and `memory` in bytes;
    None: no limit. A task that `prepares` for its follow-up tasks also runs in idle processes, once it takes long.
    """

    work: Callable[[T], R]
    follow: Callable[[T, Any], Iterable[T]] = lambda _, __: ()
    jobs: int = 1
    timeout: float | None = None
    memory: int | None = None
    spent: Callable[[T], float] = lambda _: 0.0
    prepares: Callable[[T], bool] = lambda _: False
