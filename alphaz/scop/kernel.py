"""A function of C, understood: arrays, and statements with their instances, dates, accesses and values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from alphaz.diagnostics import Source, Span
from alphaz.model.types import ScalarType
from alphaz.poly import Affine, Domain, Floor, Space
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.conditions import Condition, holds
from alphaz.scop.packed_arrays import PackedArray
from alphaz.scop.value_tree import Tree


class LoopKind(StrEnum):
    """In which order the iterations of a loop run: one after the other, or in none that may be relied on."""

    SEQUENTIAL = "sequential"
    PARALLEL = "parallel"
    SIMD = "simd"


@dataclass(frozen=True, slots=True, eq=False)
class KernelLoop:
    """A loop that stands around a statement. `step` is -1 where it counts down: its iterations run from the greatest
    value of `iterator` to the least. `nowait`: nothing behind it waits for its end. `stride`: how far apart they are.
    """

    iterator: str
    step: int
    kind: LoopKind
    span: Span
    nowait: bool = False
    stride: int = 1


@dataclass(frozen=True, slots=True)
class Beside:
    """A position in a parallel region between two barriers: nothing orders it with others there."""

    position: int


RESULT = "return"
"""What stands for the value that the function returns, among its arguments: no name of C is this word."""

Date = tuple[int | Beside | KernelLoop, ...]
"""Positions in blocks and loops, from the outside in: 2d+1 components, or more where blocks stand in blocks."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What the first extent of an array stands for, where that is the lesser or greater of two values: the name that it
    has, and the condition that decides it by iterators around the declaration."""

    name: str
    condition: Condition


@dataclass(frozen=True, slots=True, eq=False)
class KernelArray:
    """An object of the C program. A scalar has no extents.

    `prefix` are the iterators of the loops around its declaration: each of their iterations has an object of its own,
    so they are the first subscripts of each access. `extents` are those of the C program, outermost first; that of the
    first dimension is None where nobody says it. `is_argument`: it comes from the caller. `is_stale`: it belongs to a
    thread, and holds whatever that has left there, until the iteration writes. `is_used`: nobody knows how large it is,
    and it is read how it is used, to tell. `in_rows`: it is an array of pointers to its rows. `packed`: how elements
    lie one behind the other; subscripts are those of a point, and extents those of a box around the points. Its address
    is a multiple of `alignment` bytes. `is_vector`: its last subscripts are lanes.
    """

    name: str
    type: ScalarType
    extents: tuple[Polynomial | None, ...]
    span: Span
    prefix: tuple[str, ...] = ()
    is_argument: bool = False
    is_constant: bool = False
    limit: Limit | None = None
    is_stale: bool = False
    is_used: bool = False
    in_rows: bool = False
    packed: PackedArray | None = None
    alignment: int = 1
    is_vector: bool = False

    @property
    def label(self) -> str:
        """As the text calls it."""
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
        """Whether both name one cell, as they are written."""
        return self.array is other.array and self.subscripts == other.subscripts


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock by its name. It is taken behind the first `depth` components of the date: iterations of a loop further in
    are not kept apart by it."""

    name: str
    depth: int

    @property
    def is_atomic(self) -> bool:
        """Whether it protects the cell that is written, and nothing else."""
        return self.name == "atomic"


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """How a statement is protected from others: `mutex` is the lock that it holds; `reductions` are the loops whose
    clauses give each thread, or lane, an accumulator of its own (all that are collapsed into one)."""

    mutex: Lock | None = None
    reductions: tuple[KernelLoop, ...] = ()

    @property
    def is_plain(self) -> bool:
        return self.mutex is None and not self.reductions


@dataclass(frozen=True, slots=True)
class Annotation:
    """What somebody says of a statement, over its iterators (of the text: over the names there, and those of `floors`):
    that it works on the value of `variable` at `point`, and adds what is at the point `body` of a reduction. Or
    (`is_call`) that it does what the use equation with this label says, at this point of its extension domain: then
    what is said of the lines of what it calls is said of the system that is called, and of a variable v there as
    `label.v`. It is advice, and may be wrong."""

    variable: str
    point: tuple[Affine, ...]
    body: tuple[Affine, ...] = ()
    floors: tuple[Floor, ...] = ()
    is_call: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class OtherFile:
    """A file of C that defines functions which are called, and what is said of its lines."""

    source: Source
    told: Mapping[int, Annotation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class KernelStatement:
    """`target = value`, for each instance. The leaves of `value` that are cells are numbers into `reads`. `is_there`:
    what is read has to be 1, or nobody knows what happens.

    `conditions` hold for each instance, all of them: the same as `domain`, without isl.
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
    told: Annotation | None = None
    is_there: bool = False

    @property
    def space(self) -> Space:
        return self.domain.space

    def has(self, values: Mapping[str, int]) -> bool:
        """Whether there is such an instance, by plain integers."""
        return all(holds(condition, values) for condition in self.conditions)

    def touches(self, array: KernelArray) -> bool:
        return any(each.array is array for each in (self.target, *self.reads))

    def __str__(self) -> str:
        """As findings call it: `line 12`."""
        return f"line {self.span.position[0]}"


@dataclass(frozen=True, slots=True, eq=False)
class Dividend:
    """A dividend that must not be negative where it is computed: C rounds towards zero, and the model rounds down. Or a
    value of an unsigned type (`is_unsigned`), which would wrap around."""

    domain: Domain
    value: Affine
    span: Span
    is_unsigned: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """What one iteration, as if it had a thread of its own, collects in an array of that thread: `starts` write the
    identity there, and `merges` combine it with what all threads share. `shared` are the iterators of the loops that
    are shared out (none: the thread has no iteration).

    In truth a thread has many iterations, and each but the first finds what those before have left. So they may do
    nothing with that but add to it.
    """

    starts: tuple[KernelStatement, ...]
    merges: tuple[KernelStatement, ...]
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CKernel:
    """A function with its callees put in their places. `assumed` says what its reading takes for granted,
    `loose` where operations are done otherwise than they are read, and how."""

    source: Source
    function: str
    parameters: tuple[str, ...]
    arrays: Mapping[str, KernelArray]
    arguments: tuple[str, ...]
    statements: tuple[KernelStatement, ...]
    dividends: tuple[Dividend, ...]
    span: Span
    assumed: tuple[str, ...] = ()
    collected: tuple[Collected, ...] = ()
    loose: tuple[tuple[Span, str], ...] = ()

    @property
    def collecting(self) -> tuple[KernelStatement, ...]:
        """The statements that start or merge what threads collect."""
        return tuple(statement for each in self.collected for statement in (*each.starts, *each.merges))
