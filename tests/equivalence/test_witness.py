"""Coverage that is told from what is wanted: what it says is covered is covered, point by point; and tiles are seen."""

from itertools import product
from random import Random

import pytest

from alphaz.equivalence.quotients import Quotients
from alphaz.equivalence.skolem import Points, unseen
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Space, equal, less
from alphaz.proof import is_empty
from tests.equivalence.test_joined_sets import box, some

N, AT, J, TILE, X, Y = map(Affine.name, ("N", "i", "j", "o", "x", "y"))


def where(names: tuple[str, ...], *cases: list[Constraint]) -> Domain:
    return Domain.where(Space(("N",), names), *cases)


def between(low: Affine, value: Affine, high: Affine) -> list[Constraint]:
    return [Constraint(value - low), less(value, high)]


def sees(written: list[Points], wanted: Points) -> bool:
    return is_empty(lambda: unseen(written, wanted))


ROW = where(("x",), between(Affine(), X, N)), (X,)
SQUARE = where(("x", "y"), [*between(Affine(), X, N), *between(Affine(), Y, N)]), (X, Y)


def tiles(size: int, last: Affine = N) -> Points:
    """i < last in tiles of a size that begin at multiples of it."""
    return where(("o", "i"), [*between(Affine(), AT, last), *between(TILE * size, AT, TILE * size + size)]), (AT,)


def test_tiles_cover_a_row() -> None:
    assert sees([tiles(32)], ROW)


def test_a_missing_last_element_is_noticed() -> None:
    assert not sees([tiles(32, N - 1)], ROW)


def test_a_gap_between_tiles_is_missed() -> None:
    gaps = where(("o", "i"), [*between(Affine(), AT, N), *between(TILE * 32, AT, TILE * 32 + 31)])
    assert not sees([(gaps, (AT,))], ROW)


def test_whole_and_partial_tiles_cover_together() -> None:
    inside = [*between(Affine(), AT, N), *between(TILE * 32, AT, TILE * 32 + 32)]
    whole = where(("o", "i"), [*inside, Constraint(N - TILE * 32 - 32)]), (AT,)
    partial = where(("o", "i"), [*inside, less(N, TILE * 32 + 32)]), (AT,)
    assert sees([whole, partial], ROW)
    assert not sees([whole], ROW)
    assert not sees([partial], ROW)


def test_registers_in_tiles_in_shifted_rows() -> None:
    # j = 64 b + 4 s + l - i: a tile, a vector in it, and a lane; rows begin further left the lower they are.
    names = ("b", "i", "s", "l")
    place = Affine.of((("b", 64), ("s", 4), ("l", 1), ("i", -1)))
    limits = [*between(Affine(), AT, N), *between(Affine(), place, N)]
    lanes = [*between(Affine(), Affine.name("l"), Affine(constant=4))]
    written = where(names, [*limits, *lanes, *between(Affine(), Affine.name("s"), Affine(constant=16))]), (AT, place)
    assert sees([written], SQUARE)
    fewer = where(names, [*limits, *lanes, *between(Affine(), Affine.name("s"), Affine(constant=15))]), (AT, place)
    assert not sees([fewer], SQUARE)


def test_every_second_one_is_not_everyone() -> None:
    evens = where(("i",), between(Affine(), AT * 2, N)), (AT * 2,)
    odds = where(("i",), between(Affine(), AT * 2 + 1, N)), (AT * 2 + 1,)
    assert not sees([evens], ROW)
    assert sees([evens, odds], ROW)


def test_a_value_of_any_instance_is_tried() -> None:
    # j is free between two bounds, neither of which is always the greater.
    cases = [*between(Affine(), AT, N), Constraint(J), Constraint(J - AT + 3), less(J, N)]
    assert sees([(where(("i", "j"), cases), (AT,))], ROW)


def test_quotients_in_a_domain_are_its_own() -> None:
    thirds = where(("i",), between(Affine(), AT, N)) & where(("i", "o"), [equal(TILE * 3, AT)]).onto(("i",))
    others = where(("i",), between(Affine(), AT, N)) - thirds
    assert sees([(thirds, (AT,)), (others, (AT,))], ROW)
    assert not sees([(others, (AT,))], ROW)


def test_another_place_is_another() -> None:
    nothing, one = ((ROW[0], (Affine(constant=value),)) for value in (0, 1))
    assert sees([nothing], nothing)
    assert not sees([nothing], one)


def test_names_of_instances_are_their_own() -> None:
    assert sees([(where(("x",), between(Affine(constant=1), X, N + 1)), (X - 1,))], ROW)
    assert not sees([(where(("x",), between(Affine(constant=1), X, N)), (X - 1,))], ROW)


def small(random: Random) -> Points:
    """Instances in tiles, under some conditions, and what they write."""
    names = ("o", "i", "j")
    size = random.choice((2, 3, 4))
    inside = [*box(("i", "j")), *between(TILE * size, AT, TILE * size + random.choice((size, size, size - 1)))]
    counts = random.choices((0, 1), k=random.randint(1, 2))
    cases = [[*inside, *(Constraint(some(random, (*names, "N"))) for _ in range(count))] for count in counts]
    return where(names, *cases), (random.choice((AT, AT + J, AT * 2 + 1)), random.choice((J, J - AT, J)))


@pytest.mark.slow
def test_what_is_seen_is_covered() -> None:
    seen = 0
    for seed in range(70):
        random = Random(seed)
        written = [small(random) for _ in range(random.randint(1, 2))]
        x, y = random.randint(-2, 2), random.randint(-2, 2)
        region = [*between(Affine(constant=x), X, Affine(constant=x + 2)), *between(Affine(constant=y), Y, N)]
        wanted = where(("x", "y"), [*region, *between(Affine(), N, Affine(constant=4))])
        if not sees(written, (wanted, (X, Y))):
            continue
        seen += 1
        for n in range(4):
            there = set()
            for domain, point in written:
                for each in domain.points({"N": n}):
                    values = {"N": n, **dict(zip(domain.space.names, each, strict=True))}
                    there.add(tuple(value.at(values) for value in point))
            assert {*wanted.points({"N": n})} <= there
    assert 6 < seen < 64


@pytest.mark.slow
def test_all_single_tiles_that_cover_are_seen() -> None:
    seen = 0
    for shift, size, width in product(range(-3, 4), (2, 3, 5), (0, -1)):
        inside = [*between(Affine(), AT, N), *between(TILE * size, AT + shift, TILE * size + size + width)]
        domain = where(("o", "i"), inside)
        covered = (ROW[0] - domain.image(AffineFunction(domain.space, (AT,)), ("x",))).is_empty()
        assert sees([(domain, (AT,))], ROW) is covered
        seen += covered
    assert seen == 21


def test_the_same_quotient_has_one_name() -> None:
    quotients = Quotients()
    eighth = quotients.of(X, 8)
    same = [
        quotients.of(X + N * 8, 8) - N,
        quotients.of(X * 4 + 3, 32),
        -quotients.of(Affine(constant=7) - X, 8),
        quotients.of(X + 16, 8) - 2,
    ]
    assert same == [eighth] * 4
    assert quotients.of(eighth + 1, 4) == quotients.of(X + 8, 32)
    assert quotients.has(eighth * 2 + 9, 2)
    assert not quotients.has(X, 4)


def test_quotients_are_what_they_are_called() -> None:
    random = Random(7)
    for _ in range(300):
        quotients = Quotients()
        made: list[tuple[Affine, int, Affine]] = []
        for _ in range(5):
            names = [X, Y, *(value for _, _, value in made)]
            asked = sum((random.choice(names) * random.randint(-9, 9) for _ in range(2)), Affine())
            asked, by = asked + random.randint(-20, 20), random.choice((2, 3, 4, 6, 8, 12))
            made.append((asked, by, quotients.of(asked, by)))
        values = {"x": random.randint(-40, 40), "y": random.randint(-40, 40)}
        for (rest, by), name in quotients.names.items():
            values[name] = rest.at(values) // by
        assert [value.at(values) for _, _, value in made] == [asked.at(values) // by for asked, by, _ in made]


def test_what_is_known_says_which_tile_it_is() -> None:
    # That i < 32 o + 32 is not said where N is in the last tile: it follows from i < N.
    last = [*between(Affine(), AT, N), Constraint(AT - TILE * 32), less(N, TILE * 32 + 33)]
    written = where(("o", "i"), last), (AT,)
    others = where(("o", "i"), [*between(TILE * 32, AT, TILE * 32 + 32), Constraint(N - TILE * 32 - 33)]), (AT,)
    assert sees([others, written], ROW)
    assert len(unseen([written], ROW).without) == 1


def test_what_is_wanted_may_have_quotients_of_its_own() -> None:
    third = Affine.name("third")
    pairs = where(("x", "third"), [*between(Affine(), X, N), *between(third * 3, X, third * 3 + 2)]).onto(("x",))
    written = where(("o", "i"), [*between(Affine(), AT, N), *between(TILE * 3, AT, TILE * 3 + 2)]), (AT,)
    assert sees([written], (pairs, (X,)))
    assert not sees([written], ROW)


def test_a_quotient_of_the_point_comes_before_those_of_the_parameters() -> None:
    # Tiles of 16 columns in tiles of 144, where they are on the diagonal of tiles of 6 rows: y < 6 r < 16 q + 16.
    wide, low, rows = map(Affine.name, ("t", "q", "r"))
    origin = wide * 144 + low * 16
    inside = [Constraint(wide), *between(Affine(), low, Affine(constant=9)), *between(rows * 6, X, rows * 6 + 6)]
    inside += [Constraint(N - origin - 16), Constraint(Y - origin), less(Y, rows * 6), less(rows * 6, origin + 16)]
    diagonal = where(("t", "q", "r", "x", "y"), inside), (X, Y)
    wanted = where(("q", "r", "x", "y"), [
        Constraint(low), *between(rows * 6, X, rows * 6 + 6), Constraint(N - low * 16 - 16),
        Constraint(Y - low * 16), less(Y, rows * 6), less(rows * 6, low * 16 + 16),
    ]), (X, Y)  # fmt: skip
    below = (
        where(("t", "x", "y"), [*between(wide * 144, Y, wide * 144 + 144), *between(Affine(), X, Affine(constant=1))]),
        (X, Y),
    )
    assert sees([below, diagonal], wanted)
    assert not sees([below], wanted)
