"""Checks the form of the statements of a rank that the proof does not execute: constants, loops around moved values."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.printer import expression_text, statements_text
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.equivalence.ranks.rank_outline import RankOutline, flat

Statements = tuple[c.Statement, ...]

CONSTANT = c.Named("int64_t", const=True)
_PURE = frozenset({"max64", "min64", "floor_div", "ceil_div", "mod64"})


class UnexpectedText(Exception):
    """A text that is not the expected one; `at` is the place of the reason, where it is known."""

    def __init__(self, reason: str, at: c.SourcePlace | None = None) -> None:
        super().__init__(reason)
        self.at = at


def without_silence(body: Iterable[c.Statement]) -> Statements:
    """Returns the statements without those that only name something, so that compilers do not warn."""

    def visit(part: Part) -> Part | None:
        match part:
            case c.Function() | c.Block() | c.For() | c.While() if part.body is not None:
                return None if not any(map(_is_silent, part.body)) else replace(part, body=without_silence(part.body))
        return None

    return tuple(rebuilt(statement, visit) for statement in body if not _is_silent(statement))


def _is_silent(statement: c.Statement) -> bool:
    match statement:
        case c.Evaluate(c.Cast(type_, c.Name())):
            return type_ == c.VOID
    return False


def constants_of(function: c.Function, outline: RankOutline) -> tuple[dict[str, c.Expression], Statements]:
    """Returns the sizes and offsets of arrays with which a function begins, and the rest of its body."""
    body, constants = list(without_silence(function.body or ())), dict[str, c.Expression]()
    while body and isinstance(declared := body[0], c.Declare) and declared.value is not None and is_constant(declared):
        del body[0]
        known = {*outline.parameters, *flat(outline.own), *constants}
        if not c.names_used((c.Evaluate(declared.value),)) <= known:
            raise UnexpectedText(
                f"`{declared.name}` in `{function.name}` is no function of the parameters and the own places",
                declared.at,
            )
        constants[declared.name] = declared.value
    return constants, tuple(body)


def is_constant(declared: c.Declare) -> bool:
    return declared == c.Declare(CONSTANT, declared.name, declared.value)


def integers(node: c.Expression) -> tuple[c.Expression, ...]:
    """Returns the values of an array of constant integers of 64 bits that is written in place; none for others."""
    match node:
        case c.Compound(type_, c.Init(values)) if node == c.compound(type_, *(value for _, value in values)):
            return tuple(value for _, value in values) if type_ == c.Array(CONSTANT) else ()
    return ()


def check_control(
    body: Iterable[c.Statement], names: set[str], taken: set[str], is_leaf: Callable[[c.Statement], bool]
) -> None:
    """Raises UnexpectedText unless the statements are loops, conditions and constants of these names, around leaves.
    No declaration hides one of these names, or of the `taken` ones that leaves use.

    So the instances of the leaves, and their order, are functions of the names.
    """
    names = {*names}
    for statement in body:
        match statement:
            case _ if is_leaf(statement):
                continue
            case c.Declare(_, name, value) if is_constant(statement) and value is not None:
                check_pure(value, names)
                _check_new(name, names | taken)
                names.add(name)
            case c.Block(inner):
                check_control(inner, names, taken, is_leaf)
            case c.If(condition, then, otherwise):
                check_pure(condition, names)
                check_control(then, names, taken, is_leaf)
                check_control(otherwise, names, taken, is_leaf)
            case c.For((c.Declare(c.INT64, name, start),), test, (step,), inner) if start and test:
                _check_new(name, names | taken)
                check_pure(start, names)
                check_pure(test, {*names, name})
                check_pure(_increment(step, name), names)
                check_control(inner, {*names, name}, taken, is_leaf)
            case _:
                reason = f"a statement is not expected: {statements_text((statement,)).strip()}"
                raise UnexpectedText(reason, statement.at)


def _increment(step: c.Expression, name: str) -> c.Expression:
    match step:
        case c.Step("++", _, c.Name(iterator)) if iterator == name:
            return c.Literal("1")
        case c.Set("+=", c.Name(iterator)) if iterator == name:
            return step.value
    raise UnexpectedText(f"the loop over `{name}` does not add to its iterator alone", step.at)


def _check_new(name: str, known: set[str]) -> None:
    if name in known:
        raise UnexpectedText(f"`{name}` is declared where it has another meaning")


def is_pure(node: c.Expression, names: set[str], more: set[str] | None = None) -> bool:
    """Returns True if an expression is a function of these names; `more`: functions that it may call besides."""
    calls = {call.function for call in nodes(node, c.Call)}
    is_named = c.names_used((c.Evaluate(node),)) <= names
    return is_named and calls <= {*_PURE, *(more or ())} and not nodes(node, (c.Set, c.Step, c.Index, c.Member))


def check_pure(node: c.Expression, names: set[str], more: set[str] | None = None) -> None:
    """Raises UnexpectedText unless an integer is a function of these names."""
    if not is_pure(node, names, more):
        raise UnexpectedText(
            f"`{expression_text(node)}` is no function of the places of sender and receiver, and of the step", node.at
        )


MOST = 1 << 15
"""For numbers in sizes and bounds."""


def check_numbers(body: Iterable[Part]) -> None:
    """Raises UnexpectedText if an integer may overflow since the numbers in it, multiplied out, are too large: names
    are integers below 2^40.
    """
    factors = dict[str, int]()
    for node in nodes(tuple(body), (c.Declare, c.Binary)):
        match node:
            case c.Declare(_, name, value) if value is not None:
                factors[name] = max(factors.get(name, 1), _factor(value, factors))
            case c.Binary() if _factor(node, factors) > _MOST_MULTIPLIED:
                raise UnexpectedText(f"a number in `{expression_text(node)}` is too large", node.at)


_MOST_MULTIPLIED = 1 << 22


def _factor(node: c.Expression, factors: Mapping[str, int]) -> int:
    """Returns a number that, times 2^40, is no less than an integer that is a polynomial of one degree."""
    match node:
        case c.Literal(text):
            digits = text.rstrip("uUlL")
            return int(digits) if digits.isdecimal() else _MOST_MULTIPLIED + 1 if digits[:2].lower() == "0x" else 1
        case c.Name(name):
            return factors.get(name, 1)
        case c.Binary("<<"):
            return _MOST_MULTIPLIED + 1
        case c.Binary("+" | "-", left, right):
            return _factor(left, factors) + _factor(right, factors)
        case c.Binary("*", left, right):
            return _factor(left, factors) * _factor(right, factors)
        case c.Binary("/" | "%", inner) | c.Unary("-" | "+" | "~", inner) | c.Cast(_, inner):
            return _factor(inner, factors)
        case c.Ternary(_, one, other) | c.Call("max64" | "min64", (one, other)):
            return max(_factor(one, factors), _factor(other, factors))
    return 1


def is_truth(node: c.Expression) -> bool:
    """Returns True if an expression is 0 or 1, which an `int` holds."""
    match node:
        case c.Binary(operator):
            return operator in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
        case c.Unary("!") | c.Call("meets"):
            return True
    return False


def moved_cells(statement: c.Statement, moving: c.Function) -> tuple[c.Expression, c.Expression] | None:
    """Returns the cell that a statement packs, and the one that it unpacks into; None if it does not move a value."""
    match statement:
        case c.Evaluate(c.Call("move_element", (direction, buffer, at, pointer, c.SizeOf(c.Index() as cell)))) if (
            direction,
            buffer,
            at,
        ) == (c.Name("direction"), c.Name("buffer"), c.Unary("&", c.Name("at"))):
            received: c.Expression = cell
            match pointer:
                case c.Ternary(c.Binary("<", c.Name("direction"), c.Literal("0")), c.Cast() as ghost, own):
                    received, pointer = _pointed(ghost), own
            if _pointed(pointer) == cell and _element(cell, moving) == _element(received, moving):
                return cell, received
    return None


def _pointed(pointer: c.Expression) -> c.Expression:
    match pointer:
        case c.Cast(c.Pointer(c.VOID), c.Unary("&", c.Index() as cell)):
            return cell
    return c.ZERO


def _element(cell: c.Expression, moving: c.Function) -> c.Type | None:
    """Returns the type of a cell of an array that is a parameter; its subscript has no effect."""
    match cell:
        case c.Index(c.Name(array), subscript):
            types = {parameter.name: parameter.type for parameter in moving.parameters}
            calls = {call.function for call in nodes(subscript, c.Call)}
            match types.get(array):
                case c.Pointer((c.Scalar() | c.Named()) as to) if calls <= _PURE:
                    return replace(to, const=False) if not nodes(subscript, (c.Set, c.Step, c.Index)) else None
    return None


def message_body(function: c.Function, outline: RankOutline, ends: Iterable[str]) -> Statements:
    """Returns the loops of a function that moves values, around statements that move one each.

    The instances and their order depend on the parameters, the step and these ends of places alone: so sender and
    receiver, for which they are the same, move as many bytes, value by value. Raises UnexpectedText.
    """
    constants, body = constants_of(function, outline)
    if body[:1] != (c.Declare(c.INT64, "at", c.ZERO),) or body[-1:] != (c.Return(c.Name("at")),):
        raise UnexpectedText(f"`{function.name}` does not count the bytes that it moves", function.at)
    names = {*outline.parameters, *outline.steps, *ends}
    taken = {"at", *_PURE, *constants, *(parameter.name for parameter in function.parameters)}
    check_control(body[1:-1], names, taken, lambda statement: moved_cells(statement, function) is not None)
    return body[1:-1]


def is_simple(function: c.Function, type_: str) -> bool:
    """Returns True if a static function returns a value of a type, of parameters of this type, and has no effect."""
    wanted = c.Function(function.type, function.name, function.parameters, function.body, "static", function.comment)
    types = {getattr(t, "name", "") for t in (function.type, *(p.type for p in function.parameters))}
    match function.body:
        case (c.Return(value),) if value is not None:
            return function == wanted and types == {type_} and not nodes(value, (c.Set, c.Step, c.Index, c.Member))
    return False


def visited(statement: c.Statement) -> tuple[c.Expression, ...] | None:
    """Returns the step of a call that visits it; None for another statement."""
    match statement:
        case c.Evaluate(c.Call("visit", (c.Name("run"), *step))):
            is_pure = all(not nodes(value, (c.Set, c.Step, c.Index, c.Member)) for value in step)
            return tuple(step) if is_pure and {call.function for call in nodes(tuple(step), c.Call)} <= _PURE else None
    return None
