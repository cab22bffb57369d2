"""Forks of this process."""

import ctypes
import os
import signal
import sys
import threading
import warnings

# The option of Linux that a process is sent a signal when its parent ends.
_WHEN_PARENT_ENDS = 1


def can_fork() -> bool:
    """Returns True if this process can fork: not on Windows, and not with other threads, which a fork does not copy."""
    return hasattr(os, "fork") and threading.active_count() == 1


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
