"""The tree of loops: what is done, in which order, and how iterations are executed. Frozen data; knows no C.

A tree is made by `alphaz.loops.scanning` and `alphaz.loops.tiling` and rewritten by passes; a target prints it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from alphaz.loops.levels import TileLevel
from alphaz.loops.modes import SEQUENTIAL, Mode, Parallel
from alphaz.poly.algorithms.boxes import BoxStep
from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer import Integer, IntegerOperation


@dataclass(frozen=True, slots=True)
class Scan:
    """What is to be scanned: the points of `domain`, each at its date (over the names of the domain's space)."""

    name: str
    domain: Domain
    date: tuple[Affine, ...]
    whole: "tuple[Whole, ...]" = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """What may be scanned a whole innermost tile at a time: as `name`, at these corners, over the same names.

    `is_partial`: where some points of the tile are in the domain, not all.
    """

    name: str
    corners: Domain
    steps: tuple[BoxStep, ...]
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Selected:
    """Iterations of a loop for which reductions inside select alike: `answers`, two for each. `vector`: they are done
    in vectors, as the script wants.
    """

    answers: tuple[bool, ...]
    vector: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """The iterations of a loop in groups: `tree` has the loops over them, and a call of each group by its number.

    There what a reduction selects by is called as in `wanted`, for each reduction in the order of the text; a limit of
    the loop that is not affine as in `limits`.
    """

    groups: tuple[Selected, ...]
    tree: "Node"
    wanted: tuple[tuple[str, ...], ...]
    limits: tuple[str, str]


@dataclass(frozen=True, slots=True)
class For:
    """`for (iterator = first; iterator comparison bound; iterator += step) body`, for one dimension of the dates.

    `uneven`: some of its iterations have much less to do than others. `runs`: it has an iteration whenever it is
    reached. `kept`: statements whose results are in local variables meanwhile. `split`: the groups in which its
    iterations are by what reductions inside select, if they are. `vector_dimension`: it is done in vectors as the
    script wants, with what it accumulates in variables of its own.
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
        return isinstance(self.mode, Parallel)


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
    """Points of a register tile that are done at a time: `count` of them, in a row along an index."""

    along: str
    count: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A statement instance: `name` at the point `arguments` of its domain. `vector`: where these are many points, those
    of them that are done at a time, if several are.
    """

    name: str
    arguments: tuple[Integer, ...]
    vector: Lanes | None = None


@dataclass(frozen=True, slots=True)
class Merge:
    """A whole loop behind which is merged what `scans` accumulate in it; their domains are what they have of it."""

    scans: tuple[Scan, ...]
    known: Domain
    body: "Node"


@dataclass(frozen=True, slots=True)
class Pack:
    """A tile in front of which buffers `names` are filled with what `scans` read; their domains are what it holds."""

    names: tuple[str, ...]
    scans: tuple[Scan, ...]
    known: Domain
    body: "Node"


@dataclass(frozen=True, slots=True)
class Region:
    """Threads are there for the whole body: each does all of it, but for loops that are shared out among them. What
    `Initialise` says at its beginning each has for itself.
    """

    body: "Node"


@dataclass(frozen=True, slots=True)
class Initialise:
    """Memory is made: for what the statements `collected` contribute, which begins with the identity of their
    operators, and for `buffers`.
    """

    collected: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Critical:
    """Of all threads, one at a time does the body."""

    body: "Node"


@dataclass(frozen=True, slots=True)
class Combine:
    """What a thread has collected of these statements is combined with what all have."""

    collected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dates:
    """Operations at their dates, which are not in loops yet. `levels`: the loops over tiles in front of components of
    the dates, outermost first. `full_tiles`: those have loops of their own; `apart`: loops are split where that spares
    tests inside.
    """

    scans: tuple[Scan, ...]
    levels: tuple[TileLevel, ...] = ()
    full_tiles: bool = False
    apart: bool = False


Node: TypeAlias = (
    For | Let | Conditional | Block | Instance | Merge | Pack | Region | Initialise | Critical | Combine | Dates
)


def inside(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside."""
    match node:
        case For() | Let() | Merge() | Pack() | Region() | Critical():
            return (node.body,)
        case Conditional():
            return (node.then,) if node.otherwise is None else (node.then, node.otherwise)
        case Block():
            return node.children
    return ()


def with_inside(node: Node, new: Sequence[Node]) -> Node:
    """The same node with other nodes inside (as many as it has)."""
    match node:
        case For() | Let() | Merge() | Pack() | Region() | Critical():
            return replace(node, body=new[0])
        case Conditional():
            return replace(node, then=new[0], otherwise=new[1] if len(new) > 1 else None)
        case Block():
            return Block(tuple(new))
    return node


def in_row(node: Node) -> Iterator[Node]:
    """What is done one after the other, however it is put together."""
    if isinstance(node, Block):
        for child in node.children:
            yield from in_row(child)
    else:
        yield node


def in_sequence(nodes: Iterable[Node]) -> Node:
    """One after the other; what follows under the same condition is tested once."""
    done: list[Node] = []
    for node in nodes:
        for each in node.children if isinstance(node, Block) else (node,):
            match done[-1:], each:
                case [Conditional(one) as before], Conditional(two) if one == two:
                    otherwise = [n for n in (before.otherwise, each.otherwise) if n is not None]
                    rest = in_sequence(otherwise) if otherwise else None
                    done[-1] = Conditional(one, in_sequence((before.then, each.then)), rest)
                case _:
                    done.append(each)
    return done[0] if len(done) == 1 else Block(tuple(done))


def calls(node: Node) -> Iterator[Instance]:
    """Every instance in the tree, in the order of the text."""
    if isinstance(node, Instance):
        yield node
    for child in inside(node):
        yield from calls(child)


def packs(node: Node) -> tuple[str, ...]:
    """The buffers that are filled inside."""
    own = node.names if isinstance(node, Pack) else ()
    return tuple(dict.fromkeys((*own, *(name for child in inside(node) for name in packs(child)))))


def statement_names(node: Node) -> frozenset[str]:
    """The names of the statements inside."""
    return frozenset(call.name for call in calls(node))


def is_innermost(loop: For) -> bool:
    """Whether there are only instances inside: no loops, no tests, nothing that is collected or copied there."""
    waiting = [loop.body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Let | Block | Instance):
            return False
        waiting += inside(node)
    return True


def tests(node: Node) -> int:
    """How many conditions, minima and maxima there are in the tree."""
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
