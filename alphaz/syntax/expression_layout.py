"""Expressions as documents: parts first, in parentheses if they bind looser than their place requires."""

from collections.abc import Callable

from alphaz.syntax.layout import Document, sequence
from alphaz.syntax.precedence import level, operand_levels
from alphaz.syntax.tree import ExpressionNode
from alphaz.syntax.walk import parts


def expression_document(root: ExpressionNode, whole: Callable[[ExpressionNode, list[Document]], Document]) -> Document:
    """Returns the document. `whole` is a notation: a node from the documents of its parts. It does not recurse, so that
    the depth is not limited."""
    pending: list[tuple[ExpressionNode, bool]] = [(root, False)]
    done: list[Document] = []
    while pending:
        node, ready = pending.pop()
        below = parts(node)
        if not ready and below:
            pending.append((node, True))
            pending += [(each, False) for each in reversed(below)]
            continue
        documents = done[len(done) - len(below) :]
        del done[len(done) - len(below) :]
        done.append(whole(node, _parenthesised(node, below, documents)))
    return done[0]


def _parenthesised(
    node: ExpressionNode, below: tuple[ExpressionNode, ...], documents: list[Document]
) -> list[Document]:
    return [
        sequence("(", document, ")") if level(part) < needed else document
        for part, document, needed in zip(below, documents, operand_levels(node), strict=True)
    ]
