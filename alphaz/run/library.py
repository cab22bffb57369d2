"""Compiles C sources to a shared library in this process. Libraries are cached by content, for all processes."""

import ctypes
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

from alphaz.cache import cache_name, keep, recall
from alphaz.codegen.sources import Sources
from alphaz.codegen.toolchain import Build
from alphaz.processes.external import run
from alphaz.run.compiler import Compiler, is_telling, run_steps, units_of
from alphaz.run.files import write_sources

_SECONDS = 300
_LIBRARY = "library.so"
# An empty file: its predefined macros identify the processor of -march=native.
_NOTHING = "nothing.c"
# Bytes of compiled kernels that are kept; one has about 20,000.
_MOST_KEPT = 256 << 20


class NotCompiled(Exception):
    """The compiler or the loader failed; the text has its messages."""

    def first_lines(self, count: int = 6) -> tuple[str, ...]:
        """Returns lines from the first one with an error on."""
        lines = [line for line in str(self).splitlines() if line.strip()]
        telling = next((position for position, line in enumerate(lines) if is_telling(line)), 0)
        return tuple(lines[telling : telling + count])


def load(
    sources: Sources,
    compiler: Compiler,
    flags: Sequence[str],
    include: Path | None = None,
    *,
    meaning: Sequence[str] | None = None,
    remember: bool = True,
) -> ctypes.CDLL:
    """Compiles all C files of `sources`, as `compiled` does, and loads the library. Raises NotCompiled."""
    _, library = loadable(sources, compiler, flags, include, meaning=meaning, remember=remember)
    return library


def loadable(
    sources: Sources,
    compiler: Compiler,
    flags: Sequence[str],
    include: Path | None = None,
    *,
    meaning: Sequence[str] | None = None,
    remember: bool = True,
) -> tuple[bytes, ctypes.CDLL]:
    """Returns the content of the library, which other processes can load too, and the library loaded. Raises
    NotCompiled.
    """
    for anew in (False, True) if remember else (True,):
        content = compiled(sources, compiler, flags, include, meaning=meaning, remember=remember, anew=anew)
        try:
            return content, open_library(content)
        except OSError as problem:
            # The cached library may be damaged.
            refused = str(problem)
    raise NotCompiled(refused)


def open_library(content: bytes) -> ctypes.CDLL:
    """Loads a library. Raises OSError."""
    with tempfile.TemporaryDirectory(prefix="alphaz-build-", ignore_cleanup_errors=True) as name:
        library = Path(name, _LIBRARY)
        library.write_bytes(content)
        return ctypes.CDLL(str(library))


def set_members(library: ctypes.CDLL, setter: str, members: int) -> None:
    """Sets the number of members of a team by the function `setter`, if there is one. A library without a parallel loop
    may not be linked with it.
    """
    function = getattr(library, setter, None) if setter else None
    if function is not None:
        function.restype = None
        function(ctypes.c_int(members))


def compiled(
    sources: Sources,
    compiler: Compiler,
    flags: Sequence[str],
    include: Path | None = None,
    *,
    meaning: Sequence[str] | None = None,
    remember: bool = True,
    anew: bool = False,
    is_program: bool = False,
) -> bytes:
    """Compiles all files of `sources` in a temporary folder, and returns the content of a library, or of a program.
    `meaning` are flags instead of those of the toolchain.

    Headers are searched in `include` too; a file of `if_absent` in that folder is the user's and is used. The same
    text after preprocessing, by the same compiler, with the same flags and for the same processor, is taken from the
    cache, unless it is to be compiled `anew`; without `remember` the result is not cached. Raises NotCompiled.
    """
    with tempfile.TemporaryDirectory(prefix="alphaz-build-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        toolchain = compiler.toolchain
        more = Sources({**dict(toolchain.files), **sources.files}, sources.if_absent)
        meant = toolchain.meaning if meaning is None else meaning
        build = Build(
            compiler=compiler.command,
            flags=(*meant, *flags, *compiler.thread_flags),
            folders=("-I", ".", *(("-I", str(include.resolve())) if include is not None else ())),
            units=units_of(toolchain, write_sources(_without_shadows(more, include), folder), folder),
            output=_LIBRARY,
            libraries=toolchain.libraries,
            is_program=is_program,
        )
        title = _title(compiler, build, folder) if remember else None
        cached = recall(title) if title is not None and not anew else None
        if cached is not None:
            return cached
        outcome = run_steps(toolchain, build, folder, _SECONDS)
        if not outcome.succeeded:
            raise NotCompiled(outcome.errors)
        content = (folder / _LIBRARY).read_bytes()
        if title is not None:
            keep(title, content, _MOST_KEPT)
        return content


def _title(compiler: Compiler, build: Build, folder: Path) -> str | None:
    """Returns the name of the library in the cache; None where the preprocessor fails.

    The folders of headers are no part of the name: the preprocessed text has their content. The place of the compiler
    is: what `mpicc` makes refers to the libraries beside it.
    """
    preprocess = (*build.compiler, *build.flags)
    texts = [run((*preprocess, *build.folders, "-E", "-P", unit), folder, _SECONDS) for unit in build.units]
    try:
        texts_and_macros = (_predefined_macros(compiler, preprocess), *(outcome.output for outcome in texts))
    except NotCompiled:
        return None
    if not all(outcome.succeeded for outcome in texts):
        return None
    steps = compiler.toolchain.steps(replace(build, folders=()))
    place = shutil.which(compiler.command[0]) or ""
    return cache_name("kernel", (compiler.version, place, "\0".join(chain(*steps)), *texts_and_macros))


@lru_cache(maxsize=64)
def _predefined_macros(compiler: Compiler, preprocess: tuple[str, ...]) -> str:
    """Returns the macros that the compiler predefines with these flags: they tell the processor. Raises NotCompiled."""
    with tempfile.TemporaryDirectory(prefix="alphaz-build-", ignore_cleanup_errors=True) as name:
        Path(name, _NOTHING).write_text("", encoding="utf-8")
        outcome = run((*preprocess, "-E", "-dM", _NOTHING), Path(name), _SECONDS)
    if not outcome.succeeded:
        raise NotCompiled(outcome.errors)
    return outcome.output


def _without_shadows(sources: Sources, include: Path | None) -> Sources:
    if include is None:
        return sources
    absent = {name: text for name, text in sources.if_absent.items() if not (include / name).exists()}
    return Sources(sources.files, absent)
