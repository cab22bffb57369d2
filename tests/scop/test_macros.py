"""Macros of GNU C for minimum and maximum, as plain expressions."""

import pytest

from alphaz.scop.macros import with_plain_extremes

_MACRO = "#define m(a,b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })\n"


def test_a_macro_that_evaluates_its_operands_once_is_a_plain_extreme() -> None:
    text = _MACRO.replace(";", "; \\\n") + "int k;\n"
    plain = with_plain_extremes(text)
    assert " ".join(plain.replace("\\\n", "").split()) == "#define m(a,b) ((a) < (b) ? (a) : (b)) int k;"
    assert len(plain) == len(text)
    assert plain.index("int k") == text.index("int k")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("__typeof__(a)", "int"),
        ("? _a : _b", "? _a : _a"),
        ("= (b)", "= (a)"),
        ("_b", "_a"),
        ("(a", "(_a"),
        ("; })", "; }) + 1"),
        ("_a = (a)", "_a = (a + 1)"),
        ("\n", "\nint _a;\n"),
    ],
)
def test_macros_of_another_form_stay(old: str, new: str) -> None:
    text = _MACRO.replace(old, new)
    assert text != _MACRO
    assert with_plain_extremes(text) == text
