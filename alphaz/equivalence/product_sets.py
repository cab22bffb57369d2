"""Points of several sets that satisfy equations, which are substituted first: isl then has half of the dimensions.

Two instances in some twenty loops each are most often in the same iteration of most of them.
"""

from collections.abc import Iterable, Mapping, Sequence

from alphaz.poly import Affine, AffineFunction, Constraint, Domain
from alphaz.poly.plain.space import Space


def joined_domain(space: Space, parts: Sequence[Domain], *cases: Iterable[Constraint]) -> Domain:
    """Returns the points of `space` that lie in all parts, each over some of its names, and satisfy one of the
    cases."""
    found = Domain.empty(space)
    for case in cases:
        more = _join_case(space, parts, list(case))
        if more is not None:
            found = found | more
    return found


def _join_case(space: Space, parts: Sequence[Domain], case: Sequence[Constraint]) -> Domain | None:
    """Returns the points for one case; None if there are none."""
    known = _solved(space, case)
    if known is None:
        return None
    inner = space.with_names(tuple(name for name in space.names if name not in known))
    found = Domain.where(inner, [rest for each in case if (rest := each.substitute(known)).affine != Affine()])
    for part in parts:
        values = tuple(known.get(name, Affine.name(name)) for name in part.space.names)
        found = found & part.preimage(AffineFunction(inner, values))
        if found.is_empty():
            return None
    outer = found.preimage(AffineFunction(space, tuple(map(Affine.name, inner.names))))
    return outer & Domain.where(space, [Constraint(Affine.name(n) - value, True) for n, value in known.items()])


def _solved(space: Space, case: Iterable[Constraint]) -> Mapping[str, Affine] | None:
    """Returns the names that the equations determine; None if the equations are contradictory."""
    known: dict[str, Affine] = {}
    for each in case:
        if not each.equality:
            continue
        affine = each.affine.substitute(known)
        if affine.is_constant and affine.constant:
            return None
        name = next((n for n, c in reversed(affine.terms) if abs(c) == 1 and n in space.names), None)
        if name is None:
            continue
        value = (affine - Affine.name(name) * affine.coefficient(name)) * -affine.coefficient(name)
        known = {n: v.substitute({name: value}) for n, v in known.items()} | {name: value}
    return known
