"""Compares the sets that the kernel derives from an inventory with the verdicts of a certificate, by isl."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from alphaz.certificate import document
from alphaz.certificate.certificate import PROVED, Record
from alphaz.certificate.document import Certificate
from alphaz.certificate.violations import Absent, ConstraintRow, Division, LinearSum, ViolationCase, Violations
from alphaz.kernel.derive import derived
from alphaz.proof.plain import formula_of
from tests.kernel.small_sets import Json


def disagreements(record: Record) -> Iterator[tuple[Json, bool]]:
    """Yields each obligation whose derived set is empty and that is not proved, or the other way round."""
    (system,) = json.loads(document.write(Certificate({}, (), (record,))))["systems"]
    for entry in system["obligations"]:
        is_empty = formula_of(read(*derived(system["inventory"], entry["key"]))).domain().is_empty()
        if is_empty != (entry["verdict"] == PROVED):
            yield entry, is_empty


def read(violations: Json, table: Sequence[list[Json]]) -> Violations:
    """Returns the set that a JSON object states; its absent sets have parts only."""
    return Violations(
        parameters=tuple(violations["parameters"]),
        names=tuple(violations["names"]),
        auxiliary=tuple(violations["auxiliary"]),
        parts=tuple(tuple(map(_case, table[number])) for number in violations["parts"]),
        without=tuple(_case(case) for number in violations["without"] for case in table[number]),
        absent=tuple(
            Absent(tuple(inner["names"]), tuple(tuple(map(_case, table[at])) for at in inner["parts"]), (), ())
            for inner in violations["absent"]
        ),
    )


def _case(value: Any) -> ViolationCase:
    rows = (ConstraintRow(_sum(row["sum"]), row["equal"]) for row in value["rows"])
    divisions = (Division(division["name"], _sum(division["sum"]), division["by"]) for division in value["divisions"])
    return ViolationCase(tuple(rows), tuple(divisions))


def _sum(value: Any) -> LinearSum:
    return LinearSum(value["terms"], value["constant"])
