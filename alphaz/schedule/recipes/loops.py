"""For everything else: the loops as they were found, the outermost parallel ones for threads, in little memory."""

from collections.abc import Iterator

from alphaz.schedule.blocking import Blocking
from alphaz.schedule.dates import Dates
from alphaz.schedule.emit import parallel_lines
from alphaz.schedule.problem import Problem
from alphaz.schedule.recipe import Plan, Recipe
from alphaz.schedule.sharing import folding_steps


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[Plan]:
    del blocking
    yield Plan(dates, tuple(parallel_lines(dates)), tuple(folding_steps(problem)))


RECIPE = Recipe("loops", "The loops that were found, in little memory.", plan)
