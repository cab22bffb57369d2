"""Folding of arithmetic."""

from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.tree import Block, For, If, Instance, Let, Node, inside, with_inside
from alphaz.poly.plain.integer import Number, simplified


@dataclass(frozen=True, slots=True)
class Fold:
    """Arithmetic of bounds, tests and indices is folded: `N - 1 + 1` is `N`, and a test that always has one answer is
    left out. Operations and order stay, and every number that is computed.
    """

    name: ClassVar[str] = "fold"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return _folded(with_inside(tree, [self(child) for child in inside(tree)]))


def _folded(node: Node) -> Node:
    match node:
        case For(first=first, bound=bound, step=step):
            return replace(node, first=simplified(first), bound=simplified(bound), step=simplified(step))
        case Let(value=value):
            return replace(node, value=simplified(value))
        case Instance(arguments=arguments):
            return replace(node, arguments=tuple(map(simplified, arguments)))
        case If(condition, then, otherwise):
            test = simplified(condition)
            if isinstance(test, Number):
                return (then if test.value else otherwise) or Block(())
            return replace(node, condition=test)
    return node
