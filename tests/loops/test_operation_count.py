"""The estimated work of loops is no less than the number of their operations, and that where it is a product."""

from collections.abc import Mapping
from itertools import count
from math import prod
from random import Random

import pytest

from alphaz.loops.operation_count import OperationCount, operation_count
from alphaz.loops.passes.teams import LimitTeams
from alphaz.loops.tree import Block, Conditional, Enough, For, Instance, Let, Node, Team
from alphaz.order.happens_before import SyncScope
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    of_affine,
    value_of,
)

N, M = Affine.name("N"), Affine.name("M")
COSTS = {"S": 3, "T": 5}
ONE = IntegerConstant(1)


def loop(iterator: str, first: Affine, end: Affine | Integer, body: Node, step: int = 1) -> For:
    bound = of_affine(end) if isinstance(end, Affine) else end
    return For(iterator, 0, of_affine(first), "<", bound, IntegerConstant(step), body)


def least(*operands: Affine) -> Integer:
    return IntegerOperation("min", tuple(map(of_affine, operands)))


def operations(node: Node, values: Mapping[str, int]) -> int:
    """The number of operations, by execution."""
    match node:
        case Instance(name):
            return COSTS[name]
        case Block(children):
            return sum(operations(child, values) for child in children)
        case Let(iterator, _, value, body):
            return operations(body, {**values, iterator: value_of(value, values)})
        case Conditional(condition, then):
            return operations(then, values) if value_of(condition, values) else 0
        case For():
            first, bound, step = (value_of(part, values) for part in (node.first, node.bound, node.step))
            return sum(operations(node.body, {**values, node.iterator: at}) for at in range(first, bound, step))
    raise AssertionError(node)


def estimate(work: OperationCount, values: Mapping[str, int]) -> int:
    return prod((extent.at(values) for extent in work.extents), start=work.operations)


S, T = Instance("S", ()), Instance("T", ())
TILE = loop("i", Affine.name("t"), least(N, Affine.name("t") + 4), loop("j", Affine(), M, S))


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (loop("i", Affine(), N, loop("j", Affine(), M, S)), OperationCount(3, (N, M))),
        (loop("i", Affine(), N, loop("j", Affine(), Affine.name("i") + 1, S)), OperationCount(3, (N, N))),
        (loop("i", Affine(), N, Block((S, T))), OperationCount(8, (N,))),
        (loop("i", Affine(), N, Block((S, loop("j", Affine(), M, T)))), OperationCount(5, (N, M))),
        (loop("i", Affine(), N, loop("j", Affine(), Affine(constant=3), S)), OperationCount(9, (N,))),
        (loop("t", Affine(), N, TILE, step=4), OperationCount(3, (N, M))),
        (loop("t", Affine(), N, loop("j", Affine(), M, S), step=4), OperationCount(3, (N, M))),
        (loop("t", Affine(), N, loop("j", Affine(), Affine(constant=5), S), step=4), OperationCount(15, (N,))),
        (TILE, OperationCount(3, (N - Affine.name("t"), M))),
        (For("i", 0, of_affine(Affine()), "<=", of_affine(N), ONE, S), OperationCount(3, (N + 1,))),
        (loop("i", Affine(), N, loop("j", Affine(), Affine(), S)), OperationCount(3, (N,))),
        (loop("i", Affine(), N, Block((S, Instance("unknown", ())))), None),
        (loop("i", Affine(), IntegerOperation("floor_div", (IntegerName("N"), IntegerConstant(4))), S), None),
    ],
)  # fmt: skip
def test_the_work_is_a_product(tree: Node, expected: OperationCount | None) -> None:
    assert operation_count(tree, COSTS.get) == expected


CUBE = loop("i", Affine(), N, loop("j", Affine(), N, loop("k", Affine(), N, T)))


@pytest.mark.parametrize(
    ("body", "few", "enough"),
    [
        (loop("i", Affine(), N, S), 10, Enough((N,), 3)),
        (loop("i", Affine(), N, S), 4, Enough((N,), 1)),
        (loop("i", Affine(), N, S), 3, None),
        (CUBE, 100, Enough((N, N, N), 20)),
        (loop("l", Affine(), N, CUBE), 100, None),
        (S, 100, None),
        (loop("i", Affine(), N, Instance("unknown", ())), 100, None),
    ],
)
def test_a_team_states_how_much_is_enough(body: Node, few: int, enough: Enough | None) -> None:
    limit = LimitTeams(COSTS.get, few)
    assert limit(Block((Team(SyncScope.THREAD, body),))) == Block((Team(SyncScope.THREAD, body, enough),))


def drawn(random: Random, outer: tuple[Affine, ...], names: "count[int]") -> Node:
    """Loops over triangles, trapezoids and tiles, up to three deep."""
    if len(outer) == 3 or (outer and random.random() < 0.2):
        return random.choice((S, T, Block((S, T)), Conditional(IntegerOperation("<", (IntegerName("N"), ONE)), S)))
    name = f"l{next(names)}"
    own = Affine.name(name)
    first = random.choice((Affine(), Affine(), *(before + random.choice((-1, 0, 1)) for before in outer)))
    end = random.choice((N, M, N + M - 1, *(before + random.choice((0, 2)) for before in outer)))
    if random.random() < 0.3:
        point = Affine.name(f"{name}p")
        inside = loop(f"{name}p", own, least(end, own + 3), drawn(random, (*outer, point), names))
        return loop(name, first, end, inside, step=3)
    body = drawn(random, (*outer, own), names)
    if random.random() < 0.2:
        body = Let(f"{name}v", 0, of_affine(own + 1), body)
    return loop(name, first, random.choice((end, least(end, M + 3))), body)


@pytest.mark.parametrize("seed", range(40))
def test_the_work_is_no_less_than_the_operations(seed: int) -> None:
    random = Random(seed)
    tree = drawn(random, (), count())
    work = operation_count(tree, COSTS.get)
    assert work is not None
    for _ in range(5):
        values = {"N": random.randrange(1, 9), "M": random.randrange(1, 9)}
        executed = operations(tree, values)
        assert executed == 0 or estimate(work, values) >= executed, (tree, work, values)
