"""Vector dimensions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.analysis.facts.guarded_reductions import GuardDecision
from alphaz.codegen.scheduled.accumulators import Accumulator
from alphaz.codegen.scheduled.emit_context import OUTERMOST, EmitContext
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.loops.modes import REGISTER, VECTOR
from alphaz.loops.tree import For, Merge, Node, Selected, inside, is_innermost, statement_names, with_inside
from alphaz.mapping.statement import Role
from alphaz.model.expression import Reduce

_SIMPLE = (Role.VALUE, Role.BODY, Role.INIT, Role.INPUT)


@dataclass(frozen=True, slots=True)
class VectorDimensions:
    """Vectorises loops of dimensions that the script declares vector, where they fit (`For.vector_dimension`), and
    those in a tile of a reduction dimension whose tiles are shared by threads. Around the points of a register tile,
    one iteration computes them all: the loops over them are in registers (`Register`), written one after the other
    (unroll-and-jam). Instances stay; iterations are in any order, as is proved, and their accumulations are combined
    after the loop. Source: Callahan, Cocke, Kennedy, Estimating interlock and improving balance for pipelined
    architectures, JPDC 1988.

    `is_independent` returns True if the iterations of a loop around others are independent. `fits`: if a loop can be
    vectorised; `collects` returns how the contributions of a whole loop are collected; `answering` the decisions of
    reductions in a group of iterations.
    """

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    is_independent: Callable[[For], bool]
    fits: Callable[[For, EmitContext], bool]
    collects: Callable[[Merge], Iterable[Accumulator]]
    answering: Callable[[For, Selected], Mapping[Reduce, GuardDecision]]
    name: ClassVar[str] = "vector-dimensions"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, OUTERMOST)

    def _marked(self, node: Node, around: EmitContext) -> Node:
        if isinstance(node, Merge):
            around = around.collecting(self.collects(node))
        found = with_inside(node, [self._marked(child, around) for child in inside(node)])
        if not isinstance(found, For) or found.is_parallel:
            return found
        if not all(self._is_stated(found, self.actions[name]) for name in statement_names(found)):
            return found
        if found.split is not None:
            groups = tuple(self._group(found, group, around) for group in found.split.groups)
            return replace(found, split=replace(found.split, groups=groups))
        body = found.body if is_innermost(found) else _in_registers(found.body)
        done = replace(found, body=body, mode=VECTOR, vector_dimension=True)
        return done if self.fits(done, around) and (is_innermost(found) or self.is_independent(found)) else found

    def _group(self, loop: For, group: Selected, around: EmitContext) -> Selected:
        return replace(group, vector=self.fits(loop, around.knowing(self.answering(loop, group))))

    def _is_stated(self, loop: For, action: StatementTemplate) -> bool:
        statement = action.statement
        if statement is None or statement.role not in _SIMPLE or action.box is not None:
            return False
        return self.layout.is_vector(loop.iterator, statement)


def _in_registers(node: Node) -> Node:
    within = with_inside(node, [_in_registers(child) for child in inside(node)])
    return replace(within, mode=REGISTER) if isinstance(within, For) else within
