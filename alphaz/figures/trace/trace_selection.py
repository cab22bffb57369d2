"""Selects the content of a trace: order, parameters, and violations.

Violations are points of the refuted obligations, computed by isl and checked by integer arithmetic under the drawn
order: the figure never disagrees with the verifier."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from alphaz.diagnostics import Witness
from alphaz.diagnostics.rules import PACKING
from alphaz.figures.trace.sizes import (
    is_too_large,
    raise_parameters,
    sizes_of,
    small,
    small_tiles,
    with_parallel_tiles,
    wrong_tiles,
)
from alphaz.legality.mapping_obligations import Verification
from alphaz.legality.obligations.order_obligations import OrderObligation
from alphaz.legality.verdicts import ObligationVerdict, TileOrder
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.order.operations import ConcreteInstance
from alphaz.order.precedence import Order, tile_of
from alphaz.poly import OutOfBudget
from alphaz.proof import Refuted, with_growing_budget

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ShownFailure:
    """A refuted obligation: the obligation, the order for which it was stated, the violations, and the witness."""

    question: OrderObligation
    under: Order
    refuted: Refuted
    result: ObligationVerdict

    def values(self, bindings: Values) -> Iterator[dict[str, int]]:
        """Yields the violations at these parameters, the witness's own point first if it is one of them."""
        own = {**self.refuted.point, **bindings}
        seen = self.question.recheck(self.under, own)
        if seen:
            yield own
        obligation = self.question.under(self.under)
        if obligation is None:
            return
        try:
            points = with_growing_budget(lambda: list(obligation.violations().points(bindings)))
        except OutOfBudget:
            return
        for point in points:
            values = {**bindings, **dict(zip(self.question.violation_space.names, point, strict=True))}
            if not seen or any(own[name] != value for name, value in values.items()):
                yield values

    def events(self, values: Values) -> tuple[tuple[str, ConcreteInstance], ...]:
        """Returns the operations involved, with their roles."""
        return tuple((role, occurrence.event(values)) for role, occurrence in self.question.occurrences)


@dataclass(frozen=True, slots=True)
class Shown:
    """The drawn parameters and order, the reason for them, and the failures that are visible under that order."""

    at: dict[str, int]
    order: Order
    why: str
    failures: tuple[ShownFailure, ...]

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """Returns the tiled dimensions, with the drawn sizes."""
        return sizes_of(self.order)


def shown(
    verification: Verification,
    results: Sequence[ObligationVerdict],
    parameters: Values | None,
    first_reported: Witness | None = None,
) -> Shown | None:
    """Returns the selection for these parameters, or for those that show most. None if the least parameters have too
    many operations.

    `told_first` is the counterexample of the finding that is reported first: it is drawn."""
    failures = tuple(_failures(verification, results))
    plain = tuple(f for f in failures if f.result.under is TileOrder.PLAIN)
    ordered = tuple(sorted(plain or failures, key=lambda f: f.refuted.witness != first_reported))
    if parameters is None:
        chosen, why = _choose_parameters(verification.mapping, ordered)
        if chosen is None:
            return None
    else:
        chosen, why = dict(parameters), "as asked for"
    order, order_text = _order(verification, results, ordered, chosen)
    if parameters is None and not failures:
        larger = with_parallel_tiles(verification.mapping, order, chosen)
        why = why if larger == chosen else "the smallest with two parallel tiles"
        chosen = larger
    return Shown(chosen, order, "; ".join(text for text in (why, order_text) if text), ordered)


def _failures(trial: Verification, results: Sequence[ObligationVerdict]) -> Iterator[ShownFailure]:
    for result in results:
        if isinstance(result.verdict, Refuted):
            question, order, _ = trial.stated(result)
            yield ShownFailure(question, order, result.verdict, result)


def _choose_parameters(mapping: ResolvedMapping, failures: Sequence[ShownFailure]) -> tuple[dict[str, int] | None, str]:
    if not failures:
        return small(mapping), "the smallest with three points along each dimension"
    first = failures[0]
    witness = {name: first.refuted.point[name] for name in mapping.system.parameters}

    def points(values: Values) -> list[tuple[int, ...]]:
        return [event.place(role).point for role, event in first.events(values)]

    def holds(candidate: Values) -> bool:
        values = {**first.refuted.point, **candidate}
        return first.question.recheck(first.under, values) and points(values) == points(first.refuted.point)

    if first.result.under is not TileOrder.PLAIN and is_too_large(mapping, witness):
        # Smaller tiles may go wrong at smaller sizes.
        return small(mapping), "smaller than those of the counterexample, which have more operations than can be drawn"
    chosen = raise_parameters(mapping, witness, holds)
    return chosen, "those of the counterexample" if chosen == witness else "a little above those of the counterexample"


def _order(
    trial: Verification, results: Sequence[ObligationVerdict], failures: Sequence[ShownFailure], parameters: Values
) -> tuple[Order, str]:
    """The drawn order: tiles with given sizes if sizes matter, else the smallest possible ones."""
    mapping, orders = trial.mapping, trial.orders
    if mapping.bands and failures and failures[0].question.rule == PACKING:
        order_of_wrong_tiles = wrong_tiles(mapping, partial(_holds_all, failures[0], parameters))
        if order_of_wrong_tiles is not None:
            return order_of_wrong_tiles, "with the smallest tiles that go wrong"
    if failures and failures[0].result.under is TileOrder.PLAIN:
        return orders[
            TileOrder.PLAIN
        ], "without tiles: the order is wrong before there are any" if mapping.bands else ""
    if any(result.under is TileOrder.SIZED for result in results):
        return orders[TileOrder.SIZED], "with the tile sizes of the script, for which the verdict holds"
    if not mapping.bands:
        return orders[TileOrder.PLAIN], ""
    if not failures:
        return small_tiles(mapping), "with tiles that are small enough to be seen"
    first = failures[0]
    own, *others = list(first.values(parameters)) or [{}]

    def shows(points: Sequence[Values], order: Order) -> bool:
        return any(first.question.recheck(order, values) for values in points if values)

    wrong_order = wrong_tiles(mapping, partial(shows, [own])) or wrong_tiles(mapping, partial(shows, others))
    if wrong_order is None:
        return orders[TileOrder.PLAIN], "without tiles: none of up to three points show what is wrong"
    return wrong_order, "with the smallest tiles that go wrong"


def _holds_all(failure: ShownFailure, bindings: Values, order: Order) -> bool:
    """Returns True if one tile contains all operations involved, at the point of the witness."""
    values = next(failure.values(bindings), None)
    return values is not None and len({tile_of(event, order.axes)[0] for _, event in failure.events(values)}) == 1
