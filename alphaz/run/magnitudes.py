"""Bounds on the magnitudes of the values of a program for some inputs, for every order of computation.

The program is evaluated with magnitudes, which are at least 1, instead of values: differences are sums, a choice is
the greater branch. So a bound of a value also bounds all its operands, and each part of its sums and products. It is
infinite where an operation may leave its type: there the order of operations may matter, by overflow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import isinf

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.diagnostics import Rejected
from alphaz.model.expression import (
    Access,
    Binary,
    Call,
    Case,
    Compose,
    Constant,
    Expression,
    Facts,
    If,
    IndexValue,
    Nary,
    Reduce,
    Restrict,
    Unary,
)
from alphaz.model.interpreter import evaluate
from alphaz.model.program import Equation, External, Program, System, UseEquation
from alphaz.model.real_numbers import real_number
from alphaz.model.types import DOUBLE, SCALAR_TYPES, ScalarType, common_type
from alphaz.model.walk import children, rebuild, walk
from alphaz.poly import Domain

# A margin above the effect of rounding and reordering on a bound of floats.
_ROOM = 1e3
_LOGICAL = ("not", "and", "or", "xor", "nand")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class NoBound(Exception):
    """The program divides, or calls an unknown function: its values have no known bound."""


def greatest(type_: ScalarType) -> float:
    """Returns the largest magnitude that an operation in this type may have."""
    if type_.is_float:
        return float(np.finfo(type_.numpy).max) / _ROOM
    # Magnitudes of 64 bits are rounded.
    return float((1 << (type_.bits - type_.signed)) - 1) * (1.0 if type_.bits < 53 else 1 - 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class Magnitudes:
    """A program that computes with magnitudes."""

    program: Program
    facts: Facts

    def of(
        self, system: str, parameters: Mapping[str, int], inputs: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray] | None:
        """Returns bounds of the outputs for these inputs; None where there are none."""
        largest = {name: np.maximum(np.abs(array.astype(np.float64)), 1) for name, array in inputs.items()}
        try:
            with np.errstate(all="ignore"):
                return evaluate(self.program, self.facts, system, parameters, largest, _GUARDS)
        except Rejected:
            return None


def magnitudes(checked: Checked) -> Magnitudes:
    """Returns the program of magnitudes. Raises NoBound."""
    made = _MagnitudeProgram(checked.facts)
    systems = tuple(map(made.system, checked.program.systems))
    program = replace(checked.program, systems=systems, externals=tuple(_EXTERNALS))
    return Magnitudes(program, Facts(made.expression_domain, made.context_domain, made.types))


def _guard_name(type_: ScalarType) -> str:
    return f"within {type_}"


def _within(limit: float, value: float) -> float:
    """Returns the value, at least 1; infinite beyond the limit."""
    return max(value, 1.0) if value <= limit else float("inf")


def _truth(value: float) -> float:
    """Returns the magnitude of comparisons and of combinations of truth values."""
    return value if isinf(value) else 1.0


_TRUTH = "truth"
_GUARDS: Mapping[str, Callable[..., object]] = {
    **{_guard_name(type_): partial(_within, greatest(type_)) for type_ in SCALAR_TYPES.values()},
    _TRUTH: _truth,
}
_EXTERNALS = [External(name, DOUBLE, (DOUBLE,)) for name in _GUARDS]


@dataclass(slots=True, eq=False)
class _MagnitudeProgram:
    """The expressions of the new program, with their facts: the domains are those of the old ones."""

    old: Facts
    expression_domain: dict[Expression, Domain] = field(default_factory=dict)
    context_domain: dict[Expression, Domain] = field(default_factory=dict)
    types: dict[Expression, ScalarType] = field(default_factory=dict)

    def system(self, system: System) -> System:
        if system.loop is not None:
            raise NoBound
        types = {variable.name: variable.type for variable in system.variables}
        equations = tuple(self._equation(equation, types) for equation in system.equations)
        variables = tuple(replace(variable, type=DOUBLE) for variable in system.variables)
        return replace(system, variables=variables, equations=equations)

    def _equation(self, equation: Equation | UseEquation, types: Mapping[str, ScalarType]) -> Equation | UseEquation:
        if isinstance(equation, UseEquation):
            return replace(equation, inputs=tuple(map(self.bound, equation.inputs)))
        expression = self.bound(equation.expression)
        own = types[equation.variable]
        if self.old.types[equation.expression] != own:
            expression = self._guarded(equation.expression, expression, own)
        return replace(equation, expression=expression)

    def bound(self, node: Expression) -> Expression:
        match node:
            case Constant(value):
                return self._new(node, Constant(repr(max(abs(_number(value)), 1.0))))
            case IndexValue():
                self._keep(node)
                negated = self._new(node, replace(node, affine=-node.affine))
                return self._greater(node, [self._guarded(node, operand, DOUBLE) for operand in (node, negated)])
            case Access():
                return self._new(node, replace(node))
            case Compose() | Restrict() | Case():
                return self._new(node, rebuild(node, tuple(map(self.bound, children(node)))))
            case If():
                return self._choice(node)
            case Reduce():
                return self._reduction(node)
            case Unary() | Binary() | Nary():
                return self._operation(node, [self.bound(child) for child in children(node)])
        raise NoBound

    def _operation(self, node: Unary | Binary | Nary, operand_bounds: Sequence[Expression]) -> Expression:
        if node.operator in (*_LOGICAL, *_COMPARISONS):
            return self._new(node, Call(_TRUTH, (self._greater(node, operand_bounds),)))
        if node.operator in ("min", "max"):
            return self._greater(node, operand_bounds)
        if node.operator == "*":
            return self._guarded(node, self._new(node, Nary("*", tuple(operand_bounds))))
        if node.operator in ("+", "-"):
            whole = operand_bounds[0] if len(operand_bounds) == 1 else self._new(node, Nary("+", tuple(operand_bounds)))
            return self._guarded(node, whole)
        assert isinstance(node, Binary)
        if self.old.types[node].is_float:
            if not isinstance(node.right, Constant) or _number(node.right.value) == 0:
                raise NoBound
            inverse = self._new(node.right, Constant(repr(max(1 / abs(_number(node.right.value)), 1.0))))
            return self._guarded(node, self._new(node, Nary("*", (operand_bounds[0], inverse))))
        return self._guarded(node, self._greater(node, operand_bounds))

    def _choice(self, node: If) -> Expression:
        then, otherwise = self.bound(node.then), self.bound(node.otherwise)
        if not any(isinstance(part, Access | Call | Reduce) for part in walk(node.condition)):
            # The condition may keep a recursion inside its domain.
            self._keep(node.condition)
            return self._new(node, If(node.condition, then, otherwise))
        if any(map(self._compares_floats, walk(node.condition))):
            raise NoBound
        return self._greater(node, [self.bound(node.condition), then, otherwise])

    def _compares_floats(self, node: Expression) -> bool:
        """Returns True for comparisons of floats: the last bit may decide, so no bound applies."""
        if not isinstance(node, Binary) or node.operator not in _COMPARISONS:
            return False
        return common_type(self.old.types[node.left], self.old.types[node.right]).is_float

    def _reduction(self, node: Reduce) -> Expression:
        operator = {"min": "max", "and": "max", "or": "max", "xor": "max"}.get(node.operator, node.operator)
        if operator not in ("+", "*", "max"):
            raise NoBound
        return self._guarded(node, self._new(node, Reduce(operator, node.projection, self.bound(node.body))))

    def _greater(self, node: Expression, inside: Sequence[Expression]) -> Expression:
        return inside[0] if len(inside) == 1 else self._new(node, Nary("max", tuple(inside)))

    def _guarded(self, node: Expression, bound: Expression, type_: ScalarType | None = None) -> Expression:
        """Returns the bound of a value that is computed in a type, or stored."""
        return self._new(node, Call(_guard_name(type_ or self.old.types[node]), (bound,)))

    def _new(self, old: Expression, new: Expression) -> Expression:
        self.expression_domain[new] = self.old.expression_domain[old]
        self.context_domain[new] = self.old.context_domain[old]
        self.types[new] = DOUBLE
        return new

    def _keep(self, node: Expression) -> None:
        for part in walk(node):
            self.expression_domain[part] = self.old.expression_domain[part]
            self.context_domain[part] = self.old.context_domain[part]
            self.types[part] = self.old.types[part]


def _number(value: int | bool | str) -> float:
    return real_number(value) if isinstance(value, str) else float(value)
