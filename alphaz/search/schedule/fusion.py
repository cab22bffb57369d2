"""Loop fusion: nests share an outermost parallel loop, statements follow their producers, reductions share a scan."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, moves, with_kinds
from alphaz.search.schedule.nests import Nest, nests_of, rename_components
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, outermost_parallel
from alphaz.search.schedule.statement_accesses import reads_of


def merge_nests(problem: Problem, dates: Dates) -> Dates:
    """Returns the dates with nests inside one outermost loop, in turn, if that stays parallel and they access common
    data; at the place of the last of them. The verifier decides whether it is legal."""
    groups: list[list[Nest]] = []
    for nest in nests_of(dates):
        at = _place(problem, groups, nest)
        groups.append([nest] if at is None else [*groups.pop(at), nest])
    new_dates = dict(dates)
    for group in (statement for statement in groups if len(statement) > 1):
        *_, (first, *_) = group[-1].rows.values()
        prefix = dates[group[-1].statements[0]][: len(group[-1].prefix)]
        for turn, nest in enumerate(group):
            for name, (outermost, *inside) in nest.rows.items():
                constant = Component(Affine(constant=turn), ComponentKind.ORDER, first.band)
                new_dates[name] = (*prefix, replace(outermost, band=first.band), constant, *inside)
    return with_kinds(problem, new_dates)


def _place(problem: Problem, groups: Sequence[Sequence[Nest]], nest: Nest) -> int | None:
    """The last of the groups that the nest may join, such that no later group needs it."""
    for position in reversed(range(len(groups))):
        members = {name for member in groups[position] for name in member.statements}
        behind = {name for group in groups[position + 1 :] for statement in group for name in statement.statements}
        if any(edge.source in members and edge.target in behind for edge in problem.flow):
            return None
        if _may_join(problem, groups[position], nest):
            return position
    return None


def _may_join(problem: Problem, group: Sequence[Nest], nest: Nest) -> bool:
    every = [*group, nest]
    if any(not _is_parallel_outside(row) for row in every):
        return False
    row: Mapping[str, Affine] = {name: rows[0].value for row in every for name, rows in row.rows.items()}
    between = [e for e in problem.flow if e.source in row and e.target in nest.rows and e.source not in nest.rows]
    if any(moves(edge, row) for edge in between):
        return False
    group_arrays = {name for statement in group for name in _accessed_variables(problem, statement)}
    return bool(group_arrays & _accessed_variables(problem, nest))


def _is_parallel_outside(nest: Nest) -> bool:
    """Returns True if all its statements have an outermost parallel loop, and another one inside."""
    return all(
        len(rows) > 1 and rows[0].kind is ComponentKind.PARALLEL and rows[1].is_row for rows in nest.rows.values()
    )


def _accessed_variables(problem: Problem, nest: Nest) -> set[str]:
    read = {access.variable for name in nest.statements for access in reads_of(problem, name)}
    return read | {problem.statements[name].variable for name in nest.statements}


def fuse_readers(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with every nest of a single equation that reads, point by point, the single equation of an
    earlier nest, in the nest of the last of these; and the orderings of the two. The dates are unchanged if a
    statement would lose all its parallel loops. The verifier decides whether it is legal."""
    nests = nests_of(dates)
    alone = {nest.statements[0]: nest for nest in nests if len(nest.statements) == 1}
    new_dates, lines = dict(dates), []
    for name in alone:
        producers = [
            producer
            for producer in _producers(problem, name)
            if producer in alone and new_dates[producer] is dates[producer]
        ]
        last = max(producers, key=lambda statement: alone[statement].prefix, default=None)
        if last is not None and _may_follow(problem, nests, alone[last], alone[name]):
            new_dates[name] = rename_components(problem, dates[last], last, name)
            lines.append(Line("setStatementOrdering", (last, name)))
    new_dates = dict(with_kinds(problem, new_dates))
    lost = any(_is_parallel(dates[name]) and not _is_parallel(new_dates[name]) for name in dates)
    return (dates, ()) if lost else (new_dates, tuple(lines))


def fuse_contributions(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with contributions made when the value is computed that they read at a constant distance: the
    sum of a step, while the step before is computed; and the orderings of the two. The dates are unchanged if
    threads would lose a loop. The verifier decides whether it is legal."""
    new_dates, lines = dict(dates), []
    for name in (date for date in dates if problem.statements[date].role is Role.BODY):
        for producer, indices in _values_away(problem, name):
            names = dict(zip(problem.statements[producer].domain.space.names, indices, strict=True))
            new_dates[name] = tuple(replace(c, value=c.value.substitute(names)) for c in dates[producer])
            lines.append(Line("setStatementOrdering", (producer, name)))
            break
    new_dates = dict(with_kinds(problem, new_dates))
    lost = outermost_parallel(dates).keys() - outermost_parallel(new_dates).keys()
    return (dates, ()) if lost else (new_dates, tuple(lines))


def in_passing(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with each reduction, alone in its nest, that reads point by point the results of a sequential
    nest, at the end of that nest: the best entry of a table, while the table is filled. The dates are unchanged if a
    parallel loop for threads, or all parallel loops of such a reduction, would be lost. The verifier decides whether
    it is legal."""
    nests, threads = nests_of(dates), outermost_parallel(dates)
    new_dates, lines = dict(dates), []
    for nest in (nest for nest in nests if len(nest.statements) == 1):
        (name,) = nest.statements
        producer = next(_producers(problem, name), None)
        home = next((nest for nest in nests if producer in nest.rows), None)
        if producer is None or home is None or problem.statements[name].role is not Role.BODY:
            continue
        if threads.keys().isdisjoint(home.statements) and _may_follow(problem, nests, home, nest):
            rows = rename_components(problem, dates[producer], producer, name)
            if len(home.statements) > 1:
                new_dates[name] = _rows_after(dates, home, rows)
            else:
                new_dates[name] = rows
                lines.append(Line("setStatementOrdering", (producer, name)))
    new_dates = dict(with_kinds(problem, new_dates))
    moved = {name for name in dates if dates[name] != new_dates[name] and problem.statements[name].role is Role.BODY}
    lost = threads.keys() - moved - outermost_parallel(new_dates).keys()
    idle = any(_is_parallel(dates[name]) and not _is_parallel(new_dates[name]) for name in moved)
    return (dates, ()) if lost or idle else (new_dates, tuple(lines))


def _rows_after(dates: Dates, home: Nest, rows: tuple[Component, ...]) -> tuple[Component, ...]:
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


def in_one_scan(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with each reduction that can run with an earlier one at the dates of that one; and their
    orderings.

    Both run over the same points in the same order, and read an element of one variable at the same time; the inputs of
    the later one are available before the earlier one. The verifier decides whether it is legal."""
    new_dates = dict(dates)
    scans: list[list[str]] = []
    bodies = [name for name in dates if problem.statements[name].role is Role.BODY]
    for name in sorted(bodies, key=lambda statement: _turns(dates[statement])):
        scan = next((scan for scan in scans if _may_go_with(problem, dates, scan[0], name)), None)
        if scan is None:
            scans.append([name])
            continue
        scan.append(name)
        new_dates[name] = rename_components(problem, dates[scan[0]], scan[0], name)
    return new_dates, tuple(Line("setStatementOrdering", pair) for scan in scans for pair in pairwise(scan))


def _may_go_with(problem: Problem, dates: Dates, first: str, name: str) -> bool:
    one, two = problem.statements[first], problem.statements[name]
    if one.domain.space.dimensions != two.domain.space.dimensions:
        return False
    if not one.domain.renamed(two.domain.space.names).equals(two.domain):
        return False
    other_rows = rename_components(problem, dates[first], first, name)
    rows, own = ([c.value for c in components if c.is_row] for components in (other_rows, dates[name]))
    return rows == own and _reads_alike(problem, first, name) and _is_ready(problem, dates, first, name)


def _reads_alike(problem: Problem, first: str, name: str) -> bool:
    before, now = (problem.statements[statement].domain.space.names for statement in (first, name))
    names = dict(zip(before, map(Affine.name, now), strict=True))
    other_reads = {(r.variable, tuple(i.substitute(names) for i in r.indices)) for r in reads_of(problem, first)}
    return any((read.variable, read.indices) in other_reads for read in reads_of(problem, name))


def _is_ready(problem: Problem, dates: Dates, first: str, name: str) -> bool:
    """Returns True if all its inputs come in an earlier part of the sequence than the first one, or in an earlier
    turn."""
    sources = {edge.source for edge in problem.flow if edge.target == name} - {name}
    return first not in sources and all(_turns(dates[source]) < _turns(dates[first]) for source in sources)


def _turns(components: tuple[Component, ...]) -> tuple[int, ...]:
    """The constants that order its parts; loops in between do not count."""
    return tuple(c.value.constant if c.kind is ComponentKind.ORDER else 0 for c in components)
