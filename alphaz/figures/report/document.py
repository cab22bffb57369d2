"""The data of the report: the content of the page, as plain values."""

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence

from alphaz.diagnostics import Diagnostic, Fix, Label, ReportEntry
from alphaz.diagnostics.render.snippet import LineRegion, is_nowhere
from alphaz.figures.drawing.figures import figure
from alphaz.figures.drawing.point_panels import Panel, sheet
from alphaz.figures.drawing.words import tip
from alphaz.figures.trace.trace_data import Element, Operation, Trace, TraceRead

Number = int | float
Numbering = Callable[[Element], int]

# Most cells of a memory space that are shown.
_CELLS = 240


def entry_value(entry: ReportEntry, with_trace: bool = True) -> dict[str, object]:
    """Returns the data of its page; without the trace if the file would become too large."""
    trace = entry.trace if isinstance(entry.trace, Trace) else str(entry.trace)
    if not with_trace and isinstance(trace, Trace):
        trace = "the report would be larger than 1 MB; alphaz draw makes them"
    return {
        "script": entry.file,
        "system": entry.system,
        "word": entry.word,
        "line": entry.line,
        "obligations": [
            {"rule": rule, "claim": claim, "verdict": verdict} for rule, claim, verdict in entry.obligations
        ],
        "findings": list(_findings(entry.findings, trace)),
        "trace": None if isinstance(trace, str) else trace_value(trace),
        "untraced": trace if isinstance(trace, str) else "",
    }


def sources_value(entries: Iterable[ReportEntry], texts: Mapping[str, str]) -> dict[str, str]:
    """Returns the texts of the report, and those of programs with findings."""
    spans = (label.span for entry in entries for f in entry.findings for label in (f.primary, *f.secondary))
    return {**texts, **{span.source.name: span.source.text for span in spans if not is_nowhere(span)}}


def _findings(findings: Sequence[Diagnostic], trace: Trace | str) -> Iterable[dict[str, object]]:
    """The findings; the figure is next to the finding that it shows."""
    rest = list(findings)
    shown = None if isinstance(trace, str) or trace.witness is None else figure(trace, "witness")
    drawn = None if isinstance(trace, str) else _drawn_finding(rest, trace)
    for finding in rest:
        value = _finding(finding)
        if shown is not None and finding is drawn:
            # A separate image: neither its styles nor its texts are part of the page.
            picture = base64.b64encode(shown.svg.encode("utf-8", "replace")).decode("ascii")
            value |= {"figure": f"data:image/svg+xml;base64,{picture}", "described": shown.description}
        yield value


def _drawn_finding(findings: Sequence[Diagnostic], trace: Trace) -> Diagnostic | None:
    """The finding whose counterexample the trace shows: the same points, at these or slightly smaller parameters."""
    if trace.witness is None:
        return None
    points = [trace.operations[number].point for _, number in trace.witness.places]
    of_rule = [f for f in findings if f.rule == trace.witness.rule]
    same = (f for f in of_rule if f.witness is not None and [p.point for p in f.witness.places] == points)
    return next(same, of_rule[0] if of_rule else None)


def _finding(finding: Diagnostic) -> dict[str, object]:
    labels = [_label(label) for label in (finding.primary, *finding.secondary) if not is_nowhere(label.span)]
    return {
        "code": finding.rule.code,
        "name": finding.rule.name,
        "severity": str(finding.rule.severity),
        "message": finding.message,
        "where": "" if is_nowhere(finding.primary.span) else str(finding.primary.span),
        "labels": labels,
        "witness": "" if finding.witness is None else finding.witness.sentence,
        "notes": list(finding.notes),
        "help": finding.help or "",
        "fixes": [_fix(fix) for fix in finding.fixes],
    }


def _fix(fix: Fix) -> dict[str, object]:
    return {"text": fix.text, "script": fix.script, "tried": fix.is_tried}


def _label(label: Label) -> dict[str, object]:
    region = LineRegion.of(label.span)
    return {
        "file": label.span.source.name,
        "line": region.line,
        "column": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
        "text": label.text,
    }


def trace_value(shown: Trace) -> dict[str, object]:
    """Returns the trace. Values and cells are numbers of `elements`; operations have a place if they are drawn."""
    known: dict[Element, int] = {}

    def number(element: Element) -> int:
        return known.setdefault(element, len(known))

    marked = {number for _, number in shown.witness.places} if shown.witness is not None else set[int]()
    layout = sheet(list(shown.dated), 0, marked=marked)
    operations = [_operation(o, layout.places.get(o.number), number) for o in shown.operations]
    numbers, right = dict(shown.values), _untainted(shown)
    reads = [_read(read, shown, numbers, right, number) for read in shown.reads]
    spaces = _spaces(shown, number)
    return {
        "size": shown.size,
        "why": shown.why,
        "steps": shown.steps,
        "witness": None if shown.witness is None else [list(place) for place in shown.witness.places],
        "sentence": shown.sentence if shown.sentence.endswith(".") or not shown.sentence else f"{shown.sentence}.",
        "operations": operations,
        "reads": reads,
        "spaces": spaces,
        "labels": [label for panel in layout.panels for label in _labels(panel)],
        "held": list(layout.held),
        "width": round(max((p.x + p.width for p in layout.panels), default=0) + 40),
        "height": round(max((p.y + p.height for p in layout.panels), default=0) + 10),
        "elements": [str(element) for element in known],
    }


def _operation(operation: Operation, place: tuple[float, float] | None, number: Numbering) -> dict[str, object]:
    date = "" if operation.date is None else f"({','.join(map(str, operation.date))})"
    return {
        "name": str(operation),
        "step": operation.step,
        "dated": operation.is_dated,
        "date": date,
        "tip": tip(operation),
        "at": None if place is None else [round(x, 1) for x in place],
        "writes": [[number(value), number(cell)] for value, cell in operation.writes],
    }


def _read(
    read: TraceRead, shown: Trace, numbers: Mapping[Element, Number], right: frozenset[int], number: Numbering
) -> dict[str, object]:
    value: dict[str, object] = {
        "by": read.reader,
        "value": number(read.value),
        "cell": number(read.cell),
        "found": -1 if read.found is None else number(read.found),
        "from": list(read.producers),
        "lost": read.is_lost,
    }
    if read.is_lost and read.value in numbers:
        value["expected"] = numbers[read.value]
        other = read.found
        # The found value is known if all its writers computed with correct values.
        writers = {o.number for o in shown.operations if any(v == other for v, _ in o.writes)}
        if other is not None and other != read.value and other in numbers and writers <= right:
            value["other"] = numbers[other]
    return value


def _untainted(shown: Trace) -> frozenset[int]:
    """The operations with correct results: they read no lost value, directly or indirectly."""
    wrong = {read.reader for read in shown.reads if read.is_lost}
    for operation in sorted(shown.operations, key=lambda o: o.step):
        mine = (read for read in shown.reads if read.reader == operation.number)
        if any(producer in wrong for read in mine for producer in read.producers):
            wrong.add(operation.number)
    return frozenset(o.number for o in shown.operations) - wrong


def _spaces(shown: Trace, number: Numbering) -> list[dict[str, object]]:
    """Memory spaces, in the order of their first change; with two indices, as a table."""
    cells: dict[str, dict[Element, None]] = {}
    moving: set[str] = set()
    for life in shown.lifetimes:
        cells.setdefault(life.cell.name, {})[life.cell] = None
        if life.first > 0:
            moving.add(life.cell.name)
    spaces = []
    for name in sorted(cells, key=lambda name: (name not in moving, name)):
        every = sorted(cells[name])
        first_cells = every[:_CELLS]
        value: dict[str, object] = {"name": name, "cells": [number(cell) for cell in first_cells]}
        if len(every) > len(first_cells):
            value["more"] = len(every)
        if all(len(cell.index) == 2 for cell in first_cells) and len(first_cells) > 1:
            value["rows"] = _rows(first_cells, number)
        spaces.append(value)
    return spaces


def _rows(cells: Sequence[Element], number: Numbering) -> list[list[object]]:
    known = {cell.index: cell for cell in cells}
    columns = range(min(c.index[1] for c in cells), max(c.index[1] for c in cells) + 1)
    rows = sorted({c.index[0] for c in cells})
    return [[row, [number(known[row, at]) if (row, at) in known else -1 for at in columns]] for row in rows]


def _labels(panel: Panel) -> Iterable[list[object]]:
    """Names of statements and indices, and the values along the axes: x, y, text, kind, anchor."""
    axes, indices = panel.axes, panel.indices
    if panel.is_first:
        name = f"{panel.name}[{','.join(indices)}]" if indices else panel.name
        yield [panel.x - 36, panel.y - (44 if axes.panels is not None else 28), name, "", "start"]
    if axes.panels is not None:
        yield [panel.x + panel.width / 2, panel.y - 24, f"{indices[axes.panels]} = {panel.value}", "axis", "middle"]
    if axes.across is not None:
        for position, value in enumerate(panel.columns):
            yield [panel.x + (position + 0.5) * panel.size, panel.y - 4, str(value), "tick", "middle"]
        yield [panel.x + panel.width + 6, panel.y - 4, indices[axes.across], "axis", "start"]
    if axes.down is not None and panel.is_first:
        for position, value in enumerate(panel.rows):
            yield [panel.x - 6, panel.y + (position + 0.5) * panel.size + 4, str(value), "tick", "end"]
        yield [panel.x - 8, panel.y - 4, indices[axes.down], "axis", "end"]
