"""Targets of an analysis: files, folders (all files of the kind below them) and patterns (`samples/**/*.cs`)."""

import glob
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePath

from alphaz.cli.files import InputError, read_source
from alphaz.diagnostics import Source

# Folders that no project keeps its own texts in.
_SKIPPED = frozenset({"node_modules", "__pycache__"})


def sources(targets: Sequence[str], suffix: str, exclude: Sequence[str] = ()) -> list[Source]:
    """Returns their texts, each once, in the order given, those of a folder by name. Raises InputError.

    `exclude` are patterns that are left out of folders and patterns; a file that is named is always included.
    """
    found: dict[Path, Source] = {}
    for target in targets:
        for name in _names(target, suffix, exclude):
            source = read_source(name, suffix)
            found.setdefault(Path(name).resolve(), source)
    return list(found.values())


def _names(target: str, suffix: str, exclude: Sequence[str]) -> list[str]:
    if "\0" in target or _is_file(target):
        return [target]
    if Path(target).is_dir():
        found = [str(path) for path in Path(target).rglob(f"*{suffix}") if not _is_skipped(path, Path(target))]
        what = f"the folder {target}"
    elif glob.has_magic(target):
        found = [name for name in glob.glob(target, recursive=True) if name.endswith(suffix)]
        what = f"the pattern {target}"
    else:
        return [target]
    kept = sorted(name for name in found if _is_file(name) and not _is_excluded(name, exclude))
    if not kept:
        raise InputError(f"{what} has no {suffix} file")
    return kept


def _is_file(name: str) -> bool:
    return Path(name).is_file()


def _is_skipped(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") or part in _SKIPPED for part in path.relative_to(folder).parts)


def _is_excluded(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(parent, pattern) for parent in _with_parents(PurePath(name)) for pattern in patterns)


def _with_parents(path: PurePath) -> Iterator[str]:
    """Yields `a/b/c.cs`, `a/b`, `a`: a pattern of a folder excludes all files below it."""
    yield path.as_posix()
    for parent in path.parents:
        yield parent.as_posix()
