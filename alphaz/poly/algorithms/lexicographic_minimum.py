"""Preimages of points under a function on a set, and their lexicographic minima.

For a reduction the function is its projection: a preimage is the set of contributions to one result, and the first
contribution to z is lexmin { date(e) : e in body, target(e) = z } (verifier.md, section 1)."""

from collections.abc import Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, affine_text, tuple_text
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, equal
from alphaz.poly.plain.space import Space

# The sum of floor(affine / size).
Floors = tuple[tuple[Affine, int], ...]


def first_of_each(body: Domain, target: AffineFunction, date: Sequence[Affine | Floors]) -> Domain:
    """Returns the points of `body` whose date is the least of all points with the same target."""
    space = body.space
    outputs = ", ".join(map(_component_text, date))
    dates = isl.Map(f"{tuple_text(space.parameters)} -> {{ {tuple_text(space.names)} -> [{outputs}] }}", CONTEXT)
    leads = target.to_map().intersect_domain(body.set)
    dated = dates.intersect_domain(body.set)
    least = leads.reverse().apply_range(dated).lexmin()
    first = leads.apply_range(least).intersect(dated).domain()
    return Domain(space, first.coalesce())


def _component_text(component: Affine | Floors) -> str:
    if isinstance(component, Affine):
        return affine_text(component)
    return " + ".join(f"floor(({affine_text(affine)})/{size})" for affine, size in component) or "0"


def preimage_of(body: Domain, target: AffineFunction, names: Sequence[str]) -> Domain:
    """Returns `{e in body | target(e) = names}`, with `names` as further parameters."""
    space = Space((*body.space.parameters, *names), body.space.names)
    values = dict(zip(target.domain.names, body.space.names, strict=True))
    outputs = [output.rename(values) for output in target.outputs]
    landing = [equal(output, Affine.name(name)) for output, name in zip(outputs, names, strict=True)]
    return Domain(space, Domain.where(space, landing).set.intersect(body.set))


def as_context(domain: Domain, names: Sequence[str]) -> Domain:
    """Returns the same set as a set of parameters: its dimensions, named `names`, become parameters."""
    count, known = domain.space.dimensions, len(domain.space.parameters)
    flat = domain.renamed(names).set.move_dims(isl.dim_type.param, known, isl.dim_type.set, 0, count)
    return Domain(Space((*domain.space.parameters, *names)), flat)


def as_dimensions(context: Domain, count: int) -> Domain:
    """Returns a set whose last `count` parameters become dimensions: the inverse of `as_context`."""
    known = len(context.space.parameters) - count
    parameters, names = context.space.parameters[:known], context.space.parameters[known:]
    moved = context.set.move_dims(isl.dim_type.set, 0, isl.dim_type.param, known, count)
    return Domain(Space(parameters, names), moved).renamed(names)


def infinite_preimages(domain: Domain, function: AffineFunction) -> Domain:
    """Returns the points of `domain` that share their image with infinitely many others of the same polyhedron.

    For one polyhedron the directions in which a preimage is infinite are the same for all images and parameters: all
    its preimages are infinite, or none."""
    domain.space.check_same_shape(function.domain)
    result = Domain.empty(domain.space)
    if domain.is_bounded():
        return result
    graph = function.to_map().intersect_domain(domain.set).compute_divs()
    for piece in graph.get_basic_maps():
        if not piece.is_empty() and not _preimage(piece).is_bounded():
            result = Domain(domain.space, result.set.union(isl.Map.from_basic_map(piece).domain()))
    return result


def _preimage(piece: isl.BasicMap) -> isl.BasicSet:
    """The source of the map, its targets taken for parameters."""
    targets = piece.dim(isl.dim_type.out)
    return piece.move_dims(isl.dim_type.param, piece.dim(isl.dim_type.param), isl.dim_type.out, 0, targets).domain()
