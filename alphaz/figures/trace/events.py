"""The operations of a mapping at small parameters: events, steps, contents of cells, and values."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter

import numpy as np

from alphaz.diagnostics import Rejected
from alphaz.figures.trace.trace_data import Element, Index, Lifetime, Operation, TraceRead
from alphaz.legality.reporting.certificate_inventory import families_of
from alphaz.mapping.cells import location
from alphaz.mapping.design import Design
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.model.program import Kind, Variable
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances
from alphaz.order.precedence import Order

Number = int | float


def values(design: Design, system: str, bindings: Mapping[str, int]) -> tuple[tuple[Element, Number], ...]:
    """Returns each value by the equations, independent of the mapping. Empty if the interpreter cannot compute them:
    external functions, or a division by zero."""
    chosen = design.system(system)
    # Under a reserved name: other systems, or it itself, may call the original system.
    opened = replace(chosen, name=f"{system}'", variables=tuple(_as_output(variable) for variable in chosen.variables))
    program = replace(design.program, systems=(*design.program.systems, opened))
    inputs = {input_.name: _input(input_, bindings) for input_ in chosen.inputs}
    try:
        outputs = evaluate(program, design.checked.facts, opened.name, bindings, inputs)
    except Rejected:
        return ()
    return tuple(
        (Element(variable.name, point), _number((inputs | outputs)[variable.name], variable, bindings, point))
        for variable in chosen.variables
        for point in variable.domain.in_context(chosen.context).points(bindings)
    )


def _as_output(variable: Variable) -> Variable:
    """The variable as an output, because locals are shown, too."""
    return replace(variable, kind=Kind.OUTPUT) if variable.kind is Kind.LOCAL else variable


def _input(variable: Variable, values: Mapping[str, int]) -> np.ndarray:
    """Input values from 1 to 9, with different neighbours."""
    shape = variable_box(variable, values).shape
    numbers = np.arange(int(np.prod(shape)), dtype=np.int64) * 5 % 9 + 1
    return numbers.reshape(shape).astype(variable.type.numpy)


def _number(array: np.ndarray, variable: Variable, values: Mapping[str, int], point: tuple[int, ...]) -> Number:
    lower = variable_box(variable, values).lower
    number: Number = array[tuple(x - low for x, low in zip(point, lower, strict=True))].item()
    return round(number, 6) if isinstance(number, float) else number


Key = tuple[int, str, Index, Index]


@dataclass(frozen=True, slots=True)
class ExecutedOperations:
    """The executed operations. `events` by their keys: moment, name and indices; of a merge, which all contributions to
    one result in one loop share, the result and that loop. `writes` are the values of each, with their cells."""

    operations: OperationTable
    at: Mapping[str, int]
    events: dict[Key, ConcreteInstance] = field(default_factory=dict)
    writes: dict[Key, dict[Element, Element]] = field(default_factory=dict)

    @staticmethod
    def of(mapping: ResolvedMapping, values: Mapping[str, int]) -> "ExecutedOperations":
        """Returns all operations at these parameters."""
        executed = ExecutedOperations(operations(mapping), values)
        for family in dict.fromkeys(part.operation for part in families_of(executed.operations)):
            for event in executed._events(family):
                executed.events.setdefault(key(event), event)
        for family in executed.operations.families:
            for event in executed._events(family):
                value = Element(family.variable, event.target)
                executed.writes.setdefault(key(event), {})[value] = executed.cell(value)
        return executed

    def cell(self, value: Element) -> Element:
        """Returns the cell of a value."""
        return Element(*location(self.operations.mapping.cells[value.name], self.at, value.index))

    def _events(self, family: StatementInstances) -> Iterator[ConcreteInstance]:
        return (family.event(self.at, point) for point in family.domain.points(self.at))


def key(event: ConcreteInstance) -> Key:
    """Returns equal keys for events that are one operation."""
    family = event.family
    if family.merge and family.statement is not None:
        return family.moment, family.name, event.target, (event.date or ())[: family.statement.merged_at]
    return family.moment, family.name, event.own, ()


Pair = tuple[int, int]


def steps(events: Sequence[ConcreteInstance], order: Order, wanted: Iterable[Pair] = ()) -> tuple[int, ...]:
    """Returns the step of each event, and as the last entry that of the end.

    The first of each `wanted` pair comes before the second, even if the order does not require it. If that contradicts
    the order (which is not transitive between statements of different kinds) the wanted pairs are ignored."""
    before = {
        position: {b for b, other in enumerate(events) if _precedes(order, other, event)}
        for position, event in enumerate(events)
    }
    requested = {at: set(earlier) for at, earlier in before.items()}
    for first, second in wanted:
        requested[second].add(first)
    try:
        return _levels(events, requested)
    except CycleError:
        return _levels(events, before)


def _precedes(order: Order, one: ConcreteInstance, two: ConcreteInstance) -> bool:
    """The order among dated operations: the start and the end are handled separately."""
    both = one.family.moment is two.family.moment is Phase.DATED
    return both and order.compare(one, two).precedes


def _levels(events: Sequence[ConcreteInstance], before: dict[int, set[int]]) -> tuple[int, ...]:
    levels = [0] * len(events)
    for at in TopologicalSorter(before).static_order():
        if events[at].family.moment is Phase.DATED:
            levels[at] = 1 + max((levels[other] for other in before[at]), default=0)
    end = 1 + max(levels, default=0)
    return (*(end if e.family.moment is Phase.END else at for e, at in zip(events, levels, strict=True)), end)


@dataclass(frozen=True, slots=True)
class Contents:
    """The reads with the values found, and the lifetime of each value in its cell."""

    reads: tuple[TraceRead, ...]
    lifetimes: tuple[Lifetime, ...]


def contents(operations: Sequence[Operation], reads: Sequence[TraceRead], last: int | None = None) -> Contents:
    """Returns the contents, given the `reads` that the equations require. An accumulation without initialisation begins
    with an assignment, which reads nothing.

    The operation of number `last` writes after the others of its step."""
    by_step: dict[int, list[Operation]] = defaultdict(list)
    reading: dict[int, list[TraceRead]] = defaultdict(list)
    for operation in operations:
        by_step[operation.step].append(operation)
    for read in reads:
        reading[read.reader].append(read)
    memory: dict[Element, Element] = {}
    writers: dict[Element, int] = {}
    trace_reads: list[TraceRead] = []
    for step in sorted(by_step):
        for operation in by_step[step]:
            for read in reading[operation.number]:
                if read.is_running and read.value not in writers and not _is_initialised(operations, read):
                    continue
                late = () if read.is_running else tuple(p for p in read.producers if operations[p].step >= step)
                trace_reads.append(replace(read, found=memory.get(read.cell), late=late))
        for operation in sorted(by_step[step], key=lambda event: event.number == last):
            for value, cell in operation.writes:
                memory[cell] = value
                writers.setdefault(value, step)
    trace_reads.sort(key=lambda read: (read.reader, read.value))
    return Contents(tuple(trace_reads), tuple(_lifetimes(operations, trace_reads, writers)))


def _is_initialised(operations: Sequence[Operation], read: TraceRead) -> bool:
    return any(operations[number].name == f"{read.value.name}.init" for number in read.producers)


def _lifetimes(
    operations: Sequence[Operation], reads: Sequence[TraceRead], writers: Mapping[Element, int]
) -> Iterator[Lifetime]:
    last, lost = dict(writers), defaultdict[Element, list[int]](list)
    for number, read in enumerate(reads):
        if read.value in last:
            last[read.value] = max(last[read.value], operations[read.reader].step)
        if read.is_lost:
            lost[read.value].append(number)
    cells = {value: cell for operation in operations for value, cell in operation.writes}
    for value, first in sorted(writers.items(), key=lambda item: (cells[item[0]], item[1], item[0])):
        yield Lifetime(value=value, cell=cells[value], first=first, last=last[value], lost=tuple(lost[value]))
