"""Joins several sets by equations between their points; the equations are solved first, so that isl has fewer
dimensions.

Two instances in some twenty loops each are most often in the same iteration of most of them.
"""

from collections.abc import Iterable, Mapping, Sequence

from alphaz.poly import Affine, AffineFunction, Constraint, Domain
from alphaz.poly.plain.space import Space


def joined_domain(space: Space, parts: Sequence[Domain], *cases: Iterable[Constraint]) -> Domain:
    """Returns the points of `space` that lie in all parts, each over some of its names, and satisfy one of the
    cases."""
    union = Domain.empty(space)
    for case in cases:
        more = _join_case(space, parts, list(case))
        if more is not None:
            union = union | more
    return union


def _join_case(space: Space, parts: Sequence[Domain], case: Sequence[Constraint]) -> Domain | None:
    """Returns the points for one case; None if there are none."""
    values_ = _solved(space, case)
    if values_ is None:
        return None
    inner = space.with_names(tuple(name for name in space.names if name not in values_))
    product_ = Domain.where(
        inner, [rest for constraint in case if (rest := constraint.substitute(values_)).affine != Affine()]
    )
    for part in parts:
        values = tuple(values_.get(name, Affine.name(name)) for name in part.space.names)
        product_ = product_ & part.preimage(AffineFunction(inner, values))
        if product_.is_empty():
            return None
    outer = product_.preimage(AffineFunction(space, tuple(map(Affine.name, inner.names))))
    return outer & Domain.where(space, [Constraint(Affine.name(n) - value, True) for n, value in values_.items()])


def _solved(space: Space, case: Iterable[Constraint]) -> Mapping[str, Affine] | None:
    """Returns the names that the equations determine; None if the equations are contradictory."""
    solution: dict[str, Affine] = {}
    for constraint in case:
        if not constraint.equality:
            continue
        affine = constraint.affine.substitute(solution)
        if affine.is_constant and affine.constant:
            return None
        name = next((n for n, c in reversed(affine.terms) if abs(c) == 1 and n in space.names), None)
        if name is None:
            continue
        value = (affine - Affine.name(name) * affine.coefficient(name)) * -affine.coefficient(name)
        solution = {n: v.substitute({name: value}) for n, v in solution.items()} | {name: value}
    return solution
