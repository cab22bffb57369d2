"""Execution of a mapping in any order that ≺ allows, with tokens for values: what every read finds in its cell.

A cell holds a token: the element it belongs to and, for an accumulation, which contributions are in it. A read of v[z]
is right when it finds the finished token of v[z]; a contribution is right when it adds to what the contributions before
it have left (or to the initialisation, or is itself the first). This judges places and order by what happens, not by
obligations.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random

from tests.legality.bruteforce import World
from tests.legality.plain_order import Element, Operation, Point

Token = tuple[Element, frozenset[Point]]
Pair = tuple[Operation, Operation]


class Impossible(Exception):
    """No order has what is wanted."""


class Execution:
    """The order of the operations of a world, ready to be run through at random."""

    def __init__(self, world: World, mode: str) -> None:
        self.world = world
        self.number = {operation: at for at, operation in enumerate(world.operations)}
        self.later: dict[int, set[int]] = defaultdict(set)
        for a, one in enumerate(world.operations):
            self.later[a] = {b for b, two in enumerate(world.operations) if world.precedes(one, two, mode)}
        self.whole: dict[Element, frozenset[Point]] = {
            element: frozenset(w.point for w in writers if _accumulates(w))
            for element, writers in world.writers.items()
        }
        self.initialised = {e for w in world.operations if w.role == "init" for e in w.writes}

    def wrong_reads(self, random: Random, first: Iterable[Pair] = (), at_once: Pair | None = None) -> list[str]:
        """Returns the wrong reads in one random order that runs the first operation of each pair of `first` first.

        Operations are atomic, but the two `at_once` both read before both write. Raises Impossible.
        """
        memory: dict[tuple[str, Point], Token] = {}
        started: dict[Element, int] = {}
        wrong: list[str] = []
        for together in self._order(random, tuple(first), at_once):
            results = [self._read(operation, memory, started) for operation in together]
            for operation, (words, tokens) in zip(together, results, strict=True):
                wrong += words
                for token in tokens:
                    memory[self.world.cell(token[0])] = token
                    wrong += self._incomplete(operation, token, started)
        return wrong

    def _order(self, random: Random, first: Sequence[Pair], at_once: Pair | None) -> list[tuple[Operation, ...]]:
        """At random, but nobody waits for those that are not wanted first."""
        later = {at: set(elements) for at, elements in self.later.items()}
        for one, two in first:
            later[self.number[one]].add(self.number[two])
        twins = tuple(self.number[operation] for operation in at_once or ())
        for value in later.values():
            if value & set(twins):
                value |= set(twins)
        waits = dict.fromkeys(later, 0)
        for at in (b for elements in later.values() for b in elements):
            waits[at] += 1
        ready, order = [at for at, count in waits.items() if not count], list[tuple[Operation, ...]]()
        while ready:
            at = random.choice(ready)
            these = twins if at in twins else (at,)
            for item in these:
                ready.remove(item)
                for after in later[item]:
                    waits[after] -= 1
                    if not waits[after]:
                        ready.append(after)
            order.append(tuple(self.world.operations[element] for element in these))
        if sum(map(len, order)) < len(waits):
            raise Impossible("these orders contradict each other")
        return order

    def _read(
        self, operation: Operation, memory: dict[tuple[str, Point], Token], started: dict[Element, int]
    ) -> tuple[list[str], list[Token]]:
        """Returns the errors of the reads of an operation, and the value that it will write."""
        wrong = []
        for wanted, running in operation.reads:
            result = memory.get(self.world.cell(wanted))
            if not running and result != (wanted, self.whole[wanted]):
                wrong.append(f"{operation} reads {wanted} and finds {result}")
        if not operation.writes or not _accumulates(operation):
            return wrong, [(element, frozenset()) for element in operation.writes]
        (element,) = operation.writes
        held = memory.get(self.world.cell(element))
        assigns = element not in self.initialised and element not in started
        started[element] = started.get(element, 0) + 1
        if assigns:
            return wrong, [(element, frozenset({operation.point}))]
        if held is None or held[0] != element:
            wrong.append(f"{operation} adds to {element} and finds {held}")
            return wrong, [(element, frozenset())]
        return wrong, [(element, held[1] | {operation.point})]

    def _incomplete(self, operation: Operation, token: Token, started: dict[Element, int]) -> list[str]:
        """Returns the contributions that are missing after all contributions were made."""
        element, done = token
        if not _accumulates(operation) or started[element] < len(self.whole[element]) or done == self.whole[element]:
            return []
        return [f"{element} has lost contributions after {operation}"]


def _accumulates(operation: Operation) -> bool:
    return operation.role in ("body", "merge")
