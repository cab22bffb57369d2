"""Names of local variables, as short as possible: after the end of one scope, the next may use its names again.

While operations are written, each takes unique names. Then `j_2` becomes `j` wherever no other variable around it or
inside its scope is called `j`. A name that hides an enclosing one gets a number: a loop over `c0` may contain a part
in which `c0` is declared again.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import chain, count

from alphaz.c import tree as c
from alphaz.c.modes import Mode, Parallel, Vector
from alphaz.poly.plain.affine import Affine

Statements = tuple[c.Statement, ...]

_NUMBERED = re.compile(r"(.+)_([0-9]+)")


def shorten_names(body: Statements, around: Set[str]) -> Statements:
    """Returns the same statements; `around` are the names that have another meaning before them."""
    done: list[c.Statement] = []
    visible, left = set(around), body
    while left:
        statement, rest = left[0], left[1:]
        if isinstance(statement, c.Declare):
            name = _shortest(statement.name, visible, (statement, *rest))
            if name != statement.name:
                rest = rename_local(rest, statement.name, name)
                statement = replace(statement, name=name)
            visible.add(name)
        done.append(_inside(statement, visible))
        left = rest
    return tuple(done)


def _inside(statement: c.Statement, visible: Set[str]) -> c.Statement:
    match statement:
        case c.For(iterator=old):
            name = _shortest(old, visible, (statement,))
            loop = statement if name == old else _with_iterator(statement, name)
            return replace(loop, body=shorten_names(loop.body, visible | {name}))
        case c.Block(body) | c.Region(body) | c.Critical(body) | c.While(_, body):
            return replace(statement, body=shorten_names(body, visible))
        case c.If(_, then, otherwise):
            return replace(statement, then=shorten_names(then, visible), otherwise=shorten_names(otherwise, visible))
    return statement


def _shortest(name: str, visible: Set[str], scope: Sequence[c.Statement]) -> str:
    """Returns the first of `j`, `j_2`, .. that is free, where the name is one of these or has another
    meaning around.
    """
    found, is_hidden = _NUMBERED.fullmatch(name), name in visible
    if found is None and not is_hidden:
        return name
    stem, number = (found[1], int(found[2])) if found else (name, 2)
    taken = visible | c.names_used(scope) | _declared(scope)
    numbers = count(2) if is_hidden else range(2, number)
    shorter = chain((stem,), (f"{stem}_{at}" for at in numbers))
    return next((each for each in shorter if each not in taken), name)


def _declared(statements: Sequence[c.Statement]) -> set[str]:
    found = set()
    for statement in c.statements_in(statements):
        if isinstance(statement, c.Declare):
            found.add(statement.name)
        if isinstance(statement, c.For):
            found.add(statement.iterator)
    return found


# --- renaming ---------------------------------------------------------------------------------------------------------


def _with_iterator(loop: c.For, name: str) -> c.For:
    start = tuple(replace(one, name=name) if isinstance(one, c.Declare) else one for one in loop.start)
    (found,) = rename_local((replace(loop, start=start),), loop.iterator, name)
    assert isinstance(found, c.For)
    return found


def rename_local(statements: Statements, old: str, new: str) -> Statements:
    """Returns the statements with a name that is declared before them replaced."""

    def expression(code: c.Expression) -> c.Expression:
        return c.with_names(code, {old: new})

    def inside(body: Statements) -> Statements:
        return tuple(map(one, body))

    def one(it: c.Statement) -> c.Statement:
        it = _rename_annotation(it, old, new)
        match it:
            case c.Declare(_, _, value, _) | c.Return(value):
                return it if value is None else replace(it, value=expression(value))
            case c.Assign(target, value):
                return replace(it, target=expression(target), value=expression(value))
            case c.Evaluate(code):
                return c.Evaluate(expression(code))
            case c.If(condition, then, otherwise):
                return c.If(expression(condition), inside(then), inside(otherwise))
            case c.For(start, test, steps, body, mode):
                test = None if test is None else expression(test)
                steps, mode = tuple(map(expression, steps)), _mode(mode, old, new)
                return c.For(start=inside(start), test=test, steps=steps, body=inside(body), mode=mode)
            case c.While(condition, body):
                return c.While(expression(condition), inside(body))
            case c.Block(body) | c.Region(body) | c.Critical(body):
                return replace(it, body=inside(body))
            case c.Switch(value, cases):
                return c.Switch(expression(value), tuple((label, inside(body)) for label, body in cases))
        return it

    return inside(statements)


def _rename_annotation(it: c.Statement, old: str, new: str) -> c.Statement:
    """Returns the statement with its annotation renamed."""
    if isinstance(it, c.Assign | c.Declare) and it.about is not None:
        return replace(it, about=it.about.substitute({old: Affine.name(new)}))
    return it


def _mode(mode: Mode, old: str, new: str) -> Mode:
    if not isinstance(mode, Vector | Parallel):
        return mode
    return replace(mode, reductions=tuple(replace(r, name=new) if r.name == old else r for r in mode.reductions))
