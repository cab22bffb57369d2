"""Emits C from the tree after the last pass, in one walk; the context of a place is passed down as a value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.c.hoisting import one_by_one
from alphaz.codegen.c.integers import in_c
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.c.nest import loop_around, node_in_c
from alphaz.codegen.scheduled.emit_context import OUTERMOST, EmitContext
from alphaz.codegen.scheduled.index_set_splitting import in_groups
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.packing import PackingPlan
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.codegen.scheduled.vectorisation import Innermost
from alphaz.loops.modes import Parallel
from alphaz.loops.tree import Block, Combine, For, Initialise, Instance, Merge, Node, Pack, Region, inside
from alphaz.mapping.statement import Statement
from alphaz.poly import Affine

Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class Emission:
    """Emits the tree of one nest. `actions` are its statements by their names, `names` the names in the
    surrounding C.
    """

    actions: Mapping[str, StatementTemplate]
    layout: LoopNames
    names: Identifiers
    parameters: Mapping[str, Affine]
    instances: Instances
    packing: PackingPlan

    def written(self, tree: Node) -> Statements:
        provision = self.packing.shared(tree)
        body = self._node(tree, OUTERMOST)
        if provision is None:
            return body
        said = c.Comment("What tiles read over and over is packed; these buffers are for all threads.")
        return (said, *provision.around(body))

    def _node(self, node: Node, around: EmitContext) -> Statements:
        special = self._special(node, around)
        if special is not None:
            return special
        return node_in_c(node, self.parameters, [self._node(child, around) for child in inside(node)])

    def _special(self, node: Node, around: EmitContext) -> Statements | None:
        """Returns the statements of a node that is more than a loop or a test around statements; None otherwise."""
        merging = self.instances.merging
        match node:
            case Instance(name, arguments, vector):
                here = tuple(in_c(argument, self.parameters) for argument in arguments)
                return self.instances.operation(self.actions[name], here, around, vector=vector)
            case Pack():
                bare = self.instances.lowering(self.names, around, packed=False)
                return one_by_one((self.packing.filled(node, self.actions, bare), self._node(node.body, around)))
            case Merge():
                behind = self.instances.lowering(self.names, around)
                collection = merging.collection(node, self._statements, behind)
                return collection.around(self._node(node.body, around.collecting(collection.accumulators)))
            case Combine(names):
                return tuple(merging.combined(around.totals[name], around.accumulators[name]) for name in names)
            case Region(Block((Initialise() as own, For() as loop, *behind))):
                return (c.Region(self._threads(own, loop, behind, around)),)
            case For(mode=Parallel(reductions=reductions)) if reductions:
                return (self._shared_out(node, around),)
            case For():
                innermost = Innermost(self.layout, self.actions)
                groups = in_groups(node, self.actions, self.instances, around, innermost.written)
                return groups or innermost.written(node, around, self.instances)
        return None

    def _threads(self, own: Initialise, loop: For, behind: Sequence[Node], around: EmitContext) -> Statements:
        """Returns the statements that each thread executes, with memory of its own."""
        if own.buffers:
            provision, here = self.packing.made(own.buffers), around.in_thread()
            run, said = self._shared_out(loop, here), c.Comment("Buffers of each thread.")
            return (said, *provision.in_thread(run))
        made, provision = self.instances.merging.of_thread([around.accumulators[name] for name in own.collected])
        here = around.in_thread(made)
        run = self._shared_out(loop, here)
        return provision.in_thread(run, [s for node in behind for s in self._node(node, here)])

    def _shared_out(self, loop: For, around: EmitContext) -> c.For:
        """Returns a loop that combines its accumulations in the existing accumulators."""
        assert isinstance(loop.mode, Parallel)
        named = tuple(around.accumulators[reduction.name].reduction for reduction in loop.mode.reductions)
        mode = replace(loop.mode, reductions=named)
        return loop_around(loop, self.parameters, self._node(loop.body, around), mode)

    @property
    def _statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}
