"""Strategies: from a schedule to a whole mapping. Each is a module of `strategies/` that defines `STRATEGY`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from alphaz.mapping.design import Design
from alphaz.poly import Affine
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.strategy_step import Tactic


@dataclass(frozen=True, slots=True, eq=False)
class StrategyPlan:
    """Rearranged dates and further `lines`, which must be legal, and tactics that are applied if they are legal.

    `starts`: the dates at which the results of accumulations are set to the identity, if not with the first
    contribution."""

    dates: Dates
    lines: tuple[Line, ...]
    steps: tuple[Tactic, ...]
    starts: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """`plan` maps a tileable schedule to the plans to try in turn: empty for programs of another class.

    `rewrite` returns the lines that first change the program (as it was read), empty if it stays as it is. `others` are
    schedules to try before the one that was found, if the request has no constraints."""

    name: str
    summary: str
    plan: Callable[[Problem, Dates, Blocking], Iterator[StrategyPlan]]
    rewrite: Callable[[Design, str, Blocking], tuple[Line, ...]] | None = None
    others: Callable[[Problem, Dates], tuple[Dates, ...]] = lambda problem, dates: ()
