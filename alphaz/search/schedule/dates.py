"""Dates from a schedule tree: one list of components for each statement, and the kind of each component.

A component orders (a constant, which separates the parts of a sequence), or is a row of a band. A row is
- parallel, if operations with equal components before it that depend on each other agree in it;
- a reduction, if only contributions to one result differ in it, and their readers come later;
- else sequential.
Source: Reddy (2019), 3.3; the kinds follow from the edges that have a distance of zero."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from alphaz.poly import Affine
from alphaz.poly.scheduling import band_schedules
from alphaz.poly.scheduling.band_schedules import DependenceEdge
from alphaz.search.schedule.problem import Problem

Path = tuple[int, ...]
Row = Mapping[str, Affine]


class ComponentKind(StrEnum):
    """The kind of a component. A FILLER is 0, for all statements of its nest."""

    FILLER = "filler"
    ORDER = "order"
    PARALLEL = "parallel"
    REDUCTION = "reduction"
    SEQUENTIAL = "sequential"


@dataclass(frozen=True, slots=True)
class Component:
    """One component of the dates of a statement. `band` identifies its band (or sequence) in the tree; `bound` is that
    of the tree."""

    value: Affine
    kind: ComponentKind
    band: Path
    bound: Affine | None = None

    @property
    def is_row(self) -> bool:
        return self.kind not in (ComponentKind.ORDER, ComponentKind.FILLER)


_Above = tuple[Row, ComponentKind, Path, Affine | None]

Dates = Mapping[str, tuple[Component, ...]]
"""The components of each statement, in the order of execution; not padded: their lengths differ."""


def dates_of(problem: Problem, schedule: band_schedules.Tree) -> Dates:
    """Returns the dates of a schedule tree, without components that are the same for all operations."""
    return with_kinds(problem, dict(_dated_components(_shorten_tree(_with_idle(problem, schedule)), (), ())))


def dates_in_full(problem: Problem, schedule: band_schedules.Tree) -> Dates:
    """Returns the dates of a schedule tree, with every component."""
    return with_kinds(problem, dict(_dated_components(_with_idle(problem, schedule), (), ())))


def _with_idle(problem: Problem, schedule: band_schedules.Tree) -> band_schedules.Tree:
    """Returns the tree with the statements that have no operations after all others: an engine may leave them out.

    Without dates they get a default map, whose loops may have other kinds than those of the schedule."""
    dated = set(schedule.statements)
    idle = tuple(name for name in problem.statements if name not in dated)
    return band_schedules.SequenceNode((schedule, band_schedules.Leaf(idle))) if idle and dated else schedule


def with_kinds(problem: Problem, dates: Dates) -> Dates:
    """Returns the same dates with the kinds of their rows recomputed."""
    kinds: dict[str, list[ComponentKind]] = {name: [] for name in dates}
    _decide(dates, tuple(dates), 0, _Edges(problem, problem.flow, problem.order), kinds)
    return {
        name: tuple(replace(c, kind=kind) for c, kind in zip(components, kinds[name], strict=True))
        for name, components in dates.items()
    }


def _decide(
    dates: Dates, names: Sequence[str], position: int, edges: "_Edges", kinds: dict[str, list[ComponentKind]]
) -> None:
    """Determines the kinds, for statements that share the components before `position`."""
    going = [name for name in names if len(dates[name]) > position]
    if not going:
        return
    groups: dict[Affine | None, list[str]] = {}
    for name in going:
        component = dates[name][position]
        groups.setdefault(component.value if component.kind is ComponentKind.ORDER else None, []).append(name)
    for constant, members in groups.items():
        inside = edges.among(members)
        row = {name: dates[name][position].value for name in members}
        kind = dates[members[0]][position].kind
        if constant is None and kind is not ComponentKind.FILLER:
            kind = row_kind(row, inside.flow, inside.order, inside.problem)
            inside = inside.after(row)
        for name in members:
            kinds[name].append(kind)
        _decide(dates, members, position + 1, inside, kinds)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """The dependence edges whose ends have equal components so far."""

    problem: Problem
    flow: tuple[DependenceEdge, ...]
    order: tuple[DependenceEdge, ...]

    def among(self, names: Iterable[str]) -> "_Edges":
        inside = set(names)
        edges = (tuple(e for e in es if e.source in inside and e.target in inside) for es in (self.flow, self.order))
        return _Edges(self.problem, *edges)

    def after(self, row: Row) -> "_Edges":
        return _Edges(self.problem, tuple(not_carried(self.flow, row)), tuple(not_carried(self.order, row)))


def _shorten_tree(schedule: band_schedules.Tree) -> band_schedules.Tree:
    """The tree with nested sequences flattened, without rows that are one constant, and with constant rows as
    sequences.
    """
    if isinstance(schedule, band_schedules.Leaf):
        return schedule
    if isinstance(schedule, band_schedules.SequenceNode):
        parts = tuple(map(_shorten_tree, schedule.parts))
        flat = tuple(
            inner
            for part in parts
            for inner in (part.parts if isinstance(part, band_schedules.SequenceNode) else (part,))
        )
        return flat[0] if len(flat) == 1 else band_schedules.SequenceNode(flat)
    positions = [
        position for position, row in enumerate(schedule.rows) if len(set(row.values())) > 1 or not _constant(row)
    ]
    below = _shorten_tree(schedule.below)
    if not positions:
        return below
    rows, coincident = (
        tuple(statement_rows[position] for position in positions)
        for statement_rows in (schedule.rows, schedule.coincident)
    )
    bounds = tuple(schedule.bounds[position] for position in positions) if schedule.bounds else ()
    return replace(schedule, rows=rows, coincident=coincident, below=below, bounds=bounds)  # type: ignore[arg-type]


def _constant(row: Row) -> bool:
    return all(value.is_constant for value in row.values())


def _dated_components(
    schedule: band_schedules.Tree, path: Path, above: tuple["_Above", ...]
) -> Iterator[tuple[str, tuple[Component, ...]]]:
    """The components of the statements, with all rows taken to be sequential."""
    if isinstance(schedule, band_schedules.Leaf):
        for name in schedule.statements:
            yield name, tuple(Component(row[name], kind, band, bound) for row, kind, band, bound in above)
    elif isinstance(schedule, band_schedules.SequenceNode):
        for position, part in enumerate(schedule.parts):
            constant = dict.fromkeys(part.statements, Affine(constant=position))
            yield from _dated_components(part, (*path, position), (*above, (constant, ComponentKind.ORDER, path, None)))
    else:
        bounds = schedule.bounds or (None,) * len(schedule.rows)
        kinds = (ComponentKind.ORDER if _constant(row) else ComponentKind.SEQUENTIAL for row in schedule.rows)
        rows = ((row, kind, path, bound) for row, kind, bound in zip(schedule.rows, kinds, bounds, strict=True))
        yield from _dated_components(schedule.below, (*path, 0), (*above, *rows))


def row_kind(
    row: Row, flow: Iterable[DependenceEdge], order: Iterable[DependenceEdge], problem: Problem
) -> ComponentKind:
    """Returns the kind of a row, given the edges that have equal components before it."""
    moving = [edge for edge in flow if moves(edge, row)]
    if any(not problem.is_isolation(edge) for edge in moving):
        return ComponentKind.SEQUENTIAL
    return ComponentKind.REDUCTION if moving or any(moves(edge, row) for edge in order) else ComponentKind.PARALLEL


def moves(edge: DependenceEdge, row: Row) -> bool:
    """Returns True if the row differs at the ends of some pair of the edge."""
    same = edge.relation.where_equal(row[edge.source], row[edge.target])
    return not (edge.relation - same).is_empty()


def not_carried(edges: Iterable[DependenceEdge], row: Row) -> Iterator[DependenceEdge]:
    """Returns the parts of the edges with equal components in the row."""
    for edge in edges:
        left = edge.relation.where_equal(row[edge.source], row[edge.target])
        if not left.is_empty():
            yield replace(edge, relation=left)
