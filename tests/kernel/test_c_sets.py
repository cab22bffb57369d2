"""The sets about C that the kernel derives: small inventories written by hand, and the peers of kernels."""

import json
from functools import cache
from typing import Any

import pytest

from alphaz.analysis.read import read_program
from alphaz.cli.certificate_documents import c_certificate_text
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from alphaz.kernel.c_sets import derived_of_c
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.kernel.checker import NotConfirmed, check, goal_of
from alphaz.proof.refute.document import proofs_of
from alphaz.proof.refute.search import NotRefuted, proof_of
from tests.certificate.sample_certificates import SAMPLES
from tests.kernel.small_sets import Json, at_least, case, equal, total

MVT = SAMPLES / "kernels" / "mvt"
KEY: Json = {"kind": "C0", "read": None, "families": {"statement": 0, "access": 1}, "tiled": False, "sized": False}


def inventory(read: Json, extent: Json | None = None) -> Json:
    """For i from 0 to N - 1 and each copy c, the statement reads A[c][read] of an array of N elements."""
    accesses = [{"array": "s", "subscripts": []}, {"array": "A", "subscripts": [total(c=1), read]}]
    array = {"name": "A", "type": "double", "prefix": 1, "extents": [extent or total(N=1)], "writers": []}
    array |= {"limit": None, "subscripts": [], "held": None}
    statement: Json = {
        "name": "line 3",
        "names": ["c", "i"],
        "domain": [[case(at_least(i=1), at_least(-1, N=1, i=-1))]],
    }
    statement |= {"accesses": accesses, "value": None, "lock": None, "reductions": [], "place": None}
    scalar = {**array, "name": "s", "prefix": 0, "extents": [], "writers": [0]}
    return {"parameters": ["N"], "arrays": [scalar, array], "statements": [statement]}


def is_proved(document: Json) -> bool:
    goal = goal_of(*derived_of_c(document, KEY))
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


def test_an_extent_that_is_a_limit() -> None:
    """The greater one of N and c, or the smaller one, of which one case each says less than the other one."""
    greatest, least = (
        [case(at_least(limit=1, N=-1), at_least(limit=1, c=-1)), case(at_least(-1, limit=1))],
        [case(at_least(limit=-1, N=1), at_least(limit=-1, c=1))],
    )
    for cases, expected in ((greatest[:1], True), (greatest, False), (least, False), ([], True)):
        value = inventory(total(i=1), total(limit=1))
        value["arrays"][1]["limit"] = {"name": "limit", "cases": cases}
        assert is_proved(value) is expected
    value["arrays"][1]["limit"]["name"] = "i"
    with pytest.raises(NotConfirmed, match="stands twice"):
        derived_of_c(value, KEY)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([at_least(x=1), at_least(-1, N=1, x=-1)], True),
        ([at_least(-1, x=1)], False),
        ([at_least(-2, N=1, x=-1)], False),
        ([equal(x=1)], False),
        ([], True),
    ],
)
def test_an_array_of_which_some_cells_are_held(rows: list[Json], expected: bool) -> None:
    value = inventory(total(i=1))
    value["arrays"][1] |= {"held": case(*rows), "subscripts": ["x"], "extents": []}
    assert is_proved(value) is expected


@pytest.mark.parametrize(("dividend", "expected"), [(total(i=1), True), (total(-1, i=1), False), (total(1), True)])
def test_a_dividend(dividend: Json, expected: bool) -> None:
    value = inventory(total(i=1))
    value["dividends"] = [{"names": ["c", "i"], "domain": value["statements"][0]["domain"][0], "value": dividend}]
    assert is_derived(value, "C0", dividend=0) is expected


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
    ("arrays 1 extents", []),
    ("arrays 1 extents", [total(limit=1)]),
    ("arrays 1 limit", {"name": "x"}),
    ("arrays 1 held", case()),
    ("arrays 1 extents", [{"constant": 1}]),
    ("statements 0 domain", [[{"rows": []}]]),
    ("statements 0 domain", [case()]),
]


@pytest.mark.parametrize(("path", "value"), MALFORMED)
def test_a_malformed_inventory_is_refused(path: str, value: object) -> None:
    with pytest.raises(NotConfirmed):
        derived_of_c(_changed(path, value), KEY)


# --- sums -------------------------------------------------------------------------------------------------------------

ROWS = [[case(at_least(i=1), at_least(-1, N=1, i=-1), at_least(j=1), at_least(-1, N=1, j=-1))]]


def sums(**changes: Any) -> Any:
    """For all i, j below N the statement adds item [i,j] to the sum of row i, in s[i]; line 2 starts it for all i."""
    add: Json = {"name": "line 4", "names": ["i", "j"], "domain": ROWS, "value": None, "lock": None, "reductions": []}
    add |= {"accesses": [{"array": "s", "subscripts": [total(i=1)]}], "place": None}
    start = {**add, "name": "line 2", "names": ["i"], "domain": [[case(at_least(i=1), at_least(-1, N=1, i=-1))]]}
    claim: Json = {"role": "start", "statement": 0, "key": "row", "point": [total(i=1)], "case": 0, "shares": []}
    claims = [{**claim, "domain": start["domain"], "needs": []}]
    shares = [{"item": 0, "body": [total(i=1), total(j=1)]}, {"item": 1, "body": [total(i=1), total(j=1)]}]
    claims.append({**claims[0], "role": "share", "statement": 1, "domain": ROWS, "shares": shares})
    return {"parameters": ["N"], "statements": [start, add], "claims": claims, **changes}


def is_derived(document: Json, kind: str, **families: int) -> bool:
    key = {**KEY, "kind": kind, "families": {name.replace("_", " "): value for name, value in families.items()}}
    goal = goal_of(*derived_of_c(document, key))
    try:
        check(goal, proof_of(goal, 2_000))
    except NotRefuted:
        return False
    return True


TWICE = {"source": 1, "other": 1, "share": 0, "other_share": 0}
ONLY_EVEN = case(at_least(i=1), at_least(-1, N=1, i=-1), at_least(j=1), at_least(-2, N=1, j=-2))
BEHIND = case(at_least(i=1), at_least(-1, N=1, i=-1), at_least(j=1, N=-1), at_least(5, N=1, j=-1))


def changed_claim(**changes: Any) -> Any:
    document = sums()
    document["claims"][1].update(changes)
    return document


def added_again(domain: list[list[Json]], **changes: Any) -> Any:
    """A second claim about instances that add to the sums."""
    document = sums()
    document["claims"].append({**document["claims"][1], "domain": domain, **changes})
    return document


def body(*index: Json) -> list[Json]:
    return [{"item": 0, "body": list(index)}]


IN_SUMS: list[tuple[Any, bool]] = [
    (sums(), True),
    (changed_claim(shares=body(total(i=1), total(-1, N=1, j=-1))), True),
    (changed_claim(shares=body(total(i=1), total())), False),
    (changed_claim(shares=body(total(j=1), total(j=1))), True),
    (changed_claim(shares=body(total(i=1), total(i=1, j=1))), True),
    (changed_claim(shares=body(total(), total(i=1, j=1))), True),
    (changed_claim(point=[total()], shares=body(total(), total(i=1, j=1))), True),
    (changed_claim(domain=[[ONLY_EVEN]], shares=body(total(i=1), total(j=2))), True),
    (changed_claim(domain=[[case()]], shares=body(total(i=1), total(j=1))), True),
    (changed_claim(domain=[[]]), True),
]


@pytest.mark.parametrize(("document", "expected"), IN_SUMS)
def test_nothing_is_added_twice_by_one_claim(document: Any, expected: bool) -> None:
    assert is_derived(document, "R1", **TWICE) is expected


def test_two_items_of_one_instance() -> None:
    """Items 0 and 0 of one instance are added twice by it."""
    document = changed_claim(shares=[*body(total(i=1), total(j=1)), *body(total(i=1), total(j=1))])
    assert not is_derived(document, "R1", source=1, other=1, share=0, other_share=1)
    with pytest.raises(NotConfirmed, match="two items"):
        is_derived(sums(), "R1", source=1, other=1, share=0, other_share=1)


@pytest.mark.parametrize(
    ("domain", "expected"), [([[ONLY_EVEN]], False), ([[BEHIND]], True), ([[]], True), (ROWS, False)]
)
def test_nothing_is_added_by_two_claims(domain: list[list[Json]], expected: bool) -> None:
    document = added_again(domain)
    assert is_derived(document, "R1", source=1, other=2, share=0, other_share=0) is expected


def test_one_cell_for_many_sums() -> None:
    document = sums()
    document["statements"][0]["accesses"][0]["subscripts"] = [total()]
    assert is_derived(document, "R4", source=0, other=0), "the sums are different ones"
    document["claims"][0]["point"] = [total()]
    assert not is_derived(document, "R4", source=0, other=0)


def test_a_sum_is_started_once() -> None:
    assert is_derived(sums(), "R4", source=0, other=0)
    document = sums()
    document["claims"].append({**document["claims"][0]})
    assert is_derived(document, "R4", source=0, other=2), "two claims about the instances of one statement"
    document["claims"][2]["statement"] = 1
    assert not is_derived(document, "R4", source=0, other=2), "another statement starts it as well"
    assert not is_derived(document, "R4", source=2, other=2), "it does so for all j"
    document["claims"][2]["key"] = "other"
    with pytest.raises(NotConfirmed, match="never in one cell"):
        is_derived(document, "R4", source=0, other=2)


def node(kind: str, *children: Json, number: int | None = None) -> Json:
    return {"kind": kind, "numbers": [] if number is None else [number], "children": list(children)}


@pytest.mark.parametrize(("blocks", "step"), [([0, 1], 1), ([0, 1], -1), ([1, 0], 1)])
def test_items_are_added_in_order(blocks: list[int], step: int) -> None:
    """The loops that start all sums and that add to them, in this order; j goes up or down."""
    start, add = node("statement", number=0), node("loop", node("statement", number=1), number=1)
    around = [node("loop", start, number=0), node("loop", add, number=0)]
    loops = [{"iterator": name, "step": by, "order": "sequential"} for name, by in (("i", 1), ("j", step))]
    document = sums(loops=loops, order=node("sequence", *(around[at] for at in blocks)))
    assert is_derived(document, "R2", source=0, other=1) is (blocks == [0, 1])
    for share, other_share in ((0, 0), (0, 1), (1, 0)):
        families = {"source": 1, "other": 1, "share": share, "other_share": other_share}
        assert is_derived(document, "R6", **families) is (step == 1)


def test_a_malformed_sum_is_refused() -> None:
    changes: list[Json] = [{"claims": []}, {"claims": [{}] * 2}, {"statements": []}]
    for change in changes:
        with pytest.raises(NotConfirmed):
            is_derived(sums(**change), "R1", **TWICE)
    for families in ({"source": 1, "share": 0}, {"source": 1, "other": -1, "share": 0}, TWICE | {"share": 2}):
        with pytest.raises(NotConfirmed):
            is_derived(sums(), "R1", **families)
    with pytest.raises(NotConfirmed, match="no such kind"):
        derived_of_c(sums(), {**KEY, "kind": "R7"})


@cache
def certificate_of_c() -> str:
    task = ProofTask(laws=Laws(frozenset(LAWS)), executes=False)
    program_, c = (Source(str(file), file.read_text(encoding="utf-8")) for file in (MVT / "mvt.ab", MVT / "mvt-peer.c"))
    return c_certificate_text([prove_c(read_program(program_), c, task)], [program_])


@pytest.mark.slow
def test_the_sets_of_a_proof_are_derived() -> None:
    """All sets follow from the inventory, and their proofs are not those of others."""
    certificate = certificate_of_c()
    proofs = proofs_of(certificate, lambda place: None)
    record = json.loads(certificate)["programs"][0]
    kinds = [entry["key"]["kind"] for entry in record["obligations"]]
    reasons = dict(derived_outcomes(certificate.encode(), proofs.text.encode()))
    assert not proofs.missing
    assert set(reasons.values()) == {""}
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "C0": 10, "C1": 8, "C4": 2, "R1": 8, "R2": 2, "R3": 4, "R4": 2
    }  # fmt: skip
    assert len(proofs.shared) > len(proofs.derived) > 0
    for array in record["inventory"]["arrays"]:
        array["extents"] = [total() for _ in array["extents"]]
    for claim in record["inventory"]["claims"]:
        claim["point"] = [total() for _ in claim["point"]]
        claim["shares"] = [{**share, "body": [total() for _ in share["body"]]} for share in claim["shares"]]
    for statement in record["inventory"]["statements"]:
        statement["accesses"][0]["subscripts"] = [total() for _ in statement["accesses"][0]["subscripts"]]
    changed = json.dumps({**json.loads(certificate), "programs": [record]})
    others = dict(derived_outcomes(changed.encode(), proofs.text.encode()))
    assert others.keys() == reasons.keys()
    assert {kind for kind, reason in zip(kinds, others.values(), strict=False) if reason} >= {"C0", "C1", "R1"}
