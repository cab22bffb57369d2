"""Renderer for test reports: JUnit's XML, a test case for each checked item, a failure for each error in it.

There is no standard; these elements are accepted by Jenkins and GitLab: `testsuites`, `testsuite` (tests, failures,
errors, time), `testcase` (classname, name, file, time) with `failure` and `system-out`. Warnings and notes fail no
case: they are its output.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from alphaz.diagnostics.diagnostic import ReportEntry
from alphaz.diagnostics.render.text import to_text
from alphaz.lazy import lazy_import

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Characters that XML 1.0 excludes; the text renderer replaces most of them.
_FORBIDDEN = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}


def to_junit(entries: Sequence[ReportEntry]) -> str:
    """Returns the document, with a line end."""
    failed = sum(any(finding.is_error for finding in entry.findings) for entry in entries)
    counts = {"tests": str(len(entries)), "failures": str(failed), "errors": "0"}
    skipped = str(sum(entry.is_assumed for entry in entries))
    et: Any = lazy_import("xml.etree.ElementTree")
    time = f"{sum(entry.seconds for entry in entries):.3f}"
    suites = et.Element("testsuites", {"name": "alphaz", **counts, "time": time})
    suite = et.SubElement(suites, "testsuite", {"name": "alphaz", **counts, "skipped": skipped, "time": time})
    for entry in entries:
        _add(et, suite, entry)
    et.indent(suites)
    text: str = et.tostring(suites, encoding="unicode", xml_declaration=False)
    return text.join(('<?xml version="1.0" encoding="UTF-8"?>\n', "\n"))


def _add(et: Any, suite: "Element", entry: ReportEntry) -> None:
    place = {"classname": _text(entry.file), "name": _text(entry.case), "file": _text(entry.file)}
    element = et.SubElement(suite, "testcase", {**place, "time": f"{entry.seconds:.3f}"})
    errors = [finding for finding in entry.findings if finding.is_error]
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        about = {"message": _text(errors[0].message + more), "type": errors[0].rule.code}
        et.SubElement(element, "failure", about).text = _text(to_text(errors))
    elif entry.is_assumed:
        et.SubElement(element, "skipped", {"message": _text(entry.word)})
    rest = [finding for finding in entry.findings if not finding.is_error]
    if rest or entry.notes:
        notes = "".join(f"{note}\n" for note in entry.notes)
        et.SubElement(element, "system-out").text = _text((to_text(rest) if rest else "") + notes)


def _text(text: str) -> str:
    return text.translate(_FORBIDDEN).encode("utf-8", "replace").decode("utf-8")
