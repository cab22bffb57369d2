"""`alphaz verify --watch`: verifies again on every change of a file that was read, and prints the differences."""

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click

from alphaz.cli.files import InputError
from alphaz.cli.output import INTERNAL, exit_code, show_error_findings
from alphaz.diagnostics import Diagnostic, Rejected
from alphaz.diagnostics.finding_groups import fingerprints
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.lazy import lazy_import

# Files that a script can read, and configuration files.
_SUFFIXES = (".ab", ".alpha", ".cs", ".toml")
# In milliseconds: how long changes are gathered, and how soon what happened before the watch began is noticed.
_GATHERED, _SOON = 100, 300


@dataclass(frozen=True, slots=True)
class WatchPass:
    """The result of one pass: the exit code, the verdict on each system of each script, the findings, and the files
    that were searched for, with the SHA-256 of their texts (None: there was no text).
    """

    code: int
    verdicts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    findings: tuple[Diagnostic, ...] = ()
    read: Mapping[str, str | None] = field(default_factory=dict)


def difference(before: WatchPass, after: WatchPass) -> list[str]:
    """Returns the changes between two passes, a line each; verdicts first."""
    lines = [_change_text(key, before.verdicts.get(key), after.verdicts.get(key)) for key in _keys(before, after)]
    old, new = _by_fingerprint(before), _by_fingerprint(after)
    lines += [f"gone: {_finding_name(old[mark])}" for mark in old if mark not in new]
    lines += [f"new: {_finding_name(new[mark])}" for mark in new if mark not in old]
    return [line for line in lines if line] or ["no difference"]


def _keys(before: WatchPass, after: WatchPass) -> Iterable[tuple[str, str]]:
    return dict.fromkeys((*before.verdicts, *after.verdicts))


def _change_text(key: tuple[str, str], before: str | None, after: str | None) -> str:
    script, system = key
    return "" if before == after else f"{script}: {system}: {before or 'no mapping'} -> {after or 'no mapping'}"


def _by_fingerprint(watch_pass: WatchPass) -> dict[str, Diagnostic]:
    return dict(zip(fingerprints(watch_pass.findings), watch_pass.findings, strict=True))


def _finding_name(finding: Diagnostic) -> str:
    return f"{finding.rule.code} {finding.primary.span}: {finding.message}"


Names = Callable[[], Iterable[str]]


def watch(once: Callable[[], WatchPass], targets: Names, scripts: Names) -> None:
    """Verifies until it is interrupted. Mistakes of the command line are raised in the first pass; later they are
    printed.

    `targets` are the given files, folders and patterns, `scripts` the current files that they match.
    """
    _watcher()
    last = once()
    while True:
        click.echo("-- watching; Ctrl-C ends it", err=True)
        changed = _wait(last, list(targets()), scripts)
        click.echo(f"\n-- changed: {', '.join(changed)}", err=True)
        watch_pass = _again(once, last)
        click.echo("".join(f"-- {line}\n" for line in difference(last, watch_pass)), nl=False, err=True)
        last = watch_pass


def _again(once: Callable[[], WatchPass], last: WatchPass) -> WatchPass:
    """Runs a pass; a file may be missing or invalid while it is edited, which does not end the loop."""
    # The state before the pass, so that changes during it are noticed.
    digests = {name: _digest(name) for name in last.read}
    try:
        return once()
    except click.ClickException as refused:
        refused.show()
        return WatchPass(INTERNAL, read=digests)
    except Rejected as rejected:
        show_error_findings(rejected.diagnostics)
        return WatchPass(exit_code(rejected.diagnostics), findings=rejected.diagnostics, read=digests)


def _wait(last: WatchPass, targets: list[str], scripts: Names) -> list[str]:
    """Returns the names of changed files, once there are any."""
    folders = set(_folders(targets))
    beside = {_there(Path(name).resolve().parent) for name in last.read}
    paths = {str(Path(name).resolve()) for name in last.read}
    # A folder that comes back brings its files along.
    around = {str(folder) for name in paths for folder in Path(name).parents}

    def concerns(_: object, path: str) -> bool:
        return path in paths or path in around or Path(path).suffix in _SUFFIXES

    changes = _watcher()(
        *sorted(folders | beside), watch_filter=concerns, debounce=_GATHERED, rust_timeout=_SOON,
        yield_on_timeout=True, raise_interrupt=True, recursive=bool(folders),
    )  # fmt: skip
    fresh = False
    for change in changes:
        names = sorted({os.path.relpath(path) for _, path in change})
        # A file saved between the reading and the beginning of the watch is noticed here.
        names = names or ([] if fresh else _stale(last, scripts))
        fresh = True
        if names:
            return names
    raise KeyboardInterrupt


def _there(folder: Path) -> str:
    """Returns the folder, or the nearest existing one around it."""
    return str(next(parent for parent in (folder, *folder.parents) if parent.is_dir()))


def _watcher() -> Callable[..., Iterator[set[tuple[object, str]]]]:
    try:
        watcher: Callable[..., Iterator[set[tuple[object, str]]]] = lazy_import("watchfiles").watch
    except ImportError:
        raise InputError("--watch needs watchfiles: pip install watchfiles") from None
    return watcher


def _folders(targets: Iterable[str]) -> Iterator[str]:
    """Yields the given folders, and those in which patterns begin: new files there count too."""
    for target in targets:
        path = Path(target)
        if glob.has_magic(target):
            path = Path(*_plain(path.parts))
        if path.is_dir():
            yield str(path.resolve())


def _plain(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        if glob.has_magic(part):
            return
        yield part


def _stale(last: WatchPass, scripts: Names) -> list[str]:
    """Returns the files that differ from those read, and the new scripts."""
    try:
        new = [name for name in scripts() if name not in last.read]
    except click.ClickException:
        new = []
    return [*(name for name, digest in last.read.items() if _digest(name) != digest), *new]


def _digest(name: str) -> str | None:
    try:
        return digest_of(read_text(Path(name)))
    except Unreadable:
        return None


def digest_of(text: str | None) -> str | None:
    """Returns the SHA-256 of a text in UTF-8; None of none."""
    return None if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
