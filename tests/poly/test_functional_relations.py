"""Steps followed to their ends, against walking."""

from itertools import product

from alphaz.poly import Affine, AffineFunction, Domain, Space, at_least, equal, less
from alphaz.poly.algorithms.functional_relations import Pieces, ends

SPACE = Space(("N",), ("i", "j"))
i, j, n = map(Affine.name, ("i", "j", "N"))
BOX = [at_least(i, 0), at_least(j, 0), less(i, n), less(j, n)]


def step(domain: Domain, *outputs: Affine) -> tuple[Domain, AffineFunction]:
    return domain, AffineFunction(SPACE, outputs)


def walked(steps: Pieces, point: tuple[int, ...], size: int) -> tuple[int, ...]:
    for _ in range(1000):
        values = {"N": size, **dict(zip(SPACE.names, point, strict=True))}
        taken = [function.at(values) for domain, function in steps if domain.contains(values)]
        if not taken:
            return point
        (point,) = taken
    raise AssertionError("it never ends")


def agrees(steps: Pieces) -> None:
    result = ends(steps)
    assert result is not None
    for size in (1, 2, 5):
        for point in product(range(size), repeat=2):
            values = {"N": size, **dict(zip(SPACE.names, point, strict=True))}
            messages = [function.at(values) for domain, function in result if domain.contains(values)]
            there = any(domain.contains(values) for domain, _ in steps)
            assert messages == ([walked(steps, point, size)] if there else [])


def test_steps_back_to_the_border() -> None:
    agrees((step(Domain.where(SPACE, [*BOX, less(j, i)]), i - 1, j),))
    agrees((step(Domain.where(SPACE, [*BOX, at_least(i, 1)]), i - 1, j),))


def test_two_kinds_of_steps() -> None:
    left = Domain.where(SPACE, [*BOX, at_least(i, 1), less(j, i)])
    right = Domain.where(SPACE, [*BOX, at_least(i, 1), at_least(j, i + 1)])
    agrees((step(left, i - 1, j), step(right, i - 1, j)))


def test_the_end_of_a_single_step() -> None:
    agrees((step(Domain.where(SPACE, [*BOX, at_least(i, 1)]), Affine(), j),))


def test_what_never_ends_is_not_known() -> None:
    swapped = Domain.where(SPACE, BOX)
    assert ends((step(swapped, n - 1 - i, j),)) is None
    still = Domain.where(SPACE, [*BOX, equal(i, 0)])
    assert ends((step(still, i, j),)) is None
    onto_it = Domain.where(SPACE, [*BOX, at_least(i, 1)])
    assert ends((step(still, i, j), step(onto_it, i - 1, j))) is None


def test_ends_that_are_not_affine_are_not_known() -> None:
    """Two steps at a time end at i mod 2."""
    assert ends((step(Domain.where(SPACE, [*BOX, at_least(i, 2)]), i - 2, j),)) is None
    halved = Domain.where(SPACE, [*BOX, equal(j, 0), at_least(i, 1)])
    assert ends((step(halved, i - 1, j),)) is not None
