"""The request for a schedule: its goal, the usable engines, and checks of its constraints on dates."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from alphaz.machine import USUAL, Machine
from alphaz.mapping.statement import Role
from alphaz.poly import AffineFunction
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.band_schedules import DependenceEdge, Tree
from alphaz.search.schedule.dates import ComponentKind, Dates
from alphaz.search.schedule.ilp.cost import Cost
from alphaz.search.schedule.ilp.user_constraints import read_steering
from alphaz.search.schedule.problem import Problem


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
    """Options of a schedule search. `strategy` is AUTO, NONE, or the name of a strategy; `cost` (None: that of the
    goal) and `constraints`, as in `parallel X 1; fuse X, Y 2; separate X, Z`, are for the engine ILP alone. Tile sizes
    are for `machine`: by default the usual one, so that scripts are the same on every computer. `reuse`: readers of one
    element are scheduled near each other. With `bounded`, isl's scheduler stops after `seconds`; without it, its
    `operations` are the only limit."""

    goal: Goal = Goal.TILE
    fuse: Fuse = Fuse.SMART
    strategy: str = AUTO
    operations: int = OPERATIONS
    engine: ScheduleEngine = ScheduleEngine.ISL
    cost: Cost | None = None
    constraints: str = ""
    machine: Machine = USUAL
    reuse: bool = False
    seconds: float = SECONDS
    bounded: Bounded = at_any_length

    @property
    def is_plain(self) -> bool:
        """Returns True if the request has no constraints on the dates."""
        choices = (self.goal, self.fuse, self.engine, self.cost, self.constraints)
        return choices == (Goal.TILE, Fuse.SMART, ScheduleEngine.ISL, None, "")


def is_granted(problem: Problem, dates: Dates, laid: Dates, schedule_request: ScheduleRequest) -> bool:
    """Returns True if `laid`, made of the dates `dates` by an engine, satisfies the constraints; and, if statements are
    to be fused as little as possible, if no statements share more loops than in `dates`."""
    if schedule_request.fuse is Fuse.NO and any(
        shared_loops(laid, one, two) > shared_loops(dates, one, two) for one, two in combinations(laid, 2)
    ):
        return False
    steering = read_steering(schedule_request.constraints, problem.statements)
    return (
        all(_is_parallel(laid, name, row) for name, row in steering.parallel)
        and all(shared_loops(laid, one, two) >= depth for one, two, depth in steering.fused)
        and not any(shared_loops(laid, one, two) for one, two in steering.apart)
    )


def shared_loops(dates: Dates, one: str, two: str) -> int:
    """Returns the number of loops around both statements."""
    count = 0
    for first, second in zip(dates[one], dates[two], strict=False):
        if first.is_row != second.is_row or (first.kind is ComponentKind.ORDER and first.value != second.value):
            break
        count += first.is_row
    return count


def _is_parallel(dates: Dates, name: str, row: int) -> bool:
    rows = [component for component in dates[name] if component.is_row]
    return row < len(rows) and rows[row].kind is ComponentKind.PARALLEL


def with_memory(problem: Problem, dates: Dates) -> Problem | None:
    """Returns the problem with these edges, oriented by the dates; None if no given map has two values in one cell."""
    edges = tuple(_edges(problem, dates))
    return replace(problem, flow=(*problem.flow, *edges)) if edges else None


def _edges(problem: Problem, dates: Dates) -> Iterator[DependenceEdge]:
    for name, cell in problem.cells.items():
        statement = problem.statements.get(name)
        moduli = tuple(m for m in cell.moduli if isinstance(m, int))
        # With a parametric factor, the next writer is not an affine function: the verifier checks it, not the edges.
        if statement is None or statement.role is not Role.VALUE or len(moduli) < len(cell.moduli):
            continue
        space = statement.domain.space
        when = AffineFunction(space, tuple(component.value for component in dates[name]))
        cells = cell.function.renamed(space.names)
        following = Relation.to_the_next_in_cell(statement.domain, cells, moduli, when)
        if following.is_empty():
            continue
        yield DependenceEdge(name, name, following)
        for edge in (e for e in problem.flow if e.source == name):
            over = edge.relation.turned().then(following)
            over = over.without_loops() if edge.target == name else over
            if not over.is_empty():
                yield DependenceEdge(edge.target, name, over)
