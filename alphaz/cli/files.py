"""Files named on the command line. An unreadable one is a usage error (exit code 2), in one line."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import click
from click.shell_completion import CompletionItem

from alphaz.diagnostics import Source
from alphaz.diagnostics.nearest import did_you_mean, listing
from alphaz.diagnostics.user_files import Unreadable, read_text


class InputError(click.ClickException):
    """A file or a value of the command line that cannot be used."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"alphaz: {self.format_message()}", err=True, file=file)


def file_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the shell completion for file names."""
    return [CompletionItem(incomplete, type="file")]


def folder_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Returns the shell completion for folders."""
    return [CompletionItem(incomplete, type="dir")]


def check_folder(name: str | None) -> None:
    """Checks that the name is a folder or can become one. Raises InputError."""
    if name is not None and not Path(name).is_dir() and not Path(name).parent.is_dir():
        raise InputError(f"{Path(name).parent} is no folder")
    if name is not None and Path(name).is_file():
        raise InputError(f"{name} is a file, and no folder")


def read_source(name: str, suffix: str) -> Source:
    """Returns the text of a file with this suffix. Raises InputError."""
    path = Path(name)
    fits = path.suffix == suffix or (path.suffix, suffix) == (".alpha", ".ab")
    if not fits and path.suffix in _KINDS and not path.is_dir():
        raise InputError(f"{name} is {_KINDS[path.suffix]}; this verb takes {_KINDS[suffix]} ({suffix})")
    try:
        return Source(name, read_text(path))
    except Unreadable as reason:
        raise InputError(f"{name} {reason}") from None


_KINDS = {".ab": "a program", ".alpha": "a program", ".cs": "a command script", ".m": "a kernel of matrices"}


def variable_files(owner: str, what: str, known: Sequence[str], hint: str, options: Sequence[str]) -> dict[str, str]:
    """Returns the file of each named variable. Raises InputError for an unknown name, and for one given twice."""
    files: dict[str, str] = {}
    for option in options:
        found = re.fullmatch(r"\s*\^?(\w+)\s*=(.+)", option)
        if found is None:
            raise click.BadParameter(f"`{option}` is not of the form NAME=FILE", param_hint=f"'{hint}'")
        name = found[1]
        if name not in known:
            remedy = did_you_mean(name, known) or f"its {what}s are {listing(known)}"
            raise InputError(f"{owner} has no {what} `{name}`: {remedy}")
        if name in files:
            raise InputError(f"{what} `{name}` is given twice")
        files[name] = found[2].strip()
    return files
