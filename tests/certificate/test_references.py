"""References inside a certificate of C that lead nowhere are refused with their place, by no exception."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from alphaz.certificate.document import Certificate, read, write
from alphaz.certificate.engine_answer import Decision
from alphaz.certificate.mapping_inventory import Stated
from alphaz.certificate.recheck import RecheckOutcome, recheck
from tests.certificate.typed_proofs import LOOPS, record

HUGE = 10**400


@cache
def document() -> str:
    return write(Certificate({}, (), (), (record(LOOPS["two terms"].asked()),)))


def complaints(changes: Mapping[str, object]) -> list[str]:
    """The complaints about the certificate with other values at these paths in its inventory."""
    result = json.loads(document())
    for path, value in changes.items():
        place: Any = result["programs"][0]["inventory"]
        *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
        for step in steps:
            place = place[step]
        place[last] = value
    (program,) = read(json.dumps(result))[0].programs
    return [check.text for check in recheck(program, agreeing) if check.outcome is not RecheckOutcome.AGREES]


def agreeing(entry: Stated, at: Mapping[str, int] | None) -> Decision:
    return Decision(True)


def leaf(operator: str, type_: str, **fields: object) -> dict[str, object]:
    return {"operator": operator, "type": type_, "operands": [], "access": None, "name": "", "at": [], **fields}


READ = leaf("read", "int", access=1)
ITEM = "values.2.definitions.0.items.0.term"


def test_the_certificate_is_confirmed() -> None:
    assert complaints({}) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"claims.0.needs.0.key": "zz"}, "claim 0 needs the value `zz`, which the certificate does not list"),
        ({"claims.0.needs.0.point": []}, "claim 0 needs the value `D` with 0 indices, and it has 1"),
        ({"claims.0.key": "zz"}, "claim 0 gives the value `zz`, which the certificate does not list"),
        ({"readers.0.key": "zz"}, "reads the value `zz`, which the certificate does not list"),
        ({"values": []}, "claim 0 gives the value `B`, which the certificate does not list"),
        ({"values.0.key": "zz"}, "claim 0 needs the value `D`, which the certificate does not list"),
        ({"claims.1.shares.0.body": []}, "item 1 of the sum has 2 indices"),
        ({"claims.1.shares.0.item": 7}, "the sum has no item 7"),
    ],
)
def test_a_reference_that_leads_nowhere_is_named(changes: Mapping[str, object], words: str) -> None:
    assert any(words in text for text in complaints(changes))


SHIFTED = {"terms": {"i": 1}, "constant": 1}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"statements.0.accesses.0.subscripts.0": SHIFTED}, "finds no claim that writes `B` into `B`"),
        ({"statements.0.accesses.1.subscripts.0": SHIFTED}, "reads another cell than line"),
        ({"claims.0.needs.0.point.0": SHIFTED}, "reads another value than claim 0 needs"),
        ({"readers.0.cell.0.constant": 1}, "finds no claim that writes `B` into `B`"),
        ({"readers.0.array": "A"}, "finds no claim that writes `B` into `A`"),
        ({"readers.1.need": 7}, "is about no need of claim"),
        ({"claims.0.needs.0.access": 7}, "is about access 7 of"),
    ],
)
def test_a_reader_fits_its_access_and_a_claim(changes: Mapping[str, object], words: str) -> None:
    assert any(words in text for text in complaints(changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"statements.0.value": None}, "has no expression"),
        ({ITEM: leaf("number", "double", name="9" * 400)}, "which does not hold it"),
        ({"statements.0.value": leaf("index", "int", at=[{"terms": {}, "constant": HUGE}])}, "does not hold"),
        ({"values.2.definitions.0.operator": "if", "sums.0.operator": "if"}, "sums up by `if`"),
        (
            {
                "values.2.definitions.0.operator": "call f",
                "sums.0.operator": "call f",
                "statements.0.value": leaf("call f", "int", operands=[READ]),
            },
            "has a `call f` of another type than elsewhere",
        ),
    ],
)
def test_a_number_or_an_operator_without_a_result_is_refused(changes: Mapping[str, object], words: str) -> None:
    assert any(words in text for text in complaints(changes))
