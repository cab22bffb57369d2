"""The affine model of a C function: arrays, and statements with instances, dates, accesses and values."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from alphaz.c import tree as c
from alphaz.diagnostics import Source, Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Constraint, Domain, Floor, Space
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_polynomials import Condition, holds
from alphaz.scop.packed_arrays import PackedArray
from alphaz.scop.value_tree import Tree


class LoopKind(StrEnum):
    """The order of the iterations of a loop: sequential, or unordered. Those of `GRID` are the blocks of a launch,
    those of `BLOCK` the threads of a block, or its warps, which wait for each other at barriers, and those of `WARP`
    the lanes of a warp."""

    SEQUENTIAL = "sequential"
    PARALLEL = "parallel"
    SIMD = "simd"
    GRID = "grid"
    BLOCK = "block"
    WARP = "warp"

    @property
    def is_of_threads(self) -> bool:
        """Returns True for the threads of a block."""
        return self in (LoopKind.BLOCK, LoopKind.WARP)


@dataclass(frozen=True, slots=True, eq=False)
class KernelLoop:
    """A loop around a statement. `step` is -1 if it counts down: its iterations run from the greatest value of
    `iterator` to the least. `stride`: the distance of two iterations."""

    iterator: str
    step: int
    kind: LoopKind
    span: Span
    stride: int = 1


RESULT = "return"
"""The pseudo-argument for the returned value: not a C identifier."""

Date = tuple[int | KernelLoop, ...]
"""Positions in blocks and loops, outermost first: 2d+1 components, or more for nested blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class ThreadTeam:
    """The threads of a parallel region, or of a block of a GPU, which is at the date of `depth` components. `barriers`:
    by the date of a block, the positions after which all threads wait for each other; `warp_barriers` those after which
    the lanes of a warp do, and `exchanges` those after which they have exchanged registers, which orders no memory.
    `passages`: by the date of a barrier, the conditions under which threads reach it, where they are known."""

    depth: int
    barriers: Mapping[Date, Collection[int]] = field(default_factory=dict)
    warp_barriers: Mapping[Date, Collection[int]] = field(default_factory=dict)
    exchanges: Mapping[Date, Collection[int]] = field(default_factory=dict)
    passages: Mapping[Date, tuple[Constraint, ...]] = field(default_factory=dict)

    @property
    def arrivals(self) -> Mapping[Date, Collection[int]]:
        """Returns the positions after which some threads have waited for each other."""
        numbers: dict[Date, set[int]] = {}
        for positions in (self.barriers, self.warp_barriers, self.exchanges):
            for around, own in positions.items():
                numbers.setdefault(around, set()).update(own)
        return numbers


@dataclass(frozen=True, slots=True)
class ThreadShare:
    """The part of a team in a statement: every thread executes the blocks and loops of the first `depth` components of
    its date, and one thread the rest. `is_private`: each thread executes it, on data of its own."""

    team: ThreadTeam
    depth: int
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class MinMaxExtent:
    """The meaning of an array's first extent that is a minimum or maximum of two values: its name, and the condition
    that defines it by iterators around the declaration."""

    name: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class KernelArray:
    """An object of the C program. A scalar has no extents.

    `prefix` are the iterators of the loops around its declaration: each iteration has an object of its own, so they are
    the first subscripts of each access. `extents` are those of the C program, outermost first; the first extent is None
    if it is unknown. `is_argument`: it comes from the caller. `is_stale`: it is private to a thread, and holds the
    values of earlier iterations of the thread until the iteration writes. `is_used`: its extents are unknown and
    inferred from its use. `in_rows`: it is an array of pointers to its rows. `packed`: the layout of a packed array;
    subscripts are those of a point, and extents those of a box around the points. Its address is a multiple of
    `alignment` bytes. `space`: the memory that its declaration in a kernel names; HOST for all others. `is_vector`: its
    last subscripts are lanes. `is_exchanged`: lanes of a warp exchange it, so that
    accesses never race.
    """

    name: str
    type: ScalarType
    extents: tuple[Polynomial | None, ...]
    span: Span
    prefix: tuple[str, ...] = ()
    is_argument: bool = False
    is_constant: bool = False
    limit: MinMaxExtent | None = None
    is_stale: bool = False
    is_used: bool = False
    in_rows: bool = False
    packed: PackedArray | None = None
    alignment: int = 1
    space: c.AddressSpace = c.AddressSpace.HOST
    is_vector: bool = False
    is_exchanged: bool = False

    @property
    def label(self) -> str:
        """Returns the name in the C text."""
        if self.name == RESULT:
            return "result"
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayAccess:
    """A cell of an array, by the iterators of the statement (those of the array's prefix first)."""

    array: KernelArray
    subscripts: tuple[Affine, ...]
    span: Span

    def same_cell(self, other: "ArrayAccess") -> bool:
        """Returns True if both accesses are written alike."""
        return self.array is other.array and self.subscripts == other.subscripts


@dataclass(frozen=True, slots=True)
class Lock:
    """A named lock. It is acquired after the first `depth` components of the date: it does not exclude iterations of
    loops further inside from each other."""

    name: str
    depth: int

    @property
    def is_atomic(self) -> bool:
        """Returns True if the lock protects only the written cell."""
        return self.name == "atomic"


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """The protection of a statement's write: `mutex` is the lock that it holds; `reductions` are the loops whose
    clauses give each thread, or lane, a private accumulator (all loops that are collapsed into one)."""

    mutex: Lock | None = None
    reductions: tuple[KernelLoop, ...] = ()

    @property
    def is_plain(self) -> bool:
        return self.mutex is None and not self.reductions


@dataclass(frozen=True, slots=True)
class Annotation:
    """A claim about a statement, over its iterators (in the text: over the names there, and those of `floors`): it
    computes the value of `variable` at `point`, and adds the term at the point `body` of a reduction. Or (`is_call`)
    it does what the use equation with this label says, at this point of its extension domain: annotations of the
    callee's lines are then about the called system, and name its variable v as `label.v`. Annotations are advice,
    and may be wrong."""

    variable: str
    point: tuple[Affine, ...]
    body: tuple[Affine, ...] = ()
    floors: tuple[Floor, ...] = ()
    is_call: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class OtherFile:
    """A further C file that defines called functions, with the annotations of its lines."""

    source: Source
    annotations: Mapping[int, Annotation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class KernelStatement:
    """`target = value`, for each instance. Leaves of `value` that are cells are numbers into `reads`. `is_there`: the
    read value must be 1, otherwise the behaviour is undefined.

    `conditions` hold for each instance, all of them: the same as `domain`, without isl. `share`: inside a parallel
    region, the threads that execute it. `block`: in a kernel of a GPU, the block of its threads; the date up to there
    ends with their loops. `copies_bytes`: it is a copy of memory, such as `memcpy`, which may have no value.
    `operation`: its number among those of several streams. `is_asynchronous`: it is done at some time between its date
    and a wait of its thread.
    """

    name: str
    iterators: tuple[str, ...]
    conditions: tuple[Condition, ...]
    domain: Domain
    date: Date
    target: ArrayAccess
    reads: tuple[ArrayAccess, ...]
    value: Tree
    span: Span
    write: Write
    annotation: Annotation | None = None
    is_there: bool = False
    share: ThreadShare | None = None
    block: ThreadTeam | None = None
    copies_bytes: bool = False
    operation: int = 0
    is_asynchronous: bool = False

    @property
    def space(self) -> Space:
        return self.domain.space

    @property
    def schedule(self) -> Date:
        """Returns the components by whose values the instances are sorted into one of the orders in which they may be
        executed: the threads of a block proceed together from barrier to barrier."""
        return self.date if self.block is None else _from_barrier_to_barrier(self.date, self.block)

    @property
    def is_blank_copy(self) -> bool:
        """Returns True for a copy of memory without a value."""
        return self.copies_bytes and all(read.array.is_stale for read in self.reads)

    @property
    def is_of_every_thread(self) -> bool:
        """Returns True if every thread of a parallel region executes it."""
        return self.share is not None and self.share.depth == len(self.date)

    def position(self, index: int) -> int | None:
        """Returns component `index` of the date if it is a position in a block that one thread executes in order."""
        component = self.date[index]
        if isinstance(component, KernelLoop):
            return None
        return component if self.share is None or not self.share.team.depth <= index < self.share.depth else None

    def has(self, values: Mapping[str, int]) -> bool:
        """Returns True if such an instance exists, by plain integers."""
        return all(holds(condition, values) for condition in self.conditions)

    def touches(self, array: KernelArray) -> bool:
        return any(access.array is array for access in (self.target, *self.reads))

    def __str__(self) -> str:
        """Returns the name in findings: `line 12`."""
        return f"line {self.span.position[0]}"


def _from_barrier_to_barrier(date: Date, block: ThreadTeam) -> Date:
    """Returns the date with the loops of threads moved inwards, as far as there are barriers."""
    arrivals = block.arrivals
    uniform = {around[:position] for around in arrivals for position in range(block.depth, len(around) + 1)}
    threads = (
        position for position, part in enumerate(date) if isinstance(part, KernelLoop) and part.kind.is_of_threads
    )
    first = next(threads, block.depth)
    moved: list[int | KernelLoop] = []
    for position in range(block.depth, len(date)):
        around, component = date[:position], date[position]
        if around not in uniform or (isinstance(component, KernelLoop) and date[: position + 1] not in uniform):
            break
        if isinstance(component, KernelLoop):
            moved.append(component)
            continue
        inner = {one[position] for one in uniform if len(one) > position and one[:position] == around}
        cuts = [*arrivals.get(around, ()), *(one for one in inner if isinstance(one, int))]
        moved.append(2 * sum(cut < component for cut in cuts) + (component in inner))
        if component not in inner:
            break
    return (*date[:first], *moved, *date[first:])


@dataclass(frozen=True, slots=True, eq=False)
class KernelBarrier:
    """A barrier of the threads of a block of the `launch`, at its date: those in `domain`, over the loops around, reach
    it; `members` are all of them, over the loops around the kernel. `threads` are the names of their numbers, those of
    the lanes of a warp if it `is_of_warp`."""

    launch: ThreadTeam
    date: Date
    domain: Domain
    members: Domain
    threads: tuple[str, ...]
    span: Span
    is_of_warp: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CopyEvent:
    """A place where each thread of a `launch` ends a group of its asynchronous copies, or (`pending` is a number) waits
    for all its groups except the last ones, so many."""

    launch: ThreadTeam
    iterators: tuple[str, ...]
    conditions: tuple[Condition, ...]
    domain: Domain
    date: Date
    pending: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class StreamOrder:
    """The pairs of operations of streams, and of the host, that nothing orders; `is_certain`: in every execution."""

    pairs: frozenset[tuple[int, int]] = frozenset()
    is_certain: bool = False

    def separates(self, one: KernelStatement, other: KernelStatement) -> bool:
        """Returns True if nothing orders instances of two statements."""
        numbers = (one.operation, other.operation)
        return (min(numbers), max(numbers)) in self.pairs


@dataclass(frozen=True, slots=True, eq=False)
class NonNegativeValue:
    """A dividend that must not be negative where it is computed: C rounds towards zero, and the model rounds down. Or a
    value of an unsigned type (`is_unsigned`), which would wrap around."""

    domain: Domain
    value: Affine
    span: Span
    is_unsigned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PrivateAccumulation:
    """The accumulation of one iteration, as if it had a thread of its own, in an array private to that thread: `starts`
    write the identity there, and `merges` combine it with the shared array. `shared` are the iterators of the
    worksharing loops (none: the thread has no iteration).

    In fact a thread has many iterations, and each but the first finds the values that earlier ones left. So iterations
    may only add to these values.
    """

    starts: tuple[KernelStatement, ...]
    merges: tuple[KernelStatement, ...]
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CKernel:
    """A function with its callees inlined. `assumed` are the assumptions of the reader, `loose` the operations that
    deviate from their model, and how; `barriers` those of the kernels of a GPU that it launches, `on_device` the
    arguments in the memory of the GPU; `streams` has the operations that nothing orders, `copy_events` the groups of
    asynchronous copies."""

    source: Source
    function: str
    parameters: tuple[str, ...]
    arrays: Mapping[str, KernelArray]
    arguments: tuple[str, ...]
    statements: tuple[KernelStatement, ...]
    dividends: tuple[NonNegativeValue, ...]
    span: Span
    assumed: tuple[str, ...] = ()
    collected: tuple[PrivateAccumulation, ...] = ()
    loose: tuple[tuple[Span, str], ...] = ()
    barriers: tuple[KernelBarrier, ...] = ()
    on_device: frozenset[str] = frozenset()
    streams: StreamOrder = StreamOrder()
    copy_events: tuple[CopyEvent, ...] = ()

    def with_statements(self, change: Callable[[KernelStatement], KernelStatement]) -> "CKernel":
        """Returns the kernel with each statement changed, also where sums are collected."""
        changed = {statement: change(statement) for statement in self.statements}
        collected = (
            replace(
                reduction,
                starts=tuple(changed[start] for start in reduction.starts),
                merges=tuple(changed[merge] for merge in reduction.merges),
            )
            for reduction in self.collected
        )
        return replace(self, statements=tuple(changed.values()), collected=tuple(collected))

    @property
    def collecting(self) -> tuple[KernelStatement, ...]:
        """Returns the statements that initialise or merge private accumulators."""
        return tuple(
            statement for collection in self.collected for statement in (*collection.starts, *collection.merges)
        )
