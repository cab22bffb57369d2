"""Triangles in register tiles: step k of a loop finishes column k of the tile, and accumulates its values into the
columns after it.

So do the tiles of triangular systems, whose unknowns along a row need each other. Source: Goto and van de Geijn,
"High-performance implementation of the level-3 BLAS" (TOMS 2008), whose kernel for triangular systems is such a tile.
"""

from dataclasses import dataclass, replace

from alphaz.loops.modes import SEQUENTIAL, VECTOR
from alphaz.loops.tree import Block, For, Instance, in_row, only_calls
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.conditions import among
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerOperation, as_affine, names_of


@dataclass(frozen=True, slots=True)
class Triangle:
    """The loop `steps` around `rows`: at step k, the instances `finishing` compute the value of a row in column k, and
    `update` accumulates in the columns after it, in the loop `columns`. All extents are constant.
    """

    steps: For
    rows: For
    finishing: tuple[Instance, ...]
    columns: For
    update: Instance

    @property
    def first(self) -> Affine:
        """Returns the first step, which is the first column of the tile."""
        return _affine(self.steps.first)

    @property
    def first_row(self) -> Affine:
        return _affine(self.rows.first)

    @property
    def step_count(self) -> int:
        return (_affine(self.steps.bound) - self.first).constant

    @property
    def row_count(self) -> int:
        return (_affine(self.rows.bound) - self.first_row).constant

    @property
    def column_count(self) -> int:
        return (_affine(self.columns.bound) - self.first).constant


def triangle_of(loop: For) -> Triangle | None:
    """Returns the triangle that `with_rows` and `with_constant_steps` make; None for other loops."""
    if not isinstance(loop.body, For):
        return None
    *finishing, columns = in_row(loop.body.body)
    calls = only_calls(Block(tuple(finishing)))
    if not isinstance(columns, For) or not calls:
        return None
    updates = only_calls(columns.body)
    if len(updates) != 1:
        return None
    return Triangle(steps=loop, rows=loop.body, finishing=tuple(calls), columns=columns, update=updates[0])


def with_rows(loop: For) -> For | None:
    """Returns the loop around one loop over rows, which finishes a value and has the loop over the columns after it;
    where the given one has two loops over rows, these are joined. None for other loops.
    """
    body = [*in_row(loop.body)]
    if loop.mode != SEQUENTIAL or not _is_upwards(loop):
        return None
    match body:
        case [For() as rows]:
            *finishing, columns = in_row(rows.body)
        case [For() as rows, For(body=columns) as update] if _head(rows) == _head(update):
            finishing = [*in_row(rows.body)]
        case _:
            return None
    calls = only_calls(Block(tuple(finishing)))
    is_steady = loop.iterator not in names_of(rows.first) and rows.mode == SEQUENTIAL and _is_upwards(rows)
    if not calls or not is_steady or not isinstance(columns, For) or not _is_after(columns, loop.iterator):
        return None
    return replace(loop, body=replace(rows, body=Block((*calls, columns)), kept=()))


def with_constant_steps(loop: For) -> tuple[tuple[Integer, ...], For] | None:
    """Returns the loop over all columns of its tile, and the conditions under which it is the given one; None where the
    extents are not constant. The columns are those of a loop from `with_rows`.
    """
    assert isinstance(loop.body, For)
    *_, columns = in_row(loop.body.body)
    assert isinstance(columns, For)
    rows = _distance(loop.body.first, loop.body.bound)
    if rows is None or rows < 1:
        return None
    firsts, bounds = [*among("max", loop.first)], [*among("min", loop.bound)]
    for first in firsts:
        width = _distance(first, columns.bound)
        for bound in bounds:
            count = _distance(first, bound)
            if width is not None and count is not None and 1 < count <= width:
                lower = [IntegerOperation("<=", (value, first)) for value in firsts if value != first]
                upper = [IntegerOperation("<=", (bound, value)) for value in bounds if value != bound]
                return (*lower, *upper), replace(loop, first=first, bound=bound)
    return None


def _head(loop: For) -> tuple[object, ...]:
    return loop.iterator, loop.first, loop.comparison, loop.bound, loop.step, loop.mode


def _is_after(columns: For, iterator: str) -> bool:
    """Returns True if the columns begin after that of the step."""
    is_plain = columns.mode == VECTOR and not columns.kept and _is_upwards(columns)
    return is_plain and as_affine(columns.first) == Affine.name(iterator) + 1


def _is_upwards(loop: For) -> bool:
    return loop.comparison == "<" and loop.step == IntegerConstant(1)


def _distance(first: Integer, bound: Integer) -> int | None:
    """Returns the number of values from `first` up to `bound` (excluded); None where it is not constant."""
    low, high = as_affine(first), as_affine(bound)
    return (high - low).constant if low is not None and high is not None and (high - low).is_constant else None


def _affine(value: Integer) -> Affine:
    affine = as_affine(value)
    assert affine is not None
    return affine
