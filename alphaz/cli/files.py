"""Files of the command line: texts to read, folders and patterns, files to write. One that cannot be read or written is
a usage error (exit code 2), in one line.
"""

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import click
from click.shell_completion import CompletionItem

from alphaz.diagnostics import Source
from alphaz.diagnostics.user_files import Unreadable, fits, read_text


class InputError(click.ClickException):
    """A file or a value of the command line that cannot be used."""

    exit_code = 2

    def show(self, file: IO[str] | None = None) -> None:
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


def read_source(name: str, *suffixes: str) -> Source:
    """Returns the text of a file with one of these suffixes. Raises InputError."""
    path = Path(name)
    is_taken = path.suffix in suffixes or (path.suffix == ".alpha" and ".ab" in suffixes)
    if not is_taken and path.suffix in _KINDS and not path.is_dir():
        taken = " or ".join(f"{_KINDS[suffix]} ({suffix})" for suffix in suffixes)
        raise InputError(f"{name} is {_KINDS[path.suffix]}; this verb takes {taken}")
    return read_file(name)


def read_file(name: str, what: str = "", remedy: str = "") -> Source:
    """Returns the text of a file. Raises InputError; its message begins with `what`, and ends with the remedy."""
    try:
        return Source(name, read_text(Path(name)))
    except Unreadable as reason:
        raise InputError(f"{what}{name} {reason}{remedy}") from None


_KINDS = {".ab": "a program", ".alpha": "a program", ".cs": "a command script", ".m": "a kernel of matrices"}

# Folders that no project keeps its own texts in.
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def sources(
    targets: Sequence[str], suffixes: Sequence[str], exclude: Sequence[str] = (), named: Sequence[str] = ()
) -> list[Source]:
    """Returns their texts, each once, in the order given, those of a folder by suffix and name. Raises InputError.

    `exclude` are patterns that are left out of folders and patterns; a file that is named is always included. Files
    with the suffixes `named` are taken by name or pattern, not from folders.
    """
    sources_: dict[Path, Source] = {}
    for target in targets:
        taken = suffixes if Path(target).is_dir() else (*suffixes, *named)
        for name in _names(target, taken, exclude):
            source = read_source(name, *suffixes, *named)
            sources_.setdefault(Path(name).resolve(), source)
    return list(sources_.values())


def _names(target: str, suffixes: Sequence[str], exclude: Sequence[str]) -> list[str]:
    if "\0" in target or _is_file(target):
        return [target]
    if Path(target).is_dir():
        paths = [str(path) for path in Path(target).rglob("*") if not _is_skipped(path, Path(target))]
        what = f"the folder {target}"
    elif glob.has_magic(target):
        paths = glob.glob(target, recursive=True)
        what = f"the pattern {target}"
    else:
        return [target]
    matching = sorted(name for name in paths if _is_file(name) and not any(fits(name, pattern) for pattern in exclude))
    names = [name for suffix in suffixes for name in matching if name.endswith(suffix)]
    if not names:
        raise InputError(f"{what} has no {' or '.join(suffixes)} file")
    return names


def _is_file(name: str) -> bool:
    return Path(name).is_file()


def _is_skipped(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") or part in _SKIPPED for part in path.relative_to(folder).parts)


def check_target(name: str | None) -> None:
    """Checks before the work that a file of this name can be written. Raises InputError."""
    if name is None:
        return
    if Path(name).is_dir():
        raise InputError(f"{name} is a folder, not a file")
    if not Path(name).parent.is_dir():
        raise InputError(f"{name} cannot be written: there is no folder {Path(name).parent}")


def check_script(name: str, force: bool) -> Path:
    """Returns the folder of a new command script. Raises InputError where it may not be written, or exists already."""
    if Path(name).suffix != ".cs":
        raise InputError(f"{name} is no name of a command script (.cs)")
    check_target(name)
    if Path(name).exists() and not force:
        raise InputError(f"{name} exists already: --force replaces it")
    return Path(name).parent


_GENERATED = (".c", ".h", ".cu", ".cpp", ".ab", ".cs")


def check_output(folder: str | None) -> None:
    """Checks the output folder of a verb that writes several files. Raises InputError for a file, and for a name of a
    file.
    """
    if folder is not None and not Path(folder).is_dir() and (Path(folder).is_file() or folder.endswith(_GENERATED)):
        raise InputError(f"{folder} is a name of a file: -o names the folder of the generated files")


def new_files(folder: str, source: str, suffixes: Sequence[str], force: bool) -> list[Path]:
    """Returns the files of a verb that writes several: in the folder, which it makes, named after the source. Raises
    InputError where one exists already, and for a folder with the name of a file.
    """
    files = [Path(folder, f"{Path(source).stem}{suffix}") for suffix in suffixes]
    if Path(folder).suffix in suffixes:
        names = " and ".join(file.name for file in files)
        raise InputError(f"{folder} is a name of a file: -o names the folder of {names}")
    for file in files:
        if file.exists() and not force:
            raise InputError(f"{file} exists already: --force replaces it")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be made: {(error.strerror or str(error)).lower()}") from None
    return files


def write_file(name: str, text: str) -> None:
    """Writes the file. Raises InputError where it cannot be written."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name} cannot be written: {reason.lower()}") from None
