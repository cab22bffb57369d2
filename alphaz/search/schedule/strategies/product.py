"""Matrix products as in BLAS: all threads pack a block of the right factor, then blocks of rows run in parallel, each
with its block of the left factor packed, and a few sums are in registers over the innermost loop.

Source: Goto and van de Geijn, "Anatomy of high-performance matrix multiplication" (TOMS 2008)."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from alphaz.machine import USUAL
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.innermost import innermost_steps
from alphaz.search.schedule.locality import Stride, row_strides
from alphaz.search.schedule.nests import Nest, nests_of, permute_rows, shift_components
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import Contraction, contraction
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

Place = tuple[Nest, Contraction, tuple[int, ...]]


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    nests = nests_of(dates)
    products = {nest.prefix: place for nest in nests if (place := _product(problem, nest)) is not None}
    if not products:
        return
    head = max(len(nest.prefix) for nest in nests)
    batch = max(len(contraction_.batch) for _, contraction_, _ in products.values())
    others = [name for nest in nests if nest.prefix not in products for name in nest.statements]
    laid = {}
    for nest in nests:
        product = products.get(nest.prefix)
        for name in nest.rows:
            prefix, rows = dates[name][: len(nest.prefix)], nest.rows[name]
            if product is None and _has_columns(problem, nest):
                laid[name] = (*prefix, *_in_columns(rows, batch))
            else:
                laid[name] = (*prefix, *_product_components(rows, batch, None if product is None else product[2]))
    steps = (
        *_steps(problem, products, head, batch, blocking),
        *innermost_steps(problem, {n: laid[n] for n in others}, blocking, head + batch + 2),
    )
    yield StrategyPlan(laid, (), steps)


def _has_columns(problem: Problem, nest: Nest) -> bool:
    """Returns True if sums run across lines of memory, in parallel along them."""
    if nest.kinds not in (
        (ComponentKind.PARALLEL, ComponentKind.REDUCTION),
        (ComponentKind.PARALLEL, ComponentKind.SEQUENTIAL),
    ):
        return False
    across, along = ([s for n in nest.statements for s in row_strides(problem, n, nest.rows[n][at])] for at in (0, 1))
    return across.count(Stride.UNIT) > across.count(Stride.FAR) and Stride.FAR in along


def _in_columns(components: tuple[Component, ...], batch: int) -> tuple[Component, ...]:
    """Line by line, the points of a line in blocks at the place of the rows of products."""
    across, along, *rest = components
    return (*shift_components((along,), batch), *shift_components((across,), 1), *rest)


def _product(problem: Problem, nest: Nest) -> Place | None:
    """A nest whose band is that of a contraction, rows in parallel; in the order batch, columns, inner, rows."""
    for name in nest.statements:
        contraction_ = contraction(problem, name)
        if contraction_ is None:
            continue
        places = [
            nest.place_of(name, i)
            for i in (*contraction_.batch, contraction_.columns, contraction_.inner, contraction_.rows)
        ]
        order = tuple(place for place in places if place is not None)
        if len(order) == len(places) == nest.band and nest.kinds[order[-1]] is ComponentKind.PARALLEL:
            return nest, contraction_, order
    return None


def _product_components(
    components: tuple[Component, ...], batch: int, order: tuple[int, ...] | None
) -> tuple[Component, ...]:
    """The components of a product, its rows in order; of other statements the first row, if it is parallel, takes the
    place of the rows."""
    if order is not None:
        return shift_components(permute_rows(components, order), batch + 3 - len(order))
    parallel = bool(components) and components[0].kind is ComponentKind.PARALLEL
    return shift_components(components, batch + (2 if parallel else 3)) if components else ()


def _steps(
    problem: Problem, products: dict[tuple[int, ...], Place], head: int, batch: int, blocking: Blocking
) -> Iterator[Tactic]:
    first = head + batch
    whole = all(
        nest.kinds[order[0]] is ComponentKind.PARALLEL and contraction_.batch
        for nest, contraction_, order in products.values()
    )
    parallel = head if whole else first + 2
    yield Tactic(((Line("setParallel", ("", parallel)),),), "", "threads")
    sizes = (blocking.inner() if whole else blocking.wide(), blocking.inner(), blocking.panel())
    tiles = tuple(Line("setTiling", (first + position, size)) for position, size in enumerate(sizes))
    yield Tactic((tiles,), "Blocks of columns, of contributions and of rows.", "tiles")
    for prefix, (_, contraction_, _) in products.items():
        below = (",".join(map(str, prefix)),) if prefix else ()
        skipped = batch if prefix else first
        columns, rows = skipped, skipped + 2
        registers, why = _registers(problem, contraction_, below, (columns, rows), blocking)
        yield Tactic((registers,), why, f"registers for {contraction_.statement}")
        packing = (Line("setPacking", (contraction_.statement, ", ".join(contraction_.factors))),)
        yield Tactic((packing,), "", f"packing for {contraction_.statement}")


def _registers(
    problem: Problem, contraction_: Contraction, below: tuple[str, ...], at: tuple[int, int], blocking: Blocking
) -> tuple[tuple[Line, Line], str]:
    """Returns the register tile along the columns and the rows. For the usual machine it is left to the machine on
    which the code is generated, unless a factor is wider than the result.
    """
    element = _element(problem, contraction_)
    wide: int | str = replace(blocking, element=element).columns
    high: int | str = blocking.rows
    why = f"{high} x {wide} sums of {contraction_.statement} in registers."
    if blocking.machine == USUAL and element == _bytes(problem, problem.statements[contraction_.statement].variable):
        wide = high = "auto"
        why = f"As many sums of {contraction_.statement} in registers as fill them."
    return (Line("setRegisterTile", (*below, at[0], wide)), Line("setRegisterTile", (*below, at[1], high))), why


def _bytes(problem: Problem, name: str) -> int:
    return np.dtype(problem.system.variable(name).type.numpy).itemsize


def _element(problem: Problem, contraction_: Contraction) -> int:
    """The bytes of the widest of its values, which determine the number of columns in the registers."""
    names = (problem.statements[contraction_.statement].variable, *contraction_.factors)
    return max(_bytes(problem, name) for name in names)


STRATEGY = Strategy("product", "Blocks, packed factors and sums in registers for matrix products.", plan)
