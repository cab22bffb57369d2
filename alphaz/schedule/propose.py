"""A mapping for a system: dates from an engine, as lines of a script, proved by the verifier."""

from dataclasses import dataclass, replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NO_RECIPE
from alphaz.mapping.design import Design
from alphaz.poly import OutOfBudget, budget
from alphaz.poly.scheduling.scheduler import ISL, NoSchedule, Options, isl_schedule
from alphaz.schedule.dates import Dates, dates_of
from alphaz.schedule.emit import lines_of
from alphaz.schedule.goals import AUTO, NONE, Wish, attempts
from alphaz.schedule.impossible import no_schedule
from alphaz.schedule.line import Apply, Line
from alphaz.schedule.machine import Machine
from alphaz.schedule.problem import Problem, problem_of
from alphaz.schedule.proving import proved
from alphaz.schedule.recipe import Plan, Recipe
from alphaz.schedule.recipes.all import RECIPES
from alphaz.schedule.step import Cooked, cook
from alphaz.verify.verified import SystemReport

EFFORT = 100
"""The most effort (see Problem) that isl's scheduler is asked for: about a second. Its operations bound no time: with
20 three-dimensional stencils that follow each other in a ring, 300,000 of them take two minutes.
"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried, and what came of it."""

    tried: str
    outcome: str


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A proved mapping of a system: the design that has it, and the lines that made it."""

    design: Design
    system: str
    problem: Problem
    dates: Dates
    lines: tuple[Line, ...]
    attempts: tuple[Attempt, ...]
    report: SystemReport


def normalized(design: Design, apply: Apply) -> tuple[Design, tuple[Line, ...]]:
    """The design with an equation for every reduction, so that each contribution can have a date; and the line."""
    line = Line("NormalizeReduction", of_system=False)
    changed = apply(design, "", line)
    same = [len(s.equations) for s in changed.program.systems] == [len(s.equations) for s in design.program.systems]
    return (design, ()) if same else (changed, (line,))


def propose(design: Design, system: str, wish: Wish, apply: Apply) -> Proposal:
    """The first schedule that is found and proved, made fast by the first recipe that fits.

    Raises Rejected (AZ511) where there is no schedule, and (AZ513) where a recipe that was named does not fit.
    """
    plain = _plain(design, system, wish, apply)
    if wish.recipe == NONE:
        return plain
    chosen = [each for each in RECIPES if wish.recipe in (AUTO, each.name)]
    for recipe in chosen:
        for plan in recipe.plan(plain.problem, plain.dates, Machine()):
            found = _cooked(design, plain, recipe, plan, apply)
            if found is not None:
                return found
    if wish.recipe != AUTO:
        message = f"the recipe {wish.recipe} does not fit {system}"
        summaries = tuple(f"{each.name}: {each.summary}" for each in RECIPES)
        raise Rejected(Diagnostic(NO_RECIPE, message, Label(plain.problem.system.span), notes=summaries))
    return plain


def _cooked(design: Design, plain: Proposal, recipe: Recipe, plan: Plan, apply: Apply) -> Proposal | None:
    """The mapping of a plan; None where its dates are not legal."""
    lines = (*lines_of(plain.problem, plan.dates, threads=False), *plan.lines)
    mapped, report = proved(design, plain.system, lines, apply)
    if not report.is_proved:
        return None
    dish = cook(Cooked(mapped, lines, report), plain.system, plan.steps, apply)
    outcomes = (*plain.attempts, Attempt(f"recipe {recipe.name}", "proved"))
    outcomes += tuple(Attempt(purpose, f"left out, {reason}") for purpose, reason in dish.dropped)
    return replace(plain, design=dish.design, dates=plan.dates, lines=dish.lines, attempts=outcomes, report=dish.report)


def _plain(design: Design, system: str, wish: Wish, apply: Apply) -> Proposal:
    problem = problem_of(design, system)
    tried: list[Attempt] = []
    for words, options in attempts(wish):
        dates, outcome = _dates(problem, options, wish.operations)
        if dates is not None:
            lines = tuple(lines_of(problem, dates))
            mapped, report = proved(design, system, lines, apply)
            outcome = "proved" if report.is_proved else "not proved"
            if report.is_proved:
                found = (*tried, Attempt(words, outcome))
                return Proposal(mapped, system, problem, dates, lines, found, report)
        tried.append(Attempt(words, outcome))
    raise Rejected(no_schedule(problem, [f"{each.tried}: {each.outcome}" for each in tried], wish.operations))


def _dates(problem: Problem, options: Options, operations: int) -> tuple[Dates | None, str]:
    """The dates, or why there are none."""
    edges = (*problem.flow, *problem.order)
    if options.algorithm == ISL and problem.effort > EFFORT:
        return None, "a cycle of so many statements and loops takes isl minutes"
    try:
        with budget(operations):
            return dates_of(problem, isl_schedule(problem.domains, problem.flow, edges, edges, options)), ""
    except OutOfBudget:
        return None, f"more than {operations} operations of isl"
    except NoSchedule:
        return None, "isl finds none"
