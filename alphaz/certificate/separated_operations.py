"""Separations of operations, independent of their values: they settle obligations M and M4 in groups, since there are
as many of these as pairs of operations.

Two families are apart by their memory spaces (a cell belongs to one of them); by their moment (the start precedes all
others, the end follows them); or by their nests: where the first components of their dates are constants of kind
ORDERING, the first of these in which they differ orders them. Such dimensions lie outside all bands, so this holds
under tiling as well. All separations follow from the inventory.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from alphaz.certificate.mapping_inventory import Inventory, Layer, OperationRecord, ReadRecord, Separation
from alphaz.certificate.violation_sets import ConstraintRow, LinearSum, ViolationCase, Violations

MOMENTS = ("start", "dated", "end")

SPACE, MOMENT, NEST = "space", "moment", "nest"

# A key of a family: its moment, and the constants of the ordering dimensions that lead its dates.
Key = tuple[int, ...]
# The kind of a separation, and its nest.
By = tuple[str, Key]
Writer = tuple[int, OperationRecord, str]


def separations(inventory: Inventory) -> tuple[Separation, ...]:
    """Returns all useful separations, without their isl text."""
    settled = Counter(by for *_, by in pairs(inventory) if by is not None)
    groups = ((by, layers) for by, layers in _layers(inventory).items() if settled[by])
    return tuple(_separation(f"A{at}", by, settled[by], layers) for at, (by, layers) in enumerate(groups, 1))


def pairs(inventory: Inventory) -> Iterator[tuple[str, int | None, int, int, By | None]]:
    """Yields every obligation M (its read, the writer, the first writer) and M4 (two writers), and the separation that
    settles it.
    """
    writers = writers_of(inventory)
    spaces = {cells.variable: cells.space for cells in inventory.cells}
    keys = tuple(map(key_of, inventory.operations))
    for number, read in enumerate(inventory.reads):
        reader, mine = keys[read.reader], spaces[read.variable]
        for first, _ in firsts_of(read, writers):
            for at, _, space in writers:
                other = (SPACE, ()) if space != mine else None
                yield (
                    "M",
                    number,
                    at,
                    first,
                    other or _separating_order(keys[at], keys[first]) or _separating_order(reader, keys[at]),
                )
    for number, (one, _, mine) in enumerate(writers):
        for two, _, space in writers[number:]:
            other = (SPACE, ()) if space != mine else None
            yield (
                "M4",
                None,
                one,
                two,
                other or _separating_order(keys[one], keys[two]) or _separating_order(keys[two], keys[one]),
            )


def key_of(family: OperationRecord) -> Key:
    """Returns the key of a family. Where two keys first differ, the family of the smaller one is first; where one key
    leads the other, neither is.
    """
    key = [MOMENTS.index(family.moment)]
    for kind, component in zip(family.kinds, family.date, strict=False):
        if kind != "ORDERING" or component.terms:
            break
        key.append(component.constant)
    return tuple(key)


def _separating_order(one: Key, two: Key) -> By | None:
    """Returns the separation by which every operation of the one family precedes every one of the other, if there is
    one.
    """
    for at, (x, y) in enumerate(zip(one, two, strict=False)):
        if x != y:
            return ((NEST, one[1:at]) if at else (MOMENT, ())) if x < y else None
    return None


def writers_of(inventory: Inventory) -> list[Writer]:
    """Returns the families with shared writes: their numbers, and the memory spaces into which they write."""
    spaces = {cells.variable: cells.space for cells in inventory.cells}
    return [(at, f, spaces[f.variable]) for at, f in enumerate(inventory.operations) if writes(f)]


def firsts_of(read: ReadRecord, writers: Sequence[Writer]) -> list[tuple[int, OperationRecord]]:
    """Returns the families that first write the value read: the initialisation where there is one."""
    mine = [(at, family) for at, family, _ in writers if family.variable == read.variable]
    return [(at, family) for at, family in mine if family.role == "init"] or mine


def writes(family: OperationRecord) -> bool:
    """Returns True if the family writes shared memory."""
    if family.role in ("alloc", "copy", "call", "free"):
        return family.whole is not None
    return family.moment != "end" and family.role != "contribution"


def _layers(inventory: Inventory) -> dict[By, dict[int, list[int]]]:
    """Returns, for each separation, the families by their values."""
    layers: dict[By, dict[int, list[int]]] = {(SPACE, ()): {}}
    spaces: dict[str, int] = {}
    for at, _, space in writers_of(inventory):
        layers[SPACE, ()].setdefault(spaces.setdefault(space, len(spaces)), []).append(at)
    for at, family in enumerate(inventory.operations):
        key = key_of(family)
        for length, value in enumerate(key):
            layers.setdefault((NEST, key[1:length]) if length else (MOMENT, ()), {}).setdefault(value, []).append(at)
    return layers


def _separation(name: str, by: By, settles: int, numbers: dict[int, list[int]]) -> Separation:
    values = sorted(numbers)
    layers = tuple(Layer(value, tuple(numbers[value])) for value in values)
    return Separation(name, *by, _claim(*by), layers, settles, _disorder(values), "")


def _claim(by: str, leading: Key) -> str:
    if by == SPACE:
        return "no cell belongs to two memory spaces"
    if by == MOMENT:
        return "the start precedes every operation that has a date, and the end follows it"
    below = f"operations whose dates begin with ({','.join(map(str, leading))})" if leading else "all operations"
    return f"{below} follow each other by the constants of dimension {len(leading)}, which is of kind ORDERING"


def _disorder(values: Sequence[int]) -> Violations:
    """Returns { earlier, later : two neighbours of the values, earlier >= later }, which is empty where the values
    grow.
    """
    earlier, later = LinearSum({"earlier": 1}, 0), LinearSum({"later": 1}, 0)
    neighbours = tuple(
        ViolationCase(
            (ConstraintRow(LinearSum(earlier.terms, -x), True), ConstraintRow(LinearSum(later.terms, -y), True)), ()
        )
        for x, y in pairwise(values)
    )
    wrong = ViolationCase((ConstraintRow(LinearSum({"earlier": 1, "later": -1}, 0), False),), ())
    return Violations((), ("earlier", "later"), (), (neighbours, (wrong,)))
