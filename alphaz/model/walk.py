"""Traversal and equality of expressions: only `children` and `rebuild` depend on the kinds of nodes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    If,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)  # fmt: skip  # fmt: skip
from alphaz.poly import AffineFunction, Domain

E = TypeVar("E", bound=Expression)


def children(node: Expression) -> tuple[Expression, ...]:
    """Returns the direct subexpressions, in the order of the text."""
    match node:
        case Compose() | Restrict() | Reduce():
            return (node.body,)
        case Unary():
            return (node.operand,)
        case Binary():
            return (node.left, node.right)
        case Nary():
            return node.operands
        case Case():
            return node.branches
        case If():
            return (node.condition, node.then, node.otherwise)
        case Call():
            return node.arguments
    return ()


def rebuild(node: E, inside: tuple[Expression, ...]) -> E:
    """Returns the same node with other children (the same number); itself if they are identical."""
    if all(new is old for new, old in zip(inside, children(node), strict=True)):
        return node
    match node:
        case Compose() | Restrict() | Reduce():
            return replace(node, body=inside[0])
        case Unary():
            return replace(node, operand=inside[0])
        case Binary():
            return replace(node, left=inside[0], right=inside[1])
        case Nary():
            return replace(node, operands=inside)
        case Case():
            return replace(node, branches=inside)
        case If():
            return replace(node, condition=inside[0], then=inside[1], otherwise=inside[2])
        case Call():
            return replace(node, arguments=inside)
    raise TypeError(f"{type(node).__name__} has no children")


def walk(node: Expression) -> Iterator[Expression]:
    """Yields the node and all subexpressions, outermost first, in the order of the text. The depth is not limited."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(children(here)))


def reads(root: Expression) -> frozenset[str]:
    """Returns the variables that an expression reads."""
    return frozenset(node.variable for node in walk(root) if isinstance(node, Access))


def without_restricts(node: Expression) -> Expression:
    """Returns the expression under the restricts."""
    while isinstance(node, Restrict):
        node = node.body
    return node


def behind_restricts(node: Expression) -> tuple[Domain | None, Expression]:
    """Returns the expression under the restricts, and the intersection of their domains, if there are any."""
    domain: Domain | None = None
    while isinstance(node, Restrict):
        domain = node.domain if domain is None else domain & node.domain
        node = node.body
    return domain, node


def operands(node: Expression, operator: str) -> Iterator[Expression]:
    """Yields the operands of nested operations of one operator, however parenthesised; the node itself if it is another
    expression."""
    if isinstance(node, Binary | Nary) and node.operator == operator:
        for child in children(node):
            yield from operands(child, operator)
    else:
        yield node


def copy(node: E) -> E:
    """Returns a tree of new nodes, for a second occurrence of the same expression."""
    match node:
        case Constant() | IndexValue() | Access():
            return replace(node)
    return rebuild(node, tuple(copy(child) for child in children(node)))


Names = tuple[str, ...]


def has_same_form(one: Expression, names: Names, other: Expression, others: Names) -> bool:
    """Returns True if both have the same form, where the indices of their context spaces are named `names` and
    `others`.

    Indices are compared by position. Equal expressions have the same value at each point."""
    if type(one) is not type(other) or len(names) != len(others) or _label(one, names) != _label(other, others):
        return False
    if isinstance(one, Restrict) and isinstance(other, Restrict) and not one.domain.equals(other.domain):
        return False
    pairs = tuple(zip(children(one), children(other), strict=False))
    alike = len(children(one)) == len(children(other))
    return alike and all(has_same_form(a, _inner(one, names), b, _inner(other, others)) for a, b in pairs)


def _inner(node: Expression, names: Names) -> Names:
    """The indices inside the node."""
    match node:
        case Compose():
            return node.names
        case Reduce():
            return node.projection.domain.names
    return names


def _label(node: Expression, names: Names) -> object:
    """The parts of a node except its children and its domain, with indices by position."""
    match node:
        case Constant(value):
            return type(value), value
        case IndexValue(affine):
            return affine.rename(_places(names))
        case Access(variable, function):
            return variable, _outputs(function, names)
        case Compose(function):
            return _outputs(function, names)
        case Unary(operator) | Binary(operator) | Nary(operator):
            return operator
        case Call(name):
            return name
        case Reduce(operator, projection):
            return operator, _outputs(projection, projection.domain.names)
    return None


def _outputs(function: AffineFunction, names: Names) -> object:
    return tuple(output.rename(_places(names)) for output in function.outputs)


def _places(names: Names) -> dict[str, str]:
    return {name: f"#{position}" for position, name in enumerate(names)}
