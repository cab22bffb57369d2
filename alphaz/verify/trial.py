"""A mapping on trial: everything that may go wrong, and the orders under which it is asked.

What comes of a question is plain data, named by the number of the question: the questions of one mapping may be divided
among processes, and what they say be put together again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from alphaz.diagnostics.rules import TILING
from alphaz.mapping.axes import axes_of
from alphaz.mapping.design import Design
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statements import resolve
from alphaz.proof import Obligation, Proved, Refuted, Verdict, discharge, holds
from alphaz.verify.obligations.accumulation import accumulation
from alphaz.verify.obligations.copies import copies
from alphaz.verify.obligations.dropped import dropped
from alphaz.verify.obligations.in_place import in_place
from alphaz.verify.obligations.lifetimes import lifetimes
from alphaz.verify.obligations.memory import overwrites, races
from alphaz.verify.obligations.question import Matter, Question
from alphaz.verify.obligations.space_time import causality, one_date_each
from alphaz.verify.options import Options
from alphaz.verify.order.precedence import Order
from alphaz.verify.reads.table import Operations, operations
from alphaz.verify.result import Result, Under


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """`matters` are those that nothing settles, by their numbers among all; they are asked under each of `orders`."""

    mapping: ResolvedMapping
    matters: Mapping[int, Matter]
    orders: Mapping[Under, Order]

    @staticmethod
    def of(design: Design, system: str, options: Options) -> "Trial":
        """Raises Rejected where the mapping is not well formed."""
        mapping = resolve(design, system)
        matters = {number: matter for number, matter in enumerate(questions(operations(mapping))) if not matter.settled}
        return Trial(mapping, matters, orders(mapping, options.exact_tiles))

    def results(self, numbers: Iterable[int] | None = None) -> Iterator[Result]:
        """The verdicts on these questions, or on all."""
        for number in self.matters if numbers is None else numbers:
            yield from self._answers(number)

    def stated(self, result: Result) -> tuple[Question, Order, Obligation]:
        """What a result is about, once more."""
        question, order = self.matters[result.number].ask(), self.orders[result.under]
        obligation = obligation_of(question, order)
        assert obligation is not None, result.claim
        return question, order, obligation

    def _answers(self, number: int) -> Iterator[Result]:
        """A question, and again under tiling where it is proved without."""
        question, tiled = self.matters[number].ask(), self.orders.get(Under.TILED)
        plain = self._answer(number, question, Under.PLAIN)
        if plain is not None:
            yield plain
        if tiled is not None and question.ordered and (plain is None or isinstance(plain.verdict, Proved)):
            yield from self._tiled_answers(number, question)

    def _tiled_answers(self, number: int, question: Question) -> Iterator[Result]:
        """For all tile sizes; for those given only where that fails (what holds for all sizes holds for these). Which
        tiles fail is of interest only where nothing is said of those given.
        """
        obligation = obligation_of(question, self.orders[Under.TILED])
        if obligation is None:
            return
        sized = None
        if Under.SIZED in self.orders:
            if holds(obligation):
                yield Result(
                    number=number, under=Under.TILED, rule=obligation.rule, claim=obligation.claim, verdict=Proved()
                )
                return
            sized = self._answer(number, question, Under.SIZED)
        yield sized or Result(
            number=number,
            under=Under.TILED,
            rule=obligation.rule,
            claim=obligation.claim,
            verdict=self._shown(question, obligation),
        )

    def _shown(self, question: Question, obligation: Obligation) -> Verdict:
        """The verdict for all tile sizes; a refutation with the smallest witness under the sizes that the script gives,
        where they show it as well: it has parameters for which there is more than one tile.
        """
        verdict, given = discharge(obligation), sized_order(self.mapping)
        sized = None if given is None else obligation_of(question, given)
        if sized is None or not isinstance(verdict, Refuted):
            return verdict
        at_sizes = discharge(sized)
        return at_sizes if isinstance(at_sizes, Refuted) and obligation.recheck(at_sizes.point) else verdict

    def _answer(self, number: int, question: Question, under: Under) -> Result | None:
        """None where constants alone show that it holds."""
        obligation = obligation_of(question, self.orders[under])
        if obligation is None:
            return None
        return Result(
            number=number, under=under, rule=obligation.rule, claim=obligation.claim, verdict=discharge(obligation)
        )


def questions(every: Operations) -> Iterator[Matter]:
    """Everything that may go wrong, in the order of verifier.md section 3."""
    orders = one_date_each, causality, accumulation
    memory = overwrites, races, lifetimes, copies, in_place, dropped
    for family in (*orders, *memory):
        yield from family(every)


def obligation_of(question: Question, order: Order) -> Obligation | None:
    """The obligation under an order; None where constants alone show that it holds."""
    return question.under(order, TILING if order.is_tiled else None)


def orders(mapping: ResolvedMapping, exact_tiles: bool = False) -> dict[Under, Order]:
    """The order without tiling; with it where there are bands; of the sizes in the script where they are asked for, or
    where there are register tiles, whose sizes are never parameters.
    """
    found = {Under.PLAIN: Order(mapping.before)}
    if mapping.bands:
        found[Under.TILED] = Order(mapping.before, mapping.bands)
    sized = sized_order(mapping) if exact_tiles or any(band.registers for band in mapping.bands) else None
    return found if sized is None else {**found, Under.SIZED: sized}


def sized_order(mapping: ResolvedMapping) -> Order | None:
    """The order of tiles of the sizes that the script gives; None where it gives none."""
    sizes = [size for band in mapping.bands for level in band.sizes for size in level]
    if not sizes or None in sizes:
        return None
    return Order(mapping.before, axes=axes_of(mapping.bands, mapping.dimensions))
