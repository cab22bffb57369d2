"""Vector dimensions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.strip_mining import strip
from alphaz.loops.tree import For, Node, called, inside, is_innermost, with_inside
from alphaz.mapping.statement import Role

_SIMPLE = (Role.VALUE, Role.BODY, Role.INIT, Role.INPUT)


@dataclass(frozen=True, slots=True)
class VectorDimensions:
    """Loops of dimensions that the script wants in vectors are done in vectors (`For.vector_dimension`). Around the
    points of a register tile, one iteration does them all, written one after the other (strip-mining and
    interchange). Instances stay; iterations are in any order, as is proved, and what they accumulate is combined behind
    the loop.

    `is_independent`: whether the iterations of a loop around others are independent.
    """

    layout: Layout
    actions: Mapping[str, Action]
    is_independent: Callable[[For], bool]
    name: ClassVar[str] = "vector-dimensions"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        found = with_inside(tree, [self(child) for child in inside(tree)])
        return replace(found, vector_dimension=True) if isinstance(found, For) and self._is_wanted(found) else found

    def _is_wanted(self, loop: For) -> bool:
        if not all(self._is_stated(loop, self.actions[name]) for name in called(loop)):
            return False
        return is_innermost(loop) or (strip(loop) is not None and self.is_independent(loop))

    def _is_stated(self, loop: For, action: Action) -> bool:
        statement = action.statement
        if statement is None or statement.role not in _SIMPLE or action.box is not None:
            return False
        return self.layout.is_vector(loop.iterator, statement)
