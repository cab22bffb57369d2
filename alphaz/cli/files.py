"""Files named on the command line. One that cannot be read is an error of usage (exit code 2), in one line."""

from pathlib import Path
from typing import IO, Any

import click

from alphaz.commands.reading import Unreadable, read_text
from alphaz.diagnostics import Source


class InputError(click.ClickException):
    """A file or a value of the command line that cannot be used."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"alphaz: {self.format_message()}", err=True, file=file)


def read_source(name: str, suffix: str) -> Source:
    """The text of a file of the kind that the suffix says. Raises InputError."""
    path = Path(name)
    other = {".ab": ".cs", ".cs": ".ab"}[suffix]
    if path.suffix == other and not path.is_dir():
        raise InputError(f"{name} is {_KINDS[other]}; this verb takes {_KINDS[suffix]} ({suffix})")
    try:
        return Source(name, read_text(path))
    except Unreadable as reason:
        raise InputError(f"{name} {reason}") from None


_KINDS = {".ab": "a program", ".cs": "a command script"}
