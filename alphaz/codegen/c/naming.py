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
from alphaz.c.walk import with_name

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
                rest = with_name(rest, statement.name, name)
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
        case c.Block(body) | c.While(_, body):
            return replace(statement, body=shorten_names(body, visible))
        case c.If(_, then, otherwise):
            return replace(statement, then=shorten_names(then, visible), otherwise=shorten_names(otherwise, visible))
        case c.Omp(_, _, body) if body is not None:
            return replace(statement, body=shorten_names(body, visible))
    return statement


def _shortest(name: str, visible: Set[str], scope: Sequence[c.Statement]) -> str:
    """Returns the first of `j`, `j_2`, .. that is free, where the name is one of these or has another
    meaning around.
    """
    match, is_hidden = _NUMBERED.fullmatch(name), name in visible
    if match is None and not is_hidden:
        return name
    stem, number = (match[1], int(match[2])) if match else (name, 2)
    taken = visible | c.names_used(scope) | _declared(scope)
    numbers = count(2) if is_hidden else range(2, number)
    shorter = chain((stem,), (f"{stem}_{at}" for at in numbers))
    return next((candidate for candidate in shorter if candidate not in taken), name)


def _declared(statements: Sequence[c.Statement]) -> set[str]:
    names = set()
    for statement in c.statements_in(statements):
        if isinstance(statement, c.Declare):
            names.add(statement.name)
        if isinstance(statement, c.For):
            names.add(statement.iterator)
    return names


def _with_iterator(loop: c.For, name: str) -> c.For:
    start = tuple(replace(one, name=name) if isinstance(one, c.Declare) else one for one in loop.start)
    (renamed,) = with_name((replace(loop, start=start),), loop.iterator, name)
    assert isinstance(renamed, c.For)
    return renamed
