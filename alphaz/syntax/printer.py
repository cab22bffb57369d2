"""Syntax tree -> text, in the usual style. The one printer of programs.

Parsing the printed text gives the tree again, and printing that gives the same text. There are only the parentheses
that the grammar needs. No function recurses, so that the depth is not limited."""

import re

from alphaz.syntax.line_breaking import (
    Break,
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
from alphaz.syntax.script_tree import print_script
from alphaz.syntax.tree import (
    AffineText,
    BinaryExpression,
    BooleanLiteral,
    CaseExpression,
    Chain,
    ComposeExpression,
    Declaration,
    DomainText,
    EquationText,
    ExpressionNode,
    ExternalNode,
    FunctionCall,
    FunctionText,
    IfExpression,
    IndexExpression,
    IntegerLiteral,
    Name,
    OperatorCall,
    Polyhedron,
    ProgramText,
    RealLiteral,
    ReduceExpression,
    Reference,
    RestrictExpression,
    Side,
    SystemText,
    Term,
    UnaryExpression,
    UseText,
    ValExpression,
)
from alphaz.syntax.words import FAMILY_OF_GIVEN, FAMILY_OF_INPUT, REDUCTION_OPERATORS, program_name

__all__ = [
    "print_affine",
    "print_declaration",
    "print_domain",
    "print_equation",
    "print_expression",
    "print_function",
    "print_program",
    "print_script",
]


def print_program(tree: ProgramText) -> str:
    """Returns the whole file, with a final line end."""
    blocks = ["\n".join(_external(external) for external in tree.externals)] if tree.externals else []
    blocks += [lay_out(_system(system)) for system in tree.systems]
    return "\n\n".join(blocks) + "\n"


def print_expression(tree: ExpressionNode) -> str:
    """Returns one expression; several lines if it contains a `case` or is long."""
    return lay_out(_expression(tree))


def print_equation(tree: EquationText | UseText) -> str:
    """Returns one equation, or one use equation."""
    return lay_out(_equation(tree))


def print_declaration(tree: Declaration) -> str:
    """Returns one declaration, without the keyword of its section."""
    return lay_out(_declaration(tree))


def print_domain(tree: DomainText) -> str:
    """Returns `{i,j | 0<=i<=j} || ...`, on one line."""
    return " || ".join(_polyhedron(polyhedron) for polyhedron in tree.polyhedra)


def print_function(tree: FunctionText) -> str:
    """Returns `(i,j->i+j,2)`."""
    return f"({_names(tree.names)}->{_affines(tree.outputs)})"


def print_affine(tree: AffineText) -> str:
    """Returns `2i-j+1`."""
    text = "".join(_term(term) for term in tree.terms)
    return text.removeprefix("+")


# --- affine things ---------------------------------------------------------------------------------------------


def _term(term: Term) -> str:
    sign = "-" if term.coefficient < 0 else "+"
    size = abs(term.coefficient)
    if term.name is None:
        return f"{sign}{size}"
    return f"{sign}{'' if size == 1 else size}{program_name(term.name)}"


def _affines(affines: tuple[AffineText, ...]) -> str:
    return ",".join(print_affine(affine) for affine in affines)


def _names(names: tuple[Name, ...]) -> str:
    return ",".join(program_name(name.text) for name in names)


def _side(side: Side) -> str:
    text = f"({_affines(side.affines)})" if side.parenthesised else _affines(side.affines)
    return text if side.modulus is None else f"{text}%{side.modulus}"


def _chain(chain: Chain) -> str:
    text = _side(chain.sides[0])
    for operator, side in zip(chain.operators, chain.sides[1:], strict=True):
        text += operator + _side(side)
    return text


def _polyhedron(polyhedron: Polyhedron) -> str:
    names = _names(polyhedron.names)
    constraints = " && ".join(_chain(constraint) for constraint in polyhedron.constraints)
    if not constraints:
        return f"{{{names}|}}"
    return f"{{{names} | {constraints}}}" if names else f"{{| {constraints}}}"


def _domain(domain: DomainText) -> Document:
    first, *others = [DocumentText(_polyhedron(polyhedron)) for polyhedron in domain.polyhedra]
    return sequence(first, *(Indented(4, sequence(Break(other.width + 3), "|| ", other)) for other in others))


# --- expressions -----------------------------------------------------------------------------------------------


def _expression(root: ExpressionNode) -> Document:
    return expression_document(root, _whole)


def _whole(node: ExpressionNode, below: list[Document]) -> Document:
    """The expression around its parts."""
    match node:
        case BinaryExpression(operator):
            return breakable(below[0], f"{operator} ", below[1])
        case UnaryExpression(operator):
            return sequence("not " if operator == "not" else operator, below[0])
        case OperatorCall(operator):
            return _call(operator, below)
        case FunctionCall(name):
            return _call(_callable_name(name), below)
        case IfExpression():
            then = breakable(sequence("if ", below[0]), "then ", below[1])
            return breakable(then, "else ", below[2])
        case RestrictExpression(domain):
            return breakable(sequence(_domain(domain), ":"), below[0])
        case CaseExpression():
            lines = [sequence(Newline(), branch, ";") for branch in below]
            return OfItsLine(sequence("case", Indented(4, sequence(*lines)), Newline(), "esac"))
        case ComposeExpression(function):
            return sequence(f"{print_function(function)}@", below[0])
        case ReduceExpression(operator, projection):
            over = print_function(projection) if isinstance(projection, FunctionText) else f"[{_names(projection)}]"
            sign = operator if operator in REDUCTION_OPERATORS else program_name(operator)
            return sequence(breakable(f"reduce({sign}, {over},", below[0]), ")")
        case _:
            return DocumentText(_leaf(node))


def _call(name: str, arguments: list[Document]) -> Document:
    return sequence(f"{name}(", separated(arguments), ")")


def _leaf(node: ExpressionNode) -> str:
    match node:
        case IntegerLiteral(value):
            return str(value)
        case RealLiteral(text):
            return text
        case BooleanLiteral(value):
            return "true" if value else "false"
        case Reference(name, None):
            return program_name(name.text)
        case Reference(name, indices) if indices is not None:
            return f"{program_name(name.text)}[{_affines(indices)}]"
        case IndexExpression(affine):
            return f"[{print_affine(affine)}]"
        case ValExpression(names, affine):
            return f"val({_names(names)}->{print_affine(affine)})"
        case _:
            raise TypeError(f"not an expression: {type(node).__name__}")


# --- systems ---------------------------------------------------------------------------------------------------


def _system_name(name: Name) -> str:
    """The name with `^` before each reserved word of `2if-max`."""
    return re.sub(r"[A-Za-z_][A-Za-z_0-9]*", lambda word: program_name(word[0]), name.text)


def _callable_name(name: Name) -> str:
    """A name before a parenthesis: `val(` would begin an index value."""
    return "^val" if name.text == "val" else program_name(name.text)


def _external(external: ExternalNode) -> str:
    arguments = ", ".join("" if argument is None else argument.text for argument in external.arguments)
    return f"{external.type.text} {_callable_name(external.name)}({arguments});"


def _declaration(declaration: Declaration) -> Document:
    names = ", ".join(program_name(name.text) for name in declaration.names)
    head = f"{declaration.type.text} {names}"
    if declaration.domain is None:
        return DocumentText(f"{head};")
    return sequence(f"{head} ", _domain(declaration.domain), ";")


def _equation(equation: EquationText | UseText) -> Document:
    if isinstance(equation, UseText):
        return _use(equation)
    indices = "" if equation.indices is None else f"[{_names(equation.indices)}]"
    return sequence(breakable(f"{program_name(equation.name.text)}{indices} =", _expression(equation.body)), ";")


def _use(use: UseText) -> Document:
    extension = "" if use.extension is None else f"{print_domain(use.extension)} "
    head = f"use {extension}{_system_name(use.system)}[{_affines(use.parameters)}]("
    inputs = separated([_expression(input_) for input_ in use.inputs])
    outputs = ", ".join(program_name(output.text) for output in use.outputs)
    return breakable(sequence(head, inputs, ")"), f"returns ({outputs});")


def _section(keyword: str, items: list[Document]) -> list[Document]:
    return [Newline(), DocumentText(keyword), Indented(4, sequence(*(sequence(Newline(), item) for item in items)))]


def _system(system: SystemText) -> Document:
    family = FAMILY_OF_GIVEN if system.given else FAMILY_OF_INPUT
    written_out: list[Document] = [sequence(f"affine {_system_name(system.name)} ", _domain(system.parameters))]
    declared = zip(family, (system.inputs, system.outputs, system.locals), strict=False)
    for keyword, declarations in declared:
        if declarations:
            written_out += _section(keyword, [_declaration(declaration) for declaration in declarations])
    if system.loop is not None:
        domain, condition = _domain(system.loop.domain), _expression(system.loop.condition)
        written_out += [Newline(), breakable(sequence("over ", domain), "while ", condition)]
    # The last keyword also determines the family, if no other one does.
    if system.equations or system.given:
        written_out += _section(family[3], [_equation(equation) for equation in system.equations])
    return sequence(*written_out, Newline(), ".")
