"""Copies of this process."""

import ctypes
import os
import signal
import sys
import threading
import warnings

# The option of Linux that a process is sent a signal when its parent ends.
_WHEN_PARENT_ENDS = 1


def can_fork() -> bool:
    """Whether there is a way to copy this process: not on Windows, nor beside other threads, which a copy has not."""
    return hasattr(os, "fork") and threading.active_count() == 1


def fork() -> int:
    """The process of the copy; 0 in it."""
    with warnings.catch_warnings():
        # Of threads of libraries; the child asks for nothing that they hold.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def exit_text(code: int) -> str:
    """How a process ended."""
    if code < 0 and -code in set(signal.Signals):
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def end_with(parent: int) -> None:
    """Ends this process with its parent: isl does not look at connections while it works."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_WHEN_PARENT_ENDS, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
