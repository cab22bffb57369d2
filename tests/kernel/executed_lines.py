"""The lines of a file that some work executes."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any


def never_executed(files: Iterable[Path], work: Callable[[], None]) -> list[str]:
    """Returns the lines of the files that the work does not execute."""
    executed: dict[str, set[int]] = {str(file): set() for file in files}

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        lines = executed.get(frame.f_code.co_filename)
        if lines is None:
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return [line for name, lines in executed.items() for line in _others(Path(name), lines)]


def _others(file: Path, executed: set[int]) -> list[str]:
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    return [lines[line - 1] for line in sorted(_lines_of(compile(text, str(file), "exec")) - executed)]


def _lines_of(code: CodeType) -> set[int]:
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    own = {line for _, _, line in code.co_lines() if line}
    return own.union(*map(_lines_of, inner))
