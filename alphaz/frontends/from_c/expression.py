"""Trees of C as text of the language with the same meaning: types must agree with those of C."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np

from alphaz.model.types import BOOL, DOUBLE, FLOAT, INT, LONG, ScalarType, common_type, promoted
from alphaz.scop.conversions import TRUTHS, conversion, type_of
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree


class Unwritable(Exception):
    """The language cannot express the value."""


def expression(tree: Tree, read: Callable[[int], str]) -> str:
    """Returns the text, in parentheses if it has operands. Raises Unwritable."""
    return _text(tree, read, False)[0]


def calls_in(tree: Tree) -> dict[str, tuple[ScalarType, tuple[ScalarType, ...]]]:
    """Returns the called functions, with the types of their results and arguments."""
    calls: dict[str, tuple[ScalarType, tuple[ScalarType, ...]]] = {}
    if isinstance(tree, OperationValue):
        for operand in tree.operands:
            calls |= calls_in(operand)
        if tree.operator.startswith("call "):
            types = tuple(map(type_of, tree.operands))
            calls[tree.operator.removeprefix("call ")] = tree.type, types
    return calls


def _text(tree: Tree, read: Callable[[int], str], is_real: bool) -> tuple[str, ScalarType]:
    """Returns the text and its type. `is_real`: an integer constant in a place where C computes with reals."""
    match tree:
        case ReadValue(number, type_):
            return read(number), type_
        case LiteralValue():
            return _literal(tree, is_real)
        case IndexLeaf(affine, _):
            return f"[{affine}]", LONG
        case OperationValue(operator, operands, type_):
            return _operation(operator, operands, type_, read)
    raise AssertionError(tree)


def _literal(literal: LiteralValue, is_real: bool) -> tuple[str, ScalarType]:
    value, type_ = literal.value, literal.type
    if not isinstance(value, Fraction):
        raise Unwritable(f"`{value}` has no literal in the language")
    if type_ == BOOL:
        return ("true" if value else "false"), BOOL
    if type_ == FLOAT:
        return _signed(f"{_decimal(str(np.float32(float(abs(value)))))}f", value), FLOAT
    if type_ == DOUBLE or is_real:
        return _signed(_decimal(repr(abs(float(value)))), value), DOUBLE
    text = str(abs(int(value)))
    return _signed(text, value), (INT if abs(value) < 1 << 31 else LONG)


def _decimal(number: str) -> str:
    """Returns the digits of a number without an exponent."""
    text = format(Decimal(number), "f")
    return text if "." in text else f"{text}.0"


def _signed(text: str, value: Fraction) -> str:
    return f"(-{text})" if value < 0 else text


def _operation(
    operator: str, operands: tuple[Tree, ...], type_: ScalarType, read: Callable[[int], str]
) -> tuple[str, ScalarType]:
    is_real = type_ == DOUBLE and not operator.startswith("call ")
    operand_texts = [_text(operand, read, is_real and isinstance(operand, LiteralValue)) for operand in operands]
    texts, types = [text for text, _ in operand_texts], [type_ for _, type_ in operand_texts]
    if operator == conversion(type_):
        raise Unwritable(f"the language has no conversion to {type_} inside an expression")
    if operator.startswith("call "):
        return f"{operator.removeprefix('call ')}({', '.join(texts)})", type_
    made, wanted = _operation_text(operator, texts, types)
    if wanted != type_:
        raise Unwritable(f"`{operator}` has type {type_} in C, but {wanted} in the language")
    return made, (BOOL if operator in TRUTHS else wanted)


def _operation_text(operator: str, texts: list[str], types: list[ScalarType]) -> tuple[str, ScalarType]:
    """Returns the text, and the type in which it is computed."""
    match operator:
        case "neg":
            return f"(-{texts[0]})", promoted(types[0])
        case "not":
            return f"(not {texts[0]})", BOOL
        case "and" | "or" | "xor":
            return f"({texts[0]} {operator} {texts[1]})", BOOL
        case "min" | "max":
            same = types[0] == types[1]
            return f"{operator}({texts[0]}, {texts[1]})", types[0] if same else common_type(*types)
        case "if":
            same = types[1] == types[2]
            return f"(if {texts[0]} then {texts[1]} else {texts[2]})", types[1] if same else common_type(*types[1:])
    return f"({texts[0]} {operator} {texts[1]})", common_type(*types)
