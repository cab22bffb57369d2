"""The elements of variables in a run of the model: all, or for large arrays those that the C accesses."""

from collections.abc import Collection, Iterator, Mapping
from math import prod

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.concrete_instances import Point
from alphaz.equivalence.value_graph import EquationValue
from alphaz.mapping.layout import index
from alphaz.poly import Affine, AffineFunction, Domain, equal
from alphaz.poly.algorithms.functional import left_inverse

# A run executes a few thousand instances. Arrays of constant extents may have millions of elements.
_MOST = 20_000


def elements(
    value: EquationValue, place: ArgumentPlace | None, accessed: Collection[Point], parameters: Mapping[str, int]
) -> Iterator[Point]:
    """Yields all points of a variable; if they may be more than `_MOST`, those in accessed cells of its array, and none
    for a variable without an array."""
    domain = value.domain.fixed(parameters)
    if _box_size(domain) <= _MOST:
        yield from domain.points(dict(parameters))
    elif place is not None and accessed:
        yield from _accessed(domain, place, accessed, parameters)


def _accessed(
    domain: Domain, place: ArgumentPlace, accessed: Collection[Point], parameters: Mapping[str, int]
) -> Iterator[Point]:
    names = tuple(index(at) for at in range(domain.space.dimensions))
    points = domain.renamed(names)
    function = AffineFunction(points.space, place.cells)
    cells = tuple(f"c{at}" for at in range(len(place.cells)))
    inverse = left_inverse(function, points, cells)
    if inverse is None:
        for cell in sorted(accessed):
            there = (equal(each, Affine(constant=at)) for each, at in zip(place.cells, cell, strict=True))
            yield from (points & Domain.where(points.space, there)).points(dict(parameters))
        return
    pieces = points.pieces()
    for cell in sorted(accessed):
        at = {**parameters, **dict(zip(cells, cell, strict=True))}
        point = tuple(output.at(at) for output in inverse.outputs)
        known = {**parameters, **dict(zip(names, point, strict=True))}
        if any(piece.holds(known) for piece in pieces) and place.cell_at(point, parameters) == cell:
            yield point


def _box_size(domain: Domain) -> float:
    """Returns the number of integer points of a box around a domain whose parameters are fixed."""
    ends = ((domain.least(name), domain.greatest(name)) for name in domain.space.names)
    return prod(float("inf") if low is None or high is None else high - low + 1 for low, high in ends)
