"""States that the arrays of a call are allocated before their uses, and freed once, after them.

{ e : not alloc(e) ≺ user(e) } and { e : not user(e) ≺ free(e) } are empty for all users (the copy and the call), and {
(e,e') : instance(e) = instance(e'), free(e) != free(e') } is: an array is freed once.

M1 and M4 show that calls which use one array in turn do not disturb each other. Beyond the thesis; verifier.md, Calls.
"""

from collections.abc import Iterator
from functools import partial

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Witness
from alphaz.diagnostics.rules import LIFETIME
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import date_labels, operation, when, witness
from alphaz.order.call_operations import ArrayLifetime
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Order, differences, smaller
from alphaz.poly import Affine, equal


def lifetimes(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields the obligations for every argument whose array has dates."""
    for lifetime in operations.lifetimes:
        for user in lifetime.users:
            if lifetime.allocation is not None:
                yield DeferredObligation(
                    partial(_before, operations, lifetime, lifetime.allocation, user, "allocation")
                )
            if lifetime.free is not None:
                yield DeferredObligation(partial(_before, operations, lifetime, user, lifetime.free, "free"))
        if lifetime.free is not None and not lifetime.argument.instance.is_identity:
            yield DeferredObligation(partial(_once, operations, lifetime, lifetime.free))


def _before(
    operations: OperationTable, lifetime: ArrayLifetime, early: StatementInstances, late: StatementInstances, role: str
) -> OrderObligation:
    """Returns the obligation that one operation of a call precedes another one of the same call."""
    name, allocates = lifetime.argument.name, role == "allocation"
    violation_space = ViolationSpace(operations.system).having("call", early.domain)
    point = tuple(map(Affine.name, early.names))
    a, b = SymbolicInstance(early, point), SymbolicInstance(late, point)
    user, other = (b, a) if allocates else (a, b)

    def recheck(order: Order, values: Values) -> bool:
        one, two = a.event(values), b.event(values)
        return early.has(values, one.point) and late.has(values, two.point) and not order.compare(one, two).precedes

    def explain(order: Order, values: Values) -> Witness:
        used, done = user.event(values), other.event(values)
        reason = order.compare(a.event(values), b.event(values)).reason
        what = "is allocated" if allocates else "is freed"
        sentence = (
            f"{operation(used)}, uses the array {point_text(name, used.own)}, which {what} at {when(done)}, {reason}"
        )
        return witness(operations.mapping, order, values, (("user", used), (role, done)), sentence, reason)

    text = "before it is allocated" if allocates else "after it is freed"
    return OrderObligation(
        rule=LIFETIME,
        claim=f"{early.name} precedes {late.name} of the same call",
        violation_space=violation_space,
        alternatives=lambda order: (order.failures(a, b),),
        recheck=recheck,
        explain=explain,
        message=f"{user.family.name} may use the array of {name} {text}",
        remedy=f"let {early.name} come before {late.name} in a dimension that is not parallel",
        span=other.family.span,
        related=date_labels(user.family),
        pair=frozenset({early, late}),
        families=(("user", user.family), (role, other.family)),
        occurrences=(("user", user), (role, other)),
        compared=lambda order, values: (order.compare(a.event(values), b.event(values)),),
    )


def _once(operations: OperationTable, lifetime: ArrayLifetime, free: StatementInstances) -> OrderObligation:
    instance, name = lifetime.argument.instance, lifetime.argument.name
    violation_space, a = ViolationSpace(operations.system).with_any("free", free)
    violation_space, b = violation_space.with_any("other", free)

    def array(occurrence: SymbolicInstance) -> tuple[Affine, ...]:
        values = dict(zip(instance.domain.names, occurrence.point, strict=True))
        return tuple(output.substitute(values) for output in instance.outputs)

    violation_space = violation_space.where(equal(x, y) for x, y in zip(array(a), array(b), strict=True))

    def recheck(_: Order, values: Values) -> bool:
        one, two = a.event(values), b.event(values)
        same = [x.at(values) for x in array(a)] == [y.at(values) for y in array(b)]
        both = free.has(values, one.point) and free.has(values, two.point)
        return both and same and one.point < two.point and one.date != two.date

    def explain(order: Order, values: Values) -> Witness:
        one, two = a.event(values), b.event(values)
        arrays = f"{point_text(name, one.point)} and {point_text(name, two.point)}"
        sentence = f"{arrays} are one array, allocated at one date, and freed at {when(one)} and at {when(two)}"
        return witness(operations.mapping, order, values, (("free", one), ("other", two)), sentence)

    return OrderObligation(
        rule=LIFETIME,
        claim=f"every array of {name} is freed once",
        violation_space=violation_space,
        alternatives=lambda _: (smaller(a.point, b.point), differences(a.date, b.date)),
        recheck=recheck,
        explain=explain,
        message=f"an array of {name} is freed more than once",
        remedy="free an array at one date, or give each call an array by a date of allocation of its own",
        span=free.span,
        pair=frozenset({free}),
        families=(("free", free),),
        occurrences=(("free", a), ("other", b)),
        ordered=False,
    )
