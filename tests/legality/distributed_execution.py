"""Execution of a distributed mapping with tokens for values, on given ranks: what every read finds in its cell.

The ranks are plain data: the rank of each place. Each has a memory of its own. At the end of a step a rank packs the
values of the step that other ranks read; they arrive at the end of the step, and in a pipeline those of lower ranks at
its beginning. Operations, reads, cells and the order on one rank are those of the brute-force verifier (`World`), and
nothing here uses an obligation.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random

from alphaz.mapping.factors import value_at
from tests.legality.bruteforce import World
from tests.legality.plain_order import EXACT, Element, Operation, Point

Token = tuple[Element, frozenset[Point]]
Cell = tuple[str, Point]


class Wrong(Exception):
    """The execution goes wrong; the text says how."""


class DistributedExecution:
    """A world, of which `width` dimensions from `position` on are distributed; `is_pipeline`: when messages arrive. A
    step is a tile of the dimensions before them that a band has together with the distributed ones. With a `border`,
    the widths of the low and the high ends of a block by dimension, messages arrive after the inner operations of the
    next step. `is_scan`: values of lower places are in no message.
    """

    def __init__(
        self,
        world: World,
        position: int,
        is_pipeline: bool,
        width: int = 1,
        border: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
        is_scan: bool = False,
    ) -> None:
        self.border, self.is_scan = border, is_scan
        self.world, self.position, self.width, self.is_pipeline = world, position, width, is_pipeline
        self.dated = [operation for operation in world.operations if operation.moment == 1]
        self.whole = {
            element: frozenset(w.point for w in writers if w.role == "body")
            for element, writers in world.writers.items()
        }
        self.combined = {w.writes[0] for w in self.dated if w.role == "merge"}
        self.whole |= {element: frozenset(w.point for w in world.added[element]) for element in self.combined}
        self.dated = [operation for operation in self.dated if operation.role != "merge"]
        self.initialised = {e for w in self.dated if w.role == "init" for e in w.writes}

    @property
    def places(self) -> list[Point]:
        return [self.place(operation) for operation in self.dated]

    def place(self, operation: Operation) -> Point:
        return operation.date[self.position : self.position + self.width]

    def fault(self, rank_of: Callable[[Point], int], random: Random) -> str:
        """Returns what goes wrong in one execution; empty if nothing does."""
        try:
            ranks = {operation: rank_of(self.place(operation)) for operation in self.dated}
            if self.border is None:
                self._run(ranks, random)
            else:
                self._run_overlapped(ranks, self._blocks(rank_of), random)
        except Wrong as wrong:
            return str(wrong)
        return ""

    def traffic(self, rank_of: Callable[[Point], int]) -> tuple[int, list[Element]]:
        """Returns the number of messages, and the values that they have, every value once for each receiver."""
        sent = self._messages({operation: rank_of(self.place(operation)) for operation in self.dated})
        return len(sent), [element for values in sent.values() for element in values]

    def _run(self, ranks: Mapping[Operation, int], random: Random) -> None:
        owner, sent = self._owners(ranks), self._messages(ranks)
        count = max(ranks.values(), default=0) + 1
        memory: list[dict[Cell, Token]] = [self._start(rank, ranks) for rank in range(count)]
        started: dict[Element, int] = defaultdict(int)
        mine: dict[tuple[tuple[int, ...], int], list[Operation]] = defaultdict(list)
        for operation, rank in ranks.items():
            mine[self._step(operation), rank].append(operation)
        for step in sorted({self._step(operation) for operation in self.dated}):
            packed: dict[tuple[int, int], list[tuple[Element, Token | None]]] = {}
            self._begin_combined(step, memory)
            for rank in range(count):
                for other in range(rank):
                    if self.is_pipeline:
                        self._unpack(memory[rank], packed.pop((other, rank), []))
                for operation in self._in_order(mine[step, rank], random):
                    self._execute(operation, rank, memory[rank], owner, started)
                for other in range(count):
                    values = sent.get((rank, other, step), ())
                    packed[rank, other] = [(e, memory[rank].get(self.world.cell(e))) for e in values]
            for (_, rank), tokens in packed.items():
                self._unpack(memory[rank], tokens)
            self._combine(step, memory)
        for operation in self.world.operations:
            if operation.moment == 2:
                self._end(operation, memory, owner)

    def _run_overlapped(
        self, ranks: Mapping[Operation, int], blocks: Mapping[int, Sequence[range]], random: Random
    ) -> None:
        """Executes inner operations, then receives the messages of the step before, then executes those of the border,
        box by box, and packs.
        """
        owner, sent = self._owners(ranks), self._messages(ranks)
        memory = {rank: self._start(rank, ranks) for rank in blocks}
        started: dict[Element, int] = defaultdict(int)
        late: list[tuple[int, list[tuple[Element, Token | None]]]] = []
        for step in sorted({self._step(operation) for operation in self.dated}):
            boxes = {rank: self._boxes(block) for rank, block in blocks.items()}
            for at in range(len(next(iter(boxes.values()), ()))):
                for rank, parts in boxes.items():
                    mine = [o for o, r in ranks.items() if r == rank and self._step(o) == step]
                    mine = [o for o in mine if all(x in side for x, side in zip(self.place(o), parts[at], strict=True))]
                    for operation in self._in_order(mine, random):
                        self._execute(operation, rank, memory[rank], owner, started)
                if at == 0:
                    for rank, tokens in late:
                        self._unpack(memory[rank], tokens)
            late = [
                (other, [(e, memory[rank].get(self.world.cell(e))) for e in values])
                for (rank, other, when), values in sent.items()
                if when == step
            ]
        for rank, tokens in late:
            self._unpack(memory[rank], tokens)
        for operation in self.world.operations:
            if operation.moment == 2:
                self._end(operation, [memory.get(rank, {}) for rank in range(max(memory, default=0) + 1)], owner)

    def _blocks(self, rank_of: Callable[[Point], int]) -> dict[int, list[range]]:
        """Returns the intervals of places of every rank that has any."""
        sides = [range(min(side), max(side) + 1) for side in zip(*self.places, strict=True)]
        owned: dict[int, list[Point]] = defaultdict(list)
        for place in product(*sides):
            owned[rank_of(place)].append(place)
        return {
            rank: [range(min(side), max(side) + 1) for side in zip(*places, strict=True)]
            for rank, places in owned.items()
        }

    def _boxes(self, block: Sequence[range]) -> list[list[range]]:
        """Returns the inner box of a block, and those of its border: the low and the high end of a dimension, between
        the inner values of the dimensions before.
        """
        assert self.border is not None
        inner: list[range] = []
        for side, low, high in zip(block, *self.border, strict=True):
            begin = min(side.start + low, side.stop)
            inner.append(range(begin, max(begin, side.stop - high)))
        results = [inner]
        for at, (side, inside) in enumerate(zip(block, inner, strict=True)):
            for end in (range(side.start, inside.start), range(inside.stop, side.stop)):
                results.append([*inner[:at], end, *block[at + 1 :]])
        return results

    def _combined_in(self, step: tuple[int, ...]) -> list[Element]:
        """Returns the values to which operations of a step contribute on any rank."""
        return [e for e in sorted(self.combined) if any(self._step(w) == step for w in self.world.added[e])]

    def _begin_combined(self, step: tuple[int, ...], memory: Sequence[dict[Cell, Token]]) -> None:
        for element in self._combined_in(step):
            for mine in memory:
                mine[self.world.cell(element)] = (element, frozenset())

    def _combine(self, step: tuple[int, ...], memory: Sequence[dict[Cell, Token]]) -> None:
        """Gives all ranks the contributions that they have together."""
        for element in self._combined_in(step):
            cell = self.world.cell(element)
            parts = [mine.get(cell) for mine in memory]
            if any(part is None or part[0] != element for part in parts):
                raise Wrong(f"partial results of {element} are {parts}")
            whole = frozenset[Point]().union(*(part[1] for part in parts if part is not None))
            for mine in memory:
                mine[cell] = (element, whole)

    def _owners(self, ranks: Mapping[Operation, int]) -> dict[Element, int]:
        """Returns the rank of every value that an operation with a date writes."""
        owner: dict[Element, int] = {}
        for operation, rank in ranks.items():
            for element in operation.writes:
                if owner.setdefault(element, rank) != rank:
                    raise Wrong(f"{element} is written on two ranks")
        return owner

    def _messages(self, ranks: Mapping[Operation, int]) -> dict[tuple[int, int, tuple[int, ...]], list[Element]]:
        """Returns the values that one rank sends to another at the end of a step, every one once."""
        needed: dict[tuple[int, Element], None] = {}
        for operation, rank in ranks.items():
            for element, running in operation.reads:
                writers = [w for w in self.world.writers[element] if w.moment == 1 and w.role != "merge"]
                if not running and writers and self._is_sent(ranks[writers[0]], rank):
                    needed[rank, element] = None
        results: dict[tuple[int, int, tuple[int, ...]], list[Element]] = defaultdict(list)
        for rank, element in needed:
            writers = [w for w in self.world.writers[element] if w.moment == 1]
            steps = {self._step(w) for w in writers}
            if len(steps) > 1:
                raise Wrong(f"{element} is written in several steps, and sent")
            results[ranks[writers[0]], rank, steps.pop()].append(element)
        return results

    def _is_sent(self, sender: int, rank: int) -> bool:
        return sender > rank or (sender < rank and not self.is_scan)

    def _start(self, rank: int, ranks: Mapping[Operation, int]) -> dict[Cell, Token]:
        """Returns the memory of a rank at the start: the inputs that it reads."""
        mine = [operation for operation, where in ranks.items() if where == rank]
        read = {element for operation in mine for element, _ in operation.reads}
        there = (e for o in self.world.operations if o.moment == 0 for e in o.writes if e in read)
        return {self.world.cell(element): (element, frozenset()) for element in there}

    def _step(self, operation: Operation) -> tuple[int, ...]:
        sizes = dict(self._sides(operation))
        return tuple(
            _number(x, sizes.get(at, None if self._is_tiled(operation, at) else 1))
            for at, x in enumerate(operation.date[: self.position])
        )

    def _is_tiled(self, operation: Operation, at: int) -> bool:
        return any(band.start <= at and band.start <= self.position <= band.end for band in operation.bands)

    def _sides(self, operation: Operation) -> Iterator[tuple[int, int | None]]:
        """Yields the dimensions of the outermost tiles, with their sizes; None for a tile that has all."""
        for band in operation.bands:
            for at in band.tiled():
                yield at, band.sizes[0][at - band.start] or None

    def _loops(self, operation: Operation) -> tuple[int, ...]:
        """Returns the numbers of the tiles, before the date."""
        results: list[int] = []
        for at, x in enumerate(operation.date):
            for band in (band for band in operation.bands if band.start == at):
                sizes = dict(self._sides(operation))
                results += [_number(operation.date[d], sizes[d]) for d in band.tiled()]
            results.append(x)
        return tuple(results)

    def _in_order(self, operations: Sequence[Operation], random: Random) -> Iterator[Operation]:
        """Yields the operations of one step on one rank in a random order that precedence allows."""
        waiting = sorted(operations, key=lambda one: (self._loops(one), one.statement, one.point))
        if not any(kind in "PV" for operation in operations for kind in operation.kinds):
            dates = [operation.date for operation in waiting]
            if len(set(dates)) == len(dates):
                yield from waiting
                return
        while waiting:
            ready = [a for a in waiting if not any(self.world.precedes(b, a, EXACT) for b in waiting if b is not a)]
            operation = random.choice(ready or waiting)
            waiting.remove(operation)
            yield operation

    def _execute(
        self,
        operation: Operation,
        rank: int,
        memory: dict[Cell, Token],
        owner: Mapping[Element, int],
        started: dict[Element, int],
    ) -> None:
        for element, running in operation.reads:
            if running:
                continue
            is_own = owner.get(element, rank) == rank
            cell = self.world.cell(element) if is_own else self.ghost(element)
            token = (element, self.whole.get(element, frozenset()))
            if memory.get(cell) != token:
                raise Wrong(f"{operation} on rank {rank} reads {element} and finds {memory.get(cell)}")
        if operation.adds is not None:
            held = memory[self.world.cell(operation.adds)]
            if held[0] != operation.adds:
                raise Wrong(f"{operation} adds to {operation.adds} and finds {held}")
            memory[self.world.cell(operation.adds)] = (operation.adds, held[1] | {operation.point})
        for element in operation.writes:
            memory[self.world.cell(element)] = self._written(operation, element, memory, started)

    def _written(
        self, operation: Operation, element: Element, memory: Mapping[Cell, Token], started: dict[Element, int]
    ) -> Token:
        if operation.role != "body":
            return (element, frozenset())
        started[element] += 1
        if element not in self.initialised and started[element] == 1:
            return (element, frozenset({operation.point}))
        held = memory.get(self.world.cell(element))
        if held is None or held[0] != element:
            raise Wrong(f"{operation} adds to {element} and finds {held}")
        return (element, held[1] | {operation.point})

    def ghost(self, element: Element) -> Cell:
        """Returns the cell of a received value."""
        name, z = element
        entry = next((g for g in self.world.mapping.ghosts if g.variable == name), None)
        if entry is None or entry.function is None:
            return self.world.cell(element)
        values = {**self.world.parameters, **dict(zip(entry.function.domain.names, z, strict=True))}
        where = entry.function.at(values)
        moduli = [value_at(m, self.world.parameters) for m in entry.moduli or (0,) * len(where)]
        return entry.space, tuple(x - m * (x // m) if m else x for x, m in zip(where, moduli, strict=True))

    def _unpack(self, memory: dict[Cell, Token], values: Sequence[tuple[Element, Token | None]]) -> None:
        """Puts the values in their cells; what a sender did not have any more arrives as it is."""
        for element, token in values:
            if token is None or token[0] != element or token[1] != self.whole.get(element, frozenset()):
                raise Wrong(f"{token} is sent as {element}")
            memory[self.ghost(element)] = token

    def _end(self, operation: Operation, memory: Sequence[Mapping[Cell, Token]], owner: Mapping[Element, int]) -> None:
        for element, _ in operation.reads:
            if element not in owner and element not in self.combined:
                if not any(v.name == element[0] for v in self.world.system.inputs):
                    raise Wrong(f"{element} has no rank")
                continue
            token = (element, self.whole.get(element, frozenset()))
            result = memory[owner.get(element, 0)].get(self.world.cell(element))
            if result != token:
                raise Wrong(f"the output {element} is {result}")


def _number(value: int, size: int | None) -> int:
    """Returns the number of the tile of a value."""
    return 0 if size is None else value // size
