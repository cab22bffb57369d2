"""Renderer for test reports: JUnit's XML, a test case for each checked item, a failure for each error in it.

There is no standard; these elements are accepted by Jenkins and GitLab: `testsuites`, `testsuite` (tests, failures,
errors, time), `testcase` (classname, name, file, time) with `failure` and `system-out`. Warnings and notes fail no
case: they are its output.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alphaz.diagnostics.diagnostic import Diagnostic
from alphaz.diagnostics.render.text import to_text
from alphaz.lazy import lazy_import

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Characters that XML 1.0 excludes; the text renderer replaces most of them.
_FORBIDDEN = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}


@dataclass(frozen=True, slots=True)
class TestCase:
    """One checked item: a name (of a system, or "check"), its file, the time taken, the findings, and further text."""

    file: str
    name: str
    seconds: float
    findings: Sequence[Diagnostic]
    notes: Sequence[str] = ()

    @property
    def errors(self) -> list[Diagnostic]:
        return [finding for finding in self.findings if finding.is_error]


def to_junit(cases: Sequence[TestCase]) -> str:
    """Returns the document, with a line end."""
    failed = sum(bool(case.errors) for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failed), "errors": "0"}
    et: Any = lazy_import("xml.etree.ElementTree")
    time = f"{sum(case.seconds for case in cases):.3f}"
    suites = et.Element("testsuites", {"name": "alphaz", **counts, "time": time})
    suite = et.SubElement(suites, "testsuite", {"name": "alphaz", **counts, "skipped": "0", "time": time})
    for case in cases:
        _add(et, suite, case)
    et.indent(suites)
    text: str = et.tostring(suites, encoding="unicode", xml_declaration=False)
    return text.join(('<?xml version="1.0" encoding="UTF-8"?>\n', "\n"))


def _add(et: Any, suite: "Element", case: TestCase) -> None:
    place = {"classname": _text(case.file), "name": _text(case.name), "file": _text(case.file)}
    element = et.SubElement(suite, "testcase", {**place, "time": f"{case.seconds:.3f}"})
    if case.errors:
        first = case.errors[0]
        more = f" (and {len(case.errors) - 1} more)" if len(case.errors) > 1 else ""
        about = {"message": _text(first.message + more), "type": first.rule.code}
        et.SubElement(element, "failure", about).text = _text(to_text(case.errors))
    rest = [finding for finding in case.findings if not finding.is_error]
    if rest or case.notes:
        said = "".join(f"{note}\n" for note in case.notes)
        et.SubElement(element, "system-out").text = _text((to_text(rest) if rest else "") + said)


def _text(text: str) -> str:
    return text.translate(_FORBIDDEN).encode("utf-8", "replace").decode("utf-8")
