"""Writes generated files: either all of them, inside one folder, or none."""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import FILE


def write_sources(sources: Sources, folder: Path) -> tuple[Path, ...]:
    """Writes the files and returns their paths; those of `if_absent` only where no file exists yet.

    The folder is made when it is missing. Every file is written next to its final path and renamed, after all could be
    written. Raises Rejected(FILE) for a name that leaves the folder and for errors of the operating system.
    """
    wanted = {_place(folder, name): text for name, text in sources.files.items()}
    for name, text in sources.if_absent.items():
        place = _place(folder, name)
        if not os.path.lexists(place):
            wanted[place] = text
    try:
        return _write_all(wanted)
    except OSError as problem:
        where = problem.filename or folder
        raise _refused(f"`{where}` cannot be written: {problem.strerror or problem}") from None


def _write_all(wanted: Mapping[Path, str]) -> tuple[Path, ...]:
    ready: list[tuple[Path, Path]] = []
    try:
        for place, text in wanted.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            ready.append((_temporary_file(place, text), place))
        while ready:
            temporary, place = ready[-1]
            temporary.replace(place)
            ready.pop()
    finally:
        for temporary, _ in ready:
            with contextlib.suppress(OSError):
                temporary.unlink()
    return tuple(wanted)


def _temporary_file(place: Path, text: str) -> Path:
    """Returns a complete file in the same folder, so that renaming it is one step."""
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        temporary.chmod(0o666 & ~_umask())
    except OSError:
        temporary.unlink()
        raise
    return temporary


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


def _place(folder: Path, name: str) -> Path:
    """Returns the path of a relative name. Raises Rejected when that is outside the folder, also through a link."""
    parts = PurePosixPath(name).parts
    plain = bool(parts) and not PurePosixPath(name).is_absolute() and ".." not in parts
    if not plain or "\\" in name or "\0" in name or ":" in name:
        raise _refused(f"`{name}` is no name of a file inside the output folder")
    place = folder.joinpath(*parts)
    root = folder.resolve()
    if not place.parent.resolve().is_relative_to(root):
        raise _refused(f"`{place}` lies outside the output folder `{folder}`")
    if place.is_dir():
        raise _refused(f"`{place}` is a folder")
    return place


def _refused(message: str) -> Rejected:
    return Rejected(Diagnostic(FILE, message, Label(NOWHERE), help="choose another output folder"))
