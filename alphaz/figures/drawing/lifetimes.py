"""The figure of lifetimes: the values in each cell over time, and conflicts in a cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from alphaz.figures.drawing.svg import Canvas, Figure, text_width
from alphaz.figures.drawing.words import LEFT, heading, size_text, verdict
from alphaz.figures.trace.trace_data import Element, Lifetime, Trace

_LANE = 20.0
_CELLS = 60
_NARROWEST = 560.0
_USUAL = 900.0
# Of a step, where there is room; and of a label from the edge of its bar, where a mark may stand.
_LEAST_STEP = 76.0
_MARGIN = 9.0
_ROLES = {"producer": "written", "writer": "overwritten", "reader": "read"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A cell: values with overlapping lifetimes are in separate lanes. `y` is where the first begins."""

    cell: Element
    lanes: tuple[tuple[Lifetime, ...], ...]
    y: float

    @property
    def lives(self) -> Iterator[Lifetime]:
        """Yields lifetimes by the step in which they begin."""
        return iter(sorted((life for lane in self.lanes for life in lane), key=lambda life: life.first))

    def lane(self, life: Lifetime) -> float:
        """Returns the upper edge of its lane."""
        return self.y + _LANE * next(position for position, lane in enumerate(self.lanes) if life in lane)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The horizontal positions of steps."""

    left: float
    unit: float

    def x(self, step: float) -> float:
        return self.left + (step + 0.5) * self.unit


def lifetimes(shown: Trace, spaces: Sequence[str] = ()) -> Figure:
    """Returns a row for each cell (of `spaces` only, if given), a bar for each value.

    Cells that only ever hold an input are left out, and those beyond the sixtieth; conflicts come first."""
    cells, left_out = _cells(shown, spaces)
    left = max([40.0, *(text_width(str(cell), 11) for cell, _ in cells)]) + LEFT + 14
    widest = max([_LEAST_STEP, *(_code_width(str(life.value)) + _MARGIN + 3 for _, lives in cells for life in lives)])
    scale = _Scale(left, min(widest, (_USUAL - left) / (shown.steps + 1)))
    width = max(_NARROWEST, scale.x(shown.steps + 0.5))
    title = f"{shown.system}: which value is in which cell, and how long"
    is_wrong = any(life.lost for _, lives in cells for life in lives)
    legend = "a bar goes from the writing of a value to its last reading" + left_out
    legend += "; orange: it is still needed, and another value stands there" if is_wrong else ""
    canvas = Canvas()
    top = heading(canvas, title, [size_text(shown), legend], width) + 32
    rows = _rows(cells, top)
    _grid(canvas, rows, scale, (top, shown.steps))
    for row in rows:
        for life in row.lives:
            _bar(canvas, row, life, scale)
    _marks(canvas, shown, rows, scale)
    verdict(canvas, shown, width)
    lost = sum(bool(life.lost) for _, lives in cells for life in lives)
    sentence = f"{title}. {shown.size}: {len(rows)} cells, {shown.steps} steps, {lost} values lost."
    return canvas.figure(title, f"{sentence} {shown.sentence}".strip())


def _cells(shown: Trace, spaces: Sequence[str]) -> tuple[list[tuple[Element, list[Lifetime]]], str]:
    every = [(cell, list(group)) for cell, group in groupby(shown.lifetimes, key=lambda life: life.cell)]
    if spaces:
        every = [(cell, lives) for cell, lives in every if cell.name in spaces]
    else:
        moved = {life.cell.name for life in shown.lifetimes if life.first > 0 or life.lost}
        every = [(cell, lives) for cell, lives in every if cell.name in moved] or every
    if len(every) <= _CELLS:
        return every, ""
    wrong = {cell for cell, lives in every if any(life.lost for life in lives)}
    drawn = sorted(sorted(every, key=lambda row: row[0] not in wrong)[:_CELLS], key=lambda row: row[0])
    return drawn, f"; {_CELLS} of {len(every)} cells are shown"


def _rows(cells: Sequence[tuple[Element, Sequence[Lifetime]]], top: float) -> list[_Row]:
    rows = []
    for cell, lives in cells:
        lanes: list[list[Lifetime]] = []
        for life in sorted(lives, key=lambda life: (life.first, life.last)):
            free = next((lane for lane in lanes if lane[-1].last <= life.first), None)
            if free is None:
                lanes.append([life])
            else:
                free.append(life)
        rows.append(_Row(cell, tuple(map(tuple, lanes)), top))
        top += _LANE * len(lanes) + 5
    return rows


def _grid(canvas: Canvas, rows: Sequence[_Row], scale: _Scale, size: tuple[float, int]) -> None:
    top, steps = size
    bottom = rows[-1].y + _LANE * len(rows[-1].lanes) if rows else top
    least = text_width(str(steps), 11) + 4
    every = next((step for step in (1, 2, 5, 10, 20, 50) if step * scale.unit >= least), 100)
    for step in range(0, steps + 1, every):
        canvas.text(scale.x(step), top - 6, str(step), "soft", "middle")
        canvas.path(f"M{scale.x(step):g} {top:g}V{bottom:g}", "line")
    canvas.text(LEFT, top - 6, "cell", "soft")
    canvas.text(scale.x(steps) + 14, top - 6, "step", "axis")
    for row in rows:
        canvas.text(scale.left - 10, row.y + 14, str(row.cell), "code", "end")
    canvas.reach(scale.x(steps), bottom)


def _bar(canvas: Canvas, row: _Row, life: Lifetime, scale: _Scale) -> None:
    y, start = row.lane(life) + 2, min(life.first, life.last)
    description = f"{life.value} in cell {life.cell}: from step {life.first} to step {life.last}"
    description += f", lost to {len(life.lost)} of its reads" if life.lost else ""
    width = max((max(life.last, life.first) - start) * scale.unit, 6.0)
    canvas.rect(scale.x(start), y, width, _LANE - 3, "bar", description, rx=3)
    if life.lost:
        after = min((other.first for other in row.lives if life.first < other.first < life.last), default=start)
        over = max((life.last - after) * scale.unit, 6.0)
        canvas.rect(scale.x(after), y, over, _LANE - 3, "badfill", rx=3)
        canvas.rect(scale.x(after), y, over, _LANE - 3, "bad", rx=3)
    _label(canvas, life, [scale.x(start), *([scale.x(after)] if life.lost else []), scale.x(start) + width], y)


def _label(canvas: Canvas, life: Lifetime, edges: Sequence[float], y: float) -> None:
    """Writes the value in the first part of its bar that is wide enough; else its indices; else only the tooltip has
    it."""
    indices = "\u2026" + str(life.value).removeprefix(life.value.name)
    for text in (str(life.value), indices):
        for left, right in pairwise(edges):
            if _code_width(text) + _MARGIN + 3 <= right - left:
                canvas.text(left + _MARGIN, y + 12.5, text, "code")
                return


def _code_width(text: str) -> float:
    """The approximate width of a text in a monospaced font."""
    return len(text) * 6.65


def _marks(canvas: Canvas, shown: Trace, rows: Sequence[_Row], scale: _Scale) -> None:
    """Marks an overwriting operation by a square, a reader by a circle, the read value by a dashed one, in the lane of
    the value."""
    value = shown.witness.value if shown.witness is not None else None
    row_and_life = next(((row, life) for row in rows for life in row.lives if life.value == value), None)
    if shown.witness is None or row_and_life is None:
        return
    row, life = row_and_life
    y = row.lane(life) + _LANE / 2
    for role, number in shown.witness.places:
        _mark(canvas, role, scale.x(shown.operations[number].step), y, str(shown.operations[number]))
    x, y = LEFT, canvas.bottom + 20
    for role, text in _ROLES.items():
        if role in shown.witness.roles:
            _mark(canvas, role, x + 5, y - 4, "")
            canvas.text(x + 16, y, text, "soft")
            x += 30 + text_width(text, 11)


def _mark(canvas: Canvas, role: str, x: float, y: float, title: str) -> None:
    if role == "writer":
        canvas.rect(x - 5, y - 5, 10, 10, "bad", title)
    elif role in _ROLES:
        canvas.circle(x, y, 5, "bad", title, **({"stroke_dasharray": "3 2"} if role == "producer" else {}))
