"""Tries the scheduling engines (isl, integer programs) one after the other, each with its options."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFLICT, SCHEDULE_CONSTRAINT
from alphaz.poly import OutOfBudget, budget
from alphaz.poly.scheduling.band_schedules import FEAUTRIER, ISL, NoSchedule, SchedulerOptions, Tree, isl_schedule
from alphaz.search.schedule.ilp import cost
from alphaz.search.schedule.ilp.bands import BandTask, schedule
from alphaz.search.schedule.ilp.user_constraints import Conflict, Misread, read_steering
from alphaz.search.schedule.infeasibility import conflict
from alphaz.search.schedule.locality import BY_INDEX, groups_of, weights_of
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.request import Fuse, Goal, ScheduleEngine, ScheduleRequest
from alphaz.search.schedule.statement_accesses import reuse

EFFORT = 120
"""The greatest effort (see Problem) for isl's scheduler: about four seconds. 20 three-dimensional stencils in a
dependence cycle would take minutes. The limit makes the attempts independent of the speed of the machine; a time limit
is only for unforeseen cases.
"""


class EngineFailure(Exception):
    """The engine found no schedule; the message has the reason."""


Find = Callable[[Problem], Tree]
"""An engine: returns a schedule tree. Raises EngineFailure."""


def attempts(schedule_request: ScheduleRequest) -> Iterator[tuple[str, Find]]:
    """Yields descriptions and functions of attempts: first the full request; then weaker ones until one succeeds."""
    if schedule_request.engine is ScheduleEngine.ILP:
        chosen = schedule_request.cost or (cost.FEAUTRIER if schedule_request.goal is Goal.LATENCY else cost.PLUTO)
        yield (
            f"cost {chosen.name}, fusion {schedule_request.fuse}",
            lambda problem: _by_ilp(problem, schedule_request, chosen),
        )
        return
    options = _options(schedule_request)
    yield (
        f"goal {schedule_request.goal}, fusion {schedule_request.fuse}",
        lambda problem: _by_isl(problem, schedule_request, options),
    )
    alone = replace(options, serialize_sccs=1, whole_component=0)
    if alone != options:
        words = "strongly connected components one after the other"
        yield words, lambda problem: _by_isl(problem, schedule_request, alone)
    steps = SchedulerOptions(algorithm=FEAUTRIER, serialize_sccs=1)
    if steps not in (options, alone):
        yield "Feautrier's algorithm", lambda problem: _by_isl(problem, schedule_request, steps)


def _options(schedule_request: ScheduleRequest) -> SchedulerOptions:
    fused = SchedulerOptions(
        serialize_sccs=schedule_request.fuse is Fuse.NO, whole_component=schedule_request.fuse is Fuse.MAX
    )
    if schedule_request.goal is Goal.PARALLEL:
        return replace(fused, outer_coincidence=1)
    return replace(fused, algorithm=FEAUTRIER) if schedule_request.goal is Goal.LATENCY else fused


def _by_isl(problem: Problem, schedule_request: ScheduleRequest, options: SchedulerOptions) -> Tree:
    edges = (*problem.flow, *problem.order)
    near = (*edges, *reuse(problem)) if schedule_request.reuse else edges
    if options.algorithm == ISL and problem.effort > EFFORT:
        raise EngineFailure("a cycle of so many statements and loops takes isl minutes")

    def tree_of() -> Tree:
        with budget(schedule_request.operations):
            return isl_schedule(problem.domains, problem.flow, edges, near, options)

    try:
        return schedule_request.bounded(tree_of, schedule_request.seconds)
    except OutOfBudget:
        raise EngineFailure(f"more than {schedule_request.operations} operations of isl") from None
    except NoSchedule:
        raise EngineFailure("isl finds none") from None
    except (TimeoutError, ChildProcessError) as reason:
        raise EngineFailure(f"isl was ended: {reason}") from None


def _by_ilp(problem: Problem, schedule_request: ScheduleRequest, chosen: cost.Cost) -> Tree:
    spaces = {name: domain.space.names for name, domain in problem.domains.items()}
    chosen.check(spaces, problem.system.span)
    try:
        steering = read_steering(schedule_request.constraints, problem.statements)
    except Misread as reason:
        raise Rejected(Diagnostic(SCHEDULE_CONSTRAINT, str(reason), Label(problem.system.span))) from None
    try:
        weights_of_indices = {
            term: {name: weigh(problem, name) for name in problem.statements}
            for term, weigh in BY_INDEX.items()
            if term in chosen.terms
        }
        near = reuse(problem) if schedule_request.reuse else ()
        groups = groups_of(problem) if chosen.has_groups else ()
        weights = weights_of(problem) if chosen.has_groups else {}
        task = BandTask(
            domains=problem.domains,
            validity=problem.flow,
            unordered=problem.order,
            cost=chosen,
            fuse=schedule_request.fuse,
            by_index=weights_of_indices,
            steering=steering,
            near=near,
            groups=groups,
            weights=weights,
        )
        return schedule(task)
    except Conflict as error:
        raise Rejected(conflict(problem, error.asked, error.edges, CONFLICT)) from None
    except NoSchedule as reason:
        raise EngineFailure(str(reason)) from None
    except TimeoutError:
        raise EngineFailure("HiGHS takes too long") from None
