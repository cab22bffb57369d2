"""Random trees: the text of each parses to the tree."""

import pytest
from hypothesis import given, settings

from alphaz.c import tree as c
from alphaz.c.printer import declaration, expression_text, file_text, statements_text
from tests.c.trees import EXPRESSIONS, FILES, STATEMENTS, TYPES, inside, read

pytestmark = pytest.mark.slow


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS)
def test_expressions(expression: c.Expression) -> None:
    (statement,) = inside(f"return {expression_text(expression)};")
    assert statement == c.Return(expression)


@settings(max_examples=300, deadline=None)
@given(TYPES)
def test_declarators(type_: c.Type) -> None:
    (item,) = read(f"typedef {declaration(type_, 'name')};").items
    assert item == c.Typedef(type_, "name")


@settings(max_examples=100, deadline=None)
@given(STATEMENTS)
def test_statements(statement: c.Statement) -> None:
    assert inside(statements_text([statement])) == (statement,)


@settings(max_examples=40, deadline=None)
@given(FILES)
def test_random_files_read_back(file: c.File) -> None:
    assert read(file_text(file)) == file
