"""The required obligations about a C function, counted from the inventory alone.

C0  bounds              for each access of each statement that has subscripts, and for each dividend
C6  no race             for each two statements, or one and itself, that are unordered where they part,
                        and each two accesses of them to one array, one of which writes, that no lock separates
C7  all arrive          for each barrier of a GPU
C1  written before      for each reader
C4  not overwritten     for each reader whose value some statement writes
R1  all in the sum      for each reader of a sum, and each item of it; once: for each two shares of one item of a sum
R3  not read too early  for each reader of a sum, and each statement that combines an item into it
R2  started before      for each start of a sum, and each share of it
R4  one start           for each two starts of a sum, or one and itself
R6  in order            for each two shares of a sum whose order is kept, in both directions
R5  in one part         for each two parts of a sum (or one and itself), and each item that is in both

There is a reader for each output, and for each need of each claim.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from alphaz.certificate.c_inventory import CAccess, CClaim, CInventory, CReader, CRecord, CStatement
from alphaz.certificate.c_order import mistakes_of, unordered, ways_of
from alphaz.certificate.mapping_inventory import ObligationKey
from alphaz.certificate.undeclared_names import undeclared

_ROLES, _ORDERS = ("value", "start", "share"), ("sequential", "parallel", "simd", "grid", "block")
# Idempotent operators.
_IDEMPOTENT = ("min", "max", "and", "or")

Plain = tuple[str, frozenset[tuple[str, int]]]


def missing(record: CRecord) -> tuple[str, ...]:
    """Returns the obligations and the readers that are missing in the certificate, as text."""
    if record.inventory is None:
        return ()
    listed = {_plain(entry.key) for entry in record.obligations}
    keys = (key for key in _expected_keys(record.inventory) if _plain(key) not in listed)
    dividends = {entry.key.families.get("dividend", -1) for entry in record.obligations}
    more = ["an obligation is about a dividend that the inventory does not have"]
    return (
        *(f"an obligation is not listed: {key}" for key in keys),
        *_unread(record.inventory),
        *(more if max(dividends, default=-1) >= len(record.inventory.dividends) else ()),
    )


def contradictions(inventory: CInventory) -> str:
    """Returns the contradictions in an inventory; empty where there are none."""
    array_names = {array.name for array in inventory.arrays}
    for statement in inventory.statements:
        if not statement.accesses or not {access.array for access in statement.accesses} <= array_names:
            return f"{statement.name} is about arrays that the inventory does not have"
    for array in inventory.arrays:
        writers = tuple(n for n, writer in enumerate(inventory.statements) if writer.accesses[0].array == array.name)
        if array.writers != writers:
            return f"the inventory does not list all writers of {array.name}"
    if any(loop.order not in _ORDERS for loop in inventory.loops):
        return "a loop has no order"
    order = () if inventory.order is None else mistakes_of(inventory, inventory.order)
    fault = (
        next(iter(order), "")
        or _out_of_range(inventory)
        or next(filter(None, (_invalid_role(claim) for claim in inventory.claims)), "")
    )
    return fault or undeclared(inventory) or next(_odd_sizes(inventory), "")


def _odd_sizes(inventory: CInventory) -> Iterator[str]:
    """Yields the numbers that do not fit others."""
    if any(loop.step not in (1, -1) for loop in inventory.loops):
        yield "a loop has a step other than 1 and -1"
    arrays = {array.name: array for array in inventory.arrays}
    for statement in inventory.statements:
        for access in statement.accesses:
            array = arrays[access.array]
            if not 0 <= array.prefix <= array.prefix + len(array.extents) <= len(access.subscripts):
                yield f"{statement.name} accesses {access.array} with {len(access.subscripts)} subscripts"
    items = {value.key: [len(definition.items) for definition in value.definitions] for value in inventory.values}
    for sum_ in inventory.sums if items else ():
        own = [claim for claim in inventory.claims if claim.key == sum_.key and claim.role != "value"]
        cases = {claim.case for claim in own if inventory.statements[claim.statement].accesses[0].array == sum_.array}
        if cases != {*range(len(sum_.items))} or Counter(sum_.items) - Counter(filter(None, items.get(sum_.key, ()))):
            yield f"the sum of {sum_.key} has other cases or items than its equation"
        numbered = dict(enumerate(items.get(sum_.key, ())))
        if sum_.definitions and tuple(map(numbered.get, sum_.definitions)) != sum_.items:
            yield f"the sum of {sum_.key} is of other definitions"
    for reader in inventory.readers:
        if reader.claim is not None and reader.statement != inventory.claims[reader.claim].statement:
            yield f"the reader of {reader.text} is another statement than that of its claim"


def _invalid_role(claim: CClaim) -> str:
    return "" if claim.role in _ROLES else f"there is no claim that is a {claim.role!r}"


def _out_of_range(inventory: CInventory) -> str:
    statements, loops = len(inventory.statements), len(inventory.loops)
    numbers = [(claim.statement, statements, "statement") for claim in inventory.claims]
    numbers += [(part.statement, statements, "statement") for part in inventory.parts]
    for statement in inventory.statements:
        numbers += [(number, loops, "loop") for number in statement.reductions]
    numbers += [
        (reader.claim, len(inventory.claims), "claim") for reader in inventory.readers if reader.claim is not None
    ]
    for number, count, what in numbers:
        if not 0 <= number < count:
            return f"the inventory speaks of {what} {number}, and there are {count}"
    return ""


def _plain(key: ObligationKey) -> Plain:
    return key.kind, frozenset(key.families.items())


def _key(kind: str, **families: int) -> ObligationKey:
    return ObligationKey(kind, None, {name.replace("_", " "): number for name, number in families.items()}, tiled=False)


def _expected_keys(inventory: CInventory) -> Iterator[ObligationKey]:
    yield from _bounds(inventory)
    yield from _races(inventory)
    yield from (_key("C7", barrier=number) for number in range(len(inventory.barriers)))
    for number, reader in enumerate(inventory.readers):
        yield from _of_reader(inventory, number, reader)
    yield from _of_sums(inventory)
    for at, left in enumerate(inventory.parts):
        for there, right in enumerate(inventory.parts[at:], at):
            for item in left.items if left.key == right.key else ():
                if item in right.items:
                    yield _key("R5", part=at, other_part=there, definition=item.definition, item=item.item)


def _unread(inventory: CInventory) -> Iterator[str]:
    """Yields the required readers."""
    at_the_end = {reader.text for reader in inventory.readers if reader.claim is None}
    for output in inventory.outputs:
        if f"output {output.variable}" not in at_the_end:
            yield f"no reader of the output {output.variable}"
    there = {(reader.claim, reader.need) for reader in inventory.readers}
    for number, claim in enumerate(inventory.claims):
        for need in range(len(claim.needs)):
            if (number, need) not in there:
                yield f"no reader for a need of claim {number}"


# --- accesses ---------------------------------------------------------------------------------------------------------


def _bounds(inventory: CInventory) -> Iterator[ObligationKey]:
    for number in range(len(inventory.dividends)):
        yield _key("C0", dividend=number)
    prefixes = {array.name: array.prefix for array in inventory.arrays}
    for number, statement in enumerate(inventory.statements):
        seen: list[CAccess] = []
        for at, access in enumerate(statement.accesses):
            if access not in seen and len(access.subscripts) > prefixes[access.array]:
                yield _key("C0", statement=number, access=at)
            seen.append(access)


def _races(inventory: CInventory) -> Iterator[ObligationKey]:
    ways = {} if inventory.order is None else ways_of(inventory.order)
    for at, left in enumerate(inventory.statements):
        for there, right in enumerate(inventory.statements[at:], at):
            open_at = list(unordered(inventory.loops, ways[at], ways[there]))
            seen: list[tuple[CAccess, CAccess]] = []
            for i, j in _pairs(left, right, at == there):
                a, b = left.accesses[i], right.accesses[j]
                if a.array != b.array or (a, b) in seen:
                    continue
                seen.append((a, b))
                if any(not _is_shielded(left, right, a, b, *place) for place in open_at):
                    yield _key("C6", one=at, access=i, other=there, other_access=j)


def _pairs(left: CStatement, right: CStatement, is_one: bool) -> Iterator[tuple[int, int]]:
    yield from ((0, there) for there in range(len(right.accesses)))
    yield from ((at, 0) for at in range(1, 1 if is_one else len(left.accesses)))


def _is_shielded(left: CStatement, right: CStatement, a: CAccess, b: CAccess, depth: int, loop: int | None) -> bool:
    """Returns True if a lock, or private cells of each thread, separate accesses of statements that part in this loop,
    or in a block, at this depth."""
    one, other = left.lock, right.lock
    if one is not None and other is not None and one.name == other.name and depth < min(one.depth, other.depth):
        return one.name != "atomic" or (a == left.accesses[0] and b == right.accesses[0])
    return loop in left.reductions and loop in right.reductions


# --- values -----------------------------------------------------------------------------------------------------------


def _sources(inventory: CInventory, reader: CReader) -> list[int]:
    """Returns the claims that write the value at the cell where it is read; for a sum, all that contribute to it."""
    there = _at(inventory, reader.key, reader.array)
    return [claim_number for claim_number in there if reader.is_sum or inventory.claims[claim_number].role == "value"]


def _at(inventory: CInventory, key: str, array: str) -> list[int]:
    def target(claim: CClaim) -> str:
        return inventory.statements[claim.statement].accesses[0].array

    return [n for n, claim in enumerate(inventory.claims) if claim.key == key and target(claim) == array]


def _of_reader(inventory: CInventory, number: int, reader: CReader) -> Iterator[ObligationKey]:
    yield _key("C1", reader=number)
    sources = _sources(inventory, reader)
    writers = [source for source in sources if inventory.claims[source].role != "share"]
    array = next((array for array in inventory.arrays if array.name == reader.array), None)
    is_input = inventory.is_input(reader)
    if (writers or is_input) and array is not None and array.writers:
        yield _key("C4", reader=number)
    if reader.is_sum:
        items = [
            n for sum_ in inventory.sums if (sum_.key, sum_.array) == (reader.key, reader.array) for n in sum_.items
        ]
        for item in range(sum(items)):
            yield _key("R1", reader=number, item=item)
        for source in sources:
            if inventory.claims[source].role != "value":
                yield _key("R3", reader=number, source=source)


def _of_sums(inventory: CInventory) -> Iterator[ObligationKey]:
    read = dict.fromkeys((reader.key, reader.array) for reader in inventory.readers if reader.is_sum)
    operators = {(sum_.key, sum_.array): sum_.operator for sum_ in inventory.sums}
    ordered = {(sum_.key, sum_.array) for sum_ in inventory.sums if sum_.in_order}
    for key, array in read:
        steps = [
            claim_number
            for claim_number in _at(inventory, key, array)
            if inventory.claims[claim_number].role != "value"
        ]
        for at, left in enumerate(steps):
            for right in steps[at:]:
                if operators.get((key, array)) not in _IDEMPOTENT:
                    yield from _twice(inventory.claims, left, right)
        for left in steps:
            for right in steps if inventory.claims[left].role == "start" else ():
                kind = "R4" if inventory.claims[right].role == "start" else "R2"
                yield _key(kind, source=left, other=right)
        for left in steps if (key, array) in ordered else ():
            for right in steps:
                yield from _in_order(inventory.claims, left, right)


def _in_order(claims: Sequence[CClaim], left: int, right: int) -> Iterator[ObligationKey]:
    for i in range(len(claims[left].shares)):
        for j in range(len(claims[right].shares)):
            yield _key("R6", source=left, other=right, share=i, other_share=j)


def _twice(claims: Sequence[CClaim], left: int, right: int) -> Iterator[ObligationKey]:
    for i, a in enumerate(claims[left].shares):
        for j, b in enumerate(claims[right].shares):
            if a.item == b.item and not (left == right and j < i):
                yield _key("R1", source=left, other=right, share=i, other_share=j)
