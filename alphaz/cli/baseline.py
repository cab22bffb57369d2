"""A baseline: the known findings of a project, by fingerprint. They do not fail; new ones do.

{"format": "alphaz-baseline", "version": 1, "findings": {fingerprint: {"file": .., "rule": .., "message": ..}}}
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from alphaz.cli.files import InputError
from alphaz.diagnostics import Diagnostic, Source
from alphaz.diagnostics.grouping import fingerprints
from alphaz.diagnostics.user_files import Unreadable, read_text

FORMAT, VERSION = "alphaz-baseline", 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings: `known` has file, rule and message of each, by fingerprint.

    File names are relative to `folder`, that of the baseline, so that it is valid from every working directory.
    """

    folder: Path
    known: Mapping[str, Mapping[str, str]]

    def named(self, name: str) -> str:
        return PurePath(os.path.relpath(name, self.folder)).as_posix()

    def marks(self, diagnostics: Sequence[Diagnostic]) -> list[str]:
        return fingerprints(diagnostics, self.named)

    def new_ones(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Returns the findings that are not known."""
        return [each for mark, each in zip(self.marks(diagnostics), diagnostics, strict=True) if mark not in self.known]

    def gone(self, diagnostics: Sequence[Diagnostic], looked: Iterable[Source]) -> int:
        """Returns the number of known findings that no longer occur in the analysed files."""
        found, files = set(self.marks(diagnostics)), self._files(diagnostics, looked)
        return sum(mark not in found and value["file"] in files for mark, value in self.known.items())

    def after(self, diagnostics: Sequence[Diagnostic], looked: Iterable[Source]) -> "Baseline":
        """Returns the baseline with the current errors and warnings (notes never fail) of all analysed files.

        Known findings of other files are kept.
        """
        pairs = zip(self.marks(diagnostics), diagnostics, strict=True)
        found = {mark: self._value(each) for mark, each in pairs if each.rule.severity != "note"}
        files = self._files(diagnostics, looked)
        kept = {mark: value for mark, value in self.known.items() if value["file"] not in files}
        return Baseline(self.folder, kept | found)

    def _value(self, diagnostic: Diagnostic) -> dict[str, str]:
        file = self.named(diagnostic.primary.span.source.name)
        return {"file": file, "rule": diagnostic.rule.code, "message": diagnostic.message}

    def _files(self, diagnostics: Sequence[Diagnostic], looked: Iterable[Source]) -> frozenset[str]:
        sources = (*looked, *(diagnostic.primary.span.source for diagnostic in diagnostics))
        return frozenset(self.named(source.name) for source in sources)

    def text(self) -> str:
        ordered = sorted(self.known.items(), key=lambda each: (*each[1].values(), each[0]))
        document = {"format": FORMAT, "version": VERSION, "findings": dict(ordered)}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_baseline(name: str) -> Baseline:
    """Reads a baseline. Raises InputError."""
    try:
        document = json.loads(read_text(Path(name)))
    except Unreadable as reason:
        raise InputError(f"the baseline {name} {reason}; --write-baseline {name} makes one") from None
    except (ValueError, RecursionError):
        raise InputError(f"the baseline {name} is no JSON") from None
    if not isinstance(document, dict) or (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise InputError(f'{name} is no baseline: it has no "format": "{FORMAT}" of version {VERSION}')
    findings = document.get("findings")
    if not isinstance(findings, dict) or not all(map(_is_known, findings.values())):
        raise InputError(f"the baseline {name} has no findings by fingerprint")
    return Baseline(Path(name).parent, findings)


def _is_known(value: object) -> bool:
    keys = ("file", "rule", "message")
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in keys)


def write_baseline(name: str, diagnostics: Sequence[Diagnostic], looked: Iterable[Source]) -> int:
    """Writes a baseline and returns its number of findings. Raises InputError."""
    before = read_baseline(name) if Path(name).is_file() else Baseline(Path(name).parent, {})
    after = before.after(diagnostics, looked)
    write_file(name, after.text())
    return len(after.known)


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


def write_file(name: str, text: str) -> None:
    """Writes the file. Raises InputError where it cannot be written."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name} cannot be written: {reason.lower()}") from None
