"""The data of a certificate about a mapping: its inventory (operations, reads, cells ..), and the records of
obligations and verdicts.

`Inventory` lists the operations, the reads and the cells of a system; it determines the required obligations (see
`alphaz.certificate.required_obligations`). The fields here are the keys of the JSON document
(`alphaz.certificate.document`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.certificate.violation_sets import LinearSum, ViolationCase, Violations

FORMAT, VERSION = "alphaz-certificate", 15
READABLE = (5, 6, 7, 8, 9, 10, 11, 12, 13, 14, VERSION)

PROVED, REFUTED, UNDECIDED, MALFORMED = "proved", "refuted", "undecided", "not well formed"


@dataclass(frozen=True, slots=True)
class PlaceRecord:
    """A place in a text. Lines and columns from 1, columns in code points; the end is the first character after the
    place.
    """

    file: str
    line: int
    column: int
    endLine: int  # noqa: N815 - the fields are the keys of the document
    endColumn: int  # noqa: N815
    label: str


@dataclass(frozen=True, slots=True)
class OperationRecord:
    """A family of operations: one for each point of `domain` (a union), writing `variable[target]` at `date`.

    `moment` is "start" (before all others), "dated" or "end" (after all others; it reads its variable). `role` is
    "value", "body", "init" or "input" where dated, else empty; `kinds` has one entry for each component of the date.
    Across a reduction dimension a body is two families: "contribution", which writes only private accumulators, and
    "merge", after the loop of that dimension: of its date only the components before the first one of kind REDUCTION
    count, and where they agree with another operation it is later.

    Of a use equation, the operations "alloc", "copy", "call" and "free" write nothing themselves: the writes of a copy
    or a call are families of their own, each with the number of the `whole` operation, whose indices come first in
    `names`. `direct`: in place, so at any time while the called system runs.
    """

    name: str
    variable: str
    moment: str
    role: str
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    target: tuple[LinearSum, ...]
    date: tuple[LinearSum, ...]
    kinds: tuple[str, ...]
    whole: int | None
    direct: bool


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A read: for each point of `domain`, the operation `at` of the family number `reader` reads `variable[index]`.

    `text` is the access in the program; it is empty for the end and for the `running` value of an accumulation.
    `direct`: by a called system, in place.
    """

    reader: int
    running: bool
    direct: bool
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    at: tuple[LinearSum, ...]
    variable: str
    index: tuple[LinearSum, ...]
    text: str
    place: PlaceRecord | None


@dataclass(frozen=True, slots=True)
class CellRecord:
    """The cell of `variable[names]`: `space[map]`, each component modulo its factor where that is not 0.

    The first `outer` components number the iterations that have memory of their own, by the dates of the variable.
    """

    variable: str
    space: str
    names: tuple[str, ...]
    map: tuple[LinearSum, ...]
    factors: tuple[LinearSum, ...]
    outer: int


@dataclass(frozen=True, slots=True)
class LifetimeRecord:
    """The array of an argument of a call: the numbers of the families that allocate it, use it and free it.

    Operations of `names` with the same `instance` have one array.
    """

    argument: str
    allocation: int | None
    users: tuple[int, ...]
    free: int | None
    names: tuple[str, ...]
    instance: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class BandRecord:
    """Dimensions `first` to `last` of the dates that begin with `prefix` are tiled together, except `ordering` ones.

    `sizes` has the sizes of each level, outermost first: None is a parameter, 0 leaves a dimension whole. Adjacent
    dimensions with `wavefront` run diagonal by diagonal at this level. `recursive` are the levels, from 0, whose tiles
    are halved recursively. `registers`: the tiles are computed at once, in registers.
    """

    prefix: tuple[int, ...]
    first: int
    last: int
    ordering: tuple[int, ...]
    registers: bool
    sizes: tuple[tuple[int | None, ...], ...]
    wavefront: tuple[tuple[bool, ...], ...]
    recursive: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SideRecord:
    """A side of the tiles in which a buffer is filled: `size` values of a dimension of the dates."""

    dimension: int
    size: int


@dataclass(frozen=True, slots=True)
class BufferRecord:
    """A buffer, filled with copies when tiles begin: the numbers of the reads that use it.

    Operations are in one tile where the first `leading` components of their dates agree, and all `sides` do.
    """

    reads: tuple[int, ...]
    leading: int
    sides: tuple[SideRecord, ...]


@dataclass(frozen=True, slots=True)
class Copied:
    """A dropped copy: at each point of `domain`, `variable[names]` is `source[index]`, in the same cell, and no
    operation is executed for it.

    `text` describes it.
    """

    variable: str
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    source: str
    index: tuple[LinearSum, ...]
    text: str


@dataclass(frozen=True, slots=True)
class InPlaceRecord:
    """The points that a call computes in place: over the names of the family number `writer`, whose domain are the
    points that the caller has.
    """

    writer: int
    domain: tuple[ViolationCase, ...]


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A variable whose values are selected: at each point of `domain`, `variable[names]` is the value of the one point
    of `instances` (over `indices`) whose `target` it is.
    """

    variable: str
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    indices: tuple[str, ...]
    instances: tuple[ViolationCase, ...]
    target: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class BorderRecord:
    """The numbers of places at the low and at the high end of a block, by dimension, that wait for messages."""

    low: tuple[int, ...]
    high: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """A scan along the places: `variable` has the prefixes of an operator, a line has all values of the index number
    `index`, and `reads` (by number) are those of the value before.
    """

    variable: str
    operator: str
    index: int
    reads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RanksRecord:
    """The distribution over ranks: components `first` to `last` of the dates are the place, those before them the step.

    With `blocks` a rank owns an interval of each of these components, else any set of places. `pipeline`: values of
    lower places arrive at the beginning of their step, else all at its end. `ghosts` are the cells of received copies.
    `border`: a rank may compute the places of a step that are not in the border before the messages of the step before
    it arrive; None if that is not proved. `scans`: a rank begins a step with the combined terms of all lower places.
    """

    first: int
    last: int
    blocks: bool
    pipeline: bool
    ghosts: tuple[CellRecord, ...]
    border: BorderRecord | None = None
    scans: tuple[ScanRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Inventory:
    """The operations, reads and copies of a system, numbered from 0 in the order of these lists.

    `before` is the statement ordering, transitively closed. `copies` are the operations that were dropped because they
    copy a value onto the cell that already holds it. `ranks` is None if the mapping is not distributed.
    """

    parameters: tuple[str, ...]
    context: tuple[ViolationCase, ...]
    operations: tuple[OperationRecord, ...]
    reads: tuple[ReadRecord, ...]
    cells: tuple[CellRecord, ...]
    lifetimes: tuple[LifetimeRecord, ...]
    before: tuple[tuple[str, str], ...]
    bands: tuple[BandRecord, ...]
    copies: tuple[Copied, ...]
    buffers: tuple[BufferRecord, ...] = ()
    in_place: tuple[InPlaceRecord, ...] = ()
    kept: tuple[KeptRecord, ...] = ()
    ranks: RanksRecord | None = None


@dataclass(frozen=True, slots=True)
class ObligationKey:
    """The identity of an obligation: its kind (S1 to S4, M, M4, M5, C, C1, P, I, D, D0, D1, D3 to D6, D12, D13), the
    numbers of its read and its families. D12.S2, D12.S3, D12.M and D12.M4 are those kinds with the places of a step at
    once.

    `families` are by role; D has the number of its `copy`, S4 that of a kept variable whose `value` or `instance` it is
    about, D5 and D6 that of the other read that is `received`.
    `tiled`: for all tile sizes or, where also `sized`, for those of the inventory.
    """

    kind: str
    read: int | None
    families: Mapping[str, int]
    tiled: bool
    sized: bool = False

    def __str__(self) -> str:
        families = [f"{name} {number}" for name, number in sorted(self.families.items())]
        read = [] if self.read is None else [f"read {self.read}"]
        return f"{self.kind} of {', '.join((*read, *families))}{' under tiling' if self.tiled else ''}"


@dataclass(frozen=True, slots=True)
class RoleRecord:
    """The names of the set that are the indices of one operation."""

    role: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObligationRecord:
    """One obligation. `witness` has the values of the smallest violation, and of the auxiliary names there: None means
    "empty" where it is proved.

    `how` is "isl" where isl decided, else the structural reason. `sentence` describes the witness, `reason` explains
    why the obligation is undecided; both may be empty.
    """

    id: str
    key: ObligationKey
    rule: str
    claim: str
    roles: tuple[RoleRecord, ...]
    violations: Violations
    isl: str
    verdict: str
    how: str
    witness: Mapping[str, int] | None
    sentence: str
    reason: str
    places: tuple[PlaceRecord, ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """The families (by number) that have one value: the number of their memory space, their moment (0 the start, 1
    dated, 2 the end), or one component of their dates.
    """

    value: int
    families: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """A reason that settles many obligations M and M4 at once: families of different layers are independent, or those
    of a smaller value precede those of a greater one.

    `by` is "space", "moment" or "nest": by the component of the dates after the `leading` ones. `violations` are two
    neighbouring values that do not grow.
    """

    id: str
    by: str
    leading: tuple[int, ...]
    claim: str
    layers: tuple[Layer, ...]
    settles: int
    violations: Violations
    isl: str


Stated = ObligationRecord | Separation


@dataclass(frozen=True, slots=True)
class Record:
    """The verdict on one system of one script. Without a well-formed mapping there is nothing to list.

    Each obligation is listed in `obligations`, or settled by one of `separations`.
    """

    script: str
    system: str
    verdict: str
    inventory: Inventory | None
    separations: tuple[Separation, ...]
    obligations: tuple[ObligationRecord, ...]

    @property
    def stated(self) -> tuple[Stated, ...]:
        """Returns all sets that must be empty (or have a witness)."""
        return (*self.separations, *self.obligations)
