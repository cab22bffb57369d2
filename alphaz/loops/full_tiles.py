"""Full tiles: every point of the box is a date of each scan that has any date in the tile.

Loops inside such a tile have the bounds of the box, without tests. A scan that meets a constraint `a y + b >= 0` at
every point y of a box meets it at the corner where a y is least, which is affine in the origins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.loops.tree import Scan
from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint, at_least
from alphaz.poly.plain.piece import Piece
from alphaz.poly.plain.space import fresh_names

# Tiles that are full only where a parametric size is less than this are not worth a copy of the loops.
_LEAST_SIZE = 8

# The implications of more constraints than this take long to compute.
_SHORT = 18


@dataclass(frozen=True, slots=True)
class TileSide:
    """One side of a box: from `first` up to `end` (excluded), along component `dimension` of the dates."""

    dimension: int
    first: Affine
    end: Affine

    @property
    def extent(self) -> Affine:
        return self.end - self.first


def full_tiles(
    scans: Sequence[Scan], sides: Sequence[TileSide], assumptions: Domain
) -> tuple[Domain, tuple[Scan, ...]] | None:
    """Returns the full tiles, as a part of `assumptions` (a set of parameters), and their contents; None if none is.

    The origins are parameters, and the scans are those inside the box. Scans that fill only planes of tiles count
    less.
    """
    names = fresh_names(len(sides), "y", assumptions.space.parameters)
    corners = dict(zip(names, sides, strict=True))
    scans = sorted(scans, key=lambda scan: -sum(_changes(scan, side) for side in sides))
    dates = [_dates(scan, sides, names).in_context(assumptions) for scan in scans]
    large = [at_least(s.extent, _LEAST_SIZE) for s in sides if not s.extent.is_constant]
    large_enough = Domain.where(assumptions.space, large)
    full, filling, others = assumptions, [], []
    for scan, date in zip(scans, dates, strict=True):
        box = _full_box(date, corners, full, large_enough)
        if box is None:
            others.append(date)
        else:
            full = box
            filling.append(scan)
    if not filling:
        return None
    for date in others:
        rest = date.in_context(full)
        full = (full - rest.parameters()).simplify()
    # Either answer is right: tiles that are not full have loops, too.
    if (full & large_enough).is_empty() or len(full.pieces()) > 1:
        return None
    return full, tuple(replace(scan, domain=scan.domain.in_context(full)) for scan in filling)


def _changes(one: Scan, side: TileSide) -> bool:
    return not set(one.domain.space.names).isdisjoint(one.date[side.dimension].names)


def tiles_around(pairs: Domain, sides: Mapping[str, TileSide]) -> Domain | None:
    """Returns a superset of the tiles that have points: `pairs` holds tiles with their points, whose names are those of
    `sides`.

    Each constraint is met at some corner of the tile. None where the exact description of the tiles with points is as
    short: implications of several constraints together are left out, which are many with sizes that are parameters.
    """
    pieces = pairs.pieces()
    if len(pieces) != 1 or pieces[0].floors or len(pieces[0].constraints) <= _SHORT:
        return None
    space = pairs.space.with_names([name for name in pairs.space.names if name not in sides])
    conditions = []
    for constraint in pieces[0].constraints:
        for affine in (constraint.affine, -constraint.affine) if constraint.equality else (constraint.affine,):
            conditions.append(Constraint(-_least(-affine, sides)))
    return Domain.where(space, conditions).simplify()


def _dates(one: Scan, sides: Sequence[TileSide], names: Sequence[str]) -> Domain:
    """Returns the components of the dates that change: a plane in the box may be full, too."""
    moving_components = [(name, one.date[s.dimension]) for name, s in zip(names, sides, strict=True)]
    moving_components = [(name, component) for name, component in moving_components if not component.is_constant]
    outputs = tuple(component for _, component in moving_components)
    return one.domain.image(AffineFunction(one.domain.space, outputs), [name for name, _ in moving_components])


def _full_box(dates: Domain, corners: Mapping[str, TileSide], assumptions: Domain, worth: Domain) -> Domain | None:
    """Returns the tiles where one piece of the dates is the whole box."""
    for piece in dates.simplify().pieces():
        conditions = _at_corners(piece, corners)
        if conditions is None:
            continue
        box = (assumptions & Domain.where(assumptions.space, conditions)).simplify()
        # Either answer is right: scans that fill no tile are executed in tiles that are not full.
        if not (box & worth).is_empty():
            return box
    return None


def _at_corners(piece: Piece, corners: Mapping[str, TileSide]) -> list[Constraint] | None:
    if piece.floors or any(c.equality and set(c.affine.names) & set(corners) for c in piece.constraints):
        return None
    return [Constraint(_least(c.affine, corners), c.equality) for c in piece.constraints]


def _least(affine: Affine, corners: Mapping[str, TileSide]) -> Affine:
    values: dict[str, Affine] = {}
    for name, side in corners.items():
        values[name] = side.first if affine.coefficient(name) >= 0 else side.end - 1
    return affine.substitute(values)
