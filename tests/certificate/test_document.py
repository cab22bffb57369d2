"""The JSON document: what is wrong with one is said with its place in it."""

import json
from typing import Any

import pytest

from alphaz.certificate.document import Unusable, read, write
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.proof import isl_engine
from tests.certificate.sample_certificates import SAMPLES, certificate, older, records


@pytest.fixture(scope="module")
def text() -> str:
    return write(certificate(SAMPLES / "matrix-product" / "wrong-parallel-sum.cs"))


def test_the_same_certificate_gives_the_same_bytes(text: str) -> None:
    records.cache_clear()
    assert write(certificate(SAMPLES / "matrix-product" / "wrong-parallel-sum.cs")) == text


def test_what_is_proved_has_an_empty_set_and_what_is_refuted_a_witness(text: str) -> None:
    (system,) = json.loads(text)["systems"]
    for entry in system["obligations"]:
        assert entry["verdict"] in ("proved", "refuted")
        assert (entry["witness"] == "empty") == (entry["verdict"] == "proved")
        assert entry["isl"].startswith("[P, Q, R] -> { [")
        assert entry["places"]
    refuted = [entry for entry in system["obligations"] if entry["verdict"] == "refuted"]
    assert refuted
    assert all(entry["witness"]["P"] == 1 and entry["sentence"] for entry in refuted)


def test_a_change_shows_in_the_digest(text: str) -> None:
    document = json.loads(text)
    assert read(json.dumps(document))[1], "how it is written does not matter"
    document["systems"][0]["obligations"][0]["claim"] += "!"
    assert not read(json.dumps(document))[1]


def wrong(change: Any) -> Any:
    def changed(text: str) -> str:
        document = json.loads(text)
        change(document)
        return json.dumps(document)

    return changed


def violations(document: Any) -> Any:
    return document["systems"][0]["obligations"][1]["violations"]


def deep(depth: int) -> Any:
    """An absent set with so many others in it; the innermost one has a part that is not there."""
    stated: Any = {"names": [], "parts": [99], "without": [], "absent": []}
    for _ in range(depth):
        stated = {"names": [], "parts": [], "without": [], "absent": [stated]}
    return stated


WRONG = [
    (lambda text: "{", "it is no JSON"),
    (lambda text: "[" * 100_000, "it is"),
    (lambda text: "[]", "it is no certificate"),
    (lambda text: "{}", "it is no certificate"),
    (wrong(lambda d: d.update(version=1)), "it has version 1; this alphaz reads versions 5 and 6 and 7"),
    (wrong(lambda d: d.pop("files")), "the document lacks `files`"),
    (wrong(lambda d: d.update(more=1)), "the document has an unknown key `more`"),
    (wrong(lambda d: d.update(systems={})), "systems should be an array"),
    (wrong(lambda d: d["systems"][0].update(verdict=True)), r"systems\[0\].verdict should be a text"),
    (
        wrong(lambda d: d["systems"][0]["obligations"][1]["violations"].update(names=[1])),
        r"systems\[0\].obligations\[1\].violations.names\[0\] should be a text",
    ),
    (
        wrong(lambda d: d["systems"][0]["obligations"][1]["violations"].update(parts=[99])),
        r"systems\[0\].obligations\[1\].violations.parts: there is no part 99",
    ),
    (wrong(lambda d: violations(d).update(absent=[deep(400)])), "it is nested too deeply"),
    (wrong(lambda d: d.update(violations(d).update(absent=[deep(1)]) or {}, version=11)), r"\] should be an array"),
    (
        wrong(lambda d: violations(d).update(absent=[deep(1)], without=[0])),
        r"systems\[0\].obligations\[1\].violations.absent\[0\].absent\[0\].parts: there is no part 99",
    ),
    (wrong(lambda d: violations(d).update(without=[-1])), r"obligations\[1\].violations.without: there is no part -1"),
    (wrong(lambda d: violations(d).update(without=[[]])), r"violations.without\[0\] should be an integer"),
    (wrong(lambda d: d["systems"][0].pop("parts")), r"systems\[0\] lacks `parts`"),
    (
        wrong(lambda d: d["systems"][0]["inventory"].update(before=[["A"]])),
        r"systems\[0\].inventory.before\[0\] should have 2 elements",
    ),
    (
        wrong(lambda d: d["systems"][0]["inventory"]["context"][0]["rows"][0]["sum"]["terms"].update(N=1.5)),
        "terms.N should be an integer",
    ),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_no_certificate(text: str, change: Any, message: str) -> None:
    with pytest.raises(Unusable, match=message):
        read(change(text))


def without_private_memory(document: Any) -> None:
    for inventory in (system["inventory"] for system in document["systems"]):
        del inventory["kept"]
        for cell in (*inventory["cells"], *(inventory["ranks"] or {"ghosts": []})["ghosts"]):
            del cell["outer"]


def test_a_document_of_version_13_is_confirmed() -> None:
    """Its ranks have no scans."""
    script = SAMPLES / "distributed" / "prefix-sum" / "pipeline.cs"
    document = json.loads(write(certificate(script))) | {"version": 13}
    for system in document["systems"]:
        del system["inventory"]["ranks"]["scans"]
    result, _ = read(json.dumps(document))
    assert result.systems == records(script)


def test_a_number_of_dividends_without_obligations_is_refused(text: str) -> None:
    program = {"inventory": {"dividends": 10**12}, "obligations": []}
    with pytest.raises(Unusable):
        read(json.dumps(json.loads(text) | {"version": 13, "programs": [program]}))


def test_a_document_of_version_12_is_confirmed() -> None:
    """It has no overlapped tiles and no private memory."""
    script = SAMPLES / "distributed" / "prefix-sum" / "pipeline.cs"
    document = json.loads(write(certificate(script))) | {"version": 12}
    without_private_memory(document)
    result, _ = read(json.dumps(document))
    assert result.systems == records(script)


def test_a_document_of_version_10_is_confirmed() -> None:
    """It has no distributed mappings."""
    script = SAMPLES / "matrix-product" / "mm-tiled.cs"
    document = older(certificate(script), 10)
    without_private_memory(document)
    for system in document["systems"]:
        del system["inventory"]["ranks"]
    result, _ = read(json.dumps(document))
    assert result.systems == records(script)


def test_a_document_of_version_9_is_confirmed() -> None:
    """It has no sizes of tiles, and its witnesses have no values for auxiliary names."""
    script = SAMPLES / "matrix-product" / "mm-tiled.cs"
    document = older(certificate(script), 9)
    for system in document["systems"]:
        del system["inventory"]["in_place"], system["inventory"]["ranks"]
        for band in system["inventory"]["bands"]:
            for key in {*band} - {"prefix", "first", "last"}:
                del band[key]
        for entry in system["obligations"]:
            del entry["key"]["sized"]
    assert any(system["inventory"]["bands"] for system in document["systems"])
    result, _ = read(json.dumps(document))
    assert [entry.key for entry in result.systems[0].obligations] == [
        entry.key for entry in records(script)[0].obligations
    ]
    checks = [check for record in result.systems for check in recheck(record, isl_engine.decide)]
    assert {check.outcome for check in checks} == {RecheckOutcome.AGREES}
