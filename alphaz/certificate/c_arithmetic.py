"""Numbers of the types of C: conversions and operators, independent of those of the reader of C."""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from alphaz.certificate.c_inventory import CTerm

_BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "longlong": 64}
TRUTHS = ("<", "<=", "==", "!=", "and", "or", "xor", "not")
LOGICAL = ("and", "or", "xor", "not")
ARITHMETIC = ("+", "-", "*", "/", "%", "neg")
SUMMING = ("+", "*", "min", "max", "and", "or", "xor")
OPERANDS = {"neg": 1, "not": 1, "if": 3} | dict.fromkeys(
    ("+", "-", "*", "/", "%", "min", "max", "and", "or", "xor", "<", "<=", "==", "!="), 2
)
CALL, CONVERSION = "call ", "as "
# Integer arithmetic of this many bits is exact in a double.
_EXACT_IN = {32: 16, 64: 32}


class NoResult(Exception):
    """An operation has no result for these operands."""


@dataclass(frozen=True, slots=True)
class CType:
    """A number type. `kind` is "bool", "int" or "float"."""

    kind: str
    bits: int
    signed: bool

    @property
    def range(self) -> tuple[int, int]:
        """Returns the least and the greatest integer of an integer type."""
        high = 1 << (self.bits - self.signed)
        return (-high if self.signed else 0), high - 1


BOOL = CType("bool", 1, False)
_LONG = CType("int", 64, True)
_FLOATS = {"float": CType("float", 32, True), "double": CType("float", 64, True)}


def type_named(name: str) -> CType | None:
    """Returns the type of a name; None if there is none."""
    if name == "bool" or name in _FLOATS:
        return _FLOATS.get(name, BOOL)
    bits = _BITS.get(name.removeprefix("unsigned "))
    return None if bits is None else CType("int", bits, not name.startswith("unsigned "))


def holds(target: CType, source: CType) -> bool:
    """Returns True if a conversion to `target` changes no value of `source`."""
    if target == source or source.kind == "bool":
        return True
    if target.kind == "float":
        return source.bits <= (target.bits if source.kind == "float" else _EXACT_IN[target.bits])
    if source.kind == "float" or target.kind == "bool":
        return False
    return target.range[0] <= source.range[0] and source.range[1] <= target.range[1]


@dataclass(frozen=True, slots=True)
class Number:
    """A value, and the sum of the magnitudes from which it was computed, which bounds the error of its rounding."""

    value: int | float
    size: float = 0.0


def number(value: int | float) -> Number:
    return Number(value, abs(float(value)))


def convert(operand: Number, target: CType) -> Number:
    """Returns the number converted to a type: modulo 2^bits, or rounded."""
    value = operand.value
    if target.kind == "bool":
        return Number(int(value != 0), 1.0)
    if target.kind == "float":
        return Number(float(value) if target.bits == 64 else _single(float(value)), operand.size)
    if isinstance(value, float):
        if not (math.isfinite(value) and value.is_integer()):
            raise NoResult
        value = int(value)
    low = target.range[0]
    return number((value - low) % (1 << target.bits) + low)


def _single(value: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def literal(text: str, type_: CType) -> Number:
    """Returns the number of a literal: a fraction or an infinity."""
    if text in ("INFINITY", "HUGE_VAL"):
        return Number(math.inf)
    numerator, _, denominator = text.partition("/")
    try:
        exact = int(numerator) if not denominator else int(numerator) / int(denominator)
        return number(float(exact) if type_.kind == "float" else exact)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise NoResult from None


def in_long(value: int) -> Number:
    """Returns the value of an index. Raises NoResult if no `long` holds it."""
    if convert(Number(value), _LONG).value != value:
        raise NoResult
    return number(value)


def random_number(type_: CType, random: Random, near: Sequence[int | float]) -> Number:
    """Returns a number of a type. Integers are often extreme; some numbers of both kinds differ little from one of
    those that are `near`.
    """
    if type_.kind == "bool":
        return number(random.randint(0, 1))
    is_near = random.random() < 0.4
    if type_.kind == "float":
        close, far = random.choice(near) + random.choice((0.0, 1e-9)), random.choice((-1, 1)) * random.uniform(0.5, 2.0)
        return convert(number(close if is_near else far), type_)
    low, high = type_.range
    if is_near:
        return convert(number(int(random.choice(near)) + random.randint(-1, 1)), type_)
    return number(random.choice((random.randint(low, high), random.choice((low, high)))))


def apply(operator: str, type_: CType, operands: Sequence[Number], additive: frozenset[str]) -> Number:
    """Returns an operator applied to numbers that are converted to the type in which it computes. A function is
    unknown, and has a polynomial of its own; an `additive` one is associative and commutative, with the identity 0.
    """
    if operator in LOGICAL:
        return _logical(operator, [bool(operand.value) for operand in operands])
    if operator == "if":
        return convert(operands[1] if operands[0].value else operands[2], type_)
    if operator in additive:
        return convert(_additive(operator, *operands), type_)
    if operator.startswith(CALL):
        return _unknown(operator, type_, operands)
    operands = [convert(operand, type_) for operand in operands]
    values = [operand.value for operand in operands]
    if operator in TRUTHS:
        left, right = values
        return number({"<": left < right, "<=": left <= right, "==": left == right, "!=": left != right}[operator])
    if operator in ("min", "max"):
        return (min if operator == "min" else max)(operands, key=lambda operand: operand.value)
    result = _arithmetic(operator, operands)
    if isinstance(result.value, float) and math.isnan(result.value):
        raise NoResult
    return convert(result, type_)


def _logical(operator: str, values: Sequence[bool]) -> Number:
    if operator == "not":
        return number(int(not values[0]))
    left, right = values
    return number(int({"and": left and right, "or": left or right, "xor": left != right}[operator]))


def _arithmetic(operator: str, operands: Sequence[Number]) -> Number:
    left, right = operands[0], operands[-1]
    match operator:
        case "neg":
            return Number(-left.value, left.size)
        case "+":
            return Number(left.value + right.value, left.size + right.size)
        case "-":
            return Number(left.value - right.value, left.size + right.size)
        case "*":
            return Number(left.value * right.value, left.size * right.size)
    if not right.value:
        raise NoResult
    if isinstance(left.value, int) and isinstance(right.value, int):
        quotient = abs(left.value) // abs(right.value) * (1 if (left.value < 0) == (right.value < 0) else -1)
        return number(quotient if operator == "/" else left.value - quotient * right.value)
    if operator == "/":
        return Number(left.value / right.value, left.size / abs(right.value))
    return Number(math.fmod(left.value, right.value), left.size)


def _additive(operator: str, left: Number, right: Number) -> Number:
    """Returns `left + right + factor * left * right`, where the name of the function determines the factor."""
    factor = Random(operator).randint(2, 99)
    value = left.value + right.value + factor * left.value * right.value
    return Number(value, left.size + right.size + factor * left.size * right.size)


def _unknown(operator: str, type_: CType, operands: Sequence[Number]) -> Number:
    """Returns a polynomial of the operands, with coefficients that the name and the place determine."""
    random = Random(operator)
    value: int | float = random.randint(1, 9)
    size = float(value)
    for operand in operands:
        one, two = random.randint(3, 99), random.randint(3, 99)
        value += one * operand.value + two * operand.value * operand.value
        size += one * operand.size + two * operand.size * operand.size
    if isinstance(value, float) and type_.kind != "float":
        value = round(value) if math.isfinite(value) else 0
    return convert(Number(value, size), type_)


def operations_in(term: CTerm) -> list[CTerm]:
    """Returns the operations of an expression."""
    inner = [inside for operand in term.operands for inside in operations_in(operand)]
    return [term, *inner] if term.operands else inner
