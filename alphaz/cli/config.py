"""The options of a project: `[tool.alphaz]` in `pyproject.toml`, or all of `alphaz.toml`.

The nearest folder from the working directory upward that has one counts (`alphaz.toml` before `pyproject.toml`).
Options of the command line take precedence. Paths and patterns are relative to the folder of the file.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import CONFIGURATION
from alphaz.diagnostics.selection import SEVERITIES, RuleSelection, mistake
from alphaz.diagnostics.user_files import Unreadable, read_text
from alphaz.lazy import lazy_import

FORMATS = ("text", "json", "sarif", "github", "junit", "html")


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """Default options of the command line. `programs` and `scripts` are the default targets of check and verify,
    `prove` the C files that prove is for, each with its program and more options.

    `selection` has the shown warnings and notes.
    """

    format: str = "text"
    jobs: int | None = None
    timeout: float | None = None
    memory: float | None = None
    baseline: str | None = None
    programs: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    prove: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    selection: RuleSelection = field(default_factory=RuleSelection)


def options(start: Path | None = None) -> ProjectOptions:
    """Returns the options in a folder (the working directory). Raises Rejected (AZ808) with each mistake."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        for name, table in (("alphaz.toml", ()), ("pyproject.toml", ("tool", "alphaz"))):
            path = folder / name
            if path.is_file():
                project_options = _read(Source(_relative_path(path, here), _text(path)), table)
                if project_options is not None:
                    return _with_relative_names(project_options, folder, here)
    return ProjectOptions()


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except Unreadable as reason:
        where = Label(Span(Source(str(path), ""), 0, 0))
        raise Rejected(Diagnostic(CONFIGURATION, f"{path} {reason}", where)) from None


def _relative_path(path: Path, here: Path) -> str:
    return path.name if path.parent == here else os.path.relpath(path, here)


def _read(source: Source, table: tuple[str, ...]) -> ProjectOptions | None:
    """Returns the options; None where the file has no such table."""
    if not all(option in source.text for option in table):
        return None
    tomllib = lazy_import("tomllib")
    try:
        values: object = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise Rejected(
            Diagnostic(CONFIGURATION, f"this is no TOML: {error}", Label(_position(source, str(error))))
        ) from None
    for key in table:
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    if not isinstance(values, dict):
        raise Rejected(_finding(source, (), table[-1], f"`{'.'.join(table)}` is to be a table"))
    return _checked(source, table, values)


def _checked(source: Source, table: tuple[str, ...], values: Mapping[str, object]) -> ProjectOptions:
    wrong = []
    for key, value in values.items():
        if key not in _KINDS:
            help_ = did_you_mean(key, _KINDS) or f"the options are {listing(_KINDS)}"
            wrong.append(_finding(source, table, key, f"there is no option `{key}`", help_))
        elif not _KINDS[key][0](value):
            parts = value.items() if isinstance(value, dict) else ()
            part = next((name for name, content in parts if not _KINDS[key][0]({name: content})), "")
            wrong.append(_finding(source, table, key, f"`{key}` is to be {_KINDS[key][1]}", part=part))
        else:
            reasons = [(part, mistake(code)) for part, code in _codes(key, value)]
            wrong += [_finding(source, table, key, reason, part=part) for part, reason in reasons if reason]
    if wrong:
        raise Rejected(*wrong)
    plain = {key: _frozen(value) for key, value in values.items()}
    if "prove" in values:
        plain["prove"] = _proofs(values["prove"])
    chosen = RuleSelection(**{_SELECTION[key]: plain.pop(key) for key in _SELECTION if key in plain})  # type: ignore[arg-type]
    return ProjectOptions(**plain, selection=chosen)  # type: ignore[arg-type]


_SELECTION = {
    "select": "select",
    "ignore": "ignore",
    "severity": "severity",
    "per-file-ignores": "by_file",
    "strict": "strict",
}


def _proofs(value: object) -> dict[str, tuple[str, ...]]:
    assert isinstance(value, dict)
    return {kernel: (item,) if isinstance(item, str) else tuple(item) for kernel, item in value.items()}


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return {key: _frozen(part) for key, part in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _codes(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yields the codes of rules in the value of a checked option, each with its key in a table."""
    match key, value:
        case "select" | "ignore", list():
            yield from (("", code) for code in value)
        case "severity", dict():
            yield from ((code, code) for code in value)
        case "per-file-ignores", dict():
            yield from ((pattern, code) for pattern, codes in value.items() for code in codes)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(element, str) for element in value)


def _is_severities(value: object) -> bool:
    return isinstance(value, dict) and all(severity in SEVERITIES for severity in value.values())


def _is_texts_by_pattern(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_texts, value.values()))


def _is_proofs(value: object) -> bool:
    return isinstance(value, dict) and all(
        program and (isinstance(program, str) or _is_texts(program)) for program in value.values()
    )


_KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "format": (lambda value: value in FORMATS, f"one of {listing(FORMATS)}"),
    "jobs": (lambda value: _is_number(value) and isinstance(value, int), "a number of processes, at least 1"),
    "timeout": (_is_number, "a number of seconds, more than 0"),
    "memory": (_is_number, "a number of gigabytes, more than 0"),
    "baseline": (lambda value: isinstance(value, str) and value != "", "the name of a file"),
    "programs": (_is_texts, "a list of files, folders and patterns"),
    "scripts": (_is_texts, "a list of files, folders and patterns"),
    "exclude": (_is_texts, "a list of patterns"),
    "select": (_is_texts, "a list of rules, such as AZ409 or AZ4"),
    "ignore": (_is_texts, "a list of rules, such as AZ409 or AZ4"),
    "prove": (_is_proofs, "a table of C files, each with a program, or a list of a program and options of `prove`"),
    "severity": (_is_severities, f"a table of rules, each with one of {listing(SEVERITIES)}"),
    "per-file-ignores": (_is_texts_by_pattern, "a table of patterns, each with a list of rules"),
    "strict": (lambda value: isinstance(value, bool), "true or false"),
}


def _with_relative_names(project_options: ProjectOptions, folder: Path, here: Path) -> ProjectOptions:
    """Returns the options with names relative to the working directory."""
    if folder == here:
        return project_options

    def placed(name: str) -> str:
        return os.path.relpath(folder / name, here)

    return replace(
        project_options,
        baseline=None if project_options.baseline is None else placed(project_options.baseline),
        programs=tuple(map(placed, project_options.programs)),
        scripts=tuple(map(placed, project_options.scripts)),
        exclude=tuple(map(placed, project_options.exclude)),
        prove={placed(kernel): (placed(program), *more) for kernel, (program, *more) in project_options.prove.items()},
        selection=replace(
            project_options.selection,
            by_file={placed(pattern): codes for pattern, codes in project_options.selection.by_file.items()},
        ),
    )


# --- places ---------------------------------------------------------------------------------------------------------


def _finding(
    source: Source, table: tuple[str, ...], key: str, message: str, help_: str | None = None, part: str = ""
) -> Diagnostic:
    """Returns a finding at a key of the table, or at the `part` of its value where that is a table, too."""
    place = _key(source, (*table, key), part) if part else None
    return Diagnostic(CONFIGURATION, message, Label(place or _place(source, table, key)), help=help_)


def _place(source: Source, table: tuple[str, ...], key: str) -> Span:
    """Returns the place of the key in its table; where it is written in another form, the header of the table or the
    start.
    """
    span = _key(source, table, key) or _header(source, (*table, key)) or _header(source, table)
    return span or Span(source, 0, 0)


def _key(source: Source, table: tuple[str, ...], key: str) -> Span | None:
    """Returns the place of a key that stands in the lines below the header of its table."""
    inside = not table
    for offset, line in _lines(source):
        header = _HEADER.fullmatch(line.rstrip())
        if header:
            inside = _names(header) == table
        if inside and re.match(rf"\s*([\"']?){re.escape(key)}\1\s*[=.]", line):
            start = offset + line.index(key)
            return Span(source, start, start + len(key))
    return None


def _header(source: Source, table: tuple[str, ...]) -> Span | None:
    for offset, line in _lines(source):
        header = _HEADER.fullmatch(line.rstrip())
        if header and _names(header) == table:
            return Span(source, offset + line.index("["), offset + line.rindex("]") + 1)
    return None


_HEADER = re.compile(r"\s*\[\s*([^\[\]]*?)\s*\]\s*(?:#.*)?")


def _names(header: re.Match[str]) -> tuple[str, ...]:
    return tuple(part.strip(" \t'\"") for part in header[1].split("."))


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yields the lines with their offsets."""
    offset = 0
    for line in source.text.splitlines(keepends=True):
        yield offset, line
        offset += len(line)


def _position(source: Source, message: str) -> Span:
    """Returns the place that the TOML parser reports in its message."""
    match = re.search(r"line (\d+), column (\d+)", message)
    if match is None:
        return Span(source, len(source.text), len(source.text))
    lines = source.text.split("\n")[: int(match[1]) - 1]
    at = min(sum(len(line) + 1 for line in lines) + int(match[2]) - 1, len(source.text))
    return Span(source, at, min(at + 1, len(source.text)))
