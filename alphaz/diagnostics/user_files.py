"""Reads a text file that a user named, with a reason when it cannot be read."""

from pathlib import Path

from alphaz.diagnostics.nearest import nearest


class Unreadable(Exception):
    """The reason why a file cannot be read, to follow its name: "is a folder"."""


def read_text(path: Path) -> str:
    """Returns the characters of a UTF-8 file, with its line ends. Raises Unreadable."""
    try:
        if path.is_dir():
            raise Unreadable("is a folder, not a file")
        data = path.read_bytes()
    except FileNotFoundError:
        near = similar_file(path)
        raise Unreadable("does not exist" + (f"; did you mean `{path.with_name(near)}`?" if near else "")) from None
    except OSError as error:
        raise Unreadable(f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError:
        raise Unreadable("is not a name that a file can have") from None
    if b"\0" in data:
        raise Unreadable("is not a text: it has a byte 0")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable(f"is not a text in UTF-8: line {line} has a byte {data[error.start]:#04x}") from None


def similar_file(path: Path) -> str | None:
    """Returns the name of the file in the same folder that was probably meant."""
    try:
        return nearest(path.name, sorted(each.name for each in path.parent.iterdir() if each.is_file()))
    except (OSError, ValueError):
        return None
