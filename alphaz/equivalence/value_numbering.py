"""Value numbering: the same number for values computed in the same way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from alphaz.equivalence.case_branches import Plain
from alphaz.equivalence.operators import identity_literal, literal, operator_of
from alphaz.equivalence.value_graph import Apply, Position, Term, affine_of
from alphaz.model.expression import Binary, Constant, Facts, IndexValue, Nary, Unary
from alphaz.model.types import LONG, ScalarType
from alphaz.poly import Affine, Constraint, Domain, equal
from alphaz.scop.conversions import CONVERSIONS, conversion, fits, fold_affine, holds, literal_as
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, Tree


@dataclass(frozen=True, slots=True)
class IndexNumber:
    """An affine expression of a type, and the types it is converted to, in order."""

    affine: Affine
    type: ScalarType
    through: tuple[ScalarType, ...] = ()


def index_of_value(node: Tree | Term) -> IndexNumber | None:
    """Returns the index that a value is; None for other values."""
    match node:
        case LiteralValue(Fraction(denominator=1) as value, own):
            return IndexNumber(Affine(constant=int(value)), own)
        case IndexLeaf(affine, own):
            return IndexNumber(affine, own)
        case Position(affine):
            return IndexNumber(affine, LONG)
        case OperationValue(operator, (only,)) | Apply(operator, (only,)) if (
            type_ := CONVERSIONS.get(operator)
        ) is not None:
            inner = index_of_value(only)
            return inner and IndexNumber(inner.affine, inner.type, (*inner.through, type_))
    return None


def where_same(where: Domain, left: IndexNumber, right: IndexNumber) -> Domain:
    """Returns the instances for which both are one number. Conversions to types that hold all values change none."""
    part = where & Domain.where(where.space, [equal(left.affine, right.affine)])
    if left.through == right.through:
        return part
    types = (left.type, right.type)
    whole = [conversion_ for conversion_ in (*left.through, *right.through) if not conversion_.is_float]
    lossy = {conversion_ for conversion_ in whole if not any(holds(conversion_, own) for own in types)}
    return part & Domain.where(
        where.space, [fits for conversion_ in lossy for fits in _range(left.affine, conversion_)]
    )


def _range(affine: Affine, type_: ScalarType) -> list[Constraint]:
    """Returns the conditions that a type holds the number. No index exceeds 64 bits."""
    high = 1 << (type_.bits - type_.signed)
    ends = [Constraint(affine + (high if type_.signed else 0)), Constraint(-affine + (high - 1))]
    return ends if type_.bits < 64 else ends[:1]


def is_conversion(term: Apply) -> bool:
    return term.operator == conversion(term.type)


def is_position(plain: Plain, facts: Facts) -> bool:
    """Returns True for a sum, a difference or a multiple of indices: conversion applies to the result."""
    index_affine = _index_of(plain, facts)
    return index_affine is not None and not index_affine.is_constant


def _index_of(plain: Plain, facts: Facts) -> Affine | None:
    node = plain.at.node
    match node:
        case Constant():
            return affine_of(literal(node.value))
        case IndexValue():
            return plain.at.affine(node.affine)
        case Unary() | Binary() | Nary():
            operands = [_index_of(child, facts) for child in plain.children]
            return fold_affine(operator_of(node)[0], operands, facts.types[node])
    return None


Total = int
"""A multiset of operands: the sum of a weight for each, or for idempotent operators one bit for each."""

COMMUTATIVE = frozenset({"+", "*", "min", "max", "and", "or", "xor", "==", "!="})
# Operators whose result does not depend on parentheses in any type: minimum and maximum.
# The neutral elements of operators, and the operands that they may be.
NEUTRAL_PLACES: Mapping[str, tuple[int, tuple[int, ...]]] = {"+": (0, (0, 1)), "-": (0, (1,)), "*": (1, (0, 1))}
LATTICE = frozenset({"min", "max"})
# Idempotent operators.
IDEMPOTENT = frozenset({"min", "max", "and", "or"})
# Sums are identified by numbers modulo a prime, so that these can be divided as well.
_PRIME = (1 << 61) - 1


@dataclass(slots=True)
class ValueNumbers:
    """Numbers for values: the same number for values computed in the same way.

    `is_real`: for values that are the same function of the inputs, computed with real numbers. Each value has a weight;
    that of a sum is the sum of those of its terms, that of a product their product. So two polynomials have one weight
    if they are equal at a random point, modulo a prime. `ignores_types`: conversions do not change the number.
    """

    number_by_term: dict[object, int] = field(default_factory=dict)
    weights: dict[int, int] = field(default_factory=dict)
    bits: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, Fraction] = field(default_factory=dict)
    # Types that values are known to fit.
    types: dict[int, ScalarType] = field(default_factory=dict)
    # The terms of regrouped values.
    inside: dict[tuple[str, int], Total] = field(default_factory=dict)
    # Operators whose operands may be parenthesised in any way.
    regroups: frozenset[str] = frozenset()
    is_real: bool = False
    ignores_types: bool = False
    # The law `padding`: 0 * x is 0.
    has_padding: bool = False
    adds_zeros: bool = False
    has_neutral: bool = False
    random: Random = field(default_factory=lambda: Random(20))
    _zero: int | None = None

    def name(self, key: object) -> int:
        return self.number_by_term.setdefault(key, len(self.number_by_term))

    def weight(self, name: int) -> int:
        """Returns a large random number for each value number: sums of these identify sums."""
        if name not in self.weights:
            self.weights[name] = self.random.randrange(_PRIME)
            self.number_by_term.setdefault(("weight", self.weights[name]), name)
        return self.weights[name]

    def weighing(self, weight: int) -> int:
        """Returns the value number of this weight."""
        number = self.name(("weight", weight))
        self.weights.setdefault(number, weight)
        return number

    def constant(self, value: Fraction | str) -> int:
        if self.is_real and isinstance(value, Fraction):
            number = self.weighing(value.numerator * pow(value.denominator, -1, _PRIME) % _PRIME)
        else:
            number = self.name(("constant", value))
        if isinstance(value, Fraction):
            self.numbers[number] = value
        return number

    @property
    def zero(self) -> int:
        """Returns the value number of the constant 0, which is asked for most."""
        if self._zero is None:
            self._zero = self.constant(Fraction(0))
        return self._zero

    def applied(self, operator: str, operands: Sequence[int], type_: ScalarType) -> int:
        if self.is_real and (weight := self._computed(operator, [*map(self.weight, operands)], type_)) is not None:
            return self.weighing(weight)
        if self.is_ignored(operator, type_):
            return operands[0]
        if operator == "*" and self.has_padding and self.zero in operands:
            return self.zero
        if self.has_neutral and (other := self._without_neutral(operator, operands)) is not None:
            return other
        if operator in CONVERSIONS and (converted_number := self._converted(operands[0], type_)) is not None:
            return converted_number
        if operator in self.regroups:
            total: Total = 0
            for operand in operands:
                converted_number = self.inside.get((operator, operand))
                total = combine_totals(
                    operator, total, self.single(operator, operand) if converted_number is None else converted_number
                )
            number = self.name(("all", operator, total))
            self.inside[operator, number] = total
        else:
            number = self.name((operator, tuple(sorted(operands)) if operator in COMMUTATIVE else tuple(operands)))
        self._note_type(number, operator, operands, type_)
        return number

    def _without_neutral(self, operator: str, operands: Sequence[int]) -> int | None:
        """Returns the other operand of an operation with its neutral element; None for other operations."""
        numbers = [self.numbers.get(operand) for operand in operands]
        for at in (0, 1) if operator in NEUTRAL_PLACES and len(operands) == 2 else ():
            element, places = NEUTRAL_PLACES[operator]
            if at in places and numbers[at] == element:
                return operands[1 - at]
        return None

    def is_padding(self, operator: str, name: int, type_: ScalarType | None = None) -> bool:
        """Returns True if a value is 0, and the operator is `+`; or the neutral element of an operator in this type."""
        if operator == "+":
            return (self.has_padding or self.adds_zeros) and name == self.zero
        return type_ is not None and name == self.neutral(operator, type_)

    def neutral(self, operator: str, type_: ScalarType) -> int | None:
        """Returns the value number of the neutral element of an operator in a type; None if it is no value."""
        identity = identity_literal(operator, type_)
        if identity is None or not self.adds_zeros:
            return None
        literal_, is_negated = identity
        number = self.constant(literal_.value)
        return self.applied("neg", [number], type_) if is_negated else number

    def is_ignored(self, operator: str, type_: ScalarType) -> bool:
        """Returns True if an operation is a conversion, and types are ignored."""
        return self.ignores_types and operator == conversion(type_)

    def _converted(self, operand: int, type_: ScalarType) -> int | None:
        """Returns the value number of a converted constant, or of a value that the conversion does not change."""
        if self._is_held(operand, type_):
            return operand
        value = self.numbers.get(operand)
        literal_ = literal_as(LiteralValue(value, LONG), type_) if value is not None else None
        return None if literal_ is None else self.constant(literal_.value)

    def _is_held(self, operand: int, type_: ScalarType) -> bool:
        """Returns True if a type is known to hold the value."""
        if operand in self.numbers:
            return fits(self.numbers[operand], type_)
        return operand in self.types and holds(type_, self.types[operand])

    def _note_type(self, name: int, operator: str, operands: Sequence[int], type_: ScalarType) -> None:
        """Records the known type of a value: for a choice, that of all its branches."""
        inside = operands[1:] if operator == "if" else operands
        own = [
            type_of_operand
            for type_of_operand in (self.types.get(operand) for operand in inside)
            if type_of_operand is not None
        ]
        if operator in CONVERSIONS:
            self.types[name] = type_
        elif operator in (*LATTICE, "if"):
            for type_of_operand in own:
                if all(self._is_held(operand, type_of_operand) for operand in inside):
                    self.types[name] = type_of_operand

    def _computed(self, operator: str, weights: Sequence[int], type_: ScalarType) -> int | None:
        match operator, weights:
            case "+", [left, right]:
                return (left + right) % _PRIME
            case "-", [left, right]:
                return (left - right) % _PRIME
            case "neg", [only]:
                return -only % _PRIME
            case "*", [left, right]:
                return left * right % _PRIME
            case "/", [left, right] if type_.is_float and right:
                return left * pow(right, -1, _PRIME) % _PRIME
        return None

    def summed(self, operator: str, total: Total) -> int:
        """Returns the value number of a sum."""
        return self.weighing(total) if self.is_real and operator == "+" else self.name(("sum", operator, total))

    def single(self, operator: str, name: int) -> Total:
        """Returns one value as a sum of itself."""
        if operator in IDEMPOTENT:
            return 1 << self.bits.setdefault(name, len(self.bits))
        return self.weight(name)


def combine_totals(operator: str, left: Total, right: Total, sign: int = 1) -> Total:
    return left | right if operator in IDEMPOTENT else (left + sign * right) % _PRIME
