"""The tree of loops: operations, their order, and the execution of iterations. Frozen data; from C it has the
memory spaces alone.

`alphaz.loops.scanning` and `alphaz.loops.tiling` build a tree, passes rewrite it; a target prints it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alphaz.c.tree import AddressSpace
from alphaz.loops.modes import SEQUENTIAL, Blocks, Mode, Parallel, Threads
from alphaz.loops.tile_levels import TileLevel
from alphaz.mapping.target_mapping import MergeKind
from alphaz.order.happens_before import SyncScope
from alphaz.poly.algorithms.tile_corners import BoxStep
from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerOperation


@dataclass(frozen=True, slots=True)
class Scan:
    """A set to scan: the points of `domain`, each at its date (over the names of the domain's space)."""

    name: str
    domain: Domain
    date: tuple[Affine, ...]
    whole_tiles: "tuple[Whole, ...]" = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole innermost tiles that may be scanned at a time: as `name`, at these corners, over the same names.

    `is_partial`: where some points of the tile are in the domain, not all.
    """

    name: str
    corners: Domain
    steps: tuple[BoxStep, ...]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Selected:
    """Iterations of a loop for which reductions inside select the same points: `answers`, two for each. `vector`: the
    script requests that they are vectorised.
    """

    answers: tuple[bool, ...]
    vector: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """The iterations of a loop in groups: `tree` has the loops over them, and a call of each group by its number.

    In the tree, the value that a reduction compares with is named as in `wanted`, for each reduction in the order of
    the text; a limit of the loop that is not affine as in `limits`.
    """

    groups: tuple[Selected, ...]
    tree: "Node"
    wanted: tuple[tuple[str, ...], ...]
    limits: tuple[str, str]


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = first; iterator comparison bound; iterator += step) body`, for one dimension of the dates.

    `uneven`: some of its iterations are much shorter than others. `runs`: it has an iteration whenever it is reached.
    `kept`: statements whose results are in local variables during the loop. `split`: the groups of its iterations by
    the selections of reductions inside, if there are any. `vector_dimension`: it is vectorised as the script requests,
    with its accumulations in variables of its own.
    """

    iterator: str
    dimension: int
    first: Integer
    comparison: str
    bound: Integer
    step: Integer
    body: "Node"
    mode: Mode = SEQUENTIAL
    uneven: bool = False
    runs: bool = False
    kept: tuple[str, ...] = ()
    split: Split | None = None
    vector_dimension: bool = False

    @property
    def is_parallel(self) -> bool:
        return isinstance(self.mode, Parallel | Blocks | Threads)


@dataclass(frozen=True, slots=True)
class Let:
    """A loop with one iteration: the iterator has this value in the body."""

    iterator: str
    dimension: int
    value: Integer
    body: "Node"


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Integer
    then: "Node"
    otherwise: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Block:
    children: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Lanes:
    """Points of a register tile that are computed at a time: `count` of them, in a row along an index."""

    along: str
    count: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A statement instance: `name` at the point `arguments` of its domain. `vector`: for an instance of many points,
    those that are computed at a time, if there are several.
    """

    name: str
    arguments: tuple[Integer, ...]
    vector: Lanes | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """A whole loop after which the accumulations of `scans` are merged; their domains are their parts in the loop.

    With `grid`, the body is a loop that the blocks of a launch share.
    """

    scans: tuple[Scan, ...]
    assumptions: Domain
    body: "Node"
    grid: "MergeGrid | None" = None


@dataclass(frozen=True, slots=True)
class MergeGrid:
    """A launch of `blocks` with so many `threads`, each of which has accumulators. Those of the threads of a block are
    merged into partial results, and a second launch, of one block, merges these, or blocks add them to one cell, which
    the last launch reads (`merge`). Without an iteration (`runs`) this launch alone takes place.
    """

    blocks: Integer
    threads: int
    runs: Integer
    merge: MergeKind = MergeKind.PARTIALS


@dataclass(frozen=True, slots=True)
class Pack:
    """A tile with buffers `names` that are filled before it with the values that `scans` read; their domains are their
    parts in the tile. `threads`: the numbers of threads of a block, by axes, that fill them together.
    """

    names: tuple[str, ...]
    scans: tuple[Scan, ...]
    assumptions: Domain
    body: "Node"
    threads: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Enough:
    """The condition that the product of `extents` is larger than `least`."""

    extents: tuple[Affine, ...]
    least: int


@dataclass(frozen=True, slots=True)
class Team:
    """Members of this scope, all of which execute the body, except that they share the iterations of parallel loops.
    After it, one goes on, once all of them are done. Unless there is `enough` to do, there is one member.
    """

    scope: SyncScope
    body: "Node"
    enough: Enough | None = None


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel: every thread of every block executes the body, except that they share the iterations of loops over
    blocks and threads. Blocks are unordered. `grid` has the numbers of blocks along the axes, `block` those of threads.
    Launches are executed one after the other.
    """

    grid: tuple[Integer, ...]
    block: tuple[int, ...]
    body: "Node"


@dataclass(frozen=True, slots=True)
class Keep:
    """Memory cells that are in registers of threads during the body, which writes them before it reads them: an array
    of each thread with `counts` elements along the `counters`, which name loops of the body. After the body, `store`
    writes them: its only instance is one whose result is in such a cell, at its point.
    """

    counters: tuple[str, ...]
    counts: tuple[int, ...]
    store: "Node"
    body: "Node"


@dataclass(frozen=True, slots=True)
class Barrier:
    """All members of the teams that the scope covers wait for each other."""

    scope: SyncScope


@dataclass(frozen=True, slots=True)
class Exclusive:
    """A lock: one member of the teams around executes the body at a time."""

    body: "Node"


@dataclass(frozen=True, slots=True)
class Scratch:
    """Memory for the contributions of the statements `collected`, filled with the neutral element of their operators,
    and for `buffers`. `scope`: who has one of its own; that of a whole team is for all of its members. `space`: where
    it is.
    """

    scope: SyncScope
    collected: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()
    space: AddressSpace = AddressSpace.HOST


@dataclass(frozen=True, slots=True)
class Allocate:
    """Scratch memory that exists during the body."""

    scratch: Scratch
    body: "Node"


@dataclass(frozen=True, slots=True)
class Combine:
    """Combines the accumulators of these statements that a member has for itself with those around its team."""

    collected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dates:
    """Operations at their dates, before any loops exist. `levels`: the loops over tiles before components of the dates,
    outermost first. `full_tiles`: those have loops of their own; `apart`: loops are split where that avoids tests
    inside.
    """

    scans: tuple[Scan, ...]
    levels: tuple[TileLevel, ...] = ()
    full_tiles: bool = False
    apart: bool = False


Node: TypeAlias = (
    For
    | Let
    | Conditional
    | Block
    | Instance
    | Merge
    | Pack
    | Team
    | Launch
    | Keep
    | Barrier
    | Exclusive
    | Allocate
    | Combine
    | Dates
)


def inside(node: Node) -> tuple[Node, ...]:
    """Returns the nodes directly inside."""
    match node:
        case For() | Let() | Merge() | Pack() | Team() | Launch() | Keep() | Exclusive() | Allocate():
            return (node.body,)
        case Conditional():
            return (node.then,) if node.otherwise is None else (node.then, node.otherwise)
        case Block():
            return node.children
    return ()


def with_inside(node: Node, new: Sequence[Node]) -> Node:
    """Returns the same node with other nodes inside (as many as it has)."""
    match node:
        case For() | Let() | Merge() | Pack() | Team() | Launch() | Keep() | Exclusive() | Allocate():
            return replace(node, body=new[0])
        case Conditional():
            return replace(node, then=new[0], otherwise=new[1] if len(new) > 1 else None)
        case Block():
            return Block(tuple(new))
    return node


def in_row(node: Node) -> Iterator[Node]:
    """Yields the nodes that are executed one after the other, for any nesting of blocks."""
    if isinstance(node, Block):
        for child in node.children:
            yield from in_row(child)
    else:
        yield node


def in_sequence(nodes: Iterable[Node]) -> Node:
    """Returns the nodes one after the other; adjacent nodes under the same condition share one test."""
    done: list[Node] = []
    for node in nodes:
        for child in node.children if isinstance(node, Block) else (node,):
            match done[-1:], child:
                case [Conditional(one) as before], Conditional(two) if one == two:
                    otherwise = [n for n in (before.otherwise, child.otherwise) if n is not None]
                    rest = in_sequence(otherwise) if otherwise else None
                    done[-1] = Conditional(one, in_sequence((before.then, child.then)), rest)
                case _:
                    done.append(child)
    return done[0] if len(done) == 1 else Block(tuple(done))


def calls(node: Node) -> Iterator[Instance]:
    """Yields every instance in the tree, in the order of the text."""
    if isinstance(node, Instance):
        yield node
    for child in inside(node):
        yield from calls(child)


def only_calls(node: Node) -> list[Instance]:
    """Returns the statements of a body that contains only statements; none otherwise."""
    if isinstance(node, Instance):
        return [node]
    if not isinstance(node, Block):
        return []
    calls_ = [only_calls(child) for child in node.children]
    return [call for some in calls_ for call in some] if all(calls_) else []


def packs(node: Node) -> tuple[str, ...]:
    """Returns the buffers that are filled inside."""
    own = node.names if isinstance(node, Pack) else ()
    return tuple(dict.fromkeys((*own, *(name for child in inside(node) for name in packs(child)))))


def statement_names(node: Node) -> frozenset[str]:
    """Returns the names of the statements inside."""
    return frozenset(call.name for call in calls(node))


def is_innermost(loop: For) -> bool:
    """Returns True if there are only instances inside: no loops, tests, accumulations or copies."""
    waiting = [loop.body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Let | Block | Instance):
            return False
        waiting += inside(node)
    return True


def tests(node: Node) -> int:
    """Returns the number of conditions, minima and maxima in the tree."""
    here = 0
    match node:
        case For(_, _, first, _, bound, _, _):
            here = _choices(first) + _choices(bound)
        case Let(_, _, value, _):
            here = _choices(value)
        case Conditional():
            here = 1
    return here + sum(tests(child) for child in inside(node))


def _choices(value: Integer) -> int:
    match value:
        case IntegerOperation(symbol, operands):
            return (symbol in ("min", "max", "if")) + sum(map(_choices, operands))
    return 0
