"""Relations that are functions: inverses in a context, and neighbours in lexicographic order, as affine pieces."""

import functools
from collections.abc import Sequence

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import OutOfBudget, budget
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.solve import solve
from alphaz.poly.plain.space import Space, fresh_names

Pieces = tuple[tuple[Domain, AffineFunction], ...]

# isl operations to follow steps to their ends: uniform ones take about 10^4.
_STEPS = 1_000_000


def left_inverse(function: AffineFunction, domain: Domain, names: Sequence[str]) -> AffineFunction | None:
    """Returns the integer affine g, over indices named `names`, with g(f(z)) = z for every z of the domain; None if
    there is none.

    Equalities of the domain (and of its parameters) may be used: `(i,j -> i)` has an inverse if j == i+1."""
    inputs = function.domain.names
    outputs = fresh_names(len(function.outputs), "y", (*function.domain.parameters, *inputs))
    equalities = [Affine.name(y) - value for y, value in zip(outputs, function.outputs, strict=True)]
    equalities += hull_equalities(domain.renamed(inputs))
    solution = solve(equalities, inputs)
    if solution is None:
        return None
    calls = {y: Affine.name(name) for y, name in zip(outputs, names, strict=True)}
    space = Space(function.domain.parameters, tuple(names))
    return AffineFunction(space, tuple(solution[n].substitute(calls) for n in inputs))


def determining(domain: Domain, determined: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns few names of the domain, including all `given` ones, of which the others are integer affine functions."""
    names = domain.space.names
    for name in reversed(domain.space.names):
        fewer = tuple(n for n in names if n != name)
        function = AffineFunction(domain.space, tuple(map(Affine.name, fewer)))
        if name not in determined and left_inverse(function, domain, fewer) is not None:
            names = fewer
    return names


def hull_equalities(domain: Domain) -> list[Affine]:
    """Returns the equalities (each affine is zero) that hold at every point, except those with floors."""
    return graph_equalities(domain.set, domain.space)


def previous(domain: Domain, projection: AffineFunction) -> Pieces | None:
    """Returns for each z the lexicographic predecessor in the domain with the same projection, if there is one.

    The pieces are disjoint. None if a piece is not an integer affine function."""
    same = projection.to_map().apply_range(projection.to_map().reverse())
    smaller = same.intersect(isl.Map.lex_gt(domain.set.get_space()))
    smaller = smaller.intersect_domain(domain.set).intersect_range(domain.set)
    return _pieces(smaller.lexmax(), domain.space, domain.space.names)


def last(domain: Domain, projection: AffineFunction, names: Sequence[str]) -> Pieces | None:
    """Returns for each y = projection(z), over `names`, the lexicographically last such z of the domain; as
    `previous`."""
    maxima = projection.to_map().intersect_domain(domain.set).reverse().lexmax()
    return _pieces(maxima, domain.space.with_names(names), domain.space.names)


def ends(steps: Pieces) -> Pieces | None:
    """Returns the point that each point of the steps' domains (disjoint, of one space) reaches after all possible
    steps.

    None if that is not known exactly, if some point never leaves the domains, or if a piece is not an affine function.
    """
    space = steps[0][0].space
    try:
        with budget(_STEPS):
            moves = [function.to_map().intersect_domain(domain.set) for domain, function in steps]
            move = functools.reduce(isl.Map.union, moves)
            closure, exact = move.transitive_closure()
            end_map = closure.subtract_range(move.domain())
            if not exact or not end_map.is_single_valued() or not move.domain().is_subset(end_map.domain()):
                return None
            return _pieces(end_map, space, space.names)
    except OutOfBudget:
        return None


def _pieces(relation: isl.Map, source: Space, target: Sequence[str]) -> Pieces | None:
    pieces: list[tuple[Domain, AffineFunction]] = []
    outputs = fresh_names(len(target), "y", (*source.parameters, *source.names))
    for where, graph in graphs(relation):
        equalities = graph_equalities(graph, source.with_names((*source.names, *outputs)))
        solution = solve(equalities, outputs)
        if solution is None:
            return None
        function = AffineFunction(source, tuple(solution[y] for y in outputs))
        pieces.append((Domain(source, where).renamed(source.names), function))
    return tuple(pieces)


def graphs(relation: isl.Map) -> list[tuple[isl.Set, isl.Set]]:
    """Returns the pieces of a single-valued relation: domain, and graph as a set."""
    pieces: list[tuple[isl.Set, isl.Set]] = []

    def keep(where: isl.Set, value: isl.MultiAff) -> None:
        graph = isl.Map.from_multi_aff(value).intersect_domain(where)
        pieces.append((where, graph.wrap().flatten()))

    isl.PwMultiAff.from_map(relation.coalesce()).coalesce().foreach_piece(keep)
    return pieces


def graph_equalities(points: isl.Set, space: Space) -> list[Affine]:
    hull = points.affine_hull().remove_unknown_divs()
    names = (
        *((isl.dim_type.param, position, name) for position, name in enumerate(space.parameters)),
        *((isl.dim_type.set, position, name) for position, name in enumerate(space.names)),
    )
    floors = hull.dim(isl.dim_type.div)
    equalities: list[Affine] = []
    for constraint in hull.get_constraints():
        if constraint.is_equality() and not (floors and constraint.involves_dims(isl.dim_type.div, 0, floors)):
            terms = [(n, constraint.get_coefficient_val(kind, at).to_python()) for kind, at, n in names]
            equalities.append(Affine.of(terms, constraint.get_constant_val().to_python()))
    return equalities
