"""Names of programs as C identifiers."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.c.alphaz_header import runtime_functions
from alphaz.codegen.c.names import RESERVED, Identifiers, identifier
from alphaz.codegen.wrapper import main_template as wrapper_text
from alphaz.codegen.wrapper import npy as wrapper_npy

TEXTS = st.text(alphabet="abxn27_'-f5é", min_size=1, max_size=9)


@pytest.mark.parametrize("name", ["i", "N", "SR_M", "_tmp".strip("_"), "temp2", "stride", "tot"])
def test_ordinary_names_stay(name: str) -> None:
    assert identifier(name) == name


@pytest.mark.parametrize("name", ["double", "main", "y0", "j1", "div", "int64_t", "INT_MAX", "min_double", "floor_div"])
def test_what_c_knows_already_is_renamed(name: str) -> None:
    assert identifier(name) == f"{name}_"
    assert identifier(f"{name}_") == f"{name}__"


def test_other_characters_are_spelt() -> None:
    assert identifier("i'") == "i_x27_"
    assert identifier("2mm") == "n_2mm"
    assert identifier("jacobi-1d") == "jacobi_x2d_1d"


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(TEXTS | st.sampled_from(sorted(RESERVED)), TEXTS)
def test_different_names_get_different_identifiers(left: str, right: str) -> None:
    for other in (right, identifier(left), left + "_", f"n_{left}"):
        if other != left:
            assert identifier(other) != identifier(left)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_the_result_is_an_identifier_that_is_free(name: str) -> None:
    result = identifier(name)
    assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", result)
    assert result not in RESERVED


def test_generated_names_avoid_the_program() -> None:
    names = Identifiers(["sum", "sum_2", "i"])
    assert [names.new("sum"), names.new("sum"), names.new("j")] == ["sum_3", "sum_4", "j"]
    inner = names.copy()
    assert inner.new("k") == "k"
    assert names.new("k") == "k"


def test_what_wrappers_define_is_renamed() -> None:
    texts = [value for part in (wrapper_npy, wrapper_text) for value in vars(part).values()]
    found = [re.findall(r"(?m)^static [\w ]*?\**(\w+)\(|^\} (\w+);", text) for text in texts if isinstance(text, str)]
    defined = {name for pairs in found for pair in pairs for name in pair if name}
    assert (defined | runtime_functions().keys()) - RESERVED == set()
    assert len(defined) > 20


@pytest.mark.parametrize("name", ["new", "class", "this", "template"])
def test_headers_are_for_cpp_too(name: str) -> None:
    assert identifier(name) == f"{name}_"
