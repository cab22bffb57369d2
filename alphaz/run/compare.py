"""Compares the values of two executions point by point, over the points of each variable's domain.

A NaN is a difference, also where the other value is NaN, unless `nan_equal` is set.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.program import Variable
from alphaz.run.storage_conversion import Layouts, points_of


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A tolerance: floats a (reference) and b agree when `|a - b| <= absolute + relative * |a|`, integers when they are
    equal.
    """

    relative: float = 0.0
    absolute: float = 0.0
    nan_equal: bool = False


EXACT = Tolerance()
_PIECE = 1 << 14


@dataclass(frozen=True, slots=True)
class Difference:
    """`count` of the `total` points of `variable` differ; the first of them in lexicographic order, with
    both values.
    """

    variable: str
    point: tuple[int, ...]
    reference: object
    other: object
    count: int
    total: int

    @property
    def name(self) -> str:
        """Returns `A[1,2]`."""
        return f"{self.variable}[{','.join(map(str, self.point))}]" if self.point else self.variable


def compare(
    variables: Iterable[Variable],
    parameters: Mapping[str, int],
    reference: Mapping[str, np.ndarray],
    other: Mapping[str, np.ndarray],
    tolerance: Tolerance = EXACT,
    layouts: Layouts | None = None,
) -> tuple[Difference, ...]:
    """Returns one difference for each variable that differs. Both executions have an array over the box of every
    variable, or in these exchange formats.
    """
    differences = (
        compare_arrays(v, parameters, reference[v.name], other[v.name], tolerance, layouts) for v in variables
    )
    return tuple(difference for difference in differences if difference is not None)


def compare_arrays(
    variable: Variable,
    parameters: Mapping[str, int],
    reference: np.ndarray,
    other: np.ndarray,
    tolerance: Tolerance = EXACT,
    layouts: Layouts | None = None,
) -> Difference | None:
    """Returns the first difference, or None. Raises ValueError when the arrays do not have the shape of the variable's
    box, or of its format.
    """
    points = points_of(variable, layouts or {}, parameters)
    mask = points.mask
    if reference.shape != mask.shape or other.shape != mask.shape:
        raise ValueError(f"{variable.name}: shapes {reference.shape} and {other.shape}, not {mask.shape}")
    differs = mask & ~_same(reference, other, tolerance)
    count = int(np.count_nonzero(differs))
    if count == 0:
        return None
    at = tuple(int(c) for c in np.unravel_index(int(np.argmax(differs)), differs.shape)) if differs.shape else ()
    return Difference(
        variable=variable.name,
        point=points.point(at),
        reference=reference[at],
        other=other[at],
        count=count,
        total=int(np.count_nonzero(mask)),
    )


def counted_nans(variable: Variable, parameters: Mapping[str, int], array: np.ndarray) -> tuple[int, int]:
    """Returns the number of NaN values at the points of the domain, and the number of points."""
    mask = domain_mask(variable.domain, variable_box(variable, parameters), parameters)
    return int(np.count_nonzero(np.isnan(array[mask]))) if array.dtype.kind == "f" else 0, int(np.count_nonzero(mask))


def magnitude(array: np.ndarray) -> float:
    """The greatest magnitude of a finite float; 0 where there is none."""
    if array.dtype.kind != "f" or array.size == 0:
        return 0.0
    finite = array[np.isfinite(array)]
    return float(np.max(np.abs(finite), initial=0.0))


def _same(reference: np.ndarray, other: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """The piece size: intermediate arrays of whole large arrays would not fit into a cache."""
    equal = np.empty(reference.size, dtype=bool)
    one, two = reference.reshape(-1), other.reshape(-1)
    for position in range(0, equal.size, _PIECE):
        here = slice(position, position + _PIECE)
        equal[here] = _near(one[here], two[here], tolerance)
    return equal.reshape(reference.shape)


def _near(reference: np.ndarray, other: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    equal = np.asarray(reference == other)
    if reference.dtype.kind != "f" or equal.all():
        return equal
    with np.errstate(all="ignore"):
        wide, also = reference.astype(np.float64), other.astype(np.float64)
        near = np.abs(wide - also) <= tolerance.absolute + tolerance.relative * np.abs(wide)
    near &= np.isfinite(wide) & np.isfinite(also)
    both_nan = np.isnan(wide) & np.isnan(also) if tolerance.nan_equal else np.zeros(reference.shape, dtype=bool)
    return np.asarray(equal | near | both_nan)
