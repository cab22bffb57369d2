"""Renderer for GitHub Actions: one workflow command for each finding, which GitHub shows next to the changed line.

Source: "Workflow commands for GitHub Actions", setting an error, warning or notice message. Data escapes `%`, CR and
LF; a property escapes `:` and `,` as well. Columns are given only within one line: GitHub rejects them otherwise.
"""

from collections.abc import Iterator, Sequence

from alphaz.diagnostics.diagnostic import Diagnostic, Severity
from alphaz.diagnostics.render.snippet import LineRegion, is_nowhere

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def to_github(diagnostics: Sequence[Diagnostic]) -> str:
    """Returns one line for each finding, each ended; empty for no findings."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties = ",".join(f"{key}={_property(value)}" for key, value in _properties(diagnostic))
    return f"::{_COMMANDS[diagnostic.rule.severity]} {properties}::{_data(_message(diagnostic))}"


def _properties(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    span = diagnostic.primary.span
    if not is_nowhere(span):
        region = LineRegion.of(span)
        yield "file", span.source.name
        yield "line", str(region.line)
        yield "endLine", str(region.end_line)
        if region.line == region.end_line:
            yield "col", str(region.column)
            yield "endColumn", str(region.end_column)
    yield "title", f"{diagnostic.rule.code} {diagnostic.rule.name}"


def _message(diagnostic: Diagnostic) -> str:
    """Returns the whole text of a finding: an annotation has no other place for it."""
    lines = [diagnostic.message, diagnostic.primary.text]
    for label in diagnostic.secondary:
        lines.append(label.text if is_nowhere(label.span) else f"{label.span}: {label.text}")
    if diagnostic.witness is not None:
        lines.append(f"witness: {diagnostic.witness.sentence}")
    lines += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    return "\n".join(filter(None, lines))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
