"""Space-time obligations.

S1 one date each: { (z, z') : z != z' and date(z) = date(z') } is empty for every statement (a bijection on its image).
S2 causality: { (e, w) : C reads v[f(e)] at e, w writes v[f(e)], not w ≺ C } is empty for every read. When v is
accumulated, w is every body operation that contributes, and the initialisation; that precedes the body.
S3 accumulation: { (z, z') : p(z) = p(z'), z != z', neither body operation precedes the other } is empty.

Two unordered accumulations into one value lose contributions. Two exceptions are safe. Accumulations in different
lanes of a vector dimension: each lane has its own accumulator, and the lanes are added up after the loop.
Accumulations at different values of a reduction dimension: each goes into an accumulator of its own (one for each
value of the dimension, in each iteration of the surrounding loops), and after the loop of the outermost reduction
dimension one operation, the merge, combines these accumulators into the value. So S2, M1 to M4 and S3's own order of
consecutive loops are stated of the merge: a reader with the same values of the dimensions before the reduction
dimension is too early, for all values of the later dimensions. S3 is beyond the thesis.

Source: verifier.md section 3; the AlphaZ Verifier thesis 4.1.1, 4.2.1 (body) and 4.2.2 (result).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import ACCUMULATION, CAUSALITY, NOT_INJECTIVE
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import date_labels, operation, when, witness, written_text
from alphaz.mapping.statement import Role
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import Phase, StatementInstances, SymbolicInstance, Values, in_order
from alphaz.order.precedence import Conjunction, Order, always_before, smaller
from alphaz.poly import equal

START_IS_FIRST = "what is there from the start precedes every operation"
NESTS = "constants in the ordering dimensions that lead their dates keep the operations apart"


def one_date_each(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields S1 for every statement."""
    for family in operations.dated:
        yield DeferredObligation(partial(_one_date, operations, family))


def _one_date(operations: OperationTable, family: StatementInstances) -> OrderObligation:
    assert family.statement is not None
    violation_space, a = ViolationSpace(operations.system).with_any("operation", family)
    violation_space, b = violation_space.with_any("other", family)
    violation_space = violation_space.where([equal(x, y) for x, y in zip(a.date, b.date, strict=True)])

    def recheck(_: Order, values: Values) -> bool:
        one, two = a.event(values), b.event(values)
        both = family.has(values, one.point) and family.has(values, two.point)
        return both and one.point < two.point and one.date == two.date

    def explain(order: Order, values: Values) -> Witness:
        one, two = a.event(values), b.event(values)
        names = f"{point_text(family.name, one.point)} and {point_text(family.name, two.point)}"
        sentence = f"{names} have the same date {when(one)}"
        return witness(operations.mapping, order, values, (("operation", one), ("other", two)), sentence)

    return OrderObligation(
        rule=NOT_INJECTIVE,
        claim=f"no two operations of {family.name} have the same date",
        violation_space=violation_space,
        alternatives=lambda _: (smaller(a.point, b.point),),
        recheck=recheck,
        explain=explain,
        message=f"different points of {family.name} have the same date",
        remedy=f"let every index of {family.name} count in its space-time map",
        span=family.span,
        pair=frozenset({family}),
        families=(("operation", family),),
        occurrences=(("operation", a), ("other", b)),
        ordered=False,
    )


def causality(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields S2 for every read and every family that writes the value read (END follows all, START precedes all)."""
    for read in operations.reads:
        if read.reader.moment is Phase.END:
            continue
        for writer in operations.writers[read.variable]:
            if read.is_running and not _is_init(writer):
                continue
            yield DeferredObligation(partial(_written_before, operations, read, writer), _in_order(writer, read.reader))


def _in_order(writer: StatementInstances, reader: StatementInstances) -> str:
    """Returns the structural reason why a writer precedes a reader; empty where none is known."""
    if writer.moment is Phase.START:
        return START_IS_FIRST
    return NESTS if always_before(writer, reader) else ""


def _is_init(family: StatementInstances) -> bool:
    return family.statement is not None and family.statement.role is Role.INIT


def _written_before(operations: OperationTable, read: Read, writer: StatementInstances) -> OrderObligation:
    consumer = read.occurrence
    violation_space = ViolationSpace(operations.system).having("reader", read.domain)
    violation_space, producer = violation_space.with_writer_of("producer", writer, read.function.outputs)

    def recheck(order: Order, values: Values) -> bool:
        write, used = producer.event(values), consumer.event(values)
        makes = writer.has(values, write.point) and write.target == read.function.at(values)
        return makes and read.happens(operations.mapping.facts, values) and not order.compare(write, used).precedes

    def explain(order: Order, values: Values) -> Witness:
        write, used = producer.event(values), consumer.event(values)
        verb = "accumulates into" if read.is_running else "reads"
        value = point_text(read.named, read.written.at(values))
        through = f" (a copy of {point_text(read.variable, write.target)})" if read.named != read.variable else ""
        reason = order.compare(write, used).reason
        sentence = f"{operation(used)}, {verb} {value}{through}, {written_text(write)}, {reason}"
        return witness(operations.mapping, order, values, (("reader", used), ("producer", write)), sentence, reason)

    return OrderObligation(
        rule=CAUSALITY,
        claim=_claim(read, writer),
        violation_space=violation_space,
        alternatives=lambda order: (order.failures(producer, consumer),),
        recheck=recheck,
        explain=explain,
        message=_message(read, writer),
        remedy=_remedy(read, writer),
        span=consumer.family.span,
        related=(*labels(read), *(date_labels(writer) if writer is not read.reader else ())),
        pair=frozenset({read.reader, writer}),
        read=read,
        families=(("producer", writer),),
        occurrences=(("reader", consumer), ("producer", producer)),
        compared=lambda order, values: (order.compare(producer.event(values), consumer.event(values)),),
    )


def labels(read: Read) -> tuple[Label, ...]:
    """Returns the places of the read in the program."""
    return (Label(read.span, f"reads {read.named}"),) if read.reference is not None else ()


def _claim(read: Read, writer: StatementInstances) -> str:
    if read.is_running:
        return f"every {writer.name} precedes the operations of {read.reader.name} that accumulate into it"
    what = f" ({read.reference.span.text})" if read.reference is not None else ""
    return f"every {read.variable} that {read.reader.name} reads{what} is written before by {writer.name}"


def _message(read: Read, writer: StatementInstances) -> str:
    if read.is_running:
        return f"{read.variable} is accumulated before it is initialised"
    if writer.statement is read.reader.statement and read.reader.is_body:
        return f"{read.reader.name} may read {read.named} before all of it is accumulated"
    return f"{read.reader.name} may read {read.named} before it is written"


def _remedy(read: Read, writer: StatementInstances) -> str:
    if writer.merge:
        return f"let {read.reader.name} come after the whole loop whose contributions are merged into {read.variable}"
    if writer is read.reader:
        return f"let the dates of {writer.name} grow along this dependence, in a dimension that is not parallel"
    return (
        f"let {writer.name} come before {read.reader.name} in a dimension that is not parallel, "
        "or order the two statements with setStatementOrdering where their dates are equal"
    )


def accumulation(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields S3 for every reduction that is mapped at its body."""
    for family in operations.dated:
        if family.is_body:
            yield DeferredObligation(partial(_in_turn, operations, family))


def _in_turn(operations: OperationTable, family: StatementInstances) -> OrderObligation:
    violation_space, a = ViolationSpace(operations.system).with_any("operation", family)
    violation_space, b = violation_space.with_any("other", family)
    violation_space = violation_space.where([equal(x, y) for x, y in zip(a.target, b.target, strict=True)])

    def recheck(order: Order, values: Values) -> bool:
        one, two = a.event(values), b.event(values)
        both = family.has(values, one.point) and family.has(values, two.point) and one.target == two.target
        return (
            both
            and one.point < two.point
            and not (_private(order).compare(one, two).precedes or _private(order).compare(two, one).precedes)
        )

    def explain(order: Order, values: Values) -> Witness:
        one, two = a.event(values), b.event(values)
        reason = _private(order).compare(*in_order(one, two)).reason
        value = point_text(family.variable, one.target)
        sentence = f"{operation(one)}, and {operation(two)}, accumulate into {value}, {reason}"
        return witness(operations.mapping, order, values, (("operation", one), ("other", two)), sentence, reason)

    return OrderObligation(
        rule=ACCUMULATION,
        claim=f"the operations of {family.name} that accumulate into one {family.variable} are ordered",
        violation_space=violation_space,
        alternatives=lambda order: (smaller(a.point, b.point), *_unordered_cases(order, a, b)),
        recheck=recheck,
        explain=explain,
        message=f"accumulations into one value of {family.variable} are unordered",
        remedy="make the dimension that separates the contributions to one result sequential, or a reduction dimension",
        span=family.span,
        pair=frozenset({family}),
        families=(("operation", family),),
        occurrences=(("operation", a), ("other", b)),
        compared=lambda order, values: (_private(order).compare(*in_order(a.event(values), b.event(values))),),
    )


def _private(order: Order) -> Order:
    return replace(order, private=True)


def _unordered_cases(order: Order, a: SymbolicInstance, b: SymbolicInstance) -> Iterator[tuple[Conjunction, ...]]:
    """Yields the cases where neither precedes the other and no reduction dimension separates them."""
    if a.family.statement is None or a.family.statement.merged_at is None:
        yield _private(order).unordered(a, b)
    else:
        yield _private(order).failures(a, b)
        yield _private(order).failures(b, a)
