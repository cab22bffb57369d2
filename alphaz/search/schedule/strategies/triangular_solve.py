"""Triangular systems: x[i] needs the sum of L[i,j] * x[j] over all j before it.

Rows and columns are tiled, and the tiles of one wavefront run in parallel; a few rows are computed at once, with their
sums in lanes, one memory stream for each."""

from collections.abc import Iterator

from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.nests import place_core, steps_around
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, function_text
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic
from alphaz.search.schedule.triangular_solves import Solve, solve_of


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    solutions = [solution for name in problem.statements if (solution := solve_of(problem, name)) is not None]
    if len(solutions) != 1:
        return
    (solve,) = solutions
    core = solve.dates(problem)
    laid, front = place_core(problem, dates, core)
    # For all statements: else it is a dimension of the tiles, and the results of a row of tiles come after its sums.
    names = ", ".join((*core, *(name for name in laid if name not in core)))
    turns = Line("setDimensionType", (names, len(front) + 1, "O"))
    steps = (*_steps(problem, solve, front, blocking), *steps_around(problem, laid, core, blocking))
    yield StrategyPlan(laid, (turns,), steps)


def _steps(problem: Problem, solve: Solve, front: tuple[int, ...], blocking: Blocking) -> Iterator[Tactic]:
    space = problem.system.variable(solve.sums).domain.space
    cells = function_text(AffineFunction(space, tuple(map(Affine.name, space.names))))
    yield Tactic(((Line("setMemoryMap", (solve.sums, solve.result, cells)),),), "", f"the cells of {solve.result}")
    rows, columns = blocking.triangle()
    tiles = tuple(Line("setTiling", (len(front) + position, size)) for position, size in enumerate((rows, 1, columns)))
    why = "Tiles of rows and columns, those of one wavefront in parallel."
    yield Tactic(((*tiles, Line("setTilingType", ("omp",))), tiles), why, "tiles")
    yield solve.some_rows(front, 0)


STRATEGY = Strategy("substitution", "Rows and columns in tiles, some rows at once, for triangular systems.", plan)
