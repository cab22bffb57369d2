"""A register tile that is done by one operation."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.boxes import BoxStep


@dataclass(frozen=True, slots=True)
class TileInstance:
    """The points that one operation does, from its corner on; `corners` are those of the tiles that may be whole.

    `keys`: what the dates of the corner are in each dimension that tells tiles apart. With a `mask` only the points in
    it are to be done; the others can be computed all the same, but not written.
    """

    steps: tuple[BoxStep, ...]
    corners: Domain
    keys: Mapping[int, Affine]
    mask: Domain | None = None
