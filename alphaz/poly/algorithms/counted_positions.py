"""The rank of a point: the number of points of its domain before it in lexicographic order, a piecewise polynomial.

It is found by counting, and proved by induction, independently of the counting: the first point has rank 0, each point
the rank of its predecessor plus one, and the last one the number of points minus one. So ranks are distinct.
Source: P. Clauss, B. Meister, Automatic memory layout transformations to optimize spatial locality in parameterized
loop nests, ACM SIGARCH Computer Architecture News 28(1), 2000."""

from dataclasses import dataclass

from alphaz.poly.algorithms.counting import Count, agree, count
from alphaz.poly.algorithms.functional_relations import previous
from alphaz.poly.algorithms.smallest import as_context, as_dimensions
from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint, equal, less
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.poly.plain.space import fresh_names

_ONE = Polynomial.constant(1)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Ranks of points. `rank` is over parameters and indices (its parts are sets of these as parameters), `size` over
    the parameters."""

    rank: Count
    size: Count


def ranking(domain: Domain, context: Domain) -> Ranking | None:
    """Returns the ranks of the points of a domain for the parameters of the context; None if they are not polynomials,
    or not proved."""
    points = domain.in_context(context).simplify()
    size = count(points, context)
    places = as_context(points, points.space.names)
    rank = count(_before(points), places)
    if rank is None or size is None:
        return None
    candidate = Ranking(rank, size)
    return candidate if _is_proved(candidate, points) else None


def is_rank(ranking: Ranking, points: Domain, value: Polynomial) -> bool:
    """Returns True if these ranked points have this rank."""
    return points.is_empty() or _is_everywhere(ranking.rank, points, value)


def _before(points: Domain) -> Domain:
    """`{ x : x precedes z }`, with z as further parameters."""
    names = points.space.names
    others = fresh_names(len(names), "x", (*points.space.parameters, *names))
    inside = points.renamed(others).with_parameters(names)
    apart: list[list[Constraint]] = []
    for position, (z, x) in enumerate(zip(names, others, strict=True)):
        same = [equal(Affine.name(u), Affine.name(v)) for u, v in zip(names[:position], others[:position], strict=True)]
        apart.append([*same, less(Affine.name(x), Affine.name(z))])
    return inside & Domain.where(inside.space, *apart)


def _is_proved(ranking: Ranking, points: Domain) -> bool:
    steps = previous(points, AffineFunction(points.space, ()))
    if steps is None:
        return False
    first, final = points, points
    for where, before in steps:
        first -= where
        final -= where.image(before, points.space.names)
        if not _steps_by_one(ranking.rank, points, where, before):
            return False
    return _is_everywhere(ranking.rank, first, Polynomial()) and _ends_at(ranking, final)


def _steps_by_one(rank: Count, points: Domain, where: Domain, before: AffineFunction) -> bool:
    """Returns True if the rank of each point is that of its predecessor plus one, in all pairs of regions."""
    names = points.space.names
    values = dict(zip(names, before.renamed(names).outputs, strict=True))
    for there, earlier in _parts(rank, points):
        came = where & there.preimage(before.renamed(names))
        shifted = earlier.replaced(values) + _ONE
        if not came.is_empty() and not _is_everywhere(rank, came, shifted):
            return False
    return _covered(rank, points, where.image(before, names))


def _is_everywhere(rank: Count, points: Domain, value: Polynomial) -> bool:
    """Returns True if the rank is `value` at all of these points."""
    names = points.space.names
    for there, own in _parts(rank, points):
        here = points & there
        if not here.is_empty() and not agree(as_context(here, names), own, value):
            return False
    return _covered(rank, points, points)


def _covered(rank: Count, points: Domain, some: Domain) -> bool:
    """Returns True if the regions of the rank contain all of these points."""
    for there, _ in _parts(rank, points):
        some -= there
    return some.is_empty()


def _ends_at(ranking: Ranking, final: Domain) -> bool:
    """Returns True if the last point has the greatest rank."""
    for where, number in ranking.size.parts:
        if not _is_everywhere(ranking.rank, final.in_context(where), number - _ONE):
            return False
        final -= final.in_context(where)
    return final.is_empty()


def _parts(rank: Count, points: Domain) -> list[tuple[Domain, Polynomial]]:
    """The regions as sets of points."""
    return [(as_dimensions(where, points.space.dimensions), value) for where, value in rank.parts]
