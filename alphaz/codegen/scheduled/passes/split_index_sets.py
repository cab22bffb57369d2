"""Index-set splitting."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.groups import Found, GuardedOf, groups_of, guarded_in
from alphaz.loops.tree import For, Node, inside, with_inside
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, as_affine

# More groups than this are not worth their text.
_MOST = 6


@dataclass(frozen=True, slots=True)
class SplitIndexSets:
    """Innermost loops are split by what reductions inside select, where that is steady, so that nothing is tested in
    them (`For.splits`). Reductions visit the points only that they select. Instances and order stay.
    Source: Griebl, Feautrier, Lengauer, Index set splitting, IJPP 2000.
    """

    mapping: ResolvedMapping
    actions: Mapping[str, Action]
    guarded_of: GuardedOf
    name: ClassVar[str] = "split-index-sets"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        found = with_inside(tree, [self(child) for child in inside(tree)])
        return replace(found, splits=True) if isinstance(found, For) and self._splits(found) else found

    def _splits(self, loop: For) -> bool:
        wanted = guarded_in(loop, self.actions, self.mapping, self.guarded_of)
        if not wanted:
            return False
        found = [
            Found(each, tuple(f"wanted {at} {name}" for name in each.names), point)
            for at, (each, point) in enumerate(wanted)
        ]
        limits = (_limit(loop.first, "first limit"), _limit(loop.bound, "last limit"))
        groups, _ = groups_of(loop, self.actions, self.mapping.system.context, found, *limits)
        return len(groups) <= _MOST


def _limit(value: Integer, name: str) -> Affine:
    affine = as_affine(value)
    return Affine.name(name) if affine is None else affine
