"""Factorisations: contractions whose rows and columns depend on each other.

Tiles in three dimensions, in wavefronts; in whole tiles a few sums are in registers over the innermost loop, columns
outermost. With results on both sides of the diagonal, the factors are packed in the tiles that write none of them: a
triangle has many short rows, for which buffers cost more than they give where it is small."""

from collections.abc import Iterator

from alphaz.machine import USUAL
from alphaz.poly import Affine, Domain, less
from alphaz.search.schedule.accesses import contraction
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import ComponentKind, Dates
from alphaz.search.schedule.nests import Nest, nests_of, permute_rows, without_last_order
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

_DIMENSIONS = 3


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    dates, ordering = without_last_order(dates)
    nests = nests_of(dates)
    nests_ = [(nest, order) for nest in nests if (order := _order(problem, nest)) is not None]
    if not nests_:
        return
    laid = dict(dates)
    for nest, order in nests_:
        for name, components in nest.rows.items():
            laid[name] = (*dates[name][: len(nest.prefix)], *permute_rows(components, order))
    head = max(len(nest.prefix) for nest in nests)
    yield StrategyPlan(laid, ordering, tuple(_steps(problem, [nest for nest, _ in nests_], head, blocking)))


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
    tiles = tuple(Line("setTiling", (head + at, side)) for at in range(_DIMENSIONS))
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
