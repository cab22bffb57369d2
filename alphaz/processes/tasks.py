"""Tasks that may have limits each, and what comes of one besides a result."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from alphaz.diagnostics.deadline import OutOfTime, Unfinished
from alphaz.usage import said_of_time

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Expired:
    """A limit was reached: that of time, or another, for this `reason`; `at` is where the work was then, where that is
    known."""

    seconds: float
    at: Unfinished | None = None
    reason: str = ""

    @staticmethod
    def of(over: OutOfTime) -> "Expired":
        is_time = over.reason == said_of_time(over.seconds)
        return Expired(over.seconds, over.at, "" if is_time else over.reason)

    @property
    def limit(self) -> str:
        """In words."""
        return self.reason or said_of_time(self.seconds)


@dataclass(frozen=True, slots=True)
class Crashed:
    """The work raised an exception, or its process ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tasks(Generic[T, R]):
    """`work` is a function of a module (it must reach other processes); `follow` is told of each result, and says which
    tasks there are in turn.

    `timeout` is in seconds of processor time, for each task, of which those that are `spent` count, and `memory` in
    bytes; None: what it takes. Where a task `prepares` for those that follow from it, processes that have nothing to do
    do it too, once it takes long.
    """

    work: Callable[[T], R]
    follow: Callable[[T, Any], Iterable[T]] = lambda _, __: ()
    jobs: int = 1
    timeout: float | None = None
    memory: int | None = None
    spent: Callable[[T], float] = lambda _: 0.0
    prepares: Callable[[T], bool] = lambda _: False
