"""Chooses the formatter of a file by the ending of its name."""

from collections.abc import Callable
from pathlib import Path

from alphaz.diagnostics import Source
from alphaz.lazy import lazy_import
from alphaz.syntax.formatting import format_program, format_script

Formatter = Callable[[Source], str]


def _format_kernel(source: Source) -> str:
    """Returns a kernel in the one layout; its grammar is loaded for kernels alone."""
    format_: Formatter = lazy_import("alphaz.frontends.matrix.formatting").format_kernel
    return format_(source)


_FORMATTERS: dict[str, Formatter] = {
    ".ab": format_program,
    ".alpha": format_program,
    ".cs": format_script,
    ".m": _format_kernel,
}


def formatter_of(name: str) -> Formatter | None:
    """Returns the formatter of a file, which raises Rejected where it cannot be parsed; None for other kinds."""
    return _FORMATTERS.get(Path(name).suffix)
