"""The subject of a proof that C computes equations: statements, cells, claims and readers, as plain data.

`CInventory` determines the required obligations (see `alphaz.certificate.c_required_obligations`). The fields here are
the keys of the JSON document (`alphaz.certificate.document`).
"""

from dataclasses import dataclass

from alphaz.certificate.mapping_inventory import ObligationRecord, PlaceRecord
from alphaz.certificate.violation_sets import DomainParts, LinearSum, ViolationCase


@dataclass(frozen=True, slots=True)
class CLimit:
    """A value `name`, of which one of the `cases` holds, over the parameters and the iterators of the prefix."""

    name: str
    cases: tuple[ViolationCase, ...]


@dataclass(frozen=True, slots=True)
class CArray:
    """An array of the C, of elements of a `type`. The first `prefix` subscripts are iterators around its declaration:
    each of their iterations has an array of its own. `writers` are the numbers of all statements that write into it.
    `limit`: the meaning of an extent. `held` are the cells, over `subscripts` after the prefix, that may be accessed,
    where these are not all inside of the extents.
    """

    name: str
    type: str
    prefix: int
    extents: tuple[LinearSum, ...]
    limit: CLimit | None
    subscripts: tuple[str, ...]
    held: ViolationCase | None
    writers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CLoop:
    """A loop. `order` is "sequential" (from below, or from above where `step` is -1), or unordered:
    "parallel", "simd". The iterations of a "grid" are the blocks of a GPU, those of a "block" its threads.
    """

    iterator: str
    step: int
    order: str


@dataclass(frozen=True, slots=True)
class COrder:
    """A node of the order. By `kind`: a "statement" (with the `numbers` of those at this place); a "private" one, which
    each thread executes on data of its own; a "loop" (with its number) around its child; a "sequence" of children; a
    "team" of threads, which all execute the child; a "single" one of them, which alone does; a "barrier", where all
    wait. A team of a GPU has the `numbers` of the loops over its members; its barriers are for the threads of a block.
    """

    kind: str
    numbers: tuple[int, ...]
    children: "tuple[COrder, ...]"


@dataclass(frozen=True, slots=True)
class CAccess:
    """A cell, by the iterators of the statement."""

    array: str
    subscripts: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class CLock:
    """A lock, taken inside of this many sequences and loops; `atomic` protects only the cell that is written."""

    name: str
    depth: int


@dataclass(frozen=True, slots=True)
class CTerm:
    """An expression of a statement, or of the equations. A leaf is a "read" of access number `access`, the "value"
    `name` of the equations at the point `at`, the "number" `name`, or the "index" `at`. Other operators compute in
    `type`, or convert to it (`as int`); a comparison compares in it, and gives a bool.
    """

    operator: str
    type: str
    operands: "tuple[CTerm, ...]" = ()
    access: int | None = None
    name: str = ""
    at: tuple[LinearSum, ...] = ()


@dataclass(frozen=True, slots=True)
class CSumItem:
    """The terms of a sum: for each point of `domain`, over `names`, `term` with its `sign`, in the sum at the point
    `projection`.
    """

    sign: int
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    projection: tuple[LinearSum, ...]
    term: CTerm


@dataclass(frozen=True, slots=True)
class CDefinition:
    """A case of an equation: in `domain`, the value is `term` (None if it is a sum alone), and the sum of all `items`
    by `operator`, if there are any.
    """

    domain: tuple[ViolationCase, ...]
    term: CTerm | None
    operator: str
    items: tuple[CSumItem, ...]


@dataclass(frozen=True, slots=True)
class CEquation:
    """The values `key` of the equations, of a `type`, at points over `indices`. An input has no definitions."""

    key: str
    type: str
    indices: tuple[str, ...]
    definitions: tuple[CDefinition, ...]


@dataclass(frozen=True, slots=True)
class CStatement:
    """A statement. `accesses` are the cell that is written, then those that are read; `value` is the expression of
    these that it writes, None in documents before version 8. `reductions`: the numbers of the loops whose clauses give
    each thread a cell of its own.
    """

    name: str
    names: tuple[str, ...]
    domain: DomainParts
    accesses: tuple[CAccess, ...]
    value: CTerm | None
    lock: CLock | None
    reductions: tuple[int, ...]
    place: PlaceRecord | None


@dataclass(frozen=True, slots=True)
class CShare:
    """The item of a sum that is combined: the point `body` of the item."""

    item: int
    body: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class CNeed:
    """A need: access number `access` of the statement must read the value `key[point]`."""

    access: int
    key: str
    point: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class CClaim:
    """A claim: the instances in `domain` write `key[point]` (`role` "value"), begin the sum that it is ("start"), or
    add the `shares` to it ("share"), in the cell that the statement writes. The sum is that of case number `case`.
    """

    role: str
    statement: int
    key: str
    point: tuple[LinearSum, ...]
    case: int | None
    domain: DomainParts
    shares: tuple[CShare, ...]
    needs: tuple[CNeed, ...]


@dataclass(frozen=True, slots=True)
class CReader:
    """A reader of `key[point]` in `array[cell]`: an instance of a `statement`, for its `claim` by its `need` (both None
    where it takes a pointer from a table); the caller at the end, where all are None. `text` describes it. `is_sum`:
    the value is summed up in the cell.
    """

    statement: int | None
    claim: int | None
    need: int | None
    names: tuple[str, ...]
    domain: DomainParts
    array: str
    cell: tuple[LinearSum, ...]
    key: str
    point: tuple[LinearSum, ...]
    is_sum: bool
    text: str


@dataclass(frozen=True, slots=True)
class CSum:
    """A value of a `type` that is summed up in an array: a sum with this many cases, of this many items each, of the
    `definitions` of these numbers; `in_order` if earlier items must be added first.
    """

    key: str
    array: str
    operator: str
    type: str
    in_order: bool
    items: tuple[int, ...]
    definitions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CItem:
    """An item of the definition number `definition` of a value. Its points, over `names`, in `domain`, are in a part,
    whose names come first in the domain.
    """

    definition: int
    item: int
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]


@dataclass(frozen=True, slots=True)
class CPart:
    """A partial sum of the items of `key`, which is added to it: one for each instance of `statement`, over `names`."""

    key: str
    statement: int
    names: tuple[str, ...]
    items: tuple[CItem, ...]


@dataclass(frozen=True, slots=True)
class CHeld:
    """An array that holds a variable of the caller: its points, over `names`, in `domain`, are in `cell`."""

    array: str
    variable: str
    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    cell: tuple[LinearSum, ...]


@dataclass(frozen=True, slots=True)
class CDividend:
    """A `value` that C divides, or of an unsigned type, which is not to be negative in `domain`."""

    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    value: LinearSum


@dataclass(frozen=True, slots=True)
class CBarrier:
    """A barrier of a GPU: those in `domain`, over `names`, reach it. `members` are all that wait for each other, of
    which the names in `threads` are the numbers.
    """

    names: tuple[str, ...]
    domain: tuple[ViolationCase, ...]
    members: tuple[ViolationCase, ...]
    threads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CInventory:
    """The inventory of a C function. Statements, loops, claims, readers and parts are numbered from 0, in list order.

    `inputs` are the variables that the caller writes before, `outputs` those that it reads at the end, with their
    places. `values` are those of the equations to which claims lead. Documents without `barriers` of a GPU leave them
    out. `order` is None in documents before version 9.
    """

    parameters: tuple[str, ...]
    arrays: tuple[CArray, ...]
    loops: tuple[CLoop, ...]
    order: COrder | None
    statements: tuple[CStatement, ...]
    dividends: tuple[CDividend, ...]
    inputs: tuple[CHeld, ...]
    outputs: tuple[CHeld, ...]
    values: tuple[CEquation, ...]
    claims: tuple[CClaim, ...]
    readers: tuple[CReader, ...]
    sums: tuple[CSum, ...]
    parts: tuple[CPart, ...]
    barriers: tuple[CBarrier, ...] = ()

    def is_input(self, reader: CReader) -> bool:
        """Returns True if the caller has written the value into the array that is read."""
        return any((held.array, held.variable) == (reader.array, reader.key) for held in self.inputs)


@dataclass(frozen=True, slots=True)
class CRecord:
    """The verdict on one C function: "proved", "refuted" (an execution gave wrong results), "undecided".

    Without an inventory the C could not be read. `assumed` are the assumptions of the reader.
    """

    source: str
    program: str
    system: str
    function: str
    verdict: str
    assumed: tuple[str, ...]
    inventory: CInventory | None
    obligations: tuple[ObligationRecord, ...]

    @property
    def title(self) -> str:
        return f"{self.source}: {self.function} computes {self.system}"

    @property
    def stated(self) -> tuple[ObligationRecord, ...]:
        return self.obligations
