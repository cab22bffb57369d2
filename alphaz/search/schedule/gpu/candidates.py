"""Mappings for a GPU to try: which loops blocks and threads share, and what is in shared memory and registers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from alphaz.poly import Affine
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, Path, with_kinds
from alphaz.search.schedule.distributed.placement import place_of_result
from alphaz.search.schedule.locality import Stride, accesses_of, index_of, row_strides, stride
from alphaz.search.schedule.nests import Nest, nests_of
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import Contraction, contraction

_AXES = "xyz"
# Threads of a block along x, y and z, for one, two and three parallel loops.
_SHAPES = (
    ((128,), (64,), (256,)),
    ((32, 8), (16, 16), (64, 2)),
    ((32, 4, 2), (16, 4, 4)),
)
# Tiles of products: values of rows, columns and contributions, and the threads along y and x.
_PRODUCTS = (((64, 64, 16), (16, 16)), ((32, 32, 8), (8, 8)), ((128, 64, 16), (16, 16)))
# Tiles of sums along lines of memory: values of rows, that are threads, and contributions.
_LINES = ((64, 32), (128, 16), (32, 32))
_MOST_SHARED = 48 * 1024
_INNER = (ComponentKind.SEQUENTIAL, ComponentKind.REDUCTION)


@dataclass(frozen=True, slots=True)
class GpuChoice:
    """Lines about one nest, in words."""

    words: str
    lines: tuple[Line, ...]


def kind_lines(dates: Dates) -> Iterator[Line]:
    """Yields the lines that make each parallel row of the dates parallel."""
    for position in range(max(map(len, dates.values()), default=0)):
        names = [name for name, components in dates.items() if _is_parallel(components, position)]
        if names:
            yield Line("setDimensionType", (", ".join(names), position, "P"))


def starts_of(problem: Problem, dates: Dates) -> dict[str, tuple[Affine, ...]]:
    """Returns for each product the dates at which its sums are set to zero, so that they stay in registers: those of
    the contributions, at the beginning of the loops over these.
    """
    starts = {}
    for name, components in dates.items():
        if contraction(problem, name) is not None:
            statement = problem.statements[name]
            starts[name] = tuple(place_of_result(statement, component.value) or Affine() for component in components)
    return starts


def with_lines_last(problem: Problem, dates: Dates) -> Dates:
    """Returns the dates with adjacent parallel rows of a band in another order: the last one, which threads along x
    share, has the most accesses to adjacent elements.
    """
    bands: dict[tuple[Path, tuple[int, ...]], list[str]] = {}
    for name, components in dates.items():
        for run in _parallel_runs(components):
            bands.setdefault((components[run[0]].band, run), []).append(name)
    changed = {name: list(components) for name, components in dates.items()}
    for (_, run), names in bands.items():
        scores = [sum(map(_worth, (s for n in names for s in row_strides(problem, n, dates[n][at])))) for at in run]
        best = max(range(len(run)), key=lambda at: (scores[at], at))
        order = [*run[:best], *run[best + 1 :], run[best]]
        for name in names:
            for at, source in zip(run, order, strict=True):
                changed[name][at] = dates[name][source]
    return with_kinds(problem, {name: tuple(components) for name, components in changed.items()})


def _worth(found: Stride) -> int:
    return {Stride.UNIT: 2, Stride.NONE: 0, Stride.FAR: -1}[found]


def _parallel_runs(components: Sequence[Component]) -> Iterator[tuple[int, ...]]:
    """Yields the positions of adjacent parallel rows of one band."""
    run: list[int] = []
    for position, component in enumerate(components):
        if run and (component.kind is not ComponentKind.PARALLEL or component.band != components[run[0]].band):
            yield tuple(run)
            run = []
        if component.kind is ComponentKind.PARALLEL:
            run.append(position)
    if run:
        yield tuple(run)


def _is_parallel(components: Sequence[Component], position: int) -> bool:
    return position < len(components) and components[position].kind is ComponentKind.PARALLEL


def choices(problem: Problem, dates: Dates) -> Iterator[tuple[str, tuple[GpuChoice, ...]]]:
    """Yields the nests of the dates in words, and the choices for each."""
    for number, nest in enumerate(nests_of(dates)):
        nest_choices = tuple(_choices(problem, nest, number))
        if nest_choices:
            names = list(nest.statements)
            yield ", ".join(names[:3]) + (" and others" if len(names) > 3 else ""), nest_choices


def _choices(problem: Problem, nest: Nest, number: int) -> Iterator[GpuChoice]:
    yield from _products(problem, nest, number)
    yield from _lines_of_memory(problem, nest, number)
    yield from _merged(nest)
    yield from _shapes(nest)


def _shapes(nest: Nest) -> Iterator[GpuChoice]:
    """Yields shapes of blocks, whose threads have an iteration each."""
    places = _shared_places(nest)
    if not places:
        return
    places = places[-3:]
    for shape in _SHAPES[len(places) - 1]:
        axes = list(zip(reversed(places), _AXES, shape, strict=False))
        words = f"a thread for each element, blocks of {' x '.join(map(str, shape))}"
        yield GpuChoice(words, _roles(nest, [(at, axis, axis, n) for at, axis, n in reversed(axes)]))


def _shared_places(nest: Nest) -> list[int]:
    """Returns the adjacent positions, counted from the prefix, at which all statements of a nest have parallel rows."""
    length = max(map(len, nest.rows.values()), default=0)
    everywhere = [
        position for position in range(length) if all(_is_parallel(rows, position) for rows in nest.rows.values())
    ]
    run = everywhere[:1]
    for at in everywhere[1:]:
        if at == run[-1] + 1:
            run.append(at)
    return run


def _roles(nest: Nest, places: Sequence[tuple[int, str, str, int]]) -> tuple[Line, ...]:
    """Returns the lines for positions with the axes of their blocks and threads; `` for none."""
    prefix = ",".join(map(str, nest.prefix))
    blocks = [(place, axis) for place, axis, _, _ in places if axis]
    threads = [(place, f"{axis}={number}") for place, _, axis, number in places if axis]
    lines = []
    for command, axes_and_sizes in (("setBlockDimensions", blocks), ("setThreadDimensions", threads)):
        if axes_and_sizes:
            numbers, axes = (",".join(map(str, column)) for column in zip(*axes_and_sizes, strict=True))
            lines.append(Line(command, (prefix, numbers, axes)))
    return tuple(lines)


def _tiles(nest: Nest, number: int, first: int, sizes: Sequence[int]) -> Line:
    inside = (1, ",".join(map(str, nest.prefix))) if nest.prefix else ()
    return Line(
        "setBandForTiling", (f"tiles{number or ''}", *inside, first, first + len(sizes) - 1, ",".join(map(str, sizes)))
    )


# --- products ---------------------------------------------------------------------------------------------------------


def _products(problem: Problem, nest: Nest, number: int) -> Iterator[GpuChoice]:
    """Yields tiles of a product: those of its factors in shared memory, and several sums in registers of a thread."""
    for name in nest.statements:
        summed = contraction(problem, name)
        place = None if summed is None else _product_place(nest, summed)
        if summed is None or place is None:
            continue
        prefix = (",".join(map(str, nest.prefix)),)
        below = prefix if nest.prefix else ()
        width = max(_bytes(problem, factor) for factor in summed.factors)
        for (rows, columns, inner), (high, wide) in _PRODUCTS:
            if (rows * (inner + 1) + inner * (columns + 1)) * width > _MOST_SHARED:
                continue
            batch = [(position, "z", "", 0) for position in range(place)][:1]
            tile = [(place, "y", "y", high), (place + 1, "x", "x", wide)]
            lines = (
                *_roles(nest, [*batch, *tile]),
                _tiles(nest, number, place, (rows, columns, inner)),
                Line("setRegisterTile", (*below, place, rows // high)),
                Line("setRegisterTile", (*below, place + 1, columns // wide)),
                Line("setPacking", (name, ", ".join(summed.factors))),
            )
            factors = " and ".join(dict.fromkeys(summed.factors))
            words = (
                f"tiles of {rows} x {columns} of {name} and {inner} contributions, {factors} in shared memory, "
                f"{rows // high} x {columns // wide} sums in the registers of each of {high * wide} threads"
            )
            yield GpuChoice(words, lines)


def _product_place(nest: Nest, found: Contraction) -> int | None:
    """Returns the position of the rows of a product, before its columns and contributions; None in another order."""
    order = [nest.place_of(found.statement, index) for index in (found.rows, found.columns, found.inner)]
    first = order[0]
    if first is None or order != [first, first + 1, first + 2] or first > 1:
        return None
    parallel = all(_is_parallel(rows, position) for rows in nest.rows.values() for position in range(first + 2))
    return first if parallel else None


def _bytes(problem: Problem, name: str) -> int:
    return np.dtype(problem.system.variable(name).type.numpy).itemsize


# --- sums along lines of memory ---------------------------------------------------------------------------------------


def _lines_of_memory(problem: Problem, nest: Nest, number: int) -> Iterator[GpuChoice]:
    """Yields tiles for threads that go along lines of memory, each along another one: the tile is copied to shared
    memory by all threads of a block, along the lines.
    """
    places = _shared_places(nest)
    if len(places) != 1 or places[0]:
        return
    far: Mapping[str, list[str]] = {name: list(_far(problem, name, rows)) for name, rows in nest.rows.items()}
    reads = {name: arrays for name, arrays in far.items() if arrays}
    if not reads:
        return
    for rows, inner in _LINES:
        width = max(_bytes(problem, array) for arrays in reads.values() for array in arrays)
        if rows * (inner + 1) * width * sum(map(len, reads.values())) > _MOST_SHARED:
            continue
        packed = tuple(Line("setPacking", (name, ", ".join(arrays))) for name, arrays in reads.items())
        lines = (*_roles(nest, [(0, "x", "x", rows)]), _tiles(nest, number, 0, (rows, inner)), *packed)
        arrays = " and ".join(dict.fromkeys(array for arrays in reads.values() for array in arrays))
        words = f"tiles of {rows} x {inner} of {arrays} in shared memory, which {rows} threads copy along its lines"
        yield GpuChoice(words, lines)


def _far(problem: Problem, name: str, rows: Sequence[Component]) -> Iterator[str]:
    """Yields the arrays of which a statement reads far elements along its first row, and adjacent ones along the next
    row.
    """
    if len(rows) < 2 or rows[1].kind not in _INNER:
        return
    indices = [index_of(problem, name, component.value) for component in rows[:2]]
    if None in indices:
        return
    first, second = (index or "" for index in indices)
    for access in dict.fromkeys(accesses_of(problem, name)):
        strides = stride(access, first), stride(access, second)
        if strides == (Stride.FAR, Stride.UNIT) and access.variable != problem.statements[name].variable:
            yield access.variable


# --- merged sums ------------------------------------------------------------------------------------------------------


def _merged(nest: Nest) -> Iterator[GpuChoice]:
    """Yields sums that the threads of all blocks share."""
    if all(rows and rows[0].kind is ComponentKind.REDUCTION for rows in nest.rows.values()):
        line = Line("setReductionOver", (",".join(map(str, nest.prefix)), 0, "partials"))
        yield GpuChoice("threads of all blocks share the contributions, a second kernel adds partial sums", (line,))
