"""The order of the statements of a C function that C and OpenMP guarantee, as a tree with teams and barriers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from alphaz.order.happens_before import (
    BarrierNode,
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
    order_cases,
)
from alphaz.poly import Affine
from alphaz.scop.c_model import Date, KernelLoop, KernelStatement, LoopKind, ThreadShare, ThreadTeam

_MODES = {
    LoopKind.SEQUENTIAL: LoopMode.SEQUENTIAL,
    LoopKind.PARALLEL: LoopMode.PARALLEL,
    LoopKind.SIMD: LoopMode.VECTOR,
}
_THREAD, _BARRIER = SyncScope.THREAD, BarrierNode(SyncScope.TEAM, is_local=True)
_SCOPES = {LoopKind.GRID: SyncScope.GRID, LoopKind.BLOCK: SyncScope.BLOCK, LoopKind.WARP: SyncScope.WARP}
_BLOCK_BARRIER = BarrierNode(SyncScope.BLOCK, is_local=True)
_WARP_BARRIER = BarrierNode(SyncScope.WARP, is_local=True)


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """The place of a statement in the text, and the threads that execute it: of a region, or of a GPU's block."""

    date: Date
    share: ThreadShare | None
    block: ThreadTeam | None = None

    @staticmethod
    def of(statement: KernelStatement) -> "StatementPlace":
        return StatementPlace(statement.date, statement.share, statement.block)

    @property
    def team(self) -> ThreadTeam | None:
        return self.block if self.share is None else self.share.team


def statement_order(
    one: KernelStatement, other: KernelStatement, names: Mapping[str, str], others: Mapping[str, str]
) -> tuple[OrderCase, ...]:
    """Returns the cases for instances of two statements, over these names of their iterators. The cause is the
    component of the dates in which they part."""
    tree, (children, other_children) = _pair(StatementPlace.of(one), StatementPlace.of(other))
    return order_cases(tree, _instance(one, children, names), _instance(other, other_children, others))


def _instance(statement: KernelStatement, children: tuple[int, ...], names: Mapping[str, str]) -> LeafInstance:
    iterators = (loop.iterator for loop in statement.date if isinstance(loop, KernelLoop))
    values = {iterator: Affine.name(names[iterator]) for iterator in iterators}
    return LeafInstance(children, values, is_private=statement.share is not None and statement.share.is_private)


@lru_cache(maxsize=4096)
def _pair(one: StatementPlace, other: StatementPlace) -> tuple[OrderNode, tuple[tuple[int, ...], ...]]:
    return order_tree((one, other))


def order_tree(places: Sequence[StatementPlace]) -> tuple[OrderNode, tuple[tuple[int, ...], ...]]:
    """Returns the tree of statements, and for each its numbers of children in the sequences on the way.

    The threads of a parallel region are a team. A loop that is shared out, and the rest of a statement's date behind
    its share, are executed by one member each. The blocks of a grid, and the threads of a block, are teams whose
    members have numbers. Barriers stand in the blocks around the statements.
    """
    if not places:
        return SequentialNode(()), ()
    children: list[list[int]] = [[] for _ in places]
    return _node(places, [*range(len(places))], 0, children), tuple(map(tuple, children))


def _node(
    places: Sequence[StatementPlace], inside: Sequence[int], position: int, children: list[list[int]]
) -> OrderNode:
    """Returns the tree of the statements `inside`, whose dates agree in the first `position` components."""
    first = places[inside[0]]
    share = first.share
    team = None if share is None else share.team
    is_parallel = False
    if any(len(places[number].date) == position for number in inside):
        node: OrderNode = LeafNode()
    elif isinstance(loop := first.date[position], KernelLoop):
        assert all(places[number].date[position] is loop for number in inside), "two loops in one place"
        if loop.kind in _SCOPES:
            names = member_names(first.date, position)
            return TeamNode(_SCOPES[loop.kind], _node(places, inside, position + len(names), children), names)
        is_parallel = loop.kind is LoopKind.PARALLEL
        node = LoopNode(
            name=loop.iterator,
            body=_node(places, inside, position + 1, children),
            mode=_MODES[loop.kind],
            direction=loop.step,
            shared=_THREAD if is_parallel and team is not None and team.depth <= position else None,
        )
    else:
        node = _block(places, inside, position, children)
    if share is not None and share.depth == position and not is_parallel:
        node = SingleNode(_THREAD, node)
    return TeamNode(_THREAD, node) if team is not None and team.depth == position else node


def _block(places: Sequence[StatementPlace], inside: Sequence[int], index: int, children: list[list[int]]) -> OrderNode:
    """Returns the block of different positions, with its barriers."""
    first = places[inside[0]]
    numbers_at: dict[int, list[int]] = {}
    for number in inside:
        position = places[number].date[index]
        assert isinstance(position, int), "positions of two kinds in one place"
        numbers_at.setdefault(position, []).append(number)
    waits = () if first.team is None else first.team.barriers.get(first.date[:index], ())
    of_warps = () if first.block is None else first.block.warp_barriers.get(first.date[:index], ())
    local = _BARRIER if first.block is None else _BLOCK_BARRIER
    nodes: list[OrderNode] = []
    for position in sorted({*numbers_at, *waits, *of_warps}):
        for number in numbers_at.get(position, ()):
            children[number].append(len(nodes))
        if position in numbers_at:
            nodes.append(_node(places, numbers_at[position], index + 1, children))
        barrier = local if position in waits else _WARP_BARRIER if position in of_warps else None
        if barrier is None:
            continue
        nodes.append(barrier)
        conditions = None if first.block is None else first.block.passages.get((*first.date[:index], position))
        if conditions is not None:
            # Outside of this block it counts where its conditions hold.
            nodes.append(BarrierNode(barrier.scope, conditions))
    return SequentialNode(tuple(nodes))


def member_names(date: Date, position: int) -> tuple[str, ...]:
    """Returns the iterators of the loops of one kind from a component on: the numbers of a team's members."""
    first = date[position]
    assert isinstance(first, KernelLoop)
    same = takewhile(lambda part: isinstance(part, KernelLoop) and part.kind is first.kind, date[position:])
    return tuple(part.iterator for part in same if isinstance(part, KernelLoop))
