"""Conversions between types of C and of equations: integers keep their value modulo 2^bits.

If a sum, difference or product is reduced modulo 2^32 and then modulo 2^8, the first reduction does not matter: so
conversions are moved to the operands, where both sides are compared. A conversion that remains is an operator `as
char`, the same on both sides.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from alphaz.model.types import BOOL, DOUBLE, INT, LONG, SCALAR_TYPES, ScalarType, common_type, promoted
from alphaz.poly import Affine
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, Tree

# For these operators the operands modulo 2^bits determine the result modulo 2^bits.
RING = ("+", "-", "*", "neg")
LATTICE = ("min", "max")
TRUTHS = ("<", "<=", "==", "!=", "and", "or", "xor", "not")
# Types that hold all indices, which are far below 2^53.
OF_INDICES = ("double", "long", "longlong")
# Conversions that change no value (except the sign of a floating-point zero, which is not compared).
NEUTRAL = {"+": 0, "*": 1, "or": 0, "xor": 0, "and": 1}
_WIDENED = "widened"
_LARGEST_SINGLE = (2**24 - 1) * 2**104


def single(value: float) -> Fraction:
    """Returns the value rounded to a 32-bit float."""
    return Fraction(float(np.float32(value)))


def fits(value: Fraction, target: ScalarType) -> bool:
    """Returns True if the type can represent this number exactly."""
    if target.is_float:
        if target.bits == 32:
            return abs(value) <= _LARGEST_SINGLE and single(float(value)) == value
        return Fraction(float(value)) == value
    if target.kind == "bool":
        return value in (0, 1)
    low, high = (-(1 << (target.bits - 1)), 1 << (target.bits - 1)) if target.signed else (0, 1 << target.bits)
    return value.denominator == 1 and low <= value < high


def holds(target: ScalarType, source: ScalarType) -> bool:
    """Returns True if a type can represent all values of another type."""
    if target == source or source.kind == "bool":
        return True
    if target.is_float:
        return source.bits <= (target.bits if source.is_float else target.bits // 2)
    if source.is_float or target.kind == "bool":
        return False
    return source.bits + (target.signed > source.signed) <= target.bits and target.signed >= source.signed


def is_modular(target: ScalarType, source: ScalarType) -> bool:
    """Returns True if the conversion reduces modulo 2^bits a value already known modulo a multiple of that."""
    return target.kind == source.kind == "int" and target.bits <= source.bits


def conversion(target: ScalarType) -> str:
    """Returns the operator that converts to a type."""
    return f"as {target}"


# Conversions by which an integer becomes one of its type.
CONVERSIONS = {conversion(type_): type_ for type_ in SCALAR_TYPES.values() if type_.kind == "int" or type_ == DOUBLE}


def literal_as(value: LiteralValue, target: ScalarType) -> LiteralValue | None:
    """Returns the constant converted to another type, if the result is a constant."""
    if isinstance(value.value, str):
        return LiteralValue(value.value, target) if target.is_float else None
    if not fits(value.value, target) and target.kind == "int" and value.value.denominator == 1:
        number = int(value.value) % (1 << target.bits)
        is_below = target.signed and number >= 1 << (target.bits - 1)
        return LiteralValue(Fraction(number - (is_below << target.bits)), target)
    return LiteralValue(value.value, target) if fits(value.value, target) else None


def type_of(tree: Tree) -> ScalarType:
    """Returns the type of the values: bool for a comparison, whose `type` is that in which its operands are
    compared."""
    return BOOL if isinstance(tree, OperationValue) and tree.operator in TRUTHS else tree.type


def plain(tree: Tree) -> Tree:
    """Returns the same value without its type, which the surrounding operation states."""
    while isinstance(tree, OperationValue) and tree.operator == _WIDENED:
        tree = tree.operands[0]
    return tree


def fold_affine(operator: str, operands: Sequence[Affine | None], type_: ScalarType) -> Affine | None:
    """Returns a sum, difference or multiple of constants and indices as an affine expression; these never overflow 64
    bits."""
    is_far = type_.bits == 64 and type_.signed
    if type_.kind != "int" or not (is_far or all(operand is None or operand.is_constant for operand in operands)):
        return None
    match operator, operands:
        case "neg", [Affine() as only]:
            return only * -1
        case "+", [Affine() as left, Affine() as right]:
            return left + right
        case "-", [Affine() as left, Affine() as right]:
            return left - right
        case "*", [Affine() as left, Affine() as right] if right.is_constant:
            return left * right.constant
        case "*", [Affine() as left, Affine() as right] if left.is_constant:
            return right * left.constant
    return None


def _affine(tree: Tree) -> Affine | None:
    match tree:
        case IndexLeaf(affine_):
            return affine_
        case LiteralValue(Fraction(denominator=1) as value):
            return Affine.of(constant=int(value))
    return None


def _remainder(operator: str, operands: Sequence[Tree], type_: ScalarType) -> Affine | None:
    """Returns an operation on converted indices as the operation before conversion: both agree modulo 2^bits."""
    if type_.kind != "int" or all(isinstance(operand, LiteralValue) for operand in operands):
        return None
    return fold_affine(operator, [_affine(_before(operand, type_)) for operand in operands], LONG)


def _before(tree: Tree, type_: ScalarType) -> Tree:
    """Returns the operand of a conversion to this type."""
    return tree.operands[0] if isinstance(tree, OperationValue) and tree.operator == conversion(type_) else tree


def operation(operator: str, operands: tuple[Tree, ...], type_: ScalarType) -> Tree:
    """Returns the operator applied to values. A minimum of values of one type has that type; of two truth values that
    differ, exactly one holds."""
    inside = tuple(map(plain, operands))
    value = fold_affine(operator, list(map(_affine, inside)), type_)
    if value is None and (rest := _remainder(operator, inside, type_)) is not None:
        return _inside(IndexLeaf(rest, LONG), type_)
    if value is not None and not value.is_constant:
        return IndexLeaf(value, type_)
    if value is not None and (constant := literal_as(LiteralValue(Fraction(value.constant), type_), type_)) is not None:
        return constant
    for one, other in (inside, inside[::-1]) if operator in NEUTRAL and len(inside) == 2 else ():
        if isinstance(one, LiteralValue) and one.value == NEUTRAL[operator]:
            return converted(other, type_) or OperationValue(operator, inside, type_)
    own = {type_of(operand) for operand in (inside[1:] if operator == "if" else inside)}
    if operator == "!=" and own == {BOOL}:
        return OperationValue("xor", inside, BOOL)
    is_one = operator in (*LATTICE, "if") and len(own) == 1 and holds(type_, *own)
    return OperationValue(operator, inside, own.pop() if is_one else type_)


def conditional_tree(condition: Tree, then: Tree, otherwise: Tree, type_: ScalarType) -> Tree:
    """Returns `condition ? then : otherwise`, as a minimum or maximum of both values where it is one."""
    branches = [
        _inside(branch, type_) if type_.kind == "int" else _literally(branch, type_) for branch in (then, otherwise)
    ]
    match condition:
        case OperationValue("<" | "<=", sides):
            left, right = sides if type_.kind == "int" else (_literally(side, type_) for side in sides)
            if [left, right] == branches:
                return operation("min", (left, right), type_)
            if [right, left] == branches:
                return operation("max", (right, left), type_)
    return operation("if", (condition, *branches), type_)


def _literally(value: Tree, type_: ScalarType) -> Tree:
    """Returns a constant in another type; other values unchanged."""
    return _inside(value, type_) if isinstance(value, LiteralValue) else plain(value)


def negated(value: Tree) -> Tree:
    type_ = promoted(type_of(value))
    if type_of(value) == BOOL:
        value = _inside(value, type_)
    if isinstance(value, LiteralValue) and isinstance(value.value, Fraction) and value.value and type_.signed:
        literal = literal_as(LiteralValue(-value.value, type_), type_)
        return literal or operation("neg", (value,), type_)
    return operation("neg", (value,), type_)


def truth(value: Tree) -> Tree:
    """Returns the tree for `value != 0`."""
    value = plain(value)
    type_ = type_of(value)
    if type_ == BOOL:
        return value
    match value:
        case OperationValue("if", (test, LiteralValue(Fraction(numerator=1)), LiteralValue(Fraction(numerator=0)))):
            return test
    return operation("!=", (value, LiteralValue(Fraction(0), INT)), common_type(type_, INT))


def converted(value: Tree, target: ScalarType) -> Tree | None:
    """Returns the value as C converts it to a type; None for a conversion that is not supported."""
    value = plain(value)
    source = type_of(value)
    if target == source:
        return value
    if isinstance(value, LiteralValue):
        return literal_as(value, target) or operation(conversion(target), (value,), target)
    if isinstance(value, IndexLeaf) and (target.name in OF_INDICES or (target.kind == "int" and holds(target, source))):
        return IndexLeaf(value.affine, target)
    if target == BOOL:
        return truth(value)
    if isinstance(value, OperationValue) and source == BOOL:
        return _number_of(value, target)
    if holds(target, source):
        return OperationValue(_WIDENED, (value,), target)
    if source.is_float and not target.is_float:
        return None
    return _narrowed(value, target)


def _number_of(value: Tree, target: ScalarType) -> Tree:
    """Returns 1 where a comparison holds, and 0 elsewhere."""
    return operation("if", (value, LiteralValue(Fraction(1), target), LiteralValue(Fraction(0), target)), target)


def _narrowed(value: Tree, target: ScalarType) -> Tree:
    match value:
        case OperationValue(operator, operands) if operator in LATTICE and target.is_float and value.type.is_float:
            # The result is one of the operands.
            if all(_is_held(operand, target) for operand in operands):
                return OperationValue(operator, tuple(_inside(operand, target) for operand in operands), target)
        case OperationValue("if", (test, *branches)) if target.is_float and value.type.is_float:
            if all(_is_held(branch, target) for branch in branches):
                return OperationValue("if", (test, *(_inside(branch, target) for branch in branches)), target)
    if isinstance(value, OperationValue) and is_modular(target, value.type):
        match value.operator, value.operands:
            case "if", (test, *branches) if any(isinstance(branch, IndexLeaf) for branch in branches):
                return OperationValue("if", (test, *(_inside(branch, target) for branch in branches)), target)
            case "-", (LiteralValue(Fraction(numerator=0)), right):
                return operation("neg", (_inside(right, target),), target)
            case operator, operands if operator in RING:
                return operation(operator, tuple(_inside(operand, target) for operand in operands), target)
            case operator, operands if operator in LATTICE and all(_is_held(operand, target) for operand in operands):
                return OperationValue(operator, tuple(_inside(operand, target) for operand in operands), target)
            case operator, (inner,) if operator == conversion(value.type) and type_of(inner).kind == "int":
                return _inside(inner, target)
    return operation(conversion(target), (value,), target)


def _inside(value: Tree, target: ScalarType) -> Tree:
    narrowed = converted(value, target)
    assert narrowed is not None
    return plain(narrowed)


def _is_held(value: Tree, target: ScalarType) -> bool:
    if isinstance(value, LiteralValue):
        return isinstance(value.value, Fraction) and fits(value.value, target)
    return holds(target, type_of(value))
