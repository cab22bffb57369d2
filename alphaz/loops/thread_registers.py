"""Register tiles of threads: each thread computes several values of the loops that threads share, at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from alphaz.loops.modes import REGISTER, Threads
from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node, in_row, inside, with_inside
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    names_in,
    simplified,
)

_ZERO, _ONE = IntegerConstant(0), IntegerConstant(1)


@dataclass(frozen=True, slots=True)
class JammedLoop:
    """A loop that threads share along an axis: a thread has `count` values of its iterator, cyclically, from `first`
    on; none of them is above those of the tile that has `size` (0: unknown). `lane` and `counter` are the names of
    loops over threads, and over the values of one.
    """

    loop: For
    axis: str
    first: Integer
    threads: int
    count: int
    lane: str
    counter: str
    size: int = 0

    @property
    def value(self) -> Integer:
        """Returns the value of the iterator."""
        value: Integer = IntegerOperation("+", (self.first, IntegerName(self.lane)))
        if self.count > 1:
            step = IntegerOperation("*", (IntegerConstant(self.threads), IntegerName(self.counter)))
            value = IntegerOperation("+", (value, step))
        return value

    def of_threads(self, body: Node) -> For:
        """Returns the loop over threads."""
        mode = Threads(self.axis, _ZERO, self.threads, is_once=True, point=self.loop.iterator)
        count = IntegerConstant(self.threads)
        return replace(
            self.loop, iterator=self.lane, first=_ZERO, comparison="<", bound=count, step=_ONE, body=body, mode=mode
        )

    def of_values(self, body: Node) -> Node:
        """Returns the loop over the values of a thread."""
        body = Let(self.loop.iterator, self.loop.dimension, self.value, body)
        if self.count == 1:
            return body
        return For(
            iterator=self.counter, dimension=-1, first=_ZERO, comparison="<", bound=IntegerConstant(self.count),
            step=_ONE, body=body, mode=REGISTER, runs=True,
        )  # fmt: skip

    def where_it_runs(self, body: Node) -> Node:
        """Returns the body under the condition that the value is one of the loop."""
        point = IntegerName(self.loop.iterator)
        tests: list[Integer] = [IntegerOperation(self.loop.comparison, (point, self._bound))]
        if not self._is_from_first:
            tests.insert(0, IntegerOperation(">=", (point, self.loop.first)))
        return Conditional(_all(tests), body)

    @property
    def _end(self) -> Integer:
        return IntegerOperation("+", (self.first, IntegerConstant(self.size)))

    @property
    def _bound(self) -> Integer:
        """Returns the bound without the end of the tile, where the threads have no values behind it."""
        is_whole = self.threads * self.count == self.size and self.loop.comparison == "<"
        return _without(self.loop.bound, self._end) if is_whole else self.loop.bound

    @property
    def _is_from_first(self) -> bool:
        return simplified(self.loop.first) == simplified(self.first)

    def is_full(self, iterators: set[str]) -> Integer | None:
        """Returns the condition that all values are in the loop, if that is the same for all of these iterators."""
        is_whole = self.threads * self.count == self.size and self.loop.comparison == "<"
        if not is_whole or not self._is_from_first or not iterators.isdisjoint(names_in(self._bound)):
            return None
        return IntegerOperation("<=", (self._end, self._bound))


def _without(bound: Integer, end: Integer) -> Integer:
    """Returns a minimum without an operand."""
    match bound:
        case IntegerOperation("min", (one, other)):
            return (
                one if simplified(other) == simplified(end) else other if simplified(one) == simplified(end) else bound
            )
    return bound


def _all(tests: Sequence[Integer]) -> Integer:
    return tests[0] if len(tests) == 1 else IntegerOperation("and", tuple(tests))


@dataclass(frozen=True, slots=True)
class Jam:
    """Makes the loops over the values of a thread the innermost ones. All iterations of the jammed loops are in any
    order, as is proved. `of_loop` returns the jammed loop for a loop, `single` a node in jammed loops for one thread
    along other axes. `is_full`: all values are in the loops. Loops inside have a copy without tests for full tiles.
    """

    of_loop: Callable[[For], JammedLoop | None]
    single: Callable[[Node, Sequence[JammedLoop]], Node]
    is_full: bool = False

    def of(self, node: Node, loops: Sequence[JammedLoop] = ()) -> Node:
        """Returns the node inside of these loops."""
        if isinstance(node, For) and (own := self.of_loop(node)) is not None:
            return own.of_threads(self.of(node.body, (*loops, own)))
        if not loops or _is_independent(node, {loop.loop.iterator for loop in loops}):
            if isinstance(node, For) and loops and not self.is_full and (test := _are_full(loops)) is not None:
                return Conditional(test, replace(self, is_full=True).of(node, loops), self._within(node, loops))
            return self._within(node, loops)
        return self._innermost(node, loops)

    def _within(self, node: Node, loops: Sequence[JammedLoop]) -> Node:
        if isinstance(node, Instance):
            return self._innermost(node, loops)
        if isinstance(node, Block):
            return Block(tuple(self.of(child, loops) for child in in_row(node)))
        return with_inside(node, [self.of(child, loops) for child in inside(node)])

    def _innermost(self, node: Node, loops: Sequence[JammedLoop]) -> Node:
        for loop in reversed(loops):
            node = loop.of_values(node if self.is_full else loop.where_it_runs(node))
        return self.single(node, loops)


def _are_full(loops: Sequence[JammedLoop]) -> Integer | None:
    iterators = {loop.loop.iterator for loop in loops}
    tests = [loop.is_full(iterators) for loop in loops]
    known = [test for test in tests if test is not None]
    return _all(known) if len(known) == len(tests) else None


def stored(cell: Instance, test: Integer | None, loops: Sequence[JammedLoop]) -> Node:
    """Returns the loops over all values of all threads, around an instance where the test holds."""
    node: Node = cell if test is None else Conditional(test, cell)
    for loop in reversed(loops):
        node = loop.of_values(node)
    for loop in reversed(loops):
        node = loop.of_threads(node)
    return node


def _is_independent(node: Node, iterators: set[str]) -> bool:
    """Returns True for a node that has the same condition, value or bounds for all values of these iterators."""
    match node:
        case Block():
            return True
        case Conditional(condition):
            return iterators.isdisjoint(names_in(condition))
        case Let(_, _, value):
            return iterators.isdisjoint(names_in(value))
        case For():
            return all(iterators.isdisjoint(names_in(value)) for value in (node.first, node.bound, node.step))
    return False
