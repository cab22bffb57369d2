"""The order that is proved where there are register tiles is the order of the loops, whatever their sizes."""

from itertools import combinations_with_replacement

import pytest

from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.scheduled.loop_levels import LoopNames, layout_of
from alphaz.mapping.loop_dimensions import axes_of
from tests.legality.mapped import Mapped

# Sums over j, and what reads them at the same i.
SUMS = """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int y {i,j | 0<=(i,j)<N};
local int s {i | 0<=i<N};
let
  s[i] = reduce(+, [j], A[i,j]);
  y[i,j] = A[i,j] * s[i];
.
"""
# Tiles of more than one t have to hold all i.
BACK = """affine S {N | N>=1}
input int A {i | 0<=i<=N};
output int U {t,i | 0<=t<N && 0<=i<=N-t};
let U[t,i] = case {| t==0} : A[i]; {| t>0} : U[t-1,i+1]; esac;
.
"""


@pytest.mark.parametrize("size", [1, 2, 8])
def test_register_tiles_go_around_what_ordering_dimensions_order(size: int) -> None:
    """Tiles of one point change the order of the loops as well: i, j, then what is ordered. It was taken that tiles of
    one are none, by the proof alone, so that it asked under another order than that of the loops.
    """
    dated = Mapped(SUMS).time("s", "(i,j -> i,0,j)").time("y", "(i,j -> i,1,j)").kind("1", "O")
    assert dated.report().is_proved
    assert dated.register(0, size).refuted().keys() == {"AZ702"}


def test_what_is_proved_for_tiles_of_one_says_so() -> None:
    dated = Mapped(BACK).time("U", "(t,i -> t,i)")
    report = dated.register(0, 1).report()
    assert report.is_proved
    assert report.scope == "register tiles of one point"
    assert not dated.register(0, 2).report().is_proved


@pytest.mark.parametrize("ordered", [None, 1])
@pytest.mark.parametrize("tiles", [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_the_loops_are_those_that_are_proved(tiles: tuple[int, ...], ordered: int | None) -> None:
    """The generator and the proof derive the loops of one mapping in two places: dimension by dimension the same."""
    dated = Mapped(SUMS).time("s", "(i,j -> i,0,j)").time("y", "(i,j -> i,1,j)")
    dated = dated if ordered is None else dated.kind(str(ordered), "O")
    for sizes in combinations_with_replacement((1, 2, 3), len(tiles)):
        tiled = dated
        for dimension, size in zip(tiles, sizes, strict=True):
            tiled = tiled.register(dimension, size)
        mapping = tiled.report().mapping
        assert mapping is not None
        proved = [axis.dimension for axis in axes_of(mapping.bands, mapping.dimensions)]
        layout = layout_of(mapping, {s.name: s for s in mapping.statements}, 0, Identifiers((), set()))
        for statement in mapping.statements:
            assert _loops(layout, statement.name) == proved


def _loops(layout: LoopNames, name: str) -> list[int]:
    """The dimensions through which the loops of a statement go, tiles or points, from the outermost."""
    results: list[int] = []
    for place, dimension in enumerate(layout.orders[name]):
        around = [level for level in layout.levels if level.position == place and name in level.names]
        results += [layout.dimensions[tile.origin] for level in around for tile in level.tiles]
        results.append(dimension)
    return results


@pytest.mark.parametrize(("around", "is_right"), [(4, True), (3, False), (None, False)])
def test_register_tiles_lie_inside_one_tile_around(around: int | None, is_right: bool) -> None:
    """Register tiles that cross the tiles around them are rejected: a register tile runs as a unit."""
    dated = Mapped(SUMS).time("s", "(i,j -> i,0,j)").time("y", "(i,j -> i,N,j)")
    report = dated.band(0, 0, (), () if around is None else (around,)).register(0, 2).report()
    assert ("AZ411" in {finding.rule.code for finding in report.findings}) is not is_right


def test_register_tiles_below_a_prefix_are_below_longer_ones_too() -> None:
    dated = Mapped(SUMS).time("s", "(i,j -> 0,i,j)").time("y", "(i,j -> 1,i,j)").kind("0", "O")
    mapping = dated.register(2, 3).register(0, 2, (1,)).report().mapping
    assert mapping is not None
    results = {band.prefix: band.sizes[0] for band in mapping.bands if band.registers}
    assert results == {(0,): (3,), (1,): (2, 3)}
