"""The smallest point of a set (the witness shown to users), and lexicographic minima of preimages."""

from collections.abc import Callable, Iterator, Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, affine_text, tuple_text
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, equal
from alphaz.poly.plain.space import Space


def smallest_point(domain: Domain) -> dict[str, int] | None:
    """Returns values for every parameter and dimension, or None for the empty set."""
    if domain.set.is_empty():
        return None
    parameters = len(domain.space.parameters)
    flat = domain.set.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, parameters)
    count = flat.dim(isl.dim_type.set)
    flat = _not_negative(flat, range(parameters))
    if parameters > 1:
        flat = _least_sum(flat, parameters)
    flat = _fixed(flat, range(parameters))
    flat = _fixed(_not_negative(flat, range(parameters, count)), range(parameters, count))
    values = [flat.plain_get_val_if_fixed(isl.dim_type.set, position).to_python() for position in range(count)]
    return dict(zip(domain.space.parameters + domain.space.names, values, strict=True))


def by_sum(context: Domain, most: int) -> Iterator[dict[str, int]]:
    """Yields parameters of a context from 0 to `most`, in the order of their sums, then lexicographically.

    They are found one by one, each with a number of queries that is linear in the number of parameters: the box has
    `(most + 1) ** n` points."""
    count = len(context.space.parameters)
    flat = context.set.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, count)
    for position in range(count):
        flat = flat.lower_bound_val(isl.dim_type.set, position, isl.Val(0, CONTEXT))
        flat = flat.upper_bound_val(isl.dim_type.set, position, isl.Val(most, CONTEXT))
    summed = _with_sum(flat, count)
    for _, *values in _in_order(summed, 0):
        yield dict(zip(context.space.parameters, values, strict=True))


def _in_order(flat: isl.Set, position: int) -> Iterator[tuple[int, ...]]:
    """The points of a finite set, from dimension `position` on, in lexicographic order."""
    if position == flat.dim(isl.dim_type.set):
        yield from () if flat.is_empty() else ((),)
        return
    while not flat.is_empty():
        least = min(_extremes(flat, position, isl.Set.dim_min_val), key=_number)
        value = _number(least)
        yield from (
            (value, *others) for others in _in_order(flat.fix_val(isl.dim_type.set, position, least), position + 1)
        )
        flat = flat.lower_bound_val(isl.dim_type.set, position, isl.Val(value + 1, CONTEXT))


def any_point(domain: Domain) -> dict[str, int]:
    """Returns values for every parameter and dimension of some point of a non-empty set."""
    point = domain.set.sample_point()
    parameters, count = len(domain.space.parameters), domain.space.dimensions
    values = [point.get_coordinate_val(isl.dim_type.param, position).to_python() for position in range(parameters)]
    values += [point.get_coordinate_val(isl.dim_type.set, position).to_python() for position in range(count)]
    return dict(zip(domain.space.parameters + domain.space.names, values, strict=True))


def _not_negative(flat: isl.Set, dimensions: range) -> isl.Set:
    """Restricts each of the dimensions, in order, to non-negative values if a point remains."""
    for dimension in dimensions:
        bounded = flat.lower_bound_val(isl.dim_type.set, dimension, isl.Val(0, CONTEXT))
        flat = flat if bounded.is_empty() else bounded
    return flat


def _fixed(flat: isl.Set, dimensions: range) -> isl.Set:
    """Restricts each of the dimensions, in order, to its least value."""
    for dimension in dimensions:
        flat = flat.fix_val(isl.dim_type.set, dimension, _least(flat, dimension))
    return flat


def _least_sum(flat: isl.Set, parameters: int) -> isl.Set:
    """The points whose first `parameters` dimensions have the least sum, if there is a least one."""
    summed = _with_sum(flat, parameters)
    least = _extremes(summed, 0, isl.Set.dim_min_val)
    if not all(value.is_int() for value in least):
        return flat
    return summed.fix_val(isl.dim_type.set, 0, min(least, key=_number)).project_out(isl.dim_type.set, 0, 1)


def _with_sum(flat: isl.Set, count: int) -> isl.Set:
    """The points with an additional first dimension: the sum of the first `count`."""
    names = [f"x{position}" for position in range(flat.dim(isl.dim_type.set))]
    total = " + ".join(names[:count]) or "0"
    return flat.apply(isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join([total, *names])}] }}", CONTEXT))


def _least(flat: isl.Set, position: int) -> isl.Val:
    """The least value of dimension `position`; if there is none, the greatest, or any."""
    for optimum, choose in ((isl.Set.dim_min_val, min), (isl.Set.dim_max_val, max)):
        values = _extremes(flat, position, optimum)
        if all(value.is_int() for value in values):
            return choose(values, key=_number)
    return flat.sample_point().get_coordinate_val(isl.dim_type.set, position)


def _extremes(flat: isl.Set, position: int, optimum: Callable[[isl.Set, int], isl.Val]) -> list[isl.Val]:
    """One optimum for each non-empty piece.

    isl's own optimum over a union counts pieces that it has not yet found to be empty, with a value of no point."""
    return [optimum(basic.to_set(), position) for basic in flat.get_basic_sets() if not basic.is_empty()]


def _number(value: isl.Val) -> int:
    return int(value.to_python())


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
