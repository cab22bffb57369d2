"""Attempts to meet a request, one after the other: an engine with its options."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFLICT, WISH
from alphaz.poly import OutOfBudget, budget
from alphaz.poly.scheduling.scheduler import FEAUTRIER, ISL, NoSchedule, SchedulerOptions, isl_schedule
from alphaz.poly.scheduling.tree import Tree
from alphaz.search.schedule.accesses import reuse
from alphaz.search.schedule.ilp import cost
from alphaz.search.schedule.ilp.bands import BandTask, schedule
from alphaz.search.schedule.ilp.steering import Conflict, Misread, read_steering
from alphaz.search.schedule.infeasibility import conflict
from alphaz.search.schedule.locality import BY_INDEX, groups_of, weights_of
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.request import Fuse, Goal, ScheduleEngine, ScheduleRequest

EFFORT = 120
"""The greatest effort (see Problem) for isl's scheduler: about four seconds. 20 three-dimensional stencils in a
dependence cycle would take minutes. The limit makes the attempts independent of the speed of the machine; a time limit
is only for unforeseen cases.
"""


class EngineFailure(Exception):
    """The engine found no schedule; the message has the reason."""


Find = Callable[[Problem], Tree]
"""An engine: returns a schedule tree. Raises EngineFailure."""


def attempts(wish: ScheduleRequest) -> Iterator[tuple[str, Find]]:
    """Yields descriptions and functions of attempts: first the full request; then weaker ones until one succeeds."""
    if wish.engine is ScheduleEngine.ILP:
        chosen = wish.cost or (cost.FEAUTRIER if wish.goal is Goal.LATENCY else cost.PLUTO)
        yield f"cost {chosen.name}, fusion {wish.fuse}", lambda problem: _by_ilp(problem, wish, chosen)
        return
    asked = _options(wish)
    yield f"goal {wish.goal}, fusion {wish.fuse}", lambda problem: _by_isl(problem, wish, asked)
    alone = replace(asked, serialize_sccs=1, whole_component=0)
    if alone != asked:
        words = "strongly connected components one after the other"
        yield words, lambda problem: _by_isl(problem, wish, alone)
    steps = SchedulerOptions(algorithm=FEAUTRIER, serialize_sccs=1)
    if steps not in (asked, alone):
        yield "Feautrier's algorithm", lambda problem: _by_isl(problem, wish, steps)


def _options(wish: ScheduleRequest) -> SchedulerOptions:
    fused = SchedulerOptions(serialize_sccs=wish.fuse is Fuse.NO, whole_component=wish.fuse is Fuse.MAX)
    if wish.goal is Goal.PARALLEL:
        return replace(fused, outer_coincidence=1)
    return replace(fused, algorithm=FEAUTRIER) if wish.goal is Goal.LATENCY else fused


def _by_isl(problem: Problem, wish: ScheduleRequest, options: SchedulerOptions) -> Tree:
    edges = (*problem.flow, *problem.order)
    near = (*edges, *reuse(problem)) if wish.reuse else edges
    if options.algorithm == ISL and problem.effort > EFFORT:
        raise EngineFailure("a cycle of so many statements and loops takes isl minutes")

    def found() -> Tree:
        with budget(wish.operations):
            return isl_schedule(problem.domains, problem.flow, edges, near, options)

    try:
        return wish.bounded(found, wish.seconds)
    except OutOfBudget:
        raise EngineFailure(f"more than {wish.operations} operations of isl") from None
    except NoSchedule:
        raise EngineFailure("isl finds none") from None
    except (TimeoutError, ChildProcessError) as reason:
        raise EngineFailure(f"isl was ended: {reason}") from None


def _by_ilp(problem: Problem, wish: ScheduleRequest, chosen: cost.Cost) -> Tree:
    spaces = {name: domain.space.names for name, domain in problem.domains.items()}
    chosen.check(spaces, problem.system.span)
    try:
        steering = read_steering(wish.wishes, problem.statements)
    except Misread as reason:
        raise Rejected(Diagnostic(WISH, str(reason), Label(problem.system.span))) from None
    try:
        weights_of_indices = {
            term: {name: weigh(problem, name) for name in problem.statements}
            for term, weigh in BY_INDEX.items()
            if term in chosen.terms
        }
        near = reuse(problem) if wish.reuse else ()
        groups = groups_of(problem) if chosen.has_groups else ()
        weights = weights_of(problem) if chosen.has_groups else {}
        task = BandTask(
            domains=problem.domains,
            validity=problem.flow,
            unordered=problem.order,
            cost=chosen,
            fuse=wish.fuse,
            by_index=weights_of_indices,
            steering=steering,
            near=near,
            groups=groups,
            weights=weights,
        )
        return schedule(task)
    except Conflict as found:
        raise Rejected(conflict(problem, found.asked, found.edges, CONFLICT)) from None
    except NoSchedule as reason:
        raise EngineFailure(str(reason)) from None
    except TimeoutError:
        raise EngineFailure("HiGHS takes too long") from None
