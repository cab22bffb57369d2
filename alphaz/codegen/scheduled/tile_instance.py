"""A register tile that one operation computes."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.boxes import BoxStep


@dataclass(frozen=True, slots=True)
class TileInstance:
    """The points that one operation computes, from its corner on; `corners` are those of the tiles that may be whole.

    `keys`: the dates of the corner in each dimension that distinguishes tiles. With a `mask` only the points in it are
    written; the others may be computed all the same.
    """

    steps: tuple[BoxStep, ...]
    corners: Domain
    keys: Mapping[int, Affine]
    mask: Domain | None = None
