"""A basic set as plain data, with its floors; and a quick test that two of them are disjoint."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf

from alphaz.poly.plain.affine import Affine, Constraint


@dataclass(frozen=True, slots=True)
class Floor:
    """`name = floor(affine / denominator)`; the affine may use earlier floors."""

    name: str
    affine: Affine
    denominator: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A conjunction of constraints over names and floors."""

    constraints: tuple[Constraint, ...]
    floors: tuple[Floor, ...] = ()

    def holds(self, values: Mapping[str, int]) -> bool:
        known = values
        if self.floors:
            known = extended = dict(values)
            for floor in self.floors:
                extended[floor.name] = floor.affine.at(extended) // floor.denominator
        for constraint in self.constraints:  # noqa: SIM110 - a generator takes half as long again
            if not constraint.holds(known):
                return False
        return True

    def __str__(self) -> str:
        texts = [str(c) for c in self.constraints]
        texts += [f"{f.name}=floor(({f.affine})/{f.denominator})" for f in self.floors]
        return " && ".join(texts)


Form = tuple[tuple[str, int], ...]
Limits = Mapping[Form, tuple[float, float]]
"""Between which values each linear form lies that a constraint speaks of; its first coefficient is positive."""


def limits(piece: Piece) -> Limits:
    """Those of the constraints without floors: points of the piece are within them."""
    floors = {floor.name for floor in piece.floors}
    ranges: dict[Form, tuple[float, float]] = {}
    for constraint in piece.constraints:
        if constraint.affine.terms and not floors & set(constraint.affine.names):
            form, low, high = _form(constraint)
            known_low, known_high = ranges.get(form, (-inf, inf))
            ranges[form] = (max(low, known_low), min(high, known_high))
    return ranges


def _form(constraint: Constraint) -> tuple[Form, float, float]:
    """`f + c >= 0` says f >= -c; with the other sign, it is -f that is at most c."""
    terms, constant = constraint.affine.terms, constraint.affine.constant
    if terms[0][1] > 0:
        return terms, -constant, -constant if constraint.equality else inf
    turned = tuple((name, -coefficient) for name, coefficient in terms)
    return turned, constant if constraint.equality else -inf, constant


def apart(one: Iterable[Limits], other: Iterable[Limits]) -> bool:
    """Returns True if two unions of pieces over the same names certainly share no point."""
    here, there = list(one), list(other)
    return all(_apart(*pair) for pair in _meeting(here, there))


def _meeting(here: Sequence[Limits], there: Sequence[Limits]) -> Iterable[tuple[Limits, Limits]]:
    """The pairs that a form does not keep apart of which all pieces speak: that with the fewest of them, if any."""
    forms = set[Form].intersection(*map(set, (*here, *there))) if here and there else set()
    if not forms:
        return product(here, there)
    form = min(sorted(forms), key=lambda form_: _count(_ranges(here, form_), _ranges(there, form_)))
    return _swept(here, there, form)


def _ranges(pieces: Iterable[Limits], form: Form) -> list[tuple[float, float]]:
    return [piece[form] for piece in pieces]


def _count(here: Sequence[tuple[float, float]], there: Sequence[tuple[float, float]]) -> int:
    """Returns the number of pairs of ranges that have a value in common."""
    lows, highs = (sorted(ends) for ends in zip(*there, strict=True))
    return sum(bisect_right(lows, high) - bisect_left(highs, low) for low, high in here)


def _swept(here: Sequence[Limits], there: Sequence[Limits], form: Form) -> Iterator[tuple[Limits, Limits]]:
    """The pairs whose ranges of the form have a value in common: those that begin lower are still open."""
    beginnings = sorted(
        ((piece[form][0], position, piece) for position, pieces in enumerate((here, there)) for piece in pieces),
        key=lambda beginning: beginning[:2],
    )
    open_: tuple[list[Limits], list[Limits]] = ([], [])
    for low, at, piece in beginnings:
        others = open_[1 - at]
        others[:] = [other for other in others if other[form][1] >= low]
        for other in others:
            yield piece, other
        open_[at].append(piece)


def _apart(here: Limits, there: Limits) -> bool:
    for form, (low, high) in here.items():
        if form in there:
            other_low, other_high = there[form]
            if low > other_high or other_low > high:
                return True
    return False
