"""Polyhedra that one comparison keeps apart."""

from random import Random

import pytest

from alphaz.poly import Affine, Constraint, Domain, Space
from alphaz.poly.plain import piece as module
from alphaz.poly.plain.piece import apart, limits

SPACE = Space((), ("i", "j"))
BOX = range(-4, 5)


def _constraint(random: Random) -> Constraint:
    terms = [(name, random.choice((-2, -1, 0, 1, 2))) for name in ("i", "j")]
    return Constraint(Affine.of(terms, random.randint(-3, 3)), random.random() < 0.2)


def _domain(random: Random) -> Domain:
    pieces = [[_constraint(random) for _ in range(random.randint(1, 3))] for _ in range(random.randint(1, 2))]
    result = Domain.where(SPACE, *pieces)
    if random.random() < 0.3:
        result = result & Domain.where(SPACE, [_constraint(random)]).complement()
    return result


@pytest.mark.parametrize("seed", range(4))
def test_what_is_apart_shares_no_point(seed: int) -> None:
    random, message = Random(seed), 0
    for _ in range(200):
        one, other = _domain(random), _domain(random)
        if apart(map(limits, one.pieces()), map(limits, other.pieces())):
            message += 1
            assert (one & other).is_empty()
            points = ({"i": i, "j": j} for i in BOX for j in BOX)
            assert not any(one.contains(point) and other.contains(point) for point in points)
    assert message > 20


def test_two_sides_of_a_comparison_are_apart() -> None:
    i, j = Affine.name("i"), Affine.name("j")
    below, above = (Domain.where(SPACE, [Constraint(item)]) for item in (j - i + 2, i - j - 3))
    assert apart(map(limits, below.pieces()), map(limits, above.pieces()))
    assert not apart(map(limits, below.pieces()), map(limits, below.pieces()))


@pytest.mark.parametrize("seed", range(4))
def test_unions_of_many_pieces_are_apart_as_their_pairs_are(seed: int) -> None:
    random, message = Random(seed), set[bool]()
    for _ in range(300):
        boxes = [_box(random.randint(0, 60), random.randint(0, 60), random.randint(1, 4)) for _ in range(12)]
        one, other = boxes[:6], boxes[6:]
        expected = all(apart([here], [there]) for here in one for there in other)
        assert apart(one, other) == expected
        message.add(expected)
    assert message == {True, False}


def _box(i: int, j: int, size: int) -> module.Limits:
    return {(("i", 1),): (i, i + size), (("j", 1),): (j, j + size)}


def test_of_many_pieces_only_those_are_compared_that_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    compared, original = list[module.Limits](), module._apart

    def counted(here: module.Limits, there: module.Limits) -> bool:
        compared.append(here)
        return original(here, there)

    monkeypatch.setattr(module, "_apart", counted)
    tiles = [_box(4 * x, 4 * y, 3) for x in range(30) for y in range(30)]
    assert apart(tiles[::2], tiles[1::2])
    assert len(compared) <= 30 * 15 * 15
