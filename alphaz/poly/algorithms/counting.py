"""Number of points of a domain: a piecewise polynomial in the parameters.

Dimension by dimension: where x lies between affine bounds, the sum of a polynomial over lower <= x <= upper is a
polynomial again (Faulhaber). Several bounds divide the rest into regions in which one of them is the tightest. All that
is exact; where a bound is not an integer affine function (2x <= N), the count is only a quasi-polynomial, and the
answer is None. Of dimensions with a stride the numbers of the multiples are counted.
Source: Clauss, Counting solutions to linear and nonlinear constraints through Ehrhart polynomials, ICS 1996."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd, prod

from alphaz.poly.algorithms.bounds import box_of
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.domain import Domain, pieces_of
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint, at_least
from alphaz.poly.plain.piece import Piece
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.poly.plain.space import Space

# Most pieces of a set that is counted.
_MOST_REGIONS = 400
_MOST_POINTS = 100

Part = tuple[Domain, Polynomial]


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """A number that depends on the parameters: a polynomial on each (disjoint) part; zero elsewhere."""

    parts: tuple[Part, ...]

    @property
    def main(self) -> Polynomial:
        """Returns the polynomial of the part with the highest degree: the one for large parameters."""
        return max((value for _, value in self.parts), key=lambda value: value.degree, default=Polynomial())

    def at(self, parameters: Mapping[str, int]) -> int:
        """Returns the number for these values of the parameters."""
        return int(sum(value.at(parameters) for where, value in self.parts if where.contains(parameters)))

    def __str__(self) -> str:
        if len(self.parts) < 2:
            return str(self.main)
        return "; ".join(f"{value} where {_condition(where)}" for where, value in self.parts)


def _condition(where: Domain) -> str:
    return " || ".join(str(piece) or "true" for piece in where.pieces())


def count(domain: Domain, context: Domain, is_short: bool = True) -> Count | None:
    """Returns the number of points, for the parameters of the context; None if it is not a polynomial, or infinite."""
    return total([domain], context, is_short)


def total(domains: Sequence[Domain], context: Domain, is_short: bool = True) -> Count | None:
    """Returns the sum of the numbers of points of several domains (of any dimensions). `is_short`: regions on which one
    polynomial is right become one, which takes time.
    """
    counted: list[Part] = []
    for domain in domains:
        parts = _parts(domain.in_context(context))
        if parts is None:
            return None
        counted += parts
        if len(counted) > _MOST_REGIONS:
            return None
    return _overlaid(counted, context, is_short)


def _parts(domain: Domain) -> list[Part] | None:
    """Parameters and a polynomial for each region; regions may overlap, and then their polynomials add up."""
    parts: list[Part] = []
    for piece in pieces_of(domain.set.make_disjoint(), domain.space):
        if _needs_floors(piece):
            return _without_strides(domain)
        regions = _sum_over(list(piece.constraints), domain.space, domain.space.names, Polynomial.constant(1))
        if regions is None:
            return None
        parts += regions
    return parts


def _without_strides(domain: Domain) -> list[Part] | None:
    """Returns the parts of a domain whose dimensions have strides: numbers of multiples are counted instead."""
    counted: list[Part] = []
    for part in Domain(domain.space, domain.set.make_disjoint()).parts():
        outputs = []
        for position, name in enumerate(domain.space.names):
            stride = part.set.get_stride_info(position)
            size, offset = stride.get_stride().to_python(), stride.get_offset()
            if not offset.is_cst():
                return None
            outputs.append(Affine.name(name) * size + int(offset.get_constant_val().to_python()))
        dense = part.preimage(AffineFunction(domain.space, tuple(outputs)))
        pieces = pieces_of(dense.set.make_disjoint(), dense.space)
        parts = None if any(map(_needs_floors, pieces)) else _parts(dense)
        if parts is None:
            return None
        counted += parts
    return counted


def _needs_floors(piece: Piece) -> bool:
    floors = {floor.name for floor in piece.floors}
    return any(floors & set(constraint.affine.names) for constraint in piece.constraints)


def _sum_over(
    constraints: list[Constraint], space: Space, names: tuple[str, ...], value: Polynomial
) -> list[Part] | None:
    """The sum of `value` over some names of the space: the others are parameters."""
    here = Domain.where(space.with_names(names), constraints)
    if here.is_empty():
        return []
    if not names:
        return [(here, value)]
    solved = _by_equality(constraints, names)
    if solved is not None:
        name, replacement = solved
        rest = [_tightened(c.substitute({name: replacement})) for c in constraints]
        return _sum_over(rest, space, _without(names, name), value.substitute(name, replacement))
    if any(c.equality and set(c.affine.names) & set(names) for c in constraints):
        return None
    chosen = _easiest(constraints, names)
    return None if chosen is None else _over(chosen, constraints, space, names, value)


def _tightened(constraint: Constraint) -> Constraint:
    """Returns the constraint divided by the common factor of its coefficients; its integer points stay the same."""
    factor = gcd(*(coefficient for _, coefficient in constraint.affine.terms))
    if factor < 2 or (constraint.equality and constraint.affine.constant % factor):
        return constraint
    terms = tuple((name, coefficient // factor) for name, coefficient in constraint.affine.terms)
    return Constraint(Affine(terms, constraint.affine.constant // factor), constraint.equality)


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(n for n in names if n != name)


def _by_equality(constraints: list[Constraint], names: tuple[str, ...]) -> tuple[str, Affine] | None:
    for constraint in constraints:
        for name in reversed(names):
            coefficient = constraint.affine.coefficient(name)
            if constraint.equality and abs(coefficient) == 1:
                return name, (Affine.name(name) * coefficient - constraint.affine) * coefficient
    return None


def _easiest(constraints: list[Constraint], names: tuple[str, ...]) -> str | None:
    """The name with the fewest bounds among those whose bounds are integer affine functions."""
    best: tuple[int, str] | None = None
    for name in reversed(names):
        own = [c.affine.coefficient(name) for c in constraints if c.affine.coefficient(name)]
        lower, upper = sum(c > 0 for c in own), sum(c < 0 for c in own)
        if all(abs(c) == 1 for c in own) and lower and upper and (best is None or lower * upper < best[0]):
            best = lower * upper, name
    return best and best[1]


def _over(
    name: str, constraints: list[Constraint], space: Space, names: tuple[str, ...], value: Polynomial
) -> list[Part] | None:
    here = Affine.name(name)
    rest = [c for c in constraints if not c.affine.coefficient(name)]
    lowers = [here - c.affine for c in constraints if c.affine.coefficient(name) == 1]
    uppers = [here + c.affine for c in constraints if c.affine.coefficient(name) == -1]
    counted: list[Part] = []
    for a, lower in enumerate(lowers):
        tightest = [
            at_least(lower, other + int(position < a)) for position, other in enumerate(lowers) if position != a
        ]
        for b, upper in enumerate(uppers):
            tight = [
                at_least(other, upper + int(position < b)) for position, other in enumerate(uppers) if position != b
            ]
            region = [*rest, *tightest, *tight, at_least(upper, lower)]
            parts = _sum_over(region, space, _without(names, name), value.summed(name, lower, upper))
            if parts is None or len(counted) > _MOST_REGIONS:
                return None
            counted += parts
    return counted


def _overlaid(parts: list[Part], context: Domain, is_short: bool) -> Count | None:
    """Disjoint regions; regions with equal polynomials are merged."""
    chambers: list[Part] = [(context, Polynomial())]
    for where, value in parts:
        divided: list[Part] = []
        for region, known in chambers:
            inside, outside = region & where, region - where
            divided += [(inside, known + value)] if not inside.is_empty() else []
            divided += [(outside, known)] if not outside.is_empty() else []
        chambers = _united(divided)
        if len(chambers) > _MOST_REGIONS:
            return None
    return Count(tuple(_merge_chambers(chambers) if is_short else chambers))


def _united(chambers: list[Part]) -> list[Part]:
    regions: dict[Polynomial, Domain] = {}
    for where, value in chambers:
        regions[value] = (regions[value] | where).simplify() if value in regions else where
    return [(where, value) for value, where in regions.items()]


def _merge_chambers(chambers: list[Part]) -> list[Part]:
    """Merges a region into another one whose polynomial is right there, too; those of high degree first."""
    left = sorted(_united(chambers), key=lambda part: -part[1].degree)
    merged: list[Part] = []
    for where, value in left:
        for position, (region, other) in enumerate(merged):
            if agree(where, value, other):
                merged[position] = ((region | where).simplify(), other)
                break
        else:
            merged.append((where, value))
    return merged


def agree(where: Domain, one: Polynomial, other: Polynomial) -> bool:
    """Returns True if two polynomials are the same at every point of a region, piece by piece."""
    for piece in where.pieces():
        if _needs_floors(piece):
            return False
        difference, domain = one - other, Domain.where(where.space, piece.constraints)
        if _agree_on_points(piece, where.space.parameters, difference):
            continue
        equalities = hull_equalities(domain)
        while equalities:
            equality, *rest = equalities
            name = next((n for n, c in equality.terms if abs(c) == 1), None)
            if name is not None:
                value = (Affine.name(name) * equality.coefficient(name) - equality) * equality.coefficient(name)
                difference = difference.substitute(name, value)
                rest = [affine.substitute({name: value}) for affine in rest]
            equalities = rest
        if difference.terms:
            return False
    return True


def _agree_on_points(piece: Piece, parameters: tuple[str, ...], difference: Polynomial) -> bool:
    """Returns True if the piece has finitely many (and not many) points, and the difference is zero at all of them."""
    points = Domain.where(Space((), parameters), piece.constraints)
    if not points.is_bounded() or prod(box_of(points, {}).shape) > _MOST_POINTS:
        return False
    return not any(difference.at(dict(zip(parameters, point, strict=True))) for point in points.points({}))
