"""Folding of arithmetic in trees of loops, and of what is known where it stands."""

import random
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from alphaz.loops import tree as trees
from alphaz.loops.modes import Parallel
from alphaz.loops.passes.simplify import Fold
from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node
from alphaz.poly import Affine, Domain, Space
from alphaz.poly.plain.affine import Constraint, at_least
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, value_of
from tests.thinning import thinned

N, AT, T = IntegerName("N"), IntegerName("i"), IntegerName("t")
ONE, TWO = Instance("S", (AT,)), Instance("T", (AT,))


def of(symbol: str, *operands: Integer) -> IntegerOperation:
    return IntegerOperation(symbol, operands)


def loop(first: Integer, bound: Integer, body: Node, name: str = "i") -> For:
    return For(name, 0, first, "<", bound, IntegerConstant(1), body)


def folded(tree: Node, *context: Constraint) -> Node:
    """By what is known of M and N."""
    return Fold(Domain.where(Space(("M", "N"), ()), context))(tree)


def inside(node: Node) -> Node:
    """Returns the node after simplification inside a loop over i from 0 to N."""
    found = folded(loop(IntegerConstant(0), N, node))
    assert isinstance(found, For)
    return found.body


def test_bounds_values_and_indices_are_folded() -> None:
    end = of("+", of("-", of("-", N, IntegerConstant(2)), IntegerConstant(0)), IntegerConstant(1))
    body = Let(
        "j",
        1,
        of("-", of("+", AT, IntegerConstant(1)), IntegerConstant(1)),
        Instance("S", (of("+", of("*", IntegerConstant(0), N), AT),)),
    )
    short = loop(IntegerConstant(0), of("-", N, IntegerConstant(1)), Let("j", 1, AT, Instance("S", (AT,))))
    assert folded(loop(of("-", IntegerConstant(3), IntegerConstant(3)), end, body)) == short


def test_tests_with_one_answer_go() -> None:
    yes, no = of("<=", N, of("+", N, IntegerConstant(1))), of("<", of("+", N, IntegerConstant(1)), N)
    one, two = Instance("S", ()), Instance("T", ())
    assert folded(Conditional(yes, one, two)) == one
    assert folded(Conditional(no, one, two)) == two
    assert folded(Conditional(no, one)) == Block(())
    assert folded(Conditional(of("<", AT, N), Conditional(yes, one))) == Conditional(of("<", AT, N), one)


@pytest.mark.parametrize(
    ("test", "answer"),
    [
        (of("<", AT, N), True),
        (of("<", of("*", IntegerConstant(3), AT), of("*", IntegerConstant(3), N)), True),
        (of(">=", of("+", AT, IntegerConstant(1)), IntegerConstant(1)), True),
        (of("==", AT, N), False),
        (of(">", AT, of("+", N, IntegerConstant(4))), False),
        (of("<", of("*", IntegerConstant(2), AT), IntegerConstant(-1)), False),
        (of("<=", AT, of("-", N, IntegerConstant(2))), None),
        (of("==", of("*", IntegerConstant(2), AT), IntegerConstant(1)), False),
        (of(">=", N, IntegerConstant(1)), True),
        (of(">=", N, IntegerConstant(2)), None),
        (of("<", AT, of("min", N, of("+", N, IntegerConstant(3)))), True),
        (of("<", AT, of("min", N, T)), None),
        (of("or", of("<", AT, T), of("<", AT, N)), True),
    ],
)
def test_tests_are_answered_by_the_loops_around(test: Integer, answer: bool | None) -> None:
    found = inside(Conditional(test, ONE, TWO))
    assert found == {True: ONE, False: TWO}.get(answer, found) if answer is not None else isinstance(found, Conditional)


def test_what_is_asked_already_is_not_asked_again() -> None:
    less, same = of("<", AT, T), of("==", of("divides", AT, IntegerConstant(2)), IntegerConstant(0))
    for test in (less, same):
        assert inside(Conditional(test, Conditional(test, ONE, TWO), TWO)) == Conditional(test, ONE, TWO)
        assert inside(Conditional(test, ONE, Conditional(test, ONE, TWO))) == Conditional(test, ONE, TWO)
    assert inside(Conditional(of("and", less, same), Conditional(of("and", same, less), ONE))) == Conditional(
        of("and", less, same), ONE
    )
    assert inside(Conditional(of("and", less, of("<", AT, N)), ONE)) == Conditional(less, ONE)
    beside = Conditional(less, ONE, Conditional(of("<", AT, of("+", T, IntegerConstant(1))), ONE))
    assert inside(beside) == beside


def test_an_end_that_is_left_out_moves_the_end() -> None:
    zero = of("==", AT, IntegerConstant(0))
    assert inside(Conditional(zero, ONE, Conditional(of(">=", AT, IntegerConstant(1)), TWO))) == Conditional(
        zero, ONE, TWO
    )
    middle = of("==", AT, IntegerConstant(5))
    tested = Conditional(middle, ONE, Conditional(of(">=", AT, IntegerConstant(6)), TWO))
    assert inside(tested) == tested


def test_a_name_that_means_something_else_is_not_known() -> None:
    """A loop or a name inside that is called the same; behind it the old one is known again."""
    asked = Conditional(of("<", AT, N), ONE, TWO)
    again = For("i", 1, IntegerConstant(0), "<", T, IntegerConstant(1), asked)
    assert inside(Block((again, asked))) == Block((again, ONE))
    named = Let("i", 1, T, asked)
    assert inside(named) == named
    shadow = Conditional(
        of("<", AT, T), Let("t", 1, of("+", T, IntegerConstant(9)), Conditional(of("<", AT, T), ONE, TWO))
    )
    assert inside(shadow) == shadow


def test_a_name_with_the_value_that_it_has_is_not_said_again() -> None:
    same = of("==", AT, T)
    assert inside(Conditional(same, Let("i", 1, T, Conditional(of("<", AT, T), TWO, ONE)))) == Conditional(same, ONE)
    last = of("-", N, IntegerConstant(1))
    beside = Conditional(of("<", AT, last), TWO, Let("i", 1, last, ONE))
    assert inside(beside) == Conditional(of("<", AT, last), TWO, ONE)


def test_one_iteration_is_no_loop() -> None:
    once = For("t", 1, AT, "<=", AT, IntegerConstant(16), Conditional(of("<=", T, N), ONE))
    assert inside(once) == Let("t", 1, AT, Conditional(of("<=", T, N), ONE))
    twice = For("t", 1, AT, "<=", of("+", AT, IntegerConstant(16)), IntegerConstant(16), ONE)
    assert inside(twice) == twice
    perhaps = For("t", 1, of("-", N, IntegerConstant(1)), "<=", AT, IntegerConstant(1), ONE)
    assert inside(perhaps) == perhaps
    shared = For("t", 1, AT, "<=", AT, IntegerConstant(1), ONE, Parallel())
    assert inside(shared) == shared


def test_loops_that_are_shared_out_as_one_are_as_many_as_there_are() -> None:
    inner = For("t", 1, AT, "<=", AT, IntegerConstant(1), loop(IntegerConstant(0), T, ONE, "k"))
    outer = For("i", 0, IntegerConstant(0), "<", N, IntegerConstant(1), inner, Parallel(3))
    found = folded(outer)
    assert isinstance(found, For)
    assert found.mode == Parallel(1)


def test_operands_that_others_are_never_behind_are_left_out() -> None:
    end = of("min", N, of("+", AT, IntegerConstant(8)))
    body = loop(AT, end, ONE, "t")
    assert inside(Conditional(of("<=", of("+", AT, IntegerConstant(8)), N), body, body)) == Conditional(
        of("<=", of("+", AT, IntegerConstant(8)), N),
        loop(AT, of("+", AT, IntegerConstant(8)), ONE, "t"),
        loop(AT, N, ONE, "t"),
    )


def test_a_choice_of_the_lesser_is_a_minimum() -> None:
    end, last = of("+", T, IntegerConstant(2)), of("-", N, IntegerConstant(1))
    lesser = of("if", of("<=", N, end), last, end)
    assert folded(Instance("S", (lesser,))) == Instance("S", (of("min", last, end),))
    greater = of("if", of("<", last, end), end, last)
    assert folded(Instance("S", (greater,))) == Instance("S", (of("max", end, last),))
    neither = of("if", of("<=", N, T), last, end)
    assert folded(Instance("S", (neither,))) == Instance("S", (neither,))


TILE = IntegerName("tile")


def in_tile(node: Node) -> Node:
    """Returns the node after simplification inside tiles of 24 of a loop over i in steps of 8, with N at least 1."""
    tiles = For(
        "tile", 0, IntegerConstant(0), "<", N, IntegerConstant(24), For("i", 0, TILE, "<", N, IntegerConstant(8), node)
    )
    found = folded(tiles, at_least(Affine.name("N"), 1))
    assert isinstance(found, For)
    assert isinstance(found.body, For)
    return found.body.body


@pytest.mark.parametrize(
    ("test", "answer"),
    [
        (of("<", of("-", AT, TILE), IntegerConstant(8)), None),
        (of("<", AT, of("-", TILE, IntegerConstant(-1))), None),
        (of("==", of("+", AT, IntegerConstant(4)), of("*", IntegerConstant(2), TILE)), False),
        (of("and", of(">=", AT, IntegerConstant(1)), of("<=", AT, IntegerConstant(7))), False),
        (of(">=", of("+", AT, N), IntegerConstant(1)), True),
        (of("<=", IntegerConstant(0), of("floor_div", of("+", AT, IntegerConstant(-8)), IntegerConstant(5))), None),
        (of("<=", IntegerConstant(0), of("floor_div", of("+", AT, N), IntegerConstant(5))), True),
    ],
)
def test_tests_are_answered_by_multiples_and_sums(test: Integer, answer: bool | None) -> None:
    found = in_tile(Conditional(test, ONE, TWO))
    assert found == {True: ONE, False: TWO}.get(answer, found) if answer is not None else isinstance(found, Conditional)


def test_a_multiple_above_a_number_is_the_next_one() -> None:
    one, two = of(">=", AT, IntegerConstant(1)), of(">=", AT, IntegerConstant(8))
    assert in_tile(Conditional(one, Conditional(two, ONE, TWO))) == Conditional(one, ONE)
    shadow = Conditional(one, Let("i", 1, N, Conditional(two, ONE, TWO)))
    assert in_tile(shadow) == shadow


@pytest.mark.parametrize(
    ("value", "short"),
    [
        (
            of("floor_div", of("*", IntegerConstant(6), AT), IntegerConstant(8)),
            of("quotient", of("*", IntegerConstant(3), AT), IntegerConstant(4)),
        ),
        (
            of("floor_div", of("-", N, IntegerConstant(1)), IntegerConstant(8)),
            of("quotient", of("-", N, IntegerConstant(1)), IntegerConstant(8)),
        ),
        (
            of("floor_div", of("-", N, IntegerConstant(2)), IntegerConstant(8)),
            of("floor_div", of("-", N, IntegerConstant(2)), IntegerConstant(8)),
        ),
        (of("*", IntegerConstant(8), of("floor_div", of("+", AT, IntegerConstant(7)), IntegerConstant(8))), AT),
        (
            of(
                "*",
                IntegerConstant(8),
                of(
                    "max",
                    IntegerConstant(2),
                    of("floor_div", of("max", of("+", TILE, IntegerConstant(7)), N), IntegerConstant(8)),
                ),
            ),
            of(
                "*",
                IntegerConstant(8),
                of(
                    "max",
                    IntegerConstant(2),
                    of("quotient", of("max", of("+", TILE, IntegerConstant(7)), N), IntegerConstant(8)),
                ),
            ),
        ),
        (
            of(
                "*",
                IntegerConstant(8),
                of("max", IntegerConstant(3), of("floor_div", of("+", TILE, IntegerConstant(15)), IntegerConstant(8))),
            ),
            of("max", IntegerConstant(24), of("+", TILE, IntegerConstant(8))),
        ),
        (
            of(
                "+",
                of("-", TILE, of("quotient", of("+", N, IntegerConstant(16)), IntegerConstant(16))),
                IntegerConstant(1),
            ),
            of("-", TILE, of("quotient", N, IntegerConstant(16))),
        ),
        (
            of("+", of("floor_div", of("-", N, IntegerConstant(20)), IntegerConstant(16)), IntegerConstant(1)),
            of("floor_div", of("-", N, IntegerConstant(4)), IntegerConstant(16)),
        ),
    ],
)
def test_divisions_are_plain_where_they_can_be(value: Integer, short: Integer) -> None:
    assert in_tile(Instance("S", (value,))) == Instance("S", (short,))


# --- random trees, executed -------------------------------------------------------------------------------------------

NAMES = ("i", "t", "k")
SYMBOLS = ("==", "<", "<=", ">", ">=")


def _value(rng: random.Random, names: tuple[str, ...]) -> Integer:
    value: Integer = IntegerName(rng.choice(names))
    if rng.random() < 0.5:
        value = of("*", IntegerConstant(rng.randint(1, 2)), value)
    if rng.random() < 0.3:
        value = of(rng.choice("+-"), value, IntegerName(rng.choice(names)))
    if rng.random() < 0.2:
        value = of(rng.choice(("min", "max")), value, _value(rng, names))
    if rng.random() < 0.2:
        size = IntegerConstant(rng.choice((2, 4, 6)))
        value = of("floor_div", of("+", value, IntegerConstant(rng.randint(-6, 6))), size)
        value = of("*", size, value) if rng.random() < 0.6 else value
    if rng.random() < 0.1:
        one, other = _value(rng, names), _value(rng, names)
        test = of(rng.choice(SYMBOLS), one, other) if rng.random() < 0.7 else _test(rng, names)
        value = of("if", test, *rng.sample((one, other), 2))
    return of("+", value, IntegerConstant(rng.randint(-2, 2)))


def _test(rng: random.Random, names: tuple[str, ...]) -> Integer:
    if rng.random() < 0.3:
        return of(rng.choice(("and", "or")), _test(rng, names), _test(rng, names))
    return of(rng.choice(SYMBOLS), _value(rng, names), _value(rng, names))


def _tree(rng: random.Random, names: tuple[str, ...], depth: int) -> Node:
    kind = rng.randint(0, 4) if depth else 4
    if kind == 0:
        own = rng.choice(NAMES)
        others = tuple(name for name in names if name != own)
        body = _tree(rng, (*others, own), depth - 1)
        first, bound = _value(rng, others), _value(rng, others)
        return For(own, 0, first, rng.choice(("<", "<=")), bound, IntegerConstant(rng.choice((1, 2, 3, 4, 6))), body)
    if kind == 1:
        own = rng.choice(NAMES)
        others = tuple(name for name in names if name != own)
        return Let(own, 0, _value(rng, others), _tree(rng, (*others, own), depth - 1))
    if kind == 2:
        test = _test(rng, names)
        otherwise = _tree(rng, names, depth - 1) if rng.random() < 0.6 else None
        return Conditional(test, _tree(rng, names, depth - 1), otherwise)
    if kind == 3:
        return Block(tuple(_tree(rng, names, depth - 1) for _ in range(2)))
    return Instance(f"S{rng.randint(0, 9)}", tuple(map(IntegerName, sorted(names))))


def _done(node: Node, values: Mapping[str, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    match node:
        case For(own, _, first, comparison, bound, step, body):
            at, end = value_of(first, values), value_of(bound, values)
            while at < end or (at == end and comparison == "<="):
                yield from _done(body, {**values, own: at})
                at += value_of(step, values)
        case Let(own, _, value, body):
            yield from _done(body, {**values, own: value_of(value, values)})
        case Conditional(condition, then, otherwise):
            if value_of(condition, values):
                yield from _done(then, values)
            elif otherwise is not None:
                yield from _done(otherwise, values)
        case Block(children):
            for child in children:
                yield from _done(child, values)
        case Instance(name, arguments):
            yield name, tuple(value_of(argument, values) for argument in arguments)


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(6), 6))
def test_random_trees_do_the_same_with_fewer_tests(seed: int) -> None:
    rng, fewer = random.Random(seed), 0
    for _ in range(150):
        tree, least = _tree(rng, ("M", "N"), 5), rng.choice((-1, 0, 1))
        found = folded(tree, *(at_least(Affine.name(name), least) for name in "MN"))
        assert trees.tests(found) <= trees.tests(tree)
        fewer += trees.tests(tree) - trees.tests(found)
        for m, n in product((-1, 0, 1, 2, 5), repeat=2):
            values = {"M": m, "N": n}
            if min(m, n) >= least:
                assert list(_done(tree, values)) == list(_done(found, values))
    assert fewer > 20
