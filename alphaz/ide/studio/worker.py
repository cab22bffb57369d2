"""The loop of a process that answers requests of the page, with limits of time and memory."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import isfinite
from multiprocessing.connection import Connection
from pathlib import Path

from alphaz.diagnostics import Rejected
from alphaz.diagnostics.work_limits import NO_MEMORY, OutOfTime, alarm
from alphaz.ide.studio.analysis import StudioState
from alphaz.ide.studio.answers import answers, failure
from alphaz.ide.studio.confinement import confine, executing
from alphaz.ide.studio.request import CANCEL, LAST, READY, StudioRequest, request_of
from alphaz.run.compiler import find_compiler
from alphaz.run.machine import machine
from alphaz.scripting.commands.catalogue import commands
from alphaz.usage import Limits


class Outdated(BaseException):
    """The server does not want the answers any more. No `Exception`: the work must not continue after this."""


@dataclass(slots=True)
class _Interruption:
    """The handler of the server's signal, which does nothing between two requests."""

    is_working: bool = False

    def __call__(self, *_: object) -> None:
        if self.is_working:
            self.is_working = False
            raise Outdated


def work(connection: Connection, folder: str, limits: Limits) -> None:
    """Receives requests, sends answers, and an empty message after the last one."""
    commands()
    confinement = confine(folder, _find_tools)
    judged = StudioState()
    place = Path(folder, str(os.getpid()))
    interruption = _Interruption()
    if CANCEL is not None:
        signal.signal(CANCEL, interruption)
    connection.send_bytes(READY)
    with suppress(EOFError, OSError):
        while True:
            request = request_of(connection.recv_bytes())
            _fill(place, request)
            try:
                interruption.is_working = True
                with executing(confinement, request.executes):
                    _answer(connection, request, judged, limits, f"{place.resolve()}{os.sep}")
            except Outdated:
                judged.files = {}
            finally:
                interruption.is_working = False
            connection.send_bytes(LAST)


def _find_tools() -> None:
    """Finds a C compiler by a program of its own; the process remembers it."""
    with suppress(Rejected):
        find_compiler()
        machine()


def _fill(place: Path, request: StudioRequest) -> None:
    """Makes the texts the files of the working folder, which has no others then."""
    os.chdir(place.parent)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for name, text in request.files.items():
        (place / name).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    os.chdir(place)


@contextmanager
def _whole() -> Iterator[None]:
    """Holds back alarms and the signal of the server: a message that is sent in part would spoil the next ones."""
    if CANCEL is None:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGALRM, CANCEL))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _text(value: object) -> str:
    """JSON, in which infinite numbers and those that are none are texts."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), separators=(",", ":"))


def _finite(value: object) -> object:
    match value:
        case dict():
            return {key: _finite(part) for key, part in value.items()}
        case list() | tuple():
            return [_finite(part) for part in value]
        case float() if not isfinite(value):
            return str(value)
    return value


def _answer(connection: Connection, request: StudioRequest, judged: StudioState, limits: Limits, prefix: str) -> None:
    def send(value: object) -> None:
        # The page knows its texts by their names alone.
        message = _text(value).replace(prefix, "").encode()
        with _whole():
            connection.send_bytes(message)

    try:
        with alarm(limits.seconds, limits.bytes):
            for value in answers(request, judged):
                send(value)
    except OutOfTime as over:
        judged.files = {}
        send(_over(over))
    except MemoryError:
        judged.files = {}
        send({"event": "limit", "reason": NO_MEMORY})
    except Exception as error:
        judged.files = {}
        send(failure(error))


def _over(over: OutOfTime) -> object:
    question = "" if over.at is None else over.at.question
    return {"event": "limit", "reason": over.reason, "question": question}
