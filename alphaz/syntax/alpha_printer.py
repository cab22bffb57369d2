"""Syntax trees -> text in the successor language (`*.alpha`), one style, in the grammar `grammar/alpha.lark`.

Types, which that language does not have, are written in lines `//@ type A, B = int`; `%` and calls of systems by
expressions with index names of their own have no counterpart, and the caller passes calls in point-free form."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, pairwise

from alphaz.syntax import tree
from alphaz.syntax.line_breaking import (
    Document,
    DocumentText,
    Indented,
    Newline,
    OfItsLine,
    breakable,
    expression_document,
    lay_out,
    separated,
    sequence,
)
from alphaz.syntax.tree import ExpressionNode

_WORDS = frozenset(
    (
        *("affine", "package", "import", "external", "constant", "define", "inputs", "outputs", "locals", "let"),
        *("over", "while", "when", "with", "as", "if", "then", "else", "case", "auto", "reduce", "argreduce", "val"),
        *("or", "xor", "and", "not", "min", "max", "true", "false", "floor", "mod", "fuzzy", "select", "conv"),
        *("cross", "domain", "range", "complement", "reverse", "intersectRange", "subtractRange"),
    )
)
_SIGNS = {"==": "=", "!=": "!="}
_REAL = "double"


Scalars = frozenset[str]
"""Variables without indices: in a context that has some, they are written `s[]`."""


class NotExpressible(Exception):
    """The construct has no counterpart in the successor language; the text names it."""


def print_bundle(program: tree.ProgramText) -> str:
    """Returns the whole file, with a final line end. Raises Unwritable."""
    blocks = ["\n".join(_external(external) for external in program.externals)] if program.externals else []
    blocks += [lay_out(_system(system)) for system in program.systems]
    return "\n\n".join(blocks) + "\n"


def _external(external: tree.ExternalNode) -> str:
    text = f"external {_word(external.name.text)}({len(external.arguments)})"
    types = ["" if argument is None else argument.text for argument in external.arguments]
    if {external.type.text, *types} <= {_REAL}:
        return text
    return f"{text}\n//@ type {external.name.text} = {external.type.text}({', '.join(types)})"


def _word(name: str) -> str:
    """The name, with `^` if it is reserved; text that is not a name in that language (2mm) is quoted."""
    if not name.isidentifier():
        return f"'{name}'"
    return f"^{name}" if name in _WORDS else name


def _names(names: Iterable[tree.Name]) -> str:
    return ",".join(_word(name.text) for name in names)


def _affine(text: tree.AffineText) -> str:
    signed = "".join(_term(term) for term in text.terms)
    return signed.removeprefix("+")


def _term(term: tree.Term) -> str:
    if term.name is None:
        return f"{term.coefficient:+d}"
    factor = {1: "+", -1: "-"}.get(term.coefficient, f"{term.coefficient:+d}")
    return factor + _word(term.name)


def _function(text: tree.FunctionText) -> str:
    return f"({_names(text.names)}->{','.join(map(_affine, text.outputs))})"


# --- sets ----------------------------------------------------------------------------------------------------------


def _condition(polyhedron: tree.Polyhedron) -> str:
    return " and ".join(text for chain in polyhedron.constraints for text in _chains(chain))


def _chains(chain: tree.Chain) -> Iterator[str]:
    """One chain or, with remainders of lists or `!=`, one comparison after the other."""
    lists = any(side.modulus is not None and len(side.affines) > 1 for side in chain.sides)
    if not lists and "!=" not in chain.operators:
        text = _side(chain.sides[0])
        for operator, side in zip(chain.operators, chain.sides[1:], strict=True):
            text += _SIGNS.get(operator, operator) + _side(side)
        yield text
        return
    for (left, right), operator in zip(pairwise(chain.sides), chain.operators, strict=True):
        for affine in left.affines:
            for other in right.affines:
                here, there = (_side(replace(s, affines=(a,))) for s, a in ((left, affine), (right, other)))
                sign = _SIGNS.get(operator, operator)
                yield f"({here}<{there} or {here}>{there})" if operator == "!=" else f"{here}{sign}{there}"


def _side(side: tree.Side) -> str:
    texts = ",".join(_affine(affine) for affine in side.affines)
    if side.modulus is None:
        return texts
    return f"{texts if len(side.affines[0].terms) == 1 else f'({texts})'} mod {side.modulus}"


def _set(text: tree.DomainText | None) -> str:
    """`{[i,j]: ..; [i,j]: ..}`; no dimensions at all: `{}`."""
    if text is None:
        return "{}"
    names = text.polyhedra[0].names
    pieces = [(_names(polyhedron.names or names), _condition(polyhedron)) for polyhedron in text.polyhedra]
    if pieces == [("", "")]:
        return "{}"
    return "{" + "; ".join(f"[{own}]: {condition}".rstrip() for own, condition in pieces) + "}"


def _restriction(text: tree.DomainText) -> str:
    """With the names in scope, `{: ..}`; with names of its own as in `_set`."""
    if text.polyhedra[0].names:
        return _set(text)
    return f"{{: {_alternatives(text)}}}"


def _alternatives(text: tree.DomainText) -> str:
    conditions = [_condition(polyhedron) for polyhedron in text.polyhedra]
    if len(conditions) == 1:
        return conditions[0]
    return (
        ""
        if "" in conditions
        else " or ".join(f"({condition})" if " and " in condition else condition for condition in conditions)
    )


# --- expressions ---------------------------------------------------------------------------------------------------


def _expression(root: ExpressionNode, scalars: Scalars) -> Document:
    return expression_document(root, lambda node, below: _whole(node, below, scalars))


def _whole(node: ExpressionNode, below: list[Document], scalars: Scalars) -> Document:
    match node:
        case tree.BinaryExpression("nand"):
            return sequence("not (", breakable(below[0], "and ", below[1]), ")")
        case tree.BinaryExpression("%"):
            raise NotExpressible("the remainder of two values, `%`")
        case tree.BinaryExpression(operator):
            return breakable(below[0], f"{_SIGNS.get(operator, operator)} ", below[1])
        case tree.UnaryExpression(operator):
            inside = sequence("(", below[0], ")") if _is_constant(node.operand) else below[0]
            return sequence("not " if operator == "not" else operator, inside)
        case tree.OperatorCall(operator):
            return sequence(f"{operator}(", separated(below), ")")
        case tree.FunctionCall(name):
            return sequence(f"{_word(name.text)}(", separated(below), ")")
        case tree.IfExpression():
            then = breakable(sequence("if ", below[0]), "then ", below[1])
            return breakable(then, "else ", below[2])
        case tree.RestrictExpression(domain):
            return breakable(f"{_restriction(domain)} :", below[0])
        case tree.CaseExpression():
            lines = [sequence(Newline(), branch, ";") for branch in below]
            return OfItsLine(sequence("case {", Indented(4, sequence(*lines)), Newline(), "}"))
        case tree.ComposeExpression(function):
            return sequence(f"{_function(function)}@", below[0])
        case tree.ReduceExpression(operator, projection):
            is_function = isinstance(projection, tree.FunctionText)
            over = _function(projection) if is_function else f"[{_names(projection)}]"  # type: ignore[arg-type]
            sign = operator if not operator.isidentifier() or operator in _WORDS else _word(operator)
            return sequence(breakable(f"reduce({sign}, {over},", below[0]), ")")
    return DocumentText(_leaf(node, scalars))


def _is_constant(node: ExpressionNode) -> bool:
    return isinstance(node, tree.IntegerLiteral | tree.RealLiteral | tree.BooleanLiteral | tree.ComposeExpression)


def _leaf(node: ExpressionNode, scalars: Scalars) -> str:
    match node:
        case tree.IntegerLiteral(value):
            return f"{value}[]"
        case tree.RealLiteral(text):
            if text.endswith("f"):
                raise NotExpressible(f"a number of type float, `{text}`")
            return f"{text}[]"
        case tree.BooleanLiteral(value):
            return "true[]" if value else "false[]"
        case tree.Reference(name, None):
            return f"{_word(name.text)}[]" if name.text in scalars else _word(name.text)
        case tree.Reference(name, indices) if indices is not None:
            return f"{_word(name.text)}[{','.join(map(_affine, indices))}]"
        case tree.IndexExpression(affine):
            return f"val[{_affine(affine)}]"
        case tree.ValExpression(names, affine):
            return f"val({_names(names)}->{_affine(affine)})"
    raise TypeError(type(node).__name__)


# --- systems -------------------------------------------------------------------------------------------------------


def _system(system: tree.SystemText) -> Document:
    declared = (*system.inputs, *system.outputs, *system.locals)
    bare = [
        declaration
        for declaration in declared
        if declaration.domain is None or not declaration.domain.polyhedra[0].names
    ]
    scalars = frozenset(name.text for declaration in bare for name in declaration.names)
    names = _names(system.parameters.polyhedra[0].names)
    head = f"affine {_word(system.name.text)} " + (f"[{names}] -> " if names else "")
    lines: list[Document] = [DocumentText(f"{head}{{: {_alternatives(system.parameters)}}}")]
    for line in _types(declared):
        lines.append(Indented(4, sequence(Newline(), line)))
    for keyword, group in (("inputs", system.inputs), ("outputs", system.outputs), ("locals", system.locals)):
        if group:
            lines += _section(keyword, [DocumentText(f"{_names(d.names)} : {_set(d.domain)}") for d in group])
    if system.loop is not None:
        condition = _expression(system.loop.condition, scalars)
        lines += [Newline(), breakable(f"over {_set(system.loop.domain)}", "while (", sequence(condition, ")"))]
    lines += _section("let", [_statement(equation, scalars) for equation in system.equations])
    return sequence(*lines, Newline(), ".")


def _section(keyword: str, items: list[Document]) -> list[Document]:
    return [Newline(), DocumentText(keyword), Indented(4, sequence(*(sequence(Newline(), item) for item in items)))]


def _types(declarations: Iterable[tree.Declaration]) -> Iterator[str]:
    """The types other than double, line by line."""
    typed = sorted((d.type.text, n.text) for d in declarations for n in d.names if d.type.text != _REAL)
    for type_, group in groupby(typed, key=lambda pair: pair[0]):
        yield f"//@ type {', '.join(name for _, name in group)} = {type_}"


def _statement(text: tree.EquationText | tree.UseText, scalars: Scalars) -> Document:
    if isinstance(text, tree.UseText):
        return _call(text, scalars)
    indices = f"[{_names(text.indices)}]" if text.indices else ""
    return sequence(breakable(f"{_word(text.name.text)}{indices} =", _expression(text.body, scalars)), ";")


def _call(use: tree.UseText, scalars: Scalars) -> Document:
    over = "" if use.extension is None else f"over {_set(use.extension)} : "
    parameters = ",".join(map(_affine, use.parameters))
    outputs = ", ".join(_word(output.text) for output in use.outputs)
    inputs = separated([_expression(input_, scalars) for input_ in use.inputs])
    head = f"{over}({outputs}) ="
    return breakable(head, sequence(f"{_word(use.system.text)}[{parameters}](", inputs, ");"))
