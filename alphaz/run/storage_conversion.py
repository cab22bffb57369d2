"""Converts arrays to the formats of generated functions: variables with a storage format are not over boxes.

This module does not evaluate the positions that generated code computes: packed values are taken in the order of their
points.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from alphaz.mapping.storage_formats import Layout
from alphaz.mapping.target_mapping import Tightness
from alphaz.model.domain_mask import domain_mask, points_mask
from alphaz.model.input_values import variable_box
from alphaz.model.program import Variable
from alphaz.poly.algorithms.bounds import Box
from alphaz.poly.plain.integer_expression import value_of

Layouts = Mapping[str, Layout]

Coordinate = TypeVar("Coordinate", int, np.ndarray)
"""One coordinate, or those of all elements."""

# The value of each unset byte, for finding values that are read before they are written.
UNSET = 0xFE


def shape_of(variable: Variable, layouts: Layouts, parameters: Mapping[str, int]) -> tuple[int, ...]:
    """Returns the shape of the array that is passed."""
    layout = layouts.get(variable.name)
    if layout is None:
        return variable_box(variable, parameters).shape
    return tuple(max(0, value_of(extent, parameters)) for extent in layout.extents)


def passed_box(layouts: Layouts, variable: Variable, parameters: Mapping[str, int]) -> Box:
    """Returns the shape as a box; the box of the domain where there is no storage format."""
    if variable.name not in layouts:
        return variable_box(variable, parameters)
    shape = shape_of(variable, layouts, parameters)
    return Box((0,) * len(shape), tuple(extent - 1 for extent in shape))


def beginning(layout: Layout | None, parameters: Mapping[str, int], value: object) -> object:
    """Returns the rows of a full array that have points, which are fewer than those of the array for a band that ends
    before the matrix does; otherwise the whole array.
    """
    if layout is None or layout.format.tightness is not Tightness.FULL:
        return value
    rows = max(0, value_of(layout.extents[0], parameters))
    return value[:rows] if isinstance(value, np.ndarray | list) and len(value) > rows else value


def to_storage(variable: Variable, layouts: Layouts, parameters: Mapping[str, int], values: np.ndarray) -> np.ndarray:
    """Returns the passed array for an array over the box; elements without a point are 0."""
    layout = layouts.get(variable.name)
    if layout is None:
        return values
    stored = np.zeros(shape_of(variable, layouts, parameters), dtype=values.dtype)
    at, inside = _places(variable, layout, parameters)
    stored[at] = np.transpose(values, layout.order)[inside]
    return stored


def boxed(variable: Variable, layouts: Layouts, parameters: Mapping[str, int], values: np.ndarray) -> np.ndarray:
    """Returns the array over the box for a passed array; elements without a point are 0."""
    layout = layouts.get(variable.name)
    if layout is None:
        return values
    box = variable_box(variable, parameters)
    boxed_values = np.zeros(box.shape, dtype=values.dtype)
    at, inside = _places(variable, layout, parameters)
    np.transpose(boxed_values, layout.order)[inside] = values[at]
    return boxed_values


def exchanged(layouts: Layouts) -> Layouts:
    """Returns the formats in which contestants exchange arrays: the box of a matrix stored by diagonals may not fit
    into memory. All other arrays are over boxes.
    """
    return {name: layout for name, layout in layouts.items() if layout.format.tightness is Tightness.BANDED}


@dataclass(frozen=True, slots=True, eq=False)
class StoredPoints:
    """The elements of an array that are points of a variable, and the point of each element."""

    mask: np.ndarray
    point: Callable[[tuple[int, ...]], tuple[int, ...]]


def points_of(variable: Variable, layouts: Layouts, parameters: Mapping[str, int]) -> StoredPoints:
    """Returns the stored points of an array over the box, or in an exchange format."""
    layout = layouts.get(variable.name)
    if layout is None:
        box = variable_box(variable, parameters)
        mask = domain_mask(variable.domain, box, parameters)
        return StoredPoints(
            mask, lambda at: tuple(component + low for component, low in zip(at, box.lower, strict=True))
        )
    row, diagonal = (affine.at(parameters) for affine in layout.corner)
    order = layout.order

    def point(at: Sequence[Coordinate]) -> tuple[Coordinate, ...]:
        slow = at[0] + row
        coordinate_of = dict(zip(order, (slow, slow + at[1] + diagonal), strict=True))
        return coordinate_of[0], coordinate_of[1]

    shape = shape_of(variable, layouts, parameters)
    grids = point(np.indices(shape, dtype=np.int64, sparse=True))
    return StoredPoints(points_mask(variable.domain, grids, shape, parameters), point)


def converted(
    variable: Variable, layouts: Layouts, wanted: Layouts, parameters: Mapping[str, int], values: np.ndarray
) -> np.ndarray:
    """Converts an array from one passed format to another, over a box where formats differ."""
    if layouts.get(variable.name) == wanted.get(variable.name):
        return values
    return to_storage(variable, wanted, parameters, boxed(variable, layouts, parameters, values))


def without_unset(
    variable: Variable, layouts: Layouts, parameters: Mapping[str, int], values: np.ndarray
) -> np.ndarray:
    """Returns a passed array that held UNSET bytes: 0 where the domain has no point and nothing was written."""
    if variable.name in layouts:
        return values
    inside = domain_mask(variable.domain, variable_box(variable, parameters), parameters)
    unset = np.full(values.shape, np.frombuffer(bytes([UNSET]) * values.itemsize, values.dtype)[0])
    return np.where(inside | (values != unset), values, np.zeros((), values.dtype))


Places = tuple[np.ndarray, ...]


def _places(variable: Variable, layout: Layout, parameters: Mapping[str, int]) -> tuple[Places, np.ndarray]:
    """Returns the positions of the points in the passed array, and a mask of them over the box, both in
    memory order.
    """
    box = variable_box(variable, parameters)
    inside = np.transpose(domain_mask(variable.domain, box, parameters), layout.order)
    if layout.format.tightness is Tightness.PACKED:
        return (np.arange(np.count_nonzero(inside)) + _diagonals(layout, inside, box, parameters),), inside
    if layout.format.tightness is Tightness.FULL:
        places = [places_along + box.lower[d] for d, places_along in zip(layout.order, np.nonzero(inside), strict=True)]
        return (places[0], places[1] if len(places) > 1 else np.zeros_like(places[0])), inside
    lower = [box.lower[dimension] for dimension in layout.order]
    slow, fast = (places_along + low for places_along, low in zip(np.nonzero(inside), lower, strict=True))
    row, diagonal = (affine.at(parameters) for affine in layout.corner)
    return (slow - row, fast - slow - diagonal), inside


def _diagonals(layout: Layout, inside: np.ndarray, box: Box, parameters: Mapping[str, int]) -> np.ndarray | int:
    """Returns the number of places of a diagonal that is not stored before each point."""
    if not layout.format.unit:
        return 0
    start, beside = (affine.at(parameters) for affine in layout.corner)
    rows: np.ndarray = np.nonzero(inside)[0] + box.lower[layout.order[0]] - start
    # The diagonal begins a row whose stored elements follow it, and ends other rows.
    return rows + 1 if beside > 0 else rows
