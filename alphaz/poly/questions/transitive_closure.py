"""Where repeated steps lead: the reflexive transitive closure of a relation that is given by affine steps."""

from collections.abc import Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction

Step = tuple[Domain, AffineFunction]


def reached(domain: Domain, steps: Sequence[Step], names: Sequence[str]) -> Domain | None:
    """`{ (z, z') }` with z in the domain, where z' (called `names`) is reached from z by some steps, or none.

    A step is taken in its own domain only. None where isl cannot say exactly, or where a point is reached from itself.
    """
    relation = None
    for where, function in steps:
        one = function.to_map().intersect_domain(where.set).intersect_range(domain.set)
        relation = one if relation is None else relation.union(one)
    start = isl.Map.identity(isl.Space.map_from_set(domain.set.get_space())).intersect_domain(domain.set)
    if relation is None:
        return _pairs(start, domain, names)
    closure, exact = relation.coalesce().transitive_closure()
    if not exact or not closure.intersect(isl.Map.identity(closure.get_space())).is_empty():
        return None
    return _pairs(start.union(closure.intersect_domain(domain.set)), domain, names)


def _pairs(relation: isl.Map, domain: Domain, names: Sequence[str]) -> Domain:
    space = domain.space.with_names((*domain.space.names, *names))
    pairs = relation.coalesce().wrap().flatten()
    return Domain(space, pairs).renamed(space.names)
