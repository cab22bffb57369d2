"""Compares the sets that the kernel derives from an inventory with the verdicts of a certificate, by isl."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from alphaz.certificate import document
from alphaz.certificate.document import Certificate
from alphaz.certificate.mapping_inventory import PROVED, Record
from alphaz.certificate.violation_sets import Absent, ConstraintRow, Division, LinearSum, ViolationCase, Violations
from alphaz.kernel.c_sets import derived_of_c
from alphaz.kernel.derive import derived
from alphaz.proof.certificate_formulas import formula_of
from tests.kernel.small_sets import Json


def disagreements(record: Record) -> Iterator[tuple[Json, bool]]:
    """Yields each obligation whose derived set is empty and that is not proved, or the other way round."""
    (system,) = json.loads(document.write(Certificate({}, (), (record,))))["systems"]
    for entry in system["obligations"]:
        is_empty = formula_of(read(*derived(system["inventory"], entry["key"]))).domain().is_empty()
        if is_empty != (entry["verdict"] == PROVED):
            yield entry, is_empty


def differences_of_c(program: Json) -> Iterator[Json]:
    """Yields each obligation on C whose derived set is not the stated one, whatever its verdict."""
    for entry in program["obligations"]:
        ours = formula_of(read(*derived_of_c(program["inventory"], entry["key"]))).domain()
        stated = formula_of(read(entry["violations"], program["parts"])).domain()
        if not ours.renamed(stated.space.names).equals(stated):
            yield entry


def read(violations: Json, table: Sequence[list[Json]]) -> Violations:
    """Returns the set that a JSON object states."""
    own = _absent(violations, table)
    return Violations(
        parameters=tuple(violations["parameters"]),
        names=own.names,
        auxiliary=tuple(violations["auxiliary"]),
        parts=own.parts,
        without=own.without,
        absent=own.absent,
    )


def _absent(value: Json, table: Sequence[list[Json]]) -> Absent:
    return Absent(
        names=tuple(value["names"]),
        parts=tuple(tuple(map(_case, table[number])) for number in value["parts"]),
        without=tuple(_case(case) for number in value["without"] for case in table[number]),
        absent=tuple(_absent(inner, table) for inner in value["absent"]),
    )


def _case(value: Any) -> ViolationCase:
    rows = (ConstraintRow(_sum(row["sum"]), row["equal"]) for row in value["rows"])
    divisions = (Division(division["name"], _sum(division["sum"]), division["by"]) for division in value["divisions"])
    return ViolationCase(tuple(rows), tuple(divisions))


def _sum(value: Any) -> LinearSum:
    return LinearSum(value["terms"], value["constant"])
