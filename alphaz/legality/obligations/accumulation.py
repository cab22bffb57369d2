"""S3 accumulation: { (z, z') : p(z) = p(z'), z != z', neither body operation precedes the other } is empty.

Two unordered accumulations into one value lose contributions. Two exceptions are safe. Accumulations in different
lanes of a vector dimension: each lane has its own accumulator, and the lanes are added up after the loop.
Accumulations at different values of a reduction dimension: each goes into an accumulator of its own (one for each
value of the dimension, in each iteration of the surrounding loops), and after the loop of the outermost reduction
dimension one operation, the merge, combines these accumulators into the value. So S2, M1 to M4 and S3's own order of
consecutive loops are stated of the merge: a reader with the same values of the dimensions before the reduction
dimension is too early, for all values of the later dimensions. Beyond the thesis; verifier.md section 3.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from alphaz.analysis.checks.question import point_text
from alphaz.diagnostics import Witness
from alphaz.diagnostics.rules import ACCUMULATION
from alphaz.legality.obligations.deferred import DeferredObligation, OrderObligation
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import operation, witness
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances, SymbolicInstance, Values, in_order
from alphaz.order.precedence import Conjunction, Order, smaller
from alphaz.poly import equal


def accumulation(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields S3 for every reduction that is mapped at its body."""
    for family in operations.dated:
        if family.is_body:
            yield DeferredObligation(partial(_in_turn, operations, family))


def _in_turn(operations: OperationTable, family: StatementInstances) -> OrderObligation:
    scene, a = ViolationSpace(operations.system).with_any("operation", family)
    scene, b = scene.with_any("other", family)
    scene = scene.where(equal(x, y) for x, y in zip(a.target, b.target, strict=True))

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
        scene=scene,
        alternatives=lambda order: (smaller(a.point, b.point), *_unordered(order, a, b)),
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


def _unordered(order: Order, a: SymbolicInstance, b: SymbolicInstance) -> Iterator[tuple[Conjunction, ...]]:
    """Yields the cases where neither precedes the other and no reduction dimension separates them."""
    if a.family.statement is None or a.family.statement.merged_at is None:
        yield _private(order).unordered(a, b)
    else:
        yield _private(order).failures(a, b)
        yield _private(order).failures(b, a)
