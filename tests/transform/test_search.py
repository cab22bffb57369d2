"""The least work for a reduction, found by search: the classical examples."""

import numpy as np
import pytest

from alphaz.analysis.facts.work_and_traffic import work_of
from alphaz.analysis.texts.show import ashow
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.plain.solve import kernel
from alphaz.transform.reductions.search import directions, optimal_simplifying_reductions
from alphaz.transform.reductions.site import reduction_of
from tests.thinning import thinned
from tests.transform.programs import design, sums

PREFIX = sums("B[i] = reduce(max, [k], {| 0<=k<=i}: A[k]);")
TWICE = sums("B[i] = reduce(+, (i,j,k->i), {| 0<=k<=j<=i}: A[k]);")
SCALED = sums("B[i] = A[0] - reduce(max, [k], {| 0<=k<=i}: A[k] + A[i]);")
CONVOLUTION = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] * A[i-k]);")
SAME = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] + A[i-k]);")
IDEMPOTENT = sums("B[i] = reduce(max, [j,k], {| 0<=j<=i && 0<=k<=i}: A[j]);")
INTERNAL_LOOPS = """
affine sums {N | N>=2}
input
    int A {i,j | 0<=i<=j<N};
    int F {d | 0<=d<2N};
output
    int B {i,j | 0<=i<j<N};
let
    B[i,j] = reduce(min, [k,l], {| i<=k<=l<=j && k+j-i-l>=1}: A[k,l] + F[k-i+j-l]);
.
"""


def degree(result: Design) -> int:
    """The highest degree of the operations of any equation."""
    works = work_of(result.checked.facts, result.system("sums"))
    return max(work.operations.main.degree for work in works if work.operations is not None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "before", "after"),
    thinned([
        (PREFIX, 2, 1),
        (TWICE, 3, 1),
        (SCALED, 2, 1),
        (CONVOLUTION, 2, 2),
        (INTERNAL_LOOPS, 4, 3),
        (SAME, 2, 1),
        (IDEMPOTENT, 3, 1),
    ]),
    ids=["prefix", "twice", "scaled", "convolution", "internal loops", "same operator", "idempotent"],
)  # fmt: skip
def test_the_degree_of_the_work_and_the_same_answers(text: str, before: int, after: int) -> None:
    old = design(text)
    new = optimal_simplifying_reductions(old)
    assert (degree(old), degree(new)) == (before, after)
    for size in (2, 5):
        np.testing.assert_array_equal(_answers(new, size), _answers(old, size))


def _answers(result: Design, size: int) -> np.ndarray:
    random = np.random.default_rng(size)
    inputs = {}
    for variable in result.system("sums").inputs:
        inputs[variable.name] = random.integers(-9, 9, box_of(variable.domain, {"N": size}).shape).astype(np.int32)
    return evaluate(result.program, result.checked.facts, "sums", {"N": size}, inputs)["B"]


def test_what_cannot_be_improved_stays() -> None:
    old = design(CONVOLUTION)
    assert ashow(optimal_simplifying_reductions(old).program) == ashow(old.program)


def test_directions_are_parallel_to_faces() -> None:
    assert directions(reduction_of(design(PREFIX), "sums", "B")) == [(-1, 0), (1, 0)]
    result = directions(reduction_of(design(TWICE), "sums", "B"))
    assert (1, 0, 0) in result
    assert (1, 1, 0) in result
    assert directions(reduction_of(design(CONVOLUTION), "sums", "B")) == []


def test_the_integer_kernel() -> None:
    assert kernel([], 2) == [(1, 0), (0, 1)]
    assert kernel([(2, 4)], 2) in ([(-2, 1)], [(2, -1)])
    assert kernel([(1, 0), (0, 1)], 2) == []
    for vector in kernel([(3, 5, 7)], 3):
        assert 3 * vector[0] + 5 * vector[1] + 7 * vector[2] == 0
