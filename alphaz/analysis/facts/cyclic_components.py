"""Strongly connected components of a graph (Tarjan 1972), without recursion."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def cyclic_components(graph: Mapping[N, Sequence[N]]) -> list[frozenset[N]]:
    """Returns the components that contain a cycle (a loop at one node included), in the order of the graph's first
    nodes."""
    order: dict[N, int] = {}
    low: dict[N, int] = {}
    stack: list[N] = []
    waiting: set[N] = set()
    components: list[frozenset[N]] = []
    for root in graph:
        if root not in order:
            _visit(root, graph, order, low, stack, waiting, components)
    cyclic = [c for c in components if len(c) > 1 or any(n in graph.get(n, ()) for n in c)]
    rank = {node: at for at, node in enumerate(graph)}
    return sorted(cyclic, key=lambda c: min(rank[n] for n in c if n in rank))


def _visit(
    root: N,
    graph: Mapping[N, Sequence[N]],
    order: dict[N, int],
    low: dict[N, int],
    stack: list[N],
    waiting: set[N],
    components: list[frozenset[N]],
) -> None:
    path: list[tuple[N, Iterator[N]]] = []

    def enter(node: N) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        waiting.add(node)
        path.append((node, iter(graph.get(node, ()))))

    enter(root)
    while path:
        node, successors = path[-1]
        following = next((s for s in successors if s not in order or s in waiting), None)
        if following is None:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == order[node]:
                components.append(_close(node, stack, waiting))
        elif following in order:
            low[node] = min(low[node], order[following])
        else:
            enter(following)


def _close(node: N, stack: list[N], waiting: set[N]) -> frozenset[N]:
    members: list[N] = []
    while not members or members[-1] != node:
        members.append(stack.pop())
    waiting.difference_update(members)
    return frozenset(members)
