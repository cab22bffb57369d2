"""The syntax tree of a program: the text as written, with a span on every node, and its traversal."""

from dataclasses import dataclass, field

from alphaz.diagnostics import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """Any node of the tree."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier; a leading `^` is not part of it."""

    text: str


# --- affine things ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term(Node):
    """`coefficient` times the name, or the number alone; signs are folded into the coefficient."""

    coefficient: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class AffineText(Node):
    """A sum of terms, at least one."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Side(Node):
    """One side of a constraint: one affine expression, or a list over which the constraint distributes.

    With a `modulus` it is the remainder of each, in parentheses unless it is that of one term.
    """

    affines: tuple[AffineText, ...]
    parenthesised: bool = False
    modulus: int | None = None


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """`sides[0] operators[0] sides[1] operators[1] ...`, each operator one of == != < <= > >=."""

    sides: tuple[Side, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Polyhedron(Node):
    """`{names | constraints}`; no names means that they are inherited (or that there are none)."""

    names: tuple[Name, ...]
    constraints: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class DomainText(Node):
    """A union of polyhedra, at least one."""

    polyhedra: tuple[Polyhedron, ...]


@dataclass(frozen=True, slots=True)
class FunctionText(Node):
    """`(names -> outputs)`."""

    names: tuple[Name, ...]
    outputs: tuple[AffineText, ...]


# --- expressions -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExpressionNode(Node):
    """Any expression. Parentheses are not kept: the printer adds the necessary ones."""


@dataclass(frozen=True, slots=True)
class IntegerLiteral(ExpressionNode):
    value: int


@dataclass(frozen=True, slots=True)
class RealLiteral(ExpressionNode):
    """A real number, as written (`digits.digits`, with an `f` behind if it is a float)."""

    text: str


@dataclass(frozen=True, slots=True)
class BooleanLiteral(ExpressionNode):
    value: bool


@dataclass(frozen=True, slots=True)
class Reference(ExpressionNode):
    """`name[indices]`, or the bare name when `indices` is None."""

    name: Name
    indices: tuple[AffineText, ...] | None = None


@dataclass(frozen=True, slots=True)
class IndexExpression(ExpressionNode):
    """`[affine]`, an index value in array notation."""

    affine: AffineText


@dataclass(frozen=True, slots=True)
class ValExpression(ExpressionNode):
    """`val(names -> affine)`, an index value in point-free notation."""

    names: tuple[Name, ...]
    affine: AffineText


@dataclass(frozen=True, slots=True)
class ComposeExpression(ExpressionNode):
    """`function @ body`."""

    function: FunctionText
    body: ExpressionNode


@dataclass(frozen=True, slots=True)
class UnaryExpression(ExpressionNode):
    """`not` or `-`."""

    operator: str
    operand: ExpressionNode


@dataclass(frozen=True, slots=True)
class BinaryExpression(ExpressionNode):
    """An infix operator: or xor and nand == != < <= > >= + - % * / min max."""

    operator: str
    left: ExpressionNode
    right: ExpressionNode


@dataclass(frozen=True, slots=True)
class OperatorCall(ExpressionNode):
    """A prefix operator with two or more arguments: min max + * and or xor."""

    operator: str
    arguments: tuple[ExpressionNode, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall(ExpressionNode):
    """A call of an external function."""

    name: Name
    arguments: tuple[ExpressionNode, ...]


@dataclass(frozen=True, slots=True)
class IfExpression(ExpressionNode):
    condition: ExpressionNode
    then: ExpressionNode
    otherwise: ExpressionNode


@dataclass(frozen=True, slots=True)
class RestrictExpression(ExpressionNode):
    """`domain : body`. In the successor language the names of the domain replace those in scope (`replaces`)."""

    domain: DomainText
    body: ExpressionNode
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class AutoExpression(ExpressionNode):
    """`auto : body`, a branch of a case in the successor language: selected where no other branch is."""

    body: ExpressionNode


@dataclass(frozen=True, slots=True)
class CaseExpression(ExpressionNode):
    """`case branch; ... esac`, at least one branch."""

    branches: tuple[ExpressionNode, ...]


@dataclass(frozen=True, slots=True)
class ReduceExpression(ExpressionNode):
    """`reduce(operator, projection, body)`; a projection of names `[k]` adds them to the context.

    `operator` is one of + * min max and or xor, or the name of an external function.
    """

    operator: str
    projection: FunctionText | tuple[Name, ...]
    body: ExpressionNode


# --- equations, systems, programs ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """`unsigned`? int long longlong short char bool float double; as one text, `unsigned int`."""

    text: str


@dataclass(frozen=True, slots=True)
class ExternalNode(Node):
    """`type name(type, ...);`, where a place may be empty (`f(,double)`: None)."""

    type: TypeName
    name: Name
    arguments: tuple[TypeName | None, ...]


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`type a, b {domain};`; no domain means scalars."""

    type: TypeName
    names: tuple[Name, ...]
    domain: DomainText | None = None


@dataclass(frozen=True, slots=True)
class EquationText(Node):
    """`name[indices] = body`; `indices` is None if they are not written."""

    name: Name
    indices: tuple[Name, ...] | None
    body: ExpressionNode


@dataclass(frozen=True, slots=True)
class UseText(Node):
    """`use {extension} system[parameters](inputs) returns (outputs)`."""

    extension: DomainText | None
    system: Name
    parameters: tuple[AffineText, ...]
    inputs: tuple[ExpressionNode, ...]
    outputs: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class WhileText(Node):
    """`over domain while condition`."""

    domain: DomainText
    condition: ExpressionNode


@dataclass(frozen=True, slots=True)
class SystemText(Node):
    """One `affine` system; `given` is the family of keywords: given/returns/... or input/output/..."""

    name: Name
    parameters: DomainText
    inputs: tuple[Declaration, ...] = ()
    outputs: tuple[Declaration, ...] = ()
    locals: tuple[Declaration, ...] = ()
    loop: WhileText | None = None
    equations: tuple[EquationText | UseText, ...] = ()
    given: bool = False


@dataclass(frozen=True, slots=True)
class ProgramText(Node):
    """A whole file."""

    externals: tuple[ExternalNode, ...]
    systems: tuple[SystemText, ...]


def parts(expression: ExpressionNode) -> tuple[ExpressionNode, ...]:
    """Returns the subexpressions in the order of the text; none for a literal, a reference or an index value."""
    match expression:
        case BinaryExpression(_, left, right):
            return (left, right)
        case UnaryExpression(_, operand):
            return (operand,)
        case IfExpression(condition, then, otherwise):
            return (condition, then, otherwise)
        case OperatorCall(_, arguments) | FunctionCall(_, arguments):
            return arguments
        case CaseExpression(branches):
            return branches
        case AutoExpression(body):
            return (body,)
        case ComposeExpression(_, body) | RestrictExpression(_, body) | ReduceExpression(_, _, body):
            return (body,)
        case _:
            return ()
