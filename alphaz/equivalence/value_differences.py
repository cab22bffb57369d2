"""The smallest parts in which a value that C computes differs from that of the equations, with the cause.

Explains a verdict, and proves nothing: it compares the terms behind two value numbers of one run of the model.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from alphaz.equivalence.value_numbering import COMMUTATIVE
from alphaz.scop.value_tree import CALL

Terms = Counter[tuple[int, int]]
"""Operands of a sum or product, each with its sign: its value number and 1 or -1."""

_INFIX = {"or": 1, "and": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6}
_MOST_OPERANDS = 400
_MOST_LETTERS = 80
_MOST_LEVELS = 20


class DifferenceCause(StrEnum):
    """Why two values differ."""

    CONSTANT = "another constant"
    ELEMENT = "another element"
    OPERAND = "another operand"
    OPERATION = "another operation"
    SIGN = "another sign"
    ORDER = "another order of operations"
    CONVERSION = "a conversion"
    MORE = "a term more"
    FEWER = "a term is missing"
    TERMS = "other terms"


@dataclass(frozen=True, slots=True)
class ValueDifference:
    """The parts as texts; "" where one side has nothing in this place."""

    in_c: str
    in_equations: str
    cause: DifferenceCause

    def __str__(self) -> str:
        match self.cause:
            case DifferenceCause.MORE:
                return f"C also has the term `{self.in_c}`"
            case DifferenceCause.FEWER:
                return f"C lacks the term `{self.in_equations}`"
        return f"C has `{self.in_c}`, the equations have `{self.in_equations}`: {self.cause}"


@dataclass(frozen=True, slots=True)
class ValueTerms:
    """The terms behind the value numbers of a run. `sums` are the terms of reductions, by value number."""

    by_number: Mapping[int, object]
    sums: Mapping[int, Terms]

    def difference(self, in_c: int, in_equations: int) -> ValueDifference | None:
        """Returns the smallest difference of two values; None if their terms are unknown or too many."""
        for operator in ("+", "*"):
            ours, theirs = self._terms(operator, in_c), self._terms(operator, in_equations)
            if ours is None or theirs is None:
                return None
            if in_c in self.sums or in_equations in self.sums:
                ours, theirs = self._without_zeros(ours), self._without_zeros(theirs)
            if len(ours) > 1 or len(theirs) > 1:
                return self._of_terms(operator, (in_c, ours), (in_equations, theirs))
        one, other = self._operation(in_c), self._operation(in_equations)
        if one is not None and other is not None and one[0] == other[0] and len(one[1]) == len(other[1]):
            pairs = [(left, right) for left, right in zip(one[1], other[1], strict=True) if left != right]
            if len(pairs) == 1:
                return self.difference(*pairs[0])
        return self._between(in_c, in_equations)

    def _of_terms(self, operator: str, ours: tuple[int, Terms], theirs: tuple[int, Terms]) -> ValueDifference | None:
        if ours[1] == theirs[1]:
            return self._whole(ours[0], theirs[0], DifferenceCause.ORDER)
        more, fewer = [*(ours[1] - theirs[1]).elements()], [*(theirs[1] - ours[1]).elements()]
        if len(more) == len(fewer) == 1:
            (number, sign), (other, other_sign) = more[0], fewer[0]
            if number == other:
                return self._sides(operator, more, fewer, DifferenceCause.SIGN)
            if sign == other_sign:
                return self.difference(number, other)
        if not fewer and len(more) == 1:
            return self._sides(operator, more, fewer, DifferenceCause.MORE)
        if not more and len(fewer) == 1:
            return self._sides(operator, more, fewer, DifferenceCause.FEWER)
        if len(more) == ours[1].total() or len(fewer) == theirs[1].total():
            return self._between(ours[0], theirs[0])
        return self._sides(operator, more, fewer, DifferenceCause.TERMS)

    def _between(self, in_c: int, in_equations: int) -> ValueDifference | None:
        """Returns the difference of two values that have no part in common."""
        one, other = self._operation(in_c), self._operation(in_equations)
        if one is not None and one[0].startswith("as ") and one[1] == (in_equations,):
            return self._whole(in_c, in_equations, DifferenceCause.CONVERSION)
        if other is not None and other[0].startswith("as ") and other[1] == (in_c,):
            return self._whole(in_c, in_equations, DifferenceCause.CONVERSION)
        if one is not None and other is not None:
            cause = DifferenceCause.OPERATION if one[0] != other[0] else DifferenceCause.OPERAND
            return self._whole(in_c, in_equations, cause)
        match self.by_number.get(in_c), self.by_number.get(in_equations):
            case ("constant", _), ("constant", _):
                return self._whole(in_c, in_equations, DifferenceCause.CONSTANT)
            case ("input", str() as key, _), ("input", str() as same, _) if key == same:
                return self._whole(in_c, in_equations, DifferenceCause.ELEMENT)
        return self._whole(in_c, in_equations, DifferenceCause.OPERAND)

    def _whole(self, in_c: int, in_equations: int, cause: DifferenceCause) -> ValueDifference | None:
        ours, theirs = self.text(in_c), self.text(in_equations)
        return None if ours is None or theirs is None else ValueDifference(ours, theirs, cause)

    def _sides(
        self, operator: str, more: Sequence[tuple[int, int]], fewer: Sequence[tuple[int, int]], cause: DifferenceCause
    ) -> ValueDifference | None:
        ours, theirs = self._joined(operator, more), self._joined(operator, fewer)
        return None if ours is None or theirs is None else ValueDifference(ours, theirs, cause)

    def _operation(self, number: int) -> tuple[str, tuple[int, ...]] | None:
        match self.by_number.get(number):
            case (str() as operator, tuple() as operands) if operands and all(
                isinstance(operand, int) for operand in operands
            ):
                return operator, operands
        return None

    def _is(self, operator: str, number: int) -> bool:
        operation = self._operation(number)
        return operation is not None and operation[0] == operator

    def _terms(self, operator: str, number: int) -> Terms | None:
        """Returns the operands of a nested sum or product; None for more than a text can show."""
        terms: Terms = Counter()
        remaining = [(number, 1)]
        while remaining:
            at, sign = remaining.pop()
            inside = self._operands(operator, at)
            if inside is None:
                terms[at, sign] += 1
            else:
                remaining += ((operand, sign * own) for operand, own in inside)
            if terms.total() + len(remaining) > _MOST_OPERANDS:
                return None
        return terms

    def _operands(self, operator: str, number: int) -> Sequence[tuple[int, int]] | None:
        """Returns the operands of a value if it is a sum, or a product, with their signs."""
        if operator == "+" and number in self.sums:
            return [*self.sums[number].elements()]
        match self._operation(number):
            case (str() as inside, operands) if inside == operator:
                return [(operand, 1) for operand in operands]
            case ("-", (left, right)) if operator == "+":
                return ((left, 1), (right, -1))
            case ("neg", (only,)) if operator == "+":
                return ((only, -1),)
        return None

    def _without_zeros(self, terms: Terms) -> Terms:
        """Returns the terms without the zero that a loop starts from."""
        zero = ("constant", Fraction(0))
        return Counter({term: count for term, count in terms.items() if self.by_number.get(term[0]) != zero})

    def text(self, number: int) -> str | None:
        """Returns a value as an expression of inputs; None if that is too long, or a part is unknown."""
        text = self._text(number, 0, _MOST_LEVELS)
        return None if text is None or len(text) > _MOST_LETTERS else text

    def _text(self, number: int, outer: int, levels: int) -> str | None:
        if number in self.sums:
            terms = self._joined("+", [*self.sums[number].elements()], levels)
            return terms if terms is None or outer == 0 else f"({terms})"
        operation = self._operation(number)
        if operation is None or levels == 0:
            return _leaf(self.by_number.get(number))
        operator, operands = operation
        level = _INFIX.get(operator, 0)
        if operator in COMMUTATIVE:
            operands = tuple(sorted(operands, key=lambda operand: not self._is(operator, operand)))
        parts = []
        for position, operand in enumerate(operands):
            # The right operand of an operator of the same level has parentheses: they say the order.
            part = self._text(operand, level + (position > 0) if level else 0, levels - 1)
            if part is None or len(part) > _MOST_LETTERS:
                return None
            parts.append(part)
        return _applied(operator, parts, level, outer)

    def _joined(self, operator: str, terms: Sequence[tuple[int, int]], levels: int = _MOST_LEVELS) -> str | None:
        text = ""
        for number, sign in terms:
            part = self._text(number, _INFIX[operator] + 1, levels - 1)
            if part is None or len(text) > _MOST_LETTERS:
                return None
            joint = "-" if sign < 0 else operator
            text += f" {joint} {part}" if text else f"-{part}" if sign < 0 else part
        return text


def terms_of(number_by_term: Mapping[object, int], sums: Mapping[int, Terms]) -> ValueTerms:
    """Returns the terms by their value numbers. Weights are no terms."""
    by_number: dict[int, object] = {}
    for term, number in number_by_term.items():
        if not (isinstance(term, tuple) and term[0] == "weight"):
            by_number.setdefault(number, term)
    return ValueTerms(by_number, sums)


def _leaf(term: object) -> str | None:
    match term:
        case ("constant", Fraction() as value):
            return str(value) if value.denominator == 1 else repr(float(value))
        case ("constant", str() as name):
            return name
        case ("input", str() as key, tuple() as point):
            return f"{key}[{','.join(map(str, point))}]" if point else key
    return None


def _applied(operator: str, parts: Sequence[str], level: int, outer: int) -> str:
    if level and len(parts) == 2:
        text = f" {operator} ".join(parts)
        return f"({text})" if level < outer else text
    match operator, parts:
        case "neg", [only]:
            return f"-({only})"
        case "not", [only]:
            return f"!({only})"
        case "if", [condition, one, other]:
            return f"({condition} ? {one} : {other})"
        case _, [only] if operator.startswith("as "):
            return f"({operator.removeprefix('as ')})({only})"
    return f"{operator.removeprefix(CALL)}({', '.join(parts)})"
