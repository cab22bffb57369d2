"""The order that C and OpenMP guarantee for two statements: their dates as a tree with teams and barriers."""

from collections.abc import Mapping
from functools import lru_cache

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
from alphaz.scop.kernel import Beside, Date, KernelLoop, KernelStatement, LoopKind, position_in_text

_MODES = {
    LoopKind.SEQUENTIAL: LoopMode.SEQUENTIAL,
    LoopKind.PARALLEL: LoopMode.PARALLEL,
    LoopKind.SIMD: LoopMode.VECTOR,
}
_THREAD, _BARRIER = SyncScope.THREAD, BarrierNode(SyncScope.TEAM)


def statement_order(
    one: KernelStatement, other: KernelStatement, names: Mapping[str, str], others: Mapping[str, str]
) -> tuple[OrderCase, ...]:
    """Returns the cases for instances of two statements, over these names of their iterators. The cause is the
    component of the dates in which they part."""
    tree, children, other_children = _tree(one.date, other.date)
    return order_cases(tree, _instance(one, children, names), _instance(other, other_children, others))


def _instance(statement: KernelStatement, children: tuple[int, ...], names: Mapping[str, str]) -> LeafInstance:
    iterators = (loop.iterator for loop in statement.date if isinstance(loop, KernelLoop))
    return LeafInstance(children, {iterator: Affine.name(names[iterator]) for iterator in iterators})


@lru_cache(maxsize=4096)
def _tree(one: Date, other: Date) -> tuple[OrderNode, tuple[int, ...], tuple[int, ...]]:
    """Returns a tree with one node for each common component, and the children of both dates.

    What a parallel region does between two barriers is a team, whose members all execute the components up to the last
    unordered position. In a sequential block of these a barrier stands between any two positions, and one at the end:
    the reader numbers positions by the barriers before them, and makes a loop unordered that has none at its end. What
    is further in belongs to a loop that is shared out, or is done by one member; and so is what each member does with
    data of its own.
    """
    pairs = list(zip(one, other, strict=False))
    parted = next((at for at, (a, b) in enumerate(pairs) if not isinstance(a, KernelLoop) and a != b), None)
    depth = len(pairs) if parted is None else parted + 1
    first, last = _region(one, other)
    node: OrderNode = LeafNode() if last < depth - 1 else SingleNode(_THREAD, LeafNode())
    path: list[tuple[int, int]] = []
    for at in reversed(range(depth)):
        here, there = pairs[at]
        if isinstance(here, KernelLoop):
            assert here is there, "two loops in one place"
            is_shared = here.kind is LoopKind.PARALLEL and first <= last < at
            node = LoopNode(
                name=here.iterator,
                body=node,
                mode=_MODES[here.kind],
                direction=here.step,
                shared=_THREAD if is_shared else None,
            )
        else:
            has_barriers = isinstance(here, int) and first <= at <= last
            node, numbers = _block(here, there, node, (_BARRIER,) if has_barriers else ())
            path.append(numbers)
            is_shared = False
        if at == last + 1 and first <= last and not is_shared:
            node = SingleNode(_THREAD, node)
        if at == first <= last:
            node = TeamNode(_THREAD, node)
    return node, tuple(here for here, _ in reversed(path)), tuple(there for _, there in reversed(path))


def _block(
    here: int | Beside, there: int | Beside | KernelLoop, inside: OrderNode, barriers: tuple[BarrierNode, ...]
) -> tuple[SequentialNode, tuple[int, int]]:
    """Returns the block of two positions, with barriers between them and at the end, and their children there."""
    if here == there:
        return SequentialNode((inside, *barriers)), (0, 0)
    assert type(here) is type(there), "positions of two kinds in one place"
    block = SequentialNode((LeafNode(), *barriers, LeafNode(), *barriers))
    last = 1 + len(barriers)
    return block, (0, last) if position_in_text(here) < position_in_text(there) else (last, 0)


def _region(one: Date, other: Date) -> tuple[int, int]:
    """Returns the first and the last unordered position of a parallel region; (0, -1) outside."""
    found = [at for date in (one, other) for at, component in enumerate(date) if isinstance(component, Beside)]
    return min(found, default=0), max(found, default=-1)
