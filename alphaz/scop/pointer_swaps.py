"""Pointers swapped at the end of each step: the parity of the step determines their targets.

for (int t = 0; t < T; t++) {                for (int t = 0; t < T; t++) {
    .. p .. q ..                                 if ((t - 0) % 2 == 0) { .. p .. q .. }
    double *r = p; p = q; q = r;                 else { .. q .. p .. }
}                                            }
.. p .. q ..                                 if ((T - 0 > 0 ? T - 0 : 0) % 2 == 0) { .. p .. q .. }
                                             else { .. q .. p .. }
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pycparser import c_ast

from alphaz.scop.idioms import items
from alphaz.scop.pycparser_queries import nodes
from alphaz.scop.substitution import count, is_steady, names_in, substitute_names, touched


def parities(statements: Sequence[Any], definition: Any) -> list[Any]:
    """Returns the statements of a function's body without pointers that a loop among them swaps in each step."""
    for at, statement in enumerate(statements):
        is_alone = isinstance(statement, c_ast.For) and not (at and isinstance(statements[at - 1], c_ast.Pragma))
        unswapped = _unswapped(statement, statements[at + 1 :], definition) if is_alone else None
        if unswapped is not None:
            return [*statements[:at], *parities(unswapped, definition)]
    return list(statements)


def _unswapped(loop: Any, behind: Sequence[Any], definition: Any) -> list[Any] | None:
    """Returns the loop and the statements after it; None if it swaps nothing, or its form is not supported."""
    *before, first, second, third = items(loop.stmt) if len(items(loop.stmt)) > 3 else [None] * 4
    pair = _swapped_pointers(first, second, third)
    start, end = start_of(loop), _end(loop)
    if pair is None or start is None or end is None:
        return None
    one, other, spare = pair
    name, value = start
    body = c_ast.Compound(before, loop.stmt.coord)
    names_used = {name, *names_in(value), *names_in(end)}
    # The two change nowhere else, and the temporary is not used; the number of steps is that before the first swap.
    declared = isinstance(first, c_ast.Decl)
    if count(definition.body, spare) != (1 if declared else 2):
        return None
    if (
        not is_steady({one, other, *names_used}, body)
        or {one, other, spare} & touched([*behind])
        or {one, other, spare} & names_used
    ):
        return None
    if any(_changes(node, {one, other}) for node in nodes(definition.body, c_ast.Assignment | c_ast.UnaryOp)
           if node is not second and node is not third):  # fmt: skip
        return None
    own = c_ast.ID(name, loop.coord)
    loop.stmt = c_ast.Compound([_either(_difference(own, value), before, one, other)], loop.stmt.coord)
    tail = [statement for statement in behind if names_in(statement) & {one, other}]
    if not tail:
        return [loop, *behind]
    if names_used & touched(behind) or any(isinstance(statement, c_ast.Decl | c_ast.Pragma) for statement in behind):
        return None
    released = [statement for statement in behind if _is_free(statement)]
    remaining = [statement for statement in behind if not any(statement is free for free in released)]
    last = [
        statement
        for statement in remaining[-1:]
        if isinstance(statement, c_ast.Return) and not names_in(statement) & {one, other}
    ]
    if {n for statement in released for n in names_in(statement.args)} & {one, other} not in (set(), {one, other}):
        return None
    steps = _difference(end, value)
    zero = c_ast.Constant("int", "0", loop.coord)
    whole = c_ast.TernaryOp(c_ast.BinaryOp(">", steps, zero, loop.coord), steps, zero, loop.coord)
    rest = remaining[: len(remaining) - len(last)]
    return [loop, *([_either(whole, rest, one, other)] if rest else []), *released, *last]


def _either(steps: Any, statements: Sequence[Any], one: str, other: str) -> Any:
    """Returns these statements for an even number of steps, else with both pointers exchanged."""
    turned = {one: c_ast.ID(other, steps.coord), other: c_ast.ID(one, steps.coord)}
    two, zero = (c_ast.Constant("int", text, steps.coord) for text in "20")
    is_even = c_ast.BinaryOp("==", c_ast.BinaryOp("%", deepcopy(steps), two, steps.coord), zero, steps.coord)
    odd = c_ast.Compound([substitute_names(statement_, turned) for statement_ in statements], steps.coord)
    return c_ast.If(is_even, c_ast.Compound(list(statements), steps.coord), odd, steps.coord)


def _swapped_pointers(first: Any, second: Any, third: Any) -> tuple[str, str, str] | None:
    """Returns the two pointers of `r = p; p = q; q = r;`, and the temporary."""
    match first:
        case c_ast.Decl(name=spare, type=c_ast.PtrDecl(), init=c_ast.ID(name=one), storage=[]):
            pass
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=spare), rvalue=c_ast.ID(name=one)):
            pass
        case _:
            return None
    match second, third:
        case (
            c_ast.Assignment(op="=", lvalue=c_ast.ID(name=into), rvalue=c_ast.ID(name=other)),
            c_ast.Assignment(op="=", lvalue=c_ast.ID(name=last), rvalue=c_ast.ID(name=from_)),
        ) if (into, last, from_) == (one, other, spare) and len({one, other, spare}) == 3:
            return one, other, spare
    return None


def start_of(loop: Any) -> tuple[str, Any] | None:
    """Returns the iterator of a loop, and its start."""
    match loop.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=name, init=value)]) if value is not None:
            return name, value
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value):
            return name, value
    return None


def _end(loop: Any) -> Any:
    """Returns the end value of an ascending loop that starts below its end."""
    start = start_of(loop)
    if start is None:
        return None
    match loop.next, loop.cond:
        case c_ast.UnaryOp(op="++" | "p++", expr=c_ast.ID(name=name)), c_ast.BinaryOp(
            op="<" | "<=" as op, left=c_ast.ID(name=test_), right=end
        ) if name == test_ == start[0]:
            one = c_ast.Constant("int", "1", loop.coord)
            return end if op == "<" else c_ast.BinaryOp("+", end, one, loop.coord)
    return None


def _difference(at: Any, start: Any) -> Any:
    return c_ast.BinaryOp("-", deepcopy(at), deepcopy(start), at.coord or start.coord)


def _changes(node: Any, names: set[str]) -> bool:
    """Returns True if an operation assigns one of these names, or takes its address."""
    if isinstance(node, c_ast.Assignment):
        return isinstance(node.lvalue, c_ast.ID) and node.lvalue.name in names
    return node.op in ("++", "--", "p++", "p--", "&") and isinstance(node.expr, c_ast.ID) and node.expr.name in names


def _is_free(node: Any) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name == "free"
