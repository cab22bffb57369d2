"""Happens-before by one tree for every target: blocks, loops with modes, teams with scopes, and barriers.

An instance is a leaf with the values of the loops and members around it. Two instances part at the first node where
their paths differ. Members that differ there, or may differ, execute a block in order only if a barrier between
covers them: one that every member passes after the first instance and before the second.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

from alphaz.poly import Affine, Constraint, Domain, Space, equal, less

Conjunction = tuple[Constraint, ...]


class SyncScope(StrEnum):
    """Whom a team has as members, and whom a barrier makes wait: it covers the teams of its scope and of smaller ones
    of the same machine."""

    LANE = "lane"
    WARP = "warp"
    BLOCK = "block"
    GRID = "grid"
    THREAD = "thread"
    TEAM = "team"
    RANK = "rank"

    def covers(self, other: "SyncScope") -> bool:
        return any(self in chain and other in chain[: chain.index(self) + 1] for chain in _CHAINS)


_CHAINS = (
    (SyncScope.LANE, SyncScope.WARP, SyncScope.BLOCK, SyncScope.GRID),
    (SyncScope.THREAD, SyncScope.TEAM),
    (SyncScope.RANK,),
)


class LoopMode(Enum):
    """The order of the iterations of a loop: only sequential ones have any."""

    SEQUENTIAL = "sequential"
    PARALLEL = "parallel"
    REDUCTION = "reduction"
    VECTOR = "vector"


@dataclass(frozen=True, slots=True)
class LeafNode:
    """A statement."""


@dataclass(frozen=True, slots=True)
class SequentialNode:
    """Executes its children in their order."""

    children: tuple["OrderNode", ...]


@dataclass(frozen=True, slots=True)
class LoopNode:
    """Executes its body for values of `name`, from the greatest one down if `direction` is -1. `shared`: members of
    this team share the iterations out; otherwise each of them executes all. Names are unique on a path."""

    name: str
    body: "OrderNode"
    mode: LoopMode = LoopMode.SEQUENTIAL
    direction: int = 1
    shared: SyncScope | None = None


@dataclass(frozen=True, slots=True)
class TeamNode:
    """Executes its body once for each member, at once. `names` are those of the members' coordinates; which member
    executes an instance without values for them is unknown. A team inside has a smaller scope, or another machine's."""

    scope: SyncScope
    body: "OrderNode"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SingleNode:
    """Executes its body by one member of the team, whichever."""

    scope: SyncScope
    body: "OrderNode"


@dataclass(frozen=True, slots=True)
class BarrierNode:
    """Makes the members of the teams that it covers wait for each other, where `conditions` hold: over the names of the
    loops around, whose bounds are among them. Inside an unordered iteration or a `SingleNode` it is none to instances
    outside. `is_local`: the conditions are unknown, so it counts only where its block is executed around one of the two
    instances."""

    scope: SyncScope
    conditions: Conjunction = ()
    is_local: bool = False


OrderNode = LeafNode | SequentialNode | LoopNode | TeamNode | SingleNode | BarrierNode


@dataclass(frozen=True, slots=True)
class LeafInstance:
    """A leaf by the number of the child in each sequence on the way, and the values of loops and members. `is_private`:
    each member executes it on memory of its own, so it meets only instances of the same members."""

    children: tuple[int, ...]
    values: Mapping[str, Affine]
    is_private: bool = False


class Verdict(Enum):
    """The relation of one instance to another: `SAME` is one instance."""

    BEFORE = "before"
    AFTER = "after"
    UNORDERED = "unordered"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class OrderCase:
    """The verdict for the pairs in `where`, and the cause: the number of sequences, loops and coordinates of members
    around the one at which the paths part, None if they do not."""

    verdict: Verdict
    where: Conjunction
    cause: int | None


def order_cases(tree: OrderNode, one: LeafInstance, other: LeafInstance) -> tuple[OrderCase, ...]:
    """Returns disjoint cases, which are complete over the pairs of instances."""
    return tuple(_walk(_Pair(tree, one, other)))


# --- the common path --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two instances at a node of their common path, where `same` holds. The members of the teams `apart` differ, or may
    differ; `sequences` and `loops` (with coordinates of members) were passed on the way. `parted`: their number around
    the first known members that differ."""

    node: OrderNode
    one: LeafInstance
    other: LeafInstance
    same: Conjunction = ()
    apart: frozenset[SyncScope] = frozenset()
    sequences: int = 0
    loops: int = 0
    parted: int | None = None

    def at(
        self, node: OrderNode, *more: Constraint, apart: frozenset[SyncScope] | None = None, parted: int | None = None
    ) -> "_Pair":
        names = len(self.node.names) if isinstance(self.node, TeamNode) else 0
        return _Pair(
            node=node,
            one=self.one,
            other=self.other,
            same=(*self.same, *more),
            apart=self.apart if apart is None else apart,
            sequences=self.sequences + isinstance(self.node, SequentialNode),
            loops=self.loops + isinstance(self.node, LoopNode) + names,
            parted=parted if self.parted is None else self.parted,
        )

    def case(self, verdict: Verdict, *more: Constraint) -> OrderCase:
        return OrderCase(verdict, (*self.same, *more), self.sequences + self.loops)


def _walk(pair: _Pair) -> Iterator[OrderCase]:
    while True:
        match pair.node:
            case LeafNode() | BarrierNode():
                yield OrderCase(Verdict.UNORDERED if pair.apart else Verdict.SAME, pair.same, pair.parted)
                return
            case SingleNode(scope, body):
                pair = pair.at(body, apart=pair.apart - {scope})
            case TeamNode(scope, body, names):
                *others, together = _members(pair, scope, body, names)
                if others and _is_regardless(others[0], together, pair):
                    pair = pair.at(body)
                    continue
                for differing in others:
                    yield from _walk(differing)
                pair = together
            case SequentialNode(children):
                here, there = pair.one.children[pair.sequences], pair.other.children[pair.sequences]
                if here != there:
                    yield from _ordered(pair, here < there)
                    return
                pair = pair.at(children[here])
            case LoopNode() as loop:
                yield from _iterations(pair, loop)
                pair = _same_iteration(pair, loop)


def _members(pair: _Pair, scope: SyncScope, body: OrderNode, names: tuple[str, ...]) -> Iterator[_Pair]:
    """Yields the pairs of members that differ, and last those that do not; if they are unknown they may differ."""
    differ = pair.apart | {scope}
    if pair.one.is_private or pair.other.is_private:
        yield pair.at(body)
        return
    if any(name not in instance.values for name in names for instance in (pair.one, pair.other)) or not names:
        yield pair.at(body, apart=differ)
        return
    same: Conjunction = ()
    for number, name in enumerate(names, pair.sequences + pair.loops):
        here, there = pair.one.values[name], pair.other.values[name]
        yield pair.at(body, *same, less(here, there), apart=differ, parted=number)
        yield pair.at(body, *same, less(there, here), apart=differ, parted=number)
        same = (*same, equal(here, there))
    yield pair.at(body, *same)


def _is_regardless(differing: _Pair, together: _Pair, around: _Pair) -> bool:
    """Returns True if the verdicts are the same whether the members differ or not."""
    cases, same = (
        [(case.verdict, case.where[len(pair.same) :]) for case in _walk(pair)] for pair in (differing, together)
    )
    return cases == same


def _iterations(pair: _Pair, loop: LoopNode) -> Iterator[OrderCase]:
    """Yields the cases of two iterations."""
    here, there = _iteration(pair, loop)
    for is_first, differ in ((True, less(here, there)), (False, less(there, here))):
        if loop.mode is LoopMode.SEQUENTIAL:
            yield from _ordered(pair, is_first, differ)
        else:
            yield pair.case(Verdict.UNORDERED, differ)


def _same_iteration(pair: _Pair, loop: LoopNode) -> _Pair:
    here, there = _iteration(pair, loop)
    return pair.at(loop.body, equal(here, there), apart=pair.apart - {loop.shared})


def _iteration(pair: _Pair, loop: LoopNode) -> tuple[Affine, Affine]:
    return pair.one.values[loop.name] * loop.direction, pair.other.values[loop.name] * loop.direction


def _ordered(pair: _Pair, is_first: bool, *differ: Constraint) -> Iterator[OrderCase]:
    """Yields the cases of instances that part where one member executes `one` first (`is_first`), or `other`."""
    verdict = Verdict.BEFORE if is_first else Verdict.AFTER
    if not pair.apart:
        yield pair.case(verdict, *differ)
        return
    early, late = (pair.one, pair.other) if is_first else (pair.other, pair.one)
    left: list[Conjunction] = [differ]
    for piece in _joined(_barriers_between(pair, early, late)):
        rest: list[Conjunction] = []
        for conjunction in left:
            yield pair.case(verdict, *conjunction, *piece)
            rest += ((*conjunction, *other) for other in _complement(piece))
        left = [conjunction for conjunction in rest if _is_possible((*pair.same, *conjunction))]
    for conjunction in left:
        yield pair.case(Verdict.UNORDERED, *conjunction)


def _complement(piece: Conjunction) -> Iterator[Conjunction]:
    """Yields disjoint conjunctions that hold where the piece does not."""
    for position, constraint in enumerate(piece):
        yield (*piece[:position], less(constraint.affine, Affine()))
        if constraint.equality:
            yield (*piece[:position], less(Affine(), constraint.affine))


# --- barriers between two instances -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Passed:
    """A barrier that every member passes where `conditions` hold for some values of `free`. `values` are those of the
    loops around it."""

    values: Mapping[str, Affine]
    conditions: Conjunction = ()
    free: tuple[str, ...] = ()

    def at(self, name: str, value: Affine) -> "_Passed":
        return _Passed({**self.values, name: value}, self.conditions, self.free)

    def anywhere(self, name: str) -> "_Passed":
        free = f"{name}!"
        return _Passed({**self.values, name: Affine.name(free)}, self.conditions, (*self.free, free))

    def where(self, *conditions: Constraint) -> "_Passed":
        return _Passed(self.values, (*self.conditions, *conditions), self.free)


def _barriers_between(pair: _Pair, early: LeafInstance, late: LeafInstance) -> Iterator[_Passed]:
    around, at = _Passed(early.values), pair.sequences
    match pair.node:
        case SequentialNode(children):
            first, last = early.children[at], late.children[at]
            for child in children[first + 1 : last]:
                yield from _barriers_in(child, pair.apart, around, is_inner=False)
            yield from _barriers_beside(children[first], pair.apart, around, early, at + 1, is_behind=True)
            yield from _barriers_beside(children[last], pair.apart, around, late, at + 1, is_behind=False)
        case LoopNode(name, body, _, direction):
            here, there = early.values[name], late.values[name]
            yield from _barriers_beside(body, pair.apart, around.at(name, here), early, at, is_behind=True)
            yield from _barriers_beside(body, pair.apart, around.at(name, there), late, at, is_behind=False)
            inner = around.anywhere(name)
            now = inner.values[name] * direction
            inner = inner.where(less(here * direction, now), less(now, there * direction))
            yield from _barriers_in(body, pair.apart, inner)


def _barriers_in(
    node: OrderNode, apart: Iterable[SyncScope], around: _Passed, *, is_inner: bool = True
) -> Iterator[_Passed]:
    """Yields the barriers of all executions of a node that cover the teams. `is_inner`: no block around the node is one
    around an instance."""
    match node:
        case BarrierNode(scope, conditions, is_local) if all(map(scope.covers, apart)) and not (is_local and is_inner):
            yield around.where(*(condition.substitute(around.values) for condition in conditions))
        case SequentialNode(children):
            for child in children:
                yield from _barriers_in(child, apart, around)
        case TeamNode(_, body):
            yield from _barriers_in(body, apart, around)
        case LoopNode(name, body, LoopMode.SEQUENTIAL):
            yield from _barriers_in(body, apart, around.anywhere(name))


def _barriers_beside(
    node: OrderNode,
    apart: Iterable[SyncScope],
    around: _Passed,
    instance: LeafInstance,
    position: int,
    *,
    is_behind: bool,
) -> Iterator[_Passed]:
    """Yields the barriers of the execution of a node that contains the instance: those behind it, or ahead of it."""
    match node:
        case TeamNode(_, body):
            yield from _barriers_beside(body, apart, around, instance, position, is_behind=is_behind)
        case SequentialNode(children):
            here = instance.children[position]
            for child in children[here + 1 :] if is_behind else children[:here]:
                yield from _barriers_in(child, apart, around, is_inner=False)
            yield from _barriers_beside(children[here], apart, around, instance, position + 1, is_behind=is_behind)
        case LoopNode(name, body, LoopMode.SEQUENTIAL, direction):
            value = instance.values[name]
            yield from _barriers_beside(body, apart, around.at(name, value), instance, position, is_behind=is_behind)
            inner = around.anywhere(name)
            way = direction if is_behind else -direction
            yield from _barriers_in(body, apart, inner.where(less(value * way, inner.values[name] * way)))


def _joined(barriers: Iterable[_Passed]) -> tuple[Conjunction, ...]:
    """Returns conjunctions one of which holds where one of the barriers is passed."""
    pieces: dict[Conjunction, None] = {}
    for piece in (piece for barrier in barriers for piece in _without_existentials(barrier)):
        if not piece:
            return ((),)
        pieces[piece] = None
    if len(pieces) < 2:
        return tuple(pieces)
    union = Domain.where(_space(*pieces), *pieces).simplify()
    return tuple(piece.constraints for piece in union.pieces() if not piece.floors)


def _without_existentials(barrier: _Passed) -> Iterator[Conjunction]:
    """Yields conjunctions one of which holds where the barrier is passed. Pieces that need a quotient are left out,
    which leaves more pairs unordered."""
    conditions = tuple(c for c in barrier.conditions if c.affine.terms)
    if not all(c.holds({}) for c in barrier.conditions if not c.affine.terms):
        return
    if not barrier.free:
        yield conditions
        return
    space = _space(conditions)
    projection = Domain.where(space, conditions).onto([name for name in space.names if name not in barrier.free])
    yield from (piece.constraints for piece in projection.pieces() if not piece.floors)


def _is_possible(conjunction: Conjunction) -> bool:
    return not Domain.where(_space(conjunction), conjunction).is_empty()


def _space(*conjunctions: Conjunction) -> Space:
    return Space(
        (), tuple(sorted({name for conjunction in conjunctions for c in conjunction for name in c.affine.names}))
    )
