"""Factorisations: contractions whose rows and columns depend on each other.

Tiles in three dimensions, in wavefronts; in whole tiles a few sums are in registers over the innermost loop, columns
outermost. With results on both sides of the diagonal, the factors are packed in the tiles that write none of them: a
triangle has many short rows, for which buffers cost more than they give where it is small.

Triangular solves next to them have a few rows at once, without tiles: they are a small part of the work."""

from collections.abc import Iterator

from alphaz.machine import USUAL
from alphaz.poly import Affine, Domain, less
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.nests import Nest, nests_of, permute_rows, shift_components, without_last_order
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import contraction
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic
from alphaz.search.schedule.triangular_solves import Solve, solve_of

_DIMENSIONS = 3


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    dates, ordering = without_last_order(dates)
    nests = nests_of(dates)
    nests_ = [(nest, order) for nest in nests if (order := _order(problem, nest)) is not None]
    if not nests_:
        return
    head = max(len(nest.prefix) for nest in nests)
    solves = [(nest, solve) for nest in nests if (solve := _solve(problem, nest)) is not None]
    laid = {**dates, **{name: row for nest, solve in solves for name, row in _inside(problem, nest, solve, head)}}
    for nest, order in nests_:
        for name, components in nest.rows.items():
            laid[name] = (*dates[name][: len(nest.prefix)], *permute_rows(components, order))
    steps = _steps(problem, [nest for nest, _ in nests_], head, blocking)
    rows = (solve.some_rows(nest.prefix, head - len(nest.prefix) + _DIMENSIONS) for nest, solve in solves)
    yield StrategyPlan(laid, ordering, (*steps, *rows))


def _solve(problem: Problem, nest: Nest) -> Solve | None:
    """Returns the triangular solve that a nest consists of; None where it is something else."""
    solves = filter(None, (solve_of(problem, name) for name in nest.statements))
    return next((solve for solve in solves if {solve.result, solve.sums} == {*nest.statements}), None)


def _inside(problem: Problem, nest: Nest, solve: Solve, head: int) -> Iterator[tuple[str, tuple[Component, ...]]]:
    """Yields the dates of a solve, further inside than the dimensions that are tiled."""
    kinds = (ComponentKind.SEQUENTIAL, ComponentKind.ORDER, ComponentKind.SEQUENTIAL)
    prefix = tuple(Component(Affine(constant=at), ComponentKind.ORDER, ()) for at in nest.prefix)
    for name, date in solve.dates(problem).items():
        rows = (Component(value, kind, ()) for value, kind in zip(date, kinds, strict=True))
        yield name, (*prefix, *shift_components(rows, head - len(prefix) + _DIMENSIONS))


def _order(problem: Problem, nest: Nest) -> tuple[int, ...] | None:
    """Columns, rows, inner: if the band of the nest is that of a contraction, and its rows are sequential."""
    for name in nest.statements:
        contraction_ = contraction(problem, name)
        if contraction_ is None or contraction_.batch:
            continue
        places = (nest.place_of(name, index) for index in (contraction_.columns, contraction_.rows, contraction_.inner))
        order = tuple(place for place in places if place is not None)
        if len(order) == nest.band == _DIMENSIONS and nest.kinds[order[1]] is ComponentKind.SEQUENTIAL:
            return order
    return None


def _steps(problem: Problem, nests: list[Nest], head: int, blocking: Blocking) -> Iterator[Tactic]:
    side = blocking.block()
    tiles = tuple(Line("setTiling", (head + position, side)) for position in range(_DIMENSIONS))
    wavefront = (Line("setTilingType", ("omp",)),)
    why = "Tiles in three dimensions, the tiles of one wavefront in parallel."
    yield Tactic(((*tiles, *wavefront), tiles), why, "tiles")
    for nest in nests:
        below = (",".join(map(str, nest.prefix)),) if nest.prefix else ()
        columns: int | str = blocking.columns
        if blocking.machine == USUAL and any(_is_square(problem, name) for name in nest.statements):
            columns = "auto"
        registers = (
            Line("setRegisterTile", (*below, 0, columns)),
            Line("setRegisterTile", (*below, 1, blocking.rows)),
        )
        yield Tactic((registers,), f"{blocking.rows} x {blocking.columns} sums in registers.", "registers")
        squares = (contraction(problem, name) for name in nest.statements if _is_square(problem, name))
        for contraction_ in filter(None, squares):
            factors = ", ".join(dict.fromkeys(contraction_.factors))
            packing = (Line("setPacking", (contraction_.statement, factors, "final")),)
            yield Tactic((packing,), "", f"packing for {contraction_.statement}")


def _is_square(problem: Problem, name: str) -> bool:
    """Returns True if a contraction has results on both sides of the diagonal: few of its register tiles are on the
    diagonal, where points are computed one by one, and wide tiles pay.
    """
    contraction_ = contraction(problem, name)
    if contraction_ is None:
        return False
    domain, sides = problem.statements[name].domain, (contraction_.columns, contraction_.rows)
    halves = ((Affine.name(one), Affine.name(other)) for one, other in (sides, sides[::-1]))
    return not any((domain & Domain.where(domain.space, [less(one, other)])).is_empty() for one, other in halves)


STRATEGY = Strategy("factorization", "Tiles in three dimensions and sums in registers for factorisations.", plan)
