"""Loops that run at least once whenever they are reached."""

from collections.abc import Iterator

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, mangle
from alphaz.poly.integer import Integer, Name, Number, Operation, names_in
from alphaz.poly.loops import Call, For, If, Let, Node, inside


def never_empty(tree: Node, context: Domain) -> frozenset[int]:
    """`id` of the innermost loops that are never empty, at all their places in the tree.

    Those of which that is not known are left out.
    """
    used, bound = _names(tree)
    parameters = tuple(map(mangle, dict.fromkeys((*context.space.parameters, *sorted(used - bound)))))
    found = list(_found(tree, parameters, (), context.set.params()))
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


def _found(node: Node, names: tuple[str, ...], known: tuple[str, ...], context: isl.Set) -> Iterator[tuple[int, bool]]:
    """Each innermost loop at each of its places, and whether it is known to be never empty there."""
    match node:
        case For(iterator, _, first, comparison, bound, _, body):
            low, high = _text(first), _text(bound)
            if isinstance(body, Call):
                empty = f"{low} {_OPPOSITE[comparison]} {high}"
                yield id(node), bool(low and high) and _never(names, (*known, empty), context)
                return
            own = mangle(iterator)
            ranges = [f"{own} >= {low}" if low else "", f"{own} {comparison} {high}" if high else ""]
            yield from _found(body, (*names, own), (*known, *filter(None, ranges)), context)
        case Let(iterator, _, value, body):
            own, text = mangle(iterator), _text(value)
            yield from _found(body, (*names, own), (*known, *([f"{own} = {text}"] if text else ())), context)
        case If(condition, then, None):
            text = _text(condition)
            yield from _found(then, names, (*known, *([text] if text else ())), context)
        case _:
            for child in inside(node):
                yield from _found(child, names, known, context)


def _never(names: tuple[str, ...], conditions: tuple[str, ...], context: isl.Set) -> bool:
    """Whether the conditions exclude each other; a name that is declared twice tells nothing."""
    if len(set(names)) < len(names):
        return False
    conjunction = " and ".join(f"({condition})" for condition in conditions)
    return bool(isl.Set(f"[{', '.join(names)}] -> {{ : {conjunction} }}", CONTEXT).intersect_params(context).is_empty())


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
