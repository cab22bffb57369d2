"""The bounds of C that the kernel derives: small inventories written by hand, and the peers of kernels."""

import json
from functools import cache
from typing import Any

import pytest

from alphaz.analysis.read import read_program
from alphaz.cli.certificates import document_of_c
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from alphaz.kernel.c_bounds import has_bounds, outside
from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.kernel.derive import derived_outcomes
from alphaz.proof.refute.document import proofs_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.certificate.sample_certificates import SAMPLES
from tests.kernel.small_sets import Json, at_least, case, total

MVT = SAMPLES / "kernels" / "mvt"
KEY: Json = {"kind": "C0", "read": None, "families": {"statement": 0, "access": 1}, "tiled": False, "sized": False}


def inventory(read: Json, extent: Json | None = None) -> Json:
    """For i from 0 to N - 1 and each copy c, the statement reads A[c][read] of an array of N elements."""
    accesses = [{"array": "s", "subscripts": []}, {"array": "A", "subscripts": [total(c=1), read]}]
    array = {"name": "A", "type": "double", "prefix": 1, "extents": [extent or total(N=1)], "writers": []}
    statement: Json = {"name": "line 3", "names": ["c", "i"], "domain": [case(at_least(i=1), at_least(-1, N=1, i=-1))]}
    statement |= {"accesses": accesses, "value": None, "lock": None, "reductions": [], "place": None}
    scalar = {"name": "s", "type": "double", "prefix": 0, "extents": [], "writers": [0]}
    return {"parameters": ["N"], "arrays": [scalar, array], "statements": [statement]}


def is_proved(document: Json) -> bool:
    goal = goal_of(*outside(document, KEY))
    try:
        steps = proof_of(goal, 2_000)
    except NotRefuted:
        return False
    check(goal, steps)
    return True


@pytest.mark.parametrize(
    ("read", "extent", "expected"),
    [
        (total(i=1), None, True),
        (total(1, i=1), None, False),
        (total(-1, i=1), None, False),
        (total(-1, N=1, i=-1), None, True),
        (total(1, i=1), total(1, N=1), True),
        (total(i=1), total(7), False),
    ],
)
def test_a_subscript(read: Json, extent: Json | None, expected: bool) -> None:
    assert is_proved(inventory(read, extent)) is expected


def test_extents_that_the_inventory_does_not_define() -> None:
    value = inventory(total(i=1), total(limit=1))
    assert not has_bounds(value, KEY)
    with pytest.raises(NotConfirmed, match="does not define"):
        outside(value, KEY)
    without = inventory(total(i=1))
    without["arrays"][1]["extents"] = []
    assert not has_bounds(without, KEY)
    assert not has_bounds(inventory(total(i=1)), KEY | {"families": {"dividend": 0}})
    assert not has_bounds(inventory(total(i=1)), KEY | {"kind": "C6"})


def _changed(path: str, value: object) -> Json:
    document = inventory(total(i=1))
    *names, last = path.split()
    inner: Any = document
    for name in names:
        inner = inner[int(name) if name.isdigit() else name]
    inner[int(last) if last.isdigit() else last] = value
    return document


MALFORMED: list[tuple[str, object]] = [
    ("parameters", None),
    ("parameters", ["N", "i"]),
    ("statements", []),
    ("statements 0 more", 1),
    ("statements 0 accesses", []),
    ("arrays", []),
    ("arrays 1 name", "s"),
    ("arrays 1 prefix", -1),
    ("arrays 1 prefix", True),
    ("arrays 1 extents", [None]),
    ("arrays 1 extents", [{"constant": 1}]),
    ("statements 0 domain", [{"rows": []}]),
]


@pytest.mark.parametrize(("path", "value"), MALFORMED)
def test_a_malformed_inventory_is_refused(path: str, value: object) -> None:
    """It is listed all the same, so that nothing is confirmed by it."""
    assert has_bounds(_changed(path, value), KEY)
    with pytest.raises(NotConfirmed):
        outside(_changed(path, value), KEY)


@cache
def certificate_of_c() -> str:
    task = ProofTask(laws=Laws(frozenset(LAWS)), executes=False)
    program_, c = (Source(str(file), file.read_text(encoding="utf-8")) for file in (MVT / "mvt.ab", MVT / "mvt-peer.c"))
    return document_of_c([prove_c(read_program(program_), c, task)], [program_])


@pytest.mark.slow
def test_the_bounds_of_a_proof_are_derived() -> None:
    """All accesses have a set that follows from the inventory, and one proof of it is not that of another array."""
    certificate = certificate_of_c()
    proofs = proofs_of(certificate, lambda place: None)
    record = json.loads(certificate)["programs"][0]
    bounds = [entry for entry in record["obligations"] if entry["key"]["kind"] == "C0"]
    reasons = dict(derived_outcomes(certificate.encode(), proofs.text.encode()))
    assert not proofs.missing
    assert set(reasons.values()) == {""}
    assert len(reasons) == len(bounds) > 5
    for array in record["inventory"]["arrays"]:
        array["extents"] = [total() for _ in array["extents"]]
    changed = json.dumps({**json.loads(certificate), "programs": [record]})
    others = dict(derived_outcomes(changed.encode(), proofs.text.encode()))
    assert others.keys() == reasons.keys()
    assert all(others.values())
