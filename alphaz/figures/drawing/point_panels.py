"""Layout of points: a panel for each statement; with three or more indices, one for each value of the first drawn one.

With more than three indices two are drawn, the last ones, or the requested ones; the others are fixed. Marked points
are on the sheet: indices that distinguish them are not fixed, unless there are more than three of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.figures.drawing.svg import text_width
from alphaz.figures.trace.trace_data import Index, Operation

_SIZE = 40.0
_APART = 30.0
_MARGIN = 56.0
_WIDEST = 1120.0
# Statements stand side by side as long as they are no wider than this together.
_ENOUGH = 760.0


@dataclass(frozen=True, slots=True)
class Axes:
    """The drawn indices, by their places: `across` and `down` (None if there are fewer), one panel for each value of
    `panels`, the rest fixed at the values in `held`."""

    across: int | None
    down: int | None
    panels: int | None
    held: tuple[tuple[int, int], ...] = ()

    def shows(self, point: Index) -> bool:
        """Returns True if a point is on the sheet."""
        return all(point[at] == value for at, value in self.held)


@dataclass(frozen=True, slots=True)
class Panel:
    """Operations of one statement with their places. `x` and `y` are the upper left corner of the points; `columns` and
    `rows` the values of the drawn indices."""

    name: str
    indices: tuple[str, ...]
    axes: Axes
    value: int | None
    x: float
    y: float
    columns: range
    rows: range
    operations: tuple[Operation, ...]
    is_first: bool

    def place(self, point: Index) -> tuple[float, float]:
        """Returns the centre of a point."""
        across = point[self.axes.across] if self.axes.across is not None else 0
        down = point[self.axes.down] if self.axes.down is not None else 0
        return self.x + (across - self.columns.start + 0.5) * _SIZE, self.y + (down - self.rows.start + 0.5) * _SIZE

    @property
    def width(self) -> float:
        return len(self.columns) * _SIZE

    @property
    def height(self) -> float:
        return len(self.rows) * _SIZE

    @property
    def size(self) -> float:
        """Returns the side of the square around a point."""
        return _SIZE


@dataclass(frozen=True, slots=True)
class Sheet:
    """All panels, with the place of each operation that is on one."""

    panels: tuple[Panel, ...]
    places: Mapping[int, tuple[float, float]]
    held: tuple[str, ...]


def sheet(
    operations: Sequence[Operation],
    top: float,
    across: Sequence[str] = (),
    values: Mapping[str, int] | None = None,
    *,
    stacked: bool = False,
    marked: Collection[int] = (),
) -> Sheet:
    """Returns operations in panels below `top`. `across` names the indices to be drawn, horizontal first; `values`
    fixes others. The numbers in `marked` are of operations that must be visible. If arrows lead from panel to panel,
    rows of points are `stacked`: side by side, arrows would overlap.
    """
    panels: list[Panel] = []
    held: dict[str, None] = {}
    left, y, below, is_row = 0.0, top, top, False
    for name, members in _statements(operations).items():
        axes = _axes(members, across, values or {}, [o.point for o in members if o.number in marked])
        shown = [o for o in members if axes.shows(o.point)]
        if not shown:
            continue
        held |= dict.fromkeys(f"{members[0].indices[i]} = {value}" for i, value in axes.held)
        was_row, is_row = is_row, axes.down is None and axes.across is not None
        if left and (left + _width(name, shown, axes) > _ENOUGH or (stacked and (is_row or was_row))):
            left, y = 0.0, below
        made, bottom = _panels(name, shown, axes, left + _MARGIN, y)
        panels += made
        left, below = left + _width(name, shown, axes), max(below, bottom)
    places = {o.number: panel.place(o.point) for panel in panels for o in panel.operations}
    return Sheet(tuple(panels), places, tuple(held))


def _width(name: str, members: Sequence[Operation], axes: Axes) -> float:
    """The approximate width of all panels of a statement side by side, with its name."""
    slices = len(dict(_slices(members, axes.panels)))
    points = slices * (len(_range(members, axes.across)) * _SIZE + _APART)
    return _MARGIN + max(points, text_width(f"{name}[{','.join(members[0].indices)}]", 11))


def _statements(operations: Sequence[Operation]) -> dict[str, list[Operation]]:
    """The operations of each statement, in the order of their first operations."""
    by_name: dict[str, list[Operation]] = {}
    for operation in sorted(operations, key=lambda o: (o.step, o.name)):
        by_name.setdefault(operation.name, []).append(operation)
    return {name: sorted(members, key=lambda o: o.point) for name, members in by_name.items()}


def _axes(
    members: Sequence[Operation], across: Sequence[str], values: Mapping[str, int], marked: Sequence[Index] = ()
) -> Axes:
    indices = members[0].indices
    held = {i: values[name] for i, name in enumerate(indices) if name in values}
    free = [i for i in range(len(indices)) if i not in held]
    telling = [i for i in free if len({point[i] for point in marked}) > 1]
    chosen = [indices.index(name) for name in across if name in indices and indices.index(name) in free][:2]
    drawn = chosen or [i for i in free if not telling or i in _visible_indices(free, telling)][-2:][::-1]
    rest = [i for i in free if i not in drawn]
    panels = next((i for i in rest if i in telling), rest[0]) if rest else None
    typical = marked[0] if marked else members[len(members) // 2].point
    held |= {i: typical[i] for i in rest if i != panels}
    horizontal = drawn[0] if drawn else None
    vertical = drawn[1] if len(drawn) > 1 else None
    return Axes(horizontal, vertical, panels, tuple(sorted(held.items())))


def _visible_indices(free: Sequence[int], telling: Sequence[int]) -> Sequence[int]:
    """Three indices: those that distinguish marked points, and of the others the last."""
    others = [i for i in free if i not in telling]
    return [*telling, *others[::-1]][:3]


def _panels(name: str, members: Sequence[Operation], axes: Axes, left: float, y: float) -> tuple[list[Panel], float]:
    """The panels side by side, in rows of bounded width; and where the next ones begin."""
    columns, rows = _range(members, axes.across), _range(members, axes.down)
    head = 72.0 if axes.panels is not None else 56.0
    x, panels = left, list[Panel]()
    top = y + head
    for value, inside in _slices(members, axes.panels):
        if x > left and x + len(columns) * _SIZE > _WIDEST:
            x, top = left, top + len(rows) * _SIZE + head - 8
        indices = members[0].indices
        panels.append(
            Panel(
                name=name,
                indices=indices,
                axes=axes,
                value=value,
                x=x,
                y=top,
                columns=columns,
                rows=rows,
                operations=tuple(inside),
                is_first=x == left,
            )
        )
        x += len(columns) * _SIZE + _APART
    return panels, top + len(rows) * _SIZE


def _slices(members: Sequence[Operation], by: int | None) -> Iterator[tuple[int | None, list[Operation]]]:
    if by is None:
        yield None, list(members)
        return
    for value in sorted({o.point[by] for o in members}):
        yield value, [o for o in members if o.point[by] == value]


def _range(members: Sequence[Operation], position: int | None) -> range:
    if position is None:
        return range(1)
    values = [o.point[position] for o in members]
    return range(min(values), max(values) + 1)
