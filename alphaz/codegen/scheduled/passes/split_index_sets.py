"""Index-set splitting."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from alphaz.codegen.scheduled.iteration_groups import (
    GroupSearch,
    GuardedOf,
    Selection,
    can_be_split,
    groups_of,
    selections_in,
)
from alphaz.codegen.scheduled.statement_templates import Nothing, StatementTemplate
from alphaz.legality.loops.conditions import selecting
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import For, Node, Scan, Selected, Split, inside, with_inside
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, as_affine
from alphaz.proof import Obligation

# More groups than this are not worth their text.
_MOST = 6

# The names of non-affine limits of a loop.
_LIMITS = ("limit", "limit at last")


@dataclass(frozen=True, slots=True)
class SplitIndexSets:
    """Splits innermost loops by the selections of reductions inside, where the compared values are invariant, so that
    the loops have no tests (`For.split`). Reductions visit only the points that they select. Instances and order stay.
    Source: Griebl, Feautrier, Lengauer, Index set splitting, IJPP 2000.

    `hold` returns True if obligations are proved; `nothing` if a set is proved to have no points.
    """

    mapping: ResolvedMapping
    actions: Mapping[str, StatementTemplate]
    guarded_of: GuardedOf
    hold: Callable[[Iterable[Obligation]], bool]
    nothing: Nothing
    name: ClassVar[str] = "split-index-sets"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        found = with_inside(tree, [self(child) for child in inside(tree)])
        return replace(found, split=self._split(found)) if isinstance(found, For) else found

    def _split(self, loop: For) -> Split | None:
        wanted = selections_in(loop, self.actions, self.guarded_of)
        if not wanted or not can_be_split(loop, wanted, self.actions, self.mapping):
            return None
        if not self.hold([one for each in wanted for one in self._needed(each)]):
            return None
        found = [
            GroupSearch(each.guarded, tuple(f"wanted {at} {name}" for name in each.guarded.names), each.point or ())
            for at, each in enumerate(wanted)
        ]
        first, end = map(_limit, (loop.first, loop.bound), _LIMITS)
        statements = [each.action.statement for each in wanted if each.action.statement is not None]
        where = f"loop over {loop.iterator} of {' and '.join(dict.fromkeys(s.name for s in statements))}"

        claim = f"{where}: no iteration is in a group that would have no loop"
        never = partial(self.nothing, claim, span=statements[0].span)
        context = self.mapping.system.context
        groups, known = groups_of(loop, self.actions, context, found, first, end, never)
        if len(groups) > _MOST:
            return None
        scans = [Scan(str(at), group.iterations, (Affine.name(loop.iterator),)) for at, group in enumerate(groups)]
        return Split(
            groups=tuple(Selected(group.answers) for group in groups),
            tree=readable_scan(scans, known, [loop.iterator]),
            wanted=tuple(each.names for each in found),
            limits=_LIMITS,
        )

    def _needed(self, each: Selection) -> Iterator[Obligation]:
        """Yields the obligations that every operation, also before the loop, computes the value that it
        compares with.
        """
        statement, domain = each.action.statement, each.action.domain.in_context(self.mapping.system.context)
        assert statement is not None
        return selecting(each.action.comment, statement, domain, each.guarded)


def _limit(value: Integer, name: str) -> Affine:
    affine = as_affine(value)
    return Affine.name(name) if affine is None else affine
