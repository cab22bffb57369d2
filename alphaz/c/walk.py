"""The parts of C trees: all nodes of a kind, and copies of trees with parts exchanged."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, fields, replace
from typing import TypeVar, overload

from alphaz.c import tree as c
from alphaz.c.tree import File, Node, Omp, Qualified, Statement
from alphaz.poly.plain.affine import Affine

Part = Node | Qualified | File
"""A statement, an expression, a type, a clause, a parameter, or a file."""

A = TypeVar("A")
B = TypeVar("B")
P = TypeVar("P", bound=Part)
S = TypeVar("S", bound=Statement)
_PARTS = (Node, Qualified, File)
_LEAVES = frozenset({"at", "about", "space"})
_BLOCKS: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((c.If, c.Conditional), ("then", "otherwise")),
    **dict.fromkeys((c.For, c.While, c.DoWhile, c.Block, c.Omp, c.Function), ("body",)),
}


# The words of annotations of fields without parts.
_PLAIN = frozenset({"str", "int", "bool", "tuple", "None", "NoneType"})
_WORD = re.compile(r"\w+")
_NAMES: dict[type, tuple[str, ...]] = {}
_CHILDREN: dict[type, tuple[str, ...]] = {}


def _part_fields(part: Part) -> tuple[str, ...]:
    """Returns the fields that may have parts."""
    names = _NAMES.get(type(part))
    if names is None:
        names = _NAMES[type(part)] = tuple(field.name for field in fields(part) if _may_have_parts(field))
    return names


def _may_have_parts(field: "Field[object]") -> bool:
    words = field.type.__name__ if type(field.type) is type else str(field.type)
    return field.name not in _LEAVES and not _PLAIN.issuperset(_WORD.findall(words))


def _child_names(part: Part) -> tuple[str, ...]:
    """Returns the fields that may have direct parts."""
    names = _CHILDREN.get(type(part))
    if names is None:
        names = tuple(name for name in _part_fields(part) if name != "clauses" or not isinstance(part, Omp))
        _CHILDREN[type(part)] = names
    return names


def children(part: Part) -> Iterator[Part]:
    """Yields the direct parts in the order of the fields, which is that of the text except in types and launches.
    Clauses of directives are no parts: they are words, of which some are names."""
    for name in _child_names(part):
        value = getattr(part, name)
        if isinstance(value, _PARTS):
            yield value
        elif isinstance(value, tuple):
            yield from _parts_in(value)


def _parts_in(values: tuple[object, ...]) -> Iterator[Part]:
    for value in values:
        if isinstance(value, _PARTS):
            yield value
        elif isinstance(value, tuple):
            yield from _parts_in(value)


@overload
def nodes(tree: Part | Iterable[Part] | None, kind: type[A]) -> list[A]: ...
@overload
def nodes(tree: Part | Iterable[Part] | None, kind: tuple[type[A], type[B]]) -> list[A | B]: ...
@overload
def nodes(tree: Part | Iterable[Part] | None, kind: tuple[type[A], ...]) -> list[A]: ...
def nodes(tree: Part | Iterable[Part] | None, kind: type[A] | tuple[type, ...]) -> list[A]:
    """Returns all parts of a kind, the trees themselves among them, outermost first, in the order of `children`."""
    waiting: list[Part] = [] if tree is None else [tree] if isinstance(tree, Part) else [*tree][::-1]
    matching: list[A] = []
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            matching.append(part)  # type: ignore[arg-type]
        if _child_names(part):
            waiting += [*children(part)][::-1]
    return matching


def rebuilt(part: P, change: Callable[[Part], Part | None]) -> P:
    """Returns a tree in which `change` gives the replacement of a part; None keeps it, and goes on inside, also in
    clauses of directives. Parts without a change are the same objects."""
    changed = change(part)
    return _rebuilt(part, change) if changed is None else changed  # type: ignore[return-value]


def _rebuilt(part: P, change: Callable[[Part], Part | None]) -> P:
    new: dict[str, object] = {}
    for name in _part_fields(part):
        value = getattr(part, name)
        after = _mapped(value, lambda inside: rebuilt(inside, change))
        if after is not value:
            new[name] = after
    return _with_fields(part, new) if new else part


def _with_fields(part: P, new: Mapping[str, object]) -> P:
    return replace(part, **new)  # type: ignore[arg-type]


def _mapped(value: object, change: Callable[[Part], Part]) -> object:
    """Returns the value of a field with its parts changed; the value itself if all of them stay the same objects."""
    if isinstance(value, Part):
        return change(value)
    if not isinstance(value, tuple):
        return value
    mapped = tuple(_mapped(one, change) for one in value)
    return value if all(one is other for one, other in zip(mapped, value, strict=True)) else mapped


def blocks(part: Part) -> Iterator[tuple[Statement, ...]]:
    """Yields the blocks directly inside a statement or function; none of a `switch`: its cases go on in one another."""
    for name in _BLOCKS.get(type(part), ()):
        if (block := getattr(part, name)) is not None:
            yield block


def all_blocks(tree: Part | Iterable[Part]) -> Iterator[tuple[Statement, ...]]:
    """Yields the blocks of all statements and functions inside a tree, each before those in it."""
    for node in nodes(tree, c.Node):
        yield from blocks(node)


def with_blocks(statement: S, change: Callable[[tuple[Statement, ...]], tuple[Statement, ...]]) -> S:
    """Returns the statement with each of its `blocks` changed."""
    names = [name for name in _BLOCKS.get(type(statement), ()) if getattr(statement, name) is not None]
    return _with_fields(statement, {name: change(getattr(statement, name)) for name in names}) if names else statement


def with_name(statements: Iterable[S], old: str, new: str) -> tuple[S, ...]:
    """Returns the statements with a name that is declared before them replaced, also in annotations and directives."""

    def change(part: Part) -> Part | None:
        match part:
            case c.Name(name):
                return c.Name(new, at=part.at) if name == old else part
            case c.Assign(about=about) | c.Declare(about=about) if about is not None and old in about.names:
                return rebuilt(replace(part, about=about.substitute({old: Affine.name(new)})), change)
        return None

    return tuple(rebuilt(statement, change) for statement in statements)


def copied(part: P) -> P:
    """Returns a copy of which no part is one of the tree."""
    return _with_fields(part, {name: _mapped(getattr(part, name), copied) for name in _part_fields(part)})


def at_place(part: P, place: c.SourcePlace | None) -> P:
    """Returns the tree with one place for all of its nodes."""
    new: dict[str, object] = {
        name: _mapped(getattr(part, name), lambda one: at_place(one, place)) for name in _part_fields(part)
    }
    if isinstance(part, Node):
        new["at"] = place
    return _with_fields(part, new)


def placed(part: P, file: str) -> P:
    """Returns the tree with the name of the file in all places."""
    new = {name: _mapped(getattr(part, name), lambda inside: placed(inside, file)) for name in _part_fields(part)}
    if isinstance(part, Node) and part.at is not None:
        new["at"] = replace(part.at, file=file)
    return _with_fields(part, new)


def difference(one: Part, other: Part) -> c.SourcePlace | None:
    """Returns the place of the innermost part of the first tree that differs from the second one; None if none does, or
    no part around it has a place.
    """
    if one == other:
        return None
    place = getattr(one, "at", None)
    if type(one) is not type(other):
        return place
    parts, others = list(children(one)), list(children(other))
    inner = next((difference(x, y) for x, y in zip(parts, others, strict=False) if x != y), None)
    if inner is None and len(parts) > len(others):
        inner = getattr(parts[len(others)], "at", None)
    return inner or place
