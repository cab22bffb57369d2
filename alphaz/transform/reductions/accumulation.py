"""Accumulations: equations that combine a value of their own variable with a term, by one operator.

V[z] = case D_0: e_0; ...; D_1: V[f_1(z)] op e_1; ... esac      where no e reads V
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from alphaz.model.expression import Access, Binary, Case, Constant, Expression, Facts, Nary, Unary
from alphaz.model.program import Equation, Variable
from alphaz.model.real_numbers import real_number
from alphaz.model.types import BOOL, ScalarType
from alphaz.model.walk import reads, without_restricts
from alphaz.poly import AffineFunction, Domain
from alphaz.transform.engine.preconditions import joined_type
from alphaz.transform.reductions.serialize import IDENTITIES

_LOGICAL = ("and", "or", "xor")
_OPERATORS = ("+", "*", "min", "max", *_LOGICAL)


@dataclass(frozen=True, slots=True, eq=False)
class AccumulatedTerm:
    """The term of a branch on its domain; `step` maps to the point whose value it is added to, None for a first one."""

    domain: Domain
    expression: Expression | None
    step: AffineFunction | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Accumulation:
    operator: str
    terms: tuple[AccumulatedTerm, ...]

    @property
    def steps(self) -> tuple[tuple[Domain, AffineFunction], ...]:
        return tuple((term.domain, term.step) for term in self.terms if term.step is not None)


def accumulation_of(equation: Equation, variable: Variable, facts: Facts) -> Accumulation | None:
    """Returns the accumulation of an equation, if all its operations work in the type of the variable; None
    otherwise."""
    branches = [_term(branch, variable, facts) for branch in _branches(equation.expression)]
    parts = [part for part in branches if part is not None]
    operators = {operator for operator, _ in parts if operator is not None}
    if len(parts) < len(branches) or len(operators) != 1:
        return None
    (operator,) = operators
    if (operator in _LOGICAL) != (variable.type == BOOL):
        return None
    terms = tuple(term if term.step is not None else _first(operator, term) for _, term in parts)
    if not all(t.expression is None or t.step or _fits(facts.types[t.expression], variable.type) for t in terms):
        return None
    return Accumulation(operator, terms)


def _branches(node: Expression) -> Iterator[Expression]:
    if isinstance(node, Case):
        for branch in node.branches:
            yield from _branches(branch)
    else:
        yield node


def _term(branch: Expression, variable: Variable, facts: Facts) -> tuple[str | None, AccumulatedTerm] | None:
    branch = without_restricts(branch)
    domain = facts.context_domain[branch]
    if variable.name not in reads(branch):
        return None, AccumulatedTerm(domain, branch)
    peeled_term = _peel(branch, variable, facts)
    if peeled_term is None:
        return None
    operator, read, rest = peeled_term
    return operator, AccumulatedTerm(domain, rest, read.function)


def _first(operator: str, term: AccumulatedTerm) -> AccumulatedTerm:
    """The term without its expression if that is the neutral element, which adds nothing."""
    node = term.expression
    plain = isinstance(node, Constant) and operator in IDENTITIES and _number(node.value) == IDENTITIES[operator]
    return replace(term, expression=None) if plain else term


def _number(value: int | bool | str) -> float | bool:
    return real_number(value) if isinstance(value, str) else value


Peeled = tuple[str, Access, Expression]


def _peel(node: Expression, variable: Variable, facts: Facts) -> Peeled | None:
    """`V[f] op a op b ...` as op, the read, and `a op b ...`; the one operand that reads V may have any position."""
    match node:
        case Binary("-", left, right):
            return _less(node, left, right, variable, facts)
        case Binary(operator, left, right) if operator in _OPERATORS:
            return _peel_operands(operator, (left, right), variable, facts)
        case Nary(operator, operands) if operator in _OPERATORS:
            return _peel_operands(operator, operands, variable, facts)
    return None


def _peel_operands(operator: str, operands: tuple[Expression, ...], variable: Variable, facts: Facts) -> Peeled | None:
    inside = [o for o in operands if variable.name in reads(o)]
    others = [o for o in operands if o not in inside]
    if len(inside) != 1 or not others:
        return None
    (head,) = inside
    if not isinstance(head, Access):
        peeled = _peel(head, variable, facts)
        if peeled is None or peeled[0] != operator:
            return None
        _, head, rest = peeled
        others = [rest, *others]
    elif len(others) == 1:
        return (operator, head, others[0]) if _fits(facts.types[others[0]], variable.type) else None
    if any(o in facts.types and facts.types[o] != variable.type for o in others):
        return None
    result = others[0]
    for other in others[1:]:
        result = Binary(operator, result, other, span=other.span)
    return operator, head, result


def _less(node: Binary, left: Expression, right: Expression, variable: Variable, facts: Facts) -> Peeled | None:
    """`V[f] - b` adds -b."""
    if variable.name in reads(right) or facts.types[right] != variable.type:
        return None
    if isinstance(left, Access):
        return "+", left, Unary("-", right, span=node.span)
    rest = _peel(left, variable, facts)
    if rest is None or rest[0] != "+":
        return None
    return "+", rest[1], Binary("-", rest[2], right, span=node.span)


def _fits(term: ScalarType, accumulator: ScalarType) -> bool:
    """Returns True if a term is combined in the type of the accumulator."""
    return accumulator in (term, joined_type((term, accumulator)))
