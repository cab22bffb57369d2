"""The places that read a value, as intervals, and messages that are the same for all receivers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.scheduled.memory.rank_places import PlaceTests
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.functional import hull_equalities
from alphaz.poly.plain.integer import Integer, IntegerConstant, IntegerOperation, of_affine, simplified
from alphaz.poly.plain.piece import Piece


@dataclass(frozen=True, slots=True)
class PlaceInterval:
    """All places from `low` to `high`, if all `conditions` hold."""

    conditions: tuple[Integer, ...]
    low: Integer
    high: Integer


def intervals(pairs: Domain, known: Domain) -> tuple[PlaceInterval, ...] | None:
    """Returns the values of the last dimension of `pairs` by those of the others, which are `known`; None if they are
    not found as intervals.
    """
    simple = pairs.gist(known.embedded(pairs.space)).simplify()
    place_intervals = [_interval(piece, pairs.space.names[-1]) for piece in simple.pieces()]
    return None if None in place_intervals else tuple(interval for interval in place_intervals if interval is not None)


def _interval(piece: Piece, name: str) -> PlaceInterval | None:
    if piece.floors:
        return None
    conditions: list[Integer] = []
    lows: list[Integer] = []
    highs: list[Integer] = []
    for constraint in piece.constraints:
        factor = constraint.affine.coefficient(name)
        rest = constraint.affine - Affine.name(name) * factor
        if not factor:
            symbol = "==" if constraint.equality else ">="
            conditions.append(IntegerOperation(symbol, (of_affine(rest), IntegerConstant(0))))
            continue
        if factor > 0 or constraint.equality:
            size = abs(factor)
            lows.append(_quotient((rest if factor < 0 else -rest) + (size - 1), size))
        if factor < 0 or constraint.equality:
            highs.append(_quotient(rest if factor < 0 else -rest, abs(factor)))
    if not lows or not highs:
        return None
    return PlaceInterval(tuple(conditions), _folded("max", lows), _folded("min", highs))


def _quotient(value: Affine, divisor: int) -> Integer:
    return (
        of_affine(value)
        if divisor == 1
        else IntegerOperation("floor_div", (of_affine(value), IntegerConstant(divisor)))
    )


def _folded(symbol: str, values: Sequence[Integer]) -> Integer:
    return values[0] if len(values) == 1 else IntegerOperation(symbol, tuple(values))


def receives(
    found: Sequence[PlaceInterval], tests: PlaceTests, names: Mapping[str, Affine], dimension: int = 0
) -> c.Expression:
    """Returns whether the receiver owns a place of the intervals in a dimension; `names` are those of them in C."""
    parts = []
    for interval in found:
        owned = tests.receives(bound(interval.low, names), bound(interval.high, names), dimension)
        conditions = [integer(simplified(bound(condition, names))) for condition in interval.conditions]
        parts.append(reduce(lambda one, other: c.Binary("&&", one, other), [*conditions, owned]))
    return reduce(lambda one, other: c.Binary("||", one, other), parts)


@dataclass(frozen=True, slots=True)
class SentPoints:
    """Points of a variable that are sent in a step, at any place; `pairs` have the places of their readers too, and
    `places` are those where they are computed, in one distributed dimension.
    """

    points: Domain
    pairs: Domain
    places: Domain


def common_message(sent: Sequence[SentPoints]) -> tuple[Integer, tuple[PlaceInterval, ...]] | None:
    """Returns the place that sends the values of a step, and the places of their readers, if there is one message for
    all readers; else None.
    """
    nonempty = [one for one in sent if not one.points.is_empty()]
    if not nonempty:
        return None
    places, readers = nonempty[0].places, nonempty[0].pairs.onto(nonempty[0].pairs.space.names[-1:])
    for one in nonempty[1:]:
        places |= one.places.renamed(places.space.names)
        readers |= one.pairs.onto(one.pairs.space.names[-1:]).renamed(readers.space.names)
    place = _single(places)
    if place is None:
        return None
    elsewhere = [one.points.times(readers).renamed(one.pairs.space.names).is_subset(one.pairs) for one in nonempty]
    reader_places = intervals(readers, readers.parameters()) if all(elsewhere) else None
    return None if reader_places is None else (place, reader_places)


def _single(places: Domain) -> Integer | None:
    """Returns the only value of the dimension, a quotient of parameters; None if there may be several."""
    (name,) = places.space.names
    for equality in hull_equalities(places):
        factor = equality.coefficient(name)
        if factor:
            rest = (equality - Affine.name(name) * factor) * (-1 if factor > 0 else 1)
            return _quotient(rest, abs(factor))
    return None
