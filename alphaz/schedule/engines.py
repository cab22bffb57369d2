"""What is tried for a wish, one after the other: an engine, and how it is asked."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import CONFLICT, WISH
from alphaz.poly import OutOfBudget, budget
from alphaz.poly.scheduling.scheduler import FEAUTRIER, ISL, NoSchedule, Options, isl_schedule
from alphaz.poly.scheduling.tree import Tree
from alphaz.schedule.fuse import Fuse
from alphaz.schedule.goals import Engine, Goal, Wish
from alphaz.schedule.groups import groups_of, weights_of
from alphaz.schedule.ilp import cost
from alphaz.schedule.ilp.bands import Task, schedule
from alphaz.schedule.ilp.steering import Conflict, Misread, read_steering
from alphaz.schedule.impossible import conflict
from alphaz.schedule.problem import Problem
from alphaz.schedule.reuse import reuse
from alphaz.schedule.strides import BY_INDEX

EFFORT = 120
"""The most effort (see Problem) that isl's scheduler is asked for: about four seconds. With 20 three-dimensional
stencils that follow each other in a ring it would take minutes, and what is tried is not to depend on how fast a
machine is: a limit of time is for what nobody foresaw.
"""


class Failed(Exception):
    """There is no answer: the message says why."""


Find = Callable[[Problem], Tree]
"""Raises Failed."""


def attempts(wish: Wish) -> Iterator[tuple[str, Find]]:
    """In words, and as functions: first what was asked for; then less and less, until an answer comes."""
    if wish.engine is Engine.ILP:
        chosen = wish.cost or (cost.FEAUTRIER if wish.goal is Goal.LATENCY else cost.PLUTO)
        yield f"cost {chosen.name}, fusion {wish.fuse}", lambda problem: _by_ilp(problem, wish, chosen)
        return
    asked = _options(wish)
    yield f"goal {wish.goal}, fusion {wish.fuse}", lambda problem: _by_isl(problem, wish, asked)
    alone = replace(asked, serialize_sccs=1, whole_component=0)
    if alone != asked:
        words = "strongly connected components one after the other"
        yield words, lambda problem: _by_isl(problem, wish, alone)
    steps = Options(algorithm=FEAUTRIER, serialize_sccs=1)
    if steps not in (asked, alone):
        yield "Feautrier's algorithm", lambda problem: _by_isl(problem, wish, steps)


def _options(wish: Wish) -> Options:
    fused = Options(serialize_sccs=wish.fuse is Fuse.NO, whole_component=wish.fuse is Fuse.MAX)
    if wish.goal is Goal.PARALLEL:
        return replace(fused, outer_coincidence=1)
    return replace(fused, algorithm=FEAUTRIER) if wish.goal is Goal.LATENCY else fused


def _by_isl(problem: Problem, wish: Wish, options: Options) -> Tree:
    edges = (*problem.flow, *problem.order)
    near = (*edges, *reuse(problem)) if wish.reuse else edges
    if options.algorithm == ISL and problem.effort > EFFORT:
        raise Failed("a cycle of so many statements and loops takes isl minutes")

    def found() -> Tree:
        with budget(wish.operations):
            return isl_schedule(problem.domains, problem.flow, edges, near, options)

    try:
        return wish.bounded(found, wish.seconds)
    except OutOfBudget:
        raise Failed(f"more than {wish.operations} operations of isl") from None
    except NoSchedule:
        raise Failed("isl finds none") from None
    except (TimeoutError, ChildProcessError) as reason:
        raise Failed(f"isl was ended: {reason}") from None


def _by_ilp(problem: Problem, wish: Wish, chosen: cost.Cost) -> Tree:
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
        task = Task(
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
        raise Failed(str(reason)) from None
    except TimeoutError:
        raise Failed("HiGHS takes too long") from None
