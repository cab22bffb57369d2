"""C's conversions and operators as Python text over operands of known types (C11 6.3 and 6.5).

If a plain Python operator differs from C's, the text calls a function of `arithmetic` by name."""

import math
from dataclasses import dataclass

from alphaz.model.interpreter.arithmetic import integer_range
from alphaz.model.real_numbers import real_number, single
from alphaz.model.types import BOOL, FLOAT, INT, ScalarType, common_type, promoted

RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
LOGICAL = frozenset(("and", "or", "xor", "nand"))


@dataclass(frozen=True, slots=True)
class Code:
    """A Python expression without side effects, and the C type of its value. `depth` bounds its nesting."""

    text: str
    type: ScalarType
    depth: int = 0


def converted(code: Code, target: ScalarType) -> Code:
    """Returns the operand converted to `target` as in C."""
    return Code(_converted_text(code.text, code.type, target), target, code.depth + 1)


def _converted_text(text: str, source: ScalarType, target: ScalarType) -> str:
    if target.kind == "bool":
        return text if source.kind == "bool" else f"({text} != 0)"
    if target.is_float:
        return _to_float(text, source, target)
    if source.is_float:
        return f"truncated({text}, {type_name(target)})"
    least, greatest = integer_range(target)
    low, high = integer_range(source)
    return text if least <= low and high <= greatest else wrapped_text(text, target)


def _to_float(text: str, source: ScalarType, target: ScalarType) -> str:
    if source.is_float:
        return text if source.bits <= target.bits else f"single({text})"
    if target == FLOAT:
        return f"single_of_integer({text})"
    return f"float({text})"


def type_name(type_: ScalarType) -> str:
    """Returns the name of a type in generated text."""
    return "type_" + type_.name.replace(" ", "_")


def wrapped_text(text: str, type_: ScalarType) -> str:
    """Returns an integer expression reduced to the range of its type."""
    mask = (1 << type_.bits) - 1
    if not type_.signed:
        return f"({text} & {mask})"
    half = 1 << (type_.bits - 1)
    return f"(({text} + {half} & {mask}) - {half})"


def truth(code: Code) -> str:
    """Returns the operand as a condition."""
    return code.text if code.type.kind == "bool" else f"({code.text} != 0)"


def unary(operator: str, operand: Code) -> Code:
    """Returns the operation: `-` works in the promoted type; `not` gives 0 or 1."""
    if operator == "not":
        return Code(f"(not {truth(operand)})", BOOL, operand.depth + 1)
    type_ = promoted(operand.type)
    negated = f"(-{operand.text})"
    return Code(negated if type_.is_float else wrapped_text(negated, type_), type_, operand.depth + 1)


def binary(operator: str, left: Code, right: Code) -> Code:
    """Returns the operation in the common type of both operands. Not for `and`, `or`, `nand`."""
    if operator == "xor":
        return Code(f"({truth(left)} != {truth(right)})", BOOL, max(left.depth, right.depth) + 1)
    type_ = common_type(left.type, right.type)
    a, b = converted(left, type_).text, converted(right, type_).text
    depth = max(left.depth, right.depth) + 1
    if operator in RELATIONS:
        return Code(f"({a} {operator} {b})", BOOL, depth)
    if operator in ("min", "max"):
        sign = "<" if operator == "min" else ">"
        return Code(f"({a} if {a} {sign} {b} else {b})", type_, depth)
    return Code(_arithmetic(operator, a, b, type_), type_, depth)


def _arithmetic(operator: str, a: str, b: str, type_: ScalarType) -> str:
    if operator in ("+", "-", "*"):
        text = f"({a} {operator} {b})"
    else:
        name = {"/": "quotient", "%": "remainder"}[operator]
        text = f"{'float_' if type_.is_float else ''}{name}({a}, {b})"
    if not type_.is_float:
        return wrapped_text(text, type_)
    return f"single({text})" if type_ == FLOAT else text


def constant(value: int | bool | str, type_: ScalarType) -> Code:
    """Returns a literal of the given type."""
    if isinstance(value, bool):
        return converted(Code(str(value), BOOL), type_)
    if isinstance(value, int):
        return converted(Code(f"({value})", _holding(value)), type_)
    number = real_number(value)
    return Code(_float_text(single(number) if type_ == FLOAT else number), type_)


def _holding(value: int) -> ScalarType:
    """Some type that holds the value without loss; wider than any of C's if needed."""
    if -(1 << 31) <= value < 1 << 31:
        return INT
    return ScalarType(name="longlong", c_name="", numpy="", kind="int", bits=max(64, value.bit_length() + 1))


def _float_text(value: float) -> str:
    if math.isfinite(value):
        return f"({value!r})"
    return "nan" if math.isnan(value) else ("inf" if value > 0 else "(-inf)")


def identity(operator: str, type_: ScalarType) -> Code:
    """Returns the neutral element of a reduction operator in a type; for min and max the greatest and the least
    value."""
    if operator in ("min", "max"):
        return Code(_extreme(type_, greatest=operator == "min"), type_)
    neutral = {"+": 0, "or": 0, "xor": 0, "*": 1, "and": 1}[operator]
    return constant(bool(neutral) if type_.kind == "bool" else neutral, type_)


def _extreme(type_: ScalarType, *, greatest: bool) -> str:
    if type_.is_float:
        return "inf" if greatest else "(-inf)"
    if type_.kind == "bool":
        return str(greatest)
    return f"({integer_range(type_)[greatest]})"
