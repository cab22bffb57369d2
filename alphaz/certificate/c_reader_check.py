"""Readers in the record of a C function, at a few points: the cell is that of the access, and some claim may write it.

The sets of the obligations are not derived from the inventory. So this refuses an inventory whose subscripts, points or
domains do not fit each other; it does not prove that they do.
"""

from collections.abc import Iterator, Mapping
from random import Random

from alphaz.certificate.c_inventory import CClaim, CInventory, CReader
from alphaz.certificate.integer_points import has_no_point, points, value_of
from alphaz.certificate.violation_sets import ConstraintRow, LinearSum, ViolationCase, conjunctions

Point = tuple[int, ...]


def reader_mistakes(inventory: CInventory) -> Iterator[str]:
    """Yields the readers that do not fit their access, or the claims that write the value."""
    for number, reader in enumerate(inventory.readers):
        title = f"the reader of {reader.text}"
        random = Random(f"{number} {reader.text}")
        for at in points(conjunctions(reader.domain), inventory.parameters, reader.names, random):
            fault = _access_fault(inventory, reader, at) or _writer_fault(inventory, reader, at)
            if fault:
                yield f"{title} {fault} (at {', '.join(f'{name}={value}' for name, value in at.items())})"
                break


def _access_fault(inventory: CInventory, reader: CReader, at: Mapping[str, int]) -> str:
    """Returns the difference between a reader and its need, and the access of the statement."""
    if reader.claim is None:
        return ""
    claim = inventory.claims[reader.claim]
    statement = inventory.statements[claim.statement]
    if reader.need is None or not 0 <= reader.need < len(claim.needs) or len(reader.names) != len(statement.names):
        return f"is about no need of claim {reader.claim}"
    need = claim.needs[reader.need]
    if not 0 < need.access < len(statement.accesses):
        return f"is about access {need.access} of {statement.name}, which it does not have"
    access = statement.accesses[need.access]
    there = {**at, **dict(zip(statement.names, (at[name] for name in reader.names), strict=True))}
    if (reader.array, _at(reader.cell, at)) != (access.array, _at(access.subscripts, there)):
        return f"reads another cell than {statement.name}"
    # The value that is read may be another one, of which the needed value is a copy.
    is_other = reader.key == need.key and _at(reader.point, at) != _at(need.point, there)
    return f"reads another value than claim {reader.claim} needs" if is_other else ""


def _writer_fault(inventory: CInventory, reader: CReader, at: Mapping[str, int]) -> str:
    """Returns a fault if no claim can write the value, or begin the sum, in the cell, and the caller does not."""
    if not reader.key or inventory.is_input(reader):
        return ""
    parameters = {name: at[name] for name in inventory.parameters}
    cell, point = _at(reader.cell, at), _at(reader.point, at)
    for claim in inventory.claims:
        target = inventory.statements[claim.statement].accesses[0]
        if (claim.key, target.array) == (reader.key, reader.array) and claim.role != "share":
            sums = (*target.subscripts, *claim.point, *(LinearSum({name: 1}, 0) for name in parameters))
            if _may_be(inventory, claim, sums, (*cell, *point, *parameters.values())):
                return ""
    return f"finds no claim that writes `{reader.key}` into `{reader.array}`"


def _may_be(inventory: CInventory, claim: CClaim, sums: tuple[LinearSum, ...], values: Point) -> bool:
    """Returns False if no instance of a claim gives the sums these values."""
    if len(sums) != len(values):
        return False
    rows = tuple(ConstraintRow(LinearSum(s.terms, s.constant - x), True) for s, x in zip(sums, values, strict=True))
    cases = [ViolationCase((*case.rows, *rows), case.divisions) for case in conjunctions(claim.domain)]
    names = inventory.statements[claim.statement].names
    return not all(has_no_point(case, inventory.parameters, names) for case in cases)


def _at(sums: tuple[LinearSum, ...], at: Mapping[str, int]) -> Point:
    return tuple(value_of(affine, at) for affine in sums)
