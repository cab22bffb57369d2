"""Communication of a distributed mapping: ranks, their places, and the moments at which messages are packed and arrive.

A rank owns places. At the end of a step it packs the values of the step that other ranks read, once for each of them.
Messages arrive at a moment between two steps:

- exchange: at the end of the step of the values, after all values of that step are packed;
- pipeline (blocks only): values of a rank of lower places arrive at the beginning of their step, values of higher
  places as in an exchange. A scan (prefix_scans.py) has the same moments.

A moment is a step and a phase, ordered lexicographically. If steps are tiles, the sets have the numbers of these tiles,
as auxiliary names. Source: verifier.md, Distributed mappings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from math import inf

from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.statement import date_text
from alphaz.mapping.target_mapping import WHOLE, Communication
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Conjunction, possible, smaller, tile_name
from alphaz.poly import Affine, AffineFunction, at_least, equal, less
from alphaz.proof import is_empty_by_isl


class StepPhase(IntEnum):
    """The parts of a step, in their order."""

    BEGIN = 0
    """Pipelined messages arrive."""
    COMPUTE = 1
    END = 2
    """Values are packed, then exchanged messages arrive."""


Moment = tuple[Affine, ...]

# isl operations to find out whether blocks need a pipeline; no clock, so that every process finds the same.
_OPERATIONS = 270_000


@dataclass(frozen=True, slots=True, eq=False)
class ReceivedValue:
    """A read in a violation space, with an operation that writes the value: `consumer` reads `variable[index]`.

    `renaming` gives the names of the read in the space.
    """

    read: Read
    renaming: dict[str, str]
    consumer: SymbolicInstance
    index: tuple[Affine, ...]
    producer: SymbolicInstance

    @staticmethod
    def added(
        space: ViolationSpace, roles: tuple[str, str], read: Read, writer: StatementInstances
    ) -> tuple[ViolationSpace, "ReceivedValue"]:
        """Adds any such pair to a space; the roles are those of the reader and of the writer."""
        used = {*space.names, *space.system.parameters}
        fresh = tuple(_unused(name, used) for name in read.names)
        renaming = dict(zip(read.names, fresh, strict=True))
        names = {name: Affine.name(new) for name, new in renaming.items()}
        space = space.having(roles[0], read.domain.renamed(fresh))
        consumer = SymbolicInstance(read.reader, _substituted(read.at, names))
        index = _substituted(read.function, names)
        space, producer = space.with_writer_of(roles[1], writer, index)
        return space, ReceivedValue(read=read, renaming=renaming, consumer=consumer, index=index, producer=producer)

    def happens(self, operations: OperationTable, values: Values) -> bool:
        """Returns True if the read and the write take place, by plain integers."""
        parameters = {name: values[name] for name in operations.system.parameters}
        own = {**parameters, **{name: values[new] for name, new in self.renaming.items()}}
        write = self.producer.event(values)
        return (
            self.read.happens(operations.mapping.facts, own)
            and self.producer.family.has(values, write.point)
            and write.target == tuple(x.at(values) for x in self.index)
        )


def _substituted(function: AffineFunction, names: dict[str, Affine]) -> tuple[Affine, ...]:
    return tuple(output.substitute(names) for output in function.outputs)


def _unused(name: str, used: set[str]) -> str:
    while name in used:
        name += "'"
    return name


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The ranks of a distribution. `is_pipeline`: values of lower places arrive in their own step."""

    distribution: Distribution
    is_pipeline: bool

    def place(self, operation: SymbolicInstance) -> tuple[Affine, ...]:
        return operation.date[self.distribution.dimensions]

    def step(self, operation: SymbolicInstance) -> tuple[Affine, ...]:
        return tuple(_in_tile(x, size) for x, size in self._sides(operation))

    def _sides(self, operation: SymbolicInstance) -> Iterator[tuple[Affine, int]]:
        """Yields the components of the date that decide the step, with the size of the tiles."""
        if operation.family.statement is not None:
            yield from zip(operation.date, self.distribution.step_sizes(operation.family.statement), strict=False)

    def with_steps(self, space: ViolationSpace, operations: Iterable[SymbolicInstance]) -> ViolationSpace:
        """Returns the space with the numbers of the tiles that are steps of these operations."""
        for operation in operations:
            for x, size in self._sides(operation):
                if size > 1:
                    rest = x - _in_tile(x, size) * size
                    space = space.where_some(
                        [tile_name(x, size)], (at_least(rest, 0), at_least(Affine(constant=size - 1), rest))
                    )
        return space

    def numbers(self, operations: Iterable[SymbolicInstance], values: Values) -> dict[str, int]:
        """Returns the values of these numbers at one point."""
        every = (side for operation in operations for side in self._sides(operation))
        return {tile_name(x, size): x.at(values) // size for x, size in every if size > 1}

    def moment(self, operation: SymbolicInstance, phase: StepPhase = StepPhase.COMPUTE) -> Moment:
        return (*self.step(operation), Affine(constant=phase))

    def sent(
        self, producer: SymbolicInstance, inside: Sequence[SymbolicInstance]
    ) -> tuple[tuple[Conjunction, Moment], ...]:
        """Returns the cases in which one rank owns the places of `inside` and another one that of the producer, with
        the arrival of the value at the first.
        """
        conjunctions: list[tuple[Conjunction, Moment]] = []
        for place, *inner in zip(self.place(producer), *map(self.place, inside), strict=True):
            conjunctions += self._apart(producer, place, inner)
        return tuple(conjunctions)

    def _apart(
        self, producer: SymbolicInstance, place: Affine, inner: Sequence[Affine]
    ) -> tuple[tuple[Conjunction, Moment], ...]:
        """Returns the cases in which one distributed dimension separates them."""
        if not self.distribution.is_by_blocks:
            signs = product((True, False), repeat=len(inner))
            cases = (
                tuple(less(place, x) if low else less(x, place) for x, low in zip(inner, s, strict=True)) for s in signs
            )
            return tuple((case, self.moment(producer, StepPhase.END)) for case in cases)
        lower, higher = tuple(less(place, x) for x in inner), tuple(less(x, place) for x in inner)
        phase = StepPhase.BEGIN if self.is_pipeline else StepPhase.END
        return ((lower, self.moment(producer, phase)), (higher, self.moment(producer, StepPhase.END)))

    # --- by plain integers -------------------------------------------------------------------------------------------

    def place_of(self, event: ConcreteInstance) -> tuple[int, ...]:
        assert event.date is not None
        return event.date[self.distribution.dimensions]

    def step_of(self, event: ConcreteInstance) -> tuple[int, ...]:
        assert event.date is not None
        assert event.family.statement is not None
        return self.distribution.step_at(event.family.statement, event.date)

    def moment_of(self, event: ConcreteInstance) -> tuple[int, ...]:
        return (*self.step_of(event), StepPhase.COMPUTE)

    def arrival_of(self, producer: ConcreteInstance, inside: Sequence[ConcreteInstance]) -> tuple[int, ...] | None:
        """Returns the moment of arrival; None if no assignment of places to ranks separates the producer."""
        sides = list(zip(self.place_of(producer), *map(self.place_of, inside), strict=True))
        if self.distribution.is_by_blocks:
            is_inside = all(min(inner) <= place <= max(inner) for place, *inner in sides)
        else:
            is_inside = all(place in inner for place, *inner in sides)
        if is_inside:
            return None
        is_early = self.is_pipeline and sides[0][0] < min(sides[0][1:])
        return (*self.step_of(producer), StepPhase.BEGIN if is_early else StepPhase.END)

    def rank_text(self, inside: Sequence[ConcreteInstance]) -> str:
        """Returns the name of the smallest rank that owns the places."""
        if self.distribution.is_by_blocks:
            sides = zip(*map(self.place_of, inside), strict=True)
            return "rank " + "x".join(f"[{min(side)},{max(side) + 1})" for side in sides)
        places = sorted({self.place_of(event) for event in inside})
        texts = [date_text(place) if len(place) > 1 else str(place[0]) for place in places]
        return f"the rank of place{'s' if len(places) > 1 else ''} {' and '.join(texts)}"


def _in_tile(component: Affine, size: int) -> Affine:
    """Returns the number of the tile of so many values; 0 if it has all."""
    if size == WHOLE:
        return Affine()
    return component if size == 1 else Affine.name(tile_name(component, size))


def ranks_of(operations: OperationTable) -> Ranks | None:
    """Returns the ranks of the mapping; None if it is not distributed.

    Blocks are pipelined if the script asks for it; if it asks for nothing, where a rank may read a value of lower
    places in the step of the value.
    """
    distribution = operations.mapping.distribution
    if distribution is None:
        return None
    exchange = Ranks(distribution, is_pipeline=False)
    if distribution.way is not None:
        return Ranks(distribution, distribution.way in (Communication.PIPELINE, Communication.SCAN))
    if not distribution.is_by_blocks or distribution.width > 1:
        return exchange
    is_late = any(_may_be_late(operations, exchange, read, writer) for read, writer in remote_reads(operations))
    return Ranks(distribution, is_late)


def remote_reads(operations: OperationTable) -> Iterator[tuple[Read, StatementInstances]]:
    """Yields the reads that may be those of a value of another rank, with every family that writes the value.

    Running values, inputs, and the end of the program are read on the rank of the value. All ranks have the values that
    are combined across them.
    """
    for read in operations.reads:
        if read.reader.moment is Phase.DATED and not read.is_running:
            for writer in operations.writers[read.variable]:
                if writer.moment is Phase.DATED and not writer.merge:
                    yield read, writer


def _may_be_late(operations: OperationTable, ranks: Ranks, read: Read, writer: StatementInstances) -> bool:
    space, received = ReceivedValue.added(ViolationSpace(operations.system), ("reader", "producer"), read, writer)
    space = ranks.with_steps(space, (received.consumer, received.producer))
    lower, arrival = ranks.sent(received.producer, [received.consumer])[0]
    late = possible((*lower, *case) for case in not_before(arrival, ranks.moment(received.consumer)))
    return bool(late) and is_empty_by_isl(lambda: space.counterexamples(late), _OPERATIONS, inf) is not True


def not_before(one: Moment, other: Moment) -> tuple[Conjunction, ...]:
    """Returns the cases where a moment is not before another one."""
    return (tuple(equal(x, y) for x, y in zip(one, other, strict=True)), *smaller(other, one))
