"""`--timeout` and `--memory` of the verbs that answer one question.

A copy of this process, made before any loading, runs the command line, and this process watches the usage of the copy.
In the copy an alarm interrupts the work, which knows its current place. isl and compiled code hold the interpreter
while they work: this process ends a copy that does not react to the alarm, and reports it.
"""

import atexit
import functools
import mmap
import os
import select
import signal
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

import click

from alphaz.cli.config import options
from alphaz.cli.output import INTERNAL, INTERRUPTED, progress, show_error_findings
from alphaz.diagnostics import NOWHERE, Diagnostic, Label
from alphaz.diagnostics.rules import INTERNAL as INTERNAL_RULE
from alphaz.diagnostics.work_limits import NO_MEMORY, OutOfTime, alarm, follow, working_at
from alphaz.processes.copies import can_fork, end_with, exit_text, fork
from alphaz.processes.watch import BYTES, GRACE, Places, Watch, kill_below
from alphaz.usage import Limits, memory_of_machine

READING, PROVING, MEASURING = 60.0, 600.0, 10_800.0
"""Seconds by default: of verbs that read, of those that prove, and of those that execute programs again and again."""

_MEMORY = 8_000_000_000
# The largest share of the machine's memory for one command.
_SHARE = 0.75

# Seconds of processor time, and bytes; 0: no limit.
_LIMITS = struct.Struct("dd")

# Seconds between two checks of the copy; delay before an interruption is forwarded to it.
_LOOK, _SEND = 0.1, 0.5

F = TypeVar("F", bound=Callable[..., object])


@dataclass(slots=True)
class _Attendance:
    """The memory shared with the watching process, where there is one; the limit that ended a copy."""

    memory: mmap.mmap | None = None
    over: OutOfTime | None = None


_ATTENDANCE = _Attendance()


def limit_options(seconds: float, what: str) -> tuple[Callable[[F], F], ...]:
    """Returns --timeout and --memory, with their defaults; `what` is the limited work."""
    positive = click.FloatRange(0, min_open=True)
    return (
        click.option(
            "--timeout",
            type=positive,
            metavar="SECONDS",
            help=f"Processor time that {what} may take; then it is undecided ({seconds:g}).",
        ),
        click.option(
            "--memory",
            type=positive,
            metavar="GB",
            help=f"Memory that {what} may take; then it is undecided ({_MEMORY / 1e9:g}, on small machines less).",
        ),
    )


def chosen_limits(timeout: float | None, memory: float | None, seconds: float) -> Limits:
    """Returns the limits of the command line, else of the project, else the defaults."""
    settings = options()
    return Limits(timeout or settings.timeout or seconds, bytes_of(memory or settings.memory))


def bytes_of(gigabytes: float | None) -> int:
    """Returns the bytes; for None those of the default."""
    if gigabytes is not None:
        return int(gigabytes * 1e9)
    whole = memory_of_machine()
    return _MEMORY if whole is None else min(_MEMORY, int(_SHARE * whole))


def limited_to(seconds: float) -> Callable[[F], F]:
    """Returns --timeout and --memory: at the limit the verb ends, undecided."""

    def decorated(function: F) -> F:
        @functools.wraps(function)
        def bounded(*value: object, timeout: float | None, memory: float | None, **named: object) -> object:
            with bounding(chosen_limits(timeout, memory, seconds)):
                return function(*value, **named)

        for option in reversed(limit_options(seconds, "it")):
            bounded = option(bounded)
        return bounded  # type: ignore[return-value]

    return decorated


limited = limited_to(PROVING)


@contextmanager
def bounding(limits: Limits) -> Iterator[None]:
    """Raises OutOfTime where the work inside exceeds the limits, which are in force until the process ends."""
    if _ATTENDANCE.over is not None:
        raise _ATTENDANCE.over
    if _ATTENDANCE.memory is not None:
        _ATTENDANCE.memory[BYTES:] = _LIMITS.pack(limits.seconds or 0.0, limits.bytes or 0)
    verb = click.get_current_context().info_name
    with alarm(limits.seconds, limits.bytes), working_at(NOWHERE, f"what the result of `alphaz {verb}` is"):
        yield


def attend() -> None:
    """Continues in a copy of this process. This process ends with the copy's exit code, unless the copy is ended for a
    limit: then it continues itself, and `bounding` raises OutOfTime.
    """
    if not can_fork():
        return
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    memory, parent = mmap.mmap(-1, BYTES + _LIMITS.size), os.getpid()
    parent_end, child_end = os.pipe()
    heeded = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    copy = fork()
    if copy == 0:
        os.close(parent_end)
        end_with(parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, heeded)
        _ATTENDANCE.memory = memory
        follow(Places(memory).tell)
        return
    os.close(child_end)
    _ATTENDANCE.over = _Copy(copy, parent_end, memory).attended(heeded)
    os.close(parent_end)


def leave(code: object) -> None:
    """Ends a copy immediately, without finalisation."""
    if _ATTENDANCE.memory is not None and isinstance(code, int):
        sys.stdout.flush()
        sys.stderr.flush()
        atexit._run_exitfuncs()
        os._exit(code)


@dataclass(slots=True)
class _Copy:
    """The copy of this process, the reading end of a pipe that closes with it, and the shared memory."""

    process: int
    connection: int
    memory: mmap.mmap
    interrupted: float | None = None
    is_sent: bool = False

    def attended(self, heeded: set[int | signal.Signals]) -> OutOfTime:
        """Returns the limit that the copy exceeds without reacting; otherwise ends this process with the copy's exit
        code.
        """
        before = signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGTERM, self._terminate)
        signal.pthread_sigmask(signal.SIG_SETMASK, heeded)
        watch: Watch | None = None
        while True:
            select.select([self.connection], [], [], _LOOK)
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process != 0:
                over = self._ended(os.waitstatus_to_exitcode(status))
                break
            self._pass_on()
            limits = self._limits()
            if watch is None and not limits.are_none:
                watch = Watch.of(self.process, limits)
            reason = None if watch is None else watch.reason()
            if reason is not None:
                self._kill()
                over = OutOfTime(limits.seconds or 0.0, reason, self._places.last())
                break
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        return over

    def _limits(self) -> Limits:
        seconds, most = _LIMITS.unpack(self.memory[BYTES:])
        return Limits(seconds or None, most or None)

    @property
    def _places(self) -> Places:
        return Places(self.memory)

    def _pass_on(self) -> None:
        """Passes an interruption to the copy; from a terminal the copy receives it as well."""
        waited = 0.0 if self.interrupted is None else monotonic() - self.interrupted
        if waited > GRACE:
            self._kill()
            os._exit(INTERRUPTED)
        if waited > _SEND and not self.is_sent:
            self.is_sent = True
            os.kill(self.process, signal.SIGINT)

    def _ended(self, code: int) -> OutOfTime:
        if code >= 0:
            os._exit(code)
        if code == -signal.SIGKILL:
            return OutOfTime(0.0, NO_MEMORY, self._places.last())
        if -code in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            os._exit(128 - code)
        progress("")
        message = f"an internal error, not a verdict: its process ended with {exit_text(code)}{self._places}"
        remedy = "please report this with the program and the script"
        show_error_findings([Diagnostic(INTERNAL_RULE, message, Label(NOWHERE), help=remedy)])
        os._exit(INTERNAL)

    def _kill(self) -> None:
        kill_below(self.process)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def _interrupt(self, *_: object) -> None:
        self.interrupted = self.interrupted or monotonic()

    def _terminate(self, *_: object) -> None:
        self._kill()
        os._exit(128 + signal.SIGTERM)
