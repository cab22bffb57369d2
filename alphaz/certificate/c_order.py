"""The order of the statements of a C function, from the tree in its record alone.

Two instances part at the first node where their ways differ. In a sequence or a sequential loop the threads of a team
are ordered only if all of them wait between: at a barrier in a block around one of the two. Other loops order nothing.
The members of a team of a GPU have numbers, and may differ: those of a grid never wait for each other.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from alphaz.certificate.c_inventory import CInventory, CLoop, COrder

Way = tuple[tuple[COrder, int], ...]
"""The nodes from the root to a statement, each with the number of the child that leads on; last the leaf."""

_TEAMS = frozenset({"grid", "block"})
_OF_GPU = (frozenset({"grid"}), frozenset({"block"}))
_CHILDREN = {"statement": 0, "private": 0, "barrier": 0, "loop": 1, "team": 1, "single": 1}


def ways_of(order: COrder) -> Mapping[int, Way]:
    """Returns the way to each statement."""
    return dict(_ways(order))


def _ways(node: COrder) -> Iterator[tuple[int, Way]]:
    if node.kind in ("statement", "private"):
        for number in node.numbers:
            yield number, ((node, 0),)
    for at, child in enumerate(node.children):
        for number, way in _ways(child):
            yield number, ((node, at), *way)


def mistakes_of(inventory: CInventory, order: COrder) -> Iterator[str]:
    """Yields what is wrong with the form of a tree."""
    nodes = [*_nodes(order)]
    if any(node.kind != "sequence" and len(node.children) != _CHILDREN.get(node.kind) for node in nodes):
        yield "the order has a node of no kind"
    loops = [node for node in nodes if node.kind == "loop"]
    if any(len(node.numbers) != 1 for node in loops) or any(not _is_known(inventory, node) for node in nodes):
        yield "the order has a loop that the inventory does not have"
    elif any(_orders(inventory.loops, node) & _TEAMS for node in loops):
        yield "the order has the threads of a GPU outside of a team"
    elif any(node.numbers and _orders(inventory.loops, node) not in _OF_GPU for node in nodes if node.kind == "team"):
        yield "the order has a team of no kind"
    elif len(inventory.barriers) < sum(node.kind == "barrier" for node in _of_blocks(inventory.loops, order)):
        yield "the order has a barrier that the inventory does not have"
    occurrences = Counter(number for node in nodes if node.kind in ("statement", "private") for number in node.numbers)
    if occurrences != Counter(range(len(inventory.statements))):
        yield "the order does not have each statement once"


def _is_known(inventory: CInventory, node: COrder) -> bool:
    count = len(inventory.loops)
    return node.kind not in ("loop", "team") or all(0 <= number < count for number in node.numbers)


def _orders(loops: Sequence[CLoop], node: COrder) -> frozenset[str]:
    return frozenset(loops[number].order for number in node.numbers)


def _of_blocks(loops: Sequence[CLoop], node: COrder) -> Iterator[COrder]:
    """Yields the nodes inside of the teams of a GPU."""
    for child in node.children:
        yield from _nodes(child) if node.kind == "team" and node.numbers else _of_blocks(loops, child)


def _nodes(node: COrder) -> Iterator[COrder]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def unordered(loops: Sequence[CLoop], left: Way, right: Way) -> Iterator[tuple[int, int | None]]:
    """Yields the number of blocks and loops around each place where instances of two statements part unordered, and the
    loop if it is one."""
    depth, is_apart, is_alone = 0, False, False
    first: int | None = None
    is_private = "private" in (left[-1][0].kind, right[-1][0].kind)
    for at, ((node, here), (_, there)) in enumerate(zip(left, right, strict=False), 1):
        if node.kind == "team" and node.numbers:
            # Blocks of a grid do not wait for each other.
            is_apart, is_alone = True, is_alone or "grid" in _orders(loops, node)
            first = depth if first is None else first
            depth += len(node.numbers)
        elif node.kind == "team":
            is_apart = not is_private
        elif node.kind == "single":
            is_apart = False
        elif node.kind == "loop":
            is_waited = _is_waited(loops, left[at:], right[at:]) and _is_waited(loops, right[at:], left[at:])
            order = loops[node.numbers[0]].order
            if order != "sequential" or is_alone or (is_apart and not is_waited):
                yield depth, node.numbers[0]
            is_apart = is_apart and order != "parallel"
            depth += 1
        elif here == there:
            depth += 1
        else:
            ends = (left[at:], right[at:]) if here < there else (right[at:], left[at:])
            between = node.children[min(here, there) + 1 : max(here, there)]
            if is_alone or (is_apart and not _has_barrier(between) and not _is_waited(loops, *ends)):
                yield depth, None
            return
    if first is not None:
        yield first, None


def _is_waited(loops: Sequence[CLoop], early: Way, late: Way) -> bool:
    """Returns True if a barrier stands behind one statement in a block around it, or ahead of the other."""
    behind = (node.children[at + 1 :] for node, at in _blocks(loops, early))
    ahead = (node.children[:at] for node, at in _blocks(loops, late))
    return any(map(_has_barrier, (*behind, *ahead)))


def _blocks(loops: Sequence[CLoop], way: Way) -> Iterator[tuple[COrder, int]]:
    """Yields the blocks that all threads execute."""
    for node, at in way:
        if node.kind == "single" or (node.kind == "loop" and loops[node.numbers[0]].order != "sequential"):
            return
        if node.kind == "sequence":
            yield node, at


def _has_barrier(nodes: Sequence[COrder]) -> bool:
    return any(node.kind == "barrier" for node in nodes)
