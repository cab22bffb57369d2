"""What memory maps that are given order: a cell is written anew when who reads its value is done.

Which of two values of a cell comes first is free: it is taken from a schedule that is there. Each reader of a value,
and its writer, then comes before the *next* one that writes its cell. All later writers would say the same, and cost
the tiles in time of a map modulo a constant, whose remainders are left out where schedules are found.
"""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.mapping.statement import Role
from alphaz.poly import AffineFunction
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.scheduler import DependenceEdge
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.problem import Problem


def with_memory(problem: Problem, dates: Dates) -> Problem | None:
    """The problem with these edges too, oriented by the dates; None where no given map has two values in one cell."""
    edges = tuple(_edges(problem, dates))
    return replace(problem, flow=(*problem.flow, *edges)) if edges else None


def _edges(problem: Problem, dates: Dates) -> Iterator[DependenceEdge]:
    for name, cell in problem.cells.items():
        statement = problem.statements.get(name)
        moduli = tuple(m for m in cell.moduli if isinstance(m, int))
        # The next one in a cell whose factor is parametric is no affine function: verdicts ask about it, edges do not.
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
