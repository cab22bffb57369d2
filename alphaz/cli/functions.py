"""Finds the external functions of a program for the verbs that execute it."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from alphaz.cli.files import InputError, file_names
from alphaz.run.externals import HEADER

functions_option = click.option(
    "--functions",
    metavar="FILE.h",
    shell_complete=file_names,
    help=f"The header of the external functions ({HEADER} next to the program).",
)


def functions_folder(context: click.Context, beside: Sequence[Path], given: str | None) -> Path:
    """Returns the folder with the given `external_functions.h`, while the verb runs; without one, the first
    folder of `beside` that has the file. Raises InputError.
    """
    if given is None:
        return next((folder for folder in beside if (folder / HEADER).is_file()), beside[0])
    if not Path(given).is_file():
        raise InputError(f"{given} is no file")
    whole = str(Path(given).resolve())
    if '"' in whole or "\n" in whole:
        raise InputError(f"C cannot include a file of the name {given}")
    made = Path(context.with_resource(tempfile.TemporaryDirectory(prefix="alphaz-functions-")))
    (made / HEADER).write_text(f'#include "{whole}"\n', encoding="utf-8")
    return made
