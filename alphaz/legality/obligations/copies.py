"""Obligations about copies: packed reads (P), dropped copies (D), and outputs of calls in place (I)."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import DROPPED, IN_PLACE, PACKING
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import date_labels, operation, witness
from alphaz.mapping.aliases import Copy
from alphaz.mapping.cells import location
from alphaz.mapping.resolved_mapping import PackedRead
from alphaz.mapping.use_equations import Argument, Use
from alphaz.model.expression import Access
from alphaz.model.walk import walk
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Order
from alphaz.poly import Affine, Constraint, at_least, equal, fresh_names


def copies(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields, for every read from a buffer, the obligations for all dated operations that write into the memory space
    of the value read. Buffers of final values have none: the generator proves the tiles in which it uses them.
    """
    cells = operations.mapping.cells
    for packed in operations.mapping.packed:
        for read in () if packed.is_final else packed_reads(operations, packed):
            for writer in operations.families:
                if writer.moment is Phase.DATED and cells[writer.variable].space == cells[read.variable].space:
                    yield DeferredObligation(partial(_unchanged_obligation, operations, packed, read, writer))


def packed_reads(operations: OperationTable, packed: PackedRead) -> tuple[Read, ...]:
    """Returns the reads that use the buffer."""
    aliases, facts = operations.mapping.aliases, operations.mapping.facts
    own_reads = [read for read in operations.reads if read.reader.statement is packed.statement]
    reads_: list[Read] = []
    for access in (node for whole in packed.reads for node in walk(whole) if isinstance(node, Access)):
        reads = [read for read in own_reads if read.reference is access]
        if not reads and not aliases.drops(access) and not facts.context_domain[access].is_empty():
            raise AssertionError(f"no read of {packed.variable} is known where a buffer stands for one")
        reads_ += reads
    return tuple(reads_)


def _unchanged_obligation(
    operations: OperationTable, packed: PackedRead, read: Read, writer: StatementInstances
) -> OrderObligation:
    mapping, reader = operations.mapping, read.occurrence
    mine, other = mapping.cells[read.variable], mapping.cells[writer.variable]
    sides = tuple(mapping.sides_around(packed))
    leading = mapping.levels[packed.level].position
    violation_space, w = ViolationSpace(operations.system).having("reader", read.domain).with_any("writer", writer)
    violation_space = violation_space.in_one_cell(mine, read.function.outputs, other, w.target)
    violation_space = _in_one_tile(violation_space, reader, w, leading, sides)

    def recheck(_: Order, values: Values) -> bool:
        used, lost = reader.event(values), w.event(values)
        return (
            read.happens(mapping.facts, values)
            and writer.has(values, lost.point)
            and _are_together(used, lost, leading, sides)
            and location(mine, values, read.function.at(values)) == location(other, values, lost.target)
        )

    def explain(order: Order, values: Values) -> Witness:
        used, lost = reader.event(values), w.event(values)
        value, other = point_text(read.variable, read.function.at(values)), point_text(writer.variable, lost.target)
        where = f", in the cell of {other}" if value != other else ""
        sentence = f"{operation(used)}, reads {value}; {operation(lost)}, writes it{where}, in the same tile"
        return witness(mapping, order, values, (("reader", used), ("writer", lost)), sentence)

    return OrderObligation(
        rule=PACKING,
        claim=(
            f"{writer.name} writes nothing of {read.variable} in a tile in which {read.reader.variable} reads a copy"
            " of it"
        ),
        violation_space=violation_space,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"{packed.variable} is written in the tile in which it is packed",
        remedy="fill the buffer in tiles further inside (name a dimension), or do not pack this variable",
        span=packed.span,
        related=(Label(read.span, "read here"), *date_labels(writer)),
        read=read,
        families=(("writer", writer),),
        occurrences=(("reader", reader), ("writer", w)),
        ordered=False,
    )


def _in_one_tile(
    violation_space: ViolationSpace,
    one: SymbolicInstance,
    other: SymbolicInstance,
    leading: int,
    sides: Sequence[tuple[int, int]],
) -> ViolationSpace:
    """Restricts to equal dates outside the tiles, and to equal numbers of tiles of known sizes."""
    violation_space = violation_space.where(
        equal(one.date[position], other.date[position]) for position in range(leading)
    )
    numbers = fresh_names(
        len(sides), "t", (*violation_space.system.parameters, *violation_space.names, *violation_space.auxiliary)
    )
    inside: list[Constraint] = []
    for number, (dimension, size) in zip(numbers, sides, strict=True):
        for instance in (one, other):
            offset = instance.date[dimension] - Affine.name(number) * size
            inside += [at_least(offset, 0), at_least(-offset, 1 - size)]
    return violation_space.where_some(numbers, inside)


def _are_together(
    one: ConcreteInstance, other: ConcreteInstance, leading: int, sides: Sequence[tuple[int, int]]
) -> bool:
    assert one.date is not None
    assert other.date is not None
    numbers = [[date[at] // size for at, size in sides] for date in (one.date, other.date)]
    return one.date[:leading] == other.date[:leading] and numbers[0] == numbers[1]


ONE_MAP = "the memory maps give the copy and what it copies one cell, as they are written"


def dropped_copies(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields the obligations (D) for every copy that is not executed."""
    for copy in operations.mapping.aliases.every:
        yield DeferredObligation(partial(_stays, operations, copy), _exemption(operations, copy))


def _exemption(operations: OperationTable, copy: Copy) -> str:
    """Returns the reason why the copy needs no obligation; empty where it needs one."""
    cells = operations.mapping.cells
    return ONE_MAP if copy.stays_by_maps(cells[copy.variable], cells[copy.source]) else ""


def _stays(operations: OperationTable, copy: Copy) -> OrderObligation:
    mapping, names = operations.mapping, copy.domain.space.names
    here, there = mapping.cells[copy.variable], mapping.cells[copy.source]
    point = tuple(map(Affine.name, names))
    violation_space = ViolationSpace(operations.system).having("point", copy.domain)
    violation_space = violation_space.in_two_cells(here, point, there, copy.function.outputs)

    def recheck(_: Order, values: Values) -> bool:
        cells = location(here, values, [values[n] for n in names]), location(there, values, copy.function.at(values))
        return copy.domain.contains(values) and cells[0] != cells[1]

    def explain(order: Order, values: Values) -> Witness:
        value = point_text(copy.variable, [values[n] for n in names])
        sentence = f"{value} is a copy of {point_text(copy.source, copy.function.at(values))}, in another cell"
        return witness(mapping, order, values, (), sentence)

    span = operations.system.equation(copy.variable).span if copy.reference is None else copy.reference.span
    return OrderObligation(
        rule=DROPPED,
        claim=f"every {copy.variable} that is a dropped copy of {copy.source} has its cell",
        violation_space=violation_space,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"a copy of {copy.source} is dropped that would move it to another cell",
        remedy=f"report it, and give {copy.variable} another memory space",
        span=span,
        related=tuple(Label(cell.span, f"cells of {cell.variable}") for cell in (here, there)),
        copy=copy,
        ordered=False,
    )


def in_place(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields the obligations (I) for every output of a call that has no array of its own."""
    for use in operations.mapping.uses:
        for argument in use.outputs:
            if argument.in_place:
                yield DeferredObligation(partial(_all_there, operations, use, argument))


def _all_there(operations: OperationTable, use: Use, argument: Argument) -> OrderObligation:
    assert argument.variable is not None
    mapping, variable, output = operations.mapping, argument.variable, argument.callee_variable.name
    (writer,) = operations.writers[variable]
    names, width = argument.domain.space.names, len(writer.operation.names)
    violation_space = ViolationSpace(operations.system).having("point", argument.domain).outside(argument.used_domain)

    def recheck(_: Order, values: Values) -> bool:
        return argument.domain.contains(values) and not argument.used_domain.contains(values)

    def explain(order: Order, values: Values) -> Witness:
        call, point = ([values[n] for n in part] for part in (names[:width], names[width:]))
        sentence = f"{point_text(use.label, call)} computes {point_text(output, point)}; there is no "
        return witness(mapping, order, values, (), f"{sentence}{point_text(variable, (*call, *point))}")

    return OrderObligation(
        rule=IN_PLACE,
        claim=f"{variable} has every point of the output {output} that {use.label} leaves there",
        violation_space=violation_space,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"{use.callee.name} computes points of {output} that {variable} lacks",
        remedy="without a space of the caller's the points that it lacks are left out by the copy",
        span=argument.span,
        related=(Label(use.equation.span, "called here"),),
        families=(("writer", writer),),
        ordered=False,
    )
