"""Integer expressions as plain data: loop bounds, guards and array bounds.

isl's AST expressions are converted to these (`alphaz.poly.ast_expression`), so that the same value can be printed in
any language or evaluated in Python."""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd, prod
from typing import TypeAlias

from alphaz.poly.plain.affine import Affine


@dataclass(frozen=True, slots=True)
class IntegerConstant:
    value: int


@dataclass(frozen=True, slots=True)
class IntegerName:
    """A parameter, an index or an iterator."""

    name: str


@dataclass(frozen=True, slots=True)
class IntegerOperation:
    """`operator` applied to `operands`.

    Arithmetic: + - * neg min max; `floor_div` rounds down; `exact_div` leaves no remainder; `quotient` and `remainder`
    are of a dividend that is never negative; `divides` (dividend, divisor) is 0 where the divisor divides. `halved` (n,
    counts, sizes): of a box of `counts` tiles the side with most points is halved until one tile is left, the first
    half before the second; the row-major number of the n-th tile in this order, from 0 on. `volume` is a product of
    non-negative numbers, saturated at a number larger than any count. Logic: and or == < <= > >=; `if` is (condition,
    then, otherwise). Divisors are positive."""

    operator: str
    operands: "tuple[Integer, ...]"


Integer: TypeAlias = IntegerConstant | IntegerName | IntegerOperation
Summand: TypeAlias = tuple[bool, Integer]
"""True if the summand is subtracted; and its value."""

_MEANING: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "min": min, "max": max,
    "floor_div": operator.floordiv, "exact_div": operator.floordiv, "quotient": operator.floordiv,
    "remainder": operator.mod, "divides": operator.mod,
    "volume": operator.mul,
    "==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

DIVISIONS = frozenset(("floor_div", "exact_div", "quotient"))
_COMPARISONS = frozenset(("==", "<", "<=", ">", ">="))
_NEUTRAL = {"and": True, "or": False}


def value_of(integer: Integer, values: Mapping[str, int]) -> int:
    """Returns the value for these values of the names; truth is 1 and 0. Raises KeyError if a name is missing."""
    match integer:
        case IntegerConstant(value):
            return value
        case IntegerName(name):
            return values[name]
        case IntegerOperation("neg", (operand,)):
            return -value_of(operand, values)
        case IntegerOperation("and", operands):
            return int(all(value_of(o, values) for o in operands))
        case IntegerOperation("or", operands):
            return int(any(value_of(o, values) for o in operands))
        case IntegerOperation("if", (condition, then, otherwise)):
            return value_of(then if value_of(condition, values) else otherwise, values)
        case IntegerOperation("halved", operands):
            iteration, *sides = (value_of(o, values) for o in operands)
            return halved(iteration, sides[: len(sides) // 2], sides[len(sides) // 2 :])
        case IntegerOperation(symbol, operands):
            return int(reduce(_MEANING[symbol], (value_of(o, values) for o in operands)))


def halved(iteration: int, counts: Sequence[int], sizes: Sequence[int]) -> int:
    """Returns the value of the operation of this name."""
    left, number = list(counts), 0
    while any(count > 1 for count in left):
        longest = max(
            (position for position, count in enumerate(left) if count > 1), key=lambda at: left[at] * sizes[at]
        )
        half = left[longest] // 2
        before = half * prod(left[:longest]) * prod(left[longest + 1 :])
        if iteration < before:
            left[longest] = half
        else:
            iteration -= before
            number += half * prod(counts[longest + 1 :])
            left[longest] -= half
    return number


def names_in(integer: Integer) -> Iterator[str]:
    """Yields every name, with repetitions."""
    match integer:
        case IntegerName(name):
            yield name
        case IntegerOperation(_, operands):
            for operand in operands:
                yield from names_in(operand)


def substitute(integer: Integer, values: "Mapping[str, Integer]") -> Integer:
    """Returns the expression with each name of `values` replaced, all at once."""
    match integer:
        case IntegerName(name):
            return values.get(name, integer)
        case IntegerOperation(symbol, operands):
            return IntegerOperation(symbol, tuple(substitute(o, values) for o in operands))
    return integer


def as_affine(integer: Integer) -> Affine | None:
    """Returns the same value as an affine expression, or None if it is not affine."""
    match integer:
        case IntegerConstant(value):
            return Affine(constant=value)
        case IntegerName(name):
            return Affine.name(name)
        case IntegerOperation("neg" | "+" | "-" | "*" as symbol, operands):
            parts = [as_affine(o) for o in operands]
            known = [p for p in parts if p is not None]
            return combine_affine(symbol, known) if len(known) == len(parts) else None
    return None


def combine_affine(symbol: str, parts: Sequence[Affine]) -> Affine | None:
    """Returns the sum, difference, negative or product, or None if it is not affine."""
    match symbol, parts:
        case "neg", [only]:
            return -only
        case "+", [left, right]:
            return left + right
        case "-", [left, right]:
            return left - right
        case "*", [left, right] if left.is_constant:
            return right * left.constant
        case "*", [left, right] if right.is_constant:
            return left * right.constant
    return None


def of_affine(affine: Affine) -> Integer:
    """Returns the usual form: positive terms first, then subtracted ones, the constant last."""
    result: Integer | None = None
    for name, coefficient in sorted(affine.terms, key=lambda term: term[1] < 0):
        size = abs(coefficient)
        term: Integer = (
            IntegerName(name) if size == 1 else IntegerOperation("*", (IntegerConstant(size), IntegerName(name)))
        )
        result = _signed(result, term, coefficient < 0)
    if affine.constant or result is None:
        result = _signed(result, IntegerConstant(abs(affine.constant)), affine.constant < 0)
    return result


def _signed(before: Integer | None, term: Integer, negative: bool) -> Integer:
    if before is not None:
        return IntegerOperation("-" if negative else "+", (before, term))
    if isinstance(term, IntegerConstant):
        return IntegerConstant(-term.value) if negative else term
    return IntegerOperation("neg", (term,)) if negative else term


def simplified(integer: Integer) -> Integer:
    """Returns the expression with affine parts collected, so that `N - 1 + 1` is `N`; constant conditions become 1 or
    0."""
    affine = as_affine(integer)
    if affine is not None:
        return of_affine(affine)
    match integer:
        case IntegerOperation(symbol, operands):
            return _fold_operation(symbol, tuple(simplified(o) for o in operands))
    return integer


def _fold_operation(symbol: str, operands: tuple[Integer, ...]) -> Integer:
    if symbol in _COMPARISONS:
        difference = as_affine(IntegerOperation("-", operands))
        if difference is not None and difference.is_constant:
            return IntegerConstant(int(_MEANING[symbol](difference.constant, 0)))
    if symbol in _NEUTRAL:
        known = [o for o in operands if isinstance(o, IntegerConstant)]
        left = tuple(o for o in operands if not isinstance(o, IntegerConstant))
        if any((o.value != 0) != _NEUTRAL[symbol] for o in known):
            return IntegerConstant(int(not _NEUTRAL[symbol]))
        if len(left) < 2:
            return left[0] if left else IntegerConstant(int(_NEUTRAL[symbol]))
        return IntegerOperation(symbol, left)
    if symbol == "if" and isinstance(operands[0], IntegerConstant):
        return operands[1] if operands[0].value else operands[2]
    if symbol in ("+", "-"):
        return _with_one_constant(IntegerOperation(symbol, operands))
    if symbol in DIVISIONS:
        return _reduced(symbol, *operands)
    return IntegerOperation(symbol, operands)


def _reduced(symbol: str, dividend: Integer, divisor: Integer) -> Integer:
    """`(6 i + 7) / 4` as `(3 i + 3) / 2`: divides by the common divisor of the divisor and all coefficients."""
    affine = as_affine(dividend)
    if affine is None or not isinstance(divisor, IntegerConstant):
        return IntegerOperation(symbol, (dividend, divisor))
    factor = gcd(divisor.value, *(coefficient for _, coefficient in affine.terms))
    terms = tuple((name, coefficient // factor) for name, coefficient in affine.terms)
    quotient, by = of_affine(Affine(terms, affine.constant // factor)), divisor.value // factor
    return quotient if by == 1 else IntegerOperation(symbol, (quotient, IntegerConstant(by)))


def _with_one_constant(total: IntegerOperation) -> Integer:
    """`a - 2 + b + 1` as `a + b - 1`: adds up the constants of a sum."""
    terms = list(summands(total))
    constants = [
        -term.value if negative else term.value for negative, term in terms if isinstance(term, IntegerConstant)
    ]
    if len(constants) < 2 and 0 not in constants:
        return total
    return total_of([term for term in terms if not isinstance(term[1], IntegerConstant)], sum(constants))


def total_of(terms: Iterable[Summand], constant: int = 0) -> Integer:
    """Returns the sum of the terms, the constant last."""
    total: Integer | None = None
    for negative, term in terms:
        total = _signed(total, term, negative)
    if total is None or constant:
        total = _signed(total, IntegerConstant(abs(constant)), constant < 0)
    return total


def summands(value: Integer, negative: bool = False) -> Iterator[Summand]:
    """Returns the summands."""
    match value:
        case IntegerOperation("+", operands):
            for operand in operands:
                yield from summands(operand, negative)
        case IntegerOperation("-", (left, right)):
            yield from summands(left, negative)
            yield from summands(right, not negative)
        case IntegerOperation("neg", (operand,)):
            yield from summands(operand, not negative)
        case _:
            yield negative, value


def names_of(integer: Integer) -> frozenset[str]:
    """Returns the names in an expression."""
    match integer:
        case IntegerName(name):
            return frozenset({name})
        case IntegerOperation(_, operands):
            return frozenset(name for operand in operands for name in names_of(operand))
    return frozenset()


_MIRRORED = {">=": "<=", ">": "<", "<=": ">=", "<": ">"}


def comparison(symbol: str, left: Integer, right: Integer) -> Integer:
    """Returns `left symbol right` in the usual form: `i < N` rather than `N >= i + 1`."""
    first, second = as_affine(left), as_affine(right)
    if first is None or second is None:
        return IntegerOperation(symbol, (left, right))
    if (not first.terms or (second.terms and symbol in (">=", ">"))) and symbol != "==":
        first, second, symbol = second, first, _MIRRORED[symbol]
    if symbol == "<=" and second.terms and second.constant == -1:
        second, symbol = second + 1, "<"
    elif symbol == "<=" and first.terms and first.constant > 0:
        first, second = first - first.constant, second - first.constant
        if second.constant == -1:
            second, symbol = second + 1, "<"
    elif symbol == ">=" and second.constant == 1 and second.terms:
        second, symbol = second - 1, ">"
    return IntegerOperation(symbol, (of_affine(first), of_affine(second)))
