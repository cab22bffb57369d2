"""The C printer: the text means what the tree means."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.c import tree as c
from alphaz.c.printer import comment_lines, expression_text, function_text, statements_text

a, b, d = c.Name("a"), c.Name("b"), c.Name("d")


def test_no_more_parentheses_than_needed() -> None:
    assert expression_text(c.Binary("-", c.Binary("-", a, b), d)) == "a - b - d"
    assert expression_text(c.Binary("-", a, c.Binary("-", b, d))) == "a - (b - d)"
    assert expression_text(c.Binary("*", c.Binary("+", a, b), d)) == "(a + b) * d"
    assert expression_text(c.Index(a, c.Binary("+", b, d))) == "a[b + d]"
    assert expression_text(c.Unary("*", c.Index(a, b))) == "*a[b]"
    assert expression_text(c.Index(c.Unary("*", a), b)) == "(*a)[b]"
    assert expression_text(c.Cast(c.Scalar("float"), c.Binary("*", a, b))) == "(float)(a * b)"


def test_what_people_mix_up_is_told_apart() -> None:
    assert expression_text(c.Binary("||", c.Binary("&&", a, b), d)) == "(a && b) || d"
    assert expression_text(c.Binary("==", c.Binary("<", a, b), d)) == "(a < b) == d"
    assert expression_text(c.Unary("-", c.Unary("-", a))) == "-(-a)"
    assert expression_text(c.Unary("-", c.Literal("-1"))) == "-(-1)"


def test_conditions_nest_to_the_right() -> None:
    inner = c.Ternary(b, a, d)
    assert expression_text(c.Ternary(a, b, inner)) == "a ? b : b ? a : d"
    assert expression_text(c.Ternary(inner, b, d)) == "(b ? a : d) ? b : d"


def test_a_comment_cannot_end_itself() -> None:
    lines = list(comment_lines("a */ b /* c"))
    assert lines == ["/* a * / b / * c */"]
    assert list(comment_lines("one\ntwo")) == ["/* one", " * two", " */"]


def test_long_statements_are_folded_outside_parentheses() -> None:
    term = c.Call("f", tuple(c.Name(f"argument_{at}") for at in range(4)))
    total: c.Expression = term
    for _ in range(4):
        total = c.Binary("+", total, term)
    lines = statements_text([c.Assign(a, total)]).splitlines()
    assert len(lines) == 5
    assert all(line.strip().startswith("+ f(") for line in lines[1:])
    assert " ".join(line.strip() for line in lines) == f"a = {expression_text(total)};"


def test_ifs_chain() -> None:
    statement = c.If(a, (c.Return(b),), (c.If(b, (c.Return(d),), (c.Return(a),)),))
    expected = "if (a) {\n    return b;\n} else if (b) {\n    return d;\n} else {\n    return a;\n}\n"
    assert statements_text([statement]) == expected


def test_a_directive_is_indented_as_what_it_is_about() -> None:
    body = (c.Block((c.Pragma("once"), c.Return())),)
    assert "\n        #pragma once\n        return;\n" in function_text(c.Function(c.VOID, "f", (), body))


def test_a_long_directive_says_that_it_goes_on() -> None:
    """However deep it stands."""
    body: tuple[c.Statement, ...] = (c.Pragma(f"omp simd reduction(+:{', '.join(['total'] * 16)})"),)
    for _ in range(6):
        body = (c.Block(body),)
    lines = function_text(c.Function(c.VOID, "f", (), body)).splitlines()
    assert max(map(len, lines)) <= 110
    (at,) = (at for at, line in enumerate(lines) if "#pragma" in line)
    assert lines[at].endswith("\\")
    assert not lines[at + 1].endswith("\\")


_OPERATORS = st.sampled_from(["+", "-", "*", "%"])
_EXPRESSIONS = st.recursive(
    st.integers(0, 9).map(lambda n: c.Literal(str(n))),
    lambda inner: st.one_of(st.builds(c.Binary, _OPERATORS, inner, inner), st.builds(lambda e: c.Unary("-", e), inner)),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(_EXPRESSIONS)
def test_the_text_parses_to_the_tree(expression: c.Expression) -> None:
    """C and Python agree on the precedence of these operators."""
    assert ast.dump(ast.parse(expression_text(expression), mode="eval").body) == ast.dump(_python(expression))


def _python(expression: c.Expression) -> ast.expr:
    operators = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "%": ast.Mod}
    match expression:
        case c.Literal(text):
            return ast.Constant(int(text))
        case c.Unary(_, operand):
            return ast.UnaryOp(ast.USub(), _python(operand))
        case c.Binary(operator, left, right):
            return ast.BinOp(_python(left), operators[operator](), _python(right))
    raise AssertionError(expression)


def test_deep_statements_stay_within_the_width() -> None:
    """However deep they stand, outside of brackets as long as there is such a place."""
    index = c.Binary("+", c.Binary("*", c.Name("a_row"), c.Name("its_length")), c.Name("a_column"))
    product = c.Binary("*", c.Index(c.Name("packed_A"), index), c.Index(c.Name("packed_B"), index))
    body: tuple[c.Statement, ...] = (c.Comment("A comment of many words. " * 6), c.Assign(c.Name("sum"), product, "+="))
    for _ in range(12):
        body = (c.counted(c.INT64, "i", a, c.Binary("<", c.Name("i"), b), c.Literal("1"), body),)
    lines = function_text(c.Function(c.VOID, "f", (), body)).splitlines()
    assert max(map(len, lines)) <= 110
    written = [line.strip() for line in lines if "packed" in line]
    assert written == ["sum += packed_A[a_row * its_length + a_column]", "* packed_B[a_row * its_length + a_column];"]


def test_nests_of_any_depth_are_printed() -> None:
    long = c.Call("f", tuple(c.Name(f"argument_{at}") for at in range(12)))
    inside: c.Statement = c.Assign(a, long)
    for _ in range(60):
        inside = c.If(b, (c.Comment("deep " * 30), inside))
    text = statements_text([inside])
    assert text.count("if (b) {") == 60
    assert text.count("{") == text.count("}")
