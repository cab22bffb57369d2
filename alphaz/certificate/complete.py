"""The required obligations of a mapping, counted from the inventory alone.

S1  one date each       for each dated family (of a use equation: the copies and the calls)
S2  causality           for each read that is not of the end, and each family that writes its variable
                        (a running value: only its initialisation; S3 orders the contributions)
S3  accumulation        for each family of body operations (of contributions, where they are merged)
M   overwrite           for each read, each family that first writes its variable (the initialisation where there is
                        one), and each family that writes into the same memory space and is not always in order: before
                        the first writer or after the reader
M4  race                for each two families, or one and itself, that write into one memory space and are not always in
                        order
C   lifetime            for each operation that uses the array of an argument of a call: after its allocation, before it
                        is freed
C1  freed once          for each such array that several calls may share and that is freed at a date
P   packing             for each read from a buffer, and each dated family that writes into the same memory space
I   in place            for each family that a call writes in place
D   dropped copy        for each copy that is dropped

With bands, each except S1, C1, P, I and D again under tiling, unless it does not even hold without.
`alphaz.certificate.separation` defines the families that are always in order: obligations M and M4 about these, and
about different memory spaces, are not listed one by one.
"""

from collections.abc import Iterator

from alphaz.certificate.certificate import PROVED, Inventory, LifetimeRecord, ObligationKey, Record
from alphaz.certificate.separation import MOMENTS, pairs, writers_of, writes
from alphaz.certificate.violations import LinearSum

# Obligations that do not depend on the order of operations.
_UNORDERED = ("S1", "C1", "P", "I", "D")


def missing(record: Record) -> tuple[ObligationKey, ...]:
    """Returns the obligations that are missing in the certificate of a system."""
    if record.inventory is None:
        return ()
    listed = {_plain(entry.key): entry.verdict for entry in record.obligations}
    return tuple(key for key in _expected_keys(record.inventory, listed) if _plain(key) not in listed)


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
    return ""


Plain = tuple[str, int | None, frozenset[tuple[str, int]], bool]


def _plain(key: ObligationKey) -> Plain:
    families = key.families.items()
    if key.kind == "M4":
        # Which of two writes comes first in the text is of no matter.
        families = dict(zip(("other", "writer"), sorted(key.families.values()), strict=False)).items()
    return key.kind, key.read, frozenset(families), key.tiled


def _expected_keys(inventory: Inventory, listed: dict[Plain, str]) -> Iterator[ObligationKey]:
    for key in _untiled_keys(inventory):
        yield key
        if inventory.bands and key.kind not in _UNORDERED and listed.get(_plain(key)) == PROVED:
            yield ObligationKey(key.kind, key.read, key.families, tiled=True)


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
    for lifetime in inventory.lifetimes:
        yield from _of_an_array(lifetime)
    yield from _of_buffers(inventory)
    for number, family in enumerate(inventory.operations):
        if family.direct:
            yield ObligationKey("I", None, {"writer": number}, False)
    for number in range(len(inventory.copies)):
        yield ObligationKey("D", None, {"copy": number}, False)


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
    for number, read in enumerate(inventory.reads):
        if inventory.operations[read.reader].moment == "end":
            continue
        for at, family, _ in writers:
            if family.variable == read.variable and (family.role == "init" or not read.running):
                yield ObligationKey("S2", number, {"producer": at}, False)
