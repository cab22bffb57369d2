"""Expressions as polynomials, where all laws of real numbers are allowed: two are equal if they have the same products.

Constants are their exact values, division by another value is multiplication by its inverse, and all other operations
(a root, a choice, a minimum) are unknowns, as are reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from alphaz.equivalence.value_graph import Apply, Position, Term
from alphaz.model.types import ScalarType
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree

Node = Tree | Term
_Sum = dict[tuple[Node, ...], Fraction]

_MOST_PRODUCTS = 64
_ONE = Fraction(1)
_NONE: Mapping[int, Fraction] = {}


@dataclass(frozen=True, slots=True)
class Product:
    """A constant factor, never 0, and unknowns, with repetition."""

    factor: Fraction
    unknowns: tuple[Node, ...]


def polynomial(node: Node, type_: ScalarType, numbers: Mapping[int, Fraction] = _NONE) -> list[Product] | None:
    """Returns the sum of distinct products that an expression computed in one type equals. `numbers` are the known
    values of some reads. None if there are too many products, or infinity is among them."""
    sum_ = _sum(node, type_, numbers)
    return None if sum_ is None else [Product(factor, unknowns) for unknowns, factor in sum_.items()]


def is_arithmetic(node: Node) -> bool:
    """Returns True for an operation that polynomials consist of. Integer division is not one."""
    if not isinstance(node, OperationValue | Apply):
        return False
    return node.operator in ("+", "-", "*", "neg") or (node.operator == "/" and node.type.is_float)


def _sum(node: Node, type_: ScalarType, numbers: Mapping[int, Fraction]) -> _Sum | None:
    match node:
        case LiteralValue(value):
            return None if isinstance(value, str) else _scaled({(): _ONE}, value)
        case Position(affine) | IndexLeaf(affine) if affine.is_constant:
            return _scaled({(): _ONE}, Fraction(affine.constant))
        case ReadValue(number) if number in numbers:
            return _scaled({(): _ONE}, numbers[number])
        case OperationValue() | Apply() if is_arithmetic(node) and node.type == type_:
            return _computed(node, type_, numbers)
    return {(node,): _ONE}


def _computed(node: OperationValue | Apply, type_: ScalarType, numbers: Mapping[int, Fraction]) -> _Sum | None:
    inside = [_sum(operand, type_, numbers) for operand in node.operands]
    sums = [summand for summand in inside if summand is not None]
    if len(sums) < len(inside):
        return None
    match node.operator, sums:
        case "+", [left, right]:
            return _sum_of(left, right)
        case "-", [left, right]:
            return _sum_of(left, _scaled(right, -_ONE))
        case "neg", [only]:
            return _scaled(only, -_ONE)
        case "*", [left, right]:
            return _multiplied(left, right)
        case "/", [left, right] if right.keys() == {()}:
            return _scaled(left, 1 / right[()])
        case "/", [left, _]:
            return _multiplied(left, {(_inverse(node),): _ONE})
    return None


def _inverse(quotient: OperationValue | Apply) -> Node:
    """Returns the inverse of the divisor, as an unknown."""
    if isinstance(quotient, OperationValue):
        return OperationValue("inverse", quotient.operands[1:], quotient.type)
    return Apply("inverse", quotient.operands[1:], quotient.type)


def _scaled(sum_: _Sum, factor: Fraction) -> _Sum:
    return {unknowns: factor_ * factor for unknowns, factor_ in sum_.items() if factor}


def _sum_of(left: _Sum, right: _Sum) -> _Sum | None:
    total = dict(left)
    for unknowns, factor in right.items():
        total[unknowns] = total.get(unknowns, Fraction(0)) + factor
    return _bounded(total)


def _multiplied(left: _Sum, right: _Sum) -> _Sum | None:
    products: _Sum = {}
    for first, one in left.items():
        for second, other in right.items():
            unknowns = tuple(sorted((*first, *second), key=repr))
            products[unknowns] = products.get(unknowns, Fraction(0)) + one * other
    return _bounded(products)


def _bounded(sum_: _Sum) -> _Sum | None:
    bounded = {unknowns: factor for unknowns, factor in sum_.items() if factor}
    return bounded if len(bounded) <= _MOST_PRODUCTS else None
