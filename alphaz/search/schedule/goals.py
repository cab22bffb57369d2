"""The goal of a schedule (parallelism, locality), the engines that may be used, and the request that holds both."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from alphaz.machine import USUAL, Machine
from alphaz.poly.scheduling.tree import Tree
from alphaz.search.schedule.ilp.cost import Cost


class Fuse(StrEnum):
    """Loop fusion policy: only statements of one strongly connected component share loops; those that gain by it;
    all."""

    NO = "no"
    SMART = "smart"
    MAX = "max"


OPERATIONS = 2_000_000
"""isl's operations for one attempt: a kernel needs 10^3 to 10^5."""
SECONDS = 10.0
"""Processor time for one attempt: a limit of operations does not bound time."""

AUTO, NONE = "auto", "none"
Bounded = Callable[[Callable[[], Tree], float], Tree]
"""Runs the work within a time limit in seconds. Raises its exceptions, TimeoutError, or ChildProcessError.
"""


def at_any_length(work: Callable[[], Tree], _: float) -> Tree:
    """Runs the work without a time limit."""
    return work()


class Goal(StrEnum):
    """TILE: bands of many rows, with short distances. PARALLEL: parallel loops, inside sequential ones where there are
    none outside. LATENCY: as few sequential steps as can be had.
    """

    TILE = "tile"
    PARALLEL = "parallel"
    LATENCY = "latency"


class ScheduleEngine(StrEnum):
    """The scheduler: isl's, or our integer programs."""

    ISL = "isl"
    ILP = "ilp"


@dataclass(frozen=True, slots=True)
class ScheduleRequest:
    """Options of a schedule search. `recipe` is AUTO, NONE, or the name of a strategy; `cost` (None: that of the goal)
    and `wishes`, as in `parallel X 1; fuse X, Y 2; separate X, Z`, are for the engine ILP alone. Tile sizes are for
    `machine`: by default the usual one, so that scripts are the same on every computer. `reuse`: readers of one
    element are scheduled near each other. With `bounded`, isl's scheduler stops after `seconds`; without it, its
    `operations` are the only limit."""

    goal: Goal = Goal.TILE
    fuse: Fuse = Fuse.SMART
    recipe: str = AUTO
    operations: int = OPERATIONS
    engine: ScheduleEngine = ScheduleEngine.ISL
    cost: Cost | None = None
    wishes: str = ""
    machine: Machine = USUAL
    reuse: bool = False
    seconds: float = SECONDS
    bounded: Bounded = at_any_length

    @property
    def is_plain(self) -> bool:
        """Returns True if the request has no constraints on the dates."""
        asked = (self.goal, self.fuse, self.engine, self.cost, self.wishes)
        return asked == (Goal.TILE, Fuse.SMART, ScheduleEngine.ISL, None, "")
