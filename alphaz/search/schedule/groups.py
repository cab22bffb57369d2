"""Groups of accesses for objectives of locality, spatial and temporal: the most important first.

Each reference (a variable, a statement, and subscripts that differ by constants at most) has temporal relations, edges
between operations that touch one element, and spatial ones: the directions in which the operations of a statement go
from an element to its neighbour in a line, with all other subscripts unchanged. References of more dimensions, and
those that occur more often, come first; references that are equal in both form one group.
Source: Reddy (2019), 5.2 to 5.5. A line has no end here and 64 bytes there: that only weakens some edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product

from alphaz.analysis.facts.components import cyclic_components
from alphaz.mapping.statement import Role
from alphaz.poly.scheduling.scheduler import DependenceEdge
from alphaz.search.schedule.accesses import StatementAccess
from alphaz.search.schedule.ilp.row import Group, RowReference, Vector, orthogonal
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.reuse import reuse_of
from alphaz.search.schedule.strides import accesses_of

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
    found: dict[_Key, _Found] = {}
    edges = {variable: _edges(problem, variable) for variable in {read.variable for read in problem.reads}}
    for name, statement in problem.statements.items():
        for access in accesses_of(problem, name):
            if not access.indices:
                continue
            matrix = subscripts(problem, access)
            key = (access.variable, name, matrix)
            if key not in found:
                inner = tuple(e for e in edges.get(access.variable, ()) if e.target == name)
                steps = tuple((name, step) for step in steps_of(matrix))
                found[key] = _Found(
                    RowReference(inner, steps), len(matrix[0]) - len(orthogonal(matrix, len(matrix[0])))
                )
            collects = statement.role is Role.BODY and access.variable == statement.variable
            found[key].count += 2 if collects else 1
    ranked = sorted(found.values(), key=lambda each: (-each.rank, -each.count))
    together = groupby(ranked, key=lambda each: (each.rank, each.count))
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
    along = [tuple(int(at == each) for each in range(width)) for at in range(width)]
    found = tuple(step for step in along if _is_step(outer, last, step))
    short = sorted(product((-1, 0, 1), repeat=width), key=lambda step: (sum(map(abs, step)), step))
    return found or tuple(step for step in short if _is_step(outer, last, step))[-1:]


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
    found: dict[str, int] = {}
    for circle in cyclic_components(graph):
        for name in circle:
            accesses = {(a.variable, a.indices) for a in accesses_of(problem, name) if a.variable in circle}
            found[name] = len(accesses) * problem.statements[name].domain.space.dimensions
    return found
