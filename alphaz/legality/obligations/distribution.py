"""Obligations of distributed mappings: D1 to D6, and that every value has one place and is sent in one step.

They hold for every number of ranks and every assignment of places to ranks: intervals (block), or any function of the
place (cyclic, block-cyclic). The rank of a place alone matters, so the sets have the places of the operations, and no
bounds of blocks: an interval has the places of x and w, but not that of v, if and only if that of v lies on one side of
both. S1 to M4 in the order on one rank (D7, D8) are the obligations of every mapping. Source: verifier.md, Distributed
mappings.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations_with_replacement

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Label, Witness
from alphaz.diagnostics.rules import GHOST_LOST, LATE_MESSAGE, SENT_LOST, SEVERAL_PLACES
from alphaz.legality.obligations.memory import OWN_CELLS
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.rank_communication import Ranks, ReceivedValue, not_before, ranks_of, remote_reads
from alphaz.legality.obligations.space_time import NESTS, labels
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import operation, witness, written_text
from alphaz.mapping.cells import is_one_to_one, location
from alphaz.mapping.statement import Cell, date_text
from alphaz.model.program import Kind
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Conjunction, Order, always_before, differences, smaller
from alphaz.poly import Affine, equal

_READ = ("reader", "producer")
_OTHER = ("other", "sender")


def distributed(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields the obligations of the distribution; none if the mapping has no distribution."""
    ranks = ranks_of(operations)
    if ranks is None:
        return
    for matter in _of_ranks(_Table(operations, ranks)):
        yield DeferredObligation(partial(_with_steps, matter, ranks), matter.exemption)


def _of_ranks(table: "_Table") -> Iterator[DeferredObligation]:
    yield from table.places()
    for read, writer in remote_reads(table.operations):
        yield DeferredObligation(partial(table.in_time, read, writer), table.is_in_earlier_step(writer, read.reader))
    yield from table.packed()
    yield from table.ghosts()


def _with_steps(matter: DeferredObligation, ranks: Ranks) -> OrderObligation:
    """Returns the obligation, whose set has the numbers of the tiles that are steps."""
    question = matter.ask()
    space = ranks.with_steps(question.violation_space, (instance for _, instance in question.occurrences))
    return replace(question, violation_space=space, auxiliary=ranks.numbers)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The operations and the ranks, and the obligations on them."""

    operations: OperationTable
    ranks: Ranks

    @property
    def cells(self) -> dict[str, Cell]:
        return dict(self.operations.mapping.cells)

    @property
    def ghost_cells(self) -> dict[str, Cell]:
        return dict(self.ranks.distribution.ghosts)

    def is_in_earlier_step(self, one: StatementInstances, other: StatementInstances) -> str:
        """Returns the structural reason why steps of the one precede those of the other; empty where none is known."""
        at = next((index for index, (x, y) in enumerate(zip(one.nest, other.nest, strict=False)) if x != y), None)
        is_step = at is not None and at < self.ranks.distribution.position
        return NESTS if is_step and always_before(one, other) else ""

    # --- one place for each value -----------------------------------------------------------------------------------

    def places(self) -> Iterator[DeferredObligation]:
        """Yields: every value has a place, the operations that write it have the same one and, where other ranks read
        the value, the same step.
        """
        for variable, writers in self.operations.writers.items():
            dated = [family for family in writers if family.moment is Phase.DATED]
            declared = self.operations.declared(variable)
            for family in writers:
                if family.moment is Phase.START and (declared is None or declared.kind is not Kind.INPUT):
                    yield DeferredObligation(partial(self._has_place, family))
            if variable in self.operations.private:
                yield DeferredObligation(partial(self._combined_once, self.operations.private[variable]))
                continue
            if all(family.target.is_identity for family in dated) and len(dated) <= 1:
                continue
            for one, other in combinations_with_replacement(dated, 2):
                yield DeferredObligation(partial(self._one_place, one, other))
            for read, one in remote_reads(self.operations):
                if read.variable == variable:
                    for other in dated:
                        yield DeferredObligation(partial(self._one_step, read, one, other))

    def _has_place(self, family: StatementInstances) -> OrderObligation:
        space, a = ViolationSpace(self.operations.system).with_any("value", family)

        def explain(order: Order, values: Values) -> Witness:
            event = a.event(values)
            sentence = f"{point_text(family.variable, event.target)} has no contribution, so that no rank owns it"
            return witness(self.operations.mapping, order, values, (("value", event),), sentence)

        declared = self.operations.declared(family.variable)
        return OrderObligation(
            rule=SEVERAL_PLACES,
            claim=f"every {family.variable} has a place",
            violation_space=space,
            alternatives=lambda _: (),
            recheck=lambda _, values: family.has(values, a.event(values).point),
            explain=explain,
            message=f"values of {family.variable} without contributions have no place",
            remedy=f"map the result of {family.variable}, not the body of its reduction, or date the initialisation",
            span=self.ranks.distribution.span if declared is None else declared.span,
            pair=frozenset({family}),
            families=(("value", family),),
            occurrences=(("value", a),),
            ordered=False,
        )

    def _one_place(self, one: StatementInstances, other: StatementInstances) -> OrderObligation:
        ranks = self.ranks
        return self._alike(
            (one, other),
            ranks.place,
            ranks.place_of,
            (
                "write {}, on different ranks",
                f"the operations of {one.name} and {other.name} that write one {one.variable} have one place",
            ),
            message=f"ranks would share the accumulation of a value of {one.variable}",
            remedy=f"let the indices of {one.variable} determine the distributed dimension, or let ranks combine their"
            " contributions (setReductionDimension)",
        )

    def _combined_once(self, family: StatementInstances) -> OrderObligation:
        """Returns: all contributions to a value that ranks combine are in one step."""
        ranks = self.ranks
        return self._alike(
            (family, family),
            ranks.step,
            ranks.step_of,
            ("contribute to {} in different steps", f"ranks combine every {family.variable} at the end of one step"),
            message=f"a value of {family.variable} is accumulated across ranks in several steps",
            remedy="let the steps not depend on the indices of the reduction",
        )

    def _alike(
        self,
        families: tuple[StatementInstances, StatementInstances],
        of: Callable[[SymbolicInstance], tuple[Affine, ...]],
        of_event: Callable[[ConcreteInstance], tuple[int, ...]],
        words: tuple[str, str],
        message: str,
        remedy: str,
    ) -> OrderObligation:
        """Returns: operations of two families that write one value agree in a part of their dates. `words` say what
        two operations that differ do with the value `{}`, and the claim."""
        one, other = families
        space, a = ViolationSpace(self.operations.system).with_any("operation", one)
        space, b = space.with_any("other", other)
        space = space.where(equal(x, y) for x, y in zip(a.target, b.target, strict=True))

        def recheck(_: Order, values: Values) -> bool:
            first, second = a.event(values), b.event(values)
            both = one.has(values, first.point) and other.has(values, second.point)
            return both and first.target == second.target and of_event(first) != of_event(second)

        def explain(order: Order, values: Values) -> Witness:
            first, second = a.event(values), b.event(values)
            done = words[0].format(point_text(one.variable, first.target))
            sentence = f"{operation(first)}, and {operation(second)}, {done}"
            return witness(self.operations.mapping, order, values, (("operation", first), ("other", second)), sentence)

        return OrderObligation(
            rule=SEVERAL_PLACES,
            claim=words[1],
            violation_space=space,
            alternatives=lambda _: (differences(of(a), of(b)),),
            recheck=recheck,
            explain=explain,
            message=message,
            remedy=remedy,
            span=one.span,
            related=(Label(self.ranks.distribution.span, "distributed here"),),
            pair=frozenset(families),
            families=(("operation", one), ("other", other)),
            occurrences=(("operation", a), ("other", b)),
            ordered=False,
            listed=False,
        )

    def _one_step(self, read: Read, one: StatementInstances, other: StatementInstances) -> OrderObligation:
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, one)
        space, b = space.with_any("other", other)
        space = space.where(equal(x, y) for x, y in zip(used.index, b.target, strict=True))
        ranks, a = self.ranks, used.producer

        def recheck(_: Order, values: Values) -> bool:
            first, second = a.event(values), b.event(values)
            return (
                used.happens(self.operations, values)
                and other.has(values, second.point)
                and first.target == second.target
                and ranks.place_of(first) != ranks.place_of(used.consumer.event(values))
                and ranks.step_of(first) != ranks.step_of(second)
            )

        def explain(order: Order, values: Values) -> Witness:
            reader, first, second = used.consumer.event(values), a.event(values), b.event(values)
            value = point_text(one.variable, first.target)
            sentence = f"{operation(reader)}, reads {value} of another rank, to which {operation(first)}, and"
            sentence += f" {operation(second)}, contribute in different steps"
            events = (("reader", reader), ("producer", first), ("other", second))
            return witness(self.operations.mapping, order, values, events, sentence)

        steps = ranks.step(a), ranks.step(b)
        return OrderObligation(
            rule=SEVERAL_PLACES,
            claim=f"the operations of {one.name} and {other.name} that write a {one.variable} sent for"
            f" {read.reader.name}{_text(read)} have one step",
            violation_space=space,
            alternatives=lambda _: (differences(ranks.place(a), ranks.place(used.consumer)), differences(*steps)),
            recheck=recheck,
            explain=explain,
            message=f"a value of {one.variable} is accumulated in several steps, and sent to another rank",
            remedy="let the steps not depend on the indices of the reduction",
            span=one.span,
            related=labels(read),
            pair=frozenset({one, other}),
            read=read,
            families=(("producer", one), ("other", other)),
            occurrences=(("reader", used.consumer), ("producer", a), ("other", b)),
            ordered=False,
            listed=False,
        )

    # --- D1, D2 ------------------------------------------------------------------------------------------------------

    def in_time(self, read: Read, writer: StatementInstances) -> OrderObligation:
        """Returns D1 and D2: a value of another rank arrives before it is read. In a pipeline it comes from lower
        places only, so that no ranks wait for each other in a circle.
        """
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, writer)
        ranks = self.ranks
        cases = tuple(
            (*where, *late)
            for where, arrival in ranks.sent(used.producer, [used.consumer])
            for late in not_before(arrival, ranks.moment(used.consumer))
        )

        def recheck(_: Order, values: Values) -> bool:
            reader, write = used.consumer.event(values), used.producer.event(values)
            arrival = ranks.arrival_of(write, [reader])
            return used.happens(self.operations, values) and arrival is not None and arrival >= ranks.moment_of(reader)

        def explain(order: Order, values: Values) -> Witness:
            reader, write = used.consumer.event(values), used.producer.event(values)
            why = f"sent {self._after(write)}"
            if ranks.is_pipeline and ranks.step_of(write) == ranks.step_of(reader):
                why += ", from higher places: the ranks wait for each other"
            sentence = f"{self._on(reader, [reader])}, reads {self._value(write)}, {written_text(write)}, and {why}"
            events = (("reader", reader), ("producer", write))
            return witness(self.operations.mapping, order, values, events, sentence, why)

        return OrderObligation(
            rule=LATE_MESSAGE,
            claim=f"every {read.variable} of another rank that {read.reader.name}{_text(read)} reads arrives before",
            violation_space=space,
            alternatives=lambda _: (cases,),
            recheck=recheck,
            explain=explain,
            message=f"{read.reader.name} may read {read.named} of another rank before it arrives",
            remedy=self._remedy(),
            span=used.consumer.family.span,
            related=(*labels(read), Label(ranks.distribution.span, "distributed here")),
            pair=frozenset({read.reader, writer}),
            read=read,
            families=(("producer", writer),),
            occurrences=(("reader", used.consumer), ("producer", used.producer)),
            ordered=False,
            listed=False,
        )

    def _remedy(self) -> str:
        if self.ranks.distribution.width > 1:
            return "let the reader be in a later step"
        if not self.ranks.distribution.is_by_blocks:
            return "let the reader be in a later step; blocks may also read values of lower places in the same step"
        return "let the reader be in a later step, or skew the places so that it reads values of lower places"

    # --- D3 ----------------------------------------------------------------------------------------------------------

    def packed(self) -> Iterator[DeferredObligation]:
        """Yields D3 for every remote read, and every write into the memory space of the value."""
        for read, producer in remote_reads(self.operations):
            for writer in self._writers_in(self.cells[read.variable].space):
                settled = self._own_cells(read.variable, self.cells, writer.variable)
                yield DeferredObligation(partial(self._kept, read, producer, writer), settled)

    def _kept(self, read: Read, producer: StatementInstances, writer: StatementInstances) -> OrderObligation:
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, producer)
        space, w = space.with_any("writer", writer)
        ranks, b, mine, other = self.ranks, used.producer, self.cells[read.variable], self.cells[writer.variable]
        space = space.in_one_cell(other, w.target, mine, used.index)
        space = space.where(equal(x, y) for x, y in zip(ranks.step(b), ranks.step(w), strict=True))
        apart = [differences(w.target, used.index)] if writer.variable == read.variable else []
        cases = tuple(where for where, _ in ranks.sent(used.consumer, [b, w]))

        def recheck(order: Order, values: Values) -> bool:
            reader, made, lost = used.consumer.event(values), b.event(values), w.event(values)
            return (
                used.happens(self.operations, values)
                and writer.has(values, lost.point)
                and ranks.arrival_of(reader, [made, lost]) is not None
                and ranks.step_of(made) == ranks.step_of(lost)
                and not (writer.variable == read.variable and lost.target == made.target)
                and location(other, values, lost.target) == location(mine, values, made.target)
                and not order.compare(lost, made).precedes
            )

        def explain(order: Order, values: Values) -> Witness:
            reader, made, lost = used.consumer.event(values), b.event(values), w.event(values)
            cell = point_text(*location(mine, values, made.target))
            sentence = f"{self._on(made, [made, lost])}, is sent {self._after(made)}"
            sentence += f" to {operation(reader)}, but {operation(lost)}, overwrites its cell {cell} in this step"
            events = (("reader", reader), ("producer", made), ("writer", lost))
            return witness(self.operations.mapping, order, values, events, sentence)

        return OrderObligation(
            rule=SENT_LOST,
            claim=f"no {writer.name} overwrites a {read.variable} before it is sent to {read.reader.name}{_text(read)}",
            violation_space=space,
            alternatives=lambda order: (cases, order.failures(w, b), *apart),
            recheck=recheck,
            explain=explain,
            message=f"{writer.name} overwrites {read.variable} before it is sent",
            remedy=f"give {read.variable} more cells (a memory map, or larger mod factors), or let steps be shorter",
            span=mine.span,
            related=labels(read),
            pair=frozenset({writer, producer}),
            read=read,
            families=(("writer", writer), ("producer", producer)),
            occurrences=(("reader", used.consumer), ("producer", b), ("writer", w)),
            listed=False,
        )

    # --- D4, D5, D6 --------------------------------------------------------------------------------------------------

    def ghosts(self) -> Iterator[DeferredObligation]:
        """Yields D4 to D6: for every remote read the writes, and the received copies, of one memory space."""
        remote, ghosts, cells = tuple(remote_reads(self.operations)), self.ghost_cells, self.cells
        for read, producer in remote:
            for writer in self._writers_in(ghosts[read.variable].space):
                yield DeferredObligation(partial(self._ghost_kept, read, producer, writer))
            for other, sender in remote:
                if ghosts[read.variable].space == ghosts[other.variable].space:
                    settled = self._own_cells(read.variable, ghosts, other.variable)
                    yield DeferredObligation(partial(self._ghosts_apart, read, producer, other, sender), settled)
        for other, sender in remote:
            for read in self.operations.reads:
                if cells[read.variable].space != ghosts[other.variable].space:
                    continue
                is_halo = ghosts[other.variable] is cells[other.variable]
                settled = self._own_cells(read.variable, cells, other.variable) if is_halo else ""
                for first in self.operations.firsts[read.variable]:
                    yield DeferredObligation(partial(self._own_kept, read, first, other, sender), settled)

    def _ghost_kept(self, read: Read, producer: StatementInstances, writer: StatementInstances) -> OrderObligation:
        """Returns D4: no rank overwrites a received copy before its last read."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, producer)
        space, w = space.with_any("writer", writer)
        ranks, x, b = self.ranks, used.consumer, used.producer
        mine, other = self.ghost_cells[read.variable], self.cells[writer.variable]
        space = space.in_one_cell(other, w.target, mine, used.index)
        is_reader = writer.operation is read.reader.operation
        apart = [differences(w.own, x.own)] if is_reader else []
        cases = tuple(
            (*where, *after) for where, arrival in ranks.sent(b, [x, w]) for after in smaller(arrival, ranks.moment(w))
        )

        def recheck(order: Order, values: Values) -> bool:
            reader, made, lost = x.event(values), b.event(values), w.event(values)
            arrival = ranks.arrival_of(made, [reader, lost])
            return (
                used.happens(self.operations, values)
                and writer.has(values, lost.point)
                and arrival is not None
                and arrival < ranks.moment_of(lost)
                and not lost.is_same(reader)
                and location(other, values, lost.target) == location(mine, values, made.target)
                and not order.compare(reader, lost).precedes
            )

        def explain(order: Order, values: Values) -> Witness:
            reader, made, lost = x.event(values), b.event(values), w.event(values)
            cell = point_text(*location(mine, values, made.target))
            sentence = f"{self._on(reader, [reader, lost])}, reads the received copy of {self._value(made)}, but"
            sentence += f" {operation(lost)}, overwrites its cell {cell}"
            events = (("reader", reader), ("producer", made), ("writer", lost))
            return witness(self.operations.mapping, order, values, events, sentence)

        return self._ghost_obligation(
            "D4",
            f"no {writer.name} overwrites a received {read.variable} before {read.reader.name}{_text(read)} reads it",
            f"{writer.name} overwrites received values of {read.variable}",
            space,
            lambda order: (cases, order.failures(x, w), *apart),
            (recheck, explain),
            read,
            (("producer", b), ("writer", w)),
            used,
        )

    def _ghosts_apart(
        self, read: Read, producer: StatementInstances, other: Read, sender: StatementInstances
    ) -> OrderObligation:
        """Returns D5: no received copy overwrites another one before its last read."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, producer)
        space, late = ReceivedValue.added(space, _OTHER, other, sender)
        ranks, x, b, y, u = self.ranks, used.consumer, used.producer, late.consumer, late.producer
        mine, theirs = self.ghost_cells[read.variable], self.ghost_cells[other.variable]
        space = space.in_one_cell(theirs, late.index, mine, used.index)
        apart = [differences(late.index, used.index)] if other.variable == read.variable else []
        cases = tuple(
            (*one, *two, *after, *before)
            for one, arrival in ranks.sent(b, [x, y])
            for two, later in ranks.sent(u, [x, y])
            for after in not_before(later, arrival)
            for before in smaller(later, ranks.moment(x))
        )

        def recheck(_: Order, values: Values) -> bool:
            reader, made, second, sent = x.event(values), b.event(values), y.event(values), u.event(values)
            arrival, later = ranks.arrival_of(made, [reader, second]), ranks.arrival_of(sent, [reader, second])
            return (
                used.happens(self.operations, values)
                and late.happens(self.operations, values)
                and arrival is not None
                and later is not None
                and arrival <= later < ranks.moment_of(reader)
                and (other.variable != read.variable or made.target != sent.target)
                and location(theirs, values, sent.target) == location(mine, values, made.target)
            )

        def explain(order: Order, values: Values) -> Witness:
            reader, made, second, sent = x.event(values), b.event(values), y.event(values), u.event(values)
            cell = point_text(*location(mine, values, made.target))
            sentence = f"{self._on(reader, [reader, second])}, reads the received copy of {self._value(made)}, but"
            sentence += f" that of {self._value(sent)}, for {operation(second)}, arrives in the same cell {cell} before"
            events = (("reader", reader), ("producer", made), ("other", second), ("sender", sent))
            return witness(self.operations.mapping, order, values, events, sentence)

        return self._ghost_obligation(
            "D5",
            f"no received {other.variable} for {other.reader.name}{_text(other)} overwrites a received {read.variable}"
            f" before {read.reader.name}{_text(read)} reads it",
            f"received values of {other.variable} overwrite received values of {read.variable}",
            space,
            lambda _: (cases, *apart),
            (recheck, explain),
            read,
            (("producer", b), ("other", y), ("sender", u)),
            used,
            other,
        )

    def _own_kept(
        self, read: Read, first: StatementInstances, other: Read, sender: StatementInstances
    ) -> OrderObligation:
        """Returns D6: no received copy overwrites a value that its rank computed and still needs."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _READ, read, first)
        space, late = ReceivedValue.added(space, _OTHER, other, sender)
        ranks, x, b, y, u = self.ranks, used.consumer, used.producer, late.consumer, late.producer
        mine, theirs = self.cells[read.variable], self.ghost_cells[other.variable]
        space = space.in_one_cell(theirs, late.index, mine, used.index)
        inside = [y, *(instance for instance in (x, b) if instance.family.moment is Phase.DATED)]
        cases = tuple(
            (*where, *after, *before)
            for where, arrival in ranks.sent(u, inside)
            for after in (((),) if b.family.moment is Phase.START else smaller(ranks.moment(b), arrival))
            for before in (((),) if x.family.moment is Phase.END else smaller(arrival, ranks.moment(x)))
        )

        def recheck(_: Order, values: Values) -> bool:
            reader, made, second, sent = x.event(values), b.event(values), y.event(values), u.event(values)
            arrival = ranks.arrival_of(sent, [second, *(e for e in (reader, made) if e.date is not None)])
            return (
                used.happens(self.operations, values)
                and late.happens(self.operations, values)
                and arrival is not None
                and (made.date is None or ranks.moment_of(made) < arrival)
                and (reader.date is None or arrival < ranks.moment_of(reader))
                and (other.variable, sent.target) != (read.variable, made.target)
                and location(theirs, values, sent.target) == location(mine, values, made.target)
            )

        def explain(order: Order, values: Values) -> Witness:
            reader, made, second, sent = x.event(values), b.event(values), y.event(values), u.event(values)
            cell = point_text(*location(mine, values, made.target))
            on = [event for event in (reader, made, second) if event.date is not None]
            what = "is needed at the end" if reader.date is None else f"is read by {operation(reader)}"
            sentence = (
                f"{point_text(read.variable, made.target)}, {written_text(made)} on {ranks.rank_text(on)}, {what}"
            )
            sentence += (
                f", but the received copy of {self._value(sent)}, for {operation(second)}, overwrites its cell {cell}"
            )
            events = (("reader", reader), ("producer", made), ("other", second), ("sender", sent))
            return witness(self.operations.mapping, order, values, events, sentence)

        return self._ghost_obligation(
            "D6",
            f"no received {other.variable} for {other.reader.name}{_text(other)} overwrites a {read.variable}"
            f" before {read.reader.name}{_text(read)} reads it",
            f"received values of {other.variable} overwrite {read.variable}",
            space,
            lambda _: (cases, *([differences(late.index, used.index)] if other.variable == read.variable else [])),
            (recheck, explain),
            read,
            (("producer", b), ("other", y), ("sender", u)),
            used,
            other,
        )

    def _ghost_obligation(
        self,
        kind: str,
        claim: str,
        message: str,
        space: ViolationSpace,
        alternatives: Callable[[Order], Sequence[Sequence[Conjunction]]],
        checks: tuple[Callable[[Order, Values], bool], Callable[[Order, Values], Witness]],
        read: Read,
        operations: tuple[tuple[str, SymbolicInstance], ...],
        used: ReceivedValue,
        received: Read | None = None,
    ) -> OrderObligation:
        """Returns D4, D5 or D6; of these D4 alone depends on the order of operations."""
        recheck, explain = checks
        ghost = self.ghost_cells[read.variable]
        return OrderObligation(
            rule=GHOST_LOST,
            kind=kind,
            received=received,
            claim=claim,
            violation_space=space,
            alternatives=alternatives,
            recheck=recheck,
            explain=explain,
            message=message,
            remedy="give the received copies cells of their own (setGhostMap), or larger mod factors",
            span=ghost.span,
            related=(*labels(read), Label(self.ranks.distribution.span, "distributed here")),
            pair=frozenset(instance.family for _, instance in operations),
            read=read,
            families=tuple((role, instance.family) for role, instance in operations),
            occurrences=(("reader", used.consumer), *operations),
            ordered=received is None,
            listed=False,
        )

    # --- shared ------------------------------------------------------------------------------------------------------

    def _writers_in(self, space: str) -> Iterator[StatementInstances]:
        """Yields the families with dates that write into a memory space."""
        for family in self.operations.families:
            if family.moment is Phase.DATED and self.cells[family.variable].space == space:
                yield family

    @staticmethod
    def _own_cells(variable: str, cells: dict[str, Cell], other: str) -> str:
        """Returns the structural reason why two different values never share a cell; empty where none is known."""
        return OWN_CELLS if variable == other and is_one_to_one(cells[variable]) else ""

    def _after(self, event: ConcreteInstance) -> str:
        step = self.ranks.step_of(event)
        return f"after step {date_text(step)}" if step else "at the end"

    def _on(self, event: ConcreteInstance, inside: Sequence[ConcreteInstance]) -> str:
        return f"{operation(event)} on {self.ranks.rank_text(inside)}"

    def _value(self, event: ConcreteInstance) -> str:
        return f"{point_text(event.family.variable, event.target)} of {self.ranks.rank_text([event])}"


def _text(read: Read) -> str:
    return f" ({read.reference.span.text})" if read.reference is not None else ""
