"""Candidate reuse vectors of a reduction: directions along which its body is constant, from the faces of its points.

The share space is the set of directions in which all reads of the body are constant, within the span of the points. The
terms that remain after reuse along a vector lie at the faces to which the vector is not parallel: the best vectors are
parallel to as many faces as possible, and so lie in intersections of faces with the share space. Intersections of
dimension one are enough, in both directions; with a basis of the share space, for points without faces.
Source: Gautam and Rajopadhye, Simplifying Reductions, POPL 2006, section 4."""

from collections.abc import Iterator
from itertools import combinations

from alphaz.model.expression import Access, Compose, Expression, IndexValue, Reduce
from alphaz.model.walk import children
from alphaz.poly import Affine
from alphaz.poly.algorithms.functional import hull_equalities
from alphaz.poly.plain.lattice import Vector, kernel
from alphaz.transform.engine.push import drops_last
from alphaz.transform.reductions.site import ReductionSite

# Most subsets of faces that are tried.
_MOST = 200


def directions(whole: ReductionSite) -> list[Vector]:
    """Returns reuse vectors, the shortest first, to earlier points before later ones; none maps an answer to itself."""
    names = whole.names
    share = _rows(whole)
    dimension = len(kernel(share, len(names)))
    if not dimension:
        return []
    found: dict[Vector, None] = {}
    faces = _faces(whole)
    for count, subset in enumerate(combinations(faces, dimension - 1)):
        if count == _MOST:
            break
        rays = kernel([*share, *subset], len(names))
        if len(rays) == 1:
            found[rays[0]] = None
    for vector in kernel(share, len(names)):
        found[vector] = None
    both = [each for vector in found for each in (vector, tuple(-c for c in vector))]
    useful = [vector for vector in dict.fromkeys(both) if any(_answer_direction(whole, vector))]
    return sorted(useful, key=lambda vector: (sum(map(abs, vector)), vector))


def _answer_direction(whole: ReductionSite, vector: Vector) -> Vector:
    return tuple(
        sum(output.coefficient(n) * c for n, c in zip(whole.names, vector, strict=True))
        for output in whole.node.projection.outputs
    )


def _rows(whole: ReductionSite) -> list[Vector]:
    """The forms that reuse must preserve: all that the body depends on, and the equalities of its points."""
    affines = [*_leaves(whole.node.body, whole.names), *hull_equalities(whole.points)]
    names = whole.names
    return [tuple(affine.coefficient(n) for n in names) for affine in affines]


def _leaves(node: Expression, names: tuple[str, ...]) -> Iterator[Affine]:
    """The affine expressions of the body's indices, `names`, that the body depends on."""
    match node:
        case Access(_, function) | Compose(function, _, _):
            yield from function.outputs
            return
        case IndexValue(affine):
            yield affine
            return
        case Reduce():
            yield from _inner_leaves(node, names)
            return
    for child in children(node):
        yield from _leaves(child, names)


def _inner_leaves(node: Reduce, names: tuple[str, ...]) -> Iterator[Affine]:
    """The leaves of a reduction in the body: those of its own body, by the names of this one; else all leaves count."""
    if not drops_last(node.projection):
        yield from (Affine.name(n) for n in names)
        return
    inner = node.projection.domain.names
    outer = {old: Affine.name(new) for old, new in zip(inner, names, strict=False)}
    own = {n: Affine() for n in inner[len(names) :]}
    for leaf in _leaves(node.body, inner):
        yield leaf.substitute({**own, **outer})


def _faces(whole: ReductionSite) -> list[Vector]:
    """The normals of the faces of the points, without their directions."""
    found: dict[Vector, None] = {}
    for piece in whole.points.pieces():
        for constraint in piece.constraints:
            normal = tuple(constraint.affine.coefficient(n) for n in whole.names)
            if any(normal) and not constraint.equality:
                found[max(normal, tuple(-c for c in normal))] = None
    return list(found)
