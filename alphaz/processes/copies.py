"""Copies of this process (forks). They begin with all its data, isl's included, and change none of it.

`bounded` does one piece of work in a copy, which may crash or be ended: isl ignores alarms while it works. `start_copy`
and `end_copy` are for holders of several copies (`alphaz.processes.pool`). A copy ignores interruptions, because Ctrl-C
reaches all processes of a terminal: this process handles them and ends its copies.
"""

import ctypes
import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import TypeVar

T = TypeVar("T")

# The option of Linux that a process is sent a signal when its parent ends.
_WHEN_PARENT_ENDS = 1


def cores() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_fork() -> bool:
    """Returns True if this process can fork: not on Windows, and not with other threads, which a fork does not copy."""
    return hasattr(os, "fork") and threading.active_count() == 1


def bounded(work: Callable[[], T], seconds: float = inf) -> T:
    """Returns or raises the result of the work, done in a copy with this many seconds of processor time at most.

    The copy has ended before this returns. Raises TimeoutError, and ChildProcessError where the copy died for another
    reason. Where this process cannot fork, the work is done here, without a limit.
    """
    if not can_fork():
        return work()
    ours, theirs = os.pipe()
    with uninterrupted() as unblock:
        copy = start_copy(partial(_send_result, work, seconds, theirs))
        try:
            unblock()
            os.close(theirs)
            with open(ours, "rb") as connection:
                answer = connection.read()
        except BaseException:
            end_copy(copy)
            raise
        _, status = os.waitpid(copy, 0)
    return _result(answer, os.waitstatus_to_exitcode(status), seconds)


def _send_result(work: Callable[[], object], seconds: float, connection: int) -> None:
    """Runs the copy: the system ends it when its time is over."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, 0 if seconds == inf else seconds)
    try:
        answer: tuple[bool, object] = (True, work())
    except Exception as error:
        answer = (False, error)
    with open(connection, "wb") as file:
        pickle.dump(answer, file)


def _result(answer: bytes, code: int, seconds: float) -> T:  # type: ignore[type-var]
    if code == -signal.SIGPROF:
        raise TimeoutError(f"more than {seconds:g} s of processor time")
    if code != 0:
        raise ChildProcessError(f"its process ended with {exit_text(code)}")
    is_result, result = pickle.loads(answer)
    if is_result:
        value: T = result
        return value
    raise result


@contextmanager
def uninterrupted() -> Iterator[Callable[[], None]]:
    """Holds back interruptions and alarms, up to the end or the call of the function.

    Between the start of a copy and the line that knows of it, an exception would leave the copy alone.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield lambda: None
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGALRM))

    def unblock() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield unblock
    finally:
        unblock()


def start_copy(work: Callable[[], object]) -> int:
    """Returns the process number of a new copy, which does the work and ends: with exit code 1 after an exception."""
    parent = os.getpid()
    process = fork()
    if process != 0:
        return process
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGALRM))
        end_with(parent)
        work()
        code = 0
    finally:
        os._exit(code)


def end_copy(process: int) -> int:
    """Ends a copy, where it has not ended yet, and returns its exit code; that of a signal is negative."""
    os.kill(process, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def fork() -> int:
    """Returns the process number of the copy; 0 in the copy."""
    with warnings.catch_warnings():
        # Warnings about threads of libraries; the child uses no lock that they hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def exit_text(code: int) -> str:
    """Returns how a process ended, as text."""
    if code < 0 and -code in set(signal.Signals):
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def end_with(parent: int) -> None:
    """Ends this process with its parent: isl does not watch connections while it works."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_WHEN_PARENT_ENDS, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
