"""Which index names mean what, at one place of a program.

A place has a *context space* (parameters and dimensions). The names that the text may use for the dimensions need not
be those of the space: `{a,b | ..} : e` gives the dimensions other names inside e, by position; a point-free equation
gives them none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphaz.poly import Affine, Space


@dataclass(frozen=True, slots=True)
class Scope:
    """`visible` maps a name of the text to a name of `space`; `named` tells whether every dimension is visible."""

    space: Space
    visible: Mapping[str, str]
    named: bool = True

    @staticmethod
    def of(parameters: tuple[str, ...], names: tuple[str, ...], named: bool = True) -> "Scope":
        """Dimensions called `names`, visible under these names if `named` (trivially so when there are none)."""
        named = named or not names
        return Scope(Space(parameters, names), {n: n for n in names} if named else {}, named)

    def affine_of(self, name: str) -> Affine | None:
        """What a name stands for, or None where nothing has it."""
        if name in self.visible:
            return Affine.name(self.visible[name])
        return Affine.name(name) if name in self.space.parameters else None

    @property
    def known(self) -> tuple[str, ...]:
        """Every name that may be used here."""
        return (*self.visible, *self.space.parameters)

    def rebound(self, names: tuple[str, ...]) -> "Scope":
        """The same dimensions under other names, by position."""
        return replace(self, visible=dict(zip(names, self.space.names, strict=True)), named=True)

    def extended(self, names: tuple[str, ...]) -> "Scope":
        """More dimensions behind those that are there; a hidden dimension of the same name is no obstacle."""
        inner = unlike(names, (*self.space.parameters, *self.space.names))
        space = self.space.with_names(self.space.names + inner)
        return replace(self, space=space, visible={**self.visible, **dict(zip(names, inner, strict=True))})


def unlike(names: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with underscores behind those that are taken."""
    used, result = set(taken), []
    for name in names:
        while name in used:
            name += "_"
        used.add(name)
        result.append(name)
    return tuple(result)
