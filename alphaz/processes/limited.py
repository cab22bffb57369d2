"""Runs work in a child process that may crash. The system ends the child when its time is over: isl ignores alarms
while it works.
"""

import os
import pickle
import signal
from collections.abc import Callable, Iterable
from math import inf
from typing import NoReturn, TypeVar

from alphaz.processes.copies import can_fork, exit_text, fork

T = TypeVar("T")


def bounded(work: Callable[[], T], seconds: float = inf) -> T:
    """Returns or raises the result of the work, run in a process with this many seconds of processor time at most.

    The process has ended before this returns. Raises TimeoutError, and ChildProcessError where the process died for
    another reason. Where this process cannot fork (on Windows, or with other threads), the work is done here, without
    a limit.
    """
    if not can_fork():
        return work()
    ours, theirs = os.pipe()
    # Between the start and the wait, an interruption would leave the child alone.
    heeded = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGALRM))
    child = fork()
    if child == 0:
        _serve(work, seconds, theirs, heeded)
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, heeded)
        os.close(theirs)
        with open(ours, "rb") as connection:
            answer = connection.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    return _answered(answer, os.waitstatus_to_exitcode(status), seconds)


def _serve(
    work: Callable[[], object], seconds: float, connection: int, heeded: Iterable[int | signal.Signals]
) -> NoReturn:
    """Runs the child process. An interruption of the parent ends it immediately, and so does its time limit."""
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, heeded)
        signal.setitimer(signal.ITIMER_PROF, 0 if seconds == inf else seconds)
        try:
            answer: tuple[bool, object] = (True, work())
        except Exception as error:
            answer = (False, error)
        with open(connection, "wb") as said:
            pickle.dump(answer, said)
        os._exit(0)
    finally:
        os._exit(1)


def _answered(answer: bytes, code: int, seconds: float) -> T:  # type: ignore[type-var]
    if code == -signal.SIGPROF:
        raise TimeoutError(f"more than {seconds:g} s of processor time")
    if code != 0:
        raise ChildProcessError(f"its process ended with {exit_text(code)}")
    is_result, result = pickle.loads(answer)
    if is_result:
        found: T = result
        return found
    raise result
