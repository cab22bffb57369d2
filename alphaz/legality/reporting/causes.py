"""Finds the commands of the script that make two operations unordered, or late: the cause in a finding."""

from collections.abc import Iterable, Iterator

from alphaz.diagnostics import Label
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.target_mapping import Band, DimensionKind, StatementOrder
from alphaz.order.operations import StatementInstances
from alphaz.order.precedence import Cause, Comparison

_WORDS = {
    DimensionKind.PARALLEL: "parallel",
    DimensionKind.REDUCTION: "a reduction dimension",
    DimensionKind.VECTOR: "done in vectors",
}


def causes(mapping: ResolvedMapping, comparisons: Iterable[Comparison], labels: Iterable[Label]) -> tuple[Label, ...]:
    """Returns one label for each command, except at places that are `labels` already."""
    spans = {label.span for label in labels}
    labels_ = [
        label
        for comparison in comparisons
        if comparison.cause is not None
        for label in _labels(mapping, comparison.cause)
        if label.span not in spans
    ]
    return tuple(dict.fromkeys(labels_))


def _labels(mapping: ResolvedMapping, cause: Cause) -> Iterator[Label]:
    if cause.band is not None:
        yield Label(cause.band.span, _tile_text(cause.band))
    if cause.dimension is not None:
        for family in cause.families:
            yield from _kind(family, cause.dimension)
    if cause.ordered is not None:
        names = [_variable(mapping, name) for name in cause.ordered]
        for order in _way(mapping.ordering, names[0], names[1]):
            yield Label(order.span, f"{order.before} before {order.after}")


def _tile_text(band: Band) -> str:
    first, last = band.first, band.last
    return f"dimension {first} is tiled" if first == last else f"dimensions {first}..{last} are tiled together"


def _kind(family: StatementInstances, dimension: int) -> Iterator[Label]:
    setting = family.statement.settings[dimension] if family.statement and family.statement.settings else None
    if setting is None or not setting.kind.is_unordered:
        return
    what = _WORDS[setting.kind]
    yield Label(setting.span, f"dimension {dimension} is {what}")


def _variable(mapping: ResolvedMapping, statement: str) -> str:
    return mapping.statement(statement).variable


def _way(ordering: tuple[StatementOrder, ...], start: str, end: str) -> tuple[StatementOrder, ...]:
    """Returns a shortest sequence of commands that leads from one variable to the other."""
    ways: list[tuple[str, tuple[StatementOrder, ...]]] = [(start, ())]
    seen = {start}
    for here, way in ways:
        for order in ordering:
            if order.before != here or order.after in seen:
                continue
            if order.after == end:
                return (*way, order)
            seen.add(order.after)
            ways.append((order.after, (*way, order)))
    return ()
