"""Packed arrays: elements without gaps, whose position is a polynomial of the two indices of a point; and the inverse,
from the position in the text to the point. Arrays of the text with n * (n + 1) / 2 elements are such triangles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from alphaz.poly import Affine, Constraint, Domain, at_least, less
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_polynomials import affine

# The indices of the triangles of a text: no names of C.
_ROW, _COLUMN = "row of a triangle", "column of a triangle"
_NEAR, _FEW = sorted(range(-16, 17), key=abs), 5


@dataclass(frozen=True, slots=True)
class PackedArray:
    """A packed array: the point of a box of these `extents` is element `rank`, if `held` is true of it; no two such
    points share an element. Both call the indices by the names of `order`; the index `fast` varies fastest."""

    extents: tuple[Affine, ...]
    rank: Polynomial
    held: tuple[Constraint, ...]
    order: tuple[str, str]
    slow: str
    fast: str


def packed_array(
    extents: tuple[Affine, ...], rank: Polynomial, constraints: tuple[Constraint, ...], order: tuple[str, ...]
) -> PackedArray | None:
    """Returns the packed array; None unless the position is of second degree, in steps of one."""
    for slow, fast in (order, order[::-1]) if len(order) == 2 else ():
        steps = rank.by_powers(fast).get(1, Polynomial()), rank.degree
        square = rank.by_powers(slow).get(2, Polynomial()).degree
        if steps == (Polynomial.constant(1), 2) and square == 0:
            return PackedArray(
                extents=extents, rank=rank, held=constraints, order=(order[0], order[1]), slow=slow, fast=fast
            )
    return None


def triangle(count: Polynomial) -> PackedArray | None:
    """Returns the rows of a triangle of this number n * (n + 1) / 2 of elements, row after row; None for other numbers,
    and for those of the text."""
    half = Polynomial.constant(Fraction(1, 2))
    slow, fast = Affine.name(_ROW), Affine.name(_COLUMN)
    for name in count.names if count.degree == 2 else ():
        for distance in (0, -1, 1, -2, 2):
            rows = Affine.name(name) + distance
            if Polynomial.affine(rows) * Polynomial.affine(rows + 1) * half == count:
                rank = Polynomial.affine(slow) * Polynomial.affine(slow + 1) * half + Polynomial.affine(fast)
                held = (at_least(fast, 0), at_least(slow, fast), less(slow, rows))
                return packed_array((rows, rows), rank, held, (_ROW, _COLUMN))
    return None


def point_at(array: PackedArray, position: Polynomial, domain: Domain) -> tuple[Affine, Affine] | None:
    """Returns the point with this position for all values of names, the only one that is held; None if it is not
    found."""
    first = None
    for slow in _slow(array, position):
        fast = affine(position - array.rank.replaced({array.slow: slow, array.fast: Affine()}))
        if fast is not None:
            point = {array.slow: slow, array.fast: fast}
            coordinates = point[array.order[0]], point[array.order[1]]
            if _is_held(array, point, domain):
                return coordinates
            first = first or coordinates
    return first


def _is_held(array: PackedArray, point: Mapping[str, Affine], domain: Domain) -> bool:
    conditions = [constraint.substitute(point) for constraint in array.held]
    names = {*domain.space.names, *domain.space.parameters}
    is_known = all({*condition.affine.names} <= names for condition in conditions)
    return is_known and domain.is_subset(Domain.where(domain.space, conditions))


def _slow(array: PackedArray, position: Polynomial) -> Iterator[Affine]:
    """Yields values of the slow index that leave no second-degree term for the fast one; values that eliminate a name
    first."""
    for start in _starts(array, position):
        at = [affine(position - array.rank.replaced({array.slow: start + c, array.fast: Affine()})) for c in (0, 1)]
        if at[0] is None or at[1] is None:
            continue
        changes = [(at[0].coefficient(name), factor) for name, factor in (at[1] - at[0]).terms]
        constants = dict.fromkeys(-value // factor for value, factor in changes if value % factor == 0)
        offsets = [constant + near for near in _NEAR[:_FEW] for constant in constants] or _NEAR
        yield from (start + constant for constant in offsets)


def _starts(array: PackedArray, position: Polynomial) -> Iterator[Affine]:
    """Yields starts where the rank is a s^2 + b s + .., with parameters in b: 2 a s + b is a root of 4 a (position -
    ..) + b^2."""
    powers = array.rank.replaced({array.fast: Affine()}).by_powers(array.slow)
    square = powers[2].at({})
    linear = _of_degree(powers.get(1, Polynomial()), 1)
    rest = _of_degree(position - powers.get(0, Polynomial()), 2)
    root = _root(rest * Polynomial.constant(4 * square) + linear * linear)
    for root_ in () if root is None else (root, Polynomial() - root):
        start = affine((root_ - linear) * Polynomial.constant(1 / (2 * square)))
        if start is not None:
            yield start


def _of_degree(value: Polynomial, degree: int) -> Polynomial:
    return Polynomial.of((monomial, c) for monomial, c in value.terms if sum(e for _, e in monomial) == degree)


def _root(square: Polynomial) -> Polynomial | None:
    """Returns a linear combination of names with this square; None if there is none."""
    if not square.terms:
        return square
    head = next(((monomial[0][0], c) for monomial, c in square.terms if len(monomial) == 1), None)
    first = None if head is None else _rational_root(head[1])
    if head is None or first is None:
        return None
    name = head[0]
    others = ((monomial, c) for monomial, c in square.terms if len(monomial) == 2 and name in dict(monomial))
    mixed = ((tuple(factor for factor in monomial if factor[0] != name), c / (2 * first)) for monomial, c in others)
    root_polynomial = Polynomial.of([(((name, 1),), first), *mixed])
    return root_polynomial if root_polynomial * root_polynomial == square else None


def _rational_root(value: Fraction) -> Fraction | None:
    if value <= 0:
        return None
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    return root if root * root == value else None
