"""Polyhedra over named dimensions. The only package that uses isl.

`plain/` (affine expressions and polyhedra without isl), `algorithms/` (bounds, counts, least points), `scheduling/`.
Entry points: `Domain` in `domain.py`, `AffineFunction` in `function.py`.
"""

from alphaz.poly.algorithms.set_operations import instantiate
from alphaz.poly.algorithms.smallest import any_point, infinite_preimages, smallest_point
from alphaz.poly.domain import Domain, Unbounded
from alphaz.poly.engine import OutOfBudget, budget
from alphaz.poly.formula import Formula, Missing, common, outside
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint, at_least, equal, less
from alphaz.poly.plain.piece import Floor, Piece
from alphaz.poly.plain.space import Space, SpaceMismatch, fresh_names, unlike

__all__ = [
    "Affine",
    "AffineFunction",
    "Constraint",
    "Domain",
    "Floor",
    "Formula",
    "Missing",
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
    "infinite_preimages",
    "instantiate",
    "less",
    "outside",
    "smallest_point",
    "unlike",
]
