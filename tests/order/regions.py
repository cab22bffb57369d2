"""Random texts with a parallel region: the places of their statements, and the order of these by plain integers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from alphaz.diagnostics import Span
from alphaz.diagnostics.source import BUILT_IN
from alphaz.order.happens_before import LeafInstance, OrderCase, Verdict, order_cases
from alphaz.order.kernel_order import StatementPlace, order_tree
from alphaz.poly import Affine
from alphaz.scop.c_model import Date, KernelLoop, LoopKind, ThreadShare, ThreadTeam
from tests.order.plain_execution import Event, Executions

_SPAN = Span(BUILT_IN, 0, 0)
_ITERATIONS = 2


@dataclass
class Region:
    """Statements before, in and after a region, with the loops around them."""

    random: Random
    places: list[StatementPlace] = field(default_factory=list)
    loops: list[KernelLoop] = field(default_factory=list)
    barriers: dict[Date, set[int]] = field(default_factory=dict)

    @staticmethod
    def drawn(random: Random) -> "Region":
        region = Region(random)
        around: Date = (region._loop(LoopKind.SEQUENTIAL),) if random.random() < 0.3 else ()
        region.places.append(StatementPlace((0, *around, 0), None))
        inside = (0, *around, 1)
        region._block(inside, ThreadTeam(len(inside)), depth=3)
        region.places.append(StatementPlace((0, *around, 2), None))
        return Region(random, [*region._closed(ThreadTeam(len(inside), region.barriers))], region.loops)

    def _closed(self, team: ThreadTeam) -> Iterator[StatementPlace]:
        for place in self.places:
            share = None if place.share is None else ThreadShare(team, place.share.depth, place.share.is_private)
            yield StatementPlace(place.date, share)

    def _loop(self, kind: LoopKind) -> KernelLoop:
        self.loops.append(KernelLoop(f"i{len(self.loops)}", self.random.choice((1, 1, -1)), kind, _SPAN))
        return self.loops[-1]

    def _block(self, around: Date, team: ThreadTeam, depth: int) -> None:
        """Adds a block that every thread executes."""
        for position in range(self.random.randint(1, 3)):
            here, kind = (*around, position), self.random.random()
            if kind < 0.3:
                self._shared((*here, self._loop(LoopKind.PARALLEL)), ThreadShare(team, len(here)))
            elif kind < 0.45:
                self._shared(here, ThreadShare(team, len(here)))
            elif kind < 0.6:
                share = ThreadShare(team, len(here), is_private=self.random.random() < 0.5)
                self.places.append(StatementPlace(here, share))
            elif kind < 0.9 and depth:
                self._block((*here, self._loop(LoopKind.SEQUENTIAL)), team, depth - 1)
            elif depth:
                self._block(here, team, depth - 1)
            if self.random.random() < 0.3:
                self.barriers.setdefault(around, set()).add(position)

    def _shared(self, around: Date, share: ThreadShare) -> None:
        """Adds statements that one thread executes."""
        for position in range(self.random.randint(1, 2)):
            inner = (self._loop(LoopKind.SEQUENTIAL),) if self.random.random() < 0.2 else ()
            self.places.append(StatementPlace((*around, position, *inner), share))

    def events(self) -> tuple[Executions, list[tuple[int, Event]]]:
        """Returns the execution of the whole text, and its events with the numbers of their statements."""
        tree, children = order_tree(self.places)
        ends = Affine(), Affine(constant=_ITERATIONS)
        executions = Executions.of(tree, {loop.iterator: ends for loop in self.loops}, ())
        return executions, [(children.index(event.children), event) for event in executions.events]

    def cases(self, one: int, other: int) -> tuple[OrderCase, ...]:
        """Returns the order of two statements, over `i.x` and `i.y` for each loop."""
        tree, numbers = order_tree((self.places[one], self.places[other]))
        x, y = (
            LeafInstance(
                children,
                {loop.iterator: Affine.name(f"{loop.iterator}.{role}") for loop in self.loops},
                is_private=self._is_private(at),
            )
            for at, children, role in zip((one, other), numbers, "xy", strict=True)
        )
        return order_cases(tree, x, y)

    def _is_private(self, number: int) -> bool:
        share = self.places[number].share
        return share is not None and share.is_private

    def verdict(self, executions: Executions, one: tuple[int, Event], other: tuple[int, Event]) -> Verdict:
        """Returns the order of two events by plain integers."""
        return executions.verdict(one[1], other[1], is_private=any(self._is_private(item) for item, _ in (one, other)))
