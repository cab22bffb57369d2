"""Splits unions into disjoint polyhedra, lists vertices, and substitutes parameters by those of another system."""

from collections.abc import Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import mangle
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import Space, SpaceMismatch


def disjoint_polyhedra(domain: Domain) -> tuple[Domain, ...]:
    """Returns the same points in disjoint polyhedra, as few as isl finds; the set itself if it is one, none for the
    empty set."""
    parts = domain.set.coalesce().make_disjoint().get_basic_sets()
    return tuple(Domain(domain.space, basic.to_set()) for basic in parts if not basic.is_empty())


def vertices(domain: Domain) -> tuple[tuple[int, ...], ...] | None:
    """Returns the vertices of the convex pieces of a set without parameters. None if the pieces are unbounded, or have
    non-integer vertices: then the greatest value of an affine expression is not at a vertex."""
    if not domain.is_bounded():
        return None
    vertex_functions: list[isl.MultiAff] = []
    for piece in domain.set.get_basic_sets():
        if piece.dim(isl.dim_type.div):
            return None
        piece.compute_vertices().foreach_vertex(lambda vertex: vertex_functions.append(vertex.get_expr()))
    points = [
        [vertex.get_at(dimension).get_constant_val() for dimension in range(domain.space.dimensions)]
        for vertex in vertex_functions
    ]
    if not all(value.is_int() for point in points for value in point):
        return None
    return tuple(tuple(int(value.to_python()) for value in point) for point in points)


def instantiate(domain: Domain, space: Space, parameters: Sequence[Affine], indices: Sequence[Affine]) -> Domain:
    """Returns `{z in space | indices(z) in domain, its parameters being parameters(z)}`; both are affine over
    `space`."""
    if len(parameters) != len(domain.space.parameters) or len(indices) != domain.space.dimensions:
        raise SpaceMismatch(f"{domain.space} at {len(parameters)} parameters, {len(indices)} indices")
    flat = domain.set.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, len(parameters))
    flat = flat.add_dims(isl.dim_type.param, len(space.parameters))
    for position, name in enumerate(space.parameters):
        flat = flat.set_dim_name(isl.dim_type.param, position, mangle(name))
    function = AffineFunction(space, (*parameters, *indices))
    return Domain(space, flat.preimage_multi_aff(function.to_multi_aff()))
