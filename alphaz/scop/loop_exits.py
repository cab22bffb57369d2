"""`break` in loops, as conditions.

for (..; j < n; j++) { if (c) break; B }        for (..; j < n && !c; j++) { B }
for (j = a; j < n; j++) { A; if (c) break; B }  for (j = a; j < n && (j <= a || !c[j - 1]); j++) { A; if (!c) { B } }

The second form leaves another value in the iterator, which must not be read after the loop. Its condition c compares
integers that the loop does not change, except its iterator.
"""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import blocks, nodes
from alphaz.scop.idioms import is_behind_directive
from alphaz.scop.index_polynomials import OPPOSITE
from alphaz.scop.substitution import count, is_steady, mentioned, names_in, substitute_names
from alphaz.scop.tree_queries import Statements, changes


def without_first_break(loop: c.For | c.While) -> c.For | c.While:
    """Returns a loop that begins with `if (c) break;` as one that goes on while c does not hold."""
    match loop.body:
        case (c.If(test, (c.Break(),), ()), *rest) if not changes(test):
            own = loop.test if isinstance(loop, c.For) else loop.condition
            going_on = negated(test)
            if own is not None and not is_true(own):
                going_on = c.Binary("&&", own, going_on, at=loop.at)
            if isinstance(loop, c.For):
                return without_first_break(replace(loop, test=going_on, body=tuple(rest)))
            return without_first_break(replace(loop, condition=going_on, body=tuple(rest)))
    return loop


def is_true(test: c.Expression | None) -> bool:
    """Returns True for a number other than 0."""
    return isinstance(test, c.Literal) and test.text.isdecimal() and int(test.text) != 0


def negated(test: c.Expression) -> c.Expression:
    """Returns the opposite of a condition on integers: a comparison of indices becomes its opposite."""
    match test:
        case c.Binary(operator, left, right) if operator in OPPOSITE:
            return c.Binary(OPPOSITE[operator], left, right, at=test.at)
    return c.Unary("!", test, at=test.at)


def leaves_later(loop: c.For | c.While) -> bool:
    """Returns True if a statement of the loop's body leaves it."""
    return any(_exit(statement) is not None for statement in loop.body)


def without_later_breaks(loop: c.For, original: c.Statement, function: Statements) -> c.For:
    """Returns a loop with `if (c) break;` between its statements as one without; other loops unchanged. `original` is
    the loop as it is in the body of the `function`."""
    match loop:
        case c.For((c.Declare(name=name, value=first),), test, (step,)) if first is not None:
            pass
        case c.For((c.Assign(c.Name(name), first, "="),), test, (step,)) if not _is_read(function, name, original):
            pass
        case _:
            return loop
    before = _before(step, name)
    parts = _without_exits(loop.body, name) if before is not None and leaves_later(loop) else None
    if before is None or parts is None or changes(first):
        return loop
    body, going_on = parts
    used = names_in((first, *going_on, *([] if test is None else [test]))) - {name}
    if name in names_in(first) or not is_steady({name, *used}, loop.body):
        return loop
    own = c.Name(name, at=loop.at)
    is_first = c.Binary("<=" if before[1] else ">=", own, first, at=loop.at)
    for condition in going_on:
        goes_on = c.Binary("||", is_first, substitute_names(condition, {name: before[0]}), at=loop.at)
        test = goes_on if test is None or is_true(test) else c.Binary("&&", test, goes_on, at=loop.at)
    return replace(loop, test=test, body=body)


def _without_exits(body: Sequence[c.Statement], name: str) -> tuple[Statements, tuple[c.Expression, ...]] | None:
    """Returns the statements with branches in the place of `break`, and the conditions under which an iteration does
    not end the loop; None if one is not on integers."""
    for position, statement in enumerate(body):
        exit_ = None if is_behind_directive(body, position) else _exit(statement)
        if exit_ is None:
            if nodes(statement, c.Continue) or _leaves(statement):
                return None
            continue
        test, before, behind = exit_
        going_on = _compared(negated(test), name)
        rest = _without_exits((*behind, *body[position + 1 :]), name)
        if rest is None or not _is_plain(test) or nodes(before, c.Continue) or any(map(_leaves, before)):
            return None
        inner, conditions = rest
        branch = (c.If(going_on, inner, at=statement.at),) if inner else ()
        skipped = (c.If(test, before, at=statement.at),) if before else ()
        return (*body[:position], *skipped, *branch), (going_on, *conditions)
    return tuple(body), ()


def _exit(statement: c.Statement) -> tuple[c.Expression, Statements, Statements] | None:
    """Returns the condition under which a statement leaves its loop, the statements before it leaves, and those
    otherwise; None for other statements."""
    match statement:
        case c.If(test, (*before, c.Break()), otherwise) if not before or not otherwise:
            return test, tuple(before), (c.Block(otherwise, at=statement.at),) if otherwise else ()
        case c.If(test, then, (c.Break(),)):
            return negated(test), (), (c.Block(then, at=statement.at),)
    return None


def _leaves(statement: c.Statement) -> bool:
    """Returns True if a statement may leave the loop around it."""
    if isinstance(statement, c.For | c.While | c.DoWhile | c.Switch):
        return False
    return isinstance(statement, c.Break) or any(_leaves(part) for block in blocks(statement) for part in block)


def _compared(test: c.Expression, name: str) -> c.Expression:
    """Returns a comparison with the iterator on its left side."""
    match test:
        case c.Binary("!=", left, right) if name in names_in(right) and name not in names_in(left):
            return c.Binary("!=", right, left, at=test.at)
    return test


def _is_plain(test: c.Expression) -> bool:
    """Returns True for a condition that reads names only."""
    return (
        not changes(test)
        and not nodes(test, (c.Call, c.Index, c.Member))
        and not any(node.operator in ("*", "&") for node in nodes(test, c.Unary))
    )


def _before(step: c.Expression, name: str) -> tuple[c.Expression, bool] | None:
    """Returns the value of the iterator before its step, and True for a step upwards; None if it is unclear."""
    one: c.Expression = c.Literal("1", at=step.at)
    match step:
        case c.Step(operator, _, c.Name(own)):
            way = operator[0]
        case c.Set("+=" | "-=" as operator, c.Name(own), c.Literal() as one):
            way = operator[0]
        case c.Set("=", c.Name(own), c.Binary("+" | "-" as way, c.Name(left), c.Literal() as one)) if own == left:
            pass
        case _:
            return None
    if own != name:
        return None
    return c.Binary("-" if way == "+" else "+", c.Name(name, at=step.at), one, at=step.at), way == "+"


def _is_read(block: Statements, name: str, loop: c.Statement) -> bool:
    """Returns True if a variable of a function may be read outside of a loop before it gets a new value."""
    is_new = False
    for statement in block:
        if statement is loop:
            is_new = False
        if statement is loop or name not in mentioned(statement):
            continue
        is_begun = is_new or (isinstance(statement, c.For) and any(_begins(one, name) for one in statement.start))
        is_around = any(inner is loop for inner in nodes(statement, (c.For, c.While, c.DoWhile)))
        if _begins(statement, name):
            is_new = True
        elif is_begun and not is_around and isinstance(statement, c.For | c.While | c.DoWhile):
            is_new = False
        else:
            is_new, inside = False, tuple(blocks(statement))
            is_in_head = count(statement, name) > sum(count(inner, name) for inner in inside)
            if is_in_head or any(_is_read(inner, name, loop) for inner in inside):
                return True
    return False


def _begins(statement: c.Statement, name: str) -> bool:
    """Returns True if a statement gives a variable a value that does not depend on it."""
    match statement:
        case c.Assign(c.Name(own), value, "="):
            return own == name and name not in names_in(value)
        case c.Declare(name=own, value=first):
            return own == name and (first is None or name not in names_in(first))
    return False
