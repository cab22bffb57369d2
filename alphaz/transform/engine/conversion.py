"""Conversions that transformations must preserve: the type of an operation, and lossless conversions.

The branches of a case (and the two of an if) are converted to their common type, operands by C's usual arithmetic
conversions (`analysis.types`). Moving a branch out of a case removes one conversion."""

from collections.abc import Iterable

from alphaz.model.expression import Call, Constant, Expression, If, Reduce
from alphaz.model.facts import Facts
from alphaz.model.types import BOOL, ScalarType, common_type, promoted

# Integers up to here are exact in every type but char and short, which literals do not have.
_SMALL = 2**24


def joined_type(types: Iterable[ScalarType]) -> ScalarType:
    """Returns the type of a case whose branches have these types (at least one)."""
    found = list(types)
    result = found[0]
    for type_ in found[1:]:
        result = result if type_ == result else common_type(result, type_)
    return result


def worked_types(node: Expression, operands: tuple[ScalarType, ...]) -> tuple[ScalarType, ...]:
    """Returns the types in which an operator works on operands of these types: equal results mean equal conversions."""
    if isinstance(node, If):
        return joined_type(operands[:1]), joined_type(operands[1:])
    if isinstance(node, Call):
        return operands
    return (joined_type(operands),)


def own_type(facts: Facts, node: Reduce) -> ScalarType:
    """Returns the type in which a reduction accumulates if it is not a right-hand side."""
    body, here = facts.types[node.body], facts.types[node]
    if node.operator in ("and", "or", "xor"):
        return BOOL
    if node.operator in ("min", "max"):
        return body
    return promoted(body) if node.operator in ("+", "*") else here


def is_kept(node: Expression, own: ScalarType, common: ScalarType) -> bool:
    """Returns True if every value of the node is preserved by the conversion to `common`."""
    if isinstance(node, Constant) and isinstance(node.value, int) and 0 <= node.value < _SMALL:
        return True
    return own == common or _holds(common, own)


def _holds(wide: ScalarType, narrow: ScalarType) -> bool:
    if narrow.is_float:
        return wide.is_float and wide.bits >= narrow.bits
    bits = narrow.bits - narrow.signed
    if wide.is_float:
        return bits <= (53 if wide.bits == 64 else 24)
    return wide.bits - wide.signed >= bits and (wide.signed or not narrow.signed)
