"""Masks of domains: the constraints, evaluated on whole arrays."""

from collections.abc import Mapping, Sequence

import numpy as np

from alphaz.poly import Affine, Domain, Piece
from alphaz.poly.algorithms.bounds import Box


def domain_mask(domain: Domain, box: Box, parameters: Mapping[str, int]) -> np.ndarray:
    """Returns a bool array of the box's shape, true at the points of the domain. Its order is that of the domain."""
    axes = [np.arange(low, high + 1, dtype=np.int64) for low, high in zip(box.lower, box.upper, strict=True)]
    grids = np.meshgrid(*axes, indexing="ij", sparse=True) if axes else []
    return points_mask(domain, grids, box.shape, parameters)


def points_mask(
    domain: Domain, grids: Sequence[np.ndarray], shape: tuple[int, ...], parameters: Mapping[str, int]
) -> np.ndarray:
    """Returns a bool array of this shape, true where the indices, which are broadcast to it, are a point of the
    domain."""
    values: dict[str, np.ndarray] = {name: np.int64(value) for name, value in parameters.items()}  # type: ignore[misc]
    values |= dict(zip(domain.space.names, grids, strict=True))
    mask = np.zeros(shape, dtype=bool)
    for piece in domain.pieces():
        mask |= _piece_mask(piece, values)
    return mask


def _piece_mask(piece: Piece, values: Mapping[str, np.ndarray]) -> np.ndarray:
    known = dict(values)
    for floor in piece.floors:
        known[floor.name] = _value(floor.affine, known) // floor.denominator
    mask = np.array(True)
    for constraint in piece.constraints:
        value = _value(constraint.affine, known)
        mask = mask & (value == 0 if constraint.equality else value >= 0)
    return mask


def _value(affine: Affine, values: Mapping[str, np.ndarray]) -> np.ndarray:
    total = np.array(affine.constant, dtype=np.int64)
    for name, coefficient in affine.terms:
        total = total + coefficient * values[name]
    return total
