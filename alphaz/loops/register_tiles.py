"""Register tiles: whole tiles are computed at once, the remaining points one by one.

The remaining part of a domain is a union of many pieces. The position of the corner of the tile decides most of them,
so it is tested first: after the test few points are left, and where the test fails there is no whole tile.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alphaz.loops.tree import Scan
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.algorithms.tile_corners import BoxStep, box_points
from alphaz.poly.domain import Domain
from alphaz.poly.plain.integer_expression import Integer

Never: TypeAlias = Callable[[str, str, Domain], bool]
"""Returns True if a set is proved to have no points: the name of its scan, the claim, and the set."""


def unknown(_name: str, _claim: str, _domain: Domain) -> bool:
    """Returns False: no set is proved to be empty, and every loop stays."""
    return False


# More tests would make too many copies of the loops.
_TESTS = 3
# Where so many pieces are left, a copy of the loops is long, and takes long to find: there is one test.
_PIECES = 16


@dataclass(frozen=True, slots=True)
class TilePart:
    """The scans in the tiles of `known` (a set of parameters); their loops are yet to be made."""

    scans: tuple[Scan, ...]
    assumptions: Domain


@dataclass(frozen=True, slots=True)
class TileChoice:
    """One of two parts, by the position of the tile."""

    condition: Integer
    then: "Parts"
    otherwise: "Parts"


Parts: TypeAlias = TilePart | TileChoice


@dataclass(frozen=True, slots=True)
class WholeTile:
    """Points that are computed at once: a scan of corners. `tiles`, a set of parameters, contains the tiles that have
    whole register tiles; `places` contains `tiles`, and has no constraint on the parameters of the program.

    `is_partial`: only the points in the domain count, so that any other corner may be computed in this way, too.
    """

    scan: Scan
    steps: tuple[BoxStep, ...]
    tiles: Domain
    places: Domain
    is_partial: bool = False

    def around(self, others: Sequence["WholeTile"]) -> "WholeTile":
        """Returns the tile with the corners of others added, which are never reached, where that is the simpler set."""
        if not self.is_partial or not others:
            return self
        domain = self.scan.domain
        for other in others:
            domain = domain | other.scan.domain
        return replace(self, scan=replace(self.scan, domain=domain.simplify()))


@dataclass(frozen=True, slots=True)
class RegisterCells:
    """The contents of a tile for one scan: all its points, of which some may be computed at once."""

    scan: Scan
    whole_tiles: tuple[WholeTile, ...] = ()

    def within(self, assumptions: Domain) -> "RegisterCells":
        """Restricts to some tiles; `assumptions` is a set of parameters."""
        return RegisterCells(
            _within(self.scan, assumptions),
            tuple(replace(tile, scan=_within(tile.scan, assumptions)) for tile in self.whole_tiles),
        )

    def wherever(self, region: Domain) -> "RegisterCells":
        """Removes the whole tiles that have no tile in `region`."""
        # Either answer is right: points without a whole tile are computed one by one.
        never = [tile for tile in self.whole_tiles if _within(tile.scan, region).domain.is_empty()]
        return replace(self, whole_tiles=tuple(tile.around(never) for tile in self.whole_tiles if tile not in never))

    def remainder(self) -> Scan:
        """Returns the points that are computed one by one."""
        domain = self.scan.domain
        for tile in self.whole_tiles:
            domain = (domain - box_points(tile.scan.domain, tile.steps)).simplify()
        return replace(self.scan, domain=domain)


def _within(one: Scan, region: Domain) -> Scan:
    return replace(one, domain=one.domain.in_context(region))


def _some(one: Scan, region: Domain, never: Never) -> bool:
    """Returns True if the scan may have points in the region."""
    return not never(one.name, "no operation is in some of the register tiles", _within(one, region).domain)


def split(held: Sequence[RegisterCells], assumptions: Domain, never: Never) -> Parts:
    """Returns the contents of a tile by its position; `assumptions` is a set of parameters. `never` proves sets to
    be empty.
    """
    return _split([cells.within(assumptions) for cells in held], assumptions, assumptions, never, _TESTS)


def _split(held: Sequence[RegisterCells], region: Domain, assumptions: Domain, never: Never, tests: int) -> Parts:
    """Returns the same in the tiles of `region`, with at most `tests` tests. `assumptions` is one piece that contains
    the region: loops that are never reached outside of the region may be valid there as well.
    """
    here = [cells.wherever(region) for cells in held if _some(cells.scan, region, never)]
    remainders = [cells.remainder() for cells in here]
    if sum(remainder.domain.piece_count for remainder in remainders) > _PIECES:
        tests = min(tests, 1)
    test = next(_tests(here, remainders, region), None) if tests else None
    if test is None:
        scans = [
            s
            for cells, rest in zip(here, remainders, strict=True)
            for s in (*(tile.scan for tile in cells.whole_tiles), rest)
        ]
        return TilePart(tuple(scan for scan in scans if _some(scan, region, never)), assumptions)
    condition = guard(test, assumptions)
    assert condition is not None
    then = _split([cells.within(test) for cells in here], test, test, never, tests - 1)
    without = (region - test).simplify()
    if without.piece_count == 1:
        here, assumptions = [cells.within(without) for cells in here], without
    return TileChoice(condition, then, _split(here, without, assumptions, never, tests - 1))


def _tests(held: Sequence[RegisterCells], remainders: Sequence[Scan], region: Domain) -> Iterator[Domain]:
    """Yields the tiles in which some of several pieces can be computed at once, if not all tiles are; the largest set
    first.

    Where half of the scans have no whole tile at such a place, for all parameters, the place is a separate test.
    """
    whole = [
        tile
        for cells, rest in zip(held, remainders, strict=True)
        if any(part.domain.piece_count > 1 for part in (rest, *(tile.scan for tile in cells.whole_tiles)))
        for tile in cells.whole_tiles
        if not tile.is_partial
    ]
    places = []
    for one in whole:
        place = (region & one.places).simplify()
        # Any answer is right, here and below: where a test fails the rest of the tiles is done.
        there = [cells for cells in held if not _within(cells.scan, place).domain.is_empty()]
        places += [place] if 2 * len(there) <= len(held) else []
        places.append((region & one.tiles).simplify())
    some = [place for place in places if place.piece_count == 1 and not region.is_subset(place)]
    yield from (place for place in some if not any(place.is_subset(o) and not o.is_subset(place) for o in some))
