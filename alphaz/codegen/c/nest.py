"""Loop trees in C."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.about import without
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.hoisting import CONSTANT, INDEX, one_by_one
from alphaz.codegen.c.integers import in_c, integer
from alphaz.loops.modes import SEQUENTIAL, Mode, Parallel
from alphaz.loops.tree import (
    Block,
    Call,
    Combine,
    Critical,
    Dates,
    For,
    If,
    Initialise,
    Let,
    Merge,
    Node,
    Pack,
    Region,
    in_row,
)
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, Number

Body = Callable[[str, tuple[Integer, ...]], tuple[c.Statement, ...]]

# Writes a node in another way than as loops of statements, or does not (None).
Special = Callable[[Node], tuple[c.Statement, ...] | None]
# The mode of a loop with this body.
ModeOf = Callable[[For, Sequence[c.Statement]], Mode]


def as_it_is(_: Node) -> None:
    """Nothing is special."""
    return


def loops_in_c(
    node: Node, names: Mapping[str, Affine], body: Body, special: Special = as_it_is
) -> tuple[c.Statement, ...]:
    """The statements of the tree; `names` says what parameters are in C, `body` writes the statement of a call."""

    def number(value: Integer) -> c.Expression:
        return integer(in_c(value, names))

    if (already := special(node)) is not None:
        return already
    match node:
        case For():
            return (loop_in_c(node, names, body, special, mode_of),)
        case Merge(body=inner) | Pack(body=inner):
            return loops_in_c(inner, names, body, special)
        case Let(iterator, _, value, inner):
            written = _scope(loops_in_c(inner, names, body, special))
            return _where(c.Declare(CONSTANT, iterator, number(value)), written)
        case If():
            return _chosen(node, names, body, special)
        case Block():
            return one_by_one([loops_in_c(child, names, body, special) for child in in_row(node)])
        case Region(inner):
            return (c.Region(loops_in_c(inner, names, body, special)),)
        case Critical(inner):
            return (c.Critical(loops_in_c(inner, names, body, special)),)
        case Call(name, arguments):
            return body(name, tuple(in_c(a, names) for a in arguments))
        case Dates() | Initialise() | Combine():
            raise AssertionError("dates are scanned before they are written, and memory is that of somebody")


def _chosen(node: If, names: Mapping[str, Affine], body: Body, special: Special) -> tuple[c.Statement, ...]:
    test = in_c(node.condition, names)
    if isinstance(test, Number):
        chosen = node.then if test.value else node.otherwise
        return () if chosen is None else loops_in_c(chosen, names, body, special)
    second = () if node.otherwise is None else _scope(loops_in_c(node.otherwise, names, body, special))
    asked = integer(test)
    return (c.If(asked, _scope(loops_in_c(node.then, names, body, special)), _where_not(asked, second)),)


def _where_not(test: c.Expression, body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """What is done where a test has failed: nothing of what stands under the same test again."""
    match body:
        case (c.If(condition, _, otherwise),) if condition == test:
            return _where_not(test, otherwise)
        case (c.If() as other,):
            return (replace(other, otherwise=_where_not(test, other.otherwise)),)
    return body


def loop_in_c(loop: For, names: Mapping[str, Affine], body: Body, special: Special, mode: ModeOf) -> c.For:
    """A loop that is not special, in the mode that its body lets it have."""
    written = _scope(loops_in_c(loop.body, names, body, special))
    return loop_around(loop, names, written, mode(loop, written))


def innermost_body(loop: For, names: Mapping[str, Affine], body: Body) -> tuple[c.Statement, ...]:
    """What stands in a loop that has no loops inside."""
    return _scope(loops_in_c(loop.body, names, body))


def loop_around(
    loop: For, names: Mapping[str, Affine], body: tuple[c.Statement, ...], mode: Mode = SEQUENTIAL
) -> c.For:
    """The same loop, around this body."""

    def number(value: Integer) -> c.Expression:
        return integer(in_c(value, names))

    condition = c.Binary(loop.comparison, c.Name(loop.iterator), number(loop.bound))
    return c.For(INDEX, loop.iterator, number(loop.first), condition, number(loop.step), body, mode)


def where_it_runs(loop: For, names: Mapping[str, Affine], body: tuple[c.Statement, ...]) -> c.Statement:
    """What is done around the loop as well, and only where it has an iteration."""
    if loop.runs:
        return c.Block(body)
    first, end = (integer(in_c(value, names)) for value in (loop.first, loop.bound))
    return c.If(c.Binary(loop.comparison, first, end), body)


def counting(iterator: str, count: c.Expression, body: tuple[c.Statement, ...]) -> c.For:
    """A loop from 0 to the count, that one left out."""
    return c.For(INDEX, iterator, c.ZERO, c.Binary("<", c.Name(iterator), count), c.Literal("1"), body)


def mode_of(loop: For, body: Sequence[c.Statement]) -> Mode:
    """A body that may set the status, which is an atomic operation, is not done in vectors."""
    if loop.mode == SEQUENTIAL or STATUS.name not in c.names_used(body):
        return loop.mode
    return replace(loop.mode, vector=False) if isinstance(loop.mode, Parallel) else SEQUENTIAL


def _where(declared: c.Declare, body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """A name has a value in the body, if it is used there."""
    if declared.name in c.names_used(body):
        return (c.Block((declared, *body)),)
    return without(body, [declared])


def _scope(body: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
    """What stands in braces anyway needs none of its own."""
    match body:
        case (c.Block(inner),):
            return inner
    return body
