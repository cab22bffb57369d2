"""C that is told of line by line: what is told is claimed as it stands; where that is no proof, claims are found."""

import importlib
import sys
from pathlib import Path

import pytest

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.equivalence.c_proof import STAGE_A, Effort, Proof
from alphaz.equivalence.driver.claim_files import annotations_by_line
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify
from alphaz.poly import Affine
from alphaz.proof import Undecided
from alphaz.scop.c_model import Annotation
from tests.equivalence.asking import KERNELS, program, verdict, with_claims
from tests.thinning import thinned

pytestmark = pytest.mark.slow

prove = importlib.import_module("alphaz.equivalence.c_proof")


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns the sizes of the requested runs of the model."""
    asked: list[int] = []

    def counted(kernel: object, system: object, most: int, *tiles: object) -> object:
        asked.append(most)
        return found(kernel, system, most, *tiles)

    found = prove.sample_sizes
    monkeypatch.setattr(prove, "sample_sizes", counted)
    return asked


def test_nothing_is_executed_where_all_is_told(sizes: list[int]) -> None:
    text, told = with_claims("jacobi-1d")
    assert verdict("jacobi-1d", text, told=told).is_proved
    assert not sizes


@pytest.mark.parametrize("name", ["gemm", "smith-waterman"])
def test_registers_buffers_and_first_contributions_are_told_too(sizes: list[int], name: str) -> None:
    text, told = with_claims(name, f"{name}-tuned")
    task = ProofTask(executes=False, annotations=told, effort=Effort(STAGE_A))
    checked = alphaz.run(KERNELS / name / f"{name}-tuned.cs").checked
    assert prove_c(checked, Source(f"{name}.c", text), task).is_proved
    assert not sizes


@pytest.mark.parametrize("name", thinned(["atax", "bicg", "gemver"], 3))
def test_what_threads_collect_is_told_too(sizes: list[int], name: str) -> None:
    text, told = with_claims(name, f"{name}-tuned")
    checked = alphaz.run(KERNELS / name / f"{name}-tuned.cs").checked
    assert prove_c(checked, Source(f"{name}.c", text), ProofTask(executes=False, annotations=told)).is_proved
    assert not sizes


COLUMNS = """affine s {N,M | N>=1 && M>=1}
input
	double a {k,i | 0<=k<N && 0<=i<M};
output
	double s {i | 1<=i<=M};
let
	s[i] = reduce(+, [k], {| 0<=k<N} : a[k,i-1]);
.
"""
BY_THREADS = """prog = ReadAlphabets("s.ab");
setSpaceTimeMap(prog, "s", "s", "(i,k -> k,i)");
setReductionDimension(prog, "s", "", 0);
"""


def test_what_threads_add_is_not_what_they_find(sizes: list[int], tmp_path: Path) -> None:
    (tmp_path / "s.ab").write_text(COLUMNS)
    (tmp_path / "s.cs").write_text(BY_THREADS)
    design = alphaz.run(tmp_path / "s.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "s")
    assert "own_sum_s[i - 1] += a[k * M + i - 1];" in sources.files["s.c"]
    task = ProofTask(executes=False, annotations=annotations_by_line(sources.claims["s.c"]))
    assert prove_c(design.checked, Source("s.c", sources.files["s.c"]), task).is_proved
    assert not sizes


@pytest.mark.long
def test_what_a_thread_leaves_out_is_not_proved_as_told() -> None:
    text, told = with_claims("atax", "atax-tuned")
    merged = "sum_y[at] += own_sum_y[at];"
    assert text.count(merged) == 1
    for wrong in ("if (at > 0) ", "own_sum_y[at] = 1; ", f"{merged} "):
        assert not verdict("atax", text.replace(merged, wrong + merged), told=told).is_proved


def test_what_is_not_told_is_found(sizes: list[int]) -> None:
    text, told = with_claims("jacobi-1d")
    line = min(told)
    assert verdict("jacobi-1d", text, told={at: each for at, each in told.items() if at != line}).is_proved
    assert sizes


def test_what_is_told_and_wrong_is_found_otherwise(sizes: list[int]) -> None:
    text, told = with_claims("jacobi-1d")
    line = max(told)
    wrong = told[line].__class__(told[line].variable, tuple(each + Affine(constant=1) for each in told[line].point))
    assert verdict("jacobi-1d", text, told={**told, line: wrong}).is_proved
    assert sizes


def test_what_is_wrong_is_found_by_a_run(sizes: list[int]) -> None:
    text, told = with_claims("jacobi-1d")
    wrong = text.replace("X[i - 1]", "X[i - 2]") if "X[i - 1]" in text else text.replace("- 1]", "- 2]", 1)
    assert wrong != text
    found = verdict("jacobi-1d", wrong, told=told)
    assert found.proof is not None
    assert not found.is_proved
    assert sizes
    assert found.proof.disagreements


def in_no_time(text: str, told: dict[int, Annotation]) -> Proof:
    task = ProofTask(executes=False, annotations=told, effort=Effort(STAGE_A, seconds=0.0))
    proof = prove_c(program("jacobi-1d"), Source("jacobi-1d.c", text), task).proof
    assert proof is not None
    return proof


def test_what_takes_too_long_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text, told = with_claims("jacobi-1d")
    assert prove_c(
        program("jacobi-1d"), Source("jacobi-1d.c", text), ProofTask(executes=False, annotations=told)
    ).is_proved
    monkeypatch.setattr(sys.modules["alphaz.equivalence.driver.proof_strategies"], "proof_context_of", None)
    proof = in_no_time(text, told)
    (only,) = proof.answers
    assert isinstance(only.verdict, Undecided)
    assert proof.is_cut(Effort(STAGE_A, seconds=0.0))
    assert not proof.is_cut(Effort(STAGE_A))


def test_the_model_is_run_where_it_takes_too_long() -> None:
    text, told = with_claims("jacobi-1d")
    assert not in_no_time(text, told).disagreements
    wrong = text.replace("X[T * N + i]", "X[T * N]")
    assert wrong != text
    assert in_no_time(wrong, told).disagreements


@pytest.mark.parametrize(("name", "are_kept"), [("jacobi-2d", True), ("needleman-wunsch", False)])
def test_copies_that_are_made_are_values_of_their_own(sizes: list[int], name: str, are_kept: bool) -> None:
    text, told = with_claims(name)
    found = verdict(name, text, told=told)
    assert found.is_proved
    assert found.proof is not None
    assert found.proof.proof_context.origins.are_kept == are_kept
    assert not sizes


def test_a_copy_that_is_left_out_is_missed() -> None:
    text, told = with_claims("jacobi-2d")
    copies = [line for line in text.splitlines() if line.strip().startswith("X[") and line.count("X[") == 2]
    assert copies
    for line in copies:
        assert not verdict("jacobi-2d", text.replace(line, ";"), told=told).is_proved


@pytest.mark.long
def test_products_in_another_order_are_told_apart_by_what_is_packed(sizes: list[int]) -> None:
    text, told = with_claims("syr2k", "syr2k-tuned")
    checked = alphaz.run(KERNELS / "syr2k" / "syr2k-tuned.cs").checked
    task = ProofTask(executes=False, annotations=told, effort=Effort(frozenset({"R1", "R5"})))
    assert prove_c(checked, Source("syr2k.c", text), task).is_proved
    assert not sizes
