"""Text -> the tree of a kernel. A syntax error is a finding with its place (AZ101)."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedEOF, UnexpectedInput, UnexpectedToken

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import SYNTAX
from alphaz.frontends.matrix.storage import PROPERTIES
from alphaz.frontends.matrix.tree import (
    Assignment,
    BinaryFormula,
    Direction,
    Expression,
    FormulaCall,
    FormulaOperator,
    KernelText,
    MatrixDeclaration,
    Negated,
    NumberFormula,
    OperandKind,
    Property,
    Transposed,
    TypeText,
    VariableFormula,
)
from alphaz.syntax.grammar_tables import lark_of

# A name before an unexpected word.
_LAST_WORD = re.compile(r"([A-Za-z_]\w*)\s*\Z")
# The name of a function before its parenthesis.
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(\Z")
_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# The first keyword of the declarations, at the place of the kernel's name.
_SECTION = re.compile(r"\s*(in|out|inout)\s+[A-Za-z_]\w*\s*[:,]")
_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "KIND": "`scalar`, `vector`, `matrix`",
    "TRANSPOSED": "`'`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES": "`*`",
    "OVER": "`/`",
    "UNDER": "`\\`",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "IN": "`in`",
    "OUT": "`out`",
    "INOUT": "`inout`",
    "ROW": "`row`",
    "COLUMN": "`column`",
}


def read_kernel(source: Source) -> KernelText:
    """Returns the kernel of a text. Raises Rejected (AZ101) at the first syntax error."""
    return _Builder(source).kernel(_parse_tree(source, "kernel"))


def read_assignments(source: Source) -> tuple[Assignment, ...]:
    """Returns consecutive assignments."""
    tree = _parse_tree(source, "body", 1)
    return tuple(_Builder(source, 1).assignment(subtree) for subtree in _trees(tree.children, "assignment"))


def read_type(source: Source) -> TypeText:
    """Returns a type: `row triangular(upper) matrix`."""
    return _Builder(source).type(_parse_tree(source, "type"))


@cache
def _grammar() -> Lark:
    return lark_of("matrix", parser="lalr", start=["kernel", "body", "type"], propagate_positions=True)


_WHOLE = {"kernel": "the kernel", "body": "the formulas", "type": "the type"}


def _parse_tree(source: Source, start: str, shift: int = 0) -> Tree[Token]:
    """The parse tree. `shift`: the text is put in braces first, the syntax of a body."""
    text = f"{{{source.text}}}" if shift else source.text
    try:
        return _grammar().parse(text, start=start)
    except UnexpectedInput as problem:
        raise Rejected(_finding(source, problem, _WHOLE[start], shift)) from None


def _finding(source: Source, problem: UnexpectedInput, whole: str, shift: int) -> Diagnostic:
    if isinstance(problem, UnexpectedToken):
        start, end = (at - shift for at in _ends(problem.token))
        message = f"unexpected `{problem.token}`"
    else:
        start = int(problem.pos_in_stream) - shift  # type: ignore[call-overload] # Lark always sets it
        end = start + 1
        message = f"`{source.text[start:end]}` is no part of {whole}"
    if isinstance(problem, UnexpectedEOF) or start >= len(source.text) or _is_end(problem):
        start = end = len(source.text)
        message = f"{whole} is incomplete here"
    wanted = sorted(getattr(problem, "accepts", None) or getattr(problem, "expected", None) or ())
    label, parentheses = Label(Span(source, start, end)), _parentheses(source.text[:start])
    first = _SECTION.match(_REMARK.sub(_blanks, source.text))
    if first is not None and whole == _WHOLE["kernel"]:
        remedy = f"a kernel begins with one: `NAME {first[1]} ..`"
        return Diagnostic(SYNTAX, "the kernel has no name", Label(Span(source, *first.span(1))), help=remedy)
    if source.text[start:end] == "^":
        remedy = "write `A \\ b` for `A^-1*b`, and a product for a power"
        return Diagnostic(SYNTAX, "formulas have no powers", label, help=remedy)
    called = _CALL.search(source.text, 0, parentheses[-1] + 1) if parentheses else None
    if called is not None and source.text[start:end] == "," and "RPAR" in wanted:
        remedy = (
            f"write `A \\ b` for `{called[1]}(A, b)`"
            if "solve" in called[1]
            else "the functions are `sqrt` and `norm2`"
        )
        return Diagnostic(SYNTAX, f"`{called[1]}` has two arguments, and functions take one", label, help=remedy)
    if parentheses and "RPAR" in wanted:
        opened = Span(source, parentheses[-1], parentheses[-1] + 1)
        return Diagnostic(SYNTAX, "a parenthesis is not closed", label, (Label(opened, "opened here"),), help="add `)`")
    if source.text[start:end] == ")" and not parentheses:
        return Diagnostic(SYNTAX, "unmatched `)`", label, help="leave it out, or open a parenthesis before")
    known = [_WORDS[terminal] for terminal in wanted if terminal in _WORDS]
    word = _LAST_WORD.search(source.text, 0, start) if "KIND" in wanted else None
    if word is not None and word[1] not in PROPERTIES:
        remedy = (
            did_you_mean(word[1], [*OperandKind, *PROPERTIES])
            or f"a type is {listing(OperandKind)}, as in `x : vector`"
        )
        return Diagnostic(SYNTAX, f"`{word[1]}` is no type", Label(Span(source, *word.span(1))), help=remedy)
    help_ = f"expected: {', '.join(known)}" if known else None
    return Diagnostic(SYNTAX, message, label, help=help_)


def _parentheses(text: str) -> list[int]:
    """The places of the parentheses that are open at the end of a text."""
    parentheses: list[int] = []
    for position, letter in enumerate(_REMARK.sub(_blanks, text)):
        if letter == "(":
            parentheses.append(position)
        elif letter == ")" and parentheses:
            parentheses.pop()
    return parentheses


def _blanks(match_: re.Match[str]) -> str:
    return " " * len(match_[0])


def _is_end(problem: UnexpectedInput) -> bool:
    return isinstance(problem, UnexpectedToken) and problem.token.type == "$END"


class _Builder:
    """Trees of Lark -> trees of kernels; `shift` is the offset of the text in the parsed string."""

    def __init__(self, source: Source, shift: int = 0) -> None:
        self._source, self._shift = source, shift

    def _span(self, node: Any) -> Span:
        start, end = _ends(node)
        return Span(self._source, start - self._shift, end - self._shift)

    def kernel(self, tree: Tree[Token]) -> KernelText:
        name, *rest = tree.children
        assert isinstance(name, Token)
        declared = [declared for s in _trees(rest, "section") for declared in self._section(s)]
        (body,) = _trees(rest, "body")
        assignments = [self.assignment(tree) for tree in _trees(body.children, "assignment")]
        return KernelText(str(name), tuple(declared), tuple(assignments), self._span(name))

    def _section(self, tree: Tree[Token]) -> Iterator[MatrixDeclaration]:
        way = Direction(str(tree.children[0]))
        waiting: list[Token] = []
        for declared in _trees(tree.children, "declared"):
            name, type_ = declared.children
            assert isinstance(name, Token)
            waiting.append(name)
            if isinstance(type_, Tree):
                known = self.type(type_)
                yield from (MatrixDeclaration(str(n), way, known, self._span(n)) for n in waiting)
                waiting.clear()
        if waiting:
            label = Label(self._span(waiting[0]), "has no type")
            help_ = "write one after a colon, as in `x : vector`; names before a typed one share its type"
            raise Rejected(Diagnostic(SYNTAX, f"`{waiting[0]}` is declared without a type", label, help=help_))

    def type(self, tree: Tree[Token]) -> TypeText:
        (kind,) = (child for child in tree.children if isinstance(child, Token))
        properties = tuple(self._property(subtree) for subtree in _trees(tree.children, "property"))
        return TypeText(OperandKind(str(kind)), properties, self._span(tree))

    def _property(self, tree: Tree[Token]) -> Property:
        name = next(child for child in tree.children if isinstance(child, Token))
        arguments = tuple(str(subtree.children[0]) for subtree in _trees(tree.children, "argument"))
        return Property(str(name), arguments, self._span(tree))

    def assignment(self, tree: Tree[Token]) -> Assignment:
        target, value = tree.children
        return Assignment(str(target), self.expression(value), self._span(target))

    def expression(self, tree: Any) -> Expression:
        span, children = self._span(tree), tree.children
        match tree.data:
            case "variable":
                return VariableFormula(str(children[0]), span)
            case "number":
                return NumberFormula(str(children[0]), span)
            case "transposed":
                return Transposed(self.expression(children[0]), span)
            case "negated":
                return Negated(self.expression(children[1]), span)
            case "call":
                return FormulaCall(str(children[0]), self.expression(children[1]), span)
        left, operator, right = children
        return BinaryFormula(FormulaOperator(str(operator)), self.expression(left), self.expression(right), span)


def _trees(children: Sequence[Any], data: str) -> Iterator[Tree[Token]]:
    return (child for child in children if isinstance(child, Tree) and child.data == data)


def _ends(node: Any) -> tuple[int, int]:
    if isinstance(node, Token):
        return node.start_pos or 0, node.end_pos or 0
    return node.meta.start_pos, node.meta.end_pos
