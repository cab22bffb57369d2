"""Lexicographic extremes of some names of a set, as functions of the others with quotients.

Source: Feautrier, Parametric Integer Programming (RAIRO 1988).
"""

from dataclasses import dataclass, field

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.piece import Floor


@dataclass(frozen=True, slots=True)
class QuasiAffine:
    """Affine functions of names and of floors; a floor may use earlier ones."""

    floors: tuple[Floor, ...]
    outputs: tuple[Affine, ...]


def extremes(points: Domain, count: int, most: int) -> tuple[QuasiAffine, ...]:
    """Returns the least and the greatest values of the last `count` names, as functions of the names before them.

    Each function is for some points only; at most `most` are returned for either end."""
    names = points.space.names[: points.space.dimensions - count]
    relation = isl.Map.from_range(points.set).move_dims(isl.dim_type.in_, 0, isl.dim_type.out, 0, len(names)).coalesce()
    affines: dict[QuasiAffine, None] = {}
    for extreme in (isl.Map.lexmin_pw_multi_aff, isl.Map.lexmax_pw_multi_aff):
        try:
            pieces = extreme(relation)
        except isl.Error:
            continue
        functions: list[tuple[isl.Set, isl.MultiAff]] = []
        pieces.foreach_piece(lambda *piece: functions.append(piece))  # noqa: B023 - called at once
        try:
            affines |= dict.fromkeys(_Reader(names).function(value.gist(where)) for where, value in functions[:most])
        except isl.Error:
            continue
    return tuple(affines)


@dataclass(slots=True)
class _Reader:
    """Reads a function of isl."""

    names: tuple[str, ...]
    floors: dict[tuple[Affine, int], str] = field(default_factory=dict)

    def function(self, value: isl.MultiAff) -> QuasiAffine:
        outputs = tuple(
            self._whole(*self._fraction(value.get_aff(position))) for position in range(value.dim(isl.dim_type.out))
        )
        floors = tuple(Floor(name, affine, by) for (affine, by), name in self.floors.items())
        return QuasiAffine(floors, outputs)

    def _whole(self, affine: Affine, by: int) -> Affine:
        """Returns floor(affine / by)."""
        if by == 1:
            return affine
        return Affine.name(self.floors.setdefault((affine, by), f"floor.{len(self.floors)}"))

    def _fraction(self, value: isl.Aff) -> tuple[Affine, int]:
        """Returns an affine expression with integer coefficients, and its divisor."""
        by = value.get_denominator_val()
        terms = [
            (name, value.get_coefficient_val(isl.dim_type.in_, position)) for position, name in enumerate(self.names)
        ]
        whole = [(name, coefficient.mul(by).to_python()) for name, coefficient in terms]
        total = Affine.of(whole, value.get_constant_val().mul(by).to_python())
        for position in range(value.dim(isl.dim_type.div)):
            coefficient = value.get_coefficient_val(isl.dim_type.div, position).mul(by).to_python()
            if coefficient:
                total += self._whole(*self._fraction(value.get_div(position))) * coefficient
        return total, by.to_python()
