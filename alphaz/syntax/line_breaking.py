"""Breaks lines of printed text: documents with possible breaks, and expressions with the parentheses that they need."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from alphaz.syntax.tree import (
    BinaryExpression,
    ComposeExpression,
    ExpressionNode,
    IfExpression,
    RestrictExpression,
    UnaryExpression,
    parts,
)


@dataclass(frozen=True, slots=True)
class DocumentText:
    text: str

    @property
    def width(self) -> float:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Break:
    """`flat` on the line; the end of the line if the `needed` characters after it do not fit."""

    needed: float
    flat: str = " "

    @property
    def width(self) -> float:
        return len(self.flat)


@dataclass(frozen=True, slots=True)
class Newline:
    """The end of the line, always."""

    @property
    def width(self) -> float:
        return inf


@dataclass(frozen=True, slots=True)
class DocumentSequence:
    """One document after the other; `width` is that of all of them on one line (infinite with a Newline)."""

    parts: tuple["Document", ...]
    width: float


@dataclass(frozen=True, slots=True)
class Indented:
    """A document whose lines are indented."""

    by: int
    body: "Document"

    @property
    def width(self) -> float:
        return self.body.width


@dataclass(frozen=True, slots=True)
class OfItsLine:
    """A document whose lines are indented as the one in which it begins."""

    body: "Document"

    @property
    def width(self) -> float:
        return self.body.width


Document = DocumentText | Break | Newline | DocumentSequence | Indented | OfItsLine


def sequence(*parts: Document | str) -> Document:
    """Returns the parts one after the other."""
    documents = tuple(DocumentText(part) if isinstance(part, str) else part for part in parts)
    return DocumentSequence(documents, sum(document.width for document in documents))


def breakable(before: Document | str, *behind: Document | str, flat: str = " ") -> Document:
    """Returns `before`, then the rest: on the same line if it fits, else on the next, indented."""
    rest = sequence(*behind)
    # A document that cannot be on one line (a case) begins on the current line.
    needed = 0 if rest.width == inf else rest.width
    return sequence(before, Indented(4, sequence(Break(needed, flat), rest)))


def separated(parts: list[Document], separator: str = ",") -> Document:
    """Returns `a, b, c`, broken after the separators if needed."""
    if not parts:
        return DocumentText("")
    documents: list[Document] = [parts[0]]
    for part in parts[1:]:
        documents += [DocumentText(separator), Break(part.width + len(separator)), part]
    return Indented(4, sequence(*documents))


def lay_out(document: Document, width: int = 100) -> str:
    """Returns the text, in lines of at most `width` characters if the breaks allow it; without a final line end."""
    lines: list[str] = []
    column = line = 0
    pending: list[tuple[int, Document]] = [(0, document)]
    while pending:
        indent, part = pending.pop()
        match part:
            case DocumentText(text):
                lines.append(text)
                column += len(text)
            case DocumentSequence(parts):
                pending += [(indent, part) for part in reversed(parts)]
            case Indented(by, body):
                pending.append((indent + by, body))
            case OfItsLine(body):
                pending.append((line, body))
            case Break(needed, flat) if column + len(flat) + needed <= width or column <= indent:
                lines.append(flat)
                column += len(flat)
            case _:
                lines.append("\n" + " " * indent)
                column = line = indent
    return "\n".join(line.rstrip() for line in "".join(lines).split("\n"))


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
            pending += [(part, False) for part in reversed(below)]
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


EXPRESSION = 0
_SIGNED = 8
TERM = 9

_INFIX = {
    operator: position
    for position, operators in enumerate(
        (
            ("or", "xor"),
            ("and", "nand"),
            ("==", "!=", "<", "<=", ">", ">="),
            ("+", "-"),
            ("%",),
            ("*", "/"),
            ("min", "max"),
        ),
        start=1,
    )
    for operator in operators
}


def level(expression: ExpressionNode) -> int:
    """Returns the precedence of the expression itself."""
    match expression:
        case IfExpression() | RestrictExpression():
            return EXPRESSION
        case BinaryExpression(operator):
            return _INFIX[operator]
        case UnaryExpression():
            return _SIGNED
        case _:
            return TERM


def operand_levels(expression: ExpressionNode) -> tuple[int, ...]:
    """Returns the least precedence of each part without parentheses, in the order of `parts`."""
    match expression:
        case BinaryExpression(operator):
            return (_INFIX[operator], _INFIX[operator] + 1)
        case UnaryExpression() | ComposeExpression():
            return (TERM,)
        case _:
            return (EXPRESSION,) * len(parts(expression))
