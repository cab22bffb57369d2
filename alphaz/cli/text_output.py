"""The options `-o FILE`, `--stdout` and `--force` of verbs that make one text."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from alphaz.cli.files import InputError, check_script, check_target, file_names, write_file
from alphaz.cli.output import wants_colour
from alphaz.lazy import lazy_import

STDOUT = "-"
F = TypeVar("F", bound=Callable[..., object])


@dataclass(frozen=True, slots=True)
class TextTarget:
    """A file, or standard output (`name` is None)."""

    name: str | None

    @property
    def folder(self) -> Path:
        """Returns the folder that names in the text are relative to."""
        return Path() if self.name is None else Path(self.name).parent

    def write(self, text: str) -> None:
        """Writes the text, or prints it. Raises InputError where the file cannot be written."""
        if self.name is None:
            click.echo(text, nl=False)
            return
        write_file(self.name, text)
        click.echo(f"wrote {self.name}")

    def write_program(self, text: str) -> None:
        """Writes the text of a program, or prints it, with colours on a terminal that has them."""
        if self.name is None and wants_colour(sys.stdout):
            click.echo(lazy_import("alphaz.ide.features.highlight").coloured(text), nl=False, color=True)
            return
        self.write(text)


def text_options(metavar: str) -> Callable[[F], F]:
    """Returns the options `output`, `prints` and `force` of a verb that prints its text without them."""

    def decorated(verb: F) -> F:
        for option in (
            click.option("--force", is_flag=True, help="Replace an existing file."),
            stdout_option("Print the text, as without -o (-o -)."),
            click.option(
                "-o", "--output", metavar=metavar, shell_complete=file_names, help="The output file (standard output)."
            ),
        ):
            verb = option(verb)
        return verb

    return decorated


def stdout_option(text: str) -> Callable[[F], F]:
    """Returns the option `prints`, with its help."""
    return click.option("--stdout", "prints", is_flag=True, help=text)


def text_target(output: str | None, prints: bool, force: bool) -> TextTarget:
    """Returns the chosen target. Raises click.UsageError for two, and InputError where the file may not be written."""
    check_one_target(output, prints)
    if output is None or output == STDOUT:
        return TextTarget(None)
    if output.endswith("/"):
        raise InputError(f"{output} is a folder, and this verb writes one file: give its name, {output}NAME")
    check_target(output)
    if Path(output).exists() and not force:
        raise InputError(f"{output} exists already: --force replaces it")
    return TextTarget(output)


def script_target(output: str | None, prints: bool, force: bool) -> TextTarget:
    """Returns the chosen target of a command script. Raises as `text_target`, and InputError for other suffixes."""
    check_one_target(output, prints)
    if output is None or output == STDOUT:
        return TextTarget(None)
    check_script(output, force)
    return TextTarget(output)


def check_one_target(output: str | None, prints: bool) -> None:
    """Checks that a text goes to one place. Raises click.UsageError."""
    if prints and output not in (None, STDOUT):
        raise click.UsageError("--stdout prints the text, -o writes it into a file: give one of them")
