"""Sets and functions are built without a text: they are what isl reads in the text."""

import contextlib

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.poly import (
    Affine,
    AffineFunction,
    Constraint,
    Domain,
    Formula,
    OutOfBudget,
    Piece,
    Space,
    at_least,
    budget,
    less,
)
from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.engine import CONTEXT, affine_text, mangle, tuple_text

SPACE = Space(("N", "max"), ("i", "and", "k'"))
NAMES = st.sampled_from((*SPACE.parameters, *SPACE.names))
NUMBERS = st.one_of(st.integers(-3, 3), st.sampled_from((10**30, -(2**63), 2**64)))
AFFINE = st.builds(Affine.of, st.lists(st.tuples(NAMES, NUMBERS), max_size=4), NUMBERS)
CONSTRAINT = st.builds(Constraint, AFFINE, st.booleans())


@pytest.mark.slow
@given(st.lists(st.lists(CONSTRAINT, max_size=3), max_size=3))
@settings(max_examples=60, deadline=None)
def test_a_set_is_that_of_its_text(conjunctions: list[list[Constraint]]) -> None:
    read = Formula(SPACE, (), (tuple(Piece(tuple(c)) for c in conjunctions),)).domain()
    assert Domain.where(SPACE, *conjunctions).equals(read)


@given(st.lists(AFFINE, max_size=3))
@settings(max_examples=60, deadline=None)
def test_a_function_is_that_of_its_text(outputs: list[Affine]) -> None:
    function = AffineFunction(SPACE, tuple(outputs))
    images = ", ".join(map(affine_text, outputs))
    read = isl.Map(f"{tuple_text(SPACE.parameters)} -> {{ {tuple_text(SPACE.names)} -> [{images}] }}", CONTEXT)
    assert function.to_map().is_equal(read)
    assert isl.Map.from_multi_aff(function.to_multi_aff()).is_equal(read)


def test_names_that_isl_would_misread_are_mangled() -> None:
    names = Domain.universe(SPACE).set.get_var_names(isl.dim_type.set)
    assert names == [mangle(n) for n in SPACE.names] != list(SPACE.names)


@pytest.mark.parametrize("operations", [1, 5, 20, 60, 150, 400, 1000, 3000])
def test_a_budget_that_ends_anywhere_is_out_of_budget_and_nothing_is_left_out(operations: int) -> None:
    space = Space(("N",), ("i", "j"))
    names = {n: Affine.name(n) for n in ("N", "i", "j")}
    triangle = [at_least(names["i"], 0), at_least(names["j"], names["i"]), less(names["j"], names["N"])]
    try:
        with budget(operations):
            domain = Domain.where(space, triangle)
            points = list(domain.points({"N": 12}))
            box = box_of(domain, {"N": 12})
    except OutOfBudget:
        return
    assert len(points) == 78
    assert box.shape == (12, 12)


def test_a_budget_that_ends_inside_a_text_is_no_syntax_error() -> None:
    """isl says so, where it has no operations left to read on; that was taken for a fault of alphaz."""
    text, message = "[N] -> { [i,j] -> [floor((i+2j)/3), j+i] : 0<=i<N and 0<=j<=i }", set()
    for operations in range(1, 1200, 7):
        with pytest.raises(OutOfBudget) as caught, budget(operations):
            isl.Map(text, CONTEXT)
        message.add("syntax error" in str(caught.value.__context__))
    assert message == {True, False}


def test_what_is_done_when_the_budget_is_used_up_is_not_believed() -> None:
    """Some of what isl is asked for is less then, and no error."""
    with pytest.raises(OutOfBudget), budget(50), contextlib.suppress(isl.Error):
        isl.Map("{ [i,j] -> [i+j] : 0<=i<9 and 0<=j<=i }", CONTEXT)
    assert not Domain.universe(SPACE).is_empty()


def test_other_errors_are_none_of_the_budget() -> None:
    with pytest.raises(isl.Error), budget(10_000):
        isl.Set("{ [i] : i < }", CONTEXT)
