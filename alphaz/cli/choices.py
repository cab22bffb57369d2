"""The common options of check and verify, with the configuration as default."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from alphaz.cli.baseline import Baseline, check_target, read_baseline, write_baseline, write_file
from alphaz.cli.config import FORMATS, ProjectOptions, options
from alphaz.cli.deadline import limit_options
from alphaz.cli.files import InputError, file_names
from alphaz.cli.output import CLEAN, exit_code
from alphaz.cli.targets import sources
from alphaz.diagnostics import Diagnostic, Source
from alphaz.diagnostics.nearest import listing
from alphaz.usage import Limits

F = TypeVar("F", bound=Callable[..., Any])

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
)


def shared_options(seconds: float, what: str) -> Callable[[F], F]:
    """Returns --format, --report, --jobs, --timeout, --memory, --baseline, --write-baseline; `seconds` is the default,
    and `what` is the limited work.
    """

    def decorated(function: F) -> F:
        for option in reversed((*_OPTIONS, *limit_options(seconds, what))):
            function = option(function)
        return function

    return decorated


@dataclass(frozen=True, slots=True)
class Choices:
    """The effective options. `baseline` has the known findings; `writes` is the file of a new one.

    `reports` are the formats requested in files, with their files.
    """

    form: str
    reports: tuple[tuple[str, str], ...]
    jobs: int | None
    limits: Limits
    baseline: Baseline | None
    writes: str | None
    settings: ProjectOptions

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
        wanted = tuple(map(_report, reports))
        settings = options()
        name = baseline or settings.baseline
        known = None if name is None or write is not None else read_baseline(name)
        return Choices(
            form=form or settings.format,
            reports=wanted,
            jobs=jobs or settings.jobs,
            limits=limits,
            baseline=known,
            writes=write,
            settings=settings,
        )

    @property
    def forms(self) -> tuple[str, ...]:
        """Returns all requested formats, on standard output or in files."""
        return (self.form, *(form for form, _ in self.reports))

    def sources(self, given: Sequence[str], configured: Sequence[str], suffix: str) -> list[Source]:
        """Returns the sources to analyse: the given ones, else those of the project."""
        targets = tuple(given) or tuple(configured)
        if not targets:
            key = {".ab": "programs", ".cs": "scripts"}[suffix]
            raise click.UsageError(f"no {suffix} file is given, and the project has no option `{key}`")
        return sources(targets, suffix, self.settings.exclude)

    def news(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Returns the findings that are not in the baseline."""
        return list(findings) if self.baseline is None else self.baseline.new_ones(findings)

    def remarks(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> str:
        """Returns the remarks about the baseline after the summary; empty where there are none."""
        if self.baseline is None:
            return ""
        stale = self.baseline.gone(findings, sources)
        told = f"; {len(findings) - len(self.news(findings))} known from the baseline"
        return told + (f", {stale} of it no longer found (--write-baseline brings it up to date)" if stale else "")

    def write_reports(self, document: Callable[[str], str]) -> None:
        """Writes the reports; `document` returns the text in a format."""
        for form, name in self.reports:
            write_file(name, document(form))

    def code(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> int:
        """Returns the exit code, after writing a requested baseline."""
        code = exit_code(findings)
        if self.writes is None:
            return exit_code(self.news(findings))
        if code > 1:
            raise InputError(f"{self.writes} is not written: alphaz itself failed, see the findings")
        count = write_baseline(self.writes, findings, sources)
        click.echo(f"wrote {self.writes}: {count} known finding{'' if count == 1 else 's'}", err=True)
        return CLEAN


def _report(option: str) -> tuple[str, str]:
    form, _, name = option.partition("=")
    if form not in FORMATS or not name:
        message = f"`{option}` is not of the form FORMAT=FILE with one of {listing(FORMATS)}"
        if not name and Path(form).suffix.removeprefix(".") in FORMATS:
            message += f": write --report {Path(form).suffix.removeprefix('.')}={form}"
        raise click.BadParameter(message, param_hint="'--report'")
    check_target(name)
    return form, name
