"""Folding of arithmetic in trees of loops, and of what is known where it stands."""

import random
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from alphaz.loops import tree as trees
from alphaz.loops.modes import Parallel
from alphaz.loops.passes.fold import Fold
from alphaz.loops.tree import Block, For, If, Instance, Let, Node
from alphaz.poly.plain.integer import Integer, Name, Number, Operation, value_of

N, AT, T = Name("N"), Name("i"), Name("t")
ONE, TWO = Instance("S", (AT,)), Instance("T", (AT,))


def of(symbol: str, *operands: Integer) -> Operation:
    return Operation(symbol, operands)


def loop(first: Integer, bound: Integer, body: Node, name: str = "i") -> For:
    return For(name, 0, first, "<", bound, Number(1), body)


def inside(node: Node) -> Node:
    """What is folded of it in a loop over i from 0 up to N."""
    folded = Fold()(loop(Number(0), N, node))
    assert isinstance(folded, For)
    return folded.body


def test_bounds_values_and_indices_are_folded() -> None:
    end = of("+", of("-", of("-", N, Number(2)), Number(0)), Number(1))
    body = Let("j", 1, of("-", of("+", AT, Number(1)), Number(1)), Instance("S", (of("+", of("*", Number(0), N), AT),)))
    folded = loop(Number(0), of("-", N, Number(1)), Let("j", 1, AT, Instance("S", (AT,))))
    assert Fold()(loop(of("-", Number(3), Number(3)), end, body)) == folded


def test_tests_with_one_answer_go() -> None:
    yes, no = of("<=", N, of("+", N, Number(1))), of("<", of("+", N, Number(1)), N)
    one, two = Instance("S", ()), Instance("T", ())
    assert Fold()(If(yes, one, two)) == one
    assert Fold()(If(no, one, two)) == two
    assert Fold()(If(no, one)) == Block(())
    assert Fold()(If(of("<", AT, N), If(yes, one))) == If(of("<", AT, N), one)


@pytest.mark.parametrize(
    ("test", "answer"),
    [
        (of("<", AT, N), True),
        (of("<", of("*", Number(3), AT), of("*", Number(3), N)), True),
        (of(">=", of("+", AT, Number(1)), Number(1)), True),
        (of("==", AT, N), False),
        (of(">", AT, of("+", N, Number(4))), False),
        (of("<", of("*", Number(2), AT), Number(-1)), False),
        (of("<=", AT, of("-", N, Number(2))), None),
        (of("==", of("*", Number(2), AT), Number(1)), False),
        (of(">=", N, Number(1)), None),
        (of("<", AT, of("min", N, of("+", N, Number(3)))), True),
        (of("<", AT, of("min", N, T)), None),
        (of("or", of("<", AT, T), of("<", AT, N)), True),
    ],
)
def test_tests_are_answered_by_the_loops_around(test: Integer, answer: bool | None) -> None:
    found = inside(If(test, ONE, TWO))
    assert found == {True: ONE, False: TWO}.get(answer, found) if answer is not None else isinstance(found, If)


def test_what_is_asked_already_is_not_asked_again() -> None:
    less, same = of("<", AT, T), of("==", of("divides", AT, Number(2)), Number(0))
    for test in (less, same):
        assert inside(If(test, If(test, ONE, TWO), TWO)) == If(test, ONE, TWO)
        assert inside(If(test, ONE, If(test, ONE, TWO))) == If(test, ONE, TWO)
    assert inside(If(of("and", less, same), If(of("and", same, less), ONE))) == If(of("and", less, same), ONE)
    assert inside(If(of("and", less, of("<", AT, N)), ONE)) == If(less, ONE)
    beside = If(less, ONE, If(of("<", AT, of("+", T, Number(1))), ONE))
    assert inside(beside) == beside


def test_an_end_that_is_left_out_moves_the_end() -> None:
    zero = of("==", AT, Number(0))
    assert inside(If(zero, ONE, If(of(">=", AT, Number(1)), TWO))) == If(zero, ONE, TWO)
    middle = of("==", AT, Number(5))
    tested = If(middle, ONE, If(of(">=", AT, Number(6)), TWO))
    assert inside(tested) == tested


def test_a_name_that_means_something_else_is_not_known() -> None:
    """A loop or a name inside that is called the same; behind it the old one is known again."""
    asked = If(of("<", AT, N), ONE, TWO)
    again = For("i", 1, Number(0), "<", T, Number(1), asked)
    assert inside(Block((again, asked))) == Block((again, ONE))
    named = Let("i", 1, T, asked)
    assert inside(named) == named
    shadow = If(of("<", AT, T), Let("t", 1, of("+", T, Number(9)), If(of("<", AT, T), ONE, TWO)))
    assert inside(shadow) == shadow


def test_a_name_with_the_value_that_it_has_is_not_said_again() -> None:
    same = of("==", AT, T)
    assert inside(If(same, Let("i", 1, T, If(of("<", AT, T), TWO, ONE)))) == If(same, ONE)
    last = of("-", N, Number(1))
    beside = If(of("<", AT, last), TWO, Let("i", 1, last, ONE))
    assert inside(beside) == If(of("<", AT, last), TWO, ONE)


def test_one_iteration_is_no_loop() -> None:
    once = For("t", 1, AT, "<=", AT, Number(16), If(of("<=", T, N), ONE))
    assert inside(once) == Let("t", 1, AT, If(of("<=", T, N), ONE))
    twice = For("t", 1, AT, "<=", of("+", AT, Number(16)), Number(16), ONE)
    assert inside(twice) == twice
    perhaps = For("t", 1, of("-", N, Number(1)), "<=", AT, Number(1), ONE)
    assert inside(perhaps) == perhaps
    shared = For("t", 1, AT, "<=", AT, Number(1), ONE, Parallel())
    assert inside(shared) == shared


def test_loops_that_are_shared_out_as_one_are_as_many_as_there_are() -> None:
    inner = For("t", 1, AT, "<=", AT, Number(1), loop(Number(0), T, ONE, "k"))
    outer = For("i", 0, Number(0), "<", N, Number(1), inner, Parallel(3))
    folded = Fold()(outer)
    assert isinstance(folded, For)
    assert folded.mode == Parallel(1)


def test_operands_that_others_are_never_behind_are_left_out() -> None:
    end = of("min", N, of("+", AT, Number(8)))
    body = loop(AT, end, ONE, "t")
    assert inside(If(of("<=", of("+", AT, Number(8)), N), body, body)) == If(
        of("<=", of("+", AT, Number(8)), N), loop(AT, of("+", AT, Number(8)), ONE, "t"), loop(AT, N, ONE, "t")
    )


def test_a_choice_of_the_lesser_is_a_minimum() -> None:
    end, last = of("+", T, Number(2)), of("-", N, Number(1))
    lesser = of("if", of("<=", N, end), last, end)
    assert Fold()(Instance("S", (lesser,))) == Instance("S", (of("min", last, end),))
    greater = of("if", of("<", last, end), end, last)
    assert Fold()(Instance("S", (greater,))) == Instance("S", (of("max", end, last),))
    neither = of("if", of("<=", N, T), last, end)
    assert Fold()(Instance("S", (neither,))) == Instance("S", (neither,))


# --- random trees, executed -------------------------------------------------------------------------------------------

NAMES = ("i", "t", "k")
SYMBOLS = ("==", "<", "<=", ">", ">=")


def _value(rng: random.Random, names: tuple[str, ...]) -> Integer:
    value: Integer = Name(rng.choice(names))
    if rng.random() < 0.5:
        value = of("*", Number(rng.randint(1, 2)), value)
    if rng.random() < 0.3:
        value = of(rng.choice("+-"), value, Name(rng.choice(names)))
    if rng.random() < 0.2:
        value = of(rng.choice(("min", "max")), value, _value(rng, names))
    if rng.random() < 0.1:
        one, other = _value(rng, names), _value(rng, names)
        test = of(rng.choice(SYMBOLS), one, other) if rng.random() < 0.7 else _test(rng, names)
        value = of("if", test, *rng.sample((one, other), 2))
    return of("+", value, Number(rng.randint(-2, 2)))


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
        return For(own, 0, first, rng.choice(("<", "<=")), bound, Number(rng.randint(1, 3)), body)
    if kind == 1:
        own = rng.choice(NAMES)
        others = tuple(name for name in names if name != own)
        return Let(own, 0, _value(rng, others), _tree(rng, (*others, own), depth - 1))
    if kind == 2:
        test = _test(rng, names)
        otherwise = _tree(rng, names, depth - 1) if rng.random() < 0.6 else None
        return If(test, _tree(rng, names, depth - 1), otherwise)
    if kind == 3:
        return Block(tuple(_tree(rng, names, depth - 1) for _ in range(2)))
    return Instance(f"S{rng.randint(0, 9)}", tuple(map(Name, sorted(names))))


def _done(node: Node, values: Mapping[str, int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    match node:
        case For(own, _, first, comparison, bound, step, body):
            at, end = value_of(first, values), value_of(bound, values)
            while at < end or (at == end and comparison == "<="):
                yield from _done(body, {**values, own: at})
                at += value_of(step, values)
        case Let(own, _, value, body):
            yield from _done(body, {**values, own: value_of(value, values)})
        case If(condition, then, otherwise):
            if value_of(condition, values):
                yield from _done(then, values)
            elif otherwise is not None:
                yield from _done(otherwise, values)
        case Block(children):
            for child in children:
                yield from _done(child, values)
        case Instance(name, arguments):
            yield name, tuple(value_of(each, values) for each in arguments)


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_do_the_same_with_fewer_tests(seed: int) -> None:
    rng, fewer = random.Random(seed), 0
    for _ in range(150):
        tree = _tree(rng, ("M", "N"), 5)
        folded = Fold()(tree)
        assert trees.tests(folded) <= trees.tests(tree)
        fewer += trees.tests(tree) - trees.tests(folded)
        for m, n in product((-1, 0, 1, 2, 5), repeat=2):
            values = {"M": m, "N": n}
            assert list(_done(tree, values)) == list(_done(folded, values))
    assert fewer > 20
