"""The tree of a kernel: the text as written, with a span on every node."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Span


class Direction(StrEnum):
    """The direction of a variable: input, output, or both."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class OperandKind(StrEnum):
    SCALAR = "scalar"
    VECTOR = "vector"
    MATRIX = "matrix"


class FormulaOperator(StrEnum):
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    SOLVE = "\\"


@dataclass(frozen=True, slots=True)
class Property:
    """`row`, `triangular(upper, unit)`, `band(2, KU)`."""

    name: str
    arguments: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TypeText:
    kind: OperandKind
    properties: tuple[Property, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class MatrixDeclaration:
    name: str
    way: Direction
    type: TypeText
    span: Span


@dataclass(frozen=True, slots=True)
class VariableFormula:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class NumberFormula:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Transposed:
    body: "Expression"
    span: Span


@dataclass(frozen=True, slots=True)
class Negated:
    body: "Expression"
    span: Span


@dataclass(frozen=True, slots=True)
class FormulaCall:
    """`sqrt(e)`, `norm2(e)`."""

    function: str
    argument: "Expression"
    span: Span


@dataclass(frozen=True, slots=True)
class BinaryFormula:
    operator: FormulaOperator
    left: "Expression"
    right: "Expression"
    span: Span


Expression = VariableFormula | NumberFormula | Transposed | Negated | FormulaCall | BinaryFormula


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target = value`; the span is that of the target."""

    target: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class KernelText:
    """A kernel. `results` are outputs without a declaration: their types are those of their values."""

    name: str
    declarations: tuple[MatrixDeclaration, ...]
    assignments: tuple[Assignment, ...]
    span: Span
    results: frozenset[str] = frozenset()
