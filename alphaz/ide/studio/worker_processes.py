"""Processes that answer requests of the page; outdated work is ended with its process."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic

from alphaz.ide.studio.request import CANCEL, LAST, READY
from alphaz.lazy import lazy_import
from alphaz.processes.pool import WorkerProcess
from alphaz.processes.watch import Watch, kill_below
from alphaz.usage import Limits, usage

# Most processes that work at a time.
_MOST = 4
# Seconds between two checks of the usage of a process.
_LOOK = 0.2
# Seconds for interrupted work to end.
_GRACE = 0.5


def _work(connection: Connection, folder: str, limits: Limits) -> None:
    """The process loads what its work needs; the server does without."""
    lazy_import("alphaz.ide.studio.worker").work(connection, folder, limits)


@dataclass(slots=True)
class _Process:
    process: WorkerProcess
    is_ready: bool = False


@dataclass(slots=True)
class ProofProcesses:
    """The processes of a studio, which work in `folder`; call `end` at its end. At least `kept` processes work
    or wait."""

    folder: Path
    limits: Limits
    kept: int = 2
    _alive: int = 0
    _idle: list[_Process] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_MOST))
    # A process ends with the thread that has started it: all are started by one that stays.
    _starter: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def start(self) -> None:
        """Starts loading modules, where too few processes wait for work."""
        with self._lock:
            is_missing = self._alive < self.kept
        if is_missing:
            self._starter.submit(self._add)

    def _add(self) -> None:
        started = self._started()
        with self._lock:
            self._idle.insert(0, started)

    def _started(self) -> _Process:
        with self._lock:
            self._alive += 1
        return _Process(WorkerProcess.spawned(_work, str(self.folder), self.limits))

    def ask(self, request: bytes, client: socket.socket) -> Iterator[bytes]:
        """Yields the answers, a JSON text each. The process is ended if the client closes its connection, and at the
        limits."""
        while not self._free.acquire(timeout=_LOOK):
            if wait([client], 0):
                return
        has_ended = False
        worker = self._starter.submit(self._taken).result()
        try:
            for message in self._messages(worker, request, client):
                if message == LAST:
                    has_ended = True
                    break
                yield message
        finally:
            if (has_ended or _is_cancelled(worker)) and self._is_reusable(worker):
                with self._lock:
                    self._idle.append(worker)
            else:
                _end(worker)
                with self._lock:
                    self._alive -= 1
                self.start()
            self._free.release()

    def _is_reusable(self, worker: _Process) -> bool:
        """Returns True if the process has most of its memory left for the next request."""
        used = usage(worker.process.number)
        return self.limits.bytes is None or (used is not None and used.bytes < self.limits.bytes / 2)

    def _taken(self) -> _Process:
        """Returns the process that worked last, which may know the texts; else a new one."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._started()

    def _messages(self, worker: _Process, request: bytes, client: socket.socket) -> Iterator[bytes]:
        connection = worker.process.connection
        watch: Watch | None = None
        try:
            connection.send_bytes(request)
            while True:
                if worker.is_ready and watch is None:
                    watch = Watch.of(worker.process.number, self.limits)
                ready = wait([connection, client], _LOOK)
                if client in ready:
                    return
                if connection in ready:
                    message = connection.recv_bytes()
                    if message == READY:
                        worker.is_ready = True
                        self.start()
                    else:
                        yield message
                elif watch is not None and (reason := watch.reason()) is not None:
                    yield json.dumps({"event": "limit", "reason": reason, "question": ""}).encode()
                    return
        except (EOFError, OSError):
            yield json.dumps({"event": "failed", "reason": "the process of the work has ended"}).encode()

    def end(self) -> None:
        """Ends all processes that wait."""
        self._starter.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            for worker in self._idle:
                _end(worker)
            self._idle.clear()


def _is_cancelled(worker: _Process) -> bool:
    """Interrupts the work, and returns True if the process is ready for the next one: to load another takes longer."""
    if CANCEL is None or not worker.is_ready:
        return False
    end = monotonic() + _GRACE
    try:
        os.kill(worker.process.number, CANCEL)
        kill_below(worker.process.number)
        while (left := end - monotonic()) > 0 and worker.process.connection.poll(left):
            if worker.process.connection.recv_bytes() == LAST:
                return True
    except (EOFError, OSError):
        pass
    return False


def _end(worker: _Process) -> None:
    kill_below(worker.process.number)
    worker.process.end()
