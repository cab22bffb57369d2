"""Dates from a tree: one list of components for each statement, and what each component is.

A component orders (a constant, which tells the parts of a sequence apart), or is a row of a band. A row is
- parallel, where operations with equal components before it that depend on each other agree in it;
- a reduction, where only contributions to one result differ in it, and their readers are further on;
- else sequential.
Source: Reddy (2019), 3.3; the digest's kinds follow from which edges have a distance of zero.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from alphaz.poly import Affine
from alphaz.poly.scheduling import tree
from alphaz.poly.scheduling.scheduler import Edge
from alphaz.schedule.problem import Problem


class Kind(StrEnum):
    """Of a component."""

    ORDER = "order"
    PARALLEL = "parallel"
    REDUCTION = "reduction"
    SEQUENTIAL = "sequential"


@dataclass(frozen=True, slots=True)
class Component:
    """One component of the dates of a statement. `band` numbers the bands of the tree, outermost first."""

    value: Affine
    kind: Kind
    band: int = -1

    @property
    def is_row(self) -> bool:
        return self.kind is not Kind.ORDER


Dates = Mapping[str, tuple[Component, ...]]
"""Of each statement, in the order of execution; not padded: their lengths differ."""


def dates_of(problem: Problem, schedule: tree.Tree) -> Dates:
    """The dates that a tree gives, without components that tell nothing apart."""
    found: dict[str, tuple[Component, ...]] = {}
    numbers = iter(range(len(problem.statements) * 100))
    _collect(_shortened(schedule), (), problem.flow, problem.order, problem, numbers, found)
    return found


def _shortened(schedule: tree.Tree) -> tree.Tree:
    """Sequences in sequences are one; a row that is one constant for all is none; a constant row is a sequence."""
    if isinstance(schedule, tree.Leaf):
        return schedule
    if isinstance(schedule, tree.Sequence):
        parts = tuple(map(_shortened, schedule.parts))
        flat = tuple(
            inner for part in parts for inner in (part.parts if isinstance(part, tree.Sequence) else (part,))
        )
        return flat[0] if len(flat) == 1 else tree.Sequence(flat)
    kept = [at for at, row in enumerate(schedule.rows) if len(set(row.values())) > 1 or not _constant(row)]
    below = _shortened(schedule.below)
    if not kept:
        return below
    rows, coincident = (tuple(each[at] for at in kept) for each in (schedule.rows, schedule.coincident))
    return replace(schedule, rows=rows, coincident=coincident, below=below)  # type: ignore[arg-type]


def _constant(row: Mapping[str, Affine]) -> bool:
    return all(value.is_constant for value in row.values())


def _collect(
    schedule: tree.Tree,
    above: tuple[tuple[Mapping[str, Affine], Kind, int], ...],
    flow: Sequence[Edge],
    order: Sequence[Edge],
    problem: Problem,
    numbers: Iterator[int],
    found: dict[str, tuple[Component, ...]],
) -> None:
    if isinstance(schedule, tree.Leaf):
        for name in schedule.statements:
            found[name] = tuple(Component(row[name], kind, band) for row, kind, band in above)
    elif isinstance(schedule, tree.Sequence):
        for at, part in enumerate(schedule.parts):
            row = dict.fromkeys(part.statements, Affine(constant=at))
            inside = [list(_among(edges, part.statements)) for edges in (flow, order)]
            _collect(part, (*above, (row, Kind.ORDER, -1)), *inside, problem, numbers, found)
    else:
        number = next(numbers)
        for row in schedule.rows:
            kind = Kind.ORDER if _constant(row) else row_kind(row, flow, order, problem)
            above = (*above, (row, kind, number))
            flow, order = list(not_carried(flow, row)), list(not_carried(order, row))
        _collect(schedule.below, above, flow, order, problem, numbers, found)


def row_kind(row: Mapping[str, Affine], flow: Iterable[Edge], order: Iterable[Edge], problem: Problem) -> Kind:
    """Of a row, where these edges have equal components before it."""
    moving = [edge for edge in flow if moves(edge, row)]
    if any(not problem.is_isolation(edge) for edge in moving):
        return Kind.SEQUENTIAL
    return Kind.REDUCTION if moving or any(moves(edge, row) for edge in order) else Kind.PARALLEL


def moves(edge: Edge, row: Mapping[str, Affine]) -> bool:
    """Whether some pair of the edge differs in the row."""
    same = edge.relation.where_equal(row[edge.source], row[edge.target])
    return not (edge.relation - same).is_empty()


def not_carried(edges: Iterable[Edge], row: Mapping[str, Affine]) -> Iterator[Edge]:
    """What of the edges has equal components in the row."""
    for edge in edges:
        left = edge.relation.where_equal(row[edge.source], row[edge.target])
        if not left.is_empty():
            yield replace(edge, relation=left)


def _among(edges: Iterable[Edge], names: Iterable[str]) -> Iterator[Edge]:
    inside = set(names)
    return (edge for edge in edges if edge.source in inside and edge.target in inside)
