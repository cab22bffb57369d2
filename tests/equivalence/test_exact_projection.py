"""Projections by quotients: the same points as isl's, and as enumeration; tile numbers become floors of one form."""

from random import Random

import pytest

from alphaz.equivalence.exact_projection import _eliminated, in_normal_form, projected, some_projected
from alphaz.equivalence.quotients import Quotients
from alphaz.poly import Affine, Constraint, Domain, Space, equal, less

N, ROW, J, K = map(Affine.name, "Nijk")


def between(low: Affine | int, value: Affine, high: Affine | int) -> list[Constraint]:
    """Returns low <= value < high."""
    return [Constraint(value - low), Constraint(-value + high - 1)]


def wavefront(size: int, rows: int, columns: int, wave: Affine) -> Domain:
    """Returns the points i >= j > k in the tiles of a wavefront, with register tiles in the tiles."""
    names = ("w", "ni", "nk", "ri", "rj", "qi", "qj", "i", "j", "k")
    w, ni, nk, ri, rj, qi, qj = map(Affine.name, names[:7])
    tj = wave * size
    return Domain.where(
        Space(("N",), names),
        [
            *between(0, K, J), *between(0, J, ROW + 1), less(ROW, N), *between(ni * size, ri, ni * size + size),
            *between(tj, rj, tj + size), *between(nk * size, K, nk * size + size), equal(ri, qi * rows),
            equal(rj, qj * columns), *between(ri, ROW, ri + rows), *between(rj, J, rj + columns),
            less(nk, w - ni - nk), Constraint(w),
        ],
    )  # fmt: skip


WAVE = Affine.of((("w", 1), ("ni", -1), ("nk", -1)))


def is_by_quotients(domain: Domain, names: tuple[str, ...]) -> bool:
    """Returns True if each piece is projected without isl."""
    others = {*domain.space.names} - {*names}
    return all(_eliminated(piece, others, Quotients()) is not None for piece in domain.pieces())


@pytest.mark.parametrize(("size", "rows", "columns"), [(12, 2, 6), (12, 3, 4), (144, 6, 8), (144, 8, 24)])
def test_numbers_of_wavefront_tiles_are_floors_of_one_dimension(size: int, rows: int, columns: int) -> None:
    domain = wavefront(size, rows, columns, WAVE)
    assert is_by_quotients(domain, ("i", "j", "k"))
    projection = projected(domain, ("i", "j", "k"))
    floors = [floor for piece in projection.pieces() for floor in piece.floors]
    assert floors
    assert all(len(floor.affine.names) == 1 and floor.affine.constant == 0 for floor in floors)
    if size == 12:
        assert projection.equals(domain.onto(("i", "j", "k")))


def test_a_skewed_wavefront_has_the_same_points() -> None:
    # The number of the second tile is not its column's: w - 2 ni - nk.
    domain = wavefront(6, 2, 3, Affine.of((("w", 1), ("ni", -2), ("nk", -1))))
    assert projected(domain, ("i", "j", "k")).equals(domain.onto(("i", "j", "k")))


def test_an_order_of_names_is_kept() -> None:
    domain = Domain.where(Space(("N",), ("i", "j")), [*between(J * 4, ROW, J * 4 + 4), *between(0, ROW, N)])
    assert projected(domain, ("j",)).equals(domain.onto(("j",)))
    assert projected(domain, ("j", "i")).space.names == ("j", "i")
    assert projected(domain, ("j", "i")).equals(domain.onto(("j", "i")))


def test_a_choice_that_may_be_wrong_is_left_to_isl() -> None:
    # Both bounds below may be the greater one.
    domain = Domain.where(
        Space(("N",), ("i", "j", "k")),
        [Constraint(K * 3 - ROW), Constraint(K * 3 - J), Constraint(N - K), Constraint(ROW + J - K)],
    )
    names = ("i", "j")
    assert projected(domain, names).equals(domain.onto(names))


def test_nothing_stays_nothing() -> None:
    empty = Domain.empty(Space(("N",), ("i", "j")))
    assert projected(empty, ("i",)).is_empty()
    odd = Domain.where(Space(("N",), ("i", "j", "k")), [equal(J * 2, K * 2 + 1), *between(0, ROW, N)])
    assert projected(odd, ("i",)).is_empty()


def randomly(random: Random) -> Domain:
    """Returns a random set in a box: tiles, strides, sums of tile numbers, and bounds across them."""
    names = ("a", "b", "c", "i", "j")
    rows = [*between(0, ROW, N), *between(0, J, Affine(constant=9)), Constraint(Affine(constant=7) - N)]
    for name in ("a", "b", "c"):
        size, one = random.choice((2, 3, 4)), Affine.name(name)
        other = random.choice((ROW, J, ROW + J, ROW - J, Affine.name(random.choice("abc")) + ROW))
        rows += random.choice(
            (
                between(one * size, other, one * size + size),
                between(one * size - random.randrange(3), other, one * size + random.randrange(1, size + 1)),
                [equal(one * size, other)],
                [Constraint(one * size - other), Constraint(Affine(constant=8) - one)],
            )
        )
    for _ in range(random.randrange(3)):
        terms = [(name, random.randrange(-3, 4)) for name in random.sample(names, 2)]
        rows.append(Constraint(Affine.of(terms, random.randrange(-2, 8)), random.random() < 0.1))
    return Domain.where(Space(("N",), names), rows)


def test_random_sets_have_the_points_of_an_enumeration() -> None:
    random, by_quotients = Random(7), 0
    for _ in range(40):
        domain = randomly(random)
        domain = domain & Domain.where(domain.space, [r for n in "abc" for r in between(-20, Affine.name(n), 21)])
        projection = projected(domain, ("i", "j"))
        by_quotients += is_by_quotients(domain, ("i", "j"))
        points = {point[3:] for point in domain.points({"N": 6})}
        assert {*projection.points({"N": 6})} == points
        assert {*in_normal_form(domain.onto(("i", "j"))).points({"N": 6})} == points
        assert {*some_projected(domain, ("i", "j")).points({"N": 6})} <= points
    assert by_quotients > 5
