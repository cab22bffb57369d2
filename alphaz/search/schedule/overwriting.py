"""Order that stated memory maps imply: a cell is overwritten after the last read of its value.

Either order of two values of a cell is possible: it is taken from an existing schedule. Each reader of a value, and its
writer, then precedes the *next* writer of its cell. Edges to all later writers would be redundant, and would prevent
tiling in time for a map modulo a constant, because schedulers ignore the remainders."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.mapping.statement import Role
from alphaz.poly import AffineFunction
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.scheduler import DependenceEdge
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.problem import Problem


def with_memory(problem: Problem, dates: Dates) -> Problem | None:
    """Returns the problem with these edges, oriented by the dates; None if no given map has two values in one cell."""
    edges = tuple(_edges(problem, dates))
    return replace(problem, flow=(*problem.flow, *edges)) if edges else None


def _edges(problem: Problem, dates: Dates) -> Iterator[DependenceEdge]:
    for name, cell in problem.cells.items():
        statement = problem.statements.get(name)
        moduli = tuple(m for m in cell.moduli if isinstance(m, int))
        # With a parametric factor, the next writer is not an affine function: the verifier checks it, not the edges.
        if statement is None or statement.role is not Role.VALUE or len(moduli) < len(cell.moduli):
            continue
        space = statement.domain.space
        when = AffineFunction(space, tuple(component.value for component in dates[name]))
        cells = cell.function.renamed(space.names)
        following = Relation.to_the_next_in_cell(statement.domain, cells, moduli, when)
        if following.is_empty():
            continue
        yield DependenceEdge(name, name, following)
        for edge in (e for e in problem.flow if e.source == name):
            over = edge.relation.turned().then(following)
            over = over.without_loops() if edge.target == name else over
            if not over.is_empty():
                yield DependenceEdge(edge.target, name, over)
