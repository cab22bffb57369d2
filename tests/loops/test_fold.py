"""Folding of arithmetic in trees of loops."""

from alphaz.loops.passes.fold import Fold
from alphaz.loops.tree import Block, For, If, Instance, Let, Node
from alphaz.poly.plain.integer import Integer, Name, Number, Operation

N, AT = Name("N"), Name("i")


def of(symbol: str, *operands: Integer) -> Operation:
    return Operation(symbol, operands)


def loop(first: Integer, bound: Integer, body: Node) -> For:
    return For("i", 0, first, "<", bound, Number(1), body)


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
