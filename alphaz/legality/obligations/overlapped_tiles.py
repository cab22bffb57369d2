"""Obligations of overlapped tiles: the kept instances (S4), and the values in private memory (M5).

S4 kept once: { (z, z') : p(z) = p(z'), z != z' } and { y : no z in the body with p(z) = y } are empty for a reduction
whose contributions are instances of one operation in different tiles: one of them is kept.
M5 private: { (e, w) : C reads v[f(e)] at e, w writes v[f(e)], in different iterations } is empty for every read of a
variable in private memory: the iterations of the loops over the first dimensions of the dates have memory of their own.

Source: verifier.md section 3.
"""

from collections.abc import Iterator
from functools import partial

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import KEPT_ONCE, PRIVATE
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import date_labels, operation, witness, written_text
from alphaz.mapping.target_mapping import KeptOnce
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation
from alphaz.model.walk import without_restricts
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import Phase, StatementInstances, Values
from alphaz.order.precedence import Order, differences, smaller
from alphaz.poly import Affine, Domain, equal


def kept_once(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields S4 for every reduction that selects one instance of each value."""
    for entry in operations.mapping.kept_once:
        body = selection(operations, entry.variable)
        yield DeferredObligation(partial(_by_some, operations, entry, *body))
        yield DeferredObligation(partial(_by_one, operations, entry, *body))


def selection(operations: OperationTable, variable: str) -> tuple[Reduce, Domain]:
    """Returns the reduction that selects the values of a variable, and its instances."""
    equation = operations.system.equation(variable)
    assert isinstance(equation, Equation)
    reduction = without_restricts(equation.expression)
    assert isinstance(reduction, Reduce)
    points = operations.mapping.facts.context_domain[reduction.body].renamed(reduction.projection.domain.names)
    return reduction, points.in_context(operations.system.context)


def _by_some(operations: OperationTable, entry: KeptOnce, reduction: Reduce, instances: Domain) -> OrderObligation:
    mapping, variable = operations.mapping, operations.system.variable(entry.variable)
    domain = variable.domain.in_context(operations.system.context)
    names = domain.space.names
    kept = instances.image(reduction.projection, names)

    def recheck(_: Order, values: Values) -> bool:
        return domain.contains(values) and not kept.contains(values)

    def explain(order: Order, values: Values) -> Witness:
        value = point_text(entry.variable, [values[name] for name in names])
        return witness(mapping, order, values, (), f"no tile keeps its instance of {value}")

    return OrderObligation(
        rule=KEPT_ONCE,
        claim=f"some tile keeps each {entry.variable}",
        violation_space=ViolationSpace(operations.system).having("point", domain).outside(kept),
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"a value of {entry.variable} is kept by no tile",
        remedy="let the kept points of the tiles cover all points that are read",
        span=entry.span,
        related=(Label(reduction.span, "the instances of the tiles"),),
        kind="S4",
        numbers=(("value", mapping.kept_once.index(entry)),),
        ordered=False,
    )


def _by_one(operations: OperationTable, entry: KeptOnce, reduction: Reduce, instances: Domain) -> OrderObligation:
    mapping, function = operations.mapping, reduction.projection
    names = function.domain.names
    others = tuple(f"{name}'" for name in names)
    there = function.renamed(others)
    space = ViolationSpace(operations.system).having("instance", instances).having("other", instances.renamed(others))
    space = space.where(equal(x, y) for x, y in zip(function.outputs, there.outputs, strict=True))

    def points(values: Values) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(values[name] for name in names), tuple(values[name] for name in others)

    def recheck(_: Order, values: Values) -> bool:
        one, other = points(values)
        both = instances.contains(values) and instances.contains({**values, **dict(zip(names, other, strict=True))})
        return both and one < other and function.at(values) == there.at(values)

    def explain(order: Order, values: Values) -> Witness:
        one, other = (f"({','.join(map(str, point))})" for point in points(values))
        value, text = point_text(entry.variable, function.at(values)), ",".join(names)
        return witness(mapping, order, values, (), f"{value} is kept at ({text}) = {one} and at {other}")

    return OrderObligation(
        rule=KEPT_ONCE,
        claim=f"no two tiles keep one {entry.variable}",
        violation_space=space,
        alternatives=lambda _: (smaller(map(Affine.name, names), map(Affine.name, others)),),
        recheck=recheck,
        explain=explain,
        message=f"a value of {entry.variable} is kept by two tiles",
        remedy="let the kept points of two tiles have none in common",
        span=entry.span,
        related=(Label(reduction.span, "the instances of the tiles"),),
        kind="S4",
        numbers=(("instance", mapping.kept_once.index(entry)),),
        ordered=False,
    )


def private(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields M5 for every read of a value in private memory, and every family that writes the value."""
    for read in operations.reads:
        if operations.mapping.cells[read.variable].outer:
            for writer in operations.writers[read.variable]:
                yield DeferredObligation(partial(_in_one_iteration, operations, read, writer))


def _in_one_iteration(operations: OperationTable, read: Read, writer: StatementInstances) -> OrderObligation:
    mapping, reader = operations.mapping, read.occurrence
    cell = mapping.cells[read.variable]
    space = ViolationSpace(operations.system).having("reader", read.domain)
    space, producer = space.with_writer_of("producer", writer, read.function.outputs)
    is_dated = read.reader.moment is Phase.DATED and writer.moment is Phase.DATED
    dates = reader.date[: cell.outer], producer.date[: cell.outer]

    def recheck(_: Order, values: Values) -> bool:
        used, write = reader.event(values), producer.event(values)
        makes = writer.has(values, write.point) and write.target == read.function.at(values)
        apart = not is_dated or (used.date or ())[: cell.outer] != (write.date or ())[: cell.outer]
        return makes and read.happens(mapping.facts, values) and apart

    def explain(order: Order, values: Values) -> Witness:
        used, write = reader.event(values), producer.event(values)
        value = point_text(read.variable, read.function.at(values))
        sentence = f"{operation(used)}, reads {value}, {written_text(write)}, in another iteration"
        return witness(mapping, order, values, (("reader", used), ("producer", write)), sentence)

    return OrderObligation(
        rule=PRIVATE,
        claim=f"{read.reader.name} reads {read.variable} in the iteration in which {writer.name} writes it",
        violation_space=space,
        alternatives=lambda _: (differences(*dates),) if is_dated else (),
        recheck=recheck,
        explain=explain,
        message=f"{read.reader.name} reads a value of {read.variable} in another iteration than it is written",
        remedy=f"make the memory of {read.variable} private in fewer dimensions, or not at all",
        span=cell.span,
        related=(Label(read.span, f"reads {read.variable}"), *date_labels(writer)),
        read=read,
        kind="M5",
        families=(("producer", writer),),
        occurrences=(("reader", reader), ("producer", producer)),
        ordered=False,
    )
