"""Passes over C for readability: hoisting of common indices, and short names."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import ClassVar

from alphaz.c import tree as c
from alphaz.c.walk import with_name

INDEX = c.INT64
CONSTANT = c.Named("int64_t", const=True)

_ARITHMETIC = frozenset({"floor_div", "floor_mod", "min64", "max64"})

Nest = tuple[c.Statement, ...]


def in_a_row(nests: Sequence[Nest], taken: Set[str] = frozenset()) -> Nest:
    """Returns the nests one after the other; a declaration of one that has another meaning in the next is enclosed in
    braces.
    """
    if len(nests) == 1:
        return nests[0]
    common, statements = _common(nests), list[c.Statement]()
    common = {name: d for name, d in common.items() if name not in taken}
    declared: set[str] = set()
    for nest in nests:
        new = [d for d in _constants(nest) if d.name in common and d.name not in declared]
        declared |= {d.name for d in new}
        statements += [*new, *_scoped(_without(nest, common))]
    return tuple(statements)


def one_by_one(nests: Sequence[Nest]) -> Nest:
    """Returns the nests one after the other, each one with declarations in braces of its own."""
    return nests[0] if len(nests) == 1 else tuple(s for nest in nests for s in _scoped(nest))


def hoisted(statements: Nest) -> Nest:
    """Returns the statements with indices that adjacent ones declare alike declared before them; all of them see
    earlier declarations. No name is declared twice in a row.
    """
    declared = [s.name for s in statements if isinstance(s, c.Declare)]
    assert len(set(declared)) == len(declared), f"declared twice: {', '.join(declared)}"
    inner = tuple(_hoisted_inside(s) for s in statements)
    last = max((position for position, s in enumerate(inner, 1) if isinstance(s, c.Declare)), default=0)
    front, rest = inner[:last], inner[last:]
    if len(rest) < 2:
        return rest[0].body if not front and len(rest) == 1 and isinstance(rest[0], c.Block) else inner
    taken = {s.name for s in front if isinstance(s, c.Declare)}
    return (*front, *in_a_row([s.body if isinstance(s, c.Block) else (s,) for s in rest], taken))


def _hoisted_inside(statement: c.Statement) -> c.Statement:
    match statement:
        case c.Block(body) | c.For(body=body) | c.While(_, body) | c.Omp(_, _, body) if body is not None:
            return replace(statement, body=hoisted(body))
        case c.If(_, then, otherwise):
            return replace(statement, then=hoisted(then), otherwise=hoisted(otherwise))
    return statement


def without_repeated_indices(statements: Nest, known: Mapping[str, c.Declare] | None = None) -> Nest:
    """Returns the statements without the indices that are declared already around them with the same value, and without
    braces for such indices alone.

    `known` are the declarations around.
    """
    here, remaining = dict(known or {}), list[c.Statement]()
    for statement in statements:
        if isinstance(statement, c.Declare):
            if here.get(statement.name) == statement:
                continue
            here = _unless_made(here, {statement.name})
            if is_index(statement):
                here[statement.name] = statement
            remaining.append(statement)
            continue
        here = _unless_made(here, _assigned((statement,)))
        inner = _inside_once(statement, here)
        if isinstance(inner, c.Block) and inner != statement and _scoped(inner.body) == inner.body:
            remaining += inner.body
        else:
            remaining.append(inner)
    return tuple(remaining)


def _inside_once(statement: c.Statement, known: Mapping[str, c.Declare]) -> c.Statement:
    match statement:
        case c.Block(body) | c.Omp(_, _, body) if body is not None:
            return replace(statement, body=without_repeated_indices(body, known))
        case c.For(iterator=iterator, body=body):
            return replace(statement, body=without_repeated_indices(body, _unless_made(known, {iterator})))
        case c.If(_, then, otherwise):
            return replace(
                statement,
                then=without_repeated_indices(then, known),
                otherwise=without_repeated_indices(otherwise, known),
            )
    return statement


def _unless_made(known: Mapping[str, c.Declare], names: set[str]) -> dict[str, c.Declare]:
    """Returns the declarations that keep their meaning where these names are declared anew."""
    return {name: d for name, d in known.items() if name not in names and not c.names_used([d]) & names}


def _common(nests: Sequence[Nest]) -> Mapping[str, c.Declare]:
    """Returns the indices that may be declared for all: no nest uses the name otherwise, and the value is known before
    them.
    """
    changing = {name for nest in nests for name in _assigned(nest)}
    own = [{d.name: d for d in _constants(nest) if not c.names_used([d]) & changing} for nest in nests]
    used = [_mentioned(nest) for nest in nests]
    there = {d.name for nest in nests for d in nest if isinstance(d, c.Declare)}
    declares: dict[str, c.Declare] = {}
    for constants in own:
        for name, declared in constants.items():
            alike = [declarations.get(name) == declared for declarations in own]
            apart = all(same or name not in names for same, names in zip(alike, used, strict=True))
            if apart and (sum(alike) > 1 or name in there):
                declares[name] = declared
    inside = {name for nest in nests for name in _declared_names(nest)}
    while hidden := [name for name, d in declares.items() if c.names_used([d]) & (inside - declares.keys())]:
        for name in hidden:
            del declares[name]
    return declares


def _constants(nest: Nest) -> Iterator[c.Declare]:
    """Yields the indices that a nest declares, or a loop for all of its iterations."""
    for statement in nest:
        if isinstance(statement, c.Declare) and is_index(statement):
            yield statement
        loop = _loop_of(statement)
        if loop is not None and len(nest) == 1:
            varying = {loop.iterator}
            for declared in _constants(loop.body):
                if c.names_used([declared]) & varying:
                    varying.add(declared.name)
                else:
                    yield declared


def _loop_of(statement: c.Statement) -> c.For | None:
    """Returns a loop, also that of a directive."""
    match statement:
        case c.For() as loop:
            return loop
        case c.Omp(_, _, (c.For() as loop,)):
            return loop
    return None


def is_index(declared: c.Declare) -> bool:
    """Returns True if it is a constant of index arithmetic."""
    return declared.type == CONSTANT and all(map(_is_arithmetic, c.expressions_in([declared])))


def _is_arithmetic(expression: c.Expression) -> bool:
    match expression:
        case c.Name() | c.Literal() | c.Binary() | c.Ternary() | c.Unary("-"):
            return True
        case c.Call(function):
            return function in _ARITHMETIC
    return False


def _assigned(statements: Sequence[c.Statement]) -> set[str]:
    """Returns the assigned variables."""
    inside = c.statements_in(statements)
    return {s.target.name for s in inside if isinstance(s, c.Assign) and isinstance(s.target, c.Name)}


def _without(nest: Nest, common: Mapping[str, c.Declare]) -> Nest:
    remaining = tuple(s for s in nest if not (isinstance(s, c.Declare) and common.get(s.name) == s))
    match remaining:
        case (c.For() | c.Omp(_, _, (c.For(),)) as around,):
            return (replace(around, body=_without(around.body or (), common)),)
    return remaining


def _scoped(nest: Nest) -> Nest:
    return (c.Block(nest),) if any(isinstance(s, c.Declare) for s in nest) else nest


def _mentioned(nest: Nest) -> frozenset[str]:
    return c.names_used(nest) | frozenset(_declared_names(nest))


def _declared_names(nest: Nest) -> Iterator[str]:
    """Yields the names that a nest declares."""
    for statement in c.statements_in(nest):
        if isinstance(statement, c.Declare):
            yield statement.name
        if isinstance(statement, c.For):
            yield statement.iterator


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


@dataclass(frozen=True, slots=True)
class Hoist:
    """Declares indices that adjacent statements share, and those that are invariant in a loop, once before them, and
    removes braces that are no longer needed. Statements and order stay, and the result of each.
    """

    name: ClassVar[str] = "hoist"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Nest) -> Nest:
        return without_repeated_indices(hoisted(tree))


@dataclass(frozen=True, slots=True)
class ShortenNames:
    """Reuses names of scopes that have ended in later ones: `j` instead of `j_2`. Only names change.

    `around` are the names with another meaning before the statements.
    """

    around: Set[str]
    name: ClassVar[str] = "shorten-names"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Statements) -> Statements:
        return shorten_names(tree, self.around)
