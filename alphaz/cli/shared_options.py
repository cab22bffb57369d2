"""The common options of check, verify and prove, with the configuration as default; and baselines.

A baseline has the known findings of a project, by fingerprint. They do not fail; new ones do.

{"format": "alphaz-baseline", "version": 1, "findings": {fingerprint: {"file": .., "rule": .., "message": ..}}}
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path, PurePath
from typing import TypeVar

import click

from alphaz.cli.config import FORMATS, ProjectOptions, options
from alphaz.cli.files import InputError, check_target, file_names, read_file, sources, write_file
from alphaz.cli.output import CLEAN, exit_code
from alphaz.cli.resource_limits import chosen_limits, limit_options
from alphaz.diagnostics import Diagnostic, Source
from alphaz.diagnostics.finding_groups import fingerprints
from alphaz.diagnostics.message_words import count_text, listing
from alphaz.diagnostics.selection import RuleSelection, mistake, unused_comments
from alphaz.usage import Limits

FORMAT, VERSION = "alphaz-baseline", 1


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings: `known` has file, rule and message of each, by fingerprint.

    File names are relative to `folder`, that of the baseline, so that it is valid from every working directory.
    """

    folder: Path
    entries: Mapping[str, Mapping[str, str]]

    def named(self, name: str) -> str:
        return PurePath(os.path.relpath(name, self.folder)).as_posix()

    def marks(self, diagnostics: Sequence[Diagnostic]) -> list[str]:
        return fingerprints(diagnostics, self.named)

    def new_ones(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Returns the findings that are not known."""
        return [
            diagnostic
            for mark, diagnostic in zip(self.marks(diagnostics), diagnostics, strict=True)
            if mark not in self.entries
        ]

    def resolved_count(self, diagnostics: Sequence[Diagnostic], lookups: Iterable[Source]) -> int:
        """Returns the number of known findings that no longer occur in the analysed files."""
        marks, files = set(self.marks(diagnostics)), self._files(diagnostics, lookups)
        return sum(mark not in marks and value["file"] in files for mark, value in self.entries.items())

    def after(self, diagnostics: Sequence[Diagnostic], lookups: Iterable[Source]) -> "Baseline":
        """Returns the baseline with the current errors and warnings (notes never fail) of all analysed files.

        Known findings of other files are kept.
        """
        pairs = zip(self.marks(diagnostics), diagnostics, strict=True)
        entries = {mark: self._value(diagnostic) for mark, diagnostic in pairs if diagnostic.rule.severity != "note"}
        files = self._files(diagnostics, lookups)
        others = {mark: value for mark, value in self.entries.items() if value["file"] not in files}
        return Baseline(self.folder, others | entries)

    def _value(self, diagnostic: Diagnostic) -> dict[str, str]:
        file = self.named(diagnostic.primary.span.source.name)
        return {"file": file, "rule": diagnostic.rule.code, "message": diagnostic.message}

    def _files(self, diagnostics: Sequence[Diagnostic], lookups: Iterable[Source]) -> frozenset[str]:
        sources = (*lookups, *(diagnostic.primary.span.source for diagnostic in diagnostics))
        return frozenset(self.named(source.name) for source in sources)

    def text(self) -> str:
        ordered = sorted(self.entries.items(), key=lambda pair: (*pair[1].values(), pair[0]))
        document = {"format": FORMAT, "version": VERSION, "findings": dict(ordered)}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_baseline(name: str) -> Baseline:
    """Reads a baseline. Raises InputError."""
    try:
        document = json.loads(read_file(name, "the baseline ", f"; --write-baseline {name} makes one").text)
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


def write_baseline(name: str, diagnostics: Sequence[Diagnostic], lookups: Iterable[Source]) -> int:
    """Writes a baseline and returns its number of findings. Raises InputError."""
    before = read_baseline(name) if Path(name).is_file() else Baseline(Path(name).parent, {})
    after = before.after(diagnostics, lookups)
    write_file(name, after.text())
    return len(after.entries)


F = TypeVar("F", bound=Callable[..., object])

_OPTIONS = (
    click.option("--format", "form", type=click.Choice(FORMATS), help="The output format of findings (text)."),
    click.option(
        "--report",
        "reports",
        metavar="FORMAT=FILE",
        multiple=True,
        help="Also write the findings into a file, in another format.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        metavar="N",
        help="The number of worker processes (1; prove: one for each core).",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        shell_complete=file_names,
        help="Known findings, which do not fail.",
    ),
    click.option(
        "--write-baseline",
        metavar="FILE",
        shell_complete=file_names,
        help="Write the findings as the baseline, and do not fail.",
    ),
    click.option("--select", metavar="RULES", help="Show only warnings and notes of these rules: AZ3,AZ409."),
    click.option("--ignore", metavar="RULES", help="Show no warnings and notes of these rules."),
    click.option("--strict", is_flag=True, help="Take warnings as errors."),
)


def shared_options(seconds: float, what: str) -> Callable[[F], F]:
    """Returns --format, --report, --jobs, --timeout, --memory, --baseline, --write-baseline, --select, --ignore and
    --strict; `seconds` is the default limit, and `what` is the limited work.

    The verb has the parameter `choices`, a function that returns them, completed by the options of the project.
    """

    def decorated(function: F) -> F:
        @wraps(function)
        def chosen(
            *value: object,
            form: str | None,
            reports: tuple[str, ...],
            jobs: int | None,
            timeout: float | None,
            memory: float | None,
            baseline: str | None,
            write_baseline: str | None,
            select: str | None,
            ignore: str | None,
            strict: bool,
            **named: object,
        ) -> object:
            selected, ignored = _rules(select, "--select"), _rules(ignore, "--ignore")

            def choices() -> Choices:
                limits = chosen_limits(timeout, memory, seconds)
                chosen = Choices.of(form, reports, jobs, limits, baseline, write_baseline)
                return replace(chosen, selection=_selection(chosen.settings.selection, selected, ignored, strict))

            return function(*value, choices=choices, **named)

        for option in reversed((*_OPTIONS, *limit_options(seconds, what))):
            chosen = option(chosen)
        return chosen  # type: ignore[return-value]

    return decorated


@dataclass(frozen=True, slots=True)
class Choices:
    """The effective options. `baseline` has the known findings; `writes` is the file of a new one; `selection` has the
    shown warnings and notes.

    `reports` are the formats requested in files, with their files.
    """

    form: str
    reports: tuple[tuple[str, str], ...]
    jobs: int | None
    limits: Limits
    baseline: Baseline | None
    writes: str | None
    settings: ProjectOptions
    selection: RuleSelection = field(default_factory=RuleSelection)

    @staticmethod
    def of(
        form: str | None,
        reports: Sequence[str],
        jobs: int | None,
        limits: Limits,
        baseline: str | None,
        write: str | None,
    ) -> "Choices":
        """Returns the options of the command line, completed by those of the project."""
        check_target(write)
        forms = tuple(map(_report, reports))
        settings = options()
        name = baseline or settings.baseline
        earlier_findings = None if name is None or write is not None else read_baseline(name)
        return Choices(
            form=form or settings.format,
            reports=forms,
            jobs=jobs or settings.jobs,
            limits=limits,
            baseline=earlier_findings,
            writes=write,
            settings=settings,
        )

    @property
    def shows_text(self) -> bool:
        """Returns True if the findings are printed as text; where they become the baseline they are not."""
        return self.form == "text" and self.writes is None

    @property
    def forms(self) -> tuple[str, ...]:
        """Returns all requested formats, on standard output or in files."""
        return (self.form, *(form for form, _ in self.reports))

    def sources(self, names: Sequence[str], configured: Sequence[str], suffix: str) -> list[Source]:
        """Returns the sources to analyse: the given ones, else those of the project."""
        targets = tuple(names) or tuple(configured)
        if not targets:
            key = {".ab": "programs", ".cs": "scripts"}[suffix]
            raise click.UsageError(f"no {suffix} file is given, and the project has no option `{key}`")
        return sources(targets, (suffix,), self.settings.exclude)

    def selected(
        self, findings: Sequence[Diagnostic], source: Source, hundreds: str, every: Sequence[Diagnostic] = ()
    ) -> list[Diagnostic]:
        """Returns the findings that are shown, and those about the comments in the source that ignore rules.

        A comment may ignore one of the `findings` or of `every` finding of the verb, which judges the rules whose codes
        begin with these `hundreds`.
        """
        return self.selection.applied((*findings, *unused_comments(source, (*findings, *every), hundreds)))

    def news(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Returns the findings that are not in the baseline."""
        return list(findings) if self.baseline is None else self.baseline.new_ones(findings)

    def remarks(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> str:
        """Returns the remarks about the baseline after the summary; empty where there are none."""
        if self.baseline is None:
            return ""
        stale = self.baseline.resolved_count(findings, sources)
        remark = f"; {len(findings) - len(self.news(findings))} known from the baseline"
        return remark + (f", {stale} of it no longer found (--write-baseline brings it up to date)" if stale else "")

    def write_reports(self, document: Callable[[str], str]) -> None:
        """Writes the reports; `document` returns the text in a format."""
        for form, name in self.reports:
            write_file(name, document(form))

    def code(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> int:
        """Returns the exit code, after writing a requested baseline."""
        code = exit_code(findings, self.selection)
        if self.writes is None:
            return exit_code(self.news(findings), self.selection)
        if code > 1:
            raise InputError(f"{self.writes} is not written: alphaz itself failed, see the findings")
        count = write_baseline(self.writes, findings, sources)
        click.echo(f"wrote {self.writes}: {count_text(count, 'known finding')}", err=True)
        return CLEAN


def _rules(option: str | None, name: str) -> tuple[str, ...] | None:
    if option is None:
        return None
    codes = tuple(code.strip() for code in option.split(","))
    for wrong in filter(None, map(mistake, codes)):
        raise click.BadParameter(wrong, param_hint=f"'{name}'")
    return codes


def _selection(
    project: RuleSelection, select: tuple[str, ...] | None, ignore: tuple[str, ...] | None, strict: bool
) -> RuleSelection:
    """Returns the selection of the project with the options of the command line, which take precedence."""
    return replace(
        project,
        select=project.select if select is None else select,
        ignore=project.ignore if ignore is None else ignore,
        strict=project.strict or strict,
    )


def _report(option: str) -> tuple[str, str]:
    form, _, name = option.partition("=")
    if form not in FORMATS or not name:
        message = f"`{option}` is not of the form FORMAT=FILE with one of {listing(FORMATS)}"
        if not name and Path(form).suffix.removeprefix(".") in FORMATS:
            message += f": write --report {Path(form).suffix.removeprefix('.')}={form}"
        raise click.BadParameter(message, param_hint="'--report'")
    check_target(name)
    return form, name
