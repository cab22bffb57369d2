"""Names in C trees: names used, names that may change, and substitution of values."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from alphaz.c import tree as c
from alphaz.c.walk import Part, copied, nodes, rebuilt
from alphaz.scop.tree_queries import (
    Trees,
    addressed,
    assigned,
    changed_in_head,
    is_simple,
    name_of,
    names_among,
    words_of_directives,
)

P = TypeVar("P", bound=Part)


def as_declared(type_: c.Type, value: c.Expression) -> c.Expression:
    """Returns the value as held by a variable of this type, with the implicit conversion; pointers hold it
    unchanged."""
    if not is_simple(type_):
        return value
    return c.Cast(replace(type_, const=False, volatile=False), value, is_implicit=True, at=value.at)


def names_in(tree: Trees) -> set[str]:
    """Returns the names used in the trees, those of called functions among them."""
    return {name_of(node) for node in nodes(tree, (c.Name, c.Call))} - {""}


def mentioned(tree: Trees) -> set[str]:
    """Returns the names used or declared in the trees."""
    return names_in(tree) | {declaration.name for declaration in nodes(tree, c.Declare)}


def touched(tree: Trees) -> set[str]:
    """Returns the names that are declared in the trees, or may change there, including in heads of loops."""
    names = {declaration.name for declaration in nodes(tree, c.Declare)} | assigned(tree)
    for loop in nodes(tree, c.For):
        names |= changed_in_head(loop) | names_among(addressed((*loop.start, *loop.steps)))
    return names


def unused_name(name: str, names: Collection[str]) -> str:
    """Returns a name that is none of these."""
    return next(new for number in range(len(names) + 1) if (new := f"{name}__{number}") not in names)


def count(tree: Trees, name: str) -> int:
    """Returns the number of uses of a name in the trees."""
    return sum(name_of(node) == name for node in nodes(tree, (c.Name, c.Call)))


def is_steady(names: set[str], body: Trees) -> bool:
    """Returns True if these names keep their meaning throughout the body, and no directive mentions them."""
    return not names & (touched(body) | words_of_directives(body))


def substitute_names(tree: P, values: Mapping[str, c.Expression]) -> P:
    """Returns a copy of a tree with variables replaced by these values, simultaneously."""

    def change(part: Part) -> Part | None:
        value = values.get(part.name) if isinstance(part, c.Name) else None
        return None if value is None else copied(value)

    return rebuilt(tree, change)


def exchanged(tree: P, old: Part, new: Part) -> P:
    """Returns a copy of a tree with one part replaced by another."""
    return rebuilt(tree, lambda part: copied(new) if part is old else None)
