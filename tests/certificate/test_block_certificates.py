"""Certificates of kernels of a GPU: confirmed, and refused where a barrier or a team was changed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from alphaz.certificate.c_inventory import CInventory, COrder, CRecord
from alphaz.certificate.document import Certificate, read, write
from alphaz.certificate.mapping_inventory import PROVED
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.cli.certificate_documents import c_certificate_text
from alphaz.diagnostics import Source
from alphaz.proof import isl_engine
from tests.cases.proofs import proof_of, verdict_of
from tests.certificate.typed_proofs import record


@pytest.fixture(scope="module")
def proved() -> CRecord:
    return record(verdict_of(proof_of("cuda", "a vector in shared memory, used under a guard")))


def complaints(of: CRecord) -> list[str]:
    return [check.text for check in recheck(of, isl_engine.engine()[1]) if check.outcome is not RecheckOutcome.AGREES]


def with_order(of: CRecord, order: COrder) -> CRecord:
    assert of.inventory is not None
    return replace(of, inventory=replace(of.inventory, order=order))


def inventory(of: CRecord) -> CInventory:
    assert of.inventory is not None
    return of.inventory


def nodes(node: COrder) -> Iterator[COrder]:
    yield node
    for child in node.children:
        yield from nodes(child)


def changed(node: COrder, kind: str, new: COrder) -> COrder:
    return (
        new if node.kind == kind else replace(node, children=tuple(changed(item, kind, new) for item in node.children))
    )


def test_it_is_confirmed(proved: CRecord) -> None:
    assert proved.verdict == PROVED
    assert len(inventory(proved).barriers) == 2
    assert complaints(proved) == []


def test_what_is_stated_is_what_was_decided() -> None:
    for document, name in (
        ("cuda", "a vector in shared memory, used under a guard"),
        ("cuda", "a barrier under the guard"),
        ("cuda-copies", "elements of other threads"),
        ("cuda-copies", "a wait of some threads"),
    ):
        proof = verdict_of(proof_of(document, name)).proof
        for answer in () if proof is None else proof.answers:
            stated, decided = answer.question.stated().domain(), answer.question.violations()
            assert stated.equals(decided.renamed(stated.space.names)), answer.question.claim


def test_the_document_keeps_barriers(proved: CRecord) -> None:
    certificate, intact = read(write(Certificate({}, (), (), (proved,))))
    assert intact
    assert certificate.programs == (proved,)


def test_each_barrier_is_asked_about(proved: CRecord) -> None:
    rest = tuple(entry for entry in proved.obligations if entry.key.kind != "C7")
    assert len(rest) == len(proved.obligations) - 2
    assert any("an obligation is not listed: C7" in text for text in complaints(replace(proved, obligations=rest)))


def test_barriers_are_those_of_the_inventory(proved: CRecord) -> None:
    less = replace(proved, inventory=replace(inventory(proved), barriers=inventory(proved).barriers[:1]))
    assert any("a barrier that the inventory does not have" in text for text in complaints(less))


def test_a_race_is_asked_about_without_a_barrier() -> None:
    proved = record(verdict_of(proof_of("cuda", "a sum by the threads of one block")))
    assert complaints(proved) == []
    order = inventory(proved).order
    assert order is not None
    assert {node.kind for node in nodes(order)} >= {"team", "barrier"}
    bare = changed(order, "barrier", COrder("sequence", (), ()))
    assert any("an obligation is not listed: C6" in text for text in complaints(with_order(proved, bare)))


def test_threads_are_in_a_team(proved: CRecord) -> None:
    order = inventory(proved).order
    assert order is not None
    team = next(node for node in nodes(order) if node.kind == "team")
    loop = changed(order, "team", replace(team, kind="loop"))
    assert any("the threads of a GPU outside of a team" in text for text in complaints(with_order(proved, loop)))


def test_copies_in_flight_have_no_certificate() -> None:
    case = proof_of("cuda-copies", "an element of each thread")
    verdict = verdict_of(case)
    certificate, _ = read(c_certificate_text([verdict], [Source("scale.ab", case.equations)]))
    (stated,) = certificate.programs
    assert verdict.is_proved
    assert stated.verdict != PROVED
