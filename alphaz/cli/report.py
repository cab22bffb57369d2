"""The result of `check`, `verify` or `prove` in every output format."""

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import click

from alphaz.cli.choices import Choices
from alphaz.diagnostics import Diagnostic, ReportEntry, Source
from alphaz.diagnostics.render import summary, to_github, to_json, to_sarif, to_text
from alphaz.diagnostics.render.junit import to_junit
from alphaz.lazy import lazy_import


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


def report(found: VerbReport, form: str) -> str:
    """Returns the report in this format."""
    return FORMS[form](found)


def emit(found: VerbReport) -> None:
    """Prints the report in the format of standard output, unless that is text, and writes the requested files."""
    if found.choices.form != "text":
        click.echo(report(found, found.choices.form), nl=False)
    found.choices.write_reports(lambda form: report(found, form))


def last_line(found: VerbReport, findings: Sequence[Diagnostic]) -> str:
    """Returns the closing line and the notes, about these findings."""
    counts = summary(found.choices.news(findings))
    remarks = found.choices.remarks(findings, found.sources) if found.sources else ""
    first = f"{found.closing}: {counts}{remarks}\n" if found.closing else f"{counts}{remarks}\n"
    return first + "".join(f"  {note}\n" for note in found.notes)


def _text(found: VerbReport) -> str:
    return to_text(found.news) + last_line(found, found.findings)


def _github(found: VerbReport) -> str:
    return to_github(found.choices.news(found.annotations)) + last_line(found, found.annotations)


def _json(found: VerbReport) -> str:
    values = [entry.value for entry in found.entries if entry.value is not None]
    return to_json(found.news, {found.key: values} if found.key else {})


def _sarif(found: VerbReport) -> str:
    return to_sarif(found.news, found.properties or {})


def _junit(found: VerbReport) -> str:
    return to_junit(list(_new_entries(found)))


def _new_entries(found: VerbReport) -> Iterator[ReportEntry]:
    """Yields the entries with the findings that are not in the baseline."""
    by_file: dict[str, list[Diagnostic]] = {}
    for entry in found.entries:
        by_file.setdefault(entry.file, []).extend(entry.findings)
    news = {id(finding) for findings in by_file.values() for finding in found.choices.news(findings)}
    for entry in found.entries:
        yield replace(entry, findings=[finding for finding in entry.findings if id(finding) in news])


def _html(found: VerbReport) -> str:
    """Returns the page: files with findings of their own first, then the verified systems; with versions."""
    assert found.page is not None
    page = found.page
    of_files = [entry for entry in found.entries if not entry.system and entry.findings]
    of_systems = [entry for entry in found.entries if entry.system]
    own = {"alphaz": lazy_import("importlib.metadata").version("alphaz"), "Python": platform.python_version()}
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
