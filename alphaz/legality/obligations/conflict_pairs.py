"""Conflict pairs: one value is written while the other is needed, or the writes of both are unordered.

If both values had one cell, that would violate M1 to M3, or M4. This module does not use cells: `memory` states that
no conflict pair shares a cell, `conflicts` collects all conflict pairs. Source: verifier.md section 3.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import Phase, StatementInstances, SymbolicInstance
from alphaz.order.precedence import Conjunction, Order, differences, smaller
from alphaz.poly import Affine

Alternatives = Sequence[Sequence[Conjunction]]

NOTHING_YET = "what the start leaves there is never accumulated into"


@dataclass(frozen=True, slots=True, eq=False)
class StoredElement:
    """`variable[index]`; the index is over the names of a violation space."""

    variable: str
    index: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ConflictPair:
    """Two values `one` and `other` that may not have one cell at the points of `violation_space` at which one
    conjunction of each of `alternatives(order)` holds. `occurrences` are the participating operations, by role.
    """

    one: StoredElement
    other: StoredElement
    violation_space: ViolationSpace
    alternatives: Callable[[Order], Alternatives]
    occurrences: tuple[tuple[str, SymbolicInstance], ...]

    def occurrence(self, role: str) -> SymbolicInstance:
        return dict(self.occurrences)[role]


def is_atomic(read: Read, writer: StatementInstances) -> bool:
    """Returns True if an operation that reads and writes has read everything before it writes."""
    return not (read.direct and writer.direct)


def is_never_read(read: Read, first: StatementInstances) -> bool:
    """Returns True if the running value that is read is never one that `first` has written."""
    return read.is_running and first.moment is Phase.START


def overwrite(
    operations: OperationTable, read: Read, first: StatementInstances, writer: StatementInstances
) -> ConflictPair:
    """Returns the pair of a read value and a write that neither precedes the first write of that value nor follows (or
    is) the reader.
    """
    consumer, index = read.occurrence, read.function.outputs
    violation_space = ViolationSpace(operations.system).having("reader", read.domain)
    violation_space, w = violation_space.with_any("writer", writer)
    violation_space, b = violation_space.with_writer_of("producer", first, index)
    apart: list[Sequence[Conjunction]] = []
    if writer.variable == read.variable:
        apart.append(differences(w.target, index))
    if writer.operation is read.reader.operation and is_atomic(read, writer):
        apart.append(differences(w.own, consumer.own))
    return ConflictPair(
        one=StoredElement(writer.variable, w.target),
        other=StoredElement(read.variable, index),
        violation_space=violation_space,
        alternatives=lambda order: (order.failures(w, b), order.failures(consumer, w), *apart),
        occurrences=(("reader", consumer), ("producer", b), ("writer", w)),
    )


def race(operations: OperationTable, one: StatementInstances, two: StatementInstances) -> ConflictPair:
    """Returns the pair of two unordered writes of different values."""
    violation_space, a = ViolationSpace(operations.system).with_any("writer", one)
    violation_space, b = violation_space.with_any("other", two)
    return ConflictPair(
        one=StoredElement(one.variable, a.target),
        other=StoredElement(two.variable, b.target),
        violation_space=violation_space,
        alternatives=lambda order: (order.unordered(a, b), *_different_values(a, b)),
        occurrences=(("writer", a), ("other", b)),
    )


def _different_values(a: SymbolicInstance, b: SymbolicInstance) -> Iterator[tuple[Conjunction, ...]]:
    """Yields the conditions for different values; writes of one value belong to S2 and S3."""
    if a.family is b.family:
        yield smaller(a.point, b.point)
    if a.family.whole and a.family.operation is b.family.operation and not (a.family.direct and b.family.direct):
        yield differences(a.own, b.own)
    if a.family.variable == b.family.variable and not (a.family is b.family and a.family.target.is_identity):
        yield differences(a.target, b.target)
