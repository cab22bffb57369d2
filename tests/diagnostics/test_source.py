"""Places in source texts."""

import pytest

from alphaz.diagnostics import Source

TEXT = Source("kernel.c", "int a\fb;\n\nsum_1 += 2;")


@pytest.mark.parametrize(
    ("line", "column", "text"),
    [(1, 1, "int"), (3, 1, "sum_1"), (3, 7, "+"), (3, 0, "sum_1"), (2, 1, ""), (9, 1, "")],
)
def test_the_word_at_a_place(line: int, column: int, text: str) -> None:
    """A form feed ends no line."""
    assert TEXT.word_at(line, column).text == text
