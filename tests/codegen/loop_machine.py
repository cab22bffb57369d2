"""Executes loop trees in Python."""

from collections.abc import Iterator, Mapping

from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node
from alphaz.poly.plain.integer_expression import value_of

Visit = tuple[str, tuple[int, ...]]


def visits(node: Node, values: Mapping[str, int]) -> Iterator[Visit]:
    """The calls in the order in which a sequential machine makes them."""
    match node:
        case Instance(name, arguments):
            yield name, tuple(value_of(a, values) for a in arguments)
        case Block(children):
            for child in children:
                yield from visits(child, values)
        case Conditional(condition, then, otherwise):
            if value_of(condition, values):
                yield from visits(then, values)
            elif otherwise is not None:
                yield from visits(otherwise, values)
        case Let(iterator, _, value, body):
            yield from visits(body, {**values, iterator: value_of(value, values)})
        case For(iterator, _, first, comparison, bound, step, body):
            last = value_of(bound, values) - (comparison == "<")
            for at in range(value_of(first, values), last + 1, value_of(step, values)):
                yield from visits(body, {**values, iterator: at})
