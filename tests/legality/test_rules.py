"""Each rule on the smallest program that shows it: what is refuted, with which words, and what is accepted."""

import pytest

from tests.legality.mapped import Mapped

STENCIL = """
affine S {N | N>=3}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<N};
local
  int X {t,i | 0<=t<N && 0<=i<N};
let
  X[t,i] = case
    {| t==0} : A[i];
    {| t>0 && i==0} : X[t-1,i] + 1;
    {| t>0 && i>0} : X[t-1,i] + X[t-1,i-1];
  esac;
  B[i] = X[N-1,i];
.
"""

TWO = """
affine S {N | N>=1}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<N};
  int C {i | 0<=i<N};
let
  B[i] = A[i] + 1;
  C[i] = A[N-1-i] + 2;
.
"""

UNREAD = TWO.replace("B[i] = A[i] + 1;", "B[i] = A[i] + 1;\n  X[i] = A[i];").replace(
    "let", "local\n  int X {i | 0<=i<N};\nlet"
)

SUM = """
affine S {N | N>=1}
input
  int A {i,k | 0<=i<N && 0<=k<N};
output
  int B {i | 0<=i<N};
local
  int X {i | 0<=i<N};
let
  X[i] = reduce(+, [k], {| i<=k<N-1} : A[i,k]);
  B[i] = X[i] + 1;
.
"""


def stencil() -> Mapped:
    return Mapped(STENCIL).time("X", "(t,i -> t,i)").time("B", "(i -> N,i)")


def two() -> Mapped:
    return Mapped(TWO).time("B", "(i -> 0,i)").time("C", "(i -> 1,i)")


def sums() -> Mapped:
    return Mapped(SUM).time("X", "(i,k -> 0,i,k)").time("B", "(i -> 1,i,0)")


@pytest.mark.parametrize("mapping", [stencil(), two(), sums()])
def test_the_plain_mappings_are_proved(mapping: Mapped) -> None:
    assert mapping.report().is_proved
    assert mapping.codes() == []


# --- S1 --------------------------------------------------------------------------------------------------


def test_two_points_with_one_date() -> None:
    assert stencil().time("X", "(t,i -> t+i,0)").refuted()["AZ501"] == [
        "N=3: X[0,1] and X[1,0] have the same date (1,0)"
    ]


def test_a_date_that_depends_on_all_indices_need_not_have_an_inverse_over_the_integers() -> None:
    assert "AZ501" not in stencil().time("X", "(t,i -> 2t,3i)").refuted()


# --- S2 --------------------------------------------------------------------------------------------------


def test_the_same_date_is_ordered_by_the_statement_ordering() -> None:
    same = stencil().time("B", "(i -> N-1,i)")
    assert same.refuted() == {
        "AZ502": [
            "N=3: B[0], at (2,0), reads X[2,0], which is written at (2,0), "
            "unordered: the same date, and no statement ordering"
        ]
    }
    assert same.order("X", "B").report().is_proved
    assert same.order("B", "X").refuted()["AZ502"] == [
        "N=3: B[0], at (2,0), reads X[2,0], which is written at (2,0), later by the statement ordering"
    ]


def test_an_input_with_dates_is_written_at_them() -> None:
    dated = two().time("A", "(i -> 0,i)")
    assert dated.refuted() == {
        "AZ502": [
            "N=1: B[0], at (0,0), reads A[0], which is written at (0,0), "
            "unordered: the same date, and no statement ordering"
        ]
    }
    assert dated.order("A", "B").report().is_proved
    assert two().time("A", "(i -> 1,i)").refuted()["AZ502"] == [
        "N=1: B[0], at (0,0), reads A[0], which is written at (1,0), later",
        "N=1: C[0], at (1,0), reads A[0], which is written at (1,0), "
        "unordered: the same date, and no statement ordering",
    ]


# --- S3 --------------------------------------------------------------------------------------------------


def test_an_accumulation_is_not_split_over_threads() -> None:
    assert sums().kind("2", "P").refuted()["AZ503"] == [
        "N=3: X.body[0,0], at (0,0,0), and X.body[0,1], at (0,0,1), accumulate into X[0], "
        "unordered: dimension 2 is parallel"
    ]


def test_different_sums_may_be_accumulated_in_parallel() -> None:
    assert sums().kind("1", "P").report().is_proved


def test_a_sum_over_no_points_is_there_from_the_start() -> None:
    lost = sums().memory("X", "(i -> 0)").refuted()
    assert "N=2: B[1], at (1,1,0), reads X[1], which is there from the start, but X.body[0,0], at (0,0,0), " in str(
        lost
    )


def test_an_initialisation_has_a_date_of_its_own() -> None:
    assert sums().time("X", "(i,k -> 0,i,k)", "(i -> 0,i,-1)").report().is_proved
    assert sums().time("X", "(i,k -> 0,i,k)", "(i -> 0,i,i)").report().is_proved
    assert sums().time("X", "(i,k -> 0,i,k)", "(i -> 0,i,i+1)").refuted()["AZ502"] == [
        "N=2: X.body[0,0], at (0,0,0), accumulates into X[0], which is initialised at (0,0,1), later"
    ]


def test_a_sum_is_read_when_all_of_it_is_there() -> None:
    """Behind the initialisation, but before the last contribution."""
    early = sums().time("X", "(i,k -> 0,i,k)", "(i -> 0,i,-1)").time("B", "(i -> 0,i,N)")
    assert early.report().is_proved
    assert early.time("B", "(i -> 0,i,i)").refuted().keys() == {"AZ502"}


def test_a_sum_that_nobody_reads_is_accumulated_whole_all_the_same() -> None:
    """W overwrites the running value, between two contributions or behind all."""
    text = SUM.replace("B[i] = X[i] + 1;", "B[i] = A[i,0];\n  W[i] = A[i,0];").replace(
        "local", "local\n  int W {i | 0<=i<N};"
    )
    unread = Mapped(text).time("X", "(i,k -> 0,i,k)").time("B", "(i -> 1,i,0)").memory("W", None, "X").order("X", "W")
    assert unread.time("W", "(i -> 0,i,N)").report().is_proved
    assert unread.time("W", "(i -> 0,i,i)").refuted() == {
        "AZ601": [
            "N=3: X.body[0,1], at (0,0,1), accumulates into X[0], to which X.body[0,0] contributes at (0,0,0), but "
            "W[0], at (0,0,0), overwrites its cell X[0], in between"
        ]
    }


def test_an_initialisation_clears_no_sum_that_is_still_needed() -> None:
    """One cell for all sums is enough when each is used before the next is initialised."""
    folded = sums().memory("X", "(i -> 0)").time("B", "(i -> 0,i,N)")
    assert folded.time("X", "(i,k -> 0,i,k)", "(i -> 0,i,-1)").report().is_proved
    assert not folded.time("X", "(i,k -> 0,i,k)", "(i -> -1,i,0)").report().is_proved


# --- M1 --------------------------------------------------------------------------------------------------


def test_two_rows_are_enough_and_one_is_not() -> None:
    assert stencil().memory("X", "(t,i -> t,i)", moduli=[2, 0]).report().is_proved
    assert stencil().memory("X", "(t,i -> t,i)", moduli=[1, 0]).refuted()["AZ601"] == [
        "N=3: X[1,1], at (1,1), reads X[0,0], which is written at (0,0), but X[1,0], at (1,0), overwrites its cell "
        "X[0,0], in between"
    ]


def test_a_row_is_enough_from_right_to_left() -> None:
    """X[t-1,i] is read by the very operation that overwrites it, X[t-1,i-1] before it is overwritten."""
    assert stencil().time("X", "(t,i -> t,-i)").memory("X", "(t,i -> i)").report().is_proved


def test_the_cells_of_a_diagonal() -> None:
    """X[t,i] and X[t-1,i-1] share a cell; X[t-1,i] is in the cell of X[t,i+1], which comes later."""
    diagonal = stencil().memory("X", "(t,i -> i-t)")
    assert diagonal.report().is_proved
    assert "AZ601" in diagonal.time("X", "(t,i -> t,-i)").refuted()


def test_an_unordered_overwrite_is_found() -> None:
    """In parallel, the neighbour may overwrite before it is read: two rows are needed, one is a race."""
    parallel = stencil().kind("1", "P")
    assert parallel.memory("X", "(t,i -> t,i)", moduli=[2, 0]).report().is_proved
    assert parallel.memory("X", "(t,i -> i)").refuted()["AZ601"] == [
        "N=3: X[1,1], at (1,1), reads X[0,0], which is written at (0,0), but X[1,0], at (1,0), overwrites its cell "
        "X[0], unordered with the reading: dimension 1 is parallel"
    ]


def test_different_mod_factors_in_one_space() -> None:
    """B[i] lives at 2i mod 4, C[i] at 2i+1 mod 6: the residues 0, 2 and 1, 3, 5 never meet; mod 4 and mod 3 they do."""
    few = Mapped(TWO.replace("N>=1", "1<=N<=2")).time("B", "(i -> 0,i)").time("C", "(i -> 1,i)")
    even = few.memory("B", "(i -> 2i)", "s", [4])
    assert even.memory("C", "(i -> 2i+1)", "s", [6]).report().is_proved
    assert even.memory("C", "(i -> 2i+1)", "s", [3]).refuted() == {
        "AZ602": [
            "N=2: B[0], which is written at (0,0), is overwritten in cell s[0] by C[1], at (1,1), and lost at the end"
        ]
    }


def test_variables_with_factors_and_without_in_one_space() -> None:
    """B lives in cells 0 and 1 and is read before it is overwritten; C begins behind them, or in the midst."""
    mapped = Mapped(UNREAD).time("B", "(i -> 0,i)").time("C", "(i -> 1,i)").time("X", "(i -> 2,i)")
    apart = mapped.memory("X", "(i -> i)", "B", [2]).memory("B", "(i -> i+2)")
    assert apart.report().is_proved
    assert apart.memory("B", "(i -> i+1)").refuted().keys() == {"AZ602"}
    three = mapped.memory("X", "(i -> i)", "C", [2]).memory("C", "(i -> i)", "C", [3])
    few = Mapped(UNREAD.replace("N>=1", "1<=N<=3"), three.mapping)
    assert few.refuted()["AZ602"] == [
        "N=1: C[0], which is written at (1,0), is overwritten in cell C[0] by X[0], at (2,0), and lost at the end"
    ]
    only_the_last = few.memory("X", "(i -> i+3)", "C", [4])
    assert only_the_last.refuted()["AZ602"] == [
        "N=2: C[0], which is written at (1,0), is overwritten in cell C[0] by X[1], at (2,1), and lost at the end"
    ]
    assert few.memory("X", "(i -> 3)", "C", [4]).report().is_proved


# --- M2, M3 ----------------------------------------------------------------------------------------------


def test_an_output_that_does_not_survive() -> None:
    assert two().memory("B", "(i -> 0)").refuted() == {
        "AZ602": [
            "N=2: B[0], which is written at (0,0), is overwritten in cell B[0] by B[1], at (0,1), and lost at the end"
        ]
    }


def test_an_output_overwritten_by_another_variable() -> None:
    lost = two().memory("C", None, "B").refuted()
    assert lost == {
        "AZ602": [
            "N=1: B[0], which is written at (0,0), is overwritten in cell B[0] by C[0], at (1,0), and lost at the end"
        ]
    }


def test_an_input_is_overwritten_after_its_last_read_only() -> None:
    assert two().memory("C", None, "A").report().is_proved is False
    forward = Mapped(TWO.replace("A[N-1-i]", "A[i]")).time("B", "(i -> 0,i)").time("C", "(i -> 1,i)")
    assert forward.memory("C", None, "A").report().is_proved
    assert forward.memory("B", None, "A").refuted() == {
        "AZ603": [
            "N=1: C[0], at (1,0), reads A[0], which is there from the start, but B[0], at (0,0), overwrites its cell "
            "A[0], in between"
        ]
    }


def test_two_inputs_in_one_cell() -> None:
    program = TWO.replace("int A {i | 0<=i<N};", "int A {i | 0<=i<N};\n  int D {i | 0<=i<N};").replace(
        "A[N-1-i]", "D[i]"
    )
    shared = Mapped(program).time("B,C", "(i -> i)").memory("D", None, "A").refuted()
    assert shared["AZ701"] == [
        "N=1: A[0], at the start, and D[0], at the start, write cell A[0], unordered: both at the start"
    ]
    assert len(shared["AZ603"]) == 2
    apart = Mapped(program).time("B,C", "(i -> i)").memory("D", "(i -> N+i)", "A")
    assert apart.report().is_proved


# --- M4 --------------------------------------------------------------------------------------------------


def test_unordered_writes_of_values_that_nobody_reads_are_a_race() -> None:
    program = Mapped(UNREAD).time("B,C,X", "(i -> i)").kind("0", "P").memory("X", "(i -> 0)")
    assert program.refuted() == {
        "AZ701": ["N=2: X[0], at (0), and X[1], at (1), write cell X[0], unordered: dimension 0 is parallel"]
    }
    assert Mapped(UNREAD).time("B,C,X", "(i -> i)").memory("X", "(i -> 0)").report().is_proved


# --- sharing ---------------------------------------------------------------------------------------------


def test_disjoint_cells_of_one_space() -> None:
    assert two().memory("B", "(i -> 2i)", "s").memory("C", "(i -> 2i+1)", "s").report().is_proved
    assert two().memory("B", "(i -> i)", "s").memory("C", "(i -> N+i)", "s").report().is_proved


def test_disjoint_lifetimes_in_one_space() -> None:
    """X is used up, row by row, before Y comes to live there."""
    program = """
affine S {N | N>=1}
input
  int A {i | 0<=i<N};
output
  int B {i | 0<=i<N};
local
  int X {i | 0<=i<N};
  int Y {i | 0<=i<N};
let
  X[i] = A[i] + 1;
  Y[i] = X[i] * 2;
  B[i] = Y[i] + 3;
.
"""
    apart = Mapped(program).time("X", "(i -> 0,i)").time("Y", "(i -> 1,i)").time("B", "(i -> 2,i)")
    assert apart.memory("Y", None, "X").report().is_proved
    assert apart.memory("Y", "(i -> N-1-i)", "X").refuted()["AZ601"] == [
        "N=2: Y[1], at (1,1), reads X[1], which is written at (0,1), but Y[0], at (1,0), overwrites its cell X[1], "
        "in between"
    ]
    both = apart.memory("Y", "(i -> 0)", "X").memory("X", "(i -> 0)")
    chained = both.time("X", "(i -> i,0)").time("Y", "(i -> i,1)").time("B", "(i -> i,2)")
    assert chained.report().is_proved
    assert not chained.kind("0", "P").report().is_proved


# --- aliases ---------------------------------------------------------------------------------------------


def test_a_copy_onto_its_own_cell_is_dropped() -> None:
    """B[i] = X[N-1,i] lives where X's row lives; whoever needs B needs X."""
    alias = stencil().time("X", "(t,i -> t,-i)").memory("X", "(t,i -> i)", "B")
    report = alias.report()
    assert report.is_proved
    assert report.mapping is not None
    assert report.mapping.aliases.whole_variables == {"B"}
    assert [s.name for s in report.mapping.statements] == ["X"]
    assert alias.codes() == ["AZ410"]


def test_what_is_read_through_a_copy_must_survive() -> None:
    lost = stencil().memory("X", "(t,i -> i)", "B").refuted()
    assert set(lost) == {"AZ601"}
    late = stencil().time("X", "(t,i -> -t,-i)").memory("X", "(t,i -> i)", "B").refuted()
    assert late["AZ602"][0].startswith("N=3: X[2,0] (the output B[0]), which is written at (-2,0), is overwritten")


def test_a_copy_onto_another_cell_is_none() -> None:
    shifted = stencil().memory("X", "(t,i -> t,i)").memory("B", "(i -> N-1,i)", "X")
    assert shifted.codes() == ["AZ410"]
    assert stencil().memory("B", "(i -> N-2,i)", "X").codes() != ["AZ410"]


def test_copies_of_copies_are_read_through() -> None:
    program = TWO.replace("A[i] + 1", "C[i]").replace("A[N-1-i] + 2", "A[i]")
    design = Mapped(program).memory("B", None, "A").memory("C", None, "A")
    report = design.time("B,C", "(i -> -i)").report()
    assert report.is_proved
    assert report.mapping is not None
    assert report.mapping.aliases.whole_variables == {"B", "C"}
    assert report.mapping.statements == ()


def test_a_copy_between_types_is_none() -> None:
    program = TWO.replace("int A", "short A").replace("A[i] + 1", "A[i]")
    assert Mapped(program).time("B,C", "(i -> i)").memory("B", None, "A").codes() == ["AZ411"]


# --- tiling ----------------------------------------------------------------------------------------------


def test_the_stencil_is_tiled_after_skewing_or_with_reads_backwards_only() -> None:
    assert stencil().band(0, 1).report().is_proved
    forward = (
        Mapped(STENCIL.replace("X[t-1,i-1]", "X[t-1,i-1] + X[t-1,i]"))
        .time("X", "(t,i -> t,-i)")
        .time("B", "(i -> N,i)")
    )
    assert forward.band(0, 1).refuted()["AZ702"][0] == (
        "N=3: X[1,1], at (1,-1), reads X[0,0], which is written at (0,0), unordered: tiling of dimensions 0..1 may put "
        "the second in an earlier tile (dimension 1 goes from 0 back to -1)"
    )


def test_a_parallel_dimension_is_tiled_only_where_nothing_crosses_it() -> None:
    assert stencil().kind("1", "P").report().is_proved
    assert "tiles that run in parallel (dimension 1)" in stencil().kind("1", "P").band(0, 1).refuted()["AZ702"][0]


def test_tiling_breaks_an_anti_order_that_the_flow_does_not_need() -> None:
    """All values flow forward, so tiling is legal with memory for all; two rows rely on the order of the row loop."""
    assert stencil().band(0, 1).report().is_proved
    folded = stencil().memory("X", "(t,i -> t,i)", moduli=[2, 0])
    assert folded.report().is_proved
    broken = folded.band(0, 1).refuted()
    assert set(broken) == {"AZ702"}
    assert broken["AZ702"] == [
        "N=3: X[1,1], at (1,1), reads X[0,0], which is written at (0,0), but X[2,0], at (2,0), overwrites its cell "
        "X[0,0], unordered with the reading: tiling of dimensions 0..1 may put the second in an earlier tile "
        "(dimension 1 goes from 1 back to 0)"
    ]


def test_an_ordering_dimension_that_leads_a_band_stands_outside() -> None:
    nests = two().kind("0", "O").time("B", "(i -> 0,-i)")
    assert nests.band(0, 1).report().is_proved


def test_an_ordering_dimension_inside_a_band_orders_one_tile_only() -> None:
    program = UNREAD.replace("A[i] + 1", "X[i]").replace("X[i] = A[i]", "X[i] = A[i] + 7")
    inside = (
        Mapped(program).time("X", "(i -> i,0,i)").time("B", "(i -> i,1,i)").time("C", "(i -> i,2,0)").kind("1", "O")
    )
    assert inside.band(0, 2).report().is_proved
    back = inside.time("B", "(i -> i,1,i-1)")
    assert back.report().is_proved
    assert back.band(0, 2).refuted()["AZ702"] == [
        "N=1: B[0], at (0,1,-1), reads X[0], which is written at (0,0,0), unordered: tiling of dimensions 0..2 may put "
        "the second in an earlier tile (dimension 2 goes from 0 back to -1)"
    ]


def test_bands_are_asked_again_only_where_the_order_without_them_is_proved() -> None:
    wrong = stencil().time("X", "(t,i -> -t,i)").band(0, 1)
    asked = [(r.claim, r.rule.code, type(r.verdict).__name__) for r in wrong.report().results]
    refuted = {claim for claim, code, verdict in asked if verdict == "Refuted" and code != "AZ702"}
    again = {claim.removesuffix(", for all tile sizes") for claim, code, _ in asked if code == "AZ702"}
    assert refuted
    assert again
    assert not refuted & again
