"""Watches another process: its resource usage, and whether it exceeds its limits without reacting."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from alphaz.usage import Limits, Usage, descendants, usage

GRACE = 5.0
"""Seconds for an interrupted process to report."""

# Memory grows while isl works: beyond this multiple of the limit, the process is ended immediately.
_FACTOR = 1.2


@dataclass(slots=True)
class Watch:
    """A process with its limits. The time counts from `since` (in processor time) and `begun` (wall clock) on."""

    process: int
    limits: Limits
    since: float
    begun: float

    @staticmethod
    def of(process: int, limits: Limits) -> "Watch":
        used = usage(process)
        return Watch(process, limits, used.seconds if used is not None else 0.0, monotonic())

    def reason(self) -> str | None:
        """Returns the exceeded limit as text, where the process has not reported it in time."""
        used, clock = usage(self.process), monotonic() - self.begun
        if used is None:
            # Where the system does not report the usage of other processes, the wall clock counts.
            used = Usage(self.since + clock, 0, 0)
        return self.limits.exceeded(used, self.since + GRACE, _FACTOR) or self.limits.exceeded_by_the_clock(clock)


def kill_below(process: int) -> None:
    """Ends all descendants of a process."""
    for descendant in list(descendants(process)):
        with suppress(OSError):
            os.kill(descendant, signal.SIGKILL)
