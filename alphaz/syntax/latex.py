"""Syntax tree -> LaTeX, in the usual style of systems of recurrence equations; within the commands of MathJax and
KaTeX.

Indices are subscripts, a case has its conditions to the right, a reduction is a big operator with its conditions below.
"""

from collections.abc import Iterable, Sequence

from alphaz.syntax.line_breaking import level, operand_levels
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
    UnaryExpression,
    UseText,
    ValExpression,
    parts,
)

_RELATIONS = {"==": "=", "!=": r"\neq", "<=": r"\leq", ">=": r"\geq", "<": "<", ">": ">"}
_INFIX = {
    **_RELATIONS, "+": "+", "-": "-", "*": r"\cdot", "%": r"\bmod",
    "and": r"\land", "or": r"\lor", "xor": r"\oplus", "nand": r"\barwedge",
}  # fmt: skip
_BIG = {
    "+": r"\sum", "*": r"\prod", "min": r"\min", "max": r"\max",
    "and": r"\bigwedge", "or": r"\bigvee", "xor": r"\bigoplus",
}  # fmt: skip
_EXTREMES = frozenset({"min", "max"})


def program_latex(tree: ProgramText) -> str:
    """Returns one display with the systems below each other."""
    lines = r" \\[1.5ex] ".join(_system(system) for system in tree.systems)
    return rf"$$\begin{{aligned}} {lines} \end{{aligned}}$$"


def expression_latex(node: ExpressionNode) -> str:
    """Returns one expression, without dollars."""
    match node:
        case BinaryExpression():
            return _infix(node)
        case UnaryExpression(operator, operand):
            sign = r"\lnot " if operator == "not" else "-"
            return sign + _parenthesised(operand, operand_levels(node)[0])
        case OperatorCall(operator, arguments) if operator in _EXTREMES:
            return _call_latex(rf"\{operator}", arguments)
        case OperatorCall(operator, arguments):
            return rf"\left({f' {_INFIX[operator]} '.join(map(_operand, arguments))}\right)"
        case FunctionCall(name, arguments):
            return _call_latex(rf"\operatorname{{{_escaped(name.text)}}}", arguments)
        case IfExpression(condition, then, otherwise):
            first = expression_latex(then), rf"\text{{if }} {expression_latex(condition)}"
            return _cases([first, (expression_latex(otherwise), r"\text{otherwise}")])
        case CaseExpression(branches):
            return _cases([_branch(branch) for branch in branches])
        case RestrictExpression(domain, body):
            return rf"\left.{expression_latex(body)}\right|_{{{_conditions(domain)}}}"
        case ComposeExpression(function, body):
            return rf"{_operand(body)} \circ {_function(function)}"
        case ReduceExpression():
            return _reduction(node)
    return _leaf(node)


def _infix(node: BinaryExpression) -> str:
    operator, left, right = node.operator, node.left, node.right
    if operator == "/":
        return rf"\dfrac{{{expression_latex(left)}}}{{{expression_latex(right)}}}"
    if operator in _EXTREMES:
        return _call_latex(rf"\{operator}", (left, right))
    first, second = operand_levels(node)
    one = _operand(left) if _is_open(left) else _parenthesised(left, first)
    two = _operand(right) if operator in ("*", "%") and _is_open(right) else _parenthesised(right, second)
    return f"{one} {_INFIX[operator]} {two}"


def _is_open(node: ExpressionNode) -> bool:
    """Returns True if a following operand would seem to belong to a big operator, or to a case, at its end."""
    match node:
        case ReduceExpression() | CaseExpression():
            return True
        case BinaryExpression(operator, _, right):
            return operator not in {"/", *_EXTREMES} and _is_open(right)
        case UnaryExpression(_, operand):
            return _is_open(operand)
    return False


def _parenthesised(part: ExpressionNode, least: int) -> str:
    """The part in parentheses if it binds looser than its place requires; a fraction and a call of min never need
    any."""
    closed = isinstance(part, BinaryExpression) and part.operator in {"/", *_EXTREMES}
    return expression_latex(part) if closed or level(part) >= least else _operand(part)


def _call_latex(name: str, arguments: Sequence[ExpressionNode]) -> str:
    return rf"{name}\left({', '.join(map(expression_latex, arguments))}\right)"


def _operand(node: ExpressionNode) -> str:
    """The operand in parentheses unless it is a single symbol."""
    text = expression_latex(node)
    return text if not parts(node) else rf"\left({text}\right)"


def _branch(branch: ExpressionNode) -> tuple[str, str]:
    if isinstance(branch, RestrictExpression):
        return expression_latex(branch.body), rf"\text{{if }} {_conditions(branch.domain)}"
    return expression_latex(branch), r"\text{where defined}"


def _cases(branches: Iterable[tuple[str, str]]) -> str:
    rows = r" \\ ".join(f"{value} & {condition}" for value, condition in branches)
    return rf"\begin{{cases}} {rows} \end{{cases}}"


def _reduction(node: ReduceExpression) -> str:
    big = _BIG.get(node.operator, rf"\operatorname*{{{_escaped(node.operator)}}}")
    over = _function(node.projection) if isinstance(node.projection, FunctionText) else _names(node.projection)
    body, rows = node.body, [over]
    if isinstance(body, RestrictExpression):
        rows.append(_conditions(body.domain))
        body = body.body
    below = over if len(rows) == 1 else rf"\substack{{{rows[0]} \\ {rows[1]}}}"
    text = expression_latex(body)
    loose = isinstance(body, BinaryExpression) and body.operator not in {"*", "/", *_EXTREMES}
    return rf"{big}\limits_{{{below}}} " + (rf"\left({text}\right)" if loose else text)


def _leaf(node: ExpressionNode) -> str:
    match node:
        case IntegerLiteral(value):
            return str(value)
        case RealLiteral(text):
            return text
        case BooleanLiteral(value):
            return rf"\text{{{'true' if value else 'false'}}}"
        case Reference(name, indices):
            return _name(name.text) + (f"_{{{_affines(indices)}}}" if indices else "")
        case IndexExpression(affine):
            return _affine(affine)
        case ValExpression(names, affine):
            return rf"\left({_names(names)} \mapsto {_affine(affine)}\right)"
    raise TypeError(f"not an expression: {type(node).__name__}")


# --- affine things ----------------------------------------------------------------------------------------------------


def _name(text: str) -> str:
    """A single letter in math style, words in italics."""
    return text if len(text) == 1 and text != "_" else rf"\mathit{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")


def _names(names: Sequence[Name]) -> str:
    return ", ".join(_name(name.text) for name in names)


def _affine(affine: AffineText) -> str:
    text = ""
    for term in affine.terms:
        size = abs(term.coefficient)
        number = "" if size == 1 and term.name is not None else str(size)
        text += ("-" if term.coefficient < 0 else "+") + number + ("" if term.name is None else _name(term.name))
    return text.removeprefix("+")


def _affines(affines: Iterable[AffineText]) -> str:
    return ",".join(map(_affine, affines))


def _function(function: FunctionText) -> str:
    return rf"\left({_names(function.names)} \mapsto {_affines(function.outputs)}\right)"


def _side(side: Side) -> str:
    text = _affines(side.affines)
    text = f"({text})" if side.parenthesised else text
    return text if side.modulus is None else rf"{text} \bmod {side.modulus}"


def _chain(chain: Chain) -> str:
    text = _side(chain.sides[0])
    for operator, side in zip(chain.operators, chain.sides[1:], strict=True):
        text += f" {_RELATIONS[operator]} {_side(side)}"
    return text


def _constraints(polyhedron: Polyhedron) -> str:
    return r" \land ".join(map(_chain, polyhedron.constraints)) or r"\text{true}"


def _conditions(domain: DomainText) -> str:
    return r" \lor ".join(map(_constraints, domain.polyhedra))


def _set(polyhedron: Polyhedron) -> str:
    names = _names(polyhedron.names)
    point = f"({names})" if len(polyhedron.names) > 1 else names
    if not polyhedron.constraints:
        return rf"\left\{{{point}\right\}}"
    return rf"\left\{{{point} \mid {_constraints(polyhedron)}\right\}}"


def _sets(domain: DomainText) -> str:
    return r" \cup ".join(map(_set, domain.polyhedra))


# --- systems ----------------------------------------------------------------------------------------------------------


def _system(system: SystemText) -> str:
    rows = [rf"& \textbf{{{_escaped(system.name.text)}}} \quad {_sets(system.parameters)}"]
    for what, declarations in (("input", system.inputs), ("output", system.outputs), ("local", system.locals)):
        rows += [rf"& \text{{{what} }} {_declaration(declaration)}" for declaration in declarations]
    if system.loop is not None:
        condition = expression_latex(system.loop.condition)
        rows.append(rf"& \text{{over }} {_sets(system.loop.domain)} \text{{ while }} {condition}")
    rows += [f"& {_equation(equation)}" for equation in system.equations]
    return r" \\ ".join(rows)


def _declaration(declaration: Declaration) -> str:
    kind = rf"\mathtt{{{declaration.type.text.replace(' ', '~')}}}"
    if declaration.domain is None:
        return rf"{_names(declaration.names)} : {kind}"
    return rf"{_names(declaration.names)} : {_sets(declaration.domain)} \to {kind}"


def _equation(equation: EquationText | UseText) -> str:
    if isinstance(equation, UseText):
        return _use(equation)
    indices = f"_{{{_names(equation.indices)}}}" if equation.indices else ""
    return f"{_name(equation.name.text)}{indices} = {expression_latex(equation.body)}"


def _use(use: UseText) -> str:
    inputs = ", ".join(map(expression_latex, use.inputs))
    called = rf"\textbf{{{_escaped(use.system.text)}}}_{{{_affines(use.parameters)}}}\left({inputs}\right)"
    where = "" if use.extension is None else rf" \qquad {_sets(use.extension)}"
    return rf"\left({_names(use.outputs)}\right) = {called}{where}"
