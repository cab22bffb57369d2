"""Loops that run at least once whenever they are reached."""

from collections.abc import Collection, Iterator

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, OutOfBudget, budget, mangle
from alphaz.poly.integer import Integer, Name, Number, Operation, names_in
from alphaz.poly.loops import Call, For, If, Let, Node, inside

# What one loop may cost: its guard costs less than a second of waiting for the code.
_STEPS = 300_000


def never_empty(tree: Node, context: Domain, asked: Collection[str]) -> frozenset[int]:
    """`id` of the innermost loops over one of these statements that are never empty, at all their places in the tree.

    Those of which that is not known, or would take long to find out, are left out.
    """
    used, bound = _names(tree)
    parameters = tuple(map(mangle, dict.fromkeys((*context.space.parameters, *sorted(used - bound)))))
    found = list(_found(tree, parameters, (), context.set.params(), asked))
    return frozenset(loop for loop, holds in found if holds) - {loop for loop, holds in found if not holds}


def _names(tree: Node) -> tuple[set[str], set[str]]:
    """The names that stand in bounds and guards, and those of the loops."""
    used: set[str] = set()
    bound: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        waiting += inside(node)
        match node:
            case For(iterator, _, first, _, last, _, _):
                bound.add(iterator)
                used.update(names_in(first), names_in(last))
            case Let(iterator, _, value, _):
                bound.add(iterator)
                used.update(names_in(value))
            case If(condition, _, _):
                used.update(names_in(condition))
    return used, bound


def _found(
    node: Node, names: tuple[str, ...], known: tuple[str, ...], context: isl.Set, asked: Collection[str]
) -> Iterator[tuple[int, bool]]:
    """Each innermost loop at each of its places, and whether it is known to be never empty there."""
    match node:
        case For(iterator, _, first, comparison, bound, _, body):
            # Each alone, since isl makes a union of a maximum.
            lows, highs = list(map(_text, _each("max", first))), list(map(_text, _each("min", bound)))
            if isinstance(body, Call):
                if body.name in asked:
                    empty = [f"{low} {_OPPOSITE[comparison]} {high}" for low in lows for high in highs]
                    stated = all(lows) and all(highs)
                    yield id(node), stated and all(_never(names, (*known, each), context) for each in empty)
                return
            own = mangle(iterator)
            ranges = [f"{own} >= {low}" for low in lows if low] + [
                f"{own} {comparison} {high}" for high in highs if high
            ]
            yield from _found(body, (*names, own), (*known, *ranges), context, asked)
        case Let(iterator, _, value, body):
            own, text = mangle(iterator), _text(value)
            yield from _found(body, (*names, own), (*known, *([f"{own} = {text}"] if text else ())), context, asked)
        case If(condition, then, None):
            text = _text(condition)
            yield from _found(then, names, (*known, *([text] if text else ())), context, asked)
        case _:
            for child in inside(node):
                yield from _found(child, names, known, context, asked)


def _each(symbol: str, value: Integer) -> Iterator[Integer]:
    """What an extremum is one of; another value alone."""
    match value:
        case Operation(operator, operands) if operator == symbol:
            for operand in operands:
                yield from _each(symbol, operand)
        case _:
            yield value


def _never(names: tuple[str, ...], conditions: tuple[str, ...], context: isl.Set) -> bool:
    """Whether the conditions exclude each other; a name that is declared twice tells nothing."""
    if len(set(names)) < len(names):
        return False
    conjunction = " and ".join(f"({condition})" for condition in conditions)
    try:
        with budget(_STEPS):
            found = isl.Set(f"[{', '.join(names)}] -> {{ : {conjunction} }}", CONTEXT)
            return bool(found.intersect_params(context).is_empty())
    except OutOfBudget:
        return False


_OPPOSITE = {"<": ">=", "<=": ">"}
_INFIX = {"+": "+", "-": "-", "*": "*", "and": "and", "or": "or", "==": "="}
_INFIX |= {comparison: comparison for comparison in ("<", "<=", ">", ">=")}
_DIVISIONS = frozenset(("floor_div", "exact_div", "quotient"))


def _text(value: Integer) -> str:
    """In isl's syntax; empty where it has no such form."""
    match value:
        case Number(number):
            return str(number) if number >= 0 else f"({number})"
        case Name(name):
            return mangle(name)
        case Operation(symbol, operands):
            texts = [_text(operand) for operand in operands]
            return _operation(symbol, texts) if all(texts) and _is_linear(symbol, operands) else ""


def _is_linear(symbol: str, operands: tuple[Integer, ...]) -> bool:
    numbers = [isinstance(operand, Number) for operand in operands]
    if symbol == "*":
        return sum(numbers) >= len(numbers) - 1
    return symbol not in _DIVISIONS or numbers[1]


def _operation(symbol: str, texts: list[str]) -> str:
    if symbol == "neg":
        return f"(-{texts[0]})"
    if symbol in ("min", "max"):
        return f"{symbol}({', '.join(texts)})"
    if symbol in _DIVISIONS:
        return f"floor(({texts[0]})/{texts[1]})"
    return f"({f' {_INFIX[symbol]} '.join(texts)})" if symbol in _INFIX else ""
