"""Vector dimensions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.strip_mining import strip
from alphaz.loops.modes import REGISTER
from alphaz.loops.tree import For, Node, called, inside, is_innermost, with_inside
from alphaz.mapping.statement import Role

_SIMPLE = (Role.VALUE, Role.BODY, Role.INIT, Role.INPUT)


@dataclass(frozen=True, slots=True)
class VectorDimensions:
    """Loops of dimensions that the script wants in vectors are done in vectors (`For.vector_dimension`). Around the
    points of a register tile, one iteration does them all: the loops over them are in registers (`Register`), written
    one after the other (unroll-and-jam). Instances stay; iterations are in any order, as is proved, and what they
    accumulate is combined behind the loop. Source: Callahan, Cocke, Kennedy, Estimating interlock and improving balance
    for pipelined architectures, JPDC 1988.

    `is_independent`: whether the iterations of a loop around others are independent.
    """

    layout: Layout
    actions: Mapping[str, Action]
    is_independent: Callable[[For], bool]
    name: ClassVar[str] = "vector-dimensions"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        found = with_inside(tree, [self(child) for child in inside(tree)])
        if not isinstance(found, For) or not all(self._is_stated(found, self.actions[name]) for name in called(found)):
            return found
        if is_innermost(found):
            return replace(found, vector_dimension=True)
        unrolled = replace(found, body=_in_registers(found.body), vector_dimension=True)
        return unrolled if strip(unrolled) is not None and self.is_independent(found) else found

    def _is_stated(self, loop: For, action: Action) -> bool:
        statement = action.statement
        if statement is None or statement.role not in _SIMPLE or action.box is not None:
            return False
        return self.layout.is_vector(loop.iterator, statement)


def _in_registers(node: Node) -> Node:
    within = with_inside(node, [_in_registers(child) for child in inside(node)])
    return replace(within, mode=REGISTER) if isinstance(within, For) else within
