"""The inputs of verbs that execute or draw a program: its system, parameters, files of variables, external functions;
and the files of plots.

Parameters are assigned from left to right: `-p N=20 -p N=33`, `-p N=20,M=3 -p M=5`. A repeated name begins the next set
of values; a later set inherits missing values from the set before it.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from alphaz.cli.files import InputError, file_names
from alphaz.codegen.sources import EXTERNALS
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.model.program import Program


def named_system(program: Program, name: str | None) -> str:
    """Returns the system of that name, or the only one. Raises InputError."""
    names = [system.name for system in program.systems]
    if name is None:
        if len(names) == 1:
            return names[0]
        raise InputError(f"the program has the systems {listing(names)}: choose one with --system")
    if name in names:
        return name
    remedy = did_you_mean(name, names) or f"its systems are {listing(names)}"
    raise InputError(f"the program has no system `{name}`: {remedy}")


Parameters = dict[str, int]

_ASSIGNMENT = re.compile(r"\s*(\^?[A-Za-z_]\w*)\s*=\s*([+-]?\d{1,19})\s*")

HELP = (
    "Values of parameters. A name that is given again begins another run, which keeps the values that it does not "
    "change: `-p N=20 -p N=33` is two runs, `-p N=20 -p M=3` (or `-p N=20,M=3`) is one."
)


def parameter_sets(options: Iterable[str], name: str = "-p") -> list[Parameters]:
    """Returns the sets of values of the option of this name, at least one (possibly empty). Raises click.BadParameter
    for an invalid text.
    """
    sets: list[Parameters] = [{}]
    fresh: set[str] = set()
    for parameter, value in _assignments(options, name):
        if parameter in fresh:
            sets.append(dict(sets[-1]))
            fresh = set()
        fresh.add(parameter)
        sets[-1][parameter] = value
    return sets


def _assignments(options: Iterable[str], name: str) -> Iterator[tuple[str, int]]:
    for option in options:
        for text in option.split(","):
            match = _ASSIGNMENT.fullmatch(text)
            if match is None:
                raise click.BadParameter(f"`{text.strip()}` is not of the form NAME=INTEGER", param_hint=f"'{name}'")
            yield match[1].removeprefix("^"), int(match[2])


def variable_files(owner: str, what: str, names: Sequence[str], hint: str, options: Sequence[str]) -> dict[str, str]:
    """Returns the file of each named variable. Raises InputError for an unknown name, and for one given twice."""
    files: dict[str, str] = {}
    for option in options:
        match = re.fullmatch(r"\s*\^?(\w+)\s*=(.+)", option)
        if match is None:
            raise click.BadParameter(f"`{option}` is not of the form NAME=FILE", param_hint=f"'{hint}'")
        name = match[1]
        if name not in names:
            remedy = did_you_mean(name, names) or f"its {what}s are {listing(names)}"
            raise InputError(f"{owner} has no {what} `{name}`: {remedy}")
        if name in files:
            raise InputError(f"{what} `{name}` is given twice")
        files[name] = match[2].strip()
    return files


functions_option = click.option(
    "--functions",
    metavar="FILE.h",
    shell_complete=file_names,
    help=f"The header of the external functions ({EXTERNALS} next to the program).",
)


def functions_folder(context: click.Context, beside: Sequence[Path], file_name: str | None) -> Path:
    """Returns the folder with the given `external_functions.h`, while the verb runs; without one, the first
    folder of `beside` that has the file. Raises InputError.
    """
    if file_name is None:
        return next((folder for folder in beside if (folder / EXTERNALS).is_file()), beside[0])
    if not Path(file_name).is_file():
        raise InputError(f"{file_name} is no file")
    whole = str(Path(file_name).resolve())
    if '"' in whole or "\n" in whole:
        raise InputError(f"C cannot include a file of the name {file_name}")
    folder_ = Path(context.with_resource(tempfile.TemporaryDirectory(prefix="alphaz-functions-")))
    (folder_ / EXTERNALS).write_text(f'#include "{whole}"\n', encoding="utf-8")
    return folder_


_PLOT_FORMS = (".png", ".svg", ".pdf")


def plot_file(name: str) -> Path:
    """Returns the path of the figure, checked before any measurement. Raises click.BadParameter and InputError."""
    path = Path(name)
    if path.suffix not in _PLOT_FORMS:
        raise click.BadParameter(f"`{name}` is no {', '.join(_PLOT_FORMS[:-1])} or {_PLOT_FORMS[-1]} file")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder")
    if find_spec("matplotlib") is None:
        raise InputError("a figure needs matplotlib: pip install matplotlib")
    return path
