"""Reduction dimensions: contributions go into accumulators of their own; what they make is there behind the loop."""

from tests.legality.mapped import Mapped

SUM = """affine S {N | N>=1}
input
  int A {i,k | 0<=i && i<N && 0<=k && k<N};
output
  int D {i | 0<=i && i<N};
local
  int C {i | 0<=i && i<N};
let
  C[i] = reduce(+, [k], {| 0<=k && k<N} : A[i,k]);
  D[i] = C[i] * 2;
.
"""


def sums(reader: str, kinds: str = "R", init: str | None = None, body: str = "(i,k -> i,k)") -> Mapped:
    mapped = Mapped(SUM).time("C", body, init).time("D", reader)
    for at, kind in enumerate(kinds):
        mapped = mapped.kind(str(at), kind)
    return mapped


def test_a_parallel_accumulation_is_wrong_and_one_across_a_reduction_dimension_is_not() -> None:
    assert "AZ503" in sums("(i -> N,i)", "SP").refuted()
    assert sums("(i -> N,i)", "SR").report().is_proved


def test_an_initialisation_precedes_the_merge_not_each_contribution() -> None:
    assert sums("(i -> N,i)", "SR", "(i -> -1,i)").report().is_proved
    assert sums("(i -> N,i)", "SR", "(i -> i,N)").report().is_proved
    assert sums("(i -> N,i)", "SS", "(i -> i,N)").refuted().keys() == {"AZ502"}
    assert "AZ502" in sums("(i -> 2N,i)", "SR", "(i -> i+1,0)").refuted()


def test_a_reader_at_the_same_place_before_the_reduction_dimension_is_too_early() -> None:
    (result,) = sums("(i -> i,N)", "SR").refuted()["AZ502"]
    assert result == (
        "N=1: D[0], at (0,1), reads C[0], which is merged after (0,*), later: it follows the whole loop of dimension 1"
    )
    assert sums("(i -> i+1,N)", "SR").report().is_proved


def test_what_stands_behind_the_reduction_dimension_does_not_put_a_reader_later() -> None:
    body, reader = "(i,k -> i,k,0)", "(i -> i,N,1)"
    assert sums(reader, "SSS", body=body).report().is_proved
    assert sums(reader, "SRS", body=body).refuted().keys() == {"AZ502"}
    assert sums("(i -> i+1,0,0)", "SRS", body=body).report().is_proved


def test_merges_of_loops_that_are_unordered_themselves_are_a_race() -> None:
    body, reader = "(i,k -> k,i)", "(i -> N,i)"
    assert sums(reader, "RS", body=body).refuted().keys() == {
        "AZ502"
    }  # nothing is merged before the end of dimension 0
    late = "(i -> 1,N,i)"
    assert Mapped(SUM).time("C", "(i,k -> 0,k,i)").time("D", late).kind("1", "R").kind("0", "O").report().is_proved
    assert "AZ503" in Mapped(SUM).time("C", "(i,k -> 0,k,i)").time("D", late).kind("0", "O").kind("1", "P").refuted()


def test_an_inner_parallel_dimension_still_splits_one_accumulator() -> None:
    two = SUM.replace("[k], {| 0<=k && k<N} : A[i,k]", "[k,l], {| 0<=k && k<N && 0<=l && l<N}   : A[i,k]")
    mapped = Mapped(two).time("C", "(i,k,l -> i,k,l)").time("D", "(i -> N,i,0)").kind("1", "R")
    assert mapped.report().is_proved
    assert mapped.kind("2", "P").refuted().keys() == {"AZ503"}
    assert mapped.kind("2", "R").report().is_proved


def test_two_results_in_one_cell_are_merged_at_one_place() -> None:
    one_cell = sums("(i -> i+1,N)", "SR").memory("C", "(i -> 0)")
    assert one_cell.report().is_proved
    together = Mapped(SUM).time("C", "(i,k -> 0,k,i)").time("D", "(i -> 1,i,0)").kind("1", "R").memory("C", "(i -> 0)")
    assert {"AZ601", "AZ701"} <= together.refuted().keys()


def test_tiles_of_a_reduction_dimension_may_hold_the_whole_band() -> None:
    between = sums("(i -> i+1,0)", "SR", body="(i,k -> i,k)")
    assert between.report().is_proved
    assert between.band(0, 1).refuted().keys() == {"AZ702"}
    assert sums("(i -> N,i)", "SR").band(1, 1).report().is_proved
    behind = Mapped(SUM).time("C", "(i,k -> 0,i,k)").time("D", "(i -> 1,i,0)").kind("0", "O").kind("2", "R")
    assert behind.band(1, 2).report().is_proved


def test_wavefronts_have_no_reduction_dimension() -> None:
    report = sums("(i -> N,i)", "SR").band(0, 1, wavefront=True).report()
    assert report.word == "not well formed"
    assert "reduction dimension, 1" in report.findings[0].message
    assert "reduction dimension" in report.findings[0].secondary[0].text


def test_the_command_that_made_the_dimension_is_a_label() -> None:
    texts = {label.text for f in sums("(i -> i,N)", "SR").report().findings for label in f.secondary}
    assert "dimension 1 is a reduction dimension" in texts
    texts = {label.text for f in sums("(i -> N,i)", "SP").report().findings for label in f.secondary}
    assert "dimension 1 is parallel" in texts
