"""The options that check and verify share, and what the configuration says where they are not given."""

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
    click.option("--format", "form", type=click.Choice(FORMATS), help="How findings are written (text)."),
    click.option(
        "--report",
        "reports",
        metavar="FORMAT=FILE",
        multiple=True,
        help="Also write the findings into a file, in another format.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1), metavar="N", help="How many processes work (1; prove: one for each core)."
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        shell_complete=file_names,
        help="Findings that are known already, and do not fail.",
    ),
    click.option(
        "--write-baseline",
        metavar="FILE",
        shell_complete=file_names,
        help="Write what is found as the baseline, and do not fail.",
    ),
)


def shared_options(seconds: float, what: str) -> Callable[[F], F]:
    """--format, --report, --jobs, --timeout, --memory, --baseline, --write-baseline; `seconds` is the default, and
    `what` has the limits."""

    def decorated(function: F) -> F:
        for option in reversed((*_OPTIONS, *limit_options(seconds, what))):
            function = option(function)
        return function

    return decorated


@dataclass(frozen=True, slots=True)
class Choices:
    """What holds. `baseline` has the findings that are known; `writes` is where a new one goes.

    `reports` are the formats that are wanted in files, with their files.
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
        """Of what was given on the command line, with the options of the project for the rest."""
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
        """All formats that are wanted, on standard output or in files."""
        return (self.form, *(form for form, _ in self.reports))

    def sources(self, given: Sequence[str], configured: Sequence[str], suffix: str) -> list[Source]:
        """What is to be looked at: what is given, else what the project says."""
        targets = tuple(given) or tuple(configured)
        if not targets:
            key = {".ab": "programs", ".cs": "scripts"}[suffix]
            raise click.UsageError(f"no {suffix} file is given, and no option `{key}` of the project says which")
        return sources(targets, suffix, self.settings.exclude)

    def news(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings that are not in the baseline."""
        return list(findings) if self.baseline is None else self.baseline.new_ones(findings)

    def remarks(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> str:
        """What is to be said of the baseline behind the summary; empty where there is none."""
        if self.baseline is None:
            return ""
        stale = self.baseline.gone(findings, sources)
        told = f"; {len(findings) - len(self.news(findings))} known from the baseline"
        return told + (f", {stale} of it no longer found (--write-baseline brings it up to date)" if stale else "")

    def write_reports(self, document: Callable[[str], str]) -> None:
        """`document` gives the text in a format."""
        for form, name in self.reports:
            write_file(name, document(form))

    def code(self, findings: Sequence[Diagnostic], sources: Sequence[Source]) -> int:
        """The exit code, after the new baseline is written where one is asked for."""
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
