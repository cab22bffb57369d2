"""What was combined into a cell, from its last value back to where the sum began."""

from collections.abc import Iterator

from alphaz.c_reading.kernel import Statement
from alphaz.c_reading.tree import Tree
from alphaz.verify.c.matching import parts_of
from alphaz.verify.c.trace import Equations, Link, name_of


def links(chain: Link) -> Iterator[Link]:
    link: Link | None = chain
    while link is not None:
        yield link
        link = link.before


def parts(
    link: Link, operator: str, equations: Equations, in_order: bool = False
) -> tuple[bool, list[tuple[int, int]]]:
    """Whether a statement adds to its own cell, and the names of what it combines, with signs."""
    is_update, found = combined(link.statement, operator, in_order)
    return is_update, [(sign, name_of(tree, link, equations)) for sign, tree in found]


def combined(statement: Statement, operator: str, in_order: bool = False) -> tuple[bool, list[tuple[int, Tree]]]:
    """Whether a statement adds to its own cell, and what it combines, with signs."""
    return parts_of(statement.value, operator, own_read(statement), statement.target.array.type, in_order)


def own_read(statement: Statement) -> int | None:
    """The number of the read of the cell that is written."""
    return next((at for at, each in enumerate(statement.reads) if each.same_cell(statement.target)), None)
