"""Compiled contestants in processes of their own: a crash ends only one process, and threads do not disturb
each other.
"""

import contextlib
import os
import signal
import weakref
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection

import numpy as np

from alphaz.run.bench.contest import NoPeer
from alphaz.run.bench.fork_server import OUTPUTS, ForkJob, ForkRequest, ForkServer
from alphaz.run.bench.sharing import anonymous, arrays

Arrays = Mapping[str, np.ndarray]


class Stopped(NoPeer):
    """The function has returned this status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"it returns status {status}")
        self.status = status


class Worker:
    """Runs a job in a process of its own, which is forked on the first use, and again when it has ended.

    `shown` converts the arrays of the function to those for comparison.
    """

    def __init__(self, job: ForkJob, nursery: ForkServer, shown: Callable[[Arrays], Arrays]) -> None:
        self.job = job
        self._shown = shown
        self.nursery = nursery
        self._connection: Connection | None = None
        self._stop: Callable[[], int | None] = lambda: None
        self._results: Arrays = {}

    def __call__(self, threads: int | None = None, lasting: float = 0.0) -> float:
        """Returns seconds of wall clock; where that is less than `lasting`, the median of several runs. Raises NoPeer
        with the reason if the process ended, and Stopped.
        """
        answer = self._asked(ForkRequest(threads, lasting))
        if isinstance(answer, int):
            raise Stopped(answer)
        if isinstance(answer, float):
            return answer
        raise NoPeer(str(answer))

    @property
    def outputs(self) -> Mapping[str, np.ndarray]:
        """Returns the outputs of the last run, converted, valid until the next call. Raises NoPeer."""
        self._asked(OUTPUTS)
        return self._shown(self._results)

    def _asked(self, what: object) -> object:
        try:
            if self._connection is None:
                self._connection = self._started()
            self._connection.send(what)
            return self._connection.recv()
        except (EOFError, OSError):
            self._connection, stop = None, self._stop
            raise NoPeer(_end(stop())) from None

    def _started(self) -> Connection:
        """Returns the connection of the process. Of the shared memory only the outputs are kept."""
        shapes = tuple(self.job.outputs.values())
        made = anonymous(shapes)
        try:
            self._results = dict(zip(self.job.outputs, arrays(made, shapes), strict=True))
            child, connection = self.nursery.split_off(self.job, made)
        finally:
            os.close(made)
        self._stop = weakref.finalize(self, self.nursery.end, child)
        return connection


def _end(status: int | None) -> str:
    if status is None:
        return "it cannot be started"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"it crashed ({signal.Signals(-status).name})"
    return f"it ended by itself (exit status {status})"
