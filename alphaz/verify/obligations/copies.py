"""Packing (P): what tiles read of copies is what they would read of the cells.

A buffer is filled when a tile begins, so nothing in the tile may write a cell that is read from it: for every read r of
a packed value (operation C reads v[f(e)] at e) and every write w into its memory space,
    { (e, w) : C and w are in one tile, cell(v[f(e)]) = cell(w) }
is empty. Whatever is written outside of the tile is written before it or after it. Tiles whose size is a parameter are
taken as if they held everything. Beyond the thesis; Goto and van de Geijn, "Anatomy of high-performance matrix
multiplication" (TOMS 2008), pack what nothing writes.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.analysis.checks.question import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import PACKING
from alphaz.mapping.cells import location
from alphaz.mapping.packed import Packed
from alphaz.model.expression import Access
from alphaz.model.walk import walk
from alphaz.poly import Affine, Constraint, at_least, equal, fresh_names
from alphaz.verify.obligations.question import Matter, Question
from alphaz.verify.obligations.scene import Scene
from alphaz.verify.obligations.words import mapped, operation, witness
from alphaz.verify.order.operations import Event, Family, Moment, Occurrence, Values
from alphaz.verify.order.precedence import Order
from alphaz.verify.reads.read import Read
from alphaz.verify.reads.table import Operations


def copies(operations: Operations) -> Iterator[Matter]:
    """For every read from a buffer, every operation with a date that writes into the memory space of what is read."""
    cells = operations.mapping.cells
    for packed in operations.mapping.packed:
        for read in packed_reads(operations, packed):
            for writer in operations.families:
                if writer.moment is Moment.DATED and cells[writer.variable].space == cells[read.variable].space:
                    yield Matter(partial(_kept, operations, packed, read, writer))


def packed_reads(operations: Operations, packed: Packed) -> tuple[Read, ...]:
    """The reads for which there is the buffer."""
    aliases, facts = operations.mapping.aliases, operations.mapping.facts
    mine = [read for read in operations.reads if read.reader.statement is packed.statement]
    found: list[Read] = []
    for access in (node for whole in packed.reads for node in walk(whole) if isinstance(node, Access)):
        reads = [read for read in mine if read.reference is access]
        if not reads and not aliases.drops(access) and not facts.context_domain[access].is_empty():
            raise AssertionError(f"no read of {packed.variable} is known where a buffer stands for one")
        found += reads
    return tuple(found)


def _kept(operations: Operations, packed: Packed, read: Read, writer: Family) -> Question:
    mapping, reader = operations.mapping, read.occurrence
    mine, other = mapping.cells[read.variable], mapping.cells[writer.variable]
    sides = tuple(mapping.sides_around(packed))
    leading = mapping.levels[packed.level].position
    scene, w = Scene(operations.system).having("reader", read.domain).with_any("writer", writer)
    scene = scene.in_one_cell(mine, read.function.outputs, other, w.target)
    scene = _in_one_tile(scene, reader, w, leading, sides)

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
        value, written = point_text(read.variable, read.function.at(values)), point_text(writer.variable, lost.target)
        where = f", in the cell of {written}" if value != written else ""
        sentence = f"{operation(used)}, reads {value}; {operation(lost)}, writes it{where}, in the same tile"
        return witness(mapping, order, values, (("reader", used), ("writer", lost)), sentence)

    return Question(
        rule=PACKING,
        claim=(
            f"{writer.name} writes nothing of {read.variable} in a tile in which {read.reader.variable} reads a copy"
            " of it"
        ),
        scene=scene,
        alternatives=lambda _: (),
        recheck=recheck,
        explain=explain,
        message=f"{packed.variable} is written in the tile in which it is packed",
        remedy="fill the buffer in tiles further inside (name a dimension), or do not pack this variable",
        span=packed.span,
        related=(Label(read.span, "read here"), *mapped(writer)),
        read=read,
        families=(("writer", writer),),
        occurrences=(("reader", reader), ("writer", w)),
        ordered=False,
    )


def _in_one_tile(
    scene: Scene, one: Occurrence, other: Occurrence, leading: int, sides: Sequence[tuple[int, int]]
) -> Scene:
    """Where the dates agree in front of the tiles, and the numbers of tiles of known sizes do."""
    scene = scene.where(equal(one.date[at], other.date[at]) for at in range(leading))
    numbers = fresh_names(len(sides), "t", (*scene.system.parameters, *scene.names, *scene.auxiliary))
    inside: list[Constraint] = []
    for number, (dimension, size) in zip(numbers, sides, strict=True):
        for each in (one, other):
            offset = each.date[dimension] - Affine.name(number) * size
            inside += [at_least(offset, 0), at_least(-offset, 1 - size)]
    return scene.where_some(numbers, inside)


def _are_together(one: Event, other: Event, leading: int, sides: Sequence[tuple[int, int]]) -> bool:
    assert one.date is not None
    assert other.date is not None
    numbers = [[date[at] // size for at, size in sides] for date in (one.date, other.date)]
    return one.date[:leading] == other.date[:leading] and numbers[0] == numbers[1]
