"""Guarded reductions of one system, each looked for once."""

from dataclasses import dataclass, field

from alphaz.analysis.facts.guarded_reductions import GuardedReduction, guarded_of
from alphaz.model.expression import Reduce
from alphaz.model.facts import Facts
from alphaz.poly import Domain


@dataclass(frozen=True, slots=True)
class GuardedReductions:
    """`wanted`: without, every reduction looks at all of its points."""

    facts: Facts
    context: Domain
    wanted: bool
    _known: dict[Reduce, GuardedReduction | None] = field(default_factory=dict, repr=False)

    def of(self, node: Reduce) -> GuardedReduction | None:
        """What a reduction compares with, if it selects points by that."""
        if not self.wanted:
            return None
        if node not in self._known:
            self._known[node] = guarded_of(node, self.facts, self.context)
        return self._known[node]
