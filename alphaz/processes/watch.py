"""Another process, watched: the place in the user's texts where it works, and its usage of time and memory.

Places are in shared memory, which survives the end of a process that hangs or crashes.
"""

import os
import signal
from contextlib import suppress
from ctypes import Array, c_char
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from time import monotonic

from alphaz.diagnostics import NOWHERE, Source, Span
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.diagnostics.work_limits import Unfinished
from alphaz.usage import Limits, Usage, descendants, usage

BYTES = 1000
GRACE = 5.0
"""Seconds for an interrupted process to report."""

# Memory grows while isl works: beyond this multiple of the limit, the process is ended immediately.
_FACTOR = 1.2


@dataclass(frozen=True, slots=True)
class Places:
    """The last reported place; `memory` are `BYTES` bytes that two processes share."""

    memory: mmap | Array[c_char]

    def tell(self, at: Unfinished | None) -> None:
        """Reports a place, in the working process."""
        fields = (
            () if at is None else (at.span, at.span.start, at.span.end, at.span.source.name, at.question, at.remedy)
        )
        content = "\0".join(map(str, fields)).encode()[:BYTES]
        self.memory[:BYTES] = content + bytes(BYTES - len(content))

    def last(self) -> Unfinished | None:
        """Returns the last place, in the other process, after the working one has ended."""
        match self._last():
            case [_, start, end, name, question, remedy]:
                return Unfinished(_span(name, int(start), int(end)), question, remedy)
        return None

    def __str__(self) -> str:
        """Returns the place as text, to follow a comma; empty where none was reported."""
        match self._last():
            case [where, _, _, _, question, _]:
                place = "" if where == str(NOWHERE) else f" ({where})"
                return f", while it was to be found out {question}{place}"
        return ""

    def _last(self) -> list[str]:
        with memoryview(self.memory) as view:
            return view[:BYTES].tobytes().rstrip(b"\0").decode("utf-8", "ignore").split("\0")


def _span(name: str, start: int, end: int) -> Span:
    try:
        return Span(Source(name, read_text(Path(name))), start, end)
    except Unreadable:
        return NOWHERE


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
