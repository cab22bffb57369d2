"""An order that is claimed to exist, against all the points of small sizes."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.poly import Affine, AffineFunction, Domain, Space, at_least, less
from alphaz.poly.algorithms.affine_order import Before, has_affine_order

SPACE = Space(("N",), ("i",))
i, n = Affine.name("i"), Affine.name("N")
HERE = AffineFunction.identity(SPACE)


def reads(reader: str, read: str, at: Affine, least: int, below: Affine) -> Before:
    """`reader[i]` needs `read[at]` for the i from `least` to below `below` where both lie in 0..N-1."""
    inside = [at_least(i, 0), less(i, n), at_least(at, 0), less(at, n), at_least(i, least), less(i, below)]
    return Before(Domain.where(SPACE, inside), (read, 0), AffineFunction(SPACE, (at,)), (reader, 0), HERE)


def edges(constraint: Before, size: int) -> Iterator[tuple[object, object]]:
    for point in constraint.domain.points({"N": size}):
        values = {"N": size, "i": point[0]}
        yield (constraint.then, constraint.then_point.at(values)), (constraint.first, constraint.first_point.at(values))


def has_cycle(constraints: list[Before], size: int) -> bool:
    graph: dict[object, set[object]] = {}
    for constraint in constraints:
        for reader, read in edges(constraint, size):
            graph.setdefault(reader, set()).add(read)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


_CONSTRAINT = st.builds(
    lambda reader, read, a, b, c, least, below: reads(reader, read, i * a + n * b + c, least, n - below),
    st.sampled_from("XY"),
    st.sampled_from("XY"),
    st.sampled_from((1, 1, 1, -1, 0, 2)),
    st.sampled_from((0, 0, 1)),
    st.integers(-2, 1),
    st.integers(0, 3),
    st.integers(0, 2),
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(_CONSTRAINT, min_size=1, max_size=3))
def test_what_has_an_order_has_no_cycle(constraints: list[Before]) -> None:
    if has_affine_order(constraints):
        assert not any(has_cycle(constraints, size) for size in range(1, 7))


@pytest.mark.parametrize(
    ("constraints", "ordered"),
    [
        ([reads("X", "X", i - 1, 1, n)], True),
        ([reads("X", "X", i, 0, n)], False),
        ([reads("X", "X", i, 5, Affine(constant=6)), reads("X", "X", i - 1, 1, n)], False),
        ([reads("X", "Y", n - 1 - i, 1, n), reads("Y", "X", n - 2 - i, 0, n)], True),
        ([reads("X", "Y", n - 1 - i, 0, n), reads("Y", "X", n - 1 - i, 0, n)], False),
        ([], True),
    ],
)
def test_orders_that_are_there_are_found(constraints: list[Before], ordered: bool) -> None:
    assert has_affine_order(constraints) == ordered
