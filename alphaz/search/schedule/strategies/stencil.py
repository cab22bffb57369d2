"""Stencils in time: time and space tiled together, skewed, in wavefronts.

If the points of a row do not depend on each other inside a step, rows are not tiled: each is one long vector loop.
Source: Bondhugula (2008), 5.2; Wonnacott, "Using time skewing to eliminate idle time" (IPDPS 2000)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alphaz.mapping.statement import Role
from alphaz.model.program import Kind as Declared
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, not_carried, with_kinds
from alphaz.search.schedule.nests import Nest, nests_of
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, function_text
from alphaz.search.schedule.statement_accesses import reads_of
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

_MOST = 4
"""Most dimensions, including time."""


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    stencils = [nest for nest in nests_of(dates) if _is_stencil(problem, nest)]
    if len(stencils) != 1 or stencils[0].band > _MOST:
        return
    (nest,) = stencils
    turns = _in_turn(problem, nest)
    if nest.band > 2 and turns is None:
        whole = _nest_dates(problem, dates, nest, turns, straight=True)
        if all(whole[name][-1].kind is ComponentKind.PARALLEL for name in nest.statements):
            tiles = _tiles(nest, blocking.skewed_rows(nest.band - 2), False)
            yield StrategyPlan(whole, (), (tiles, *_wandering(problem, nest)))
    rows = _nest_dates(problem, dates, nest, turns, straight=False)
    yield StrategyPlan(rows, (), (_tiles(nest, blocking.skewed(nest.band - 1), turns is not None),))


def _is_stencil(problem: Problem, nest: Nest) -> bool:
    """Returns True if all loops are one band, the first of them sequential, and the nest reads its own values at
    constant distances."""
    if nest.band < 2 or nest.kinds[0] is not ComponentKind.SEQUENTIAL:
        return False
    if nest.band == 2 and nest.kinds[1] is ComponentKind.SEQUENTIAL:
        return False
    for name in nest.statements:
        names = problem.statements[name].domain.space.names
        if problem.statements[name].role is not Role.VALUE or len(names) != nest.band:
            return False
        if nest.rows[name][0].value.names != names[:1]:
            return False
        for read in reads_of(problem, name):
            own = tuple(map(Affine.name, names))
            if read.variable in nest.rows and any(
                not (index - at).is_constant for index, at in zip(read.indices, own, strict=True)
            ):
                return False
    return True


def _nest_dates(problem: Problem, dates: Dates, nest: Nest, turns: Mapping[str, int] | None, straight: bool) -> Dates:
    """The dates of the nest; of several statements each has a last row of its own; `straight`: that row is not
    skewed."""
    laid = dict(dates)
    for name, components in nest.rows.items():
        *before, last = components[: nest.band]
        if straight:
            last = replace(last, value=_unskewed_row(problem, name, last.value))
        turn = () if turns is None else (Component(Affine(constant=turns[name]), ComponentKind.ORDER, ()),)
        laid[name] = (*dates[name][: len(nest.prefix)], *before, *turn, last)
    return with_kinds(problem, laid)


def _unskewed_row(problem: Problem, name: str, value: Affine) -> Affine:
    own = problem.statements[name].domain.space.names[-1]
    return Affine.of([(own, 1)], value.constant)


def _in_turn(problem: Problem, nest: Nest) -> Mapping[str, int] | None:
    """An order of the statements at equal rows before the last one; None if there is only one, or no order."""
    if len(nest.statements) == 1:
        return None
    edges = [e for e in problem.flow if e.source in nest.rows and e.target in nest.rows and e.source != e.target]
    for position in range(nest.band - 1):
        row = {name: components[position].value for name, components in nest.rows.items()}
        edges = list(not_carried(edges, row))
    numbers: dict[str, int] = {}
    waiting = list(nest.statements)
    while waiting:
        free = [name for name in waiting if not any(e.target == name and e.source in waiting for e in edges)]
        if not free:
            return None
        numbers[free[0]] = len(numbers)
        waiting.remove(free[0])
    return numbers


def _wandering(problem: Problem, nest: Nest) -> Iterator[Tactic]:
    """One array that moves by as much as the tiles at each step: two alternating arrays need twice the cache."""
    for name, (_, *rows, _) in nest.rows.items():
        if problem.system.variable(name).kind is Declared.LOCAL:
            space = problem.statements[name].domain.space
            time, *inner, last = space.names
            skews = (row.value.coefficient(time) for row in rows)
            moved = (Affine.of([(index, 1), (time, -skew)]) for index, skew in zip(inner, skews, strict=True))
            cells = function_text(AffineFunction(space, (*moved, Affine.name(last))))
            yield Tactic(((Line("setMemoryMap", (name, cells)),),), "", f"one array for {name}")


def _tiles(nest: Nest, sizes: tuple[int, ...], turns: bool) -> Tactic:
    """The tiling of the nest. `turns`: before the last row there is a constant, which is tiled by one."""
    cut = (*sizes[:-1], 1, sizes[-1]) if turns and len(sizes) == nest.band else sizes
    lines = tuple(Line("setTiling", (len(nest.prefix) + position, size)) for position, size in enumerate(cut))
    wavefront = (Line("setTilingType", ("omp",)),)
    return Tactic(
        ((*lines, *wavefront), lines), "Tiles in time and space, those of one wavefront in parallel.", "tiles"
    )


STRATEGY = Strategy("stencil", "Skewed tiles in time and space, in wavefronts, for stencils.", plan)
