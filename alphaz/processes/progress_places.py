"""The current place of another process's work, in shared memory: it survives the end of a process that hangs or
crashes.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alphaz.diagnostics import NOWHERE, Source, Span
from alphaz.diagnostics.deadline import Unfinished
from alphaz.diagnostics.user_files import Unreadable, read_text

BYTES = 1000


@dataclass(frozen=True, slots=True)
class Places:
    """The last reported place; `memory` are `BYTES` bytes that two processes share."""

    memory: Any

    def tell(self, at: Unfinished | None) -> None:
        """Reports a place, in the working process."""
        said = () if at is None else (at.span, at.span.start, at.span.end, at.span.source.name, at.question)
        content = "\0".join(map(str, said)).encode()[:BYTES]
        self.memory[:BYTES] = content + bytes(BYTES - len(content))

    def last(self) -> Unfinished | None:
        """Returns the last place, in the other process, after the working one has ended."""
        match self._last():
            case [_, start, end, name, question]:
                return Unfinished(_span(name, int(start), int(end)), question)
        return None

    def __str__(self) -> str:
        """Returns the place as text, to follow a comma; empty where none was reported."""
        match self._last():
            case [where, _, _, _, question]:
                return f", while it was to be found out {question} ({where})"
        return ""

    def _last(self) -> list[str]:
        return bytes(self.memory[:BYTES]).rstrip(b"\0").decode("utf-8", "ignore").split("\0")


def _span(name: str, start: int, end: int) -> Span:
    try:
        return Span(Source(name, read_text(Path(name))), start, end)
    except Unreadable:
        return NOWHERE
