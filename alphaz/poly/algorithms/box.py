"""The bounding box of a domain at given parameters: the shape of the array of a variable.

An array over a box is row-major and indexed relative to the box's lower corner."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import islpy as isl

from alphaz.poly.domain import Domain, Unbounded


@dataclass(frozen=True, slots=True)
class Box:
    """All points z with `lower <= z <= upper`, component by component. An empty box has `upper = lower - 1`."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Returns the extent of each dimension; zeros for the box of an empty domain; `()` for a scalar."""
        return tuple(high - low + 1 for low, high in zip(self.lower, self.upper, strict=True))

    @property
    def strides(self) -> tuple[int, ...]:
        """Returns the number of cells by which the row-major offset grows with each dimension."""
        shape = self.shape
        return tuple(prod(shape[at + 1 :]) for at in range(len(shape)))

    @property
    def size(self) -> int:
        """Returns the number of cells; 1 for a scalar."""
        return prod(self.shape)


def box_of(domain: Domain, parameters: Mapping[str, int]) -> Box:
    """Returns the smallest box around the points for these parameters (every one given). Raises Unbounded."""
    chosen = domain.fixed({name: parameters[name] for name in domain.space.parameters}).set
    dimensions = range(domain.space.dimensions)
    if chosen.is_empty():
        return Box(tuple(0 for _ in dimensions), tuple(-1 for _ in dimensions))
    chosen = chosen.project_out(isl.dim_type.param, 0, len(domain.space.parameters))
    if not chosen.is_bounded():
        raise Unbounded(str(domain))
    lower = tuple(int(chosen.dim_min_val(at).to_python()) for at in dimensions)
    upper = tuple(int(chosen.dim_max_val(at).to_python()) for at in dimensions)
    return Box(lower, upper)
