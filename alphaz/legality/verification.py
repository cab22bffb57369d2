"""A mapping on trial: everything that may go wrong, and the orders under which it is asked.

What comes of a question is plain data, named by the number of the question: the questions of one mapping may be divided
among processes, and what they say be put together again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from alphaz.diagnostics.rules import TILING
from alphaz.legality.obligations.accumulation import accumulation
from alphaz.legality.obligations.copies import copies, dropped_copies, in_place
from alphaz.legality.obligations.deferred import DeferredObligation, OrderObligation
from alphaz.legality.obligations.lifetimes import lifetimes
from alphaz.legality.obligations.memory import overwrites, races
from alphaz.legality.obligations.space_time import causality, one_date_each
from alphaz.legality.options import ObligationVerdict, Options, TileOrder
from alphaz.mapping.axes import axes_of
from alphaz.mapping.design import Design
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statements import resolve
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.precedence import Order
from alphaz.proof import Obligation, Proved, Refuted, Verdict, discharge, holds


@dataclass(frozen=True, slots=True, eq=False)
class Verification:
    """`matters` are those that nothing settles, by their numbers among all; they are asked under each of `orders`."""

    mapping: ResolvedMapping
    matters: Mapping[int, DeferredObligation]
    orders: Mapping[TileOrder, Order]

    @staticmethod
    def of(design: Design, system: str, options: Options) -> "Verification":
        """Raises Rejected where the mapping is not well formed."""
        mapping = resolve(design, system)
        matters = {number: matter for number, matter in enumerate(questions(operations(mapping))) if not matter.settled}
        return Verification(mapping, matters, orders(mapping, options.exact_tiles))

    def results(self, numbers: Iterable[int] | None = None) -> Iterator[ObligationVerdict]:
        """The verdicts on these questions, or on all."""
        for number in self.matters if numbers is None else numbers:
            yield from self._answers(number)

    def stated(self, result: ObligationVerdict) -> tuple[OrderObligation, Order, Obligation]:
        """What a result is about, once more."""
        question, order = self.matters[result.number].ask(), self.orders[result.under]
        obligation = obligation_of(question, order)
        assert obligation is not None, result.claim
        return question, order, obligation

    def _answers(self, number: int) -> Iterator[ObligationVerdict]:
        """A question, and again under tiling where it is proved without."""
        question, tiled = self.matters[number].ask(), self.orders.get(TileOrder.TILED)
        plain = self._answer(number, question, TileOrder.PLAIN)
        if plain is not None:
            yield plain
        if tiled is not None and question.ordered and (plain is None or isinstance(plain.verdict, Proved)):
            yield from self._tiled_answers(number, question)

    def _tiled_answers(self, number: int, question: OrderObligation) -> Iterator[ObligationVerdict]:
        """For all tile sizes; for those given only where that fails (what holds for all sizes holds for these). Which
        tiles fail is of interest only where nothing is said of those given.
        """
        obligation = obligation_of(question, self.orders[TileOrder.TILED])
        if obligation is None:
            return
        sized = None
        if TileOrder.SIZED in self.orders:
            if holds(obligation):
                yield ObligationVerdict(
                    number=number, under=TileOrder.TILED, rule=obligation.rule, claim=obligation.claim, verdict=Proved()
                )
                return
            sized = self._answer(number, question, TileOrder.SIZED)
        yield sized or ObligationVerdict(
            number=number,
            under=TileOrder.TILED,
            rule=obligation.rule,
            claim=obligation.claim,
            verdict=self._shown(question, obligation),
        )

    def _shown(self, question: OrderObligation, obligation: Obligation) -> Verdict:
        """The verdict for all tile sizes; a refutation with the smallest witness under the sizes that the script gives,
        where they show it as well: it has parameters for which there is more than one tile.
        """
        verdict, given = discharge(obligation), sized_order(self.mapping)
        sized = None if given is None else obligation_of(question, given)
        if sized is None or not isinstance(verdict, Refuted):
            return verdict
        at_sizes = discharge(sized)
        return at_sizes if isinstance(at_sizes, Refuted) and obligation.recheck(at_sizes.point) else verdict

    def _answer(self, number: int, question: OrderObligation, under: TileOrder) -> ObligationVerdict | None:
        """None where constants alone show that it holds."""
        obligation = obligation_of(question, self.orders[under])
        if obligation is None:
            return None
        return ObligationVerdict(
            number=number, under=under, rule=obligation.rule, claim=obligation.claim, verdict=discharge(obligation)
        )


def questions(every: OperationTable) -> Iterator[DeferredObligation]:
    """Everything that may go wrong, in the order of verifier.md section 3."""
    orders = one_date_each, causality, accumulation
    memory = overwrites, races, lifetimes, copies, in_place, dropped_copies
    for family in (*orders, *memory):
        yield from family(every)


def obligation_of(question: OrderObligation, order: Order) -> Obligation | None:
    """The obligation under an order; None where constants alone show that it holds."""
    return question.under(order, TILING if order.is_tiled else None)


def orders(mapping: ResolvedMapping, exact_tiles: bool = False) -> dict[TileOrder, Order]:
    """The order without tiling; with it where there are bands; of the sizes in the script where they are asked for, or
    where there are register tiles, whose sizes are never parameters.
    """
    found = {TileOrder.PLAIN: Order(mapping.before)}
    if mapping.bands:
        found[TileOrder.TILED] = Order(mapping.before, mapping.bands)
    sized = sized_order(mapping) if exact_tiles or any(band.registers for band in mapping.bands) else None
    return found if sized is None else {**found, TileOrder.SIZED: sized}


def sized_order(mapping: ResolvedMapping) -> Order | None:
    """The order of tiles of the sizes that the script gives; None where it gives none."""
    sizes = [size for band in mapping.bands for level in band.sizes for size in level]
    if not sizes or None in sizes:
        return None
    return Order(mapping.before, axes=axes_of(mapping.bands, mapping.dimensions))
