"""Programs: systems of affine recurrence equations over polyhedral domains."""

from dataclasses import dataclass, field
from enum import StrEnum

from alphaz.diagnostics import NOWHERE, Source, Span
from alphaz.model.expression import Expression
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Domain, Space, unlike


class Kind(StrEnum):
    INPUT = "input"
    OUTPUT = "output"
    LOCAL = "local"


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A function from the points of `domain` to values of `type`; a scalar has a domain without dimensions."""

    name: str
    kind: Kind
    type: ScalarType
    domain: Domain
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Equation:
    """`variable[indices] = expression`; the context space of the expression has `indices` as names.

    `named`: the left-hand side was written with its indices (array notation needs them)."""

    variable: str
    indices: tuple[str, ...]
    expression: Expression
    named: bool = True
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class UseEquation:
    """`use extension system[parameters](inputs) returns (outputs)`: one call for each point of the extension domain.

    `parameters` are over the caller's parameters and the extension's names. The context space of each input expression
    has the extension's names before those of the callee's input; outputs likewise."""

    extension: Domain
    system: str
    parameters: tuple[Affine, ...]
    inputs: tuple[Expression, ...]
    outputs: tuple[str, ...]
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class WhileLoop:
    """`over domain while condition`: checked, never executed."""

    domain: Domain
    condition: Expression
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class External:
    """A function written in C: its result type and its argument types (None if the program leaves one out).

    `identity` is the neutral element as C text if the function is used as a reduction operator, else None."""

    name: str
    type: ScalarType
    arguments: tuple[ScalarType | None, ...]
    identity: str | None = None
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """One affine system. `context` is the set of legal parameter values: a domain without dimensions."""

    name: str
    context: Domain
    variables: tuple[Variable, ...]
    equations: tuple[Equation | UseEquation, ...]
    loop: WhileLoop | None = None
    given: bool = True
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.context.space.parameters

    @property
    def inputs(self) -> tuple[Variable, ...]:
        return self._of(Kind.INPUT)

    @property
    def outputs(self) -> tuple[Variable, ...]:
        return self._of(Kind.OUTPUT)

    @property
    def locals(self) -> tuple[Variable, ...]:
        return self._of(Kind.LOCAL)

    def _of(self, kind: Kind) -> tuple[Variable, ...]:
        return tuple(v for v in self.variables if v.kind is kind)

    def variable(self, name: str) -> Variable:
        """Returns the variable of that name. Raises KeyError if there is none."""
        for variable in self.variables:
            if variable.name == name:
                return variable
        raise KeyError(name)

    def equation(self, name: str) -> Equation | UseEquation:
        """Returns the equation that defines the variable. Raises KeyError for an input."""
        for equation in self.equations:
            if name in defined_by(equation):
                return equation
        raise KeyError(name)

    def space(self, indices: tuple[str, ...]) -> Space:
        """Returns the space of these indices over the parameters of the system."""
        return Space(self.parameters, indices)


def defined_by(equation: Equation | UseEquation) -> tuple[str, ...]:
    """Returns the variables that an equation defines."""
    return (equation.variable,) if isinstance(equation, Equation) else equation.outputs


def input_names(parameters: tuple[str, ...], extension: tuple[str, ...], variable: Variable) -> tuple[str, ...]:
    """Returns the dimensions of the context space of an input expression: the extension's, then those of the callee's
    input."""
    return extension + unlike(variable.domain.space.names, parameters + extension)


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A whole file: its declared functions and its systems, in order."""

    source: Source
    externals: tuple[External, ...]
    systems: tuple[System, ...]

    def system(self, name: str) -> System:
        """Returns the system of that name. Raises KeyError if there is none."""
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    def external(self, name: str) -> External:
        """Returns the external function of that name. Raises KeyError if there is none."""
        for external in self.externals:
            if external.name == name:
                return external
        raise KeyError(name)
