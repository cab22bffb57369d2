"""The places that read a value, as boxes, and messages that are the same for all receivers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.scheduled.memory.rank_storage import PlaceTests
from alphaz.poly import Affine, Constraint, Domain
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerOperation, of_affine, simplified
from alphaz.poly.plain.piece import Piece


@dataclass(frozen=True, slots=True)
class PlaceBox:
    """All places between the `sides`, the smallest and the largest in each dimension, if all `conditions` hold."""

    conditions: tuple[Integer, ...]
    sides: tuple[tuple[Integer, Integer], ...]


def boxes(pairs: Domain, known: Domain, width: int = 1) -> tuple[PlaceBox, ...] | None:
    """Returns the values of the last dimensions of `pairs`, `width` of them, by those of the others, which are `known`;
    None if they are not found as boxes.
    """
    simple = pairs.gist(known.embedded(pairs.space)).simplify()
    place_boxes = [_box(piece, pairs.space.names[-width:]) for piece in simple.pieces()]
    return None if None in place_boxes else tuple(box for box in place_boxes if box is not None)


def _box(piece: Piece, names: Sequence[str]) -> PlaceBox | None:
    """Returns a piece as a box; None if it has a constraint about several places."""
    if piece.floors:
        return None
    of_side: dict[str, list[Constraint]] = {name: [] for name in names}
    conditions: list[Integer] = []
    for constraint in piece.constraints:
        places = [name for name in names if constraint.affine.coefficient(name)]
        if len(places) > 1:
            return None
        if places:
            of_side[places[0]].append(constraint)
        else:
            symbol = "==" if constraint.equality else ">="
            conditions.append(IntegerOperation(symbol, (of_affine(constraint.affine), IntegerConstant(0))))
    sides = [_side(constraints, name) for name, constraints in of_side.items()]
    return None if None in sides else PlaceBox(tuple(conditions), tuple(side for side in sides if side is not None))


def _side(constraints: Sequence[Constraint], name: str) -> tuple[Integer, Integer] | None:
    """Returns the smallest and the largest value of a name; None if it is not bounded."""
    lows: list[Integer] = []
    highs: list[Integer] = []
    for constraint in constraints:
        factor = constraint.affine.coefficient(name)
        rest = constraint.affine - Affine.name(name) * factor
        if factor > 0 or constraint.equality:
            size = abs(factor)
            lows.append(_quotient((rest if factor < 0 else -rest) + (size - 1), size))
        if factor < 0 or constraint.equality:
            highs.append(_quotient(rest if factor < 0 else -rest, abs(factor)))
    return (_folded("max", lows), _folded("min", highs)) if lows and highs else None


def _quotient(value: Affine, divisor: int) -> Integer:
    return (
        of_affine(value)
        if divisor == 1
        else IntegerOperation("floor_div", (of_affine(value), IntegerConstant(divisor)))
    )


def _folded(symbol: str, values: Sequence[Integer]) -> Integer:
    return values[0] if len(values) == 1 else IntegerOperation(symbol, tuple(values))


def receives(found: Sequence[PlaceBox], tests: PlaceTests, names: Mapping[str, Affine], first: int = 0) -> c.Expression:
    """Returns whether the receiver owns a place of the boxes; `names` are those of them in C, and `first` is the
    distributed dimension of their first side.
    """
    parts = []
    for box in found:
        sides = enumerate(box.sides, first)
        owned = [tests.receives(bound(low, names), bound(high, names), at) for at, (low, high) in sides]
        conditions = [integer(simplified(bound(condition, names))) for condition in box.conditions]
        parts.append(reduce(lambda one, other: c.Binary("&&", one, other), [*conditions, *owned]))
    return reduce(lambda one, other: c.Binary("||", one, other), parts)


@dataclass(frozen=True, slots=True)
class SentPoints:
    """Points of a variable that are sent in a step, at any place; `pairs` have the places of their readers too, and
    `places` are those where they are computed, in one distributed dimension.
    """

    points: Domain
    pairs: Domain
    places: Domain


def common_message(sent: Sequence[SentPoints]) -> tuple[Integer, tuple[PlaceBox, ...]] | None:
    """Returns the place that sends the values of a step, and the places of their readers, if there is one message for
    all readers; else None.
    """
    nonempty = [points for points in sent if not points.points.is_empty()]
    if not nonempty:
        return None
    places, readers = nonempty[0].places, nonempty[0].pairs.onto(nonempty[0].pairs.space.names[-1:])
    for one in nonempty[1:]:
        places |= one.places.renamed(places.space.names)
        readers |= one.pairs.onto(one.pairs.space.names[-1:]).renamed(readers.space.names)
    place = single_place(places)
    if place is None:
        return None
    elsewhere = [one.points.times(readers).renamed(one.pairs.space.names).is_subset(one.pairs) for one in nonempty]
    reader_places = boxes(readers, readers.parameters()) if all(elsewhere) else None
    return None if reader_places is None else (place, reader_places)


def single_place(places: Domain) -> Integer | None:
    """Returns the only value of the dimension, a quotient of parameters; None if there may be several."""
    (name,) = places.space.names
    for equality in hull_equalities(places):
        factor = equality.coefficient(name)
        if factor:
            rest = (equality - Affine.name(name) * factor) * (-1 if factor > 0 else 1)
            return _quotient(rest, abs(factor))
    return None
