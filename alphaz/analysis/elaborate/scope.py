"""Scopes: the meaning of index names at one place of a program.

A place has a *context space* (parameters and dimensions). The names of the dimensions in the text may differ from those
of the space. They come from the equation (its left-hand side, or else the declaration of its variable) and from the
enclosing reductions; by position they name the dimensions after `f @` as well, if their number is the same. A restrict
`{a,b | ..} : e` adds names of its own, which are visible inside e."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alphaz.poly import Affine, Space, unlike


@dataclass(frozen=True, slots=True)
class Scope:
    """The index names at one place. `visible` maps a name of the text to a name of `space`.

    `order` are the names that the equation and its reductions give to positions. Those that the text of the equation
    `binds` (a declaration does not) keep their meaning even if a restrict renames dimensions; `clashing` are those that
    a restrict has given to another position."""

    space: Space
    visible: Mapping[str, str]
    order: tuple[str, ...] = ()
    binds: frozenset[str] = frozenset()
    clashing: frozenset[str] = field(default=frozenset())

    @staticmethod
    def of(parameters: tuple[str, ...], names: tuple[str, ...], written: bool = True) -> "Scope":
        """Returns a scope with dimensions named `names`, by the text at this place (`written`), or by a declaration."""
        binds = frozenset(names if written else ())
        return Scope(Space(parameters, names), {n: n for n in names}, names, binds)

    @property
    def named(self) -> bool:
        """Returns True if every dimension has a name that the text may use."""
        return set(self.visible.values()) >= set(self.space.names)

    def affine_of(self, name: str) -> Affine | None:
        """Returns the meaning of a name, or None if it is unknown."""
        if name in self.visible:
            return Affine.name(self.visible[name])
        return Affine.name(name) if name in self.space.parameters else None

    @property
    def known(self) -> tuple[str, ...]:
        """Returns every name that is visible here."""
        return (*self.visible, *self.space.parameters)

    def rebound(self, names: tuple[str, ...]) -> "Scope":
        """Returns the same dimensions, also visible under the names of a restrict, by position."""
        own = dict(zip(names, self.space.names, strict=True))
        kept = {name: at for name, at in self.visible.items() if name in self.binds}
        clashing = {name for name, at in own.items() if kept.get(name, at) != at}
        return replace(self, visible={**self.visible, **own, **kept}, clashing=self.clashing | clashing)

    def renamed(self, names: tuple[str, ...]) -> "Scope":
        """Returns the same dimensions under other names alone."""
        visible = dict(zip(names, self.space.names, strict=True))
        return replace(self, visible=visible, order=names, binds=frozenset(names), clashing=frozenset())

    def extended(self, names: tuple[str, ...]) -> "Scope":
        """Returns the scope with further dimensions after the present ones; a hidden dimension may have the same
        name."""
        inner = unlike(names, (*self.space.parameters, *self.space.names))
        space = self.space.with_names(self.space.names + inner)
        visible = {**self.visible, **dict(zip(names, inner, strict=True))}
        return replace(self, space=space, visible=visible, order=self.order + names, binds=self.binds.union(names))

    def behind(self, names: tuple[str, ...]) -> "Scope":
        """Returns the scope after a function whose output dimensions are named `names`."""
        fits = len(self.order) == len(names)
        visible = dict(zip(self.order, names, strict=True)) if fits else {}
        return replace(self, space=self.space.with_names(names), visible=visible, clashing=frozenset())
