"""D13: a scan needs no values of lower places but those that MPI_Exscan gives.

- A rank reads no values of lower places but the prefixes of scans (mapping/prefix_scans.py has their form);
- the value before, of the same line, is at the place before, in the same step;
- terms are known before the step: they read values of earlier steps, and inputs;
- points without a value before them are the first of their lines, so that the prefix before a place is the combined
  total of all places below.

The order on a rank and the arrival of values are those of a pipeline, of which D1 to D6 are stated. Source:
distributed.md, Communication.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import NOWHERE, Label, Span, Witness
from alphaz.diagnostics.rules import NO_SCAN
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.rank_communication import Ranks, ReceivedValue, not_before, ranks_of, remote_reads
from alphaz.legality.obligations.space_time import labels
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.legality.obligations.witness_text import operation, witness, written_text
from alphaz.mapping.prefix_scans import PrefixScan
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import ConcreteInstance, Phase, StatementInstances, Values
from alphaz.order.precedence import Conjunction, Order, differences
from alphaz.poly import Affine, equal, less

Number = TypeVar("Number", Affine, int)

_ROLES = ("reader", "producer")


def scans(operations: OperationTable) -> Iterator[DeferredObligation]:
    """Yields the obligations of the scans that the script asks for."""
    ranks = ranks_of(operations)
    if ranks is None or not ranks.distribution.scans:
        return
    table = _Table(operations, ranks)
    for read, writer in remote_reads(operations):
        scan = table.scan_of(read)
        if scan is not None:
            yield DeferredObligation(partial(table.value_before, scan, read, writer))
        else:
            yield DeferredObligation(partial(table.not_below, read, writer))
            if any(read.reader.variable == scan.variable for scan in ranks.distribution.scans):
                yield DeferredObligation(partial(table.known_before, read, writer))
    for scan in ranks.distribution.scans:
        yield DeferredObligation(partial(table.first_of_line, scan))


def scan_reads(operations: OperationTable, scan: PrefixScan) -> tuple[int, ...]:
    """Returns the numbers of the reads of the value before."""
    return tuple(number for number, read in enumerate(operations.reads) if _is_value_before(scan, read))


def _is_value_before(scan: PrefixScan, read: Read) -> bool:
    return read.variable == scan.variable and scan.has(read.reference)


@dataclass(frozen=True, slots=True, eq=False)
class _WrongReads:
    """Reads of values in a space that are wrong in the cases, which `is_wrong` decides by integers for a reader and a
    write. `is_of_term`: a term of the scan reads the value.
    """

    space: ViolationSpace
    used: ReceivedValue
    cases: tuple[Conjunction, ...]
    is_wrong: Callable[[ConcreteInstance, ConcreteInstance], bool]
    is_of_term: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    operations: OperationTable
    ranks: Ranks

    def scan_of(self, read: Read) -> PrefixScan | None:
        """Returns the scan of which the read is that of the value before."""
        scans = self.ranks.distribution.scans
        return next((scan for scan in scans if _is_value_before(scan, read)), None)

    def value_before(self, scan: PrefixScan, read: Read, writer: StatementInstances) -> OrderObligation:
        """Returns: the value before is that of the place before, in the same step."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _ROLES, read, writer)
        ranks, x, v = self.ranks, used.consumer, used.producer
        here = *ranks.step(x), *(place - 1 for place in ranks.place(x)), *_before(scan, x.point)
        cases = differences(here, (*ranks.step(v), *ranks.place(v), *used.index))

        def is_wrong(reader: ConcreteInstance, write: ConcreteInstance) -> bool:
            place = (place - 1 for place in ranks.place_of(reader))
            expected = *ranks.step_of(reader), *place, *_before(scan, reader.point)
            return expected != (*ranks.step_of(write), *ranks.place_of(write), *write.target)

        return self._of_read(
            _WrongReads(space=space, used=used, cases=cases, is_wrong=is_wrong),
            f"the {read.variable} before{_text(read)} is at the place before, in the same step",
            f"the value of {read.variable} before is not at the place before, in the same step",
        )

    def not_below(self, read: Read, writer: StatementInstances) -> OrderObligation:
        """Returns: the value is not at a lower place."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _ROLES, read, writer)
        ranks = self.ranks
        cases = ((less(*ranks.place(used.producer), *ranks.place(used.consumer)),),)
        fault = ranks.distribution.no_scans.get(read.variable) if read.reader.variable == read.variable else None
        reason = ", and is no prefix of it" if fault is None else f": {fault.reason}"

        def is_wrong(reader: ConcreteInstance, write: ConcreteInstance) -> bool:
            return ranks.place_of(write) < ranks.place_of(reader)

        return self._of_read(
            _WrongReads(space=space, used=used, cases=cases, is_wrong=is_wrong),
            f"{read.reader.name}{_text(read)} reads no {read.variable} of lower places, of which it is no prefix",
            f"{read.reader.name} reads {read.named} of lower places{reason}",
        )

    def known_before(self, read: Read, writer: StatementInstances) -> OrderObligation:
        """Returns: the value, which a term reads, is of an earlier step."""
        space, used = ReceivedValue.added(ViolationSpace(self.operations.system), _ROLES, read, writer)
        ranks = self.ranks
        cases = not_before(ranks.step(used.producer), ranks.step(used.consumer))

        def is_wrong(reader: ConcreteInstance, write: ConcreteInstance) -> bool:
            return ranks.step_of(write) >= ranks.step_of(reader)

        return self._of_read(
            _WrongReads(space=space, used=used, cases=cases, is_wrong=is_wrong, is_of_term=True),
            f"the terms of {read.reader.name} read {read.named}{_text(read)} of earlier steps",
            f"a term of {read.reader.name} reads {read.named} of the same step",
        )

    def _of_read(self, wrong: _WrongReads, claim: str, message: str) -> OrderObligation:
        """Returns the obligation that there are none of these reads."""
        used = wrong.used
        read, writer = used.read, used.producer.family

        def recheck(_: Order, values: Values) -> bool:
            events = used.consumer.event(values), used.producer.event(values)
            return used.happens(self.operations, values) and wrong.is_wrong(*events)

        def explain(order: Order, values: Values) -> Witness:
            reader, write = used.consumer.event(values), used.producer.event(values)
            here, there = (self.ranks.rank_text([event]) for event in (reader, write))
            value = f"{point_text(read.variable, write.target)} of {there}"
            sentence = f"{operation(reader)} on {here}, reads {value}, {written_text(write)}"
            events = (("reader", reader), ("producer", write))
            return witness(self.operations.mapping, order, values, events, sentence)

        terms = (("term", read.reader),) if wrong.is_of_term else ()
        return OrderObligation(
            rule=NO_SCAN,
            kind="D13",
            claim=claim,
            violation_space=wrong.space,
            alternatives=lambda _: (wrong.cases,),
            recheck=recheck,
            explain=explain,
            message=message,
            remedy=_REMEDY,
            span=self._span,
            related=(*labels(read), Label(read.reader.span, "dated here")),
            pair=frozenset({read.reader, writer}),
            read=read,
            families=(("producer", writer), *terms),
            occurrences=(("reader", used.consumer), ("producer", used.producer)),
            ordered=False,
            listed=False,
        )

    def first_of_line(self, scan: PrefixScan) -> OrderObligation:
        """Returns: points that are combined with no value before them are the first of their lines."""
        (family,) = (one for one in self.operations.writers[scan.variable] if one.moment is Phase.DATED)
        starts = scan.starts.renamed(family.names)
        space, first = ViolationSpace(self.operations.system).with_any("value", family)
        names = [name for x in first.point for name in x.names]
        space = replace(space, domains=(*space.domains, starts.renamed(names)))
        space, early = space.with_any("other", family)
        line = [
            equal(x, y)
            for position, (x, y) in enumerate(zip(first.point, early.point, strict=True))
            if position != scan.index
        ]
        space = space.where((*line, less(early.point[scan.index], first.point[scan.index])))

        def recheck(_: Order, values: Values) -> bool:
            one, other = first.event(values), early.event(values)
            is_start = starts.contains({**values, **dict(zip(family.names, one.point, strict=True))})
            is_earlier = all(
                (x > y) if position == scan.index else x == y
                for position, (x, y) in enumerate(zip(one.point, other.point, strict=True))
            )
            return is_start and is_earlier and family.has(values, one.point) and family.has(values, other.point)

        def explain(order: Order, values: Values) -> Witness:
            one, other = first.event(values), early.event(values)
            sentence = f"{operation(one)}, is combined with no value before, and {operation(other)}, is before it"
            return witness(self.operations.mapping, order, values, (("value", one), ("other", other)), sentence)

        return OrderObligation(
            rule=NO_SCAN,
            kind="D13",
            claim=f"{scan.variable} begins at the first points of its lines alone",
            violation_space=space,
            alternatives=lambda _: (),
            recheck=recheck,
            explain=explain,
            message=f"{scan.variable} begins again in the middle of a line",
            remedy=_REMEDY,
            span=self._span,
            related=tuple(Label(term.expression.span, "no value before") for term in scan.terms if term.before is None),
            pair=frozenset({family}),
            families=(("value", family),),
            occurrences=(("value", first), ("other", early)),
            ordered=False,
            listed=False,
        )

    @property
    def _span(self) -> Span:
        choice = self.ranks.distribution.communication
        return NOWHERE if choice is None else choice.span


_REMEDY = "leave setCommunication out: values of lower places then come in a pipeline"


def _before(scan: PrefixScan, point: Sequence[Number]) -> Iterator[Number]:
    """Yields the components of the point before in the line."""
    for position, x in enumerate(point):
        yield x - 1 if position == scan.index else x


def _text(read: Read) -> str:
    return f" ({read.reference.span.text})" if read.reference is not None else ""
