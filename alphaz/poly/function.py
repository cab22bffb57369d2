"""Integer affine functions between named spaces."""

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.engine import multi_affine
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import Space, SpaceMismatch


@dataclass(frozen=True, slots=True)
class AffineFunction:
    """`(names -> outputs)` over the parameters of `domain`. Plain data; `==` compares names, too."""

    domain: Space
    outputs: tuple[Affine, ...]

    def __post_init__(self) -> None:
        known = {*self.domain.parameters, *self.domain.names}
        unknown = {n for output in self.outputs for n in output.names} - known
        if unknown:
            raise SpaceMismatch(f"{sorted(unknown)} not in {self.domain}")

    @staticmethod
    def identity(space: Space) -> "AffineFunction":
        return AffineFunction(space, tuple(Affine.name(n) for n in space.names))

    @property
    def is_identity(self) -> bool:
        return self.outputs == tuple(Affine.name(n) for n in self.domain.names)

    def at(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Returns the image of a point; `values` has every parameter and dimension."""
        return tuple(output.at(values) for output in self.outputs)

    def then(self, outer: "AffineFunction") -> "AffineFunction":
        """Returns `outer o self`: first this function, then `outer`."""
        if outer.domain.parameters != self.domain.parameters or len(outer.domain.names) != len(self.outputs):
            raise SpaceMismatch(f"{self} does not lead into {outer.domain}")
        values = dict(zip(outer.domain.names, self.outputs, strict=True))
        return AffineFunction(self.domain, tuple(o.substitute(values) for o in outer.outputs))

    def renamed(self, names: tuple[str, ...]) -> "AffineFunction":
        """Returns the same function with indices named `names`."""
        by_name = {old: Affine.name(new) for old, new in zip(self.domain.names, names, strict=True)}
        return AffineFunction(self.domain.with_names(names), tuple(o.substitute(by_name) for o in self.outputs))

    def is_injective(self) -> bool:
        """Returns True if no two points share an image, for any values of the parameters."""
        return bool(self.to_map().is_injective())

    def to_multi_aff(self) -> isl.MultiAff:
        return multi_affine(self.domain, self.outputs)

    def to_map(self) -> isl.Map:
        return isl.Map.from_multi_aff(self.to_multi_aff())

    def __str__(self) -> str:
        return f"({','.join(self.domain.names)} -> {','.join(map(str, self.outputs))})"
