"""Tasks that may have a deadline each, and what comes of one besides a result."""

from collections.abc import Callable, Iterable
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
class Tasks(Generic[T, R]):
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
