"""Scans of blocks: prefixes of an associative operator along the places, which MPI_Exscan gives to a rank, so that no
rank waits for the one before.

    V[z] = case D: e; D': V[z - u] op t; .. esac       u: one index of V, 1 place, the same step

This is the form of an equation; D13 (legality/obligations/prefix_scans.py) is about its operations. That the operator
is associative, with its neutral element, is the promise of the user, as for reductions. Source: distributed.md,
Communication.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.rules import NO_SCAN
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import CommunicationChoice
from alphaz.model.expression import Access, Binary, Call, Case, Expression, Facts, Nary, Restrict
from alphaz.model.program import External, System, Variable
from alphaz.model.types import BOOL, ScalarType
from alphaz.model.walk import reads
from alphaz.poly import Affine, Domain

_LOGICAL = ("and", "or", "xor")
_OPERATORS = ("+", "*", "min", "max", *_LOGICAL)


@dataclass(frozen=True, slots=True, eq=False)
class ScanTerm:
    """The term at the points of a domain; `before` is the read of the value that it is combined with, None at the first
    point of a line.
    """

    domain: Domain
    expression: Expression
    before: Access | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PrefixScan:
    """The prefixes `variable` of an operator; a line has all values of the index number `index`."""

    variable: str
    operator: str
    index: int
    terms: tuple[ScanTerm, ...]

    def has(self, access: Access | None) -> bool:
        """Returns True if the access reads the value before."""
        return access is not None and any(term.before is access for term in self.terms)

    @property
    def starts(self) -> Domain:
        """Returns the points that are combined with no value before them."""
        space = self.terms[0].domain.space
        result = Domain.empty(space)
        for term in self.terms:
            if term.before is None:
                result |= term.domain.renamed(space.names)
        return result


@dataclass(frozen=True, slots=True)
class ScanFault:
    """The reason why the values of a variable that reads itself are no scan, and its place."""

    reason: str
    span: Span


class _NoScan(Exception):
    """The values of a variable are no scan; the arguments are the reason and its place."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.fault = ScanFault(reason, span)


@dataclass(frozen=True, slots=True)
class ScanForms:
    """Recognises scans in the equations of a system; places are component `position` of the dates."""

    system: System
    facts: Facts
    externals: tuple[External, ...]
    position: int

    def scans(
        self, statements: Sequence[Statement], choice: CommunicationChoice
    ) -> tuple[tuple[PrefixScan, ...], dict[str, ScanFault]]:
        """Returns the scans, and the reasons why other variables that read themselves are none.

        Raises Rejected(AZ523) if there is no scan.
        """
        scans, faults = list[PrefixScan](), dict[str, ScanFault]()
        for statement in statements:
            equation = statement.equation
            if statement.role is not Role.VALUE or equation is None:
                continue
            if statement.variable in reads(equation.expression):
                try:
                    scans.append(self._scan(statement, equation.expression))
                except _NoScan as no_scan:
                    faults[statement.variable] = no_scan.fault
        if scans:
            return tuple(scans), faults
        fault = next(iter(faults.values()), None)
        here = (Label(choice.span, "a scan is asked for here"),)
        reason = f"no variable of {self.system.name} has prefixes of an operator: no equation reads its own variable"
        message, label = (reason, Label(choice.span)) if fault is None else (fault.reason, Label(fault.span))
        remedy = "leave setCommunication out: values of lower places then come in a pipeline"
        raise Rejected(Diagnostic(NO_SCAN, message, label, () if fault is None else here, help=remedy))

    def _scan(self, statement: Statement, expression: Expression) -> PrefixScan:
        name, variable = statement.variable, self.system.variable(statement.variable)
        parts = [self._term(variable, branch) for branch in _branches(expression)]
        operators = {operator for operator, _ in parts if operator}
        if len(operators) != 1:
            raise _NoScan(
                f"{name} is combined by {len(operators)} operators: {', '.join(sorted(operators))}", expression.span
            )
        terms = tuple(term for _, term in parts)
        read = [term.before for term in terms if term.before is not None]
        indices = {_index(before, variable) for before in read}
        if len(indices) != 1:
            raise _NoScan(f"the values before those of {name} lie in several directions", expression.span)
        (index,) = indices
        factors = [date.coefficient(statement.domain.space.names[index]) for date in statement.dates]
        if not statement.target.is_identity or factors[: self.position + 1] != [0] * self.position + [1]:
            raise _NoScan(f"the next value of {name} is not at the next place, in the same step", read[0].span)
        return PrefixScan(variable=name, operator=operators.pop(), index=index, terms=terms)

    def _term(self, variable: Variable, branch: Expression) -> tuple[str, ScanTerm]:
        """Returns the operator (none at the first point of a line) and the term of a branch."""
        domain, types = self.facts.context_domain[branch], self.facts.types
        if variable.name not in reads(branch):
            return "", ScanTerm(domain, branch)
        externals = {external.name: external for external in self.externals}
        operator, before, term = _operands(variable, branch, externals)
        if before is None or term is None or variable.name in reads(term):
            raise _NoScan(
                f"{variable.name} is no prefix of an operator: its form is `{variable.name}[..] op t`", branch.span
            )
        is_typed = types[branch] == variable.type and (operator in _LOGICAL) == (variable.type == BOOL)
        if operator in externals and not _combines(externals[operator], variable.type):
            reason = f"{operator} has no neutral element, or does not combine values of type {variable.type}"
            raise _NoScan(reason, branch.span)
        if operator not in externals and not is_typed:
            raise _NoScan(f"{operator} does not combine values of type {variable.type}", branch.span)
        return operator, ScanTerm(domain, term, before)


def _branches(node: Expression) -> Iterator[Expression]:
    match node:
        case Restrict(body=body):
            yield from _branches(body)
        case Case(branches=branches):
            for branch in branches:
                yield from _branches(branch)
        case _:
            yield node


def _operands(
    variable: Variable, branch: Expression, externals: dict[str, External]
) -> tuple[str, Access | None, Expression | None]:
    """Returns the operator, the read of the variable, and the other operand: the right one of a function."""
    match branch:
        case Call(function, (Access() as before, term)) if function in externals and before.variable == variable.name:
            return function, before, term
        case Binary(operator, left, right) | Nary(operator, (left, right)) if operator in _OPERATORS:
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Access) and one.variable == variable.name:
                    return operator, one, other
    return "", None, None


def _combines(external: External, type_: ScalarType) -> bool:
    return external.identity is not None and external.type == type_ and external.arguments == (type_, type_)


def _index(before: Access, variable: Variable) -> int:
    """Returns the index that is less by one in the read."""
    names = before.function.domain.names
    differences = [Affine.name(n) - x for n, x in zip(names, before.function.outputs, strict=True)]
    moved = [position for position, difference in enumerate(differences) if difference != Affine()]
    if len(moved) != 1 or differences[moved[0]] != Affine(constant=1):
        reason = f"{variable.name} reads a value of its own that is not the one before in one index"
        raise _NoScan(reason, before.span)
    return moved[0]
