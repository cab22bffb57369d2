"""Loops over tiles visit exactly the points of all domains: tile by tile, inside a tile in the order of the dates."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import groupby, pairwise, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.loops.scanning import readable_scan
from alphaz.loops.tile_levels import LoopTile, Recursion, TileEdge, TileLevel
from alphaz.loops.tiling import tiled_scan
from alphaz.loops.tree import Scan
from alphaz.poly import Affine, Constraint, Domain, Space, at_least, equal
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName, IntegerOperation, value_of
from tests.codegen.loop_machine import Visit, visits
from tests.legality.c_machine import halved

SPACE = Space(("N",), ("i", "j"))
i, j, N = (Affine.name(n) for n in ("i", "j", "N"))
SQUARE = [at_least(i, 0), at_least(N, i), at_least(j, -1), at_least(N, j)]
CONTEXT = Domain.where(Space(("N",)), [at_least(N, 1)])
ITERATORS = ("c0", "c1", "c2", "c3", "c4", "c5")
SIZES = (1, 2, 3, 5)

coefficients = st.integers(-2, 2)
affines = st.builds(lambda a, b, n, k: i * a + j * b + N * n + k, *[coefficients] * 2, st.integers(0, 1), coefficients)
constraints = st.builds(lambda a, e: Constraint(a, e), affines, st.sampled_from([False, False, False, True]))
domains = st.lists(constraints, max_size=2).map(lambda more: Domain.where(SPACE, [*SQUARE, *more]))
scanned = st.lists(st.tuples(domains, st.tuples(affines, affines, affines)), min_size=1, max_size=2)


def scans_of(these: Sequence[tuple[Domain, tuple[Affine, ...]]]) -> list[Scan]:
    """Every operation has a date of its own: its number and its point come last."""
    return [Scan(f"s{at}", domain, (*date, Affine(constant=at), i, j)) for at, (domain, date) in enumerate(these)]


def numbers(level: TileLevel, date: Sequence[int], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The numbers of the tiles of a level in the order of the loops."""
    found = [date[t.dimension] // (t.size if isinstance(t.size, int) else sizes[t.size]) for t in level.tiles]
    return (sum(found), *found[1:]) if level.wavefront else tuple(found)


def expected(scans: Sequence[Scan], levels: Sequence[TileLevel], values: Mapping[str, int]) -> list[Visit]:
    """By the definition: dates with the numbers of tiles in front."""
    found = []
    for scan in scans:
        for point in scan.domain.points({"N": values["N"]}):
            here = {**values, **dict(zip(scan.domain.space.names, point, strict=True))}
            date = [component.at(here) for component in scan.date]
            key: list[int] = []
            for at, component in enumerate(date):
                for level in levels:
                    if level.position == at:
                        own = scan.name in level.names
                        key += numbers(level, date, values) if own else [0] * len(level.tiles)
                key.append(component)
            found.append((key, scan.name, point))
    return [(name, point) for _, name, point in sorted(found)]


@st.composite
def tilings(draw: st.DrawFn, names: frozenset[str]) -> tuple[TileLevel, ...]:
    """One or two levels of one band, or a band inside another."""
    first = draw(st.integers(0, 1))
    last = draw(st.integers(first, 2))
    bands = [(first, last)] * draw(st.integers(1, 2))
    if draw(st.booleans()):
        bands = [(first, last), (last, last)]
    found = []
    for at, (start, end) in enumerate(bands):
        fixed = draw(st.booleans())
        tiles = tuple(
            LoopTile(f"t{d}_{at}", d, draw(st.sampled_from(SIZES)) if fixed else f"ts{d}")
            for d in range(start, end + 1)
        )
        waves = len(tiles) > 1 and draw(st.booleans())
        wavefront = (f"w_{at}", *(f"n{tile.dimension}_{at}" for tile in tiles[1:])) if waves else ()
        found.append(TileLevel(start, tiles, names, wavefront))
    return tuple(found)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.data())
@pytest.mark.long
def test_every_point_in_its_tile(data: st.DataObject) -> None:
    scans = scans_of(data.draw(scanned))
    levels = data.draw(tilings(frozenset(scan.name for scan in scans)))
    tree = tiled_scan(scans, levels, CONTEXT, ITERATORS, readable_scan)
    for n, a, b in [(1, 1, 2), (3, 2, 2), (4, 3, 5), (5, 7, 1)]:
        values = {"N": n, "ts0": a, "ts1": b, "ts2": 2}
        assert list(visits(tree, values)) == expected(scans, levels, values)


@pytest.mark.parametrize("wavefront", [(), ("w", "n1")])
def test_scans_outside_a_band_stay_outside(wavefront: tuple[str, ...]) -> None:
    """A constant component separates what is tiled from what is not."""
    square = Domain.where(SPACE, SQUARE)
    dates = [(Affine(constant=at), i, j + i) for at in range(3)]
    scans = [Scan(f"s{at}", square, date) for at, date in enumerate(dates)]
    levels = (TileLevel(1, (LoopTile("t1", 1, "ts"), LoopTile("t2", 2, 3)), frozenset({"s1"}), wavefront),)
    tree = tiled_scan(scans, levels, CONTEXT, ITERATORS[:3], readable_scan)
    for n, size in product(range(1, 6), range(1, 4)):
        values = {"N": n, "ts": size}
        assert list(visits(tree, values)) == expected(scans, levels, values)


def recursion(tiles: Sequence[LoopTile], free: frozenset[int]) -> Recursion:
    edges = tuple(TileEdge(*(f"{t.origin}_{at}" for at in range(len(fields(TileEdge))))) for t in tiles)
    return Recursion(edges, "diagonal", "turn", "number", free)


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_recursive_tiles_follow_those_that_are_nowhere_above_them(data: st.DataObject) -> None:
    """Every point once, those of a tile in a row by their dates, and one tile in front of another where none of its
    numbers is greater: wherever boxes are halved.
    """
    scans = scans_of(data.draw(scanned))
    first = data.draw(st.integers(0, 1))
    chosen = range(first, data.draw(st.integers(first, 2)) + 1)
    tiles = tuple(LoopTile(f"t{d}", d, data.draw(st.sampled_from(SIZES) | st.just(f"ts{d}"))) for d in chosen)
    names = frozenset(scan.name for scan in scans)
    level = TileLevel(first, tiles, names, recursion=recursion(tiles, data.draw(st.sampled_from([frozenset(), {0}]))))
    tree = tiled_scan(scans, (level,), CONTEXT, ITERATORS, readable_scan)
    for n, a, b in [(1, 1, 2), (3, 2, 2), (4, 3, 5), (5, 7, 1)]:
        values = {"N": n, "ts0": a, "ts1": b, "ts2": 2}
        found = list(visits(tree, values))
        assert sorted(found) == sorted(expected(scans, (level,), values))
        dates = {scan.name: (scan.domain.space.names, scan.date) for scan in scans}
        done: list[tuple[tuple[int, ...], tuple[int, ...], list[int]]] = []
        for name, point in found:
            axes, date = dates[name]
            here = [component.at({**values, **dict(zip(axes, point, strict=True))}) for component in date]
            done.append((tuple(here[:first]), numbers(level, here, values), here))
        for (outer, tile, before), (later, after, behind) in pairwise(done):
            assert outer <= later
            assert (outer, tile) != (later, after) or before < behind
        runs = [run for run, _ in groupby((outer, tile) for outer, tile, _ in done)]
        assert len(runs) == len(set(runs))
        for at, (outer, tile) in enumerate(runs):
            for later, after in runs[at + 1 :]:
                assert outer != later or any(x > y for x, y in zip(after, tile, strict=True))


@pytest.mark.parametrize("counts", [(1, 1), (1, 5), (3, 4), (7, 2), (2, 3, 4), (5, 1, 3), (2, 2, 2, 3)])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (8, 3, 1, 2)])
def test_a_box_is_halved_along_its_longest_side(counts: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    sides = sizes[: len(counts)]
    numbered = [IntegerConstant(each) for each in (*counts, *sides)]
    turns = [
        value_of(IntegerOperation("halved", (IntegerName("turn"), *numbered)), {"turn": turn})
        for turn in range(prod(counts))
    ]
    assert turns == halved((*counts, *sides))


def test_tiles_of_one_point_may_be_far_from_each_other() -> None:
    """Points on a line that meets every other value of its first component."""
    domain = Domain.where(SPACE, [at_least(i, 0), at_least(N, i), equal(j, 0)])
    scans = [Scan("s", domain, (i * 2, i, j))]
    names = frozenset({"s"})
    levels = (TileLevel(0, (LoopTile("t0", 0, 1), LoopTile("t1", 1, 1), LoopTile("t2", 2, 2)), names),)
    tree = tiled_scan(scans, levels, CONTEXT, ITERATORS[:3], readable_scan)
    assert list(visits(tree, {"N": 4})) == [("s", (at, 0)) for at in range(5)]
