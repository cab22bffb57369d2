"""Moves first contributions from before a loop into the loop."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.codegen.c.expressions import begins_with_identity
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate, start_of
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.tree import Block, For, Instance, Node, calls, in_row, inside, with_inside
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.program import External
from alphaz.model.walk import reads
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, as_affine, of_affine, substitute


@dataclass(frozen=True, slots=True)
class Unpeel:
    """Moves a first iteration that precedes its loop, because first contributions assign, back into the loop, after
    `s = 0`. Only where the first contribution is combined with the neutral element anyway, and where the loop reaches
    that iteration whenever it is reached. Instances and order stay.

    `runs`: proves that a loop at a place, beginning there, has an iteration whenever it is reached.
    """

    mapping: ResolvedMapping
    actions: Mapping[str, StatementTemplate]
    externals: Mapping[str, External]
    runs: Callable[[LoopPlace, For, Integer], bool]
    name: ClassVar[str] = "unpeel"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._rewritten(tree, LoopPlace(self.mapping.system.context))

    def _rewritten(self, node: Node, place: LoopPlace) -> Node:
        if isinstance(node, Block):
            done: list[Node] = []
            for child in in_row(node):
                done.append(child)
                if isinstance(child, For):
                    self._join(done, child, place)
            node = Block(tuple(done))
        pairs = zip(inside(node), place.inside(node), strict=True)
        return with_inside(node, [self._rewritten(child, here) for child, here in pairs])

    def _join(self, done: list[Node], loop: For, place: LoopPlace) -> None:
        """Returns the statements so far, the loop last, including its first iteration if that precedes it."""
        body, first = list(in_row(loop.body)), as_affine(loop.first)
        if first is None or loop.step != IntegerConstant(1) or len(done) <= len(body):
            return
        start = of_affine(first - 1)
        before, values = done[-1 - len(body) : -1], {loop.iterator: start}
        if not all(self._are_alike(one, two, values) for one, two in zip(before, body, strict=True)):
            return
        contributions = {call.name for node in before for call in calls(node)} - {call.name for call in calls(loop)}
        if not contributions or not all(self._is_alone(self.actions[name], loop) for name in contributions):
            return
        if not self.runs(place, loop, start):
            return
        started = [node for child in before for node in self._started(child, contributions)]
        done[-1 - len(body) :] = [*started, replace(loop, first=start)]

    def _are_alike(self, one: Node, two: Node, values: Mapping[str, Integer]) -> bool:
        """Returns True if one is the other with these values, except for first contributions."""
        match one, two:
            case Instance(first, points), Instance(name, others):
                alike = first == name or self._comes_first(self.actions[first], self.actions[name])
                return alike and all(_are_equal(p, q, values) for p, q in zip(points, others, strict=True))
            case For(), For():
                same = (one.iterator, one.comparison, one.step)
                limits = ((one.first, two.first), (one.bound, two.bound))
                if same != (two.iterator, two.comparison, two.step):
                    return False
                equal = all(_are_equal(p, q, values) for p, q in limits)
                return equal and self._are_alike(one.body, two.body, values)
            case Block(), Block():
                pairs = list(in_row(one)), list(in_row(two))
                return len(pairs[0]) == len(pairs[1]) and all(
                    self._are_alike(p, q, values) for p, q in zip(*pairs, strict=True)
                )
        return False

    def _comes_first(self, one: StatementTemplate, other: StatementTemplate) -> bool:
        """Returns True if it assigns the value that the other accumulates."""
        statement = one.statement
        if statement is None or not one.assigns or other.assigns or one.box or other.box:
            return False
        type_ = self.mapping.system.variable(statement.variable).type
        needed = begins_with_identity(statement.reduction.operator, type_, self.externals)
        return needed and other.statement is statement and one.expression is other.expression

    def _is_alone(self, action: StatementTemplate, loop: For) -> bool:
        """Returns True if no operation in the loop accesses the memory of its results, except to add to them."""
        assert action.statement is not None
        space = self.mapping.cells[action.statement.variable].space
        for name in {call.name for call in calls(loop)}:
            other = self.actions[name]
            if other.statement is None or other.expression is None:
                return False
            read = reads(other.expression)
            written = set() if other.statement is action.statement else {other.statement.variable}
            if any(self.mapping.cells[variable].space == space for variable in read | written):
                return False
        return True

    def _started(self, node: Node, contributions: set[str]) -> Iterator[Node]:
        """Yields the initialisations with the neutral element that replace first contributions, and nothing else."""
        if isinstance(node, Instance):
            if node.name in contributions:
                yield replace(node, name=start_of(self.mapping, self.actions[node.name]).name)
            return
        within = [[*self._started(child, contributions)] for child in inside(node)]
        if any(within):
            yield with_inside(node, [nodes[0] if len(nodes) == 1 else Block(tuple(nodes)) for nodes in within])


def _are_equal(one: Integer, other: Integer, values: Mapping[str, Integer]) -> bool:
    there = substitute(other, values)
    known = as_affine(one)
    return one == there or (known is not None and known == as_affine(there))
