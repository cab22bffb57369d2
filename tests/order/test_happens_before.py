"""The order of the tree: both definitions agree, and its cases are disjoint and complete."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

import pytest

from alphaz.order.happens_before import (
    BarrierNode,
    Conjunction,
    LeafInstance,
    LeafNode,
    LoopMode,
    LoopNode,
    OrderCase,
    OrderNode,
    SequentialNode,
    SingleNode,
    SyncScope,
    TeamNode,
    Verdict,
    order_cases,
)
from alphaz.poly import Affine, Constraint, Domain, Space, less
from tests.order.plain_execution import Event, Executions
from tests.thinning import thinned

GRID, BLOCK, THREAD, TEAM, RANK = (
    SyncScope.GRID, SyncScope.BLOCK, SyncScope.THREAD, SyncScope.TEAM, SyncScope.RANK
)  # fmt: skip
LEAF = LeafNode()
_MOST_EVENTS = 24


@dataclass
class Around:
    """The surroundings of a node: the bounds and names of loops, and the teams."""

    bounds: Conjunction = ()
    names: tuple[str, ...] = ()
    teams: tuple[SyncScope, ...] = ()


@dataclass
class Drawing:
    """A random tree with the ranges of its names."""

    random: Random
    ranges: dict[str, tuple[Affine, Affine]] = field(default_factory=dict)
    coordinates: tuple[str, ...] = ()

    def node(self, depth: int, around: Around) -> OrderNode:
        random, kind, teams = self.random, self.random.random(), around.teams
        if depth == 0 or kind < 0.08:
            return LEAF
        if kind < 0.5:
            children = [self.node(depth - 1, around) for _ in range(random.randint(1, 3))]
            for _ in range(random.randint(0, 2) if teams else 0):
                is_local = random.random() < 0.4
                conditions = () if is_local else self._conditions(around)
                barrier = BarrierNode(random.choice((*teams, *teams, TEAM)), conditions, is_local)
                children.insert(random.randint(0, len(children)), barrier)
            return SequentialNode(tuple(children))
        if kind < 0.75:
            return self._loop(depth, around)
        if kind < 0.82 and teams:
            return SingleNode(teams[-1], self.node(depth - 1, around))
        scopes = [item for item in (RANK, GRID, BLOCK, THREAD) if not any(item.covers(team) for team in teams)]
        if len(teams) < 2 and scopes:
            return self._team(random.choice(scopes), depth, around)
        return self.node(depth - 1, around)

    def _conditions(self, around: Around) -> Conjunction:
        if not around.names or self.random.random() < 0.7:
            return around.bounds
        value = Affine.name(self.random.choice(around.names)) * self.random.choice((-1, 1))
        return (*around.bounds, Constraint(value + self.random.randint(-1, 1), self.random.random() < 0.3))

    def _loop(self, depth: int, around: Around) -> OrderNode:
        random, name = self.random, f"i{len(self.ranges)}"
        high = Affine(constant=random.randint(0, 3))
        if around.names and random.random() < 0.3:
            high = Affine.name(random.choice(around.names))
        self.ranges[name] = (Affine(), high)
        bounds = (*around.bounds, Constraint(Affine.name(name)), less(Affine.name(name), high))
        mode = random.choice((*[LoopMode.SEQUENTIAL] * 5, *LoopMode))
        is_shared = bool(around.teams) and mode is not LoopMode.SEQUENTIAL and random.random() < 0.7
        body = self.node(depth - 1, Around(bounds, (*around.names, name), around.teams))
        return LoopNode(name, body, mode, random.choice((1, 1, -1)), around.teams[-1] if is_shared else None)

    def _team(self, scope: SyncScope, depth: int, around: Around) -> OrderNode:
        own = tuple(f"{scope}{number}" for number in range(self.random.choice((0, 1, 1, 2))))
        for name in own:
            self.ranges[name] = (Affine(), Affine(constant=2))
        self.coordinates = (*self.coordinates, *(name for name in own if name not in self.coordinates))
        return TeamNode(scope, self.node(depth - 1, replace(around, teams=(*around.teams, scope))), own)


def _symbolic(event: Event, role: str, *, is_private: bool) -> LeafInstance:
    values = {name: Affine.name(f"{name}.{role}") for name, _ in event.values}
    return LeafInstance(event.children, values, is_private=is_private)


def _members(event: Event, drawing: Drawing) -> Mapping[str, int]:
    return {name: value for name, value in event.values if name in drawing.coordinates}


def _values(event: Event, role: str) -> Mapping[str, int]:
    return {f"{name}.{role}": value for name, value in event.values}


def _key(event: Event) -> tuple[object, ...]:
    return event.children, tuple(name for name, _ in event.values)


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(4)))
def test_both_definitions_agree(seed: int) -> None:
    random = Random(seed)
    trees = pairs = 0
    seen: set[Verdict] = set()
    while trees < 250:
        drawing = Drawing(random)
        tree = drawing.node(5, Around())
        executions = Executions.of(tree, drawing.ranges, drawing.coordinates)
        events = executions.events
        if not 2 <= len(events) <= _MOST_EVENTS:
            continue
        trees += 1
        known: dict[tuple[object, ...], tuple[OrderCase, ...]] = {}
        private = {event.children: random.random() < 0.1 for event in events}
        for one, other in product(events, events):
            is_private = private[one.children] or private[other.children]
            if is_private and _members(one, drawing) != _members(other, drawing):
                continue
            key = (_key(one), _key(other))
            if key not in known:
                known[key] = order_cases(
                    tree,
                    _symbolic(one, "x", is_private=private[one.children]),
                    _symbolic(other, "y", is_private=private[other.children]),
                )
            at = {**_values(one, "x"), **_values(other, "y")}
            (result,) = (case for case in known[key] if all(item.holds(at) for item in case.where))
            assert result.verdict is executions.verdict(one, other, is_private=is_private), (tree, one, other)
            pairs += 1
            seen.add(result.verdict)
    assert seen == {*Verdict}
    assert pairs > 5_000


def _of(*children: OrderNode) -> SequentialNode:
    return SequentialNode(children)


def _verdicts(tree: OrderNode, one: LeafInstance, other: LeafInstance) -> list[tuple[str, str]]:
    return [(case.verdict.value, " && ".join(map(str, case.where))) for case in order_cases(tree, one, other)]


def test_a_barrier_in_an_inner_loop_counts_where_it_has_an_iteration() -> None:
    k, n = Affine.name("k"), Affine.name("N")
    barrier = BarrierNode(TEAM, (Constraint(k), less(k, n)))
    tree = TeamNode(THREAD, _of(LEAF, LoopNode("k", _of(LEAF, barrier)), LEAF))
    first, last = LeafInstance((0,), {}), LeafInstance((2,), {})
    assert _verdicts(tree, first, last) == [("before", "N>=1"), ("unordered", "N<=0")]
    assert _verdicts(tree, last, first) == [("after", "N>=1"), ("unordered", "N<=0")]


def test_the_last_of_an_iteration_and_the_first_of_the_next_meet() -> None:
    i, j = Affine.name("i"), Affine.name("j")
    tree = TeamNode(THREAD, LoopNode("t", _of(LEAF, BarrierNode(TEAM), LEAF)))
    last, first = LeafInstance((2,), {"t": i}), LeafInstance((0,), {"t": j})
    cases = order_cases(tree, last, first)
    at = {
        distance: next(c.verdict for c in cases if all(e.holds({"i": 0, "j": distance}) for e in c.where))
        for distance in (-1, 0, 1, 2)
    }
    assert at == {-1: Verdict.AFTER, 0: Verdict.AFTER, 1: Verdict.UNORDERED, 2: Verdict.BEFORE}


@pytest.mark.parametrize(
    ("barrier", "team", "expected"),
    [
        (TEAM, THREAD, True), (THREAD, THREAD, True), (GRID, BLOCK, True), (BLOCK, GRID, False), (BLOCK, BLOCK, True),
        (RANK, THREAD, False), (TEAM, RANK, False), (GRID, THREAD, False),
    ],
)  # fmt: skip
def test_a_barrier_covers_its_scope_and_smaller_ones(barrier: SyncScope, team: SyncScope, expected: bool) -> None:
    tree = TeamNode(team, _of(LEAF, BarrierNode(barrier), LEAF))
    (case,) = order_cases(tree, LeafInstance((0,), {}), LeafInstance((2,), {}))
    assert (case.verdict is Verdict.BEFORE) == barrier.covers(team) == expected


def test_the_iterations_that_are_shared_out_are_each_of_one_member() -> None:
    loop = LoopNode("i", _of(LEAF, LEAF), LoopMode.PARALLEL, shared=THREAD)
    one, other = LeafInstance((0,), {"i": Affine.name("x")}), LeafInstance((1,), {"i": Affine.name("y")})
    cases = order_cases(TeamNode(THREAD, loop), one, other)
    assert [case.verdict.value for case in cases] == ["unordered", "unordered", "before"]
    every = replace(loop, shared=None)
    assert {case.verdict.value for case in order_cases(TeamNode(THREAD, every), one, other)} == {"unordered"}


def test_cases_are_disjoint_and_complete_over_all_integers() -> None:
    k, t, n = Affine.name("k"), Affine.name("t"), Affine.name("N")
    inner = LoopNode("k", _of(LEAF, BarrierNode(TEAM, (Constraint(k), less(k, n - t)))))
    tree = TeamNode(THREAD, LoopNode("t", _of(LEAF, inner, LEAF), direction=-1))
    one = LeafInstance((2,), {"t": Affine.name("x")})
    other = LeafInstance((0,), {"t": Affine.name("y")})
    space = Space((), ("N", "x", "y"))
    left = Domain.universe(space)
    for case in order_cases(tree, one, other):
        part = Domain.where(space, case.where)
        assert part.is_subset(left), "cases overlap"
        left = left - part
    assert left.is_empty()
