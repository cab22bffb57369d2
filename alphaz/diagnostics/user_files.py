"""Reads a text file that a user named, with a reason when it cannot be read."""

from fnmatch import fnmatch
from pathlib import Path, PurePath

from alphaz.diagnostics.message_words import nearest

_MOST_NAMES = 4


class Unreadable(Exception):
    """The reason why a file cannot be read, to follow its name: "is a folder"."""


def read_text(path: Path) -> str:
    """Returns the characters of a UTF-8 file, with its line ends, without a byte order mark. Raises Unreadable."""
    try:
        if path.is_dir():
            raise Unreadable("is a folder, not a file")
        data = path.read_bytes()
    except FileNotFoundError:
        raise Unreadable(f"does not exist{_remedy(path)}") from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise Unreadable("is not a name that a file can have") from None
    if b"\0" in data:
        raise Unreadable("is not a text: it has a byte 0")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"is not a text in UTF-8: line {line} has a byte {data[error.start]:#04x}") from None


def _remedy(path: Path) -> str:
    """Returns the remedy for a missing file: a similar name, or the files of its kind in its folder."""
    names = _siblings(path)
    near = nearest(path.name, names)
    if near is not None:
        return f"; did you mean `{path.with_name(near)}`?"
    if not path.parent.is_dir():
        return f": there is no folder `{path.parent}`"
    alike = [f"`{path.with_name(name)}`" for name in names if Path(name).suffix == path.suffix]
    if not path.suffix:
        return ""
    if not alike:
        return f"; there is no {path.suffix} file in that folder"
    more = len(alike) - _MOST_NAMES
    return f"; there {'is' if len(alike) == 1 else 'are'} {', '.join(alike[:_MOST_NAMES])}" + (
        f" and {more} more" if more > 0 else ""
    )


def fits(name: str, pattern: str) -> bool:
    """Returns True if a file, or a folder above it, has a name that matches the pattern."""
    path = PurePath(name)
    return any(fnmatch(part.as_posix(), pattern) for part in (path, *path.parents))


def similar_file(path: Path) -> str | None:
    """Returns the name of the file in the same folder that was probably meant."""
    return nearest(path.name, _siblings(path))


def _siblings(path: Path) -> list[str]:
    """Returns the names of the files in the same folder."""
    try:
        return sorted(file.name for file in path.parent.iterdir() if file.is_file())
    except (OSError, ValueError):
        return []
