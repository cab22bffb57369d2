"""The tree of a kernel: what was written, with a span on every node."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Span


class Way(StrEnum):
    """How a variable passes through a kernel."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class Kind(StrEnum):
    SCALAR = "scalar"
    VECTOR = "vector"
    MATRIX = "matrix"


class Operator(StrEnum):
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"


@dataclass(frozen=True, slots=True)
class Property:
    """`row`, `triangular(upper, unit)`, `band(2, KU)`."""

    name: str
    arguments: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TypeText:
    kind: Kind
    properties: tuple[Property, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Declared:
    name: str
    way: Way
    type: TypeText
    span: Span


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
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
class Call:
    """`sqrt(e)`, `norm2(e)`."""

    function: str
    argument: "Expression"
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    operator: Operator
    left: "Expression"
    right: "Expression"
    span: Span


Expression = Variable | Number | Transposed | Negated | Call | Binary


@dataclass(frozen=True, slots=True)
class Assignment:
    """`target = value`; the span is that of the target."""

    target: str
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class KernelText:
    """`results` are names that go out without a declaration: their types are those of what they get."""

    name: str
    declarations: tuple[Declared, ...]
    assignments: tuple[Assignment, ...]
    span: Span
    results: frozenset[str] = frozenset()
