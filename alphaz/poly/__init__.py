"""Polyhedra by name. The only room that knows isl."""

from alphaz.poly.affine import Affine, Constraint, at_least, equal, less
from alphaz.poly.domain import Domain, Unbounded
from alphaz.poly.engine import OutOfBudget, budget
from alphaz.poly.fibres import infinite_fibres
from alphaz.poly.formula import Formula, common, outside
from alphaz.poly.function import AffineFunction
from alphaz.poly.instance import instance
from alphaz.poly.piece import Floor, Piece
from alphaz.poly.smallest import any_point, smallest_point
from alphaz.poly.space import Space, SpaceMismatch, fresh_names

__all__ = [
    "Affine",
    "AffineFunction",
    "Constraint",
    "Domain",
    "Floor",
    "Formula",
    "OutOfBudget",
    "Piece",
    "Space",
    "SpaceMismatch",
    "Unbounded",
    "any_point",
    "at_least",
    "budget",
    "common",
    "equal",
    "fresh_names",
    "infinite_fibres",
    "instance",
    "less",
    "outside",
    "smallest_point",
]
