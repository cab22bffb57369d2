"""Loops that run at least once whenever they are reached."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, OutOfBudget, budget, mangle
from alphaz.poly.integer import Integer, Name, Number, Operation, names_in
from alphaz.poly.loops import For, If, Let, Node, inside

# What one loop may cost: its guard costs less than a second of waiting for the code.
_STEPS = 300_000


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a tree: the names that stand for numbers there, and conditions that hold, in isl's syntax."""

    names: tuple[str, ...]
    known: tuple[str, ...]

    def inside(self, more: Iterator[str], name: str = "") -> "Place":
        return Place((*self.names, mangle(name)) if name else self.names, (*self.known, *filter(None, more)))


@dataclass(frozen=True, slots=True)
class Reached:
    """The loops in a tree, each by its `id`, with all their places.

    `context` is a set of parameters.
    """

    places: dict[int, list[Place]]
    context: isl.Set

    @staticmethod
    def inside(tree: Node, context: Domain) -> "Reached":
        used, bound = _names(tree)
        parameters = tuple(map(mangle, dict.fromkeys((*context.space.parameters, *sorted(used - bound)))))
        found: dict[int, list[Place]] = {}
        for loop, place in _found(tree, Place(parameters, ())):
            found.setdefault(loop, []).append(place)
        return Reached(found, context.set.params())

    def never_empty(self, loop: For) -> bool:
        """Whether a loop always has a turn; also False where it would take long to find out."""
        lows, highs = list(map(_text, _each("max", loop.first))), list(map(_text, _each("min", loop.bound)))
        places = self.places.get(id(loop), ())
        if not places or not all((*lows, *highs)):
            return False
        empty = [f"{low} {_OPPOSITE[loop.comparison]} {high}" for low, high in product(lows, highs)]
        return all(_never(at.names, (*at.known, each), self.context) for at in places for each in empty)


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


def _found(node: Node, place: Place) -> Iterator[tuple[int, Place]]:
    """Each loop, at each of its places."""
    match node:
        case For(iterator, _, first, comparison, bound, _, body):
            yield id(node), place
            own = Name(iterator)
            ranges = (*_conditions(Operation("<=", (first, own))), *_conditions(Operation(comparison, (own, bound))))
            yield from _found(body, place.inside(iter(ranges), iterator))
        case Let(iterator, _, value, body):
            yield from _found(body, place.inside(_conditions(Operation("==", (Name(iterator), value))), iterator))
        case If(condition, then, otherwise):
            yield from _found(then, place.inside(_conditions(condition)))
            if otherwise is not None:
                yield from _found(otherwise, place)
        case _:
            for child in inside(node):
                yield from _found(child, place)


def _conditions(condition: Integer) -> Iterator[str]:
    """Conditions that hold together where this one does. isl makes a union of a maximum, so each operand is alone."""
    match condition:
        case Operation("and", operands):
            for operand in operands:
                yield from _conditions(operand)
        case Operation("<=" | "<" as symbol, (less, more)):
            for low, high in product(_each("max", less), _each("min", more)):
                yield _text(Operation(symbol, (low, high)))
        case _:
            yield _text(condition)


_OTHER = {"min": "max", "max": "min"}


def _each(symbol: str, value: Integer) -> Iterator[Integer]:
    """What the value is the extremum of; another value alone."""
    match value:
        case Operation(operator, operands) if operator == symbol:
            for operand in operands:
                yield from _each(symbol, operand)
        case Operation("floor_div", (dividend, divisor)):
            yield from (Operation("floor_div", (each, divisor)) for each in _each(symbol, dividend))
        case Operation("*", (Number(factor) as times, other)) if factor > 0:
            yield from (Operation("*", (times, each)) for each in _each(symbol, other))
        case Operation("+" | "-" as sign, (left, right)):
            second = _each(symbol if sign == "+" else _OTHER[symbol], right)
            yield from (Operation(sign, pair) for pair in product(_each(symbol, left), second))
        case _:
            yield value


def _never(names: tuple[str, ...], conditions: tuple[str, ...], context: isl.Set) -> bool:
    """Whether the conditions exclude each other; a name that is declared twice tells nothing."""
    if len(set(names)) < len(names):
        return False
    try:
        with budget(_STEPS):
            *known, last = conditions
            found = _set(names, tuple(known)).intersect(_set(names, (last,)))
            return bool(found.intersect_params(context).is_empty())
    except OutOfBudget:
        return False


@lru_cache(maxsize=16)
def _set(names: tuple[str, ...], conditions: tuple[str, ...]) -> isl.Set:
    conjunction = " and ".join(f"({condition})" for condition in conditions) or "true"
    return isl.Set(f"[{', '.join(names)}] -> {{ : {conjunction} }}", CONTEXT)


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
