"""The certificate of one system: every obligation as stated, including those that needed no solver.

The verdicts are those of the verification. The obligations are enumerated once more; each must occur in the report, or
be one that the verifier may leave to constants or to a given reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from alphaz.certificate.mapping_inventory import (
    PROVED,
    ObligationKey,
    ObligationRecord,
    Record,
    RoleRecord,
)
from alphaz.certificate.separated_operations import separations
from alphaz.diagnostics import Label
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    DROPPED,
    IN_PLACE,
    INPUT_LOST,
    LATE_MESSAGE,
    LIFETIME,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    PACKING,
    RACE,
    SENT_LOST,
    SEVERAL_PLACES,
    TILING,
)
from alphaz.legality.mapping_obligations import obligation_of, order_obligations, orders
from alphaz.legality.message_overlap import (
    Border,
    borders,
    lost_copies,
    order_at_once,
    overlap_of,
    questions_at_once,
)
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.rank_communication import ranks_of
from alphaz.legality.reporting.certificate_inventory import families_of, inventory, place
from alphaz.legality.verdicts import ObligationVerdict, SystemVerdict, TileOrder
from alphaz.mapping.target_mapping import Communication
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.operations import StatementInstances
from alphaz.order.precedence import Order
from alphaz.proof import Contradiction, Engine, Proved, Refuted, Undecided
from alphaz.proof.certificate_formulas import complete_point, formula_of, violations_of

KINDS = {
    NOT_INJECTIVE: "S1",
    CAUSALITY: "S2",
    ACCUMULATION: "S3",
    OVERWRITE: "M",
    OUTPUT_LOST: "M",
    INPUT_LOST: "M",
    RACE: "M4",
    LIFETIME: "C",
    PACKING: "P",
    IN_PLACE: "I",
    DROPPED: "D",
    SEVERAL_PLACES: "D0",
    LATE_MESSAGE: "D1",
    SENT_LOST: "D3",
}

CONSTANTS = "constant components of the dates, or of the cells, decide it"


def record(script: str, report: SystemVerdict) -> Record:
    """Returns the verdicts of a report with all data that is needed to decide them again."""
    if report.mapping is None:
        return Record(
            script=script,
            system=report.system,
            verdict=report.plain_word,
            inventory=None,
            separations=(),
            obligations=(),
        )
    every = operations(report.mapping)
    numbers = families_of(every)
    results = {(result.number, result.under): result for result in report.results}
    listing = _Listing(every, numbers, orders(report.mapping, exact_tiles=True), results)
    border = _border(every) if report.is_proved else None
    made_of = inventory(every, numbers, border)
    apart = tuple(
        replace(separation, isl=formula_of(separation.violations).text()) for separation in separations(made_of)
    )
    record_ = Record(
        script=script,
        system=report.system,
        verdict=report.plain_word,
        inventory=made_of,
        separations=apart,
        obligations=tuple(listing.entries(border)),
    )
    if results:
        raise Contradiction("the report has more obligations than there are questions")
    return record_


def _border(every: OperationTable) -> Border | None:
    """Returns the border of an overlap of messages and work, if it is proved and the script does not exclude it."""
    distribution = every.mapping.distribution
    if distribution is None or distribution.way not in (None, Communication.OVERLAP):
        return None
    overlap = overlap_of(every)
    return overlap if isinstance(overlap, Border) else None


@dataclass(frozen=True, slots=True)
class _Listing:
    """Enumerates the obligations, and takes the report's entries for each from the results."""

    operations: OperationTable
    numbers: Mapping[StatementInstances, int]
    orders: Mapping[TileOrder, Order]
    results: dict[tuple[int, TileOrder], ObligationVerdict]

    def entries(self, border: Border | None) -> Iterator[ObligationRecord]:
        listed = (
            entry
            for number, matter in enumerate(order_obligations(self.operations))
            for entry in self._entries(number, matter, matter.ask())
        )
        for count, entry in enumerate((*listed, *self._of_overlap(border)), 1):
            yield replace(entry, id=f"{count:04}")

    def _of_overlap(self, border: Border | None) -> Iterator[ObligationRecord]:
        """Yields the obligations of an overlap that is proved."""
        ranks = ranks_of(self.operations)
        if ranks is None or border is None:
            return
        for question in (*borders(self.operations, ranks, border), *lost_copies(self.operations, ranks)):
            yield self._obligation_record(question, self.orders[TileOrder.PLAIN], Engine.ISL)
        for question in questions_at_once(self.operations):
            entry = self._obligation_record(question, order_at_once(self.operations, ranks), Engine.ISL)
            yield replace(entry, key=replace(entry.key, kind=f"D12.{entry.key.kind}"))

    def _entries(
        self, number: int, matter: DeferredObligation, question: OrderObligation
    ) -> Iterator[ObligationRecord]:
        """Yields the obligation, and its entries under tiling: for all sizes, or for the requested ones."""
        plain = self._entry(number, TileOrder.PLAIN, matter, question)
        yield plain
        if plain.verdict == PROVED and question.ordered and TileOrder.TILED in self.orders:
            sized = (number, TileOrder.SIZED) in self.results
            yield self._entry(number, TileOrder.SIZED if sized else TileOrder.TILED, matter, question)

    def _entry(
        self, number: int, under: TileOrder, matter: DeferredObligation, question: OrderObligation
    ) -> ObligationRecord:
        order = self.orders[under]
        if matter.exemption:
            return self._obligation_record(question, order, matter.exemption)
        obligation = obligation_of(question, order)
        if obligation is None:
            return self._obligation_record(question, order, CONSTANTS)
        result = self.results.pop((number, under), None)
        if result is None or (result.rule, result.claim) != (obligation.rule, obligation.claim):
            raise Contradiction(f"the report does not have this obligation: {obligation.claim}")
        how = Engine.ISL if isinstance(result.verdict, Undecided) else result.verdict.by
        return self._obligation_record(question, order, how, result)

    def _obligation_record(
        self, question: OrderObligation, order: Order, how: str, result: ObligationVerdict | None = None
    ) -> ObligationRecord:
        formula = question.stated(order)
        verdict = result.verdict if result else Proved()
        labels = (Label(question.span, "mapped here"), *question.related)
        return ObligationRecord(
            id="",
            key=self._key(question, order),
            rule=(TILING if order.is_tiled else question.rule).code,
            claim=f"{question.claim}{order.scope}",
            roles=tuple(RoleRecord(role, names) for role, names in question.violation_space.roles),
            violations=violations_of(formula),
            isl=formula.text(),
            verdict=verdict.word,
            how=how,
            witness=complete_point(formula, verdict.point) if isinstance(verdict, Refuted) else None,
            sentence=verdict.witness.sentence if isinstance(verdict, Refuted) else "",
            reason=verdict.reason if isinstance(verdict, Undecided) else "",
            places=tuple(location for location in map(place, labels) if location is not None),
        )

    def _key(self, question: OrderObligation, order: Order) -> ObligationKey:
        reads = [position for position, read in enumerate(self.operations.reads) if read is question.read]
        families = {name: self.numbers[family] for name, family in question.families} | dict(question.numbers)
        if question.copy is not None:
            families["copy"] = self.operations.mapping.aliases.every.index(question.copy)
        if question.received is not None:
            families["received"] = self.operations.reads.index(question.received)
        kind = question.kind or (KINDS[question.rule] if question.ordered or question.rule != LIFETIME else "C1")
        return ObligationKey(kind, reads[0] if reads else None, families, order.is_tiled, sized=bool(order.axes))
