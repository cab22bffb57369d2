"""The vertices of a set, where they are integer points: the extremes of affine expressions lie there."""

import islpy as isl

from alphaz.poly.domain import Domain


def vertices(domain: Domain) -> tuple[tuple[int, ...], ...] | None:
    """Of a set without parameters, those of its convex pieces. None where the pieces are not bounded, or have vertices
    that are not integer: the greatest value of an affine expression is then not to be had from vertices.
    """
    if not domain.is_bounded():
        return None
    found: list[isl.MultiAff] = []
    for piece in domain.set.get_basic_sets():
        if piece.dim(isl.dim_type.div):
            return None
        piece.compute_vertices().foreach_vertex(lambda vertex: found.append(vertex.get_expr()))
    points = [[each.get_at(at).get_constant_val() for at in range(domain.space.dimensions)] for each in found]
    if not all(value.is_int() for point in points for value in point):
        return None
    return tuple(tuple(int(value.to_python()) for value in point) for point in points)
