"""Processor time and memory of a process and its descendants, and the limits of both.

The numbers come from `/proc`. Where there is none, the time is that of the calling process alone.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from alphaz.lazy import lazy_import

# With more memory than this, pages that processes share are not counted several times.
_LARGE = 1 << 30
# Processor time may pass more slowly than the clock by so much, on a machine that does much else.
_PATIENCE = 20
# Of a limit of the address space (`ulimit -v`), the part that may be used: beyond, libraries fail one by one.
_PART = 0.85


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of processor time and bytes of memory of a process and its descendants; `address` are the bytes of the
    address space of the process alone.
    """

    seconds: float
    bytes: int
    address: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of processor time and bytes of memory; None: no limit."""

    seconds: float | None = None
    bytes: int | None = None

    @property
    def are_none(self) -> bool:
        return self.seconds is None and self.bytes is None

    def exceeded(self, used: Usage, since: float = 0.0, factor: float = 1.0) -> str | None:
        """Returns the exceeded limit as text, where there is one. The time counts from `since` on; `factor` is for a
        watching process.
        """
        if self.seconds is not None and used.seconds - since > self.seconds:
            return time_limit_reason(self.seconds)
        if self.bytes is not None and used.bytes > factor * self.bytes:
            return f"the memory limit of {self.bytes / 1e9:.3g} GB is used up"
        space = _address_space()
        if space is not None and used.address > _PART * space:
            return f"the address space of {space / 1e9:.3g} GB (`ulimit -v`) is used up"
        return None

    def exceeded_by_the_clock(self, seconds: float) -> str | None:
        """Returns the same for work that waits without using processor time."""
        if self.seconds is not None and seconds > _PATIENCE * (self.seconds + 1):
            return f"{time_limit_reason(self.seconds)} {_PATIENCE} times over, by the clock"
        return None


def time_limit_reason(seconds: float) -> str:
    return f"the time limit of {seconds:g} s is used up"


def usage(process: int | None = None) -> Usage | None:
    """Returns the usage of a process (default: this one) and its descendants; None where it is unknown."""
    process = process or os.getpid()
    processes = {
        descendant: one
        for descendant in (process, *descendants(process))
        if (one := _usage_of_one(descendant)) is not None
    }
    if process not in processes:
        return Usage(time.process_time(), 0, 0) if process == os.getpid() else None
    memory = sum(process_.bytes for process_ in processes.values())
    if len(processes) > 1 and memory > _LARGE:
        memory = sum(_share(process, one.bytes) for process, one in processes.items())
    return Usage(sum(process_.seconds for process_ in processes.values()), memory, processes[process].address)


def descendants(process: int) -> Iterator[int]:
    """Yields all descendants of a process."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            for child in _text(f"/proc/{process}/task/{thread}/children").split():
                yield int(child)
                yield from descendants(int(child))


def memory_of_machine() -> int | None:
    """Returns the bytes of memory; those of the control group, where it has fewer."""
    if not hasattr(os, "sysconf"):
        return None
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            memory = min(memory, int(_text(name)))
    return memory


def _usage_of_one(process: int) -> Usage | None:
    """Returns the usage of one process, including the time of its children that have ended."""
    with suppress(OSError, ValueError, IndexError):
        # The name of the program stands in parentheses, and may have any characters.
        fields = _text(f"/proc/{process}/stat").rpartition(")")[2].split()
        tick = os.sysconf("SC_CLK_TCK")
        own, others = (sum(map(int, fields[at : at + 2])) / tick for at in (11, 13))
        seconds = (time.process_time() if process == os.getpid() else own) + others
        return Usage(seconds, int(fields[21]) * os.sysconf("SC_PAGE_SIZE"), int(fields[20]))
    return None


def _share(process: int, resident: int) -> int:
    """Returns the memory of a process, with its share of shared pages."""
    with suppress(OSError, ValueError):
        for line in _text(f"/proc/{process}/smaps_rollup").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return resident


@cache
def _address_space() -> int | None:
    """Returns the limit of the address space; None where there is none."""
    if os.name != "posix":
        return None
    resource = lazy_import("resource")
    most = int(resource.getrlimit(resource.RLIMIT_AS)[0])
    return None if most == resource.RLIM_INFINITY else most


def _text(name: str) -> str:
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()
