"""Locality: strides in memory along an index, and groups of accesses with spatial or temporal reuse."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby, product

from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.poly.scheduling.band_schedules import DependenceEdge
from alphaz.search.schedule.dates import Component
from alphaz.search.schedule.ilp.row import Group, RowReference, Vector, orthogonal
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.statement_accesses import StatementAccess, reads_of, reuse_of, written_access


class Stride(IntEnum):
    """NONE: one element for all; UNIT: neighbours in memory; FAR: anything else."""

    NONE = 0
    UNIT = 1
    FAR = 2


def stride(access: StatementAccess, index: str) -> Stride:
    """Returns the stride of an access along an index of its statement; arrays are row-major."""
    if index not in access.names:
        return Stride.NONE
    *others, last = access.indices
    alone = not any(index in other.names for other in others)
    return Stride.UNIT if alone and abs(last.coefficient(index)) == 1 else Stride.FAR


def accesses_of(problem: Problem, name: str) -> Iterator[StatementAccess]:
    """Yields all reads and writes of an equation."""
    statement = problem.statements[name]
    if statement.role in (Role.VALUE, Role.BODY):
        yield written_access(statement)
        yield from reads_of(problem, name)


def strides_of(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name)]


def along_lines(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the number of its accesses with unit stride along it."""
    indices = problem.statements[name].domain.space.names
    return tuple(strides_of(problem, name, index).count(Stride.UNIT) for index in indices)


def reuse_lost(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the reuse along it, which is lost if the index is outermost.

    Source: Reddy (2019), 6.2.3, with weights that reproduce its examples."""
    return tuple(
        extent * _of_arrays(problem, name, index).count(Stride.NONE)
        for index, extent in zip(problem.statements[name].domain.space.names, _extents(problem, name), strict=True)
    )


def vector_worth(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the benefit of a vector loop along it, at least 0.

    Each access counts 2 for neighbours, 4 for one element for all, -16 for anything else; 8 if there is nothing else.
    Source: the weights are those of Pluto's choice of the innermost loop."""
    indices = problem.statements[name].domain.space.names
    return tuple(_vector_worth(_of_arrays(problem, name, index)) for index in indices)


def _vector_worth(strides: list[Stride]) -> int:
    unit, same, far = (strides.count(stride_) for stride_ in (Stride.UNIT, Stride.NONE, Stride.FAR))
    return 16 * len(strides) + 2 * unit + 4 * same + 8 * (far == 0) - 16 * far


def _of_arrays(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name) if access.indices]


def _extents(problem: Problem, name: str) -> list[int]:
    """The number of values of each index, if it does not depend on parameters; a large number if it does."""
    domain = problem.statements[name].domain.in_context(problem.system.context)
    ends = ((domain.least(index), domain.greatest(index)) for index in domain.space.names)
    return [_MANY if low is None or high is None else high - low + 1 for low, high in ends]


_MANY = 1000
BY_INDEX: Mapping[str, Callable[[Problem, str], tuple[int, ...]]] = {
    "neighbours": along_lines,
    "reuse": reuse_lost,
    "vectors": vector_worth,
}
"""The terms of costs that weigh each index of a statement."""


def row_strides(problem: Problem, name: str, row: Component) -> list[Stride]:
    """Returns the strides of all accesses along a row of the dates; FAR if that is not a single index."""
    index = index_of(problem, name, row.value)
    if index is not None:
        return strides_of(problem, name, index)
    moves = set(row.value.names) & set(problem.statements[name].domain.space.names)
    return [Stride.FAR] if moves else []


def index_of(problem: Problem, name: str, value: Affine) -> str | None:
    """Returns the index of a statement that a row is, up to a shift and direction; None otherwise."""
    indices = problem.statements[name].domain.space.names
    (own, *more) = [name_ for name_ in value.names if name_ in indices] or [""]
    return own if not more and abs(value.coefficient(own)) == 1 else None


_NEAR = 3
"""Greatest distance of elements in one cache line for which a step is useful."""
_Key = tuple[str, str, tuple[Vector, ...]]


@dataclass(slots=True)
class _Found:
    """A reference, its number of occurrences, and the number of dimensions of its elements."""

    reference: RowReference
    rank: int
    count: int = 0


def groups_of(problem: Problem) -> tuple[Group, ...]:
    """Returns the groups of the accesses to all arrays."""
    groups: dict[_Key, _Found] = {}
    edges = {variable: _edges(problem, variable) for variable in {read.variable for read in problem.reads}}
    for name, statement in problem.statements.items():
        for access in accesses_of(problem, name):
            if not access.indices:
                continue
            matrix = subscripts(problem, access)
            key = (access.variable, name, matrix)
            if key not in groups:
                inner = tuple(e for e in edges.get(access.variable, ()) if e.target == name)
                steps = tuple((name, step) for step in steps_of(matrix))
                groups[key] = _Found(
                    RowReference(inner, steps), len(matrix[0]) - len(orthogonal(matrix, len(matrix[0])))
                )
            collects = statement.role is Role.BODY and access.variable == statement.variable
            groups[key].count += 2 if collects else 1
    ranked = sorted(groups.values(), key=lambda group: (-group.rank, -group.count))
    together = groupby(ranked, key=lambda access_group: (access_group.rank, access_group.count))
    return tuple(tuple(member.reference for member in members) for _, members in together)


def subscripts(problem: Problem, access: StatementAccess) -> tuple[Vector, ...]:
    """Returns the coefficients of the indices of the statement in the subscripts of an access."""
    names = problem.statements[access.statement].domain.space.names
    return tuple(tuple(index.coefficient(name) for name in names) for index in access.indices)


def steps_of(matrix: Sequence[Vector]) -> tuple[Vector, ...]:
    """Returns the directions to a neighbour in a line: along indices of which only the last subscript depends, or else
    the shortest one."""
    *outer, last = matrix
    width = len(last)
    along = [tuple(int(position == number) for number in range(width)) for position in range(width)]
    steps = tuple(step for step in along if _is_step(outer, last, step))
    short = sorted(product((-1, 0, 1), repeat=width), key=lambda step: (sum(map(abs, step)), step))
    return steps or tuple(step for step in short if _is_step(outer, last, step))[-1:]


def _is_step(outer: Sequence[Vector], last: Vector, step: Vector) -> bool:
    def moved(row: Vector) -> int:
        return sum(a * b for a, b in zip(row, step, strict=True))

    return 0 < abs(moved(last)) <= _NEAR and not any(map(moved, outer))


def _edges(problem: Problem, variable: str) -> tuple[DependenceEdge, ...]:
    """The edges from the writer of an element to its readers, and between two readers; edges of a statement with itself
    only if the distance is uniform."""
    every = (*problem.flow, *problem.order)
    mine = (*(edge for edge in every if edge.source == variable), *reuse_of(problem, variable))
    return tuple(edge for edge in mine if edge.source != edge.target or edge.relation.is_uniform())


def weights_of(problem: Problem) -> dict[str, int]:
    """Returns for each statement on a dependence cycle the dimensions of all elements of the variables of the cycle
    that an operation accesses, each access once."""
    graph: dict[str, list[str]] = {name: [] for name in problem.statements}
    for edge in problem.flow:
        graph[edge.source].append(edge.target)
    weights: dict[str, int] = {}
    for circle in cyclic_components(graph):
        for name in circle:
            accesses = {(a.variable, a.indices) for a in accesses_of(problem, name) if a.variable in circle}
            weights[name] = len(accesses) * problem.statements[name].domain.space.dimensions
    return weights
