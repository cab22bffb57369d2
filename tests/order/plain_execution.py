"""Happens-before by plain integers: the tree is executed, one list of events for each choice of members."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

from alphaz.order.happens_before import (
    BarrierNode,
    LeafNode,
    LoopMode,
    LoopNode,
    OrderNode,
    SequentialNode,
    SingleNode,
    SyncScope,
    TeamNode,
    Verdict,
)
from alphaz.poly import Affine

Path = tuple[tuple[str, int], ...]
Executor = tuple[object, ...] | None
Executors = Mapping[Path, tuple[SyncScope, Executor]]
Values = Mapping[str, int]
Ranges = Mapping[str, tuple[Affine, Affine]]
"""The first value of each loop and member coordinate, and the one behind the last, over the names around."""

_WORK = object()


@dataclass(frozen=True)
class Event:
    """One instance at `path`: `executors` has for each team who executes it (None: unknown), `inside` the single parts
    and unordered iterations around it, `passed` the barriers before it."""

    children: tuple[int, ...]
    values: tuple[tuple[str, int], ...]
    executors: Executors = field(compare=False)
    inside: frozenset[Path] = field(compare=False)
    passed: tuple["Passed", ...] = field(compare=False)
    path: Path = field(compare=False)


@dataclass(frozen=True)
class Passed:
    """A barrier, with the single parts and unordered iterations around it. A local one counts where `block` is around
    one of two instances."""

    scope: SyncScope
    inside: frozenset[Path]
    block: Path | None

    def counts(self, one: Event, other: Event, apart: set[SyncScope]) -> bool:
        is_around = self.block is None or any(item.path[: len(self.block)] == self.block for item in (one, other))
        covers = all(self.scope.covers(item) for item in apart)
        return is_around and covers and self.inside <= one.inside and self.inside <= other.inside


@dataclass
class Run:
    """One execution: members are fixed, unordered loops go forwards, or all `backwards`."""

    ranges: Ranges
    members: Mapping[str, int]
    backwards: bool
    events: list[Event] = field(default_factory=list)
    barriers: list[Passed] = field(default_factory=list)

    def execute(
        self,
        node: OrderNode,
        path: Path = (),
        values: Values | None = None,
        executors: Executors | None = None,
        inside: frozenset[Path] = frozenset(),
    ) -> None:
        values, executors = values or {}, executors or {}
        match node:
            case LeafNode():
                children = tuple(at for name, at in path if name == "#")
                self.events.append(
                    Event(children, tuple(sorted(values.items())), executors, inside, tuple(self.barriers), path)
                )
            case BarrierNode(scope, conditions, is_local):
                if all(condition.holds(values) for condition in conditions):
                    self.barriers.append(Passed(scope, inside, path[:-1] if is_local else None))
            case SequentialNode(children):
                for at, child in enumerate(children):
                    self.execute(child, (*path, ("#", at)), values, executors, inside)
            case TeamNode(scope, body, names):
                chosen = {name: self.members[name] for name in names}
                joined: Executors = {**executors, path: (scope, tuple(chosen.values()) or None)}
                self.execute(body, (*path, ("team", 0)), {**values, **chosen}, joined, inside)
            case SingleNode(scope, body):
                here = (*path, ("single", 0))
                self.execute(body, here, *self._one(scope, values, executors, here), inside | {here})
            case LoopNode(name, body, mode, direction, shared):
                low, high = (item.at(values) for item in self.ranges[name])
                is_back = self.backwards and mode is not LoopMode.SEQUENTIAL
                around = range(low, high)[:: -direction if is_back else direction]
                for at in around:
                    here = (*path, (name, at))
                    within = inside if mode is LoopMode.SEQUENTIAL else inside | {here}
                    now: tuple[Values, Executors] = {**values, name: at}, executors
                    if shared is not None:
                        now = self._one(shared, *now, here)
                    self.execute(body, here, *now, within)

    def _one(self, scope: SyncScope, values: Values, executors: Executors, here: Path) -> tuple[Values, Executors]:
        """The values and executors where one member of the team of this scope works: the first such part decides."""
        who = {
            team: (key, (_WORK, here) if key == scope and (of is None or of[0] is not _WORK) else of)
            for team, (key, of) in executors.items()
        }
        return {name: value for name, value in values.items() if name not in (f"{scope}0", f"{scope}1")}, who


@dataclass
class Executions:
    """The places of events in the lists of the members, with unordered loops forwards and backwards. All members have
    lists of the same length."""

    places: tuple[Mapping[Event, int], Mapping[Event, int]]

    @staticmethod
    def of(tree: OrderNode, ranges: Ranges, coordinates: tuple[str, ...]) -> "Executions":
        places: tuple[dict[Event, int], dict[Event, int]] = ({}, {})
        for values in product(*(range(*(end.at({}) for end in ranges[name])) for name in coordinates)):
            for item, is_back in zip(places, (False, True), strict=True):
                run = Run(ranges, dict(zip(coordinates, values, strict=True)), is_back)
                run.execute(tree)
                item.update((event, at) for at, event in enumerate(run.events) if event not in item)
        return Executions(places)

    @property
    def events(self) -> list[Event]:
        return list(self.places[0])

    def verdict(self, one: Event, other: Event, *, is_private: bool = False) -> Verdict:
        """Returns the order of two events; `is_private`: they are of the same members."""
        apart = set() if is_private else {scope for scope, _ in _apart(one, other)}
        if one == other:
            return Verdict.UNORDERED if apart else Verdict.SAME
        if apart:
            return _sign(_passed(other, one, other, apart) - _passed(one, one, other, apart))
        signs = {_sign(place[other] - place[one]) for place in self.places}
        return signs.pop() if len(signs) == 1 else Verdict.UNORDERED


def _apart(one: Event, other: Event) -> Iterator[tuple[SyncScope, Path]]:
    for team, (scope, who) in one.executors.items():
        if team in other.executors:
            whom = other.executors[team][1]
            if who is None or whom is None or who != whom:
                yield scope, team


def _passed(event: Event, one: Event, other: Event, apart: set[SyncScope]) -> int:
    """How many barriers that cover the teams have been passed, as far as they are barriers to both."""
    return sum(barrier.counts(one, other, apart) for barrier in event.passed)


def _sign(distance: int) -> Verdict:
    return Verdict.BEFORE if distance > 0 else Verdict.AFTER if distance < 0 else Verdict.UNORDERED
