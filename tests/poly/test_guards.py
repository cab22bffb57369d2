"""Guards are left out exactly where the loops around them, or other tests, say as much."""

import pytest

from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.guards import without_dead_guards
from alphaz.poly.integer import Integer, Name, Number, Operation
from alphaz.poly.loops import Block, Call, For, If, Let, Node

CONTEXT = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), 1)])
N, R, C, ZERO, ONE = Name("N"), Name("i"), Name("j"), Number(0), Number(1)
CALL, OTHER = Call("S", ()), Call("T", ())


def around(body: Node) -> Node:
    """Of rows i, from 0 to N - 1, and of columns j, from i to N - 1."""
    return For("i", 0, ZERO, "<", N, ONE, For("j", 1, R, "<", N, ONE, body))


def a(symbol: str, *operands: Integer) -> Operation:
    return Operation(symbol, operands)


def test_a_test_that_follows_from_another() -> None:
    guarded = around(If(a("and", a("==", R, ZERO), a("==", C, ZERO)), CALL))
    assert without_dead_guards(guarded, CONTEXT) == around(If(a("==", C, ZERO), CALL))


@pytest.mark.parametrize(
    "dead", [a("<=", R, C), a(">=", N, ONE), a("<", R, N), a(">", N, C), a("==", a("min", R, C), R)]
)
def test_a_test_that_always_holds(dead: Operation) -> None:
    assert without_dead_guards(around(If(dead, CALL, OTHER)), CONTEXT) == around(CALL)
    assert without_dead_guards(around(If(a("and", dead, a("<", ONE, C)), CALL)), CONTEXT) == around(
        If(a("<", ONE, C), CALL)
    )


@pytest.mark.parametrize("live", [a("<", R, C), a("<", ONE, N), a("==", R, C), a("==", a("remainder", R, C), ZERO)])
def test_a_test_that_says_something(live: Operation) -> None:
    tree = around(If(live, CALL, OTHER))
    assert without_dead_guards(tree, CONTEXT) == tree


def test_what_is_never_reached_is_left_out_with_its_loops() -> None:
    never = For("k", 2, ZERO, "<", N, ONE, If(a("<", C, R), CALL))
    assert without_dead_guards(around(Block((never, OTHER))), CONTEXT) == around(Block((OTHER,)))
    assert without_dead_guards(around(never), CONTEXT) == Block(())
    assert without_dead_guards(around(If(a("<", C, R), CALL, OTHER)), CONTEXT) == around(OTHER)


def test_a_name_with_a_value() -> None:
    tree = around(Let("k", 2, a("+", C, ONE), If(a("<=", Name("k"), N), CALL)))
    assert without_dead_guards(tree, CONTEXT) == around(Let("k", 2, a("+", C, ONE), CALL))


def test_nothing_is_concluded_where_a_name_stands_for_two_values() -> None:
    tree = around(For("i", 0, ONE, "<", N, ONE, If(a("<=", ONE, R), CALL)))
    assert without_dead_guards(tree, CONTEXT) == tree
