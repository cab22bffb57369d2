"""One lane of an intrinsic's result, as a tree over the lanes of its operands."""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from alphaz.model.types import FLOAT, INT
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.conversions import operation, type_of
from alphaz.scop.index_polynomials import constant_polynomial, number
from alphaz.scop.intrinsics import Intrinsic, LaneVector
from alphaz.scop.value_tree import CALL, LiteralValue, Tree


class NoLane(Exception):
    """A constant selects a lane that does not exist."""


Leaf = Callable[[str, Polynomial], Tree]
"""The element of a parameter, by its name and the subscript in the table; a scalar has one."""

_ONLY = Polynomial()
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_NUMBERS: Mapping[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
}
_FOLDED = {"total": "+", "least": "min", "greatest": "max"}


def lane_of(intrinsic: Intrinsic, lane: Polynomial, leaf: Leaf, constants: Mapping[str, int]) -> Tree:
    """Returns the tree of the lane: symbolic if the intrinsic treats all lanes alike, else by number."""
    lane_sizes = {**intrinsic.sizes, **constants}
    at = number(lane)
    if at is not None:
        lane_sizes |= {"l": at, "q": at - at % lane_sizes["k"], "r": at % lane_sizes["k"]}
    return _Lane(intrinsic, lane, leaf, lane_sizes).value(intrinsic.lane)


@dataclass(frozen=True, slots=True)
class _Lane:
    intrinsic: Intrinsic
    lane: Polynomial
    leaf: Leaf
    known: Mapping[str, int]

    def value(self, node: ast.expr) -> Tree:
        match node:
            case ast.Constant(value=int() as number_):
                return LiteralValue(Fraction(number_), INT)
            case ast.Name():
                return self.leaf(node.id, _ONLY)
            case ast.Subscript():
                return self.element(self.chosen(node.value), self.subscript(node.slice))
            case ast.IfExp():
                return self.value(node.body if self.holds(node.test) else node.orelse)
            case ast.UnaryOp():
                inside = self.value(node.operand)
                return operation("neg", (inside,), type_of(inside))
            case ast.Call(func=ast.Name(id=name)):
                return self.called(name, node.args)
            case ast.BinOp():
                return self.combined(_OPERATORS[type(node.op)], (self.value(node.left), self.value(node.right)))
        raise AssertionError(ast.dump(node))

    def element(self, name: str, at: Polynomial) -> Tree:
        kind, constant_at = self.intrinsic.parameters[name], number(at)
        if isinstance(kind, LaneVector) and constant_at is not None:
            _within(constant_at, kind.lanes)
        return self.leaf(name, at)

    def called(self, name: str, arguments: list[ast.expr]) -> Tree:
        if name == "fused":
            return self.value(arguments[0])
        if name == "sqrt":
            inside = self.value(arguments[0])
            single = "f" if type_of(inside) == FLOAT else ""
            return operation(f"{CALL}sqrt{single}", (inside,), type_of(inside))
        if name in _FOLDED:
            vector = self.chosen(arguments[0])
            kind = self.intrinsic.parameters[vector]
            assert isinstance(kind, LaneVector)
            value = self.leaf(vector, constant_polynomial(0))
            for position in range(1, kind.lanes):
                value = self.combined(_FOLDED[name], (value, self.leaf(vector, constant_polynomial(position))))
            return value
        return self.combined(name, (self.value(arguments[0]), self.value(arguments[1])))

    def combined(self, symbol: str, operands: tuple[Tree, Tree]) -> Tree:
        return operation(symbol, operands, type_of(operands[0]))

    def chosen(self, node: ast.expr) -> str:
        """Returns the name of a parameter, or of one parameter of several."""
        match node:
            case ast.Name():
                return node.id
            case ast.Subscript(value=ast.Tuple(elts=several)):
                return self.chosen(several[_within(self.integer(node.slice), len(several))])
        raise AssertionError(ast.dump(node))

    def subscript(self, node: ast.expr) -> Polynomial:
        match node:
            case ast.Name(id="l"):
                return self.lane
            case ast.BinOp(op=ast.Add(), left=ast.Name(id="l")):
                return self.lane + constant_polynomial(self.integer(node.right))
        return constant_polynomial(self.integer(node))

    def holds(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Compare):
            return self.integer(node.left) == self.integer(node.comparators[0])
        return bool(self.integer(node))

    def integer(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name():
                return self.known[node.id]
            case ast.BinOp():
                return _NUMBERS[type(node.op)](self.integer(node.left), self.integer(node.right))
        raise AssertionError(ast.dump(node))


def _within(position: int, count: int) -> int:
    if not 0 <= position < count:
        raise NoLane
    return position
