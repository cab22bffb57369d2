"""Loops that sum up from their first turn on: `s = 0` and a loop over all contributions, where the scan has put the
first one in front of the others because it assigns. Only where that is combined with the identity anyway, and where
the loop reaches that turn whenever it is reached.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from alphaz.codegen.c.expressions import begins_with_identity
from alphaz.codegen.scheduled.statements import Work, start_of
from alphaz.loops.nonempty import Reached
from alphaz.loops.tree import Block, Call, For, Node, calls, in_row, inside, with_inside
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.model.expression import Access
from alphaz.model.program import External
from alphaz.model.walk import walk
from alphaz.poly.plain.integer import Integer, Number, as_affine, of_affine, substitute


def started(
    tree: Node, mapping: ResolvedMapping, works: Mapping[str, Work], externals: Mapping[str, External]
) -> tuple[Node, Mapping[str, Work]]:
    """The loops of a nest, where turns in front of a loop that are its first one are in the loop; and the works that
    initialise, by their names.
    """
    starting = _Starting(mapping, works, externals, Reached.inside(tree, mapping.system.context))
    return starting.rewritten(tree), starting.starts


@dataclass(slots=True)
class _Starting:
    """Rewrites the loops of one nest."""

    mapping: ResolvedMapping
    works: Mapping[str, Work]
    externals: Mapping[str, External]
    reached: Reached
    starts: dict[str, Work] = field(default_factory=dict)

    def _work(self, name: str) -> Work:
        return self.starts[name] if name in self.starts else self.works[name]

    def rewritten(self, node: Node) -> Node:
        if isinstance(node, Block):
            done: list[Node] = []
            for child in in_row(node):
                done.append(child)
                if isinstance(child, For):
                    self._join(done, child)
            node = Block(tuple(done))
        return with_inside(node, [self.rewritten(child) for child in inside(node)])

    def _join(self, done: list[Node], loop: For) -> None:
        """What is done so far, the loop last: with its first turn where that stands in front of it."""
        body, first = list(in_row(loop.body)), as_affine(loop.first)
        if first is None or loop.step != Number(1) or loop.is_parallel or len(done) <= len(body):
            return
        start = of_affine(first - 1)
        turn, values = done[-1 - len(body) : -1], {loop.iterator: start}
        if not all(self._are_alike(one, two, values) for one, two in zip(turn, body, strict=True)):
            return
        firsts = {call.name for node in turn for call in calls(node)} - {call.name for call in calls(loop)}
        if not firsts or not all(self._is_alone(self._work(name), loop) for name in firsts):
            return
        if not self.reached.never_empty(loop, start):
            return
        kept = [node for each in turn for node in self._started(each, firsts)]
        done[-1 - len(body) :] = [*kept, replace(loop, first=start)]

    def _are_alike(self, one: Node, two: Node, values: Mapping[str, Integer]) -> bool:
        """Whether one is the other with these values, but for contributions that come first."""
        match one, two:
            case Call(first, points), Call(name, others):
                alike = first == name or self._comes_first(self._work(first), self._work(name))
                return alike and all(_are_equal(p, q, values) for p, q in zip(points, others, strict=True))
            case For(), For():
                same = (one.iterator, one.comparison, one.step, one.mode)
                limits = ((one.first, two.first), (one.bound, two.bound))
                if same != (two.iterator, two.comparison, two.step, two.mode):
                    return False
                equal = all(_are_equal(p, q, values) for p, q in limits)
                return equal and self._are_alike(one.body, two.body, values)
            case Block(), Block():
                pairs = list(in_row(one)), list(in_row(two))
                return len(pairs[0]) == len(pairs[1]) and all(
                    self._are_alike(p, q, values) for p, q in zip(*pairs, strict=True)
                )
        return False

    def _comes_first(self, one: Work, other: Work) -> bool:
        """Whether it assigns what the other accumulates."""
        statement = one.statement
        if statement is None or not one.assigns or other.assigns or one.box or other.box:
            return False
        type_ = self.mapping.system.variable(statement.variable).type
        needed = begins_with_identity(statement.reduction.operator, type_, self.externals)
        return needed and other.statement is statement and one.expression is other.expression

    def _is_alone(self, work: Work, loop: For) -> bool:
        """Whether nothing in the loop touches the memory of its results, but what is added to them."""
        assert work.statement is not None
        space = self.mapping.cells[work.statement.variable].space
        for name in {call.name for call in calls(loop)}:
            other = self._work(name)
            if other.statement is None or other.expression is None:
                return False
            read = {e.variable for e in walk(other.expression) if isinstance(e, Access)}
            written = set() if other.statement is work.statement else {other.statement.variable}
            if any(self.mapping.cells[variable].space == space for variable in read | written):
                return False
        return True

    def _started(self, node: Node, firsts: set[str]) -> Iterator[Node]:
        """The same with the identity in the place of first contributions, and nothing else."""
        if isinstance(node, Call):
            if node.name in firsts:
                start = start_of(self.mapping, self._work(node.name))
                self.starts[start.name] = start
                yield replace(node, name=start.name)
            return
        within = [[*self._started(child, firsts)] for child in inside(node)]
        if any(within):
            yield with_inside(node, [nodes[0] if len(nodes) == 1 else Block(tuple(nodes)) for nodes in within])


def _are_equal(one: Integer, other: Integer, values: Mapping[str, Integer]) -> bool:
    there = substitute(other, values)
    known = as_affine(one)
    return one == there or (known is not None and known == as_affine(there))
