"""A target mapping as stated in the script: dates, cells and tiling. Every entry has the span of its command.

Nothing is resolved here (defaults, prefixes, padding): see `alphaz.mapping.resolution`. An entry has the names of its
statements, and follows renamings itself, so that rewritings of mappings need not distinguish entries.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Self, TypeVar

from alphaz.diagnostics import NOWHERE, Span
from alphaz.machine import Vectors
from alphaz.mapping.factors import Factor
from alphaz.poly import AffineFunction


class DimensionKind(StrEnum):
    """The order of the values of a dimension of the dates (thesis 3.1.2 and 3.1.3).

    REDUCTION is PARALLEL, except that accumulations across it go into private accumulators that are merged after it
    (beyond the thesis; verifier.md section 3, S3). VECTOR is unordered too, except for accumulations across it; it has
    no threads, and its tiles are in sequence.
    """

    SEQUENTIAL = "SEQUENTIAL"
    PARALLEL = "PARALLEL"
    ORDERING = "ORDERING"
    REDUCTION = "REDUCTION"
    VECTOR = "VECTOR"

    @property
    def is_unordered(self) -> bool:
        """Returns True if operations that differ first in such a dimension are unordered."""
        return self in (DimensionKind.PARALLEL, DimensionKind.REDUCTION, DimensionKind.VECTOR)

    @property
    def is_shared(self) -> bool:
        """Returns True if threads share its loops, and those over its tiles."""
        return self in (DimensionKind.PARALLEL, DimensionKind.REDUCTION)

    @property
    def of_tiles(self) -> "DimensionKind":
        """Returns the kind that orders tiles of the dimension."""
        return DimensionKind.SEQUENTIAL if self is DimensionKind.VECTOR else self


NewName = Callable[[str], str]


class MappingEntry:
    """One entry of a target mapping. `statements` are its variables, and its use equations by label; `entry_text` is
    its name in findings.
    """

    __slots__ = ()
    span: Span

    @property
    def statements(self) -> tuple[str, ...]:
        return ()

    @property
    def entry_text(self) -> str:
        return "an entry of the mapping"

    def renamed(self, new: NewName) -> Self:
        """Returns the same entry about other names; a memory space that has the name of a variable is renamed
        with it.
        """
        return self

    def copied(self, old: str, new: str) -> Iterator[Self]:
        """Yields the entries for `new`, where `old` is a part of this entry."""
        yield from ()


@dataclass(frozen=True, slots=True)
class OfVariable(MappingEntry):
    """An entry about a single variable, whose name is the only one that it follows."""

    variable: str

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.variable,)

    def renamed(self, new: NewName) -> Self:
        return replace(self, variable=new(self.variable))

    def copied(self, old: str, new: str) -> Iterator[Self]:
        if self.variable == old:
            yield replace(self, variable=new)


@dataclass(frozen=True, slots=True)
class SpaceTimeMap(OfVariable):
    """The date of each point of a variable, or of a reduction's body (the number of indices decides which).

    `init` is the date of the initialisation of each result, for a body map that was given one.
    """

    function: AffineFunction
    init: AffineFunction | None = None
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"the space-time map of {self.variable}"


@dataclass(frozen=True, slots=True)
class KindSetting(MappingEntry):
    """Dimensions of one kind, for one variable (or all: None), below an ordering prefix from which they are counted.

    `chunk`: the number of iterations that a thread takes at a time, on demand; 0: each thread has an equal share.
    """

    variable: str | None
    prefix: tuple[int, ...]
    dimensions: tuple[int, ...]
    kind: DimensionKind
    span: Span = field(default=NOWHERE, repr=False)
    chunk: int = 0

    @property
    def statements(self) -> tuple[str, ...]:
        return () if self.variable is None else (self.variable,)

    @property
    def entry_text(self) -> str:
        return f"the kind of dimensions of {self.variable}"

    def renamed(self, new: NewName) -> "KindSetting":
        return self if self.variable is None else replace(self, variable=new(self.variable))

    def copied(self, old: str, new: str) -> Iterator["KindSetting"]:
        if self.variable == old:
            yield replace(self, variable=new)


@dataclass(frozen=True, slots=True)
class StatementOrder(MappingEntry):
    """At equal dates, statements of `before` precede those of `after`."""

    before: str
    after: str
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.before, self.after)

    @property
    def entry_text(self) -> str:
        return f"the order of {self.before} and {self.after}"

    def renamed(self, new: NewName) -> "StatementOrder":
        return replace(self, before=new(self.before), after=new(self.after))

    def copied(self, old: str, new: str) -> Iterator["StatementOrder"]:
        if old in self.statements:
            yield self.renamed(lambda name: new if name == old else name)


@dataclass(frozen=True, slots=True)
class MemoryMap(OfVariable):
    """The memory map of a variable: `space[function(z) mod moduli]` holds `variable[z]`. No function: the identity.

    A modulus of 0: none; one may be affine in the parameters. A copy of the variable is in the same space. `moduli` is
    empty or has one entry for each dimension of the function.
    """

    space: str
    function: AffineFunction | None = None
    moduli: tuple[Factor, ...] = ()
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"the memory map of {self.variable}"

    def renamed(self, new: NewName) -> Self:
        return replace(self, variable=new(self.variable), space=new(self.space))


class Tightness(StrEnum):
    """The arrangement of the points of a variable in its own array, if not in the box around its domain."""

    PACKED = "packed"
    BANDED = "banded"
    FULL = "full"


LEADING = "leading"
"""The word before the parameter of a format."""
UNIT = "unit"
"""The word of a format with places for a diagonal that is not stored."""


class Half(StrEnum):
    """A triangle of a matrix, including the diagonal."""

    UPPER = "upper"
    LOWER = "lower"


@dataclass(frozen=True, slots=True)
class Format:
    """A storage format such as `packed upper column`.

    By rows the last index is the fastest, by columns the first. The domain defines the stored points; a `half` is a
    claim about it. `leading` is the parameter for the distance in memory of rows (by columns: columns), or of the
    elements of a vector; without it they are adjacent. `unit`: a packed triangle without its diagonal has unused
    places for the diagonal.
    """

    tightness: Tightness
    by_columns: bool = False
    half: Half | None = None
    leading: str = ""
    unit: bool = False

    def __str__(self) -> str:
        half = f" {self.half}" if self.half else ""
        unit = f" {UNIT}" if self.unit else ""
        leading = f" {LEADING} {self.leading}" if self.leading else ""
        return f"{self.tightness}{half}{unit} {'column' if self.by_columns else 'row'}{leading}"


@dataclass(frozen=True, slots=True)
class StorageFormat(OfVariable):
    """The storage format of a variable in its own array: the caller's array for an input or an output."""

    format: Format
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"the storage format of {self.variable}"


@dataclass(frozen=True, slots=True)
class Overwritable(OfVariable):
    """An input that the caller does not need after the call: other values may use its array after its last read."""

    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"that {self.variable} may be overwritten"


@dataclass(frozen=True, slots=True)
class PrivateMemory(OfVariable):
    """A variable in memory of each iteration of the loops over the first `dimensions` of the dates."""

    dimensions: int
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"that the memory of {self.variable} is private"


@dataclass(frozen=True, slots=True)
class KeptOnce(OfVariable):
    """A reduction of which each result has exactly one contribution: the instance whose value is kept."""

    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"that one instance of {self.variable} is kept"


# The target of mappings without a choice.
DEFAULT_TARGET = "openmp"


@dataclass(frozen=True, slots=True)
class TargetChoice(MappingEntry):
    """The target of the generated code, by its name; and for some of them the architecture of the machine."""

    name: str
    architecture: str = ""
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"the target {self.name}"


@dataclass(frozen=True, slots=True)
class Assumption(MappingEntry):
    """A named assumption that the obligations of some rules, by their codes, hold although they are not proved."""

    name: str
    rules: tuple[str, ...]
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def entry_text(self) -> str:
        return f"the assumption `{self.name}`"


class Ownership(StrEnum):
    """The assignment of the places of a distributed dimension to ranks: by intervals, or by any function of a place.

    A block-cyclic dimension deals out blocks of consecutive places. The caller of the code gives the intervals (GIVEN),
    or they are even.
    """

    BLOCK = "block"
    GIVEN = "given"
    CYCLIC = "cyclic"
    BLOCK_CYCLIC = "block-cyclic"


@dataclass(frozen=True, slots=True)
class DistributedDimension(MappingEntry):
    """A dimension, counted from after the ordering prefix, whose values are places: ranks own places.

    `size`: the places in a block of a block-cyclic dimension; 0 otherwise.
    """

    prefix: tuple[int, ...]
    dimension: int
    ownership: Ownership
    size: int = 0
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def position(self) -> int:
        """Returns the dimension, counted from 0 for any prefix."""
        return len(self.prefix) + self.dimension


class Communication(StrEnum):
    """The way in which values of a step reach other ranks: messages of pairs at its end, for which ranks wait there
    (exchange) or after the inner operations of the next step (overlap); a broadcast at its end; a pipeline, in which
    values of lower places arrive at the beginning of their step; a scan, in which these are combined of totals.
    """

    EXCHANGE = "exchange"
    OVERLAP = "overlap"
    BROADCAST = "broadcast"
    PIPELINE = "pipeline"
    SCAN = "scan"


@dataclass(frozen=True, slots=True)
class CommunicationChoice(MappingEntry):
    """The way of all messages of a system; without one it is derived."""

    way: Communication
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class ProcessorShape(MappingEntry):
    """The numbers of ranks in each distributed dimension, at most; 0: as many as there are."""

    numbers: tuple[int, ...]
    span: Span = field(default=NOWHERE, repr=False)


class MergeKind(StrEnum):
    """The way in which blocks merge their accumulations: into partial results that a second launch merges (those of
    a block in shared memory alone, or inside of the first warp by shuffles), or that the last block of the launch
    merges; or atomically into one cell.
    """

    PARTIALS = "partials"
    SHUFFLES = "shuffles"
    LAST_BLOCK = "last-block"
    ATOMIC = "atomic"


@dataclass(frozen=True, slots=True)
class LaunchDimension(MappingEntry):
    """A dimension, counted from after the ordering prefix, whose values blocks of a launch share along an axis (`x`,
    `y`, `z`), or the threads of a block (`of_threads`): so many of them, 0 for a default. Blocks share the tiles of a
    tiled dimension, threads the values in a tile; each of them computes `registers` values at once. With `merges`, the
    contributions of threads and blocks to a result are merged in the way `merge`.
    """

    prefix: tuple[int, ...]
    dimension: int
    axis: str
    of_threads: bool
    threads: int = 0
    registers: int = 1
    merges: bool = False
    merge: MergeKind = MergeKind.PARTIALS
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def position(self) -> int:
        """Returns the dimension, counted from 0 for any prefix."""
        return len(self.prefix) + self.dimension


@dataclass(frozen=True, slots=True)
class GhostMap(MemoryMap):
    """The cell in which a rank keeps a received copy of a point of a variable; without one, that of the memory map."""

    @property
    def entry_text(self) -> str:
        return f"the ghost map of {self.variable}"


# Instead of a tile size: one tile contains the whole dimension.
WHOLE = 0


SINGLE = "0:"
"""The prefix of the names of the bands that setTiling makes for single dimensions."""


@dataclass(frozen=True, slots=True)
class Band(MappingEntry):
    """Dimensions `start..end` (both included, counted from after the ordering prefix) that are tiled together.

    `sizes[level][d]` is the tile size of dimension start+d, outermost level first; None where it is a parameter of the
    generated function, WHOLE where this level leaves the dimension whole. Adjacent dimensions with
    `wavefront[level][d]` true run diagonal by diagonal, the tiles of one diagonal in parallel; without entries none
    do. `registers`: a whole tile is computed at once, with its accumulators in registers. The script calls the
    outermost level `first_level`. `ordering`: dimensions of the dates that have no tiles, as they only order the
    contents of one. `recursive`: the levels, counted from 0, whose tiles are those of a box that is halved
    recursively, in blocks that run diagonal by diagonal. `final`: the sizes of register tiles inside of tiles that fill
    buffers of final values, where they differ.
    """

    name: str
    prefix: tuple[int, ...]
    start: int
    end: int
    sizes: tuple[tuple[int | None, ...], ...]
    wavefront: tuple[tuple[bool, ...], ...] = ()
    span: Span = field(default=NOWHERE, repr=False)
    registers: bool = False
    first_level: int = 1
    ordering: frozenset[int] = frozenset()
    recursive: frozenset[int] = frozenset()
    final: tuple[int | None, ...] = ()

    @property
    def first(self) -> int:
        """Returns its first dimension, counted from 0 for any prefix."""
        return len(self.prefix) + self.start

    @property
    def last(self) -> int:
        return len(self.prefix) + self.end

    @property
    def tiled(self) -> tuple[int, ...]:
        """Returns its dimensions except those that only order the contents of a tile."""
        return tuple(d for d in range(self.first, self.last + 1) if d not in self.ordering)

    @property
    def left_whole(self) -> tuple[int, ...]:
        """Returns the dimensions that register tiles leave whole: their loops are inside those over the tiles."""
        return tuple(d for d in self.tiled if self.size(d) == 1)

    def size(self, dimension: int, level: int = 0) -> int | None:
        """Returns the size of the tiles of a level along a dimension of the dates."""
        return self.sizes[level][dimension - self.first]

    def of_final(self) -> "Band":
        """Returns the band of the register tiles inside of tiles that fill buffers of final values."""
        return replace(self, sizes=(self.final,), final=()) if self.final else self


@dataclass(frozen=True, slots=True)
class RegisterTile(MappingEntry):
    """A dimension, counted from after the ordering prefix, cut into pieces of `size` that are computed at once.

    All pieces below one prefix make the innermost tiles: a band from the first of them to the last dimension, in which
    dimensions without a piece have tiles of one point. Vectors instead of a size: as many values as fill the
    registers. `is_final`: the size is that inside of tiles that fill buffers of final values.
    """

    prefix: tuple[int, ...]
    dimension: int
    size: int | Vectors
    span: Span = field(default=NOWHERE, repr=False)
    is_final: bool = False

    @property
    def place(self) -> tuple[tuple[int, ...], int, bool]:
        """Returns what it is the size of."""
        return self.prefix, self.dimension, self.is_final


@dataclass(frozen=True, slots=True)
class Packing(MappingEntry):
    """A packing of the values of `variable` that tiles of `statement` (a variable) read: they are copied to a buffer in
    the loop over the innermost tiles of a dimension (None: of the last one that the read depends on).

    `is_final`: only in the innermost tiles in which no operation writes these values; other tiles read them from
    memory.
    """

    statement: str
    variable: str
    dimension: int | None = None
    is_final: bool = False
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.statement, self.variable)

    @property
    def entry_text(self) -> str:
        return f"the packing of {self.variable}"

    def renamed(self, new: NewName) -> "Packing":
        return replace(self, statement=new(self.statement), variable=new(self.variable))

    def copied(self, old: str, new: str) -> Iterator["Packing"]:
        if self.statement == old:
            yield replace(self, statement=new)


class CallMoment(StrEnum):
    """The operations on the array of an argument of a use equation, besides the call itself."""

    ALLOCATION = "alloc"
    COPY = "copy"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class ArgumentDate(MappingEntry):
    """The date at which the array of input (or output) `number` of the use equation `label` is allocated, copied or
    freed.

    The function is over the indices of the extension domain.
    """

    label: str
    is_output: bool
    number: int
    moment: CallMoment
    function: AffineFunction
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.label,)

    @property
    def argument(self) -> str:
        """Returns the name of the array: `UseEquation_Y.in0`."""
        return f"{self.label}.{'out' if self.is_output else 'in'}{self.number}"

    @property
    def entry_text(self) -> str:
        return f"a date of an argument of {self.label}"

    def renamed(self, new: NewName) -> "ArgumentDate":
        return replace(self, label=new(self.label))


@dataclass(frozen=True, slots=True)
class ArgumentSpace(MappingEntry):
    """The memory space from which input `number` (or in which output `number`) of the use equation `label` is taken
    (left).
    """

    label: str
    is_output: bool
    number: int
    space: str
    span: Span = field(default=NOWHERE, repr=False)

    @property
    def statements(self) -> tuple[str, ...]:
        return (self.label,)

    @property
    def entry_text(self) -> str:
        return f"a space of {self.label}"

    def renamed(self, new: NewName) -> "ArgumentSpace":
        return replace(self, label=new(self.label), space=new(self.space))


E = TypeVar("E", bound=OfVariable)


def _with_entry(entries: Sequence[E], entry: E) -> tuple[E, ...]:
    """Returns the entries with this one behind those of other variables."""
    return (*(other for other in entries if other.variable != entry.variable), entry)


@dataclass(frozen=True, slots=True)
class TargetMapping:
    """All mapping entries of a script for one system. Later entries win over earlier ones about the same thing.

    A use equation can be named by its label wherever a statement can.
    """

    space_time: tuple[SpaceTimeMap, ...] = ()
    kinds: tuple[KindSetting, ...] = ()
    ordering: tuple[StatementOrder, ...] = ()
    memory: tuple[MemoryMap, ...] = ()
    tiling: tuple[Band, ...] = ()
    argument_dates: tuple[ArgumentDate, ...] = ()
    argument_spaces: tuple[ArgumentSpace, ...] = ()
    registers: tuple[RegisterTile, ...] = ()
    packing: tuple[Packing, ...] = ()
    formats: tuple[StorageFormat, ...] = ()
    overwritable: tuple[Overwritable, ...] = ()
    target: tuple[TargetChoice, ...] = ()
    distribution: tuple[DistributedDimension, ...] = ()
    ghosts: tuple[GhostMap, ...] = ()
    communication: tuple[CommunicationChoice, ...] = ()
    processors: tuple[ProcessorShape, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    launches: tuple[LaunchDimension, ...] = ()
    private: tuple[PrivateMemory, ...] = ()
    kept: tuple[KeptOnce, ...] = ()

    @property
    def entries(self) -> Iterator[MappingEntry]:
        """Yields all entries, one kind after the other."""
        for kind in fields(self):
            yield from getattr(self, kind.name)

    @property
    def is_empty(self) -> bool:
        return next(self.entries, None) is None

    def rebuilt(self, change: Callable[[MappingEntry], Iterable[MappingEntry]]) -> "TargetMapping":
        """Returns the mapping with each entry replaced by `change` of it, which is of the same kind."""
        changed: dict[str, Any] = {}
        for kind in fields(self):
            changed[kind.name] = tuple(new for entry in getattr(self, kind.name) for new in change(entry))
        return TargetMapping(**changed)

    def select_entries(self, selects: Callable[[MappingEntry], bool]) -> "TargetMapping":
        """Returns the mapping restricted to the wanted entries."""
        return self.rebuilt(lambda entry: (entry,) if selects(entry) else ())

    def space_time_of(self, variable: str) -> SpaceTimeMap | None:
        return next((m for m in reversed(self.space_time) if m.variable == variable), None)

    def memory_of(self, variable: str) -> MemoryMap | None:
        return next((m for m in reversed(self.memory) if m.variable == variable), None)

    def with_space_time(self, entry: SpaceTimeMap) -> "TargetMapping":
        return replace(self, space_time=_with_entry(self.space_time, entry))

    def with_memory(self, entry: MemoryMap) -> "TargetMapping":
        return replace(self, memory=_with_entry(self.memory, entry))

    def with_format(self, entry: StorageFormat) -> "TargetMapping":
        return replace(self, formats=_with_entry(self.formats, entry))

    def with_overwritable(self, entry: Overwritable) -> "TargetMapping":
        return replace(self, overwritable=_with_entry(self.overwritable, entry))

    def with_private(self, entry: PrivateMemory) -> "TargetMapping":
        return replace(self, private=_with_entry(self.private, entry))

    def with_kept(self, entry: KeptOnce) -> "TargetMapping":
        return replace(self, kept=_with_entry(self.kept, entry))

    def with_ghosts(self, entry: GhostMap) -> "TargetMapping":
        return replace(self, ghosts=_with_entry(self.ghosts, entry))

    @property
    def target_name(self) -> str:
        return self.target[-1].name if self.target else DEFAULT_TARGET

    @property
    def architecture(self) -> str:
        return self.target[-1].architecture if self.target else ""

    def with_argument_date(self, entry: ArgumentDate) -> "TargetMapping":
        others = tuple(a for a in self.argument_dates if (a.argument, a.moment) != (entry.argument, entry.moment))
        return replace(self, argument_dates=(*others, entry))

    def argument_date(self, label: str, is_output: bool, number: int, moment: CallMoment) -> ArgumentDate | None:
        key = (label, is_output, number, moment)
        entries = (a for a in reversed(self.argument_dates) if (a.label, a.is_output, a.number, a.moment) == key)
        return next(entries, None)

    def argument_space(self, label: str, is_output: bool, number: int) -> ArgumentSpace | None:
        key = (label, is_output, number)
        entries = (a for a in reversed(self.argument_spaces) if (a.label, a.is_output, a.number) == key)
        return next(entries, None)
