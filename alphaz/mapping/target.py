"""A target mapping as the script states it: when, where, in which cell. Every entry has the span of its command.

Nothing is resolved here (defaults, prefixes, padding): see `alphaz.mapping.statements`.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from alphaz.diagnostics import NOWHERE, Span
from alphaz.machine import Vectors
from alphaz.poly import AffineFunction


class DimensionKind(StrEnum):
    """How the values of a dimension of the dates are ordered (thesis 3.1.2 and 3.1.3).

    REDUCTION is PARALLEL, but what is accumulated across it goes into private accumulators that are merged behind it
    (beyond the thesis; verifier.md section 3, S3). VECTOR is unordered too, save what is accumulated across it; it has
    no threads, and its tiles are in sequence.
    """

    SEQUENTIAL = "SEQUENTIAL"
    PARALLEL = "PARALLEL"
    ORDERING = "ORDERING"
    REDUCTION = "REDUCTION"
    VECTOR = "VECTOR"

    @property
    def is_unordered(self) -> bool:
        """Whether operations that differ first in such a dimension are unordered."""
        return self in (DimensionKind.PARALLEL, DimensionKind.REDUCTION, DimensionKind.VECTOR)

    @property
    def is_shared(self) -> bool:
        """Whether threads share its loops, and those over its tiles."""
        return self in (DimensionKind.PARALLEL, DimensionKind.REDUCTION)

    @property
    def of_tiles(self) -> "DimensionKind":
        """How tiles of the dimension are ordered."""
        return DimensionKind.SEQUENTIAL if self is DimensionKind.VECTOR else self


@dataclass(frozen=True, slots=True)
class SpaceTimeMap:
    """The date of each point of a variable, or of a reduction's body (the number of indices tells which).

    `init` is the date of the initialisation of each result, for a body map that was given one.
    """

    variable: str
    function: AffineFunction
    init: AffineFunction | None = None
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class KindSetting:
    """Dimensions of one kind, for one variable (or all: None), below an ordering prefix from which they are counted."""

    variable: str | None
    prefix: tuple[int, ...]
    dimensions: tuple[int, ...]
    kind: DimensionKind
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class StatementOrder:
    """At equal dates, statements of `before` precede those of `after`."""

    before: str
    after: str
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class MemoryMap:
    """`space[function(z) mod moduli]` holds `variable[z]`. No function: the identity. A modulus of 0: none.

    `moduli` is empty or has one entry for each dimension of the function.
    """

    variable: str
    space: str
    function: AffineFunction | None = None
    moduli: tuple[int, ...] = ()
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class Band:
    """Dimensions `start..end` (both included, counted from behind the ordering prefix) are tiled together.

    `sizes[level][d]` is the tile size of dimension start+d, outermost level first; None where it is a parameter of the
    generated function. Neighbours of which `wavefront[level][d]` is true run diagonal by diagonal, the tiles of one
    diagonal in parallel; without entries none do. `registers`: a whole tile is done at once, with what it accumulates
    in registers. The script calls the outermost level `first_level`.
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


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """A dimension, counted from behind the ordering prefix, is cut into pieces of `size` that are done at once.

    All pieces below one prefix make the innermost tiles: a band from the first of them to the last dimension, in which
    dimensions without a piece have tiles of one. Vectors in the place of a size: as many values as fill the registers.
    """

    prefix: tuple[int, ...]
    dimension: int
    size: int | Vectors
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class Packing:
    """What tiles of `statement` (a variable) read of `variable` is copied to a buffer, in the loop over the innermost
    tiles of a dimension (None: of the last one that the read depends on).
    """

    statement: str
    variable: str
    dimension: int | None = None
    span: Span = field(default=NOWHERE, repr=False)


class Moment(StrEnum):
    """What happens to the array of an argument of a use equation, besides the call itself."""

    ALLOCATION = "alloc"
    COPY = "copy"
    FREE = "free"


@dataclass(frozen=True, slots=True)
class ArgumentDate:
    """When the array of input (or output) `number` of the use equation `label` is allocated, copied or freed.

    The function is over the indices of the extension domain.
    """

    label: str
    is_output: bool
    number: int
    moment: Moment
    function: AffineFunction
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class ArgumentSpace:
    """Input (or output) `number` of the use equation `label` is taken from (or left in) this memory space."""

    label: str
    is_output: bool
    number: int
    space: str
    span: Span = field(default=NOWHERE, repr=False)


@dataclass(frozen=True, slots=True)
class TargetMapping:
    """All that a script says about one system. Later entries win over earlier ones for the same thing.

    A use equation is known by its label wherever a statement can be named.
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

    @property
    def is_empty(self) -> bool:
        stated = (self.space_time, self.kinds, self.ordering, self.memory, self.tiling, self.registers, self.packing)
        return not any((*stated, self.argument_dates, self.argument_spaces))

    def space_time_of(self, variable: str) -> SpaceTimeMap | None:
        return next((m for m in reversed(self.space_time) if m.variable == variable), None)

    def memory_of(self, variable: str) -> MemoryMap | None:
        return next((m for m in reversed(self.memory) if m.variable == variable), None)

    def with_space_time(self, entry: SpaceTimeMap) -> "TargetMapping":
        kept = tuple(m for m in self.space_time if m.variable != entry.variable)
        return replace(self, space_time=(*kept, entry))

    def with_memory(self, entry: MemoryMap) -> "TargetMapping":
        kept = tuple(m for m in self.memory if m.variable != entry.variable)
        return replace(self, memory=(*kept, entry))

    def argument_date(self, label: str, is_output: bool, number: int, moment: Moment) -> ArgumentDate | None:
        wanted = (label, is_output, number, moment)
        found = (a for a in reversed(self.argument_dates) if (a.label, a.is_output, a.number, a.moment) == wanted)
        return next(found, None)

    def argument_space(self, label: str, is_output: bool, number: int) -> ArgumentSpace | None:
        wanted = (label, is_output, number)
        found = (a for a in reversed(self.argument_spaces) if (a.label, a.is_output, a.number) == wanted)
        return next(found, None)
