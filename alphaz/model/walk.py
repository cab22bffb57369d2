"""Walking expressions: `children` and `rebuild` are all that a traversal needs to know of the node types."""

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
)  # fmt: skip
from alphaz.poly import Domain

E = TypeVar("E", bound=Expression)


def children(node: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside, in the order of the text."""
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
    """The same node with other children (as many as it has); itself when they are the same."""
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
    """The node and everything inside it, outermost first, in the order of the text. Depth does not matter."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(reversed(children(here)))


def without_restricts(node: Expression) -> Expression:
    """What stands behind the restricts."""
    while isinstance(node, Restrict):
        node = node.body
    return node


def behind_restricts(node: Expression) -> tuple[Domain | None, Expression]:
    """What stands behind the restricts, and the intersection of their domains, if there is any."""
    domain: Domain | None = None
    while isinstance(node, Restrict):
        domain = node.domain if domain is None else domain & node.domain
        node = node.body
    return domain, node


def operands(node: Expression, operator: str) -> Iterator[Expression]:
    """What one operator combines, however it is put in parentheses; the node itself where it is no such operation."""
    if isinstance(node, Binary | Nary) and node.operator == operator:
        for child in children(node):
            yield from operands(child, operator)
    else:
        yield node


def copy(node: E) -> E:
    """A tree of new nodes, for a place where the same expression is to stand a second time."""
    match node:
        case Constant() | IndexValue() | Access():
            return replace(node)
    return rebuild(node, tuple(copy(child) for child in children(node)))
