"""The value of the equations that an assignment of generated C computes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.piece import Floor


@dataclass(frozen=True, slots=True)
class ValueAnnotation:
    """The value of the equations that an assignment computes, over the names of C and of `floors`: that of `variable`
    at `point`; to a sum it adds the term at the point `body` of the reduction. Or (`is_call`) it makes the call of a
    use equation of this label, at this point of its extension domain. It is not part of the text."""

    variable: str
    point: tuple[Affine, ...]
    body: tuple[Affine, ...] = ()
    floors: tuple[Floor, ...] = ()
    is_call: bool = False

    @property
    def names(self) -> frozenset[str]:
        values = (*self.point, *self.body, *(floor.affine for floor in self.floors))
        return frozenset(name for affine in values for name in affine.names)

    @property
    def without_term(self) -> "ValueAnnotation":
        """Returns the same for an assignment that adds no term of the equations itself."""
        return ValueAnnotation(self.variable, self.point, floors=self.floors)

    def substitute(self, values: Mapping[str, Affine], new_floors: tuple[Floor, ...] = ()) -> "ValueAnnotation":
        """Returns it with names replaced by values; these may use `more` floors."""
        point, body = (tuple(affine.substitute(values) for affine in part) for part in (self.point, self.body))
        floors = (Floor(floor.name, floor.affine.substitute(values), floor.denominator) for floor in self.floors)
        return replace(self, point=point, body=body, floors=tuple(dict.fromkeys((*new_floors, *floors))))
