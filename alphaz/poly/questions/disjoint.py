"""A union as polyhedra that share no point."""

from alphaz.poly.domain import Domain


def disjoint_polyhedra(domain: Domain) -> tuple[Domain, ...]:
    """The same points in disjoint polyhedra, as few as isl finds; one where the set is one, none for the empty set."""
    parts = domain.set.coalesce().make_disjoint().get_basic_sets()
    return tuple(Domain(domain.space, basic.to_set()) for basic in parts if not basic.is_empty())
