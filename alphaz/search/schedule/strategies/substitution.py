"""Triangular systems: x[i] needs the sum of L[i,j] * x[j] over all j before it.

Rows and columns are tiled, and the tiles of one wavefront run in parallel; a few rows are computed at once, with their
sums in registers, one memory stream for each."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.mapping.statement import Role
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.plain.affine import less
from alphaz.search.schedule.accesses import reads_of, written_access
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.nests import place_core, steps_around
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, function_text
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

_STREAMS = 8
"""Rows that memory streams at once."""


@dataclass(frozen=True, slots=True)
class _Solve:
    """A triangular solve. `result` is read by the contributions to `sums`, along its last index; `backwards`: from the
    last row to the first."""

    result: str
    sums: str
    backwards: bool


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    solutions = [solution for name in problem.statements if (solution := _solve(problem, name)) is not None]
    if len(solutions) != 1:
        return
    (solve,) = solutions
    sign = -1 if solve.backwards else 1
    row, column = problem.statements[solve.sums].domain.space.names
    (own,) = problem.statements[solve.result].domain.space.names
    of_sums = (Affine.of([(row, sign)]), Affine(), Affine.of([(column, sign)]))
    of_result = (Affine.of([(own, sign)]), Affine(constant=1), Affine.of([(own, sign)]))
    core = {solve.sums: of_sums, solve.result: of_result}
    laid, front = place_core(problem, dates, core)
    # For all statements: else it is a dimension of the tiles, and the results of a row of tiles come after its sums.
    names = ", ".join((*core, *(name for name in laid if name not in core)))
    turns = Line("setDimensionType", (names, len(front) + 1, "O"))
    steps = (*_steps(problem, solve, front, blocking), *steps_around(problem, laid, core, blocking))
    yield StrategyPlan(laid, (turns,), steps)


def _solve(problem: Problem, name: str) -> _Solve | None:
    """The triangular solve of a statement: a row of results that needs a sum over a matrix and the results themselves,
    without any other cycle."""
    sums = problem.statements[name]
    if sums.role is not Role.BODY or sums.domain.space.dimensions != 2:
        return None
    row, column = sums.domain.space.names
    if written_access(sums).indices != (Affine.name(row),):
        return None
    readers = {e.target for e in problem.flow if e.source == name and e.target != name}
    own = [read for read in reads_of(problem, name) if read.indices == (Affine.name(column),)]
    results = [read.variable for read in own if readers == {read.variable}]
    if not results or problem.statements[results[0]].role is not Role.VALUE:
        return None
    matrices = [read for read in reads_of(problem, name) if read.indices == (Affine.name(row), Affine.name(column))]
    below, above = (
        sums.domain.is_subset(Domain.where(sums.domain.space, [less(Affine.name(one), Affine.name(other))]))
        for one, other in ((column, row), (row, column))
    )
    return _Solve(results[0], name, above) if matrices and (below or above) else None


def _steps(problem: Problem, solve: _Solve, front: tuple[int, ...], blocking: Blocking) -> Iterator[Tactic]:
    space = problem.system.variable(solve.sums).domain.space
    cells = function_text(AffineFunction(space, tuple(map(Affine.name, space.names))))
    yield Tactic(((Line("setMemoryMap", (solve.sums, solve.result, cells)),),), "", f"the cells of {solve.result}")
    rows, columns = blocking.triangle()
    tiles = tuple(Line("setTiling", (len(front) + at, size)) for at, size in enumerate((rows, 1, columns)))
    why = "Tiles of rows and columns, those of one wavefront in parallel."
    yield Tactic(((*tiles, Line("setTilingType", ("omp",))), tiles), why, "tiles")
    streams = Line("setRegisterTile", (*map(str, front), 0, _STREAMS))
    lanes = Line("setVectorDimension", (",".join(map(str, front)), 2))
    yield Tactic(((streams, lanes), (streams,)), f"{_STREAMS} rows at once, their sums in lanes.", "rows at once")


STRATEGY = Strategy("substitution", "Rows and columns in tiles, some rows at once, for triangular systems.", plan)
