"""The required obligations of a mapping, counted from the inventory alone.

S1  one date each       for each dated family (of a use equation: the copies and the calls)
S2  causality           for each read that is not of the end, and each family that writes its variable
                        (a running value: only its initialisation; S3 orders the contributions)
S3  accumulation        for each family of body operations (of contributions, where they are merged)
S4  kept once           for each variable of which one instance is kept, its values and its instances
M   overwrite           for each read, each family that first writes its variable (the initialisation where there is
                        one), and each family that writes into the same memory space and is not always in order: before
                        the first writer or after the reader
M4  race                for each two families, or one and itself, that write into one memory space and are not always in
                        order
M5  private             for each read from private memory, and each family that writes its variable
C   lifetime            for each operation that uses the array of an argument of a call: after its allocation, before it
                        is freed
C1  freed once          for each such array that several calls may share and that is freed at a date
P   packing             for each read from a buffer, and each dated family that writes into the same memory space
I   in place            for each family that a call writes in place
D   dropped copy        for each copy that is dropped

Of a mapping that is distributed over ranks, a *remote* read is one of a dated reader, not of its running value, with a
dated family that writes the value and is no merge:

D0  places              for each family of contributions, which ranks combine; of each other variable, for each two
                        dated families that write it, or one and itself (unless one writes each value once), and again
                        for each remote read; for the values that are there from the start beside dated ones
D1  received in time    for each remote read
D3  kept until sent     for each remote read, and each dated family that writes into the memory space of the value
D4  ghost, own write    for each remote read, and each dated family that writes into the memory space of its ghost
D5  two ghosts          for each two remote reads whose ghosts are in one memory space, either way round
D6  own value, ghost    for each read, each family that first writes the value, and each remote read whose ghost is in
                        the memory space of the value

With a border, the rank computes places before messages arrive:

D12 overlap             for each remote read; and again for each dated family that writes into the memory space of its
                        ghost
D12.S2, .S3, .M, .M4    each of these kinds once more, with the places of a step at once

With scans, a rank begins a step with the combined terms of all lower places:

D13 scan                for each remote read; again for those of a scan's terms; and for the values of each scan

With bands, each except S1, S4, M5, C1, P, I, D, D0, D1, D5, D6, D12 and D13 again under tiling, unless it does not even
hold without. `alphaz.certificate.separated_operations` defines the families that are always in order: obligations M and
M4 about these, and about different memory spaces, are not listed one by one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

from alphaz.certificate.mapping_inventory import (
    PROVED,
    BandRecord,
    BorderRecord,
    Inventory,
    LifetimeRecord,
    ObligationKey,
    OperationRecord,
    RanksRecord,
    Record,
)
from alphaz.certificate.separated_operations import MOMENTS, firsts_of, pairs, writers_of, writes
from alphaz.certificate.violation_sets import LinearSum

# Obligations that do not depend on the order of operations.
_UNORDERED = ("S1", "S4", "M5", "C1", "P", "I", "D", "D0", "D1", "D5", "D6", "D13")
_OF_ONE_RANK = ("S2", "S3", "M", "M4")


def missing(record: Record) -> tuple[ObligationKey, ...]:
    """Returns the obligations that are missing in the certificate of a system."""
    if record.inventory is None:
        return ()
    listed = _verdicts(record)
    return tuple(key for key in _expected_keys(record.inventory, listed) if _plain(key) not in listed)


def surplus(record: Record) -> tuple[ObligationKey, ...]:
    """Returns the listed obligations that the inventory does not require."""
    if record.inventory is None:
        return ()
    expected = {_plain(key) for key in _expected_keys(record.inventory, _verdicts(record))}
    return tuple(entry.key for entry in record.obligations if _plain(entry.key) not in expected)


def contradictions(inventory: Inventory) -> str:
    """Returns the contradictions in an inventory; empty where there are none."""
    count, stored = len(inventory.operations), {cells.variable for cells in inventory.cells}
    numbers = [read.reader for read in inventory.reads]
    numbers += [family.whole for family in inventory.operations if family.whole is not None]
    used = (at for life in inventory.lifetimes for at in (life.allocation, *life.users, life.free))
    numbers += [at for at in used if at is not None]
    packed = [number for buffer in inventory.buffers for number in buffer.reads]
    for number in packed:
        if not 0 <= number < len(inventory.reads):
            return f"the inventory speaks of read {number}, and there are {len(inventory.reads)}"
    for number in numbers:
        if not 0 <= number < count:
            return f"the inventory speaks of operations {number}, and there are {count}"
    for family in inventory.operations:
        if family.moment not in MOMENTS:
            return f"operations {family.name} have no moment {family.moment!r}"
    writers = (family.variable for family in inventory.operations if writes(family))
    copied = (name for copy in inventory.copies for name in (copy.variable, copy.source))
    for variable in (*writers, *(read.variable for read in inventory.reads), *copied):
        if variable not in stored:
            return f"the inventory does not say where {variable} is stored"
    fault = _private_contradictions(inventory)
    return fault or (_rank_contradictions(inventory, inventory.ranks) if inventory.ranks is not None else "")


def _private_contradictions(inventory: Inventory) -> str:
    outer = {cells.space: cells.outer for cells in inventory.cells}
    for cells in inventory.cells:
        if not 0 <= cells.outer == outer[cells.space] <= len(cells.map):
            return f"memory space {cells.space} is private to iterations of different loops"
    for family in inventory.operations:
        dimensions = max((cells.outer for cells in inventory.cells if cells.variable == family.variable), default=0)
        if dimensions and inventory.ranks is not None:
            return f"{family.variable} has private memory in a distributed mapping"
        for band in inventory.bands:
            prefix = tuple(LinearSum({}, value) for value in band.prefix)
            if band.first < dimensions <= band.last and family.date[: len(prefix)] == prefix:
                return f"tiles of dimensions {band.first} to {band.last} cut the iterations of private memory"
    for kept in inventory.kept:
        instances = kept.indices, kept.instances, kept.target
        for family in inventory.operations:
            is_body = family.variable == kept.variable and family.role in ("body", "contribution")
            if is_body and (family.names, family.domain, family.target) != instances:
                return f"the instances of {kept.variable} are not those that are computed"
    return ""


def _rank_contradictions(inventory: Inventory, ranks: RanksRecord) -> str:
    if not 0 <= ranks.first <= ranks.last:
        return f"dimensions {ranks.first} to {ranks.last} cannot be distributed"
    if ranks.pipeline and not (ranks.blocks and ranks.first == ranks.last):
        return "only blocks of one dimension are a pipeline"
    if ranks.border is not None and not _has_overlap(inventory, ranks, ranks.border):
        return "the inventory has an overlap of messages that such a mapping cannot have"
    if ranks.scans and not _has_scans(inventory, ranks):
        return "the inventory has scans that such a mapping cannot have"
    if inventory.lifetimes or inventory.buffers:
        return "the inventory has calls or buffers in a distributed mapping"
    if not all(_is_of_steps(band, ranks) for band in inventory.bands if band.first <= ranks.last):
        return "the inventory has tiles that are no steps before the distributed dimension"
    for family in inventory.operations:
        if family.moment == "dated" and len(family.date) <= ranks.last:
            return f"the dates of {family.name} have no dimension {ranks.last}"
    received = {cell.variable for cell in ranks.ghosts}
    return next(
        (
            f"the inventory does not say where received copies of {read.variable} are stored"
            for read in inventory.reads
            if read.variable not in received
        ),
        "",
    )


def _has_overlap(inventory: Inventory, ranks: RanksRecord, border: BorderRecord) -> bool:
    """Returns True if blocks may have this border: no dimension of places leads the dates as an order, or is a
    reduction, and steps are no tiles.
    """
    places = slice(ranks.first, ranks.last + 1)
    kinds = {kind for family in inventory.operations for kind in family.kinds[places]}
    is_number = all(len(side) == ranks.last - ranks.first + 1 and min(side) >= 0 for side in (border.low, border.high))
    has_tiles = any(band.first < ranks.first for band in inventory.bands)
    return is_number and ranks.blocks and not ranks.pipeline and not has_tiles and not kinds & {"ORDERING", "REDUCTION"}


def _has_scans(inventory: Inventory, ranks: RanksRecord) -> bool:
    """Returns True if a pipeline whose steps are no tiles may have these scans: the values of each have one family of
    operations, which reads the value before.
    """
    has_tiles = any(band.first < ranks.first for band in inventory.bands)
    numbers = range(len(inventory.reads))
    for scan in ranks.scans:
        families = [number for number, family, _ in writers_of(inventory) if family.variable == scan.variable]
        is_one = len(families) == 1 and inventory.operations[families[0]].role == "value"
        read = [inventory.reads[number] for number in scan.reads if number in numbers]
        is_own = all((entry.variable, entry.reader) == (scan.variable, families[0]) for entry in read)
        if not (is_one and is_own and len(read) == len(scan.reads)):
            return False
    return ranks.pipeline and not has_tiles


def _is_of_steps(band: BandRecord, ranks: RanksRecord) -> bool:
    """Returns True if the outermost tiles of the band are steps, one after the other, of known sizes."""
    before = band.sizes[0][: max(ranks.first - band.first, 0)]
    has_places = band.first <= ranks.first and ranks.last <= band.last and not band.registers
    return has_places and None not in before and 0 not in band.recursive and not any(map(any, band.wavefront[:1]))


def _verdicts(record: Record) -> "dict[Plain, str]":
    return {_plain(entry.key): entry.verdict for entry in record.obligations}


Plain = tuple[str, int | None, frozenset[tuple[str, int]], bool]


def _plain(key: ObligationKey) -> Plain:
    families = key.families.items()
    if key.kind in ("M4", "D12.M4"):
        # Which of two writes comes first in the text is of no matter.
        families = dict(zip(("other", "writer"), sorted(key.families.values()), strict=False)).items()
    return key.kind, key.read, frozenset(families), key.tiled


def _expected_keys(inventory: Inventory, listed: dict[Plain, str]) -> Iterator[ObligationKey]:
    for key in _untiled_keys(inventory):
        yield key
        if inventory.bands and key.kind not in _UNORDERED and listed.get(_plain(key)) == PROVED:
            yield ObligationKey(key.kind, key.read, key.families, tiled=True)
        if inventory.ranks is not None and inventory.ranks.border is not None and key.kind in _OF_ONE_RANK:
            yield ObligationKey(f"D12.{key.kind}", key.read, key.families, tiled=False)


def _untiled_keys(inventory: Inventory) -> Iterator[ObligationKey]:
    for number, family in enumerate(inventory.operations):
        if family.moment == "dated" and family.whole is None and family.role not in ("merge", "alloc", "free"):
            yield ObligationKey("S1", None, {"operation": number}, False)
        if family.role in ("body", "contribution"):
            yield ObligationKey("S3", None, {"operation": number}, False)
    yield from _of_reads(inventory)
    for kind, read, one, two, apart in pairs(inventory):
        if apart is None:
            yield ObligationKey(kind, read, {"writer": one, "first" if kind == "M" else "other": two}, False)
    for number, role in product(range(len(inventory.kept)), ("value", "instance")):
        yield ObligationKey("S4", None, {role: number}, False)
    for lifetime in inventory.lifetimes:
        yield from _of_an_array(lifetime)
    yield from _of_buffers(inventory)
    yield from (
        ObligationKey("I", None, {"writer": at}, False) for at, f in enumerate(inventory.operations) if f.direct
    )
    yield from (ObligationKey("D", None, {"copy": number}, False) for number in range(len(inventory.copies)))
    if inventory.ranks is not None:
        yield from _of_ranks(inventory, inventory.ranks)


def _of_ranks(inventory: Inventory, ranks: RanksRecord) -> Iterator[ObligationKey]:
    writers = [(at, family, space) for at, family, space in writers_of(inventory) if family.moment == "dated"]
    spaces = {cells.variable: cells.space for cells in inventory.cells}
    ghosts = {cells.variable: cells.space for cells in ranks.ghosts}
    remote = [
        (number, read, at)
        for number, read in enumerate(inventory.reads)
        for at, family, _ in writers
        if family.variable == read.variable and family.role != "merge" and not read.running
        if inventory.operations[read.reader].moment == "dated"
    ]
    shared = _with_several_writes(inventory)
    yield from _of_scans(inventory, ranks, [(number, read.reader, at) for number, read, at in remote])
    yield from _of_places(inventory, shared)
    for number, read, at in remote:
        yield ObligationKey("D1", number, {"producer": at}, False)
        if ranks.border is not None:
            yield ObligationKey("D12", number, {"producer": at}, False)
        for other, family, space in writers:
            if family.variable == read.variable and read.variable in shared:
                yield ObligationKey("D0", number, {"producer": at, "other": other}, False)
            if space == spaces[read.variable]:
                yield ObligationKey("D3", number, {"producer": at, "writer": other}, False)
            if space == ghosts[read.variable]:
                yield from _of_ghost(number, {"producer": at, "writer": other}, ranks)
    for (number, read, at), (other, late, sender) in product(remote, repeat=2):
        if ghosts[read.variable] == ghosts[late.variable]:
            families = {"producer": at, "other": late.reader, "sender": sender, "received": other}
            yield ObligationKey("D5", number, families, False)
    for (number, read), (other, late, sender) in product(enumerate(inventory.reads), remote):
        if spaces[read.variable] == ghosts[late.variable]:
            for first, _ in firsts_of(read, writers_of(inventory)):
                families = {"producer": first, "other": late.reader, "sender": sender, "received": other}
                yield ObligationKey("D6", number, families, False)


def _of_scans(
    inventory: Inventory, ranks: RanksRecord, remote: Sequence[tuple[int, int, int]]
) -> Iterator[ObligationKey]:
    """Yields the obligations of scans, if there are any, for remote reads with their readers and writers."""
    scanned = {scan.variable for scan in ranks.scans}
    before = {number for scan in ranks.scans for number in scan.reads}
    for at, family, _ in writers_of(inventory):
        if family.variable in scanned:
            yield ObligationKey("D13", None, {"value": at}, False)
    for number, reader, at in remote if scanned else ():
        yield ObligationKey("D13", number, {"producer": at}, False)
        if inventory.operations[reader].variable in scanned and number not in before:
            yield ObligationKey("D13", number, {"producer": at, "term": reader}, False)


def _of_ghost(read: int, families: Mapping[str, int], ranks: RanksRecord) -> Iterator[ObligationKey]:
    for kind in ("D4",) if ranks.border is None else ("D4", "D12"):
        yield ObligationKey(kind, read, families, False)


def _of_places(inventory: Inventory, shared: Mapping[str, list[int]]) -> Iterator[ObligationKey]:
    writers = writers_of(inventory)
    dated = {family.variable for _, family, _ in writers if family.moment == "dated"}
    for number, family in enumerate(inventory.operations):
        if family.role == "contribution":
            yield ObligationKey("D0", None, {"operation": number, "other": number}, False)
    for number, family, _ in writers:
        if family.moment == "start" and family.variable in dated:
            yield ObligationKey("D0", None, {"value": number}, False)
    for numbers in shared.values():
        for one, other in combinations_with_replacement(numbers, 2):
            yield ObligationKey("D0", None, {"operation": one, "other": other}, False)


def _with_several_writes(inventory: Inventory) -> dict[str, list[int]]:
    """Returns the dated families of each variable whose values may be written by several operations of one rank."""
    by_variable: dict[str, list[tuple[int, OperationRecord]]] = {}
    for number, family, _ in writers_of(inventory):
        if family.moment == "dated" and family.role != "merge":
            by_variable.setdefault(family.variable, []).append((number, family))
    return {
        variable: [number for number, _ in families]
        for variable, families in by_variable.items()
        if len(families) > 1 or not _writes_once(families[0][1])
    }


def _writes_once(family: OperationRecord) -> bool:
    return family.target == tuple(LinearSum({name: 1}, 0) for name in family.names)


def _of_buffers(inventory: Inventory) -> Iterator[ObligationKey]:
    spaces = {cells.variable: cells.space for cells in inventory.cells}
    for number in (number for buffer in inventory.buffers for number in buffer.reads):
        for at, family, space in writers_of(inventory):
            if family.moment == "dated" and space == spaces[inventory.reads[number].variable]:
                yield ObligationKey("P", number, {"writer": at}, False)


def _of_an_array(lifetime: LifetimeRecord) -> Iterator[ObligationKey]:
    for user in lifetime.users:
        if lifetime.allocation is not None:
            yield ObligationKey("C", None, {"user": user, "allocation": lifetime.allocation}, False)
        if lifetime.free is not None:
            yield ObligationKey("C", None, {"user": user, "free": lifetime.free}, False)
    each_its_own = tuple(LinearSum({name: 1}, 0) for name in lifetime.names)
    if lifetime.free is not None and lifetime.instance != each_its_own:
        yield ObligationKey("C1", None, {"free": lifetime.free}, False)


def _of_reads(inventory: Inventory) -> Iterator[ObligationKey]:
    writers = writers_of(inventory)
    private = {cells.variable for cells in inventory.cells if cells.outer}
    for number, read in enumerate(inventory.reads):
        for at, family, _ in writers:
            if family.variable == read.variable and read.variable in private:
                yield ObligationKey("M5", number, {"producer": at}, False)
        if inventory.operations[read.reader].moment == "end":
            continue
        for at, family, _ in writers:
            if family.variable == read.variable and (family.role == "init" or not read.running):
                yield ObligationKey("S2", number, {"producer": at}, False)
