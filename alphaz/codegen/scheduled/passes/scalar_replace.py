"""Scalar replacement."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.scheduled.independence_oracle import IndependenceOracle
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.loops.tree import Block, For, Instance, Merge, Node, inside, with_inside
from alphaz.mapping.statement import Role
from alphaz.model.types import DOUBLE, FLOAT
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.algorithms.boxes import box_points, on_grid
from alphaz.poly.plain.integer import names_in


@dataclass(frozen=True, slots=True)
class ScalarReplace:
    """Keeps the accumulator of an innermost loop in a local variable during the loop (`For.kept`), if no other
    operation in the loop accesses its cell. Instances and order stay; the cell is read before the loop and written
    after it. Source: Callahan, Carr, Kennedy, Improving register allocation for subscripted variables, PLDI 1990.

    `in_one`: the statements whose contributions to the results of a loop are collected in one variable anyway.
    """

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    effects: IndependenceOracle
    in_one: Callable[[Merge], frozenset[str]]
    name: ClassVar[str] = "scalar-replace"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, frozenset())

    def _marked(self, node: Node, collected: frozenset[str]) -> Node:
        if isinstance(node, Merge):
            collected |= self.in_one(node)
        if (
            isinstance(node, For)
            and not (node.is_parallel or node.vector_dimension)
            and (calls := only_calls(node.body))
        ):
            return replace(node, kept=tuple(self._kept(node, calls, collected)))
        return with_inside(node, [self._marked(child, collected) for child in inside(node)])

    def _kept(self, loop: For, calls: Sequence[Instance], collected: frozenset[str]) -> Iterator[str]:
        for call in calls:
            others = [self.actions[other.name] for other in calls if other is not call]
            action = self.actions[call.name]
            if self._may_be_kept(action, loop, others, collected) and self._is_steady(action, loop, call):
                yield call.name

    def _may_be_kept(
        self, action: StatementTemplate, loop: For, others: Sequence[StatementTemplate], collected: frozenset[str]
    ) -> bool:
        """Returns True if no operation in the loop accesses the accumulator, except the accumulation."""
        effect, statement = self.effects.of(action), action.statement
        if effect is None or statement is None or statement.role is not Role.BODY or statement.name in collected:
            return False
        if action.assigns:
            # The overwritten cell has no value yet, and must not be read.
            return False
        if action.box is not None and action.box.mask is not None and not self._adds(action):
            return False
        dimension = self.layout.dimension(loop.iterator, statement)
        if dimension is None or not self.effects.is_private(action, dimension):
            return False
        around = [self.effects.of(other) for other in others]
        return all(other is not None and not other.touches(effect.target) for other in around)

    def _adds(self, action: StatementTemplate) -> bool:
        """Returns True if the accumulation may begin from zero."""
        assert action.statement is not None
        type_ = self.effects.mapping.system.variable(action.statement.variable).type
        reduction, types = action.statement.reduction, self.effects.mapping.facts.types
        return type_ in (DOUBLE, FLOAT) and types[reduction] == type_ and reduction.operator == "+"

    def _is_steady(self, action: StatementTemplate, loop: For, call: Instance) -> bool:
        """Returns True if neither the cell nor the tested values of the accumulation change in the loop."""
        names, box = action.domain.space.names, action.box
        moving = {name for name, value in zip(names, call.arguments, strict=True) if loop.iterator in names_in(value)}
        needed = set(self._cell(action))
        if box is not None and box.mask is not None:
            known = box_points(on_grid(box.corners, tuple(box.keys.values()), box.steps, box.mask), box.steps)
            test = guard(box.mask, known)
            needed |= set() if test is None else set(names_in(test))
        return not needed & moving

    def _cell(self, action: StatementTemplate) -> Iterator[str]:
        """Yields the indices on which the place of a result depends."""
        statement = action.statement
        assert statement is not None
        target = statement.target.renamed(action.domain.space.names)
        cell = self.effects.mapping.cells[statement.variable].function
        outputs = target.outputs if statement.merged_at is not None else target.then(cell).outputs
        for output in outputs:
            yield from output.names


def only_calls(node: Node) -> list[Instance]:
    """Returns the statements of a body that contains only statements; none otherwise."""
    if isinstance(node, Instance):
        return [node]
    if not isinstance(node, Block):
        return []
    found = [only_calls(child) for child in node.children]
    return [call for some in found for call in some] if all(found) else []
