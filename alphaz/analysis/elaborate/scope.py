"""Which index names mean what, at one place of a program.

A place has a *context space* (parameters and dimensions). The names that the text may use for the dimensions need not
be those of the space. They come from the equation (its left-hand side, or else the declaration of its variable) and
from the reductions around; by position they name the dimensions behind `f @` as well, where there are as many. A
restrict `{a,b | ..} : e` adds names of its own, which are known inside e.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from alphaz.poly import Affine, Space, unlike


@dataclass(frozen=True, slots=True)
class Scope:
    """`visible` maps a name of the text to a name of `space`.

    `order` are the names that the equation and its reductions give to positions. Those that the text of the equation
    `binds` (a declaration does not) keep their meaning whatever a restrict calls its dimensions; `clashing` are those
    that a restrict has given to another position.
    """

    space: Space
    visible: Mapping[str, str]
    order: tuple[str, ...] = ()
    binds: frozenset[str] = frozenset()
    clashing: frozenset[str] = field(default=frozenset())

    @staticmethod
    def of(parameters: tuple[str, ...], names: tuple[str, ...], written: bool = True) -> "Scope":
        """Dimensions called `names`, by the text that stands there (`written`), or by a declaration."""
        binds = frozenset(names if written else ())
        return Scope(Space(parameters, names), {n: n for n in names}, names, binds)

    @property
    def named(self) -> bool:
        """Whether every dimension has a name that the text may use."""
        return set(self.visible.values()) >= set(self.space.names)

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
        """The same dimensions, under names of a restrict as well, by position."""
        own = dict(zip(names, self.space.names, strict=True))
        kept = {name: at for name, at in self.visible.items() if name in self.binds}
        clashing = {name for name, at in own.items() if kept.get(name, at) != at}
        return replace(self, visible={**self.visible, **own, **kept}, clashing=self.clashing | clashing)

    def renamed(self, names: tuple[str, ...]) -> "Scope":
        """The same dimensions under other names alone."""
        visible = dict(zip(names, self.space.names, strict=True))
        return replace(self, visible=visible, order=names, binds=frozenset(names), clashing=frozenset())

    def extended(self, names: tuple[str, ...]) -> "Scope":
        """More dimensions behind those that are there; a hidden dimension of the same name is no obstacle."""
        inner = unlike(names, (*self.space.parameters, *self.space.names))
        space = self.space.with_names(self.space.names + inner)
        visible = {**self.visible, **dict(zip(names, inner, strict=True))}
        return replace(self, space=space, visible=visible, order=self.order + names, binds=self.binds.union(names))

    def behind(self, names: tuple[str, ...]) -> "Scope":
        """Behind a function that leads to dimensions called `names`."""
        fits = len(self.order) == len(names)
        visible = dict(zip(self.order, names, strict=True)) if fits else {}
        return replace(self, space=self.space.with_names(names), visible=visible, clashing=frozenset())
