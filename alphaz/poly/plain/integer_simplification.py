"""Simplification of expressions by the enclosing tests and by known divisibility, without isl."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import gcd, inf, isinf

from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.conditions import among, conjuncts
from alphaz.poly.plain.integer_expression import (
    DIVISIONS,
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    as_affine,
    names_of,
    of_affine,
    simplified,
    summands,
    total_of,
)

Multiples = Mapping[str, int]
"""Known divisors of names greater than 1."""


def divisor(value: Integer, known: Multiples) -> int:
    """Returns a number of which the value is always a multiple; 0 if it is always 0."""
    match value:
        case IntegerConstant(number):
            return abs(number)
        case IntegerName(name):
            return known.get(name, 1)
        case IntegerOperation("*", (left, right)):
            return divisor(left, known) * divisor(right, known)
        case IntegerOperation("neg" | "+" | "-" | "min" | "max", operands):
            return gcd(*(divisor(operand, known) for operand in operands))
    return 1


def common(terms: tuple[tuple[str, int], ...], known: Multiples) -> int:
    """Returns a number of which a linear form is always a multiple."""
    return gcd(*(coefficient * known.get(name, 1) for name, coefficient in terms))


def scaled(factor: int, value: Integer, known: Multiples) -> Integer | None:
    """Returns `8 * (x / 8)` without the division, if x is a multiple of 8 plus a small number; None otherwise."""
    match value:
        case IntegerOperation("min" | "max" as symbol, operands) if factor > 0 and any(map(_divides, operands)):
            return _of_all(symbol, [scaled(factor, operand, known) for operand in operands])
        case IntegerOperation(symbol, (dividend, IntegerConstant(by))) if symbol in DIVISIONS and by == factor:
            return _below(dividend, factor, known)
    affine = as_affine(value)
    return None if affine is None else of_affine(affine * factor)


def _divides(value: Integer) -> bool:
    """Returns True if it contains a division, possibly under minima and maxima."""
    match value:
        case IntegerOperation("min" | "max", operands):
            return any(map(_divides, operands))
        case IntegerOperation(symbol):
            return symbol in DIVISIONS
    return False


def _below(value: Integer, size: int, known: Multiples) -> Integer | None:
    """The last multiple of `size` that is not above the value."""
    match value:
        case IntegerOperation("min" | "max" as symbol, operands):
            return _of_all(symbol, [_below(operand, size, known) for operand in operands])
    affine = as_affine(value)
    if affine is None or common(affine.terms, known) % size:
        return None
    return of_affine(Affine(affine.terms, affine.constant // size * size))


def _of_all(symbol: str, values: list[Integer | None]) -> Integer | None:
    integers = tuple(value for value in values if value is not None)
    return IntegerOperation(symbol, integers) if len(integers) == len(values) else None


def absorbed(total: IntegerOperation, is_natural: Callable[[Integer], bool]) -> Integer:
    """Returns `w - (T + 17) / 16 + 1` as `w - (T + 1) / 16`: moves a constant into a quotient if that makes it smaller.

    `is_natural`: decides whether a value is known to be non-negative."""
    terms = list(summands(total))
    constant = sum(
        -term.value if negative else term.value for negative, term in terms if isinstance(term, IntegerConstant)
    )
    for position, (negative, term) in enumerate(terms) if constant else ():
        match term:
            case IntegerOperation("quotient" | "floor_div" as symbol, (dividend, IntegerConstant(by))):
                before = as_affine(dividend)
            case _:
                continue
        if before is None:
            continue
        after = before + (-constant if negative else constant) * by
        value = of_affine(after)
        if abs(after.constant) < abs(before.constant) and (symbol == "floor_div" or is_natural(value)):
            terms[position] = negative, IntegerOperation(symbol, (value, IntegerConstant(by)))
            return total_of(term for term in terms if not isinstance(term[1], IntegerConstant))
    return total


# A linear form whose coefficients have no common factor, the first of them positive; and its range.
_Form = tuple[tuple[str, int], ...]
_Range = tuple[float, float]

_EVERYTHING: _Range = (-inf, inf)
_NOUGHT: _Range = (0, 0)


@dataclass(frozen=True, slots=True)
class Simplifier:
    """Known facts. `ranges` of linear forms; `answers` of tests that are not comparisons of affine values; `multiples`:
    known divisors of names."""

    ranges: Mapping[_Form, _Range] = field(default_factory=dict)
    answers: Mapping[Integer, bool] = field(default_factory=dict)
    multiples: Multiples = field(default_factory=dict)

    def without(self, name: str) -> "Simplifier":
        """Returns the facts that remain valid if the name gets another meaning."""
        ranges = {form: there for form, there in self.ranges.items() if all(name != variable for variable, _ in form)}
        answers = {test: answer for test, answer in self.answers.items() if name not in names_of(test)}
        return Simplifier(
            ranges, answers, {variable: by for variable, by in self.multiples.items() if variable != name}
        )

    def stepping(self, name: str, *values: Integer) -> "Simplifier":
        """Returns the facts if the name, previously unknown, is a sum of multiples of these values."""
        by = gcd(*(divisor(value, self.multiples) for value in values))
        return self if by < 2 else Simplifier(self.ranges, self.answers, {**self.multiples, name: by})

    def where(self, test: Integer) -> "Simplifier":
        """Returns the facts where the test holds as well."""
        simplifier = self
        for conjunct in conjuncts(test):
            compared = _compared(conjunct)
            simplifier = simplifier._answered(conjunct, True) if compared is None else simplifier._within(*compared)
        return simplifier

    def where_not(self, test: Integer) -> "Simplifier":
        """Returns the facts where the test does not hold."""
        compared = _compared(test)
        match test:
            case IntegerOperation("or", operands):
                simplifier = self
                for operand in operands:
                    simplifier = simplifier.where_not(operand)
                return simplifier
            case IntegerOperation(symbol, (left, right)) if symbol in _OPPOSITE and compared is not None:
                return self.where(IntegerOperation(_OPPOSITE[symbol], (left, right)))
        return self._answered(test, False) if compared is None else self._beside(*compared)

    def answer(self, test: Integer) -> bool | None:
        """Returns True if the test holds; None where that is not known."""
        if self.answers and test in self.answers:
            return self.answers[test]
        answers = {self._answer(conjunct) for conjunct in conjuncts(test)}
        return False if False in answers else None if None in answers else True

    def folded(self, value: Integer) -> Integer:
        """Returns the value simplified by the facts."""
        return self._folded(simplified(value))

    def _folded(self, value: Integer) -> Integer:
        match value:
            case IntegerOperation(symbol) if symbol in _TESTS and (answer := self.answer(value)) is not None:
                return IntegerConstant(int(answer))
            case IntegerOperation("and" | "or" as symbol, operands):
                return self._chain(symbol, operands)
            case IntegerOperation("if", (test, then, otherwise)):
                return self._choice(self._folded(test), then, otherwise)
            case IntegerOperation("min" | "max" as symbol, operands):
                return self._extreme(symbol, [self._folded(operand) for operand in operands])
            case IntegerOperation(symbol, operands):
                inner = tuple(map(self._folded, operands))
                return self._divided(value) if inner == operands else self.folded(IntegerOperation(symbol, inner))
        return value

    def _divided(self, value: IntegerOperation) -> Integer:
        """The value with simplified divisions: by C's division for a non-negative dividend, or none at all."""
        quotient: Integer | None = None
        match value:
            case IntegerOperation("floor_div", operands) if self._is_natural(operands[0]):
                return IntegerOperation("quotient", operands)
            case IntegerOperation("+" | "-"):
                quotient = absorbed(value, self._is_natural)
            case IntegerOperation("*", (IntegerConstant(factor), other)):
                quotient = scaled(factor, other, self.multiples)
        return value if quotient is None or quotient == value else self.folded(quotient)

    def _is_natural(self, value: Integer) -> bool:
        return any(
            self.answer(IntegerOperation("<=", (IntegerConstant(0), operand))) for operand in among("max", value)
        )

    def _chain(self, symbol: str, tests: tuple[Integer, ...]) -> Integer:
        """The tests, each simplified under the preceding ones."""
        here, left = self, list[Integer]()
        for test in tests:
            left.append(here._folded(test))
            here = here.where(left[-1]) if symbol == "and" else here.where_not(left[-1])
        return simplified(IntegerOperation(symbol, tuple(left)))

    def _choice(self, test: Integer, then: Integer, otherwise: Integer) -> Integer:
        """The lesser or the greater of two values, if the test compares them."""
        if isinstance(test, IntegerConstant):
            return self.folded(then if test.value else otherwise)
        here, there = self.where(test), self.where_not(test)
        one, other = here.folded(then), there.folded(otherwise)
        for symbol, pair in (("min", (one, other)), ("max", (other, one))):
            first, second = IntegerOperation("<=", pair), IntegerOperation("<=", pair[::-1])
            if here.answer(first) and there.answer(second):
                return self._extreme(symbol, [one, other])
        return IntegerOperation("if", (test, one, other))

    def _extreme(self, symbol: str, values: list[Integer]) -> Integer:
        """The extremum without redundant operands."""
        left = list(values)
        for value in values:
            others = [other for other in left if other is not value]
            pairs = ((other, value) if symbol == "min" else (value, other) for other in others)
            if any(self.answer(IntegerOperation("<=", pair)) for pair in pairs):
                left = others
        return left[0] if len(left) == 1 else IntegerOperation(symbol, tuple(left))

    def _answer(self, test: Integer) -> bool | None:
        compared = _compared(test)
        if compared is None:
            return (
                bool(test.value)
                if isinstance(test, IntegerConstant)
                else self.answers.get(test, self._quotient_answer(test))
            )
        form, (low, high) = compared
        low, high = self._rounded(form, (low, high))
        least, greatest = self._range(form)
        if low <= least and greatest <= high:
            return True
        return False if high < max(low, least) or greatest < low else None

    def _quotient_answer(self, test: Integer) -> bool | None:
        """The result of comparing a number with a quotient, from the range of the dividend."""
        match test:
            case IntegerOperation(
                "<=", (IntegerConstant(least), IntegerOperation(symbol, (dividend, IntegerConstant(by))))
            ) if symbol in DIVISIONS:
                return self.answer(IntegerOperation("<=", (IntegerConstant(least * by), dividend)))
        return None

    def _range(self, form: _Form) -> _Range:
        (low, high), (least, greatest) = self._stated(form), self._of_sum(form)
        return max(low, least), min(high, greatest)

    def _of_sum(self, terms: Iterable[tuple[str, int]]) -> _Range:
        """The range of a sum, from those of its names."""
        low, high = _NOUGHT
        for name, factor in terms:
            ends = [factor * end for end in self._stated(((name, 1),))]
            low, high = low + ends[factor < 0], high + ends[factor > 0]
        return low, high

    def _stated(self, form: _Form) -> _Range:
        return self.ranges.get(form, _EVERYTHING if form else _NOUGHT)

    def _rounded(self, form: _Form, there: _Range) -> _Range:
        """The range, rounded to multiples of the known divisor of the form."""
        by = common(form, self.multiples)
        if by < 2:
            return there
        low, high = _divide_range(there, by)
        return low * by, high * by

    def _answered(self, test: Integer, answer: bool) -> "Simplifier":
        return Simplifier(self.ranges, {**self.answers, test: answer}, self.multiples)

    def _within(self, form: _Form, there: _Range) -> "Simplifier":
        """The facts with a range of a sum, and the resulting ranges of its names."""
        (low, high), (least, most) = self._stated(form), self._rounded(form, there)
        low, high = max(low, least), min(high, most)
        simplifier = Simplifier({**self.ranges, form: (low, high)}, self.answers, self.multiples)
        for name, factor in form if len(form) > 1 else ():
            least, most = self._of_sum([term for term in form if term[0] != name])
            ends = (low - most, high - least) if factor > 0 else (least - high, most - low)
            simplifier = simplifier._within(((name, 1),), _divide_range(ends, abs(factor)))
        return simplifier

    def _beside(self, form: _Form, there: _Range) -> "Simplifier":
        """The facts if the form has none of these values, which narrows its range at an end."""
        low, high = self._range(form)
        there = self._rounded(form, there)
        if there[0] <= low:
            return self._within(form, (there[1] + 1, inf))
        return self._within(form, (-inf, there[0] - 1)) if high <= there[1] else self


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SIDES: dict[str, _Range] = {"==": (0, 0), "<": (-inf, -1), "<=": (-inf, 0), ">": (1, inf), ">=": (0, inf)}
_TESTS = frozenset((*_SIDES, "and", "or"))


def _compared(test: Integer) -> tuple[_Form, _Range] | None:
    """A comparison of affine values, as a form with its range; None for other tests."""
    match test:
        case IntegerOperation(symbol, operands) if symbol in _SIDES:
            difference = as_affine(IntegerOperation("-", operands))
        case _:
            return None
    if difference is None:
        return None
    low, high = (side - difference.constant for side in _SIDES[symbol])
    factor = gcd(*(coefficient for _, coefficient in difference.terms)) or 1
    if difference.terms and difference.terms[0][1] < 0:
        low, high, factor = -high, -low, -factor
    form = tuple((name, coefficient // factor) for name, coefficient in difference.terms)
    return form, _divide_range((low, high), abs(factor))


def _divide_range(there: _Range, divisor: int) -> _Range:
    """The range of a number whose multiple has this range."""
    return -_rounded_down(-there[0], divisor), _rounded_down(there[1], divisor)


def _rounded_down(value: float, divisor: int) -> float:
    return value if isinf(value) else value // divisor
