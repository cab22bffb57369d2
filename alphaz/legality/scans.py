"""Scans of blocks: the values of lower places that a rank reads in their own step are prefixes of an associative
operator, so that no rank waits for the one before. Each rank combines the terms of its own places, MPI_Exscan combines
these totals, and the rank computes its values from the one before its first place.

    V[z] = case D: e; D': V[z - u] op t; .. esac       u: one index of V, 1 place, the same step

The order on a rank and the arrival of V[z - u] at the beginning of the step are those of a pipeline, for which the
mapping is proved. More is needed:

- the terms e and t are known before the step: they read values of earlier steps, and inputs;
- the points of D are the first of their lines, so that the prefix before a place is the combined total of all places
  below;
- other operations read no values of lower places on other ranks.

That the operator is associative, with its neutral element, is the promise of the user, as for reductions. Source:
distributed.md, Communication.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from alphaz.legality.obligations.communication import Ranks, ReceivedValue, not_before, ranks_of, remote_reads
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Access, Binary, Call, Case, Expression, Nary
from alphaz.model.program import External, Variable
from alphaz.model.types import BOOL, ScalarType
from alphaz.model.walk import reads, without_restricts
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances
from alphaz.order.read import Read
from alphaz.poly import Affine, AffineFunction, Domain, less, unlike
from alphaz.proof import is_empty_by_isl

# isl operations for one question; no clock, so that the generated text is the same everywhere.
_OPERATIONS = 1_000_000
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

    def has(self, read: Read) -> bool:
        """Returns True if the read is that of the value before."""
        return any(term.before is not None and term.before is read.reference for term in self.terms)


class _NoScan(Exception):
    """The values of lower places are no scan; the argument is the reason."""


def scans_of(table: OperationTable, externals: tuple[External, ...]) -> tuple[PrefixScan, ...] | str:
    """Returns the scans whose values are all that a rank reads of lower places; else the reason why there are none."""
    ranks = ranks_of(table)
    assert ranks is not None
    if any(band.first < ranks.distribution.position for band in ranks.distribution.bands):
        return "steps are tiles"
    received = [(read, writer) for read, writer in remote_reads(table) if _is_from_below(table, ranks, read, writer)]
    if not received:
        return "no operation reads a value of lower places"
    other = next((read for read, _ in received if read.reader.variable != read.variable), None)
    if other is not None:
        return f"{other.reader.name} reads {other.named} of lower places, and is no prefix of it"
    names = dict.fromkeys(read.variable for read, _ in received)
    try:
        scans = tuple(_scan(table.mapping, ranks, name, {e.name: e for e in externals}) for name in names)
        assert all(any(scan.has(read) for scan in scans) for read, _ in received), "terms do not read the variable"
        for scan in scans:
            _check_terms(table, ranks, scan)
    except _NoScan as reason:
        return str(reason)
    return scans


def _is_from_below(table: OperationTable, ranks: Ranks, read: Read, writer: StatementInstances) -> bool:
    """Returns True unless the value is never one of a lower place."""
    space, used = ReceivedValue.added(ViolationSpace(table.system), ("reader", "producer"), read, writer)
    lower, _ = ranks.sent(used.producer, [used.consumer])[0]
    return is_empty_by_isl(lambda: space.counterexamples((lower,)), _OPERATIONS, inf) is not True


def _scan(mapping: ResolvedMapping, ranks: Ranks, name: str, externals: dict[str, External]) -> PrefixScan:
    variable = mapping.system.variable(name)
    statements = [s for s in mapping.statements if s.variable == name]
    if len(statements) != 1 or statements[0].role is not Role.VALUE:
        raise _NoScan(f"{name} is accumulated, and read at higher places")
    (statement,) = statements
    assert statement.equation is not None
    branches = list(_branches(statement.equation.expression))
    parts = [_term(mapping, variable, branch, externals) for branch in branches]
    operators = {operator for operator, _ in parts if operator}
    if len(operators) != 1:
        raise _NoScan(f"{name} is combined by {len(operators)} operators: {', '.join(sorted(operators))}")
    terms = tuple(term for _, term in parts)
    indices = {_index(term.before, variable) for term in terms if term.before is not None}
    if len(indices) != 1:
        raise _NoScan(f"the values before those of {name} lie in several directions")
    (index,) = indices
    _check_dates(ranks, statement, index)
    for term in terms:
        if term.before is None and not _is_first(term.domain, variable.domain, index):
            raise _NoScan(f"{name} begins again in the middle of a line")
    return PrefixScan(variable=name, operator=operators.pop(), index=index, terms=terms)


def _branches(node: Expression) -> Iterator[Expression]:
    node = without_restricts(node)
    if isinstance(node, Case):
        for branch in node.branches:
            yield from _branches(branch)
    else:
        yield node


def _term(
    mapping: ResolvedMapping, variable: Variable, branch: Expression, externals: dict[str, External]
) -> tuple[str, ScanTerm]:
    """Returns the operator (none at the first point of a line) and the term of a branch."""
    domain, types = mapping.facts.context_domain[branch], mapping.facts.types
    if variable.name not in reads(branch):
        return "", ScanTerm(domain, branch)
    operator, before, term = _operands(variable, branch, externals)
    if before is None or term is None or variable.name in reads(term):
        raise _NoScan(f"{variable.name} is no prefix of an operator in all its branches")
    is_typed = types[branch] == variable.type and (operator in _LOGICAL) == (variable.type == BOOL)
    if operator in externals and not _combines(externals[operator], variable.type):
        raise _NoScan(f"{operator} has no neutral element, or does not combine values of type {variable.type}")
    if operator not in externals and not is_typed:
        raise _NoScan(f"{operator} does not combine values of type {variable.type}")
    return operator, ScanTerm(domain, term, before)


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
    moved = [at for at, difference in enumerate(differences) if difference != Affine()]
    if len(moved) != 1 or differences[moved[0]] != Affine(constant=1):
        raise _NoScan(f"{variable.name} reads a value of its own that is not the one before in one index")
    return moved[0]


def _check_dates(ranks: Ranks, statement: Statement, index: int) -> None:
    """Checks that the next value of a line is in the same step, at the next place."""
    name, position = statement.domain.space.names[index], ranks.distribution.position
    factors = [date.coefficient(name) for date in statement.dates[: position + 1]]
    if not statement.target.is_identity or factors != [0] * position + [1]:
        raise _NoScan(f"the next value of {statement.variable} is not at the next place, in the same step")


def _is_first(points: Domain, every: Domain, index: int) -> bool:
    """Returns True if the points have none before them in their lines."""
    names = points.space.names
    every = every.renamed(names)
    (before,) = unlike((f"{names[index]}0",), (*names, *points.space.parameters))
    outputs = tuple(Affine.name(before if at == index else name) for at, name in enumerate(names))
    both = points.space.with_names((*names, before))
    earlier = Domain.where(both, [less(Affine.name(before), Affine.name(names[index]))])
    return (points.embedded(both) & every.preimage(AffineFunction(both, outputs)) & earlier).is_empty()


def _check_terms(table: OperationTable, ranks: Ranks, scan: PrefixScan) -> None:
    """Checks that the terms read values of earlier steps alone."""
    for read, writer in remote_reads(table):
        is_of_term = read.reader.variable == scan.variable and not scan.has(read)
        if is_of_term and not _is_of_earlier_step(table, ranks, read, writer):
            raise _NoScan(f"a term of {scan.variable} reads {read.named} of the same step")


def _is_of_earlier_step(table: OperationTable, ranks: Ranks, read: Read, writer: StatementInstances) -> bool:
    space, used = ReceivedValue.added(ViolationSpace(table.system), ("reader", "producer"), read, writer)
    late = not_before(ranks.step(used.producer), ranks.step(used.consumer))
    return is_empty_by_isl(lambda: space.counterexamples(late), _OPERATIONS, inf) is True
