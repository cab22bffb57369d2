"""The order that a tree of loops states, by the nouns that both have."""

from collections.abc import Iterator

from alphaz.loops.modes import Parallel, Vector
from alphaz.loops.tree import (
    Allocate,
    Barrier,
    Block,
    Combine,
    Exclusive,
    For,
    Instance,
    Merge,
    Node,
    Pack,
    Team,
    inside,
)
from alphaz.order.happens_before import (
    BarrierNode,
    LeafInstance,
    LeafNode,
    LoopMode,
    LoopNode,
    OrderNode,
    SequentialNode,
    SyncScope,
    TeamNode,
)
from alphaz.poly import Affine


def order_of(node: Node, team: SyncScope | None = None) -> OrderNode:
    """The tree of the order: members of `team`, the innermost one around, share the iterations of parallel loops. A
    lock and memory order nothing; tests are left out.
    """
    children = tuple(order_of(child, team) for child in inside(node))
    match node:
        case For(iterator, mode=Parallel()):
            return LoopNode(iterator, children[0], LoopMode.PARALLEL, shared=team)
        case For(iterator, mode=mode):
            return LoopNode(iterator, children[0], LoopMode.VECTOR if isinstance(mode, Vector) else LoopMode.SEQUENTIAL)
        case Team(scope, body):
            return TeamNode(scope, order_of(body, scope))
        case Barrier(scope):
            return BarrierNode(scope)
        case Exclusive() | Allocate():
            return children[0]
        case Block():
            return SequentialNode(children)
        case Pack():
            return SequentialNode((LeafNode(), children[0]))
        case Merge():
            return SequentialNode((children[0], LeafNode()))
        case Instance() | Combine():
            return LeafNode()
    raise AssertionError(f"no order of {node}")


def leaves(
    node: OrderNode, suffix: str, children: tuple[int, ...] = (), names: tuple[str, ...] = ()
) -> Iterator[LeafInstance]:
    """An instance of each leaf, in the order of the text; values of loops are names with this suffix."""
    match node:
        case LeafNode():
            yield LeafInstance(children, {name: Affine.name(f"{name}{suffix}") for name in names})
        case SequentialNode(inner):
            for at, child in enumerate(inner):
                yield from leaves(child, suffix, (*children, at), names)
        case LoopNode(name, body):
            yield from leaves(body, suffix, children, (*names, name))
        case TeamNode(_, body):
            yield from leaves(body, suffix, children, names)
