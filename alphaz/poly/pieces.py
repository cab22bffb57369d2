"""The basic sets of isl as plain pieces."""

import islpy as isl

from alphaz.poly.plain.affine import Affine, Constraint
from alphaz.poly.plain.piece import Floor, Piece
from alphaz.poly.plain.space import Space


def pieces_of(the_set: isl.Set, space: Space) -> tuple[Piece, ...]:
    """The union of basic sets, existential variables made explicit as floors."""
    names = (
        *((isl.dim_type.param, at, name) for at, name in enumerate(space.parameters)),
        *((isl.dim_type.set, at, name) for at, name in enumerate(space.names)),
    )
    pieces = the_set.compute_divs().get_basic_sets()
    return tuple(_piece(basic, names) for basic in pieces if not basic.is_empty())


Names = tuple[tuple["isl.dim_type", int, str], ...]


def _piece(basic: isl.BasicSet, names: Names) -> Piece:
    local = basic.get_local_space()
    divisions = tuple(f"floor.{at}" for at in range(local.dim(isl.dim_type.div)))
    names = (*names, *((isl.dim_type.div, at, name) for at, name in enumerate(divisions)))
    floors = tuple(_floor(local.get_div(at), name, names) for at, name in enumerate(divisions))
    constraints = tuple(
        Constraint(_affine(c, names), bool(c.is_equality()))
        for c in basic.get_constraints()
        if not c.is_div_constraint()
    )
    return Piece(constraints, floors)


def _affine(constraint: isl.Constraint, names: Names) -> Affine:
    coefficients = [(n, constraint.get_coefficient_val(kind, at).to_python()) for kind, at, n in names]
    return Affine(tuple(sorted([term for term in coefficients if term[1]])), constraint.get_constant_val().to_python())


def _floor(division: isl.Aff, name: str, names: Names) -> Floor:
    """isl gives rational coefficients over one common denominator."""
    denominator = division.get_denominator_val().to_python()

    def whole(value: isl.Val) -> int:
        return int((value * denominator).to_python())

    kinds = {isl.dim_type.set: isl.dim_type.in_}
    terms = ((n, whole(division.get_coefficient_val(kinds.get(kind, kind), at))) for kind, at, n in names)
    return Floor(name, Affine.of(terms, whole(division.get_constant_val())), denominator)
