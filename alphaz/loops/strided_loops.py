"""Strided loops: loops over all integers become loops over the multiples of a size, or over the numbers of the
multiples.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from types import MappingProxyType

from alphaz.loops.tree import For, Let, Node, inside, with_inside
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    of_affine,
    simplified,
)

ONE = IntegerConstant(1)


def only_multiples(tree: Node, sizes: Mapping[str, Integer], starts: Mapping[str, str] = MappingProxyType({})) -> Node:
    """Returns the tree with loops whose iterators have a size stepping from multiple to multiple, instead of over all
    integers.

    `starts`: for an iterator, a name whose value is a multiple.
    """
    node = with_inside(tree, [only_multiples(child, sizes, starts) for child in inside(tree)])
    match node:
        case For(iterator, _, first, _, _, step) if iterator in sizes:
            size = sizes[iterator]
            if size == ONE:
                return node
            assert step == ONE, "multiples of a size among multiples of another number"
            is_known = first == IntegerName(starts.get(iterator, ""))
            start = first if is_known else multiplied(size, number_above(first, size))
            return replace(node, first=start, step=size)
        case Let(iterator, dimension, value, body) if iterator in sizes:
            size = sizes[iterator]
            first = multiplied(size, number_above(value, size))
            return For(
                iterator=iterator,
                dimension=dimension,
                first=first,
                comparison="<=",
                bound=value,
                step=size,
                body=body,
            )
    return node


def number_above(value: Integer, size: Integer) -> Integer:
    """Returns ceil(value / size): the number of the first multiple that is not below."""
    if _is_multiple(value, size):
        return number_below(value, size)
    match value:
        case IntegerOperation("max", operands) if any(_is_multiple(o, size) for o in operands):
            return IntegerOperation("max", tuple(number_above(o, size) for o in operands))
    return number_below(sum_of(value, IntegerOperation("-", (size, ONE))), size)


def _is_multiple(value: Integer, size: Integer) -> bool:
    match value, size:
        case IntegerConstant(0), _:
            return True
        case IntegerConstant(known), IntegerConstant(divisor):
            return known % divisor == 0
    return False


def number_below(value: Integer, size: Integer) -> Integer:
    """Returns floor(value / size): the number of the last multiple that is not above."""
    if size == ONE:
        return value
    match value, size:
        case IntegerConstant(0), _:
            return value
        case IntegerConstant(known), IntegerConstant(divisor):
            return IntegerConstant(known // divisor)
    return IntegerOperation("floor_div", (value, size))


def multiplied(size: Integer, number: Integer) -> Integer:
    if number == IntegerConstant(0) or size == ONE:
        return number
    if number == ONE:
        return size
    match size, number:
        case IntegerConstant(left), IntegerConstant(right):
            return IntegerConstant(left * right)
    return IntegerOperation("*", (size, number))


def sum_of(value: Integer, more: Integer) -> Integer:
    """Returns `value + more`, simplified, inside minima and maxima where `value` is one."""
    match value:
        case IntegerOperation("min" | "max" as symbol, operands):
            return IntegerOperation(symbol, tuple(sum_of(o, more) for o in operands))
    return simplified(IntegerOperation("+", (value, more)))


def subtracted_all(value: Integer, less: Sequence[Integer]) -> Integer:
    """Returns `value` minus the sum of the others, with equal terms counted."""
    counts = Counter(term_ for term_ in less if term_ != IntegerConstant(0))
    for term_, count in counts.items():
        value = difference(value, multiplied(IntegerConstant(count), term_))
    return value


def difference(value: Integer, less: Integer) -> Integer:
    """Returns `value - less`, simplified where both are affine."""
    left, right = as_affine(value), as_affine(less)
    if right == Affine():
        return value
    if left is not None and right is not None:
        return of_affine(left - right)
    return IntegerOperation("-", (value, less))


def extreme(symbol: str, *values: Integer) -> Integer:
    """Returns the least (min) or greatest (max) of values, in one operation."""
    flat: list[Integer] = []
    for value in values:
        match value:
            case IntegerOperation(same, operands) if same == symbol:
                flat += operands
            case _:
                flat.append(value)
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else IntegerOperation(symbol, distinct)


def total(values: Sequence[Integer]) -> Integer:
    """Returns the sum, with equal terms counted."""
    counts = Counter(value for value in values if value != IntegerConstant(0))
    some = [multiplied(IntegerConstant(count), value) for value, count in counts.items()]
    return (
        simplified(reduce(lambda left, right: IntegerOperation("+", (left, right)), some))
        if some
        else IntegerConstant(0)
    )
