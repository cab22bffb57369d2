"""The verification of one mapping: all its obligations, and the orders under which they are discharged.

The results of an obligation are plain data, identified by the number of the obligation: the obligations of one mapping
may be divided among processes, and their results combined again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from alphaz.diagnostics.rules import TILING
from alphaz.legality.obligations.call_arrays import lifetimes
from alphaz.legality.obligations.copies import copies, dropped_copies, in_place
from alphaz.legality.obligations.distribution import distributed
from alphaz.legality.obligations.memory import overwrites, races
from alphaz.legality.obligations.order_obligations import DeferredObligation, OrderObligation
from alphaz.legality.obligations.overlapped_tiles import kept_once, private
from alphaz.legality.obligations.prefix_scans import scans
from alphaz.legality.obligations.space_time import accumulation, causality, one_date_each
from alphaz.legality.verdicts import ObligationVerdict, Options, TileOrder
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import Assumption
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.precedence import Order
from alphaz.proof import Obligation, Proved, Refuted, Verdict, discharge, holds


@dataclass(frozen=True, slots=True, eq=False)
class Verification:
    """The obligations of one mapping that no structural property settles.

    `matters` has them by their numbers among all obligations; they are discharged under each of `orders`.
    """

    mapping: ResolvedMapping
    matters: Mapping[int, DeferredObligation]
    orders: Mapping[TileOrder, Order]
    assumptions: tuple[Assumption, ...] = ()

    @staticmethod
    def of(design: Design, system: str, options: Options) -> "Verification":
        """Returns the verification of a mapping. Raises Rejected where the mapping is not well formed."""
        mapping = resolve(design, system)
        matters = {
            number: matter
            for number, matter in enumerate(order_obligations(operations(mapping)))
            if not matter.exemption
        }
        assumptions = design.mapping(system).assumptions
        return Verification(mapping, matters, orders(mapping, options.exact_tiles), assumptions)

    def results(self, numbers: Iterable[int] | None = None) -> Iterator[ObligationVerdict]:
        """Yields the verdicts on these obligations, or on all."""
        for number in self.matters if numbers is None else numbers:
            yield from self._answers(number)

    def stated(self, result: ObligationVerdict) -> tuple[OrderObligation, Order, Obligation]:
        """Returns the obligation, order and statement that a result is about."""
        question, order = self.matters[result.number].ask(), self.orders[result.under]
        obligation = obligation_of(question, order)
        assert obligation is not None, result.claim
        return question, order, obligation

    def _answers(self, number: int) -> Iterator[ObligationVerdict]:
        """Yields the verdict without tiling and, where that is proved, the verdicts under tiling."""
        question, tiled = self.matters[number].ask(), self.orders.get(TileOrder.TILED)
        plain = self._answer(number, question, TileOrder.PLAIN)
        if plain is not None:
            yield plain
        if tiled is not None and question.ordered and (plain is None or isinstance(plain.verdict, Proved)):
            yield from self._tiled_answers(number, question)

    def _tiled_answers(self, number: int, question: OrderObligation) -> Iterator[ObligationVerdict]:
        """Yields the verdict for all tile sizes, and where that fails for the given sizes (a proof for all sizes covers
        them).

        The sizes that fail are of interest only where no verdict is requested for the given ones.
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
            verdict=self._final_verdict(question, obligation),
        )

    def _final_verdict(self, question: OrderObligation, obligation: Obligation) -> Verdict:
        """Returns the verdict for all tile sizes; a refutation has the smallest witness under the sizes in the script
        if they show it as well, for parameters with more than one tile.
        """
        verdict, size_order = discharge(obligation), sized_order(self.mapping)
        sized = None if size_order is None else obligation_of(question, size_order)
        if sized is None or not isinstance(verdict, Refuted):
            return verdict
        at_sizes = discharge(sized)
        return at_sizes if isinstance(at_sizes, Refuted) and obligation.recheck(at_sizes.point) else verdict

    def _answer(self, number: int, question: OrderObligation, under: TileOrder) -> ObligationVerdict | None:
        """Returns the verdict; None where constants alone prove the obligation."""
        obligation = obligation_of(question, self.orders[under])
        if obligation is None:
            return None
        return ObligationVerdict(
            number=number, under=under, rule=obligation.rule, claim=obligation.claim, verdict=discharge(obligation)
        )


def order_obligations(every: OperationTable) -> Iterator[DeferredObligation]:
    """Yields all obligations in the order of verifier.md section 3."""
    orders = one_date_each, causality, accumulation, kept_once
    memory = overwrites, races, private, lifetimes, copies, in_place, dropped_copies, distributed, scans
    for family in (*orders, *memory):
        yield from family(every)


def obligation_of(question: OrderObligation, order: Order) -> Obligation | None:
    """Returns the obligation under an order; None where constants alone prove it."""
    return question.under(order, TILING if order.is_tiled else None)


def orders(mapping: ResolvedMapping, exact_tiles: bool = False) -> dict[TileOrder, Order]:
    """Returns the order without tiling; where there are bands also the order with tiles of all sizes; and the order of
    the sizes in the script where it is requested, or where sizes are never parameters: of register tiles, and of tiles
    that are steps of ranks.
    """
    tile_orders = {TileOrder.PLAIN: Order(mapping.before)}
    if mapping.bands:
        tile_orders[TileOrder.TILED] = Order(mapping.before, mapping.bands)
    of_ranks = mapping.distribution is not None and mapping.distribution.bands
    is_sized = exact_tiles or of_ranks or any(band.registers for band in mapping.bands)
    sized = sized_order(mapping) if is_sized else None
    return tile_orders if sized is None else {**tile_orders, TileOrder.SIZED: sized}


def sized_order(mapping: ResolvedMapping) -> Order | None:
    """Returns the order of tiles of the sizes in the script; None where the script gives none."""
    sizes = [size for band in mapping.bands for level in band.sizes for size in level]
    if not sizes or None in sizes:
        return None
    return Order(mapping.before, axes=mapping.axes)
