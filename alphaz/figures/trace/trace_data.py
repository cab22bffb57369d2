"""A mapping at small parameters, as plain data: every operation, read and cell, and the violations.

Figures, reports and lessons are functions of it. Operations are identified by their number; values and cells by a name
with an index."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.diagnostics import Rule

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """A value, `variable[index]`, or a cell, `space[index]`."""

    name: str
    index: Index

    def __str__(self) -> str:
        return point_text(self.name, self.index)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation. `name` is that of its statement, `indices` are those of its domain. `date` is None at the start and
    at the end.

    `moment`: "start", "dated" or "end"; in a rejected program also "never" and "twice", the number of definitions of a
    point, and "nowhere", a point outside its domain.

    `step`: 0 at the start; else the length of the longest chain of operations before it, so that concurrent operations
    share a step. `tile` are the numbers of its tiles, outermost first, of the sizes drawn; `wavefront` that of the
    outermost wavefront; both None where there are none. A merge has the index of its result and that part of its date
    which stands before its loop. `writes` are values with their cells."""

    number: int
    name: str
    variable: str
    moment: str
    indices: tuple[str, ...]
    point: Index
    date: Index | None
    step: int
    tile: Index | None = None
    wavefront: int | None = None
    writes: tuple[tuple[Element, Element], ...] = ()

    @property
    def is_dated(self) -> bool:
        """Returns True if the mapping gives it a date."""
        return self.moment == "dated"

    def __str__(self) -> str:
        return "the end" if self.moment == "end" else point_text(self.name, self.point)


@dataclass(frozen=True, slots=True)
class TraceRead:
    """A read of a value from its cell. It finds `found`: the last value written to the cell before its step (None: no
    value yet). `text` is its text in the program; empty for implicit reads: the running value of an accumulation
    (`is_running`), an output at the end, the array of an argument. `producers` write the value; `late` are the
    producers that do not precede the reader."""

    reader: int
    value: Element
    cell: Element
    found: Element | None
    producers: tuple[int, ...]
    text: str = ""
    is_running: bool = False
    late: tuple[int, ...] = ()

    @property
    def is_lost(self) -> bool:
        """Returns True if the cell holds another value, or an incomplete one."""
        return self.found != self.value or bool(self.late)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """A value in its cell, from the step of its first write to that of its last read.

    `lost` are the numbers of the reads that do not find it."""

    value: Element
    cell: Element
    first: int
    last: int
    lost: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """A point of a refuted obligation at these parameters: the operations involved, by role, and the value that is
    read, if any."""

    rule: Rule
    claim: str
    places: tuple[tuple[str, int], ...]
    value: Element | None = None

    @property
    def roles(self) -> dict[str, int]:
        """Returns the numbers of the operations by role."""
        return dict(self.places)


@dataclass(frozen=True, slots=True)
class RankLanes:
    """The ranks of a distributed mapping, by the text of their places: the rank of each operation with a date, and its
    step, the components of the date before the places."""

    names: tuple[str, ...]
    ranks: tuple[tuple[int, int], ...]
    steps: tuple[tuple[int, Index], ...]


@dataclass(frozen=True, slots=True)
class BlockShare:
    """The operations of a block in a launch, and the number of its threads that execute some."""

    launch: int
    block: Index
    operations: int
    threads: int


@dataclass(frozen=True, slots=True)
class LaunchedBlocks:
    """The blocks of a GPU: their axes, the number of launches, and the share of each block in each launch."""

    axes: tuple[str, ...]
    launches: int
    shares: tuple[BlockShare, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace. `parameters` with `why` they were chosen; `verdict` is that of the whole mapping, for all parameters.

    `tiles` are the sizes drawn, of each tiled dimension, outermost level first. `violations` come from the refuted
    obligations themselves; `witness` is the one that the steps show: they are one of the executions that the mapping
    allows, in which the violation occurs. `dropped` are copies of a value to its own cell. Step `steps` is the end.
    `values` are the numbers of a run with small inputs, by the equations alone, if requested."""

    system: str
    parameters: tuple[tuple[str, int], ...]
    why: str
    verdict: str
    operations: tuple[Operation, ...]
    reads: tuple[TraceRead, ...]
    lifetimes: tuple[Lifetime, ...]
    violations: tuple[Violation, ...]
    witness: Violation | None
    sentence: str
    dropped: tuple[Element, ...]
    steps: int
    tiles: tuple[tuple[int, int], ...] = ()
    values: tuple[tuple[Element, int | float], ...] = ()
    ranks: RankLanes | None = None
    blocks: LaunchedBlocks | None = None

    @property
    def dated(self) -> Iterator[Operation]:
        """Yields the operations that have a date."""
        return (operation for operation in self.operations if operation.is_dated)

    @property
    def size(self) -> str:
        """Returns `N = 4, T = 2`; "no parameters" if there are none."""
        return ", ".join(f"{name} = {value}" for name, value in self.parameters) or "no parameters"

    def __repr__(self) -> str:
        counts = f"{len(self.operations)} operations in {self.steps} steps, {len(self.violations)} violations"
        return f"Trace({self.system}, {self.size}: {counts})"
