"""Certificates of proofs of C: both engines decide them again, and what was changed in one is caught."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from alphaz.certificate import smt
from alphaz.certificate.c_inventory import CInventory, CRecord
from alphaz.certificate.c_required_obligations import missing
from alphaz.certificate.document import Certificate, read, write
from alphaz.certificate.engine_answer import Decide, Decision
from alphaz.certificate.mapping_inventory import PROVED, UNDECIDED
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.violation_sets import Absent, ConstraintRow, LinearSum, ViolationCase, Violations, faults
from alphaz.equivalence import claim_inference, expression_matching
from alphaz.equivalence.claim_inference import Laws
from alphaz.proof import isl_engine
from alphaz.proof.certificate_formulas import formula_of
from tests.certificate.sample_certificates import SAMPLES, certificate, older
from tests.certificate.typed_proofs import record
from tests.cli.command_line import ask
from tests.equivalence.asking import KERNELS, asked, foreign, peer, verdict

pytestmark = pytest.mark.slow

ENGINES: tuple[Callable[[], tuple[str, Decide]], ...] = (isl_engine.engine, smt.engine)


@pytest.fixture(scope="module")
def proved() -> CRecord:
    return record(verdict("lu", peer("lu")))


def complaints(of: CRecord, engine: Callable[[], tuple[str, Decide]]) -> list[str]:
    return [check.text for check in recheck(of, engine()[1]) if check.outcome is not RecheckOutcome.AGREES]


def never(entry: object, at: object) -> object:
    raise AssertionError("no engine is asked")


@pytest.mark.parametrize("engine", ENGINES)
def test_both_engines_confirm_it(proved: CRecord, engine: Callable[[], tuple[str, Decide]]) -> None:
    assert proved.verdict == PROVED
    assert complaints(proved, engine) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_certificates_of_threads_are_confirmed(engine: Callable[[], tuple[str, Decide]]) -> None:
    result = record(verdict("lu", foreign("lu--threads")))
    assert result.verdict == PROVED
    assert result.inventory is not None
    assert {loop.order for loop in result.inventory.loops} >= {"parallel"}
    assert complaints(result, engine) == []


@pytest.mark.parametrize("kernel", ["lu", "trisolv"])
def test_what_is_stated_is_what_was_decided(kernel: str) -> None:
    """Sets as they are stated, and those that isl took apart: the same, in a proof and in one that fails."""
    for source in (peer(kernel), peer(kernel).replace("j < i", "j <= i", 1)):
        result = verdict(kernel, source)
        assert result.proof is not None
        for answer in result.obligations:
            stated, taken_apart = answer.question.stated().domain(), answer.question.violations()
            assert stated.equals(taken_apart.renamed(stated.space.names)), answer.question.claim


def test_a_value_that_nothing_writes_is_lost() -> None:
    """Where nothing is overwritten, what is stated is what was decided as well."""
    result = verdict("lu", peer("lu"))
    questions = [answer.question for answer in result.obligations if answer.question.family == "C4"]
    assert questions
    for question in questions:
        assert isinstance(question.violations, partial)
        reader, sources, _ = question.violations.args
        lost = question.violations.func(reader, (), ())
        assert question.violations.func(reader, sources, ()).is_empty()
        assert not lost.is_empty()
        assert lost.equals(reader.who.domain)


def test_what_is_left_out_is_named(proved: CRecord) -> None:
    for entry in proved.obligations:
        rest = tuple(obligation for obligation in proved.obligations if obligation.id != entry.id)
        first = next(iter(recheck(replace(proved, obligations=rest), never)))  # type: ignore[arg-type]
        assert first.outcome is RecheckOutcome.DISAGREES
        assert first.text == f"an obligation is not listed: {entry.key}"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_order_that_counts_is_part_of_it(engine: Callable[[], tuple[str, Decide]]) -> None:
    exact = record(verdict("atax", peer("atax"), laws=Laws(is_exact=True)))
    assert exact.verdict == PROVED
    assert complaints(exact, engine) == []
    for entry in (obligation for obligation in exact.obligations if obligation.key.kind == "R6"):
        rest = tuple(obligation for obligation in exact.obligations if obligation is not entry)
        assert missing(replace(exact, obligations=rest)) == (f"an obligation is not listed: {entry.key}",)


def test_what_it_may_follow_from_is_said(proved: CRecord) -> None:
    """No engine answers: of what z3 proved it is said that this may have been by a lemma."""

    def silent(*_: object) -> Decision:
        return Decision(None, "no answer")

    for how, words in (("z3", "from stronger statements"), ("isl", "")):
        entries = tuple(replace(obligation, how=how) for obligation in proved.obligations)
        checks = list(recheck(replace(proved, obligations=entries), silent))
        assert {check.outcome for check in checks} == {RecheckOutcome.UNKNOWN}
        assert all(
            ("from stronger statements" in check.text) == bool(words) for check in checks if check.entry is not None
        )


def test_every_need_and_every_output_has_a_reader(proved: CRecord) -> None:
    inventory = proved.inventory
    assert inventory is not None
    for number, reader in enumerate(inventory.readers):
        others = (*inventory.readers[:number], *inventory.readers[number + 1 :])
        same = [
            other
            for other in others
            if (other.claim, other.need, other.text) == (reader.claim, reader.need, reader.text)
        ]
        if not same:
            changed = replace(proved, inventory=replace(inventory, readers=others))
            assert any(text.startswith("no reader") for text in missing(changed))


def _one_writer_less(inventory: CInventory) -> CInventory:
    return replace(inventory, arrays=tuple(replace(array, writers=array.writers[1:]) for array in inventory.arrays))


def _a_statement_of_nothing(inventory: CInventory) -> CInventory:
    first, *rest = inventory.claims
    return replace(inventory, claims=(replace(first, statement=99), *rest))


@pytest.mark.parametrize(
    ("change", "said"),
    [(_one_writer_less, "does not list all writers of"), (_a_statement_of_nothing, "speaks of statement 99")],
)
def test_an_inventory_that_contradicts_itself(
    proved: CRecord, change: Callable[[CInventory], CInventory], said: str
) -> None:
    assert proved.inventory is not None
    (text,) = (
        check.text
        for check in recheck(replace(proved, inventory=change(proved.inventory)), isl_engine.engine()[1])
        if check.outcome is RecheckOutcome.DISAGREES
    )
    assert said in text


@pytest.mark.parametrize("engine", ENGINES)
def test_a_dropped_constraint_is_caught_where_the_proof_needs_it(
    proved: CRecord, engine: Callable[[], tuple[str, Decide]]
) -> None:
    """Some sets state the absence of writers: with fewer constraints they may no longer prove it."""
    caught = 0
    for entry in (obligation for obligation in proved.obligations if obligation.key.kind == "C1"):
        for at, absent in enumerate(entry.violations.absent):
            narrow = replace(
                absent, parts=((ViolationCase((ConstraintRow(LinearSum({}, -1), False),), ()),), *absent.parts)
            )
            rest = (*entry.violations.absent[:at], narrow, *entry.violations.absent[at + 1 :])
            changed = replace(entry.violations, absent=rest)
            forged = replace(entry, violations=changed, isl=formula_of(changed).text())
            caught += engine()[1](forged, None).empty is False
    assert caught


def test_a_verdict_that_does_not_follow(proved: CRecord) -> None:
    (first, *rest) = proved.obligations
    forged = replace(proved, obligations=(replace(first, verdict=UNDECIDED, reason="no time"), *rest))
    assert "the verdict says proved, and an obligation is not" in complaints(forged, isl_engine.engine)
    assert complaints(replace(proved, verdict="refuted"), isl_engine.engine) == [
        "it was refuted: only a proof can be confirmed"
    ]


def test_names_of_what_is_absent_stand_once() -> None:
    inside = Absent(("i",), (), (), ())
    assert faults(Violations(("N",), ("i",), (), (), (), (inside,))) == "a name of the set stands twice"
    unknown = Absent(("j",), ((ViolationCase((ConstraintRow(LinearSum({"k": 1}, 0), True),), ()),),), (), ())
    assert "nothing declares k" in faults(Violations(("N",), ("i",), (), (), (), (unknown,)))


def test_the_document_comes_back(proved: CRecord) -> None:
    text = write(Certificate({}, (), (), (proved,)))
    again, is_intact = read(text)
    assert is_intact
    assert again.programs == (proved,)


def test_a_document_of_version_5_is_read() -> None:
    new = certificate(SAMPLES / "matrix-chain" / "mcm.cs")
    document = older(new, 5)
    del document["programs"], document["digest"]
    for system in document["systems"]:
        for entry in (*system["separations"], *system["obligations"]):
            del entry["violations"]["absent"]
    compact = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    document["digest"] = hashlib.sha256(compact.encode()).hexdigest()
    again, is_intact = read(json.dumps(document))
    assert is_intact
    assert again == new


def test_a_document_of_version_11_is_confirmed(proved: CRecord) -> None:
    """Its absent sets have their parts in them, and there is a text for isl of each set. It has no cells of outputs."""
    document = older(Certificate({}, (), (), (proved,)), 11)
    for entry, stated in zip(document["programs"][0]["obligations"], proved.obligations, strict=True):
        entry["isl"] = formula_of(stated.violations).text()
    (program,) = read(json.dumps(document))[0].programs
    assert [entry.violations for entry in program.obligations] == [entry.violations for entry in proved.obligations]
    reason = "the output has no points"
    assert complaints(program, isl_engine.engine) == [f"whether the inventory covers outputs[0] is not known: {reason}"]


def test_a_text_for_isl_is_of_the_same_set(proved: CRecord) -> None:
    """It may be left out, as it is for C."""
    (entry, *others) = proved.obligations
    assert entry.isl == ""
    text, *texts = (formula_of(obligation.violations).text() for obligation in (entry, *others))
    assert isl_engine.decide(replace(entry, isl=text)).empty
    other = next(other for other in texts if other != text)
    decision = isl_engine.decide(replace(entry, isl=other))
    assert decision.reason == "its isl text and its plain data are not the same set"


OLDER = (6, 7, 8)


@pytest.mark.parametrize("version", OLDER)
def test_an_older_document_has_no_order(proved: CRecord, version: int) -> None:
    """It is read, and not confirmed."""
    document = older(Certificate({}, (), (), (proved,)), version)
    inventory = document["programs"][0]["inventory"]
    del inventory["order"]
    if version < 8:
        del inventory["values"]
    for name, key in (("statements", "operations"), ("claims", "operations"), ("arrays", "type"), ("sums", "type")):
        for item in inventory[name]:
            if name == "statements":
                item["date"] = [{"kind": "place", "number": 0}]
            if version < 8:
                item.pop("value", None)
            if version == 6:
                item.pop(key, None)
            elif version == 7 and key == "operations":
                item[key] = [{"operator": "+", "type": "double"}]
    (program,) = read(json.dumps(document))[0].programs
    assert program.inventory is not None
    (text,) = complaints(program, isl_engine.engine)
    assert text.endswith("so accesses at once cannot be counted: prove it again")


WIDE = (
    "affine s {N | N>=1}\ninput\n int x, y, z {i | 0<=i<N};\noutput\n long c {i | 0<=i<N};\n"
    "local\n long X {i | 0<=i<N};\nlet\n X[i] = x[i];\n c[i] = X[i] * y[i] * z[i];\n.\n"
)
NARROW = (
    "void s(int n, const int *x, const int *y, const int *z, long *c)\n"
    "{ for (int i = 0; i < n; i++) c[i] = (long)z[i] * (y[i] * x[i]); }\n"
)
TOTAL = "affine s {N | N>=1}\ninput\n int x {i | 0<=i<N};\noutput\n long c;\nlet\n c = reduce(+, [i], x[i]);\n.\n"
INT_TOTAL = "void s(int n, const int *x, long *c) { int a = 0; for (int i = 0; i < n; i++) a += x[i]; *c = a; }\n"


def test_types_that_a_wrong_matcher_takes_for_one_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = Laws(frozenset({"associativity"}))
    monkeypatch.setattr(expression_matching, "_is_regrouped", lambda node, operator, _: node.operator == operator)
    monkeypatch.setattr(claim_inference, "sum_types_agree", lambda *_: True)
    product, total = record(asked(WIDE, NARROW, laws)), record(asked(TOTAL, INT_TOTAL, laws))
    assert (product.verdict, total.verdict) == (PROVED, PROVED)
    wanted = "line 2 computes `*` in int, the equations compute c in long"
    assert wanted in complaints(product, isl_engine.engine)
    assert any("does not hold: it is" in text for text in complaints(product, isl_engine.engine))
    assert any("sums up c in int, the equations in long" in text for text in complaints(total, isl_engine.engine))


def test_prove_and_run_write_it(tmp_path: Path) -> None:
    kernel = KERNELS / "trisolv"
    of_c, of_both = tmp_path / "c.json", tmp_path / "both.json"
    assert ask("prove", "--certificate", of_c, kernel / "trisolv.ab", kernel / "trisolv-peer.c").code == 0
    again = ask("recheck", "--sources", of_c)
    assert (again.code, "trisolv computes trisolv: proved" in again.out) == (0, True)
    assert ask("run", "--prove", "--certificate", of_both, "-o", tmp_path, kernel / "trisolv.cs").code == 0
    again = ask("recheck", "--sources", "--engine", "smt", of_both)
    assert (again.code, "trisolv.cs: trisolv: proved" in again.out) == (0, True)
    text = (tmp_path / "trisolv.c").read_text().splitlines()
    (program,) = json.loads(of_both.read_text())["programs"]
    for statement in program["inventory"]["statements"]:
        assert "= " in text[statement["place"]["line"] - 1]
    (tmp_path / "trisolv.c").write_text("/* another */")
    assert ask("recheck", "--sources", of_both).code == 1


def test_a_certificate_of_generated_c_is_one_of_a_proof(tmp_path: Path) -> None:
    answer = ask("run", "--certificate", tmp_path / "x.json", KERNELS / "trisolv" / "trisolv.cs")
    assert (answer.code, "--prove" in answer.err) == (2, True)


def test_a_proof_that_ended_early_has_a_certificate() -> None:
    """Its sum is read by no obligation, but has some on its items."""
    result = record(verdict("symm", peer("symm")))
    assert result.verdict == UNDECIDED
    assert any(entry.key.kind == "R1" for entry in result.obligations)
    assert any("only a proof can be confirmed" in text for text in complaints(result, isl_engine.engine))
