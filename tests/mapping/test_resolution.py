"""Resolving: what is executed, when, of which kind and where; and what is not well formed (M0)."""

import pytest

from alphaz.diagnostics import Rejected, Severity
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.mapping.target_mapping import DimensionKind
from tests.legality.mapped import Mapped

S, P, O = DimensionKind.SEQUENTIAL, DimensionKind.PARALLEL, DimensionKind.ORDERING  # noqa: E741

PROGRAM = """
affine S {N | N>=1}
input
  int A {i,k | 0<=i<N && 0<=k<N};
output
  int T;
local
  int R {i | 0<=i<N};
  int C {a | 0<=a<N};
  int Q {i | 0<=i<N};
let
  R[i] = reduce(+, (i,k -> i), {| 0<=k<N} : A[i,k]);
  C[a] = R[a] * 2;
  Q[i] = C[i] + reduce(max, [k], {| 0<=k<N} : A[i,k]);
  T = Q[N-1];
.
"""


def program() -> Mapped:
    return Mapped(PROGRAM)


def timed() -> Mapped:
    design = program().time("R", "(x,y -> 0,x,y)").time("C", "(i -> 1,i,0)").time("Q", "(i -> 2,i,0)")
    return design.time("T", "( -> 3,0,0)")


def resolved(design: Mapped) -> ResolvedMapping:
    return resolve(design.design, "S")


def rejected(design: Mapped) -> tuple[str, str]:
    """Code and message of the one error."""
    with pytest.raises(Rejected) as caught:
        resolved(design)
    (finding,) = caught.value.diagnostics
    assert finding.is_error
    assert finding.primary.span.text
    return finding.rule.code, finding.message


# --- statements ----------------------------------------------------------------------------------------------------


def test_the_number_of_indices_tells_body_from_result() -> None:
    by_body, by_result = resolved(timed()), resolved(timed().time("R", "(x -> 0,x,0)"))
    assert by_body.statement("R.body").role is Role.BODY
    assert by_result.statement("R").role is Role.VALUE
    assert by_result.dimensions == 3


def test_indices_are_called_as_in_the_program() -> None:
    body = resolved(timed()).statement("R.body")
    assert body.date.domain.names == body.domain.space.names == body.target.domain.names == ("i", "k")
    assert str(body.date) == "(i,k -> 0,i,k)"
    assert str(body.target) == "(i,k -> i)"
    assert str(resolved(timed()).statement("C").date) == "(a -> 1,a,0)"


def test_a_reduction_inside_an_expression_is_part_of_its_operation() -> None:
    assert resolved(timed()).statement("Q").role is Role.VALUE
    assert rejected(timed().time("Q", "(i,k -> 2,i,k)")) == (
        "AZ404", "the space-time map of Q has 2 indices; Q has 1"
    )  # fmt: skip


def test_a_body_may_have_a_date_of_initialisation() -> None:
    mapping = resolved(timed().time("R", "(x,y -> 0,x,y)", "(z -> 0,z,-1)"))
    init = mapping.statement("R.init")
    assert init.role is Role.INIT
    assert str(init.date) == "(i -> 0,i,-1)"
    assert ("R.init", "R.body") in mapping.before
    assert rejected(timed().time("C", "(i -> 1,i,0)", "(i -> 1,i,0)"))[0] == "AZ404"


def test_inputs_are_statements_when_they_are_given_dates() -> None:
    assert [s.name for s in resolved(timed()).statements] == ["T", "R.body", "C", "Q"]
    dated = resolved(timed().time("A", "(i,k -> -1,i,k)"))
    assert dated.statement("A").role is Role.INPUT
    assert dated.statement("A").equation is None


def test_defaults_are_padded_and_noted() -> None:
    mapping = resolved(program().time("R", "(x,y -> 0,x,y)").time("T", "( -> 3,0,0)"))
    assert str(mapping.statement("C").date) == "(a -> a,0,0)"
    assert [(n.rule.code, n.message) for n in mapping.notes] == [
        ("AZ409", "C has no space-time map and gets (a -> a,0,0)"),
        ("AZ409", "Q has no space-time map and gets (i -> i,0,0)"),
    ]
    assert all(n.rule.severity is Severity.NOTE for n in mapping.notes)


def test_without_any_map_the_largest_variable_gives_the_length() -> None:
    assert resolved(program().memory("R", "(i -> i)")).dimensions == 1


def test_given_maps_agree_in_length() -> None:
    assert rejected(timed().time("C", "(i -> 1,i)")) == (
        "AZ411", "the space-time map of C has 2 dimensions, that of R has 3"
    )  # fmt: skip
    assert rejected(timed().time("A", "(i,k -> i,k)"))[0] == "AZ411"


def test_a_default_is_never_shortened() -> None:
    text = PROGRAM.replace("int C {a | 0<=a<N}", "int C {a,b | 0<=a<N && b==0}").replace("C[a]", "C[a,b]")
    design = Mapped(text.replace("C[i]", "C[i,0]"))
    assert rejected(design.time("R", "(x -> x)").time("Q", "(x -> x)").time("T", "( -> 0)"))[0] == "AZ411"


# --- kinds ---------------------------------------------------------------------------------------------------------


def test_kinds_are_given_by_variable_and_by_prefix() -> None:
    mapping = resolved(timed().kind("0", "O").kind("0", "P", prefix=[1]).kind("2", "P", "Q"))
    assert mapping.statement("R.body").kinds == (O, S, S)
    assert mapping.statement("C").kinds == (O, P, S)
    assert mapping.statement("Q").kinds == (O, S, P)


def test_later_kinds_win() -> None:
    assert resolved(timed().kind("1", "P").kind("1", "S")).statement("C").kinds == (S, S, S)


def test_kinds_differ_only_below_an_ordering_dimension_that_separates() -> None:
    assert rejected(timed().kind("1", "P", "C")) == (
        "AZ411",
        "dimension 1 is SEQUENTIAL for T and PARALLEL for C, and no ordering dimension above it separates them",
    )
    assert resolved(timed().kind("0", "O").kind("1", "P", "C")).statement("C").kinds == (O, P, S)
    together = timed().time("C", "(i -> 2,i,1)").kind("0", "O").kind("1", "P", "C")
    assert rejected(together)[1].startswith("dimension 1 is PARALLEL for C and SEQUENTIAL for Q")


def test_an_ordering_that_is_not_constant_is_sequential() -> None:
    mapping = resolved(timed().kind("0,1", "O"))
    assert mapping.statement("C").kinds == (O, S, S)
    assert mapping.statement("T").kinds == (O, O, S)
    warnings = [n for n in mapping.notes if n.rule.code == "AZ408"]
    assert len(warnings) == 3
    assert warnings[0].rule.severity is Severity.WARNING
    assert "its value i is not constant" in warnings[0].message


def test_dimensions_that_do_not_exist() -> None:
    assert rejected(timed().kind("3", "P")) == ("AZ411", "there is no dimension 3: the dates have 3, counted from 0")
    assert rejected(timed().kind("0", "O").kind("2", "P", prefix=[1]))[1] == (
        "there is no dimension 2: the dates have 2 below the prefix (1), counted from 0"
    )


def test_a_prefix_that_nothing_has_is_a_warning() -> None:
    notes = resolved(timed().kind("0", "O").kind("0", "P", prefix=[9])).notes
    assert [(n.rule.code, n.message) for n in notes] == [
        ("AZ408", "there is no statement below the ordering prefix (9) to be made PARALLEL")
    ]


# --- ordering ------------------------------------------------------------------------------------------------------


def test_the_statement_ordering_is_closed_and_reaches_all_statements_of_a_variable() -> None:
    mapping = resolved(timed().time("R", "(x,y -> 0,x,y)", "(z -> 0,z,-1)").order("R", "C", "Q"))
    assert mapping.before == {
        ("R.init", "R.body"), ("R.init", "C"), ("R.body", "C"), ("C", "Q"), ("R.init", "Q"), ("R.body", "Q"),
    }  # fmt: skip


def test_a_cycle_is_named() -> None:
    assert rejected(timed().order("R", "C", "Q", "R")) == (
        "AZ411", "the statement ordering has a cycle: C before Q before R.body before C"
    )  # fmt: skip
    assert rejected(timed().order("C", "C"))[1] == "the statement ordering has a cycle: C before C"
    assert rejected(timed().order("C", "X"))[0] == "AZ403"


def test_a_dropped_copy_still_passes_order_on() -> None:
    text = PROGRAM.replace("C[a] = R[a] * 2", "C[a] = R[a]")
    mapping = resolved(
        Mapped(text).time("R,Q", "(x -> x)").time("T", "( -> N)").memory("C", None, "R").order("R", "C", "Q")
    )
    assert mapping.aliases.whole_variables == {"C"}
    assert mapping.before == {("R", "Q")}


# --- memory --------------------------------------------------------------------------------------------------------


def test_cells_default_to_the_identity_in_a_space_of_their_own() -> None:
    cells = resolved(timed().memory("C", None, "R").memory("Q", "(x -> 0,x)", "s", [0, 3])).cells
    assert set(cells) == {"A", "T", "R", "C", "Q"}
    assert (cells["R"].space, str(cells["R"].function)) == ("R", "(i -> i)")
    assert (cells["C"].space, str(cells["C"].function), cells["C"].moduli) == ("R", "(a -> a)", (0,))
    assert (cells["Q"].space, str(cells["Q"].function), cells["Q"].moduli) == ("s", "(i -> 0,i)", (0, 3))


def test_variables_of_one_space_agree() -> None:
    assert rejected(timed().memory("C", None, "A"))[1] == (
        "the variables of memory space A have different dimensions: 2 for A, 1 for C"
    )
    other = Mapped(PROGRAM.replace("int C", "double C")).memory("C", None, "R")
    assert rejected(other) == (
        "AZ411", "the variables of memory space R have different types: int for R, double for C"
    )  # fmt: skip


def test_memory_maps_have_the_indices_of_their_variable() -> None:
    assert rejected(timed().memory("C", "(i,j -> i)"))[0] == "AZ404"
    assert rejected(timed().memory("C", "(i -> i)", moduli=[1, 2]))[0] == "AZ404"


# --- bands ---------------------------------------------------------------------------------------------------------


def test_leading_ordering_dimensions_separate_nests() -> None:
    bands = resolved(timed().kind("0", "O").band(0, 2)).bands
    assert [(b.prefix, b.start, b.end, b.sizes) for b in bands] == [((v,), 0, 1, ((None, None),)) for v in range(4)]
    assert [b.prefix for b in resolved(timed().band(0, 2)).bands] == [()]


def test_bands_fit_the_dates() -> None:
    assert rejected(timed().band(1, 3))[1] == "there is no band 1..3: the dates have 3 dimensions, counted from 0"
    assert rejected(timed().kind("0", "O").band(0, 2, prefix=[1]))[0] == "AZ411"
    assert rejected(timed().band(0, 1, prefix=[1]))[1] == (
        "the prefix of the band covers dimensions of C that are not of kind ORDERING"
    )


def test_bands_are_apart_or_nested() -> None:
    assert rejected(timed().band(0, 1).band(1, 2))[1] == "bands 1..2 and 0..1 overlap, and neither is inside the other"
    assert len(resolved(timed().band(0, 2).band(1, 2)).bands) == 2
    assert len(resolved(timed().band(0, 0).band(1, 2)).bands) == 2


def test_a_band_of_ordering_dimensions_tiles_nothing() -> None:
    mapping = resolved(timed().kind("0", "O").band(0, 0))
    assert mapping.bands == ()
    assert [n.rule.code for n in mapping.notes] == ["AZ408"]
