"""Where the verbs that execute find the external functions of a program."""

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
    help=f"Where the external functions are; without it, in {HEADER} beside the program.",
)


def functions_folder(context: click.Context, beside: Sequence[Path], given: str | None) -> Path:
    """The folder in which `external_functions.h` is what was given, while the verb runs; without that, the first of
    those `beside` that has one. Raises InputError.
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
