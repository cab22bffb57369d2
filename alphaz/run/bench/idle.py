"""Waits until other processes leave processors idle: a busy machine measures itself."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from alphaz.processes.copies import cores

LIMIT = 30.0
"""Seconds of waiting by default."""
# Seconds of one look, and the share of a processor that other processes may use.
_LOOK, _ALLOWED = 0.25, 0.2
_STATISTICS = Path("/proc/stat")


@dataclass(frozen=True, slots=True)
class Idleness:
    """The seconds of waiting, and the number of processors that other processes kept busy at the end."""

    waited: float
    busy: float
    is_idle: bool

    def remark(self) -> str | None:
        """Returns a sentence if the machine was busy, or has been."""
        if not self.is_idle:
            return (
                f"other processes keep {self.busy:.1f} of {cores()} processors busy, also after {self.waited:.0f} s of "
                "waiting: the times are not reliable"
            )
        return f"waited {self.waited:.0f} s for idle processors" if self.waited >= 1 else None


def wait_until_idle(threads: int, limit: float, watch: Callable[[str], None]) -> Idleness:
    """Waits until so many processors are idle, or all, for `limit` seconds at most; calls `watch` with a text."""
    begun = time.monotonic()
    needed = min(threads, cores())
    while True:
        busy = busy_processors(_LOOK)
        is_idle = cores() - busy >= needed - _ALLOWED
        waited = time.monotonic() - begun
        if is_idle or waited >= limit:
            return Idleness(0.0 if waited < 2 * _LOOK else waited, busy, is_idle)
        watch(f"waiting for idle processors, {busy:.1f} are busy")


def busy_processors(seconds: float) -> float:
    """Returns the number of processors that are busy while this process sleeps so many seconds, those that the host
    withholds included; the load of the last minute where the system has no statistics.
    """
    before = _ticks()
    if before is None:
        return min(os.getloadavg()[0], float(cores())) if hasattr(os, "getloadavg") else 0.0
    time.sleep(seconds)
    after = _ticks() or before
    total = sum(after) - sum(before)
    waiting = sum(after[3:5]) - sum(before[3:5])
    return 0.0 if total <= 0 else cores() * (total - waiting) / total


def _ticks() -> tuple[int, ...] | None:
    """Returns ticks of all processors: user, nice, system, idle, waiting for input, interrupts, .., withheld."""
    try:
        first = _STATISTICS.read_text(encoding="utf-8").splitlines()[0].split()
    except (OSError, IndexError):
        return None
    return tuple(int(word) for word in first[1:9])
