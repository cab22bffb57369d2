"""Names of values in runs: what is combined in any parentheses, and as often as it may be."""

from alphaz.equivalence.value_numbering import LATTICE, ValueNumbers
from alphaz.model.types import DOUBLE


def test_a_maximum_is_that_of_a_set() -> None:
    names = ValueNumbers(regroups=LATTICE)
    first = before = names.name("a")
    last = names.name("b")
    # As many operands as there are ways through a table, were they not a set.
    for _ in range(200):
        before, last = last, names.applied("max", (before, last), DOUBLE)
    assert last == names.applied("max", (names.name("b"), first, first), DOUBLE)
    assert last != names.applied("max", (last, names.name("c")), DOUBLE)
    assert last != names.applied("min", (first, names.name("b")), DOUBLE)


def test_a_product_is_that_of_all_factors() -> None:
    names = ValueNumbers(regroups=LATTICE | {"*"})
    a, b = names.name("a"), names.name("b")
    twice = names.applied("*", (a, names.applied("*", (b, a), DOUBLE)), DOUBLE)
    assert twice == names.applied("*", (names.applied("*", (a, a), DOUBLE), b), DOUBLE)
    assert twice != names.applied("*", (a, b), DOUBLE)
