"""Fusion of several reductions over the same points into one scan, each with an accumulator of its own.

Source: Reddy (2019), 3.4.2: reductions with overlapping reads are fused, if no dependence prevents it."""

from itertools import pairwise

from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.search.schedule.accesses import reads_of
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.line import Line
from alphaz.search.schedule.nests import rename_components
from alphaz.search.schedule.problem import Problem


def in_one_scan(problem: Problem, dates: Dates) -> tuple[Dates, tuple[Line, ...]]:
    """Returns the dates with each reduction that can run with an earlier one at the dates of that one; and their
    orderings.

    Both run over the same points in the same order, and read an element of one variable at the same time; the inputs of
    the later one are available before the earlier one. The verifier decides whether it is legal."""
    found = dict(dates)
    scans: list[list[str]] = []
    bodies = [name for name in dates if problem.statements[name].role is Role.BODY]
    for name in sorted(bodies, key=lambda each: _turns(dates[each])):
        scan = next((scan for scan in scans if _may_go_with(problem, dates, scan[0], name)), None)
        if scan is None:
            scans.append([name])
            continue
        scan.append(name)
        found[name] = rename_components(problem, dates[scan[0]], scan[0], name)
    return found, tuple(Line("setStatementOrdering", pair) for scan in scans for pair in pairwise(scan))


def _may_go_with(problem: Problem, dates: Dates, first: str, name: str) -> bool:
    one, two = problem.statements[first], problem.statements[name]
    if one.domain.space.dimensions != two.domain.space.dimensions:
        return False
    if not one.domain.renamed(two.domain.space.names).equals(two.domain):
        return False
    theirs = rename_components(problem, dates[first], first, name)
    rows, own = ([c.value for c in components if c.is_row] for components in (theirs, dates[name]))
    return rows == own and _reads_alike(problem, first, name) and _is_ready(problem, dates, first, name)


def _reads_alike(problem: Problem, first: str, name: str) -> bool:
    before, now = (problem.statements[each].domain.space.names for each in (first, name))
    names = dict(zip(before, map(Affine.name, now), strict=True))
    theirs = {(r.variable, tuple(i.substitute(names) for i in r.indices)) for r in reads_of(problem, first)}
    return any((read.variable, read.indices) in theirs for read in reads_of(problem, name))


def _is_ready(problem: Problem, dates: Dates, first: str, name: str) -> bool:
    """Returns True if all its inputs come in an earlier part of the sequence than the first one, or in an earlier
    turn."""
    sources = {edge.source for edge in problem.flow if edge.target == name} - {name}
    return first not in sources and all(_turns(dates[source]) < _turns(dates[first]) for source in sources)


def _turns(components: tuple[Component, ...]) -> tuple[int, ...]:
    """The constants that order its parts; loops in between do not count."""
    return tuple(c.value.constant if c.kind is ComponentKind.ORDER else 0 for c in components)
