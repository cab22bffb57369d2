"""The pass that cuts loops into kernels of a GPU."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from alphaz.loops.extremes import Ranges, extreme
from alphaz.loops.modes import Blocks
from alphaz.loops.tree import (
    Allocate,
    Block,
    Conditional,
    For,
    Launch,
    Let,
    Merge,
    Node,
    Pack,
    calls,
    in_row,
    inside,
    with_inside,
)
from alphaz.poly.plain.integer import Integer, IntegerConstant, IntegerOperation, names_in, simplified

AXES = ("x", "y", "z")
_SHAPES = ((128,), (32, 8), (32, 8, 1))
"""The threads of a block along the axes, for one, two and three loops."""


@dataclass(frozen=True, slots=True)
class Span:
    """The values of the iterator of a loop in a launch: from `low` to below `high`, for names that the host knows."""

    low: Integer
    high: Integer


@dataclass(frozen=True, slots=True)
class Launches:
    """Makes a kernel of each outermost parallel loop and the parallel loops directly inside, whose iterations blocks
    and threads share; the innermost loop of them is along x. What has no parallel loop is a kernel of one thread. The
    loops around kernels stay with the host. Operations stay, and the order inside an iteration; iterations of such a
    loop are in any order, as is proved.
    """

    is_parallel: Callable[[For], bool]
    name: ClassVar[str] = "launches"
    optional: ClassVar[bool] = False

    def __call__(self, tree: Node) -> Node:
        return self._of_host(tree)

    def _of_host(self, node: Node) -> Node:
        if isinstance(node, For) and self.is_parallel(node):
            return self._launch(node)
        if not self._has_parallel(node):
            return _alone(node)
        if isinstance(node, Block):
            return Block(tuple(self._in_row(node)))
        return with_inside(node, [self._of_host(child) for child in inside(node)])

    def _in_row(self, block: Block) -> Iterator[Node]:
        """Yields the nodes of a block; those without parallel loops that follow each other share a kernel."""
        waiting: list[Node] = []
        for node in in_row(block):
            if not self._has_parallel(node):
                waiting.append(node)
                continue
            yield from _together(waiting)
            waiting = []
            yield self._of_host(node)
        yield from _together(waiting)

    def _has_parallel(self, node: Node) -> bool:
        """Returns True if there are parallel loops inside that can be kernels: partial results of a merged loop, and
        buffers, are in the memory of one thread.
        """
        if isinstance(node, Merge | Pack | Allocate):
            return False
        return (isinstance(node, For) and self.is_parallel(node)) or any(map(self._has_parallel, inside(node)))

    def _launch(self, loop: For) -> Node:
        loops, spans = self._chain(loop)
        chosen = [*loops[: len(AXES) - 1], loops[-1]] if len(loops) > len(AXES) else loops
        shape = _SHAPES[len(chosen) - 1]
        axes = {loop.iterator: at for at, loop in enumerate(reversed(chosen))}
        tree: Node = loop
        grid = [IntegerConstant(1)] * len(chosen)
        runs: list[Integer] = []
        modes: dict[str, Blocks] = {}
        sizes: list[Integer] = list(grid)
        threads = list(shape)
        for each, span in zip(loops, spans, strict=True):
            at = axes.get(each.iterator)
            if at is None:
                continue
            if not isinstance(each.step, IntegerConstant):
                threads[at] = 1
            modes[each.iterator] = Blocks(AXES[at], span.low, threads[at])
            sizes[at] = _quotient(span, each.step, threads[at])
            runs.append(IntegerOperation("<", (span.low, span.high)))
        launch = Launch(tuple(sizes), tuple(threads), _with_modes(tree, modes))
        return Conditional(_all(runs), launch)

    def _chain(self, loop: For) -> tuple[list[For], list[Span]]:
        """Returns the loop and the parallel loops directly inside, with the values of their iterators."""
        loops: list[For] = []
        spans: list[Span] = []
        ranges: dict[str, tuple[Integer, Integer]] = {}
        node: Node = loop
        while True:
            match node:
                case Conditional(_, then, None):
                    node = then
                    continue
                case Let(iterator, _, value, body):
                    low, high = (extreme(value, ranges, largest=largest) for largest in (False, True))
                    if low is None or high is None:
                        break
                    ranges[iterator] = low, high
                    node = body
                    continue
                case For() if self.is_parallel(node) and (span := _span(node, ranges)) is not None:
                    loops.append(node)
                    spans.append(span)
                    ranges[node.iterator] = span.low, _less(span.high)
                    node = node.body
                    continue
            break
        return loops, spans


def _span(loop: For, ranges: Ranges) -> Span | None:
    """Returns the values of an iterator for all values of the loops around; None where they have no form."""
    low, bound = extreme(loop.first, ranges, largest=False), extreme(loop.bound, ranges, largest=True)
    if low is None or bound is None:
        return None
    varies = any(name in ranges for name in names_in(loop.first))
    if varies and loop.step != IntegerConstant(1):
        # Iterations would not be at multiples of the step from the smallest first one.
        return None
    if any(name in ranges for name in names_in(loop.step)):
        return None
    return Span(
        low, bound if loop.comparison == "<" else simplified(IntegerOperation("+", (bound, IntegerConstant(1))))
    )


def _less(value: Integer) -> Integer:
    return simplified(IntegerOperation("-", (value, IntegerConstant(1))))


def _quotient(span: Span, step: Integer, threads: int) -> Integer:
    """Returns the number of blocks for the iterations."""
    width = IntegerOperation("-", (span.high, span.low))
    if isinstance(step, IntegerConstant):
        unit = step.value * threads
        if unit == 1:
            return simplified(width)
        total = IntegerOperation("+", (width, IntegerConstant(unit - 1)))
        return IntegerOperation("quotient", (simplified(total), IntegerConstant(unit)))
    total = IntegerOperation("+", (width, IntegerOperation("-", (step, IntegerConstant(1)))))
    return IntegerOperation("quotient", (simplified(total), step))


def _with_modes(node: Node, modes: dict[str, Blocks]) -> Node:
    """Returns the tree with the modes of the outermost loops over these iterators."""
    if not modes:
        return node
    if isinstance(node, For) and node.iterator in modes:
        rest = {name: mode for name, mode in modes.items() if name != node.iterator}
        return replace(node, mode=modes[node.iterator], body=_with_modes(node.body, rest))
    return with_inside(node, [_with_modes(child, modes) for child in inside(node)])


def _all(tests: Sequence[Integer]) -> Integer:
    return tests[0] if len(tests) == 1 else IntegerOperation("and", tuple(tests))


def _together(nodes: Sequence[Node]) -> Iterator[Node]:
    if nodes:
        yield _alone(nodes[0] if len(nodes) == 1 else Block(tuple(nodes)))


def _alone(node: Node) -> Node:
    """Returns the kernel of one thread for a tree that has statements."""
    return Launch((), (), node) if next(calls(node), None) is not None else node
