"""Vector dimensions: unordered for all but contributions to one result, whose lanes are added up behind the loop."""

import pytest

from tests.legality.mapped import Mapped
from tests.legality.test_reduction_dimensions import SUM, sums

LINE = """affine S {N | N>=2}
input
  int A {i | 0<=i && i<N};
output
  int B {i | 0<=i && i<N};
let
  B[i] = case {| i==0} : A[0]; {| i>0} : B[i-1] + A[i]; esac;
.
"""


def test_a_dimension_that_carries_a_dependence_is_refuted_with_the_smallest_witness() -> None:
    mapped = Mapped(LINE).time("B", "(i -> i)")
    assert mapped.report().is_proved
    report = mapped.kind("0", "V").report()
    (result,) = mapped.kind("0", "V").refuted()["AZ502"]
    assert result == (
        "N=2: B[1], at (1), reads B[0], which is written at (0), unordered: dimension 0 is done in vectors"
    )
    assert "dimension 0 is done in vectors" in {label.text for f in report.findings for label in f.secondary}


def test_contributions_need_no_order_and_readers_follow_the_loop() -> None:
    assert sums("(i -> N,i)", "SV").report().is_proved
    assert sums("(i -> i,N)", "SV").refuted().keys() == {"AZ502"}
    behind = sums("(i -> i,1,0)", "SOV", body="(i,k -> i,0,k)")
    assert behind.report().is_proved
    assert sums("(i -> i,0,N)", "SOV", body="(i,k -> i,0,k)").refuted().keys() == {"AZ502"}


def test_an_initialisation_in_the_loop_is_too_late() -> None:
    assert "AZ502" in sums("(i -> N,i)", "SV", "(i -> i,-1)").refuted()
    assert sums("(i -> N,i)", "SV", "(i -> -1,i)").report().is_proved


def test_two_results_in_one_cell_are_a_race() -> None:
    mapped = sums("(i -> i,1,0)", "SOV", body="(i,k -> i,0,k)").memory("C", "(i -> 0)")
    assert mapped.report().is_proved
    together = Mapped(SUM).time("C", "(i,k -> 0,k,i)").time("D", "(i -> 1,0,i)").kind("0", "O").memory("C", "(i -> 0)")
    assert {"AZ601"} <= together.kind("2", "V").refuted().keys()


def test_tiles_of_a_vector_dimension_are_in_sequence() -> None:
    """The reader is behind the points of the loop, in a later tile of the same dimension or behind an ordering."""
    inside = sums("(i -> i,1,i)", "SOV", body="(i,k -> i,0,k)")
    assert inside.report().is_proved
    assert inside.band(0, 2).refuted().keys() == {"AZ702"}
    assert sums("(i -> i,1,N)", "SOV", body="(i,k -> i,0,k)").band(0, 2).report().is_proved
    assert sums("(i -> i,1,N)", "SOP", body="(i,k -> i,0,k)").refuted().keys() == {"AZ503"}


@pytest.mark.parametrize(("kinds", "proved"), [("RS", True), ("PS", True), ("SR", False)])
def test_a_reduction_dimension_that_the_result_decides_is_parallel(kinds: str, proved: bool) -> None:
    """C[i] is read at (i,N): in the loop of dimension 0 if that merges nothing, and never before that of dimension 1 is
    over."""
    assert sums("(i -> i,N)", kinds).report().is_proved is proved
