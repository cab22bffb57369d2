"""Input reuse (read-after-read dependences): two operations that read one element are not ordered, but better near each
other.

For one statement: an operation and the next one, in the order of its indices, that reads the same element; for two
statements: all pairs. Scalars are in registers anyway. Source: Bondhugula (2008), 3.12."""

from collections.abc import Iterator
from itertools import combinations

from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.scheduler import DependenceEdge
from alphaz.search.schedule.problem import Problem

_Elements = dict[str, list[Relation]]
"""By statement: the elements of one variable that each operation reads, an entry for each read."""


def reuse(problem: Problem) -> tuple[DependenceEdge, ...]:
    """Returns an edge for each pair of statements and each variable that both read, from the statement that comes first
    in the text."""
    variables = dict.fromkeys(read.variable for read in problem.reads)
    return tuple(edge for variable in variables for edge in reuse_of(problem, variable))


def reuse_of(problem: Problem, variable: str) -> Iterator[DependenceEdge]:
    """Yields the reuse edges of one variable."""
    elements = _elements(problem, variable)
    for name, own in elements.items():
        yield from _edge(name, name, [one.then(two.turned()).next_of_each() for one in own for two in own])
    for source, target in combinations(elements, 2):
        pairs = [one.then(two.turned()) for one in elements[source] for two in elements[target]]
        yield from _edge(source, target, pairs)


def _edge(source: str, target: str, pairs: list[Relation]) -> Iterator[DependenceEdge]:
    whole, *others = pairs
    for other in others:
        whole = whole | other
    if not whole.is_empty():
        yield DependenceEdge(source, target, whole)


def _elements(problem: Problem, variable: str) -> _Elements:
    space = problem.system.variable(variable).domain.space
    found: _Elements = {}
    for read in problem.reads if space.names else ():
        statement = read.reader.statement
        if read.variable == variable and statement is not None and not read.is_running:
            here = statement.domain
            relation = Relation.of(read.domain, read.at, read.function, here.space, space).with_sources_in(here)
            found.setdefault(statement.variable, []).append(relation)
    return found
