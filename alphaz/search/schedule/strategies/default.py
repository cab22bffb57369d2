"""The default strategy: the loops of the schedule or, if more of them are parallel, those of a schedule for
parallelism.

A statement that reads a value point by point is fused with its producer; reductions over the same points share a scan.
The outermost parallel loops run on threads; innermost loops along memory are vectorised; if neighbours lie along the
parallel loop, a few of its iterations run at once: recurrences overlap, columns are read by lines."""

from collections.abc import Iterator

from alphaz.search.schedule.attempts import EngineFailure, attempts
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import ComponentKind, Dates, dates_of
from alphaz.search.schedule.fusion import fuse_contributions, fuse_readers, in_one_scan, in_passing, merge_nests
from alphaz.search.schedule.innermost import innermost_steps
from alphaz.search.schedule.nests import split_rows_by_phase
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.request import Goal, ScheduleRequest
from alphaz.search.schedule.script_lines import Line, parallel_lines
from alphaz.search.schedule.strategy import Strategy, StrategyPlan

_MOST = 40
"""Most statements for which innermost loops are optimised."""


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    if len(problem.statements) > _MOST:
        yield StrategyPlan(dates, tuple(parallel_lines(dates)), ())
        return
    scanned, scans = in_one_scan(problem, split_rows_by_phase(problem, dates))
    laid, orderings = fuse_readers(problem, scanned)
    passing, turns = in_passing(problem, laid)
    if passing != laid:
        yield _plan(problem, passing, blocking, (*scans, *orderings, *turns))
    early, more = fuse_contributions(problem, laid)
    if early != laid:
        yield _plan(problem, early, blocking, (*scans, *orderings, *more))
    close = merge_nests(problem, laid)
    if close != laid:
        yield _plan(problem, close, blocking, (*scans, *orderings))
    yield _plan(problem, laid, blocking, (*scans, *orderings))
    if scans and orderings:
        yield _plan(problem, scanned, blocking, scans)
    yield _plan(problem, dates, blocking)


def _plan(problem: Problem, laid: Dates, blocking: Blocking, orderings: tuple[Line, ...] = ()) -> StrategyPlan:
    return StrategyPlan(laid, (*orderings, *parallel_lines(laid)), tuple(innermost_steps(problem, laid, blocking)))


def _more_parallel(problem: Problem, dates: Dates) -> tuple[Dates, ...]:
    """The dates for the goal of parallel loops, if more of them are parallel."""
    if len(problem.statements) > _MOST:
        return ()
    for _, find in attempts(ScheduleRequest(Goal.PARALLEL)):
        try:
            other = dates_of(problem, find(problem))
        except EngineFailure:
            return ()
        return (other,) if _parallel(problem, other) > _parallel(problem, dates) else ()
    return ()


def _parallel(problem: Problem, dates: Dates) -> int:
    """The number of parallel loops of the statements with the most loops."""
    deepest = max((s.domain.space.dimensions for s in problem.statements.values()), default=0)
    return sum(
        component.kind is ComponentKind.PARALLEL
        for name, components in dates.items()
        if problem.statements[name].domain.space.dimensions == deepest
        for component in components
    )


STRATEGY = Strategy(
    name="loops",
    summary="The loops that were found, in little memory, the innermost ones in vectors.",
    plan=plan,
    others=_more_parallel,
)
