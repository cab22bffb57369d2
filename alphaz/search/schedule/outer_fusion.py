"""Outer fusion: nests share their outermost parallel loop, so that one reuses data that another left in the caches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from alphaz.poly import Affine
from alphaz.search.schedule.accesses import reads_of
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, moves, with_kinds
from alphaz.search.schedule.nests import Nest, nests_of
from alphaz.search.schedule.problem import Problem


def together(problem: Problem, dates: Dates) -> Dates:
    """Returns the dates with nests inside one outermost loop, in turn, if that stays parallel and they access common
    data; at the place of the last of them. The verifier decides whether it is legal."""
    groups: list[list[Nest]] = []
    for nest in nests_of(dates):
        at = _place(problem, groups, nest)
        groups.append([nest] if at is None else [*groups.pop(at), nest])
    found = dict(dates)
    for group in (each for each in groups if len(each) > 1):
        *_, (first, *_) = group[-1].rows.values()
        prefix = dates[group[-1].statements[0]][: len(group[-1].prefix)]
        for turn, nest in enumerate(group):
            for name, (outermost, *inside) in nest.rows.items():
                constant = Component(Affine(constant=turn), ComponentKind.ORDER, first.band)
                found[name] = (*prefix, replace(outermost, band=first.band), constant, *inside)
    return with_kinds(problem, found)


def _place(problem: Problem, groups: Sequence[Sequence[Nest]], nest: Nest) -> int | None:
    """The last of the groups that the nest may join, such that no later group needs it."""
    for at in reversed(range(len(groups))):
        members = {name for each in groups[at] for name in each.statements}
        behind = {name for group in groups[at + 1 :] for each in group for name in each.statements}
        if any(edge.source in members and edge.target in behind for edge in problem.flow):
            return None
        if _may_join(problem, groups[at], nest):
            return at
    return None


def _may_join(problem: Problem, group: Sequence[Nest], nest: Nest) -> bool:
    every = [*group, nest]
    if any(not _is_parallel_outside(each) for each in every):
        return False
    row: Mapping[str, Affine] = {name: rows[0].value for each in every for name, rows in each.rows.items()}
    between = [e for e in problem.flow if e.source in row and e.target in nest.rows and e.source not in nest.rows]
    if any(moves(edge, row) for edge in between):
        return False
    theirs = {name for each in group for name in _accessed(problem, each)}
    return bool(theirs & _accessed(problem, nest))


def _is_parallel_outside(nest: Nest) -> bool:
    """Returns True if all its statements have an outermost parallel loop, and another one inside."""
    return all(
        len(rows) > 1 and rows[0].kind is ComponentKind.PARALLEL and rows[1].is_row for rows in nest.rows.values()
    )


def _accessed(problem: Problem, nest: Nest) -> set[str]:
    read = {access.variable for name in nest.statements for access in reads_of(problem, name)}
    return read | {problem.statements[name].variable for name in nest.statements}
