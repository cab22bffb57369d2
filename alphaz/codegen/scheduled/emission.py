"""From the tree behind the last pass to C, in one walk: what a place is surrounded by is passed down as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.names import Names
from alphaz.codegen.c.nest import loop_in_c, loops_in_c
from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.index_set_splitting import in_groups
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.packing import Packing
from alphaz.codegen.scheduled.surroundings import OUTERMOST, Surroundings
from alphaz.codegen.scheduled.vectorisation import in_vectors
from alphaz.loops.modes import Mode
from alphaz.loops.tree import For, Merge, Node, Pack
from alphaz.mapping.statement import Statement
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer

Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class Emission:
    """Writes the tree of one nest. `actions` are its statements by their names, `names` those that C has around it."""

    actions: Mapping[str, Action]
    layout: Layout
    names: Names
    parameters: Mapping[str, Affine]
    instances: Instances
    packing: Packing

    def written(self, tree: Node) -> Statements:
        return self.packing.provided(tree, lambda: self._node(tree, OUTERMOST))

    def _node(self, node: Node, around: Surroundings) -> Statements:
        return loops_in_c(node, self.parameters, partial(self._operation, around), partial(self._special, around))

    def _operation(self, around: Surroundings, name: str, arguments: tuple[Integer, ...]) -> Statements:
        return self.instances.operation(self.actions[name], arguments, around)

    def _special(self, around: Surroundings, node: For | Merge | Pack) -> Statements | None:
        """What is more than a loop around statements."""
        if isinstance(node, Pack):
            bare = self.instances.lowering(self.names, around, packed=False)
            return (*self.packing.filled(node, self.actions, bare), *self._node(node.body, around))
        if isinstance(node, Merge):
            behind = self.instances.lowering(self.names, around)
            merging = self.instances.merging
            return merging.around(node, self._statements, around, behind, partial(self._node, node.body))
        return (self._shared(node, around) if node.is_parallel else None) or (
            in_groups(node, self.actions, self.instances, around, self._once) or self._once(node, around)
        )

    def _shared(self, loop: For, around: Surroundings) -> Statements | None:
        """A loop for which threads need memory of their own."""
        write = partial(self._in_mode, loop)
        collecting = self.instances.merging.parallel(loop, self._statements, around, write)
        return collecting or self.packing.to_each_thread(loop, around, write)

    def _in_mode(self, loop: For, mode: Mode, around: Surroundings) -> Statements:
        operation, special = partial(self._operation, around), partial(self._special, around)
        return (loop_in_c(loop, self.parameters, operation, special, lambda *_: mode),)

    def _once(self, loop: For, around: Surroundings) -> Statements | None:
        """A loop with what it accumulates in local variables."""
        written = in_vectors(loop, self.layout, self.actions, self.instances, around)
        return written or self.instances.accumulating(loop, self.actions, around)

    @property
    def _statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}
