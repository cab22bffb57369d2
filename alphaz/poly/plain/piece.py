"""A basic set as plain data: membership, printing and other solvers do not need isl."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.poly.plain.affine import Affine, Constraint


@dataclass(frozen=True, slots=True)
class Floor:
    """`name = floor(affine / denominator)`; the affine may use earlier floors."""

    name: str
    affine: Affine
    denominator: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A conjunction of constraints over names and floors."""

    constraints: tuple[Constraint, ...]
    floors: tuple[Floor, ...] = ()

    def holds(self, values: Mapping[str, int]) -> bool:
        if not self.floors:
            return all(c.holds(values) for c in self.constraints)
        known = dict(values)
        for floor in self.floors:
            known[floor.name] = floor.affine.at(known) // floor.denominator
        return all(c.holds(known) for c in self.constraints)

    def __str__(self) -> str:
        texts = [str(c) for c in self.constraints]
        texts += [f"{f.name}=floor(({f.affine})/{f.denominator})" for f in self.floors]
        return " && ".join(texts)
