"""Polyhedra that one comparison separates: `i<2` and `i>=3`. A cheap sufficient test for most branches of a case, in
plain Python and without a set."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import inf

from alphaz.poly.plain.affine import Constraint
from alphaz.poly.plain.piece import Piece

Form = tuple[tuple[str, int], ...]
Limits = Mapping[Form, tuple[float, float]]
"""The range of each linear form with a constraint; its first coefficient is positive."""


def limits(piece: Piece) -> Limits:
    """Returns the constraints without floors: all points of the piece satisfy them."""
    floors = {floor.name for floor in piece.floors}
    found: dict[Form, tuple[float, float]] = {}
    for constraint in piece.constraints:
        if constraint.affine.terms and not floors & set(constraint.affine.names):
            form, low, high = _form(constraint)
            known_low, known_high = found.get(form, (-inf, inf))
            found[form] = (max(low, known_low), min(high, known_high))
    return found


def _form(constraint: Constraint) -> tuple[Form, float, float]:
    """The form with its lower and upper bound: `f + c >= 0` means f >= -c; with the other sign, -f is at most c."""
    terms, constant = constraint.affine.terms, constraint.affine.constant
    if terms[0][1] > 0:
        return terms, -constant, -constant if constraint.equality else inf
    turned = tuple((name, -coefficient) for name, coefficient in terms)
    return turned, constant if constraint.equality else -inf, constant


def apart(one: Iterable[Limits], other: Iterable[Limits]) -> bool:
    """Returns True if two unions of pieces over the same names certainly share no point."""
    others = list(other)
    return all(_apart(here, there) for here in one for there in others)


def _apart(here: Limits, there: Limits) -> bool:
    for form, (low, high) in here.items():
        if form in there:
            other_low, other_high = there[form]
            if low > other_high or other_low > high:
                return True
    return False
