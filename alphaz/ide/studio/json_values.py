"""Findings, traces and figures as plain values, which the page receives as JSON. Places are offsets in UTF-16."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from alphaz.diagnostics import Diagnostic, Edit, Fix, Rejected, Span
from alphaz.diagnostics.render.snippet import is_nowhere
from alphaz.figures.drawing.figures import KINDS, best, figure
from alphaz.figures.report.document import trace_value
from alphaz.figures.trace.trace_data import Trace

Value = dict[str, object]


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The texts of the page, by name."""

    files: Mapping[str, str]

    def place(self, span: Span) -> Value | None:
        """Returns the file and the offsets of a place; None for a place in another text."""
        name = Path(span.source.name).name
        if is_nowhere(span) or self.files.get(name) != span.source.text:
            return None
        text = span.source.text
        return {"file": name, "from": units(text[: span.start]), "to": units(text[: span.end])}

    def finding(self, finding: Diagnostic) -> Value:
        """Returns a finding; `at` is None where it has no place in the texts."""
        related = [(self.place(label.span), label.text) for label in finding.secondary]
        return {
            "code": finding.rule.code,
            "name": finding.rule.name,
            "severity": str(finding.rule.severity),
            "message": finding.message,
            "label": finding.primary.text,
            "at": self.place(finding.primary.span),
            "witness": "" if finding.witness is None else finding.witness.sentence,
            "notes": list(finding.notes),
            "help": finding.help or "",
            "related": [{"at": at, "text": text} for at, text in related if at is not None],
            "fixes": [value for fix in finding.fixes if (value := self.fix(fix)) is not None],
        }

    def fix(self, fix: Fix) -> Value | None:
        """Returns a fix; None where it changes another text."""
        edits = [self._edit(edit) for edit in fix.edits]
        if not edits or any(edit is None for edit in edits):
            return None
        return {"text": fix.text, "script": fix.script, "tried": fix.is_tried, "edits": edits}

    def _edit(self, edit: Edit) -> Value | None:
        at = self.place(edit.span)
        return None if at is None else {**at, "insert": edit.text}

    def findings(self, findings: Iterable[Diagnostic]) -> list[Value]:
        """Returns the findings, each once."""
        values = [self.finding(finding) for finding in findings]
        return [value for number, value in enumerate(values) if value not in values[:number]]


def units(text: str) -> int:
    """Returns the length of a text in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def offset_of(text: str, position: int) -> int:
    """Returns the number of the character at a position in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * position].decode("utf-16-le", "ignore"))


def picture_value(shown: Trace | str, kind: str, among: Collection[str]) -> Value:
    """Returns a trace for the slider, and the figure of this kind (default: the one that shows most), `among` which the
    page may choose; or the reason why there is none."""
    if isinstance(shown, str):
        return {"reason": shown}
    kinds = [name for name in possible_kinds(shown) if name in among]
    if not kinds:
        return {"reason": "no operation is drawn"}
    chosen = kind or (best(shown) if best(shown) in kinds else kinds[0])
    value: Value = {
        "size": shown.size,
        "parameters": dict(shown.parameters),
        "why": shown.why,
        "verdict": shown.verdict,
        "kinds": {name: KINDS[name] for name in kinds},
        "kind": chosen,
        "trace": trace_value(shown),
    }
    try:
        drawn = figure(shown, chosen)
    except Rejected as rejected:
        return value | {"undrawn": message_of(rejected)}
    return value | {"svg": drawn.svg, "description": drawn.description}


def possible_kinds(shown: Trace) -> list[str]:
    """Returns the kinds of figures of a trace, as far as that is plain without drawing them."""
    is_mapped = shown.verdict != "not mapped"
    possible = {
        "domain": any(operation.is_dated for operation in shown.operations),
        "dates": is_mapped and any(operation.is_dated for operation in shown.operations),
        "tiles": is_mapped and bool(shown.tiles),
        "lifetimes": is_mapped and bool(shown.lifetimes),
        "order": bool(shown.operations),
        "witness": is_mapped and shown.witness is not None,
        "ranks": shown.ranks is not None,
        "blocks": shown.blocks is not None,
    }
    return [kind for kind in KINDS if possible[kind]]


def message_of(rejected: Rejected) -> str:
    """Returns the first finding as a sentence, with its remedy."""
    first = rejected.diagnostics[0]
    return first.message if first.help is None else f"{first.message}: {first.help}"
