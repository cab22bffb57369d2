"""C sources -> a shared library in this process."""

import ctypes
import tempfile
from collections.abc import Sequence
from pathlib import Path

from alphaz.codegen.sources import Sources
from alphaz.execution.compiler import Compiler
from alphaz.execution.files import write_sources
from alphaz.execution.process import run

# Integers wrap around and no multiplication is fused with an addition: the values are those of the interpreter.
MEANING = ("-std=c11", "-fwrapv", "-ffp-contract=off")

_SECONDS = 300


class NotCompiled(Exception):
    """The compiler or the loader refused; the text is what it said."""

    def first_lines(self, count: int = 6) -> tuple[str, ...]:
        """From the first line that tells of an error."""
        lines = [line for line in str(self).splitlines() if line.strip()]
        telling = next((at for at, line in enumerate(lines) if "error" in line or "undefined" in line), 0)
        return tuple(lines[telling : telling + count])


def load(sources: Sources, compiler: Compiler, flags: Sequence[str], include: Path | None = None) -> ctypes.CDLL:
    """Compiles all C files of `sources` in a temporary folder, loads the library, removes the folder.

    Headers are looked for in `include` too; a file of `if_absent` that lies there is the user's and is used.
    Raises NotCompiled.
    """
    with tempfile.TemporaryDirectory(prefix="alphaz-build-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        written = write_sources(_without_shadows(sources, include), folder)
        units = [str(path.relative_to(folder)) for path in written if path.suffix == ".c"]
        folders = ("-I", ".", *(("-I", str(include.resolve())) if include is not None else ()))
        command = (*compiler.command, *MEANING, *flags, *compiler.openmp_flags, "-fPIC", "-shared", *folders)
        outcome = run((*command, *units, "-o", "library.so", "-lm"), folder, _SECONDS)
        if not outcome.succeeded:
            raise NotCompiled(outcome.errors)
        try:
            return ctypes.CDLL(str(folder / "library.so"))
        except OSError as problem:
            raise NotCompiled(str(problem)) from None


def _without_shadows(sources: Sources, include: Path | None) -> Sources:
    if include is None:
        return sources
    absent = {name: text for name, text in sources.if_absent.items() if not (include / name).exists()}
    return Sources(sources.files, absent)
