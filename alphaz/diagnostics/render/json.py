"""For programs: a stable JSON document.

Schema, version 1 (`?` after a value that may be null; new keys may be added within a version, none changes or goes):

    {"version": 1, "diagnostics": [{
        "code": "AZ502", "name": "causality", "severity": "error" | "warning" | "note",
        "message": text,
        "location": LOCATION?,                          null: no place in any text of the user
        "label": text,                                  what is said of the location; may be empty
        "related": [{"location": LOCATION?, "label": text}],
        "witness": {"parameters": {name: integer},
                    "places": [{"role": text, "name": text, "point": [integer], "date": [integer]?,
                                "cell": {"space": text, "index": [integer]}?, "tile": [integer]?}],
                    "sentence": text, "reason": text}?,
        "notes": [text], "help": text?,
        "fixes": [{"text": text, "script": text, "python": text,
                   "edits": [{"location": LOCATION, "text": text}]}],
        "group": n}]}                                   the same for findings with one root, counted from 0

    LOCATION = {"file": text, "line": n, "column": n, "endLine": n, "endColumn": n}

Lines and columns count from 1, columns in Unicode code points; the end is the first character after the place.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from alphaz.diagnostics.diagnostic import Diagnostic, Fix, Label, Witness, WitnessPoint
from alphaz.diagnostics.finding_groups import groups
from alphaz.diagnostics.render.snippet import LineRegion, is_nowhere
from alphaz.diagnostics.source import Span

VERSION = 1


def to_json(diagnostics: Sequence[Diagnostic], values: Mapping[str, object] = MappingProxyType({})) -> str:
    """Returns the document, with these further values, indented, with a line end; the same diagnostics give the same
    bytes.
    """
    numbers = {
        id(diagnostic): position
        for position, group in enumerate(groups(diagnostics))
        for diagnostic in (group.head, *group.others)
    }
    findings = [{**_finding(diagnostic), "group": numbers[id(diagnostic)]} for diagnostic in diagnostics]
    document = {"version": VERSION, "diagnostics": findings, **values}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def witness_value(witness: Witness) -> dict[str, object]:
    """Returns the `witness` of the schema above; SARIF carries the same value."""
    return {
        "parameters": dict(witness.parameters),
        "places": list(map(_place, witness.places)),
        "sentence": witness.sentence,
        "reason": witness.reason,
    }


def _place(place: WitnessPoint) -> dict[str, object]:
    cell = None if place.cell is None else {"space": place.cell[0], "index": list(place.cell[1])}
    date, tile = _list_or_null(place.date), _list_or_null(place.tile)
    point = list(place.point)
    return {"role": place.role, "name": place.name, "point": point, "date": date, "cell": cell, "tile": tile}


def _finding(diagnostic: Diagnostic) -> dict[str, object]:
    rule = diagnostic.rule
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "message": diagnostic.message,
        **_label(diagnostic.primary),
        "related": [_label(label) for label in diagnostic.secondary],
        "witness": None if diagnostic.witness is None else witness_value(diagnostic.witness),
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fixes": list(map(_fix, diagnostic.fixes)),
    }


def _fix(fix: Fix) -> dict[str, object]:
    edits = [{"location": _location(edit.span), "text": edit.text} for edit in fix.edits]
    return {"text": fix.text, "script": fix.script, "python": fix.python, "edits": edits, "tried": fix.is_tried}


def _label(label: Label) -> dict[str, object]:
    return {"location": _location(label.span), "label": label.text}


def _location(span: Span) -> dict[str, object] | None:
    if is_nowhere(span):
        return None
    region = LineRegion.of(span)
    return {
        "file": span.source.name,
        "line": region.line,
        "column": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def _list_or_null(values: tuple[int, ...] | None) -> list[int] | None:
    return None if values is None else list(values)
