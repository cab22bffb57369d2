"""The certificate of one system: every obligation, those that needed no solver included, as it was stated.

The verdicts are those of the verification. The obligations are enumerated once more; each must be the one that stands
next in the report, or one that the verifier may leave to constants or to a reason that is given.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.certificate.certificate import PROVED, REFUTED, UNDECIDED, Entry, Key, Record, Role
from alphaz.diagnostics import Label
from alphaz.diagnostics.rules import (
    ACCUMULATION,
    CAUSALITY,
    INPUT_LOST,
    LIFETIME,
    NOT_INJECTIVE,
    OUTPUT_LOST,
    OVERWRITE,
    RACE,
    TILING,
)
from alphaz.proof import Contradiction, Obligation, Proved, Refuted, Undecided
from alphaz.proof.plain import violations_of
from alphaz.verify.inventory import families_of, inventory, place
from alphaz.verify.operations import Family
from alphaz.verify.order import Order
from alphaz.verify.question import Question, Settled
from alphaz.verify.reads import Operations, operations
from alphaz.verify.verified import Result, SystemReport
from alphaz.verify.verify import orders, questions, sized_order

KINDS = {
    NOT_INJECTIVE: "S1",
    CAUSALITY: "S2",
    ACCUMULATION: "S3",
    OVERWRITE: "M",
    OUTPUT_LOST: "M",
    INPUT_LOST: "M",
    RACE: "M4",
    LIFETIME: "C",
}

ISL = "isl"
CONSTANTS = "constant components of the dates, or of the cells, decide it"


def record(script: str, report: SystemReport) -> Record:
    """The verdicts of a report with all that is needed to decide them again."""
    if report.mapping is None:
        return Record(script, report.system, report.word, None, ())
    every = operations(report.mapping)
    numbers = families_of(every)
    entries = tuple(_Listing(every, numbers, list(report.results[::-1])).entries())
    return Record(script, report.system, report.word, inventory(every, numbers), entries)


@dataclass(slots=True)
class _Listing:
    """Walks through the questions and, beside them, through the results of the report (`results`: the last first)."""

    operations: Operations
    numbers: dict[Family, int]
    results: list[Result]

    def entries(self) -> Iterator[Entry]:
        plain, tiled = orders(self.operations.mapping)
        sized = sized_order(self.operations.mapping)
        count = 0
        for asked in questions(self.operations):
            question = asked.ask() if isinstance(asked, Settled) else asked
            holds = True
            for order in (plain, tiled):
                if order is None or not holds or (order.bands and not question.ordered):
                    continue
                asked_for_sizes = sized is not None and order.bands and self._is_next(f"{question.claim}{sized.scope}")
                chosen = sized if sized is not None and asked_for_sizes else order
                entry = self._entry(f"{count + 1:04}", asked, question, chosen)
                holds = entry.verdict == PROVED
                count += 1
                yield entry
        if self.results:
            raise Contradiction("the report has more obligations than there are questions")

    def _entry(self, name: str, asked: Question | Settled, question: Question, order: Order) -> Entry:
        if isinstance(asked, Settled):
            return self._stated(name, question, order, asked.reason)
        obligation = question.under(order, TILING if order.is_tiled else None)
        if obligation is None:
            return self._stated(name, question, order, CONSTANTS)
        return self._stated(name, question, order, ISL, self._next(obligation))

    def _next(self, obligation: Obligation) -> Result:
        result = self.results.pop() if self.results else None
        if result is None or (result.obligation.rule, result.obligation.claim) != (obligation.rule, obligation.claim):
            raise Contradiction(f"the report does not have this obligation where it should: {obligation.claim}")
        return result

    def _is_next(self, claim: str) -> bool:
        """Whether the report goes on with this claim: tiles of the sizes given, where all sizes failed."""
        return bool(self.results) and self.results[-1].obligation.claim == claim

    def _stated(self, name: str, question: Question, order: Order, how: str, result: Result | None = None) -> Entry:
        formula = question.stated(order)
        verdict = result.verdict if result else Proved()
        labels = (Label(question.span, "mapped here"), *question.related)
        return Entry(
            name,
            self._key(question, order.is_tiled),
            (TILING if order.is_tiled else question.rule).code,
            f"{question.claim}{order.scope}",
            tuple(Role(role, names) for role, names in question.scene.roles),
            violations_of(formula),
            formula.text(),
            {Proved: PROVED, Refuted: REFUTED, Undecided: UNDECIDED}[type(verdict)],
            how,
            dict(verdict.point) if isinstance(verdict, Refuted) else None,
            verdict.witness.sentence if isinstance(verdict, Refuted) else "",
            verdict.reason if isinstance(verdict, Undecided) else "",
            tuple(found for found in map(place, labels) if found is not None),
        )

    def _key(self, question: Question, tiled: bool) -> Key:
        reads = [at for at, read in enumerate(self.operations.reads) if read is question.read]
        families = {name: self.numbers[family] for name, family in question.families}
        kind = KINDS[question.rule] if question.ordered or question.rule is not LIFETIME else "C1"
        return Key(kind, reads[0] if reads else None, families, tiled)
