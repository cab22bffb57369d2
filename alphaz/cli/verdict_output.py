"""The result of `check`, `verify` or `prove` in every output format."""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import click

from alphaz.cli.shared_options import Choices
from alphaz.diagnostics import Diagnostic, ReportEntry, Source
from alphaz.diagnostics.render import summary, to_github, to_json, to_sarif, to_text
from alphaz.diagnostics.render.junit import to_junit
from alphaz.lazy import lazy_import
from alphaz.version import VERSION


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The data of the HTML page: its title, the verified texts, and facts about the proof. `noun` names the kind of
    proved objects.
    """

    title: str
    texts: Mapping[str, str]
    facts: Sequence[tuple[str, str]]
    noun: str = "mapping"


@dataclass(frozen=True, slots=True)
class VerbReport:
    """The result of a verb. `findings` are all findings, each once; `annotations` those shown next to the lines of a
    change. `key` names the list of the entries in the JSON document.

    `closing` begins the last line, `notes` follow it. `sources` are the files that a baseline is compared with, for the
    remarks about it. `properties` are those of a SARIF run.
    """

    choices: Choices
    entries: Sequence[ReportEntry]
    findings: Sequence[Diagnostic]
    annotations: Sequence[Diagnostic]
    closing: str = ""
    notes: Sequence[str] = ()
    sources: Sequence[Source] = ()
    key: str = ""
    properties: Mapping[str, object] | None = None
    page: ReportPage | None = None

    @property
    def news(self) -> list[Diagnostic]:
        """Returns the findings that are not in the baseline."""
        return self.choices.news(self.findings)


def report(verb_report: VerbReport, form: str) -> str:
    """Returns the report in this format."""
    return FORMS[form](verb_report)


def emit(verb_report: VerbReport) -> None:
    """Prints the report in the format of standard output, unless that is text, and writes the requested files."""
    if verb_report.choices.form != "text":
        click.echo(report(verb_report, verb_report.choices.form), nl=False)
    verb_report.choices.write_reports(lambda form: report(verb_report, form))


def last_line(verb_report: VerbReport, findings: Sequence[Diagnostic]) -> str:
    """Returns the closing line and the notes, about these findings."""
    counts = summary(verb_report.choices.news(findings))
    remarks = verb_report.choices.remarks(findings, verb_report.sources) if verb_report.sources else ""
    first = f"{verb_report.closing}: {counts}{remarks}\n" if verb_report.closing else f"{counts}{remarks}\n"
    return first + "".join(f"  {note}\n" for note in verb_report.notes)


def _text(verb_report: VerbReport) -> str:
    return to_text(verb_report.news) + last_line(verb_report, verb_report.findings)


def _github(verb_report: VerbReport) -> str:
    return to_github(verb_report.choices.news(verb_report.annotations)) + last_line(
        verb_report, verb_report.annotations
    )


def _json(verb_report: VerbReport) -> str:
    values = [entry.value for entry in verb_report.entries if entry.value is not None]
    return to_json(verb_report.news, {verb_report.key: values} if verb_report.key else {})


def _sarif(verb_report: VerbReport) -> str:
    return to_sarif(verb_report.news, verb_report.properties or {})


def _junit(verb_report: VerbReport) -> str:
    return to_junit(list(_new_entries(verb_report)))


def _new_entries(verb_report: VerbReport) -> Iterator[ReportEntry]:
    """Yields the entries with the findings that are not in the baseline."""
    by_file: dict[str, list[Diagnostic]] = {}
    for entry in verb_report.entries:
        by_file.setdefault(entry.file, []).extend(entry.findings)
    news = {id(finding) for findings in by_file.values() for finding in verb_report.choices.news(findings)}
    for entry in verb_report.entries:
        yield replace(entry, findings=[finding for finding in entry.findings if id(finding) in news])


def _html(verb_report: VerbReport) -> str:
    """Returns the page: files with findings of their own first, then the verified systems; with versions."""
    assert verb_report.page is not None
    page = verb_report.page
    of_files = [entry for entry in verb_report.entries if not entry.system and entry.findings]
    of_systems = [entry for entry in verb_report.entries if entry.system]
    own = {"alphaz": VERSION, "Python": platform.python_version()}
    versions = {**own, **lazy_import("alphaz.poly.versions").versions()}
    text: str = lazy_import("alphaz.figures.report.page").report_page(
        page.title, [*of_files, *of_systems], page.texts, [*versions.items(), *page.facts], page.noun
    )
    return text


FORMS: Mapping[str, Callable[[VerbReport], str]] = {
    "text": _text,
    "json": _json,
    "sarif": _sarif,
    "github": _github,
    "junit": _junit,
    "html": _html,
}


def digests(sources: Iterable[Source]) -> list[tuple[str, str]]:
    """Returns the facts about verified files: the SHA-256 of their bytes, by name."""
    return [(source.name, f"SHA-256 {digest(source)[1]}") for source in sources]


def digest(source: Source) -> tuple[str, str]:
    """Returns the name of a text, and the SHA-256 of its bytes."""
    return source.name, sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()
