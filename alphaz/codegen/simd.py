"""Loops whose turns can be done at once, a vector of them at a time: none touches what another one writes.

Found by sets, whatever the kinds of the dimensions are: inside a tile a sequential dimension often has such loops.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.codegen.axes import Layout
from alphaz.codegen.effects import Touch, Turn, are_independent, effect_of
from alphaz.codegen.nest import called
from alphaz.codegen.works import Work
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.model.expression import Call
from alphaz.model.walk import walk
from alphaz.poly.loops import For


@dataclass(slots=True)
class Vectors:
    """Answers for the loops of one nest, with the works by their names."""

    mapping: ResolvedMapping
    layout: Layout
    works: Mapping[str, Work]
    _known: dict[tuple[str, frozenset[str]], bool] = field(default_factory=dict)

    def is_independent(self, loop: For) -> bool:
        """Whether an innermost loop is known to be one, and goes along the rows of what it writes."""
        key = (loop.iterator, called(loop))
        if key not in self._known:
            self._known[key] = self._is_independent(*key)
        return self._known[key]

    def _is_independent(self, iterator: str, names: frozenset[str]) -> bool:
        turns = [self._turn(self.works[name], iterator) for name in sorted(names)]
        known = [turn for turn in turns if turn is not None]
        return len(known) == len(turns) and are_independent(known)

    def _turn(self, work: Work, iterator: str) -> Turn | None:
        statement = work.statement
        if (
            work.box is not None
            or statement is None
            or work.expression is None
            or iterator not in self.layout.iterators
        ):
            return None
        dimension = self.layout.dimension(iterator, statement)
        effect = effect_of(self.mapping, statement, work.expression)
        if dimension is None or effect is None or any(isinstance(node, Call) for node in walk(work.expression)):
            return None
        order, date = self.layout.orders[statement.name], statement.dates
        keys = tuple(date[at] for at in order[: order.index(dimension)])
        moving = [name for name in date[dimension].names if name in statement.domain.space.names]
        alone = [name for name in moving if not any(key.coefficient(name) for key in keys)]
        if len(alone) != 1 or abs(date[dimension].coefficient(alone[0])) != 1:
            return None
        if _stride(effect.target, alone[0]) != 1 or any(_stride(t, alone[0]) not in (0, 1) for t in effect.reads):
            return None
        return Turn(effect, work.domain.in_context(self.mapping.system.context), keys, date[dimension])


def _stride(touch: Touch, name: str) -> int | None:
    """How far neighbouring turns are apart in memory, in elements; None where that is not known, or far."""
    moves = [key.value.coefficient(name) for key in touch.cell]
    if not any(moves):
        return 0
    return None if any(moves[:-1]) or touch.cell[-1].modulus else abs(moves[-1])
