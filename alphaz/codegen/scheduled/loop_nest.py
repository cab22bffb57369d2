"""The loops of one mapping, with all that passes ask about them and that writes them."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.codegen.c.names import Names
from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.packing import Packing
from alphaz.loops.nonempty import Place
from alphaz.loops.passes.parallelise import Collected
from alphaz.loops.tree import For, Merge, Node, called
from alphaz.mapping.statement import Statement
from alphaz.poly.plain.integer import Integer
from alphaz.verify.loops.iterations import FEW, never_empty


@dataclass(frozen=True, slots=True)
class LoopNest:
    """At first its instances are at their dates, before any pass. `actions` are the statements by their names."""

    actions: Mapping[str, Action]
    layout: Layout
    names: Names
    writer: Instances
    packing: Packing
    tree: Node

    @property
    def statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}

    @property
    def comments(self) -> dict[str, str]:
        """What the statements do, by their names."""
        return {name: action.comment for name, action in self.actions.items()}

    def is_parallel(self, loop: For) -> bool:
        """Whether the script says so for all statements inside."""
        statements = self.statements
        return all(self.layout.is_parallel(loop.iterator, statements[name]) for name in called(loop))

    def runs(self, place: Place, loop: For, first: Integer | None = None) -> bool:
        """Whether a loop at a place is proved to have an iteration whenever it is reached, or to have one if it began
        at `first`.
        """
        missing, names = place.without_iterations(loop, first), sorted(called(loop))
        where = f"loop over {loop.iterator} of {' and '.join(names)}"
        span = self.statements[names[0]].span
        asked = self.writer.effects.asked
        return missing is not None and asked.all_hold(never_empty(where, missing, span), FEW)

    def turn(self, loop: For) -> int:
        """The most that the script says of a statement inside."""
        statements = self.statements
        return max((self.layout.turn(loop.iterator, statements[name]) for name in called(loop)), default=0)

    def reads(self, name: str, buffer: str) -> bool:
        """Whether a statement reads a buffer."""
        return self.packing.is_reader(self.actions[name], self.packing.buffers[buffer])

    def collects(self, node: Merge) -> Collected:
        """How a parallel loop combines what is collected in it."""
        return self.writer.merging.collects(node, self.statements)

    def in_one(self, node: Merge) -> frozenset[str]:
        """The statements whose contributions are collected in one variable each."""
        return self.writer.merging.in_one(node, self.statements)
