"""Random expressions over scalars of every type, in the language and in C, for comparison with a C compiler.

Division and remainder are by operands that are positive, so that C has a meaning for them; integers overflow freely.
"""

import random
from dataclasses import dataclass

from alphaz.model.types import BOOL, INT, LONG, SCALAR_TYPES, ScalarType, common_type

PARAMETER = "N"
INPUTS = {name: f"in_{name.replace(' ', '_')}" for name in SCALAR_TYPES}
# Inputs that are never 0 nor negative, to divide by.
DIVISORS = {name: f"d_{name.replace(' ', '_')}" for name in SCALAR_TYPES if name != "bool"}


@dataclass(frozen=True, slots=True)
class Both:
    """One expression in the language and in C. `type` is its C type, known without asking the code under test."""

    language: str
    c: str
    type: ScalarType


def expression(source: random.Random, depth: int) -> Both:
    if depth == 0 or source.random() < 0.1:
        return _leaf(source)
    choices = (_arithmetic, _arithmetic, _extreme, _relation, _logic, _negation, _choice, _division)
    return source.choice(choices)(source, depth - 1)


def _leaf(source: random.Random) -> Both:
    kind = source.random()
    if kind < 0.7:
        name = source.choice(list(INPUTS))
        return Both(INPUTS[name], INPUTS[name], SCALAR_TYPES[name])
    if kind < 0.8:
        value = source.choice([0, 1, 2, 7, 255, 65536, 2**31 - 1, 2**31, 2**40])
        type_ = INT if value < 2**31 else LONG
        return Both(str(value), str(value), type_)
    if kind < 0.9:
        text = source.choice(["0.5", "1.0", "3.25", "0.1", "16777217.0", "1000000000.125"])
        is_float = source.random() < 0.5
        both = f"{text}f" if is_float else text
        return Both(both, both, SCALAR_TYPES["float" if is_float else "double"])
    return Both(f"[2{PARAMETER}-3]", f"((long)(2*{PARAMETER}-3))", LONG)


def _arithmetic(source: random.Random, depth: int) -> Both:
    left, right = expression(source, depth), expression(source, depth)
    operator = source.choice("+-*")
    return Both(
        f"({left.language} {operator} {right.language})",
        f"({left.c} {operator} {right.c})",
        common_type(left.type, right.type),
    )


def _division(source: random.Random, depth: int) -> Both:
    left = expression(source, depth)
    name = source.choice(list(DIVISORS))
    type_ = SCALAR_TYPES[name]
    operator = "/" if left.type.is_float or type_.is_float else source.choice("/%")
    divisor = DIVISORS[name]
    return Both(
        f"({left.language} {operator} {divisor})", f"({left.c} {operator} {divisor})", common_type(left.type, type_)
    )


def _extreme(source: random.Random, depth: int) -> Both:
    left, right = expression(source, depth), expression(source, depth)
    name, sign = source.choice([("min", "<"), ("max", ">")])
    type_ = left.type if left.type == right.type else common_type(left.type, right.type)
    infix = source.random() < 0.5
    language = f"({left.language} {name} {right.language})" if infix else f"{name}({left.language}, {right.language})"
    return Both(language, f"(({left.c}) {sign} ({right.c}) ? ({left.c}) : ({right.c}))", type_)


def _relation(source: random.Random, depth: int) -> Both:
    left, right = expression(source, depth), expression(source, depth)
    operator = source.choice(["==", "!=", "<", "<=", ">", ">="])
    return Both(f"({left.language} {operator} {right.language})", f"({left.c} {operator} {right.c})", BOOL)


def _whole(source: random.Random, depth: int) -> Both:
    """An integer or a bool: a float has no truth."""
    result = expression(source, depth)
    if result.type.is_float:
        return Both(f"({result.language} > 0.5)", f"({result.c} > 0.5)", BOOL)
    return result


def _logic(source: random.Random, depth: int) -> Both:
    left, right = _whole(source, depth), _whole(source, depth)
    operator = source.choice(["and", "or", "xor", "nand"])
    c = {
        "and": f"({left.c} && {right.c})",
        "or": f"({left.c} || {right.c})",
        "xor": f"(!{left.c} != !{right.c})",
        "nand": f"(!({left.c} && {right.c}))",
    }[operator]
    return Both(f"({left.language} {operator} {right.language})", c, BOOL)


def _negation(source: random.Random, depth: int) -> Both:
    if source.random() < 0.5:
        operand = _whole(source, depth)
        return Both(f"(not ({operand.language}))", f"(!{operand.c})", BOOL)
    operand = expression(source, depth)
    return Both(f"(-({operand.language}))", f"(-{operand.c})", common_type(operand.type, INT))


def _choice(source: random.Random, depth: int) -> Both:
    condition, then, otherwise = _whole(source, depth), expression(source, depth), expression(source, depth)
    type_ = then.type if then.type == otherwise.type else common_type(then.type, otherwise.type)
    return Both(
        f"(if {condition.language} then {then.language} else {otherwise.language})",
        f"({condition.c} ? {then.c} : {otherwise.c})",
        type_,
    )
