"""Fusion of statements with their last producer: a value is consumed as soon as it is computed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.search.schedule.accesses import reads_of
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, with_kinds
from alphaz.search.schedule.emit import outermost_parallel
from alphaz.search.schedule.line import Line
from alphaz.search.schedule.nests import Nest, nests_of, rename_components
from alphaz.search.schedule.problem import Problem


def fuse_readers(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with every nest of a single equation that reads, point by point, the single equation of an
    earlier nest, in the nest of the last of these; and the orderings of the two. The dates are unchanged if a
    statement would lose all its parallel loops. The verifier decides whether it is legal."""
    nests = nests_of(dates)
    alone = {nest.statements[0]: nest for nest in nests if len(nest.statements) == 1}
    found, lines = dict(dates), []
    for name in alone:
        producers = [
            producer
            for producer in _producers(problem, name)
            if producer in alone and found[producer] is dates[producer]
        ]
        last = max(producers, key=lambda each: alone[each].prefix, default=None)
        if last is not None and _may_follow(problem, nests, alone[last], alone[name]):
            found[name] = rename_components(problem, dates[last], last, name)
            lines.append(Line("setStatementOrdering", (last, name)))
    found = dict(with_kinds(problem, found))
    lost = any(_is_parallel(dates[name]) and not _is_parallel(found[name]) for name in dates)
    return (dates, ()) if lost else (found, tuple(lines))


def fuse_contributions(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with contributions made when the value is computed that they read at a constant distance: the
    sum of a step, while the step before is computed; and the orderings of the two. The dates are unchanged if
    threads would lose a loop. The verifier decides whether it is legal."""
    found, lines = dict(dates), []
    for name in (date for date in dates if problem.statements[date].role is Role.BODY):
        for producer, indices in _values_away(problem, name):
            names = dict(zip(problem.statements[producer].domain.space.names, indices, strict=True))
            found[name] = tuple(replace(c, value=c.value.substitute(names)) for c in dates[producer])
            lines.append(Line("setStatementOrdering", (producer, name)))
            break
    found = dict(with_kinds(problem, found))
    lost = outermost_parallel(dates).keys() - outermost_parallel(found).keys()
    return (dates, ()) if lost else (found, tuple(lines))


def in_passing(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with each reduction, alone in its nest, that reads point by point the results of a sequential
    nest, at the end of that nest: the best entry of a table, while the table is filled. The dates are unchanged if a
    parallel loop for threads, or all parallel loops of such a reduction, would be lost. The verifier decides whether
    it is legal."""
    nests, threads = nests_of(dates), outermost_parallel(dates)
    found, lines = dict(dates), []
    for nest in (each for each in nests if len(each.statements) == 1):
        (name,) = nest.statements
        producer = next(_producers(problem, name), None)
        home = next((each for each in nests if producer in each.rows), None)
        if producer is None or home is None or problem.statements[name].role is not Role.BODY:
            continue
        if threads.keys().isdisjoint(home.statements) and _may_follow(problem, nests, home, nest):
            rows = rename_components(problem, dates[producer], producer, name)
            if len(home.statements) > 1:
                found[name] = _behind(dates, home, rows)
            else:
                found[name] = rows
                lines.append(Line("setStatementOrdering", (producer, name)))
    found = dict(with_kinds(problem, found))
    moved = {name for name in dates if dates[name] != found[name] and problem.statements[name].role is Role.BODY}
    lost = threads.keys() - moved - outermost_parallel(found).keys()
    idle = any(_is_parallel(dates[name]) and not _is_parallel(found[name]) for name in moved)
    return (dates, ()) if lost or idle else (found, tuple(lines))


def _behind(dates: Dates, home: Nest, rows: tuple[Component, ...]) -> tuple[Component, ...]:
    """Rows of a nest, with a final constant that is greater than all others there."""
    ends = [dates[name][len(rows) - 1].value for name in home.statements if len(dates[name]) == len(rows)]
    last = 1 + max((end.constant for end in ends if end.is_constant), default=0)
    if rows[-1].kind is ComponentKind.ORDER:
        return (*rows[:-1], replace(rows[-1], value=Affine(constant=last)))
    return (*rows, Component(Affine(constant=1), ComponentKind.ORDER, ()))


def _values_away(problem: Problem, name: str) -> Iterator[tuple[str, tuple[Affine, ...]]]:
    """The equations with the same number of indices whose values it reads at its own indices plus constants, not all
    0."""
    own = set(problem.statements[name].domain.space.names)
    for read in reads_of(problem, name):
        other = problem.statements.get(read.variable)
        moving = [index for index in read.indices if len(index.terms) == 1 and index.terms[0][1] == 1]
        whole = len(moving) == len(read.indices) and {i.terms[0][0] for i in moving} == own
        if other is not None and other.role is Role.VALUE and whole and any(i.constant for i in moving):
            yield read.variable, read.indices


def _is_parallel(components: Sequence[Component]) -> bool:
    return any(component.kind is ComponentKind.PARALLEL for component in components)


def _producers(problem: Problem, name: str) -> Iterator[str]:
    """The equations with the same number of indices that it reads at its own indices."""
    statement = problem.statements[name]
    own = tuple(map(Affine.name, statement.domain.space.names))
    for read in reads_of(problem, name):
        other = problem.statements.get(read.variable)
        if other is not None and other.role is Role.VALUE and own and read.indices == own and read.variable != name:
            yield read.variable


def _may_follow(problem: Problem, nests: tuple[Nest, ...], producer: Nest, consumer: Nest) -> bool:
    """Returns True if all inputs of the consumer are available: its other producers come before the nest that it
    joins."""
    (name,) = consumer.statements
    before = {statement for nest in nests if nest.prefix <= producer.prefix for statement in nest.statements}
    return all(edge.source in before for edge in problem.flow if edge.target == name)
