"""A Python peer in a process of its own: its libraries, and their threads, are not those of other contestants."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import numpy as np

from alphaz.processes.copies import end_with
from alphaz.run.bench.blas_libraries import loaded_libraries, set_blas_threads
from alphaz.run.bench.blis import BlisRoutines, load_blis
from alphaz.run.bench.contest import NoPeer
from alphaz.run.bench.fork_server import LIBRARIES, OUTPUTS, ForkRequest, Shape, arrays, keep_memory
from alphaz.run.bench.python_peer import PythonPeer, python_peer


@dataclass(frozen=True, slots=True, eq=False)
class PythonJob:
    """A call of the function `peer` of a file. `inputs` are the names of the inputs of the server. `blis`: the file of
    the library whose routines it calls in place of those of SciPy, for a processor with these `instructions`.
    """

    path: Path
    parameters: Mapping[str, int]
    inputs: tuple[str, ...]
    outputs: Mapping[str, Shape]
    instructions: str
    blis: str | None = None

    def serve(self, parent: int, connection: Connection, made: int, inputs: list[np.ndarray]) -> None:
        """Serves requests until the connection closes, or the server ends: this process may be stopped then."""
        end_with(parent)
        shared = arrays(made, tuple(self.outputs.values()))
        keep_memory()
        try:
            routines = None if self.blis is None else load_blis(self.blis, self.instructions)
            call: _Call | str = _Call(self, python_peer(self.path), inputs, routines)
        except NoPeer as reason:
            call = str(reason)
        while True:
            request = connection.recv()
            if isinstance(call, str):
                connection.send(call)
            elif request == LIBRARIES:
                connection.send(loaded_libraries())
            elif request == OUTPUTS:
                connection.send(call.copy_to(shared))
            else:
                connection.send(call.timed(request))


class _Call:
    """The peer with its inputs, and the results of its last run."""

    def __init__(
        self, job: PythonJob, peer: PythonPeer, inputs: list[np.ndarray], routines: BlisRoutines | None
    ) -> None:
        for array in inputs:
            array.setflags(write=False)
        self._job, self._peer, self._routines = job, peer, routines
        self._p = SimpleNamespace(**job.parameters)
        self._v = SimpleNamespace(**dict(zip(job.inputs, inputs, strict=True)))
        self._results: Mapping[str, object] = {}

    def timed(self, request: ForkRequest) -> float | str:
        """Returns the seconds, the median of several runs where one is short, or the reason why it failed."""
        if request.threads is not None:
            set_blas_threads(request.threads)
        times: list[float] = []
        try:
            while not times or sum(times) < request.lasting:
                times.append(self._run())
        except NoPeer as reason:
            return str(reason)
        if self._routines is not None and not self._routines.calls:
            return f"{self._job.path.name} calls no routine of scipy.linalg.blas"
        return median(times)

    def _run(self) -> float:
        # The earlier results are freed first, as in a program that needs only the last result.
        self._results = {}
        v = self._peer.prepared(self._p, self._v)
        before = time.perf_counter()
        self._results = self._peer.outputs(self._p, v)
        return time.perf_counter() - before

    def copy_to(self, shared: list[np.ndarray]) -> bool | str:
        """Copies the results to these arrays, in order. Returns True, or the reason why they do not fit."""
        for (name, (shape, kind)), there in zip(self._job.outputs.items(), shared, strict=True):
            if name not in self._results:
                return f"peer() returns no `{name}`"
            array = np.asarray(self._results[name])
            if array.shape != shape:
                return f"peer() returns `{name}` of the shape {array.shape}, not {shape}"
            there[...] = array.astype(kind, copy=False)
        return True
