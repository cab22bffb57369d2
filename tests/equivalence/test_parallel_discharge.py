"""Questions shared out among processes: the same verdicts in the same words, and nothing more is proved."""

import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from alphaz.diagnostics import Source
from alphaz.diagnostics.render import FORMATS
from alphaz.equivalence import c_proof as proving
from alphaz.equivalence import claim_pruning
from alphaz.equivalence.c_proof import Answer, Effort, answered
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.claims import Claims
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.parallel_discharge import discharge_in_parallel
from alphaz.equivalence.proof_context import ProofContext
from alphaz.processes.copies import can_fork
from alphaz.processes.pool import shared_out
from alphaz.proof import Undecided
from tests.cli.command_line import ask
from tests.equivalence.asking import ALL_LAWS, DOUBLED, KERNELS, generated, peer, program, with_claims
from tests.equivalence.test_questions import TEMPORARY, asked
from tests.thinning import thinned

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_fork(), reason="this process cannot be copied")]

CASES: dict[str, tuple[str, Callable[[], str], Laws]] = {
    "proved": ("lu", lambda: peer("lu"), ALL_LAWS),
    "generated": ("adi", lambda: generated("adi"), ALL_LAWS),
    "a bound one off": ("lu", lambda: peer("lu").replace("k < j", "k <= j", 1), ALL_LAWS),
    "out of bounds": ("jacobi-1d", lambda: generated("jacobi-1d").replace("< N", "<= N", 1), ALL_LAWS),
    "by other laws": ("gemm", lambda: peer("gemm"), Laws()),
    "not understood": ("seidel-2d", lambda: peer("seidel-2d"), Laws()),
}


def _proved(kernel: str, text: str, task: ProofTask) -> CVerdict:
    return prove_c(program(kernel), Source(f"{kernel}.c", text), task)


def _said(found: CVerdict) -> tuple[object, ...]:
    """Everything but the times."""
    asked = [
        (obligation.question.family, obligation.question.claim, obligation.verdict) for obligation in found.obligations
    ]
    return str(found), asked, FORMATS["text"](found.findings), FORMATS["json"](found.findings)


@pytest.mark.parametrize("case", thinned(CASES, 6))
def test_the_answers_are_those_of_one_process(case: str) -> None:
    kernel, text, laws = CASES[case]
    executes = case == "a bound one off"
    several = 2 + list(CASES).index(case) % 2
    alone, shared = (
        _proved(kernel, text(), ProofTask(laws=laws, executes=executes, jobs=jobs)) for jobs in (1, several)
    )
    assert _said(shared) == _said(alone)
    assert alone.verdict == ("refuted" if executes else "proved" if case in ("proved", "generated") else "undecided")


def test_tuned_code_is_proved_with_what_others_find_out() -> None:
    text, told = with_claims("atax", "atax-tuned")
    alone, two = (_proved("atax", text, ProofTask(executes=False, annotations=told, jobs=jobs)) for jobs in (1, 2))
    assert alone.is_proved
    assert _said(two) == _said(alone)


def test_what_is_undecided_is_so_in_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def bounded(question: KernelObligation, proof_context: ProofContext, operations: int) -> Answer:
        if question.family == "C4":
            return Answer(question, 0.0, Undecided(f"more than {operations} operations"))
        return answered(question, proof_context, operations)

    monkeypatch.setattr(proving, "answered", bounded)
    alone, two = (_proved("lu", peer("lu"), ProofTask(laws=ALL_LAWS, executes=False, jobs=jobs)) for jobs in (1, 2))
    assert alone.verdict == "undecided"
    assert _said(two) == _said(alone)


def test_what_is_bounded_as_a_whole_is_done_in_one_process() -> None:
    assert ProofTask(jobs=2).spread is not None
    assert ProofTask(jobs=1).spread is None
    assert ProofTask(jobs=2, effort=Effort(seconds=1.0)).spread is None
    assert ProofTask(jobs=2, effort=Effort(inference=1000)).spread is None


def test_what_a_process_dies_of_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    def deadly(question: KernelObligation, proof_context: ProofContext, operations: int) -> Answer:
        if question.family == "C4" and "A_1" not in question.claim:
            os.kill(os.getpid(), signal.SIGKILL)
        return answered(question, proof_context, operations)

    monkeypatch.setattr(proving, "answered", deadly)
    found = _proved("lu", peer("lu"), ProofTask(laws=ALL_LAWS, executes=False, jobs=2))
    lost = [obligation for obligation in found.obligations if obligation.question.family == "C4"]
    assert lost
    assert {each.verdict for each in lost} == {Undecided("its process ended with signal SIGKILL")}
    assert all(obligation.is_proved for obligation in found.obligations if obligation.question.family != "C4")
    assert found.verdict == "undecided"
    assert "its process ended with signal SIGKILL" in str(_said(found))
    assert len(found.obligations) == 56


def _inquiry() -> ProofContext:
    found = _proved("lu", peer("lu"), ProofTask(laws=ALL_LAWS, executes=False))
    assert found.proof is not None
    return found.proof.proof_context


def test_facts_reach_the_others_and_this_process() -> None:
    proof_context = _inquiry()
    proof_context.facts.clear()
    statement = proof_context.kernel.statements[0]

    def work(task: int) -> bool:
        # Only the first one knows by itself.
        is_odd = proof_context.once("odd", (statement,), lambda: task == 0)
        return is_odd and not proof_context.once("even", (statement,), lambda: task != 0)

    spread = partial(shared_out, jobs=1)
    assert dict(discharge_in_parallel(spread, proof_context, (), work, range(3), lambda _: False)) == {
        0: True,
        1: True,
        2: True,
    }
    assert proof_context.once("odd", (statement,), lambda: False)


def test_facts_about_objects_of_one_process_stay_there() -> None:
    proof_context = _inquiry()
    proof_context.facts.clear()

    def work(task: int) -> bool:
        own = object()
        return proof_context.once("odd", (own,), lambda: True) and proof_context.once(
            "even", (proof_context.binding, own), lambda: True
        )

    spread = partial(shared_out, jobs=2)
    assert all(
        answer for _, answer in discharge_in_parallel(spread, proof_context, (), work, range(4), lambda _: False)
    )
    assert proof_context.facts == {}


def test_sets_stay_in_their_process() -> None:
    proof_context = _inquiry()
    proof_context.facts.clear()
    work = lambda _: len(proof_context.once("sets", (proof_context.binding,), lambda: [proof_context.system.context]))  # noqa: E731
    assert dict(discharge_in_parallel(partial(shared_out, jobs=1), proof_context, (), work, [0, 1], lambda _: 0)) == {
        0: 1,
        1: 1,
    }
    assert proof_context.facts == {}


@pytest.mark.long
def test_the_command_line_says_the_same(tmp_path: Path) -> None:
    ab, c = KERNELS / "lu" / "lu.ab", KERNELS / "lu" / "lu-peer.c"
    documents = []
    for jobs in ("1", "2"):
        certificate = tmp_path / f"{jobs}.json"
        answer = ask("prove", "--jobs", jobs, "--format", "json", "--certificate", certificate, ab, c)
        assert answer.code == 0
        documents.append(re.sub(r'"seconds": [0-9.]+', "", answer.out))
        assert ask("recheck", certificate).code == 0
    assert documents[0] == documents[1]


def _elsewhere(monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> None:
    """The function works in other processes only."""
    here, function = os.getpid(), getattr(place, name)

    def there(*arguments: object) -> object:
        assert os.getpid() != here, name
        return function(*arguments)

    monkeypatch.setattr(place, name, there)


def test_what_orders_the_questions_is_found_out_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    _elsewhere(monkeypatch, Lemmas, "is_written")
    assert _proved("lu", generated("lu"), ProofTask(executes=False, jobs=2)).is_proved


def test_claims_in_vain_are_found_elsewhere_and_left_out_here(monkeypatch: pytest.MonkeyPatch) -> None:
    right = asked(DOUBLED, TEMPORARY)
    kept = [value for value in right.claims.values if value.statement.target.array.name == "B"]
    vain = replace(right, claims=Claims(kept, []), writers={})
    spread = partial(shared_out, jobs=2)
    assert kept
    assert not claim_pruning.pruned(vain, lambda: False, spread).claims.values
    _elsewhere(monkeypatch, claim_pruning, "_missing")
    assert claim_pruning.pruned(right, lambda: False, spread).claims.values == right.claims.values
