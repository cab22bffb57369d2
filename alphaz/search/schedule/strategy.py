"""Recipes: from a schedule to a whole mapping. Each is a file of `recipes/`, with a `RECIPE` in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from alphaz.mapping.design import Design
from alphaz.poly import Affine
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.line import Line
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.tactic import Tactic


@dataclass(frozen=True, slots=True, eq=False)
class StrategyPlan:
    """Dates laid out anew and further `lines`, which must be legal, and steps that are taken where they are.

    `starts`: when the results of accumulations are set to the identity, where that is not with the first contribution.
    """

    dates: Dates
    lines: tuple[Line, ...]
    steps: tuple[Tactic, ...]
    starts: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """`plan` is given a schedule for tiles, and gives the plans to be tried in turn: none for other programs.

    `rewrite` has the lines that change the program before (as it was read), none where it stays as it is. `others` are
    schedules that it is given before the one that was found, where nothing in particular was asked for.
    """

    name: str
    summary: str
    plan: Callable[[Problem, Dates, Blocking], Iterator[StrategyPlan]]
    rewrite: Callable[[Design, str, Blocking], tuple[Line, ...]] | None = None
    others: Callable[[Problem, Dates], tuple[Dates, ...]] = lambda problem, dates: ()
