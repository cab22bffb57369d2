"""Integers of C that are affine in names, case by case: sizes and offsets of the arrays of a rank."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.poly import Affine, Constraint, at_least, equal, less

_LIMIT = 1 << 15
"""For numbers in integers: products of two are of type int, and sums with parameters below 2^40 never overflow."""
_SIGNS = ("<", "<=", ">", ">=", "==")


class NotAffineByCases(Exception):
    """An integer or a condition of C that is not affine in each of a few cases."""


@dataclass(frozen=True, slots=True)
class AffineCase:
    """A value where all conditions hold; they may have names of quotients, which they determine."""

    conditions: tuple[Constraint, ...]
    value: Affine


def cases_of(node: c.Expression, names: Mapping[str, Affine]) -> list[AffineCase]:
    """Returns the value of an integer; the cases cover all values of the names.

    Raises NotAffineByCases.
    """
    match node:
        case c.Literal(text) if _is_small(text):
            return [AffineCase((), Affine(constant=int(text)))]
        case c.Name(name) if name in names:
            return [AffineCase((), names[name])]
        case c.Unary("-", operand):
            return [AffineCase(case.conditions, -case.value) for case in cases_of(operand, names)]
        case c.Binary("+" | "-" | "*" as sign, left, right):
            return list(_combined(sign, cases_of(left, names), cases_of(right, names)))
        case c.Binary("/", left, c.Literal(by)) if _is_small(by) and int(by):
            return [quotient for case in cases_of(left, names) for quotient in _quotients(case, int(by))]
        case c.Binary("%", left, c.Literal(by)) if _is_small(by) and int(by):
            return [rest for case in cases_of(left, names) for rest in _remainders(case, int(by))]
        case c.Call("floor_div", (left, c.Literal(by))) if _is_small(by) and int(by):
            return [_quotients(case, int(by), is_floor=True)[0] for case in cases_of(left, names)]
        case c.Ternary(test, then, otherwise):
            branches = [(holds, cases_of(then, names)) for holds in conditions_of(test, names, truth=True)]
            branches += [(fails, cases_of(otherwise, names)) for fails in conditions_of(test, names, truth=False)]
            return [AffineCase((*held, *case.conditions), case.value) for held, values in branches for case in values]
        case c.Call("max64" | "min64" as function, (left, right)):
            return list(_extreme(function == "max64", cases_of(left, names), cases_of(right, names)))
    raise NotAffineByCases


def _is_small(text: str) -> bool:
    """Returns True for a decimal literal, no octal one, within the limit."""
    return text.isdecimal() and text == str(int(text)) and int(text) <= _LIMIT


def _quotients(case: AffineCase, by: int, *, is_floor: bool = False) -> list[AffineCase]:
    """Returns the quotient, rounded down where the dividend is not negative (or always), else up."""
    word = "floor" if is_floor else "quotient"
    result = Affine.name(f"{word}({case.value}, {by})")
    rest = case.value - result * by
    down = at_least(rest, 0), at_least(Affine(constant=by - 1) - rest, 0)
    if is_floor:
        return [AffineCase((*case.conditions, *down), result)]
    up = at_least(-rest, 0), at_least(rest + (by - 1), 0)
    return [
        AffineCase((*case.conditions, at_least(case.value, 0), *down), result),
        AffineCase((*case.conditions, less(case.value, Affine()), *up), result),
    ]


def _remainders(case: AffineCase, by: int) -> list[AffineCase]:
    """Returns the remainder, which has the sign of the dividend."""
    return [AffineCase(quotient.conditions, case.value - quotient.value * by) for quotient in _quotients(case, by)]


def _combined(sign: str, lefts: list[AffineCase], rights: list[AffineCase]) -> Iterator[AffineCase]:
    for left in lefts:
        for right in rights:
            conditions = (*left.conditions, *right.conditions)
            if sign == "*":
                if not (left.value.is_constant or right.value.is_constant):
                    raise NotAffineByCases
                factor, value = (left, right) if left.value.is_constant else (right, left)
                result = value.value * factor.value.constant
            else:
                result = left.value + right.value if sign == "+" else left.value - right.value
            if any(abs(number) > _LIMIT for number in (result.constant, *map(result.coefficient, result.names))):
                raise NotAffineByCases
            yield AffineCase(conditions, result)


def _extreme(is_largest: bool, lefts: list[AffineCase], rights: list[AffineCase]) -> Iterator[AffineCase]:
    for left in lefts:
        for right in rights:
            conditions, (one, other) = (*left.conditions, *right.conditions), (left.value, right.value)
            high, low = (one, other) if is_largest else (other, one)
            yield AffineCase((*conditions, at_least(high - low, 0)), one)
            yield AffineCase((*conditions, less(high, low)), other)


def conditions_of(test: c.Expression, names: Mapping[str, Affine], *, truth: bool) -> list[tuple[Constraint, ...]]:
    """Returns the cases in which a condition has this truth."""
    match test:
        case c.Binary("&&" | "||" as sign, left, right):
            one, other = conditions_of(left, names, truth=truth), conditions_of(right, names, truth=truth)
            if (sign == "&&") == truth:
                return [(*x, *y) for x in one for y in other]
            return [*one, *other]
        case c.Unary("!", operand):
            return conditions_of(operand, names, truth=not truth)
        case c.Binary("!=", left, right):
            return conditions_of(c.Binary("==", left, right), names, truth=not truth)
        case c.Call("meets", (low, high, begin, end)):
            return conditions_of(meeting(low, high, begin, end), names, truth=truth)
        case c.Binary("<" | "<=" | ">" | ">=" as sign, left, right) if both := _of_extremes(sign, left, right):
            return conditions_of(both, names, truth=truth)
        case c.Binary(sign, left, right) if sign in _SIGNS:
            return [
                (*x.conditions, *y.conditions, constraint)
                for x in cases_of(left, names)
                for y in cases_of(right, names)
                for constraint in _compared(sign, x.value, y.value, truth=truth)
            ]
    raise NotAffineByCases


def _of_extremes(sign: str, left: c.Expression, right: c.Expression) -> c.Expression | None:
    """Returns a comparison with the larger, or smaller, of two values as two comparisons; None for another one."""
    match left, right:
        case c.Call("max64" | "min64" as function, (one, other)), _:
            is_both = (function == "max64") == (sign in ("<", "<="))
            return c.Binary("&&" if is_both else "||", c.Binary(sign, one, right), c.Binary(sign, other, right))
        case _, c.Call("max64" | "min64" as function, (one, other)):
            is_both = (function == "min64") == (sign in ("<", "<="))
            return c.Binary("&&" if is_both else "||", c.Binary(sign, left, one), c.Binary(sign, left, other))
    return None


def meeting(low: c.Expression, high: c.Expression, begin: c.Expression, end: c.Expression) -> c.Expression:
    """Returns whether the interval `[low, high]` has an integer of `[begin, end)`."""
    last = c.Call("min64", (high, c.Binary("-", end, c.Literal("1"))))
    return c.Binary("<=", c.Call("max64", (low, begin)), last)


def _compared(sign: str, left: Affine, right: Affine, *, truth: bool) -> list[Constraint]:
    """Returns the cases in which a comparison has this truth."""
    if sign == "==":
        return [equal(left, right)] if truth else [less(left, right), less(right, left)]
    if sign in (">", ">="):
        left, right = right, left
    if sign in ("<", ">"):
        return [less(left, right)] if truth else [at_least(left - right, 0)]
    return [at_least(right - left, 0)] if truth else [less(right, left)]
