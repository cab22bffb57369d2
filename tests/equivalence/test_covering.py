"""A wanted set that consists of several parts is proved to be covered part by part."""

from functools import partial
from random import Random

from alphaz.equivalence.lemmas import _covers, _images
from alphaz.equivalence.skolem import Points
from alphaz.poly import Affine
from tests.equivalence.test_witness import AT, ROW, TILE, J, N, X, Y, between, small, where


def points(written: Points, n: int) -> set[tuple[int, ...]]:
    domain, point = written
    found = (dict(zip(domain.space.names, each, strict=True)) for each in domain.points({"N": n}))
    return {tuple(value.at({"N": n, **each}) for value in point) for each in found}


def faces(random: Random) -> Points:
    """Readers on some lines, and what each of them reads."""
    inside = [*between(Affine(), N, Affine(constant=4)), *between(Affine(), X, N), *between(Affine(), Y, N)]
    lines = [between(Affine(constant=low), each, Affine(constant=low + 1)) for each in (X, Y) for low in (0, 2)]
    chosen = random.sample(lines, random.randint(1, 3))
    return where(("x", "y"), *([*inside, *each] for each in chosen)), (X, Y)


def test_what_is_covered_is_covered_point_by_point() -> None:
    seen = []
    for seed in range(60):
        random = Random(seed)
        written = [small(random) for _ in range(random.randint(1, 3))]
        wanted = faces(random)
        all_there = all(points(wanted, n) <= {point for one in written for point in points(one, n)} for n in range(4))
        assert _covers(written, partial(_images, *wanted), 1_000_000) is all_there
        seen.append(all_there)
    assert 5 < sum(seen) < 55


def test_one_part_that_is_missed_is_enough() -> None:
    there, beyond = where(("x",), between(Affine(), X, N)), where(("x",), between(Affine(), X, N + 1))
    assert _covers([ROW], partial(list, [there, there]), 1_000_000)
    for parts in ([there, beyond], [beyond, there], [there, there, beyond, there]):
        assert _covers([ROW], partial(list, parts), 1_000_000) is False


def test_each_part_has_operations_of_its_own() -> None:
    """isl rewrites a set while it looks at it: each question is about sets of its own."""

    def covers(parts: int, operations: int) -> bool | None:
        inside = [*between(Affine(), AT, N), *between(TILE * 32, AT, TILE * 32 + 32), *between(J, AT, N)]
        part = where(("x",), between(Affine(), X, N))
        return _covers([(where(("o", "i", "j"), inside), (AT,))], lambda: [part] * parts, operations)

    few = next(2**at for at in range(4, 30) if covers(1, 2**at))
    assert covers(1, few // 2) is None
    assert covers(100, 2 * few)


def test_what_takes_too_long_is_not_known() -> None:
    assert _covers([ROW], lambda: [ROW[0]], 1) is None
