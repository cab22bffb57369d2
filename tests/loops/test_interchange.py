"""A loop that is moved inwards has the same operations, those of each of its iterations in the same order."""

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from alphaz.loops.modes import VECTOR
from alphaz.loops.passes.interchange import Interchange
from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Merge, Node
from alphaz.poly import Affine
from alphaz.poly.domain import Domain
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    of_affine,
    value_of,
)
from alphaz.poly.plain.space import Space

ONE = IntegerConstant(1)
ROW, COLUMN, STEP = (IntegerName(name) for name in "ijk")
S, T = Instance("S", (ROW, COLUMN)), Instance("T", (COLUMN,))


def loop(iterator: str, first: int | Affine, end: int | Affine, body: Node) -> For:
    low, high = (of_affine(Affine(constant=side) if isinstance(side, int) else side) for side in (first, end))
    return For(iterator, 0, low, "<", high, ONE, body)


def executed(node: Node, values: Mapping[str, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    match node:
        case Instance(name, arguments):
            yield name, tuple(value_of(argument, values) for argument in arguments)
        case Block(children):
            for child in children:
                yield from executed(child, values)
        case Let(iterator, _, value, body):
            yield from executed(body, {**values, iterator: value_of(value, values)})
        case Conditional(condition, then, otherwise):
            chosen = then if value_of(condition, values) else otherwise
            if chosen is not None:
                yield from executed(chosen, values)
        case For():
            for at in range(value_of(node.first, values), value_of(node.bound, values)):
                yield from executed(node.body, {**values, node.iterator: at})
        case _:
            raise AssertionError(node)


MOVE_J = Interchange(lambda moved: moved.iterator == "j", lambda _: True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (loop("j", 0, 8, loop("i", 0, 6, S)), loop("i", 0, 6, loop("j", 0, 8, S))),
        (
            loop("j", 0, 8, Block((T, loop("i", 1, 6, S)))),
            Block((loop("j", 0, 8, T), loop("i", 1, 6, loop("j", 0, 8, S)))),
        ),
        (
            loop("j", 0, 8, loop("k", 0, 6, Let("i", 0, STEP, S))),
            loop("k", 0, 6, Let("i", 0, STEP, loop("j", 0, 8, S))),
        ),
        # The head depends on j: the loop stays where it is, or stops there.
        (loop("j", 0, 8, loop("i", Affine.name("j"), 6, S)), None),
        (
            loop("j", 0, 8, loop("k", 0, 6, loop("i", 0, Affine.name("j"), S))),
            loop("k", 0, 6, loop("j", 0, 8, loop("i", 0, Affine.name("j"), S))),
        ),
        # No loop inside, another loop, a vector loop, a merge inside.
        (loop("j", 0, 8, Block((T, T))), None),
        (loop("k", 0, 8, loop("i", 0, 6, S)), None),
        (For("j", 0, IntegerConstant(0), "<", ONE, ONE, loop("i", 0, 6, S), VECTOR), None),
        (loop("j", 0, 8, Merge((), Domain.universe(Space((), ())), loop("i", 0, 6, S))), None),
    ],
)
def test_what_is_moved(before: Node, after: Node | None) -> None:
    assert MOVE_J(before) == (after or before)


def drawn(random: Random, depth: int, names: tuple[str, ...]) -> Node:
    """Loops over constants and other iterators, with tests and fixed values; j is one of the iterators."""
    if depth == 0:
        return Instance(random.choice("ST"), tuple(map(IntegerName, names)))
    if random.random() < 0.2:
        return Block(tuple(drawn(random, depth - 1, names) for _ in range(2)))
    if names and random.random() < 0.2:
        test = IntegerOperation("<", (IntegerName(random.choice(names)), IntegerConstant(3)))
        other = drawn(random, depth - 1, names) if random.random() < 0.5 else None
        return Conditional(test, drawn(random, depth - 1, names), other)
    name = "j" if "j" not in names and random.random() < 0.6 else f"l{len(names)}"
    if random.random() < 0.2:
        value: Integer = IntegerName(random.choice(names)) if names else ONE
        return Let(name, 0, value, drawn(random, depth - 1, (*names, name)))
    first = Affine.name(random.choice(names)) if names and random.random() < 0.3 else Affine()
    end = Affine.name(random.choice(names)) + 2 if names and random.random() < 0.3 else Affine(constant=3)
    return loop(name, first, end, drawn(random, depth - 1, (*names, name)))


def test_iterations_of_random_loops() -> None:
    random, moved = Random(71), 0
    for _ in range(200):
        before = drawn(random, 4, ())
        after = MOVE_J(before)
        moved += after != before
        one, two = [*executed(before, {})], [*executed(after, {})]
        assert sorted(one) == sorted(two), before
        for value in range(5):
            assert _of(before, value) == _of(after, value), before
    assert moved > 30


def _of(tree: Node, value: int) -> list[tuple[str, tuple[int, ...]]]:
    """The operations of one iteration of j, in their order."""
    return [*executed(_where(tree, value), {})]


def _where(node: Node, value: int) -> Node:
    match node:
        case For("j"):
            inside = _where(node.body, value)
            head = (node.first, node.bound)
            test = IntegerOperation("<", (IntegerConstant(value), head[1]))
            low = IntegerOperation("<", (head[0], IntegerConstant(value + 1)))
            return Conditional(low, Conditional(test, Let("j", 0, IntegerConstant(value), inside)))
        case For():
            return loop_with(node, _where(node.body, value))
        case Let(iterator, dimension, fixed, body):
            return Let(iterator, dimension, fixed, _where(body, value))
        case Conditional(condition, then, otherwise):
            return Conditional(condition, _where(then, value), None if otherwise is None else _where(otherwise, value))
        case Block(children):
            return Block(tuple(_where(child, value) for child in children))
    return node


def loop_with(node: For, body: Node) -> For:
    return For(node.iterator, node.dimension, node.first, node.comparison, node.bound, node.step, body)
