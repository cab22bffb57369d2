"""Figures of points: operations and reads, with steps, tiles and wavefronts."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from alphaz.figures.drawing.point_panels import Panel, Sheet, sheet
from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.theme import ink_on, step_colour
from alphaz.figures.drawing.words import LEFT, heading, size_text, tip, verdict
from alphaz.figures.trace.trace_data import Operation, Trace, TraceRead, Violation

_RADIUS = 12.0
_ARROWS = 600
# Most arrows between panels that remain readable.
_CROSSING = 24
_NARROWEST = 520.0
# Distances of the middle of an arrow from the straight line, in pixels, in the order in which they are tried.
_BENDS = (0.0, 18.0, -18.0, 26.0, -26.0, 44.0, -44.0, 66.0, -66.0)
# Arrows of counterexamples are straight where they are no longer than this.
_SHORT = 60.0

Place = tuple[float, float]


class PointKind(StrEnum):
    """The property shown by the points."""

    DOMAIN = "domain"
    DATES = "dates"
    TILES = "tiles"


_TITLES = {
    PointKind.DOMAIN: "what is computed, and who reads whom",
    PointKind.DATES: "in which step each operation is done",
    PointKind.TILES: "in which tile each operation is done",
}
# The role of an operation in a witness.
_ROLES = {
    "reader": "who reads",
    "producer": "what is read",
    "writer": "who overwrites",
    "operation": "one",
    "other": "the other",
    "user": "who uses the array",
    "allocation": "its allocation",
    "free": "its release",
    "contribution": "one contribution",
    "point": "the point",
    "read": "what is read",
    "call": "the call",
}
# The error at a point of a rejected program.
_WRONG = {"never": "never defined", "twice": "defined twice", "nowhere": "outside the domain"}


def points(
    shown: Trace,
    kind: PointKind,
    variables: Sequence[str] = (),
    across: Sequence[str] = (),
    values: Mapping[str, int] | None = None,
) -> Figure:
    """Returns a panel for each statement (of `variables` only, if given)."""
    drawn = [o for o in shown.dated if not variables or o.variable in variables or o.name in variables]
    if kind is PointKind.DOMAIN:
        rest = (o for o in shown.operations if not o.is_dated and o.moment != "end")
        drawn += [o for o in rest if not variables or o.variable in variables]
    marked = {number for _, number in shown.witness.places} if shown.witness is not None else set[int]()
    layout = sheet(drawn, 0, across, values, marked=marked)
    crossing = kind is PointKind.DOMAIN and len(_pairs(shown, layout)) <= _CROSSING
    layout = sheet(drawn, 0, across, values, stacked=crossing, marked=marked)
    width = max([_NARROWEST, *(p.x + p.width for p in layout.panels)])
    canvas = Canvas()
    title = f"{shown.system}: {_TITLES[kind]}"
    notes = [size_text(shown), _notes(shown, kind, layout, crossing)]
    top = heading(canvas, title, notes, width)
    layout = sheet(drawn, top, across, values, stacked=crossing, marked=marked)
    for panel in layout.panels:
        _axes(canvas, panel)
        if kind is PointKind.TILES:
            _tiles(canvas, panel)
        _holes(canvas, shown, panel)
    arrows = _arrows(canvas, layout, _drawn_pairs(shown, kind, layout, crossing))
    for panel in layout.panels:
        _name(canvas, panel)
    steps = sorted({o.step for o in drawn})
    for panel in layout.panels:
        for operation in panel.operations:
            _point(canvas, operation, layout.places[operation.number], kind, steps)
    _witness(canvas, shown, layout)
    _legend(canvas, shown, layout, kind, steps)
    verdict(canvas, shown, width)
    names = ", ".join(dict.fromkeys(o.name for o in drawn))
    sentence = f"{len(layout.places)} operations of {names} in {len(steps)} steps, {arrows} dependences."
    return canvas.figure(title, f"{title}. {shown.size}: {sentence} {shown.sentence}".strip())


def _notes(shown: Trace, kind: PointKind, layout: Sheet, crossing: bool) -> str:
    notes = ["an arrow goes from what is read to who reads it"]
    if len(layout.panels) > 1 and not crossing:
        of_one = "; from other panels only to one point of each" if kind is PointKind.DOMAIN else ", inside one panel"
        notes[0] += of_one
    if kind is PointKind.TILES and any(o.wavefront is not None for o in shown.operations):
        notes.append("tiles of one wavefront run in parallel")
    if kind is not PointKind.DOMAIN and shown.witness is not None:
        notes.append("the steps are those of an execution that the mapping allows, in which it goes wrong")
    if layout.held:
        notes.append(f"only the points with {', '.join(layout.held)}")
    if any(value.name == panel.name for value in shown.dropped for panel in layout.panels):
        notes.append("dashed: copies onto their own cell, which are dropped")
    return "; ".join(notes)


def _axes(canvas: Canvas, panel: Panel) -> None:
    axes, indices = panel.axes, panel.indices
    above = panel.y - 24
    if axes.panels is not None:
        canvas.text(panel.x + panel.width / 2, above, f"{indices[axes.panels]} = {panel.value}", "axis", "middle")
        canvas.reach(panel.x + panel.width / 2 + 20, above)
    if axes.across is not None:
        for value in panel.columns:
            x = panel.x + (value - panel.columns.start + 0.5) * panel.size
            # Next to the arrows that come from above.
            canvas.text(x - 3, panel.y - 4, str(value), "soft", "end")
        if panel.is_first or axes.panels is None:
            canvas.text(panel.x + panel.width + 6, panel.y - 4, indices[axes.across], "axis")
    if axes.down is not None and panel.is_first:
        for value in panel.rows:
            y = panel.y + (value - panel.rows.start + 0.5) * panel.size + 4
            canvas.text(panel.x - 6, y, str(value), "soft", "end")
        canvas.text(panel.x - 8, panel.y - 4, indices[axes.down], "axis", "end")
    canvas.reach(panel.x + panel.width, panel.y + panel.height)


def _name(canvas: Canvas, panel: Panel) -> None:
    """Writes the name of the statement, above the arrows."""
    if panel.is_first:
        called = f"{panel.name}[{','.join(panel.indices)}]" if panel.indices else panel.name
        x, y = panel.x - 36, panel.y - (44 if panel.axes.panels is not None else 28)
        canvas.rect(x - 2, y - 11, text_width(called, 11) + 4, 15, "behind")
        canvas.text(x, y, called, "code")


def _tiles(canvas: Canvas, panel: Panel) -> None:
    """Draws exact outlines of tiles: every point is a square, with an edge if its neighbour lies in another tile."""
    tiles = {panel.place(o.point): o.tile for o in panel.operations if o.tile is not None}
    half, edges = panel.size / 2, []
    for (x, y), tile in tiles.items():
        canvas.rect(x - half, y - half, panel.size, panel.size, "odd" if sum(tile) % 2 else "even")
    for (x, y), tile in sorted(tiles.items()):
        for dx, dy, edge in (
            (1, 0, (half, -half, half, half)),
            (-1, 0, (-half, -half, -half, half)),
            (0, 1, (-half, half, half, half)),
            (0, -1, (-half, -half, half, -half)),
        ):
            if tiles.get((x + dx * panel.size, y + dy * panel.size)) != tile:
                edges.append(f"M{x + edge[0]:g} {y + edge[1]:g}L{x + edge[2]:g} {y + edge[3]:g}")
    if edges:
        canvas.path("".join(edges), "tile", stroke_linecap="square")


def _holes(canvas: Canvas, shown: Trace, panel: Panel) -> None:
    """Marks dropped copies, so that the gap does not look like a mistake."""
    for value in shown.dropped:
        slice_ = None if panel.axes.panels is None else value.index[panel.axes.panels]
        if value.name == panel.name and slice_ == panel.value and panel.axes.shows(value.index):
            x, y = panel.place(value.index)
            inside = panel.x <= x <= panel.x + panel.width and panel.y <= y <= panel.y + panel.height
            if inside:
                canvas.circle(x, y, _RADIUS, "hollow", f"{value}: a copy, dropped")


def _pairs(shown: Trace, layout: Sheet) -> list[tuple[int, int]]:
    """Pairs of producer and reader that are both on the sheet."""
    pairs = ((producer, read.reader) for read in shown.reads for producer in _latest(shown, read))
    return [(a, b) for a, b in dict.fromkeys(pairs) if a != b and a in layout.places and b in layout.places]


def _latest(shown: Trace, read: TraceRead) -> Iterable[int]:
    """The producers of the read value: for an accumulation, the last contributions."""
    if not read.is_running:
        return read.producers
    steps = {number: shown.operations[number].step for number in read.producers}
    last = max((step for step in steps.values() if step < shown.operations[read.reader].step), default=None)
    return [number for number in read.producers if steps[number] == last]


def _drawn_pairs(shown: Trace, kind: PointKind, layout: Sheet, crossing: bool) -> list[tuple[int, int]]:
    """All pairs if they can be distinguished: else those inside panels, and for a domain the reads of one point of each
    panel."""
    pairs = _pairs(shown, layout)
    if crossing:
        return pairs
    panel_of = {o.number: position for position, panel in enumerate(layout.panels) for o in panel.operations}
    readers = set(_examples(pairs, layout)) if kind is PointKind.DOMAIN else set()
    return [(a, b) for a, b in pairs if panel_of[a] == panel_of[b] or b in readers]


def _examples(pairs: Sequence[tuple[int, int]], layout: Sheet) -> Iterator[int]:
    """A point of each statement with the most reads, in the middle of these."""
    reads = Counter(reader for _, reader in pairs)
    members: dict[str, list[int]] = {}
    for panel in layout.panels:
        members.setdefault(panel.name, []).extend(o.number for o in panel.operations)
    for numbers in members.values():
        most = max(reads[number] for number in numbers)
        busy = [number for number in numbers if reads[number] == most]
        yield busy[len(busy) // 2]


def _arrows(canvas: Canvas, layout: Sheet, pairs: Sequence[tuple[int, int]]) -> int:
    for producer, reader in pairs[:_ARROWS]:
        start, end = layout.places[producer], layout.places[reader]
        canvas.arrow(start, end, _RADIUS, bend=_bend(start, end, layout))
    return len(pairs[:_ARROWS])


def _bend(start: Place, end: Place, layout: Sheet) -> float:
    """The bend of an arrow that avoids the points in between."""
    others = [place for place in layout.places.values() if place not in (start, end)]
    return min(_BENDS, key=lambda bend: (_hits(start, end, bend, others), abs(bend)))


def _wide_bend(start: Place, end: Place, layout: Sheet) -> float:
    """The bend of the arrow of a counterexample, which is drawn next to others."""
    length = math.dist(start, end)
    if length <= _SHORT:
        return 0
    others = [place for place in layout.places.values() if place not in (start, end)]
    bends = (-length / 10, length / 10, -length / 5, length / 5)
    return min(bends, key=lambda bend: _hits(start, end, bend, others))


def _hits(start: Place, end: Place, bend: float, others: Sequence[Place]) -> int:
    """The number of points that an arrow touches."""
    (x0, y0), (x1, y1) = start, end
    reach = abs(bend) + _RADIUS
    low, high = min(y0, y1) - reach, max(y0, y1) + reach
    near = [(x, y) for x, y in others if low <= y <= high]
    if not near:
        return 0
    length = math.dist(start, end)
    u, v = (x1 - x0) / length, (y1 - y0) / length
    count = 0
    for x, y in near:
        along, aside = (x - x0) * u + (y - y0) * v, (y - y0) * u - (x - x0) * v
        share = along / length
        count += 0 < share < 1 and abs(aside - 4 * bend * share * (1 - share)) < _RADIUS - 1
    return count


def _point(
    canvas: Canvas, operation: Operation, place: tuple[float, float], kind: PointKind, steps: Sequence[int]
) -> None:
    (x, y), description = place, tip(operation)
    if kind is PointKind.DOMAIN:
        if operation.moment in _WRONG:
            canvas.circle(x, y, _RADIUS - 3, _look(operation), f"{operation}, {_WRONG[operation.moment]}")
        elif operation.is_dated:
            canvas.circle(x, y, _RADIUS - 3, "point", description)
        else:
            canvas.rect(x - 8, y - 8, 16, 16, "node", description)
        return
    colour = step_colour(steps.index(operation.step) / max(len(steps) - 1, 1))
    canvas.circle(x, y, _RADIUS, "step", description, fill=colour)
    canvas.text(x, y + 3.7, str(operation.step), "number", "middle", fill=ink_on(colour))


def _look(operation: Operation) -> str:
    return "badfill" if operation.moment == "twice" else "hollow"


def _witness(canvas: Canvas, shown: Trace, layout: Sheet) -> None:
    if shown.witness is None:
        return
    if shown.verdict == "rejected":
        _chain(canvas, shown.witness, layout)
    roles = {role: number for role, number in shown.witness.places if number in layout.places}
    if {"reader", "producer"} <= set(roles):
        start, end = layout.places[roles["producer"]], layout.places[roles["reader"]]
        canvas.arrow(start, end, _RADIUS + 4, "bad", _wide_bend(start, end, layout))
    for role, number in dict.fromkeys(shown.witness.places):
        if number in layout.places:
            _mark(canvas, role, *layout.places[number], _RADIUS + 4)


def _chain(canvas: Canvas, witness: Violation, layout: Sheet) -> None:
    """Draws the cycle, or the read of an undefined point, of a rejected program."""
    numbers = [number for _, number in witness.places if number in layout.places]
    if len({role for role, _ in witness.places}) == 1 < len(set(numbers)) and numbers[0] != numbers[-1]:
        numbers.append(numbers[0])
    for reader, producer in pairwise(numbers):
        canvas.arrow(layout.places[producer], layout.places[reader], _RADIUS + 4, "bad", 11)


def _mark(canvas: Canvas, role: str, x: float, y: float, radius: float) -> None:
    """Marks a point: a square for an overwriting operation, or the other one of a pair; dashed for a read value."""
    if role in ("writer", "other", "free", "allocation"):
        canvas.rect(x - radius, y - radius, 2 * radius, 2 * radius, "bad", rx=3)
    else:
        canvas.circle(x, y, radius, "bad", **({"stroke_dasharray": "4 3"} if role in ("producer", "read") else {}))


def _legend(canvas: Canvas, shown: Trace, layout: Sheet, kind: PointKind, steps: Sequence[int]) -> None:
    y, x = canvas.bottom + 22, LEFT
    if kind is not PointKind.DOMAIN and len(steps) > 1:
        canvas.text(x, y, "step", "soft")
        canvas.text(x + 30, y, str(steps[0]), "soft")
        x += 34 + text_width(str(steps[0]), 11)
        for position in range(24):
            canvas.rect(x + position * 4, y - 9, 5, 10, "ramp", fill=step_colour(position / 23))
        canvas.text(x + 100, y, str(steps[-1]), "soft")
        x += 124 + text_width(str(steps[-1]), 11)
    if kind is PointKind.DOMAIN and any(o.moment == "start" for p in layout.panels for o in p.operations):
        for role, text in (("point", "computed"), ("node", "an input")):
            canvas.rect(x, y - 9, 11, 11, role, rx=6 if role == "point" else 0)
            canvas.text(x + 18, y, text, "soft")
            x += 30 + text_width(text, 11)
    drawn = [o for panel in layout.panels for o in panel.operations]
    for wrong in dict.fromkeys(o.moment for o in drawn if kind is PointKind.DOMAIN and o.moment in _WRONG):
        canvas.circle(x + 6, y - 4, 6, "badfill" if wrong == "twice" else "hollow")
        canvas.text(x + 18, y, _WRONG[wrong], "soft")
        x += 30 + text_width(_WRONG[wrong], 11)
    if kind is PointKind.TILES:
        canvas.rect(x, y - 9, 12, 12, "tile")
        canvas.text(x + 18, y, "a tile", "soft")
        x += 62
    places = shown.witness.places if shown.witness is not None else ()
    for role in dict.fromkeys(role for role, number in places if number in layout.places):
        _mark(canvas, role, x + 6, y - 4, 6)
        text = _ROLES.get(role, role)
        canvas.text(x + 18, y, text, "soft")
        x += 30 + text_width(text, 11)
