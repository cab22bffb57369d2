"""Which obligations there must be: counted from the inventory alone, by the table of what a mapping is to satisfy.

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

With bands, each but S1 and C1 again under tiling, unless it does not even hold without. Two families are always in
order where one is at the start or at the end and the other is not, and where the first components of their dates, all
constants of kind ORDERING, differ in one: such dimensions stand outside all bands.
"""

from collections.abc import Iterator

from alphaz.certificate.certificate import PROVED, Inventory, Key, Lifetime, Operations, Read, Record
from alphaz.certificate.violations import Sum


def missing(record: Record) -> tuple[Key, ...]:
    """The obligations that the certificate of a system should list and does not."""
    if record.inventory is None:
        return ()
    listed = {_plain(entry.key): entry.verdict for entry in record.obligations}
    return tuple(key for key in _expected(record.inventory, listed) if _plain(key) not in listed)


Plain = tuple[str, int | None, frozenset[tuple[str, int]], bool]


def _plain(key: Key) -> Plain:
    families = key.families.items()
    if key.kind == "M4":
        # Which of two writes comes first in the text is of no matter.
        families = dict(zip(("other", "writer"), sorted(key.families.values()), strict=False)).items()
    return key.kind, key.read, frozenset(families), key.tiled


def _expected(inventory: Inventory, listed: dict[Plain, str]) -> Iterator[Key]:
    for key in _untiled(inventory):
        yield key
        if inventory.bands and key.kind not in ("S1", "C1") and listed.get(_plain(key)) == PROVED:
            yield Key(key.kind, key.read, key.families, tiled=True)


def _untiled(inventory: Inventory) -> Iterator[Key]:
    for number, family in enumerate(inventory.operations):
        if family.moment == "dated" and family.whole is None and family.role not in ("merge", "alloc", "free"):
            yield Key("S1", None, {"operation": number}, False)
        if family.role in ("body", "contribution"):
            yield Key("S3", None, {"operation": number}, False)
    spaces = {cells.variable: cells.space for cells in inventory.cells}
    numbered = enumerate(inventory.operations)
    writers = [(at, family, spaces[family.variable]) for at, family in numbered if _writes(family)]
    for number, read in enumerate(inventory.reads):
        yield from _of_a_read(number, read, inventory.operations[read.reader], writers, spaces[read.variable])
    for at, one, space in writers:
        for there, two, other in writers:
            if at <= there and space == other and not (always_before(one, two) or always_before(two, one)):
                yield Key("M4", None, {"writer": at, "other": there}, False)
    for lifetime in inventory.lifetimes:
        yield from _of_an_array(lifetime)


def always_before(one: Operations, two: Operations) -> bool:
    """Whether every operation of the one precedes every one of the other, for constants that nobody needs to solve."""
    if one.moment != two.moment:
        return one.moment == "start" or two.moment == "end"
    for kind, other, here, there in zip(one.kinds, two.kinds, one.date, two.date, strict=False):
        if {kind, other} != {"ORDERING"} or here.terms or there.terms:
            return False
        if here.constant != there.constant:
            return here.constant < there.constant
    return False


def _writes(family: Operations) -> bool:
    """Whether it writes what others may see."""
    if family.role in ("alloc", "copy", "call", "free"):
        return family.whole is not None
    return family.moment != "end" and family.role != "contribution"


def _of_an_array(lifetime: Lifetime) -> Iterator[Key]:
    for user in lifetime.users:
        if lifetime.allocation is not None:
            yield Key("C", None, {"user": user, "allocation": lifetime.allocation}, False)
        if lifetime.free is not None:
            yield Key("C", None, {"user": user, "free": lifetime.free}, False)
    each_its_own = tuple(Sum({name: 1}, 0) for name in lifetime.names)
    if lifetime.free is not None and lifetime.instance != each_its_own:
        yield Key("C1", None, {"free": lifetime.free}, False)


Writers = list[tuple[int, Operations, str]]


def _of_a_read(number: int, read: Read, reader: Operations, writers: Writers, space: str) -> Iterator[Key]:
    mine = [(at, family) for at, family, _ in writers if family.variable == read.variable]
    inits = [(at, family) for at, family in mine if family.role == "init"]
    if reader.moment != "end":
        for at, _ in inits if read.running else mine:
            yield Key("S2", number, {"producer": at}, False)
    for first, made in inits or mine:
        for at, writer, other in writers:
            if other == space and not (always_before(writer, made) or always_before(reader, writer)):
                yield Key("M", number, {"writer": at, "first": first}, False)
