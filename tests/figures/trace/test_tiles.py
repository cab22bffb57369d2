"""The sizes of tiles that are tried, the plainest first."""

from itertools import islice, product

from alphaz.figures.trace.sizes import _plain_sizes


def test_they_come_by_the_number_of_ones_and_then_by_the_sum() -> None:
    wanted = sorted(product(range(1, 4), repeat=4), key=lambda each: (each.count(1), sum(each)))
    assert list(_plain_sizes(4)) == wanted


def test_of_many_places_the_first_are_found_without_all() -> None:
    assert list(islice(_plain_sizes(40), 2)) == [(2,) * 40, (*(2,) * 39, 3)]
