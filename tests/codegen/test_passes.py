"""Passes keep what a mapping computes: prefixes, and subsets of those that are optional."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, pairwise
from pathlib import Path
from random import Random

import pytest

from alphaz.codegen.scheduled.loop_nest import LoopNest
from alphaz.codegen.scheduled.passes import innermost_loops
from alphaz.codegen.scheduled.pipeline import ALL, NAMES, OF_C, OPTIONAL, PLAIN, STEPS, Pipeline
from alphaz.codegen.scheduled.scheduled_c import explained, scheduled_c, tree_text
from alphaz.codegen.scheduled.statements import independence
from alphaz.diagnostics import Span
from alphaz.loops.tree import Block, Instance, Lanes, Merge
from alphaz.poly import Domain
from alphaz.proof import Obligation, holds
from tests.cli.command_line import ask
from tests.codegen import test_threads, test_triangles
from tests.codegen.generated_kernels import ROOT, proved, sample
from tests.codegen.test_threads import BOTH
from tests.codegen.test_unpeel import DATES, program
from tests.differential.execution import disagreements
from tests.thinning import thinned
from tools.differential.pass_choices import SCANNED
from tools.differential.proved_mappings import proved_cases


def _drawn(random: Random, until: str | None) -> Pipeline:
    return Pipeline(frozenset(name for name in sorted(OPTIONAL) if random.random() < 0.4), until)


@pytest.mark.slow
@pytest.mark.long
def test_prefixes_and_subsets_compute_the_same() -> None:
    """One of each of many mappings; `test_every_pass` has all of them, of few."""
    random = Random(37)
    drawn = zip(proved_cases("passes", 90, 40, 4), cycle((None, *SCANNED)), strict=False)
    cases = [replace(case, pipeline=_drawn(random, until)) for case, until in drawn]
    assert disagreements(cases) == []
    assert len(cases) > 25
    assert {case.pipeline.until for case in cases} >= {*SCANNED}
    assert {name for case in cases for name in case.pipeline.without} == OPTIONAL


@pytest.mark.slow
@pytest.mark.parametrize(
    "script", thinned(["gemm/gemm-tuned", "nussinov/nussinov-tuned", "knapsack/knapsack-tuned"], 3)
)
def test_every_pass_that_a_kernel_needs_changes_it(script: str) -> None:
    verified = sample(f"kernels/{script}.cs")
    (system,) = verified.mappings
    texts = [tree_text(verified, system, Pipeline(until=step.name)) for step in STEPS if step not in OF_C]
    assert sum(before != after for before, after in pairwise(texts)) >= 5
    assert texts[-1] == tree_text(verified, system, ALL)


@pytest.mark.slow
def test_each_optional_pass_matters(tmp_path: Path) -> None:
    """To some kernel, to the sums of rows, to loops in a row, or to a triangle."""
    scripts = [f"{name}/{name}-tuned" for name in ("gemm", "knapsack", "bicg", "jacobi-2d", "adi")]
    missed = set(OPTIONAL)
    rows, loops = (program(), DATES), (test_threads.PROGRAM, test_threads.DATES + BOTH)
    own = proved(tmp_path, *rows), proved(tmp_path, *loops), test_triangles.solve(tmp_path)
    for verified in (*own, *(sample(f"kernels/{script}.cs") for script in scripts)):
        (system,) = verified.mappings
        whole = scheduled_c(verified, system).files
        missed = {n for n in missed if scheduled_c(verified, system, pipeline=Pipeline(frozenset({n}))).files == whole}
    assert missed == set()


def test_plain_code_is_that_without_optional_passes() -> None:
    assert Pipeline(OPTIONAL) == PLAIN
    assert [each.name for each in STEPS if not each.optional] == [
        "tile", "scan", "share-out", "launches", "private-memory", "fold", "hoist", "shorten-names"
    ]  # fmt: skip
    verified = sample("kernels/gemm/gemm-tuned.cs")
    text = tree_text(verified, "gemm", PLAIN)
    assert "parallel" in text
    assert not any(word in text for word in ("vector", "fill", "registers", "whole"))


def test_a_tree_is_readable() -> None:
    """Loops, their modes, what statements do."""
    lines = tree_text(sample("kernels/gemm/gemm-tuned.cs"), "gemm", ALL).splitlines()
    assert lines[:2] == ["scratch packed_B for the team", "for tj = 0; tj < NJ; by 2016:"]
    assert "            scratch packed_A for each thread" in lines
    assert "            for ti = 0; ti < NI; by 72  [parallel, uneven]:" in lines
    assert any(line.endswith("# NR_C[i,j] += A[i,k] * B[k,j], 8 x 6") for line in lines)


def test_the_command_line() -> None:
    script = ROOT / "samples/kernels/bicg/bicg-tuned.cs"
    listed = ask("run", "--passes")
    assert listed.code == 0
    assert [line.split()[0] for line in listed.out.splitlines() if not line.startswith(" ")] == list(NAMES)
    shown = ask("run", script, "--stop-after", "share-out")
    assert (shown.code, "wrote" in shown.out) == (0, False)
    assert "  [parallel]:" in shown.out
    assert "one at a time:" in shown.out
    for name in ("scan", "fold", "hoist", "shorten-names"):
        refused = ask("run", script, "--without", name)
        assert (refused.code, f"{name} is always run; these are optional: register-tiles, " in refused.err) == (2, True)
    assert "nothing" in ask("run", script, "--without", "nothing").err
    written = ask("run", script, "--stop-after", "hoist")
    assert "static void bicg_loops(" in written.out
    assert "#pragma omp for nowait" in written.out


@pytest.mark.slow
def test_without_vectors_register_tiles_have_none() -> None:
    verified = sample("kernels/gemm/gemm-tuned.cs")
    assert "[vectors of 4 along " in tree_text(verified, "gemm", ALL)
    assert "double4" in scheduled_c(verified, "gemm").files["gemm.c"]
    without = Pipeline(frozenset({"vectorise"}))
    assert "vector" not in tree_text(verified, "gemm", without)
    text = scheduled_c(verified, "gemm", pipeline=without).files["gemm.c"]
    assert "double4" not in text
    assert "simd" not in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    thinned(["gemm/gemm-tuned", "lu/lu-tuned", "bicg/bicg-tuned", "knapsack/knapsack-tuned", "ludcmp/ludcmp-tuned"], 4),
)
def test_nothing_is_asked_while_c_is_written(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree says everything: what `--explain` lists is all that code depends on."""
    verified = sample(f"kernels/{script}.cs")
    (system,) = verified.mappings
    asked: list[str] = []

    def held(obligation: Obligation, operations: int) -> bool:
        asked.append(obligation.claim)
        return holds(obligation, operations)

    monkeypatch.setattr(independence, "holds", held)
    told = [obligation.claim for obligation, _ in explained(verified, system, ALL).answers]
    assert told == asked
    asked.clear()
    scheduled_c(verified, system)
    assert asked == told


def test_what_is_left_out_is_proved_to_be_nothing() -> None:
    claims = {
        (script, obligation.claim)
        for script in ("kernels/gemm/gemm-tuned.cs", "kernels/lu/lu-tuned.cs", "kernels/knapsack/knapsack.cs")
        for verified in (sample(script),)
        for obligation, is_proved in explained(verified, next(iter(verified.mappings)), ALL).answers
        if is_proved
    }
    for part in ("there is no operation", "in some of the register tiles", "in a group that would have no loop"):
        assert any(part in claim for _, claim in claims), part


@pytest.mark.slow
def test_what_is_not_known_to_be_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """And computes the same."""
    asked: list[str] = []

    def unknown(_: independence.OracleQuery, claim: str, domain: Domain, span: Span) -> bool:
        asked.extend([claim] if domain.is_empty() else [])
        return False

    monkeypatch.setattr(independence.OracleQuery, "nothing", unknown)
    assert disagreements(list(proved_cases("nothing", 60, 25, 4))) == []
    assert asked


def test_how_long_vectors_are_stands_in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    verified, found = sample("kernels/gemm/gemm-tuned.cs"), LoopNest.lanes

    def shorter(nest: LoopNest, call: Instance, merges: Sequence[Merge]) -> Lanes | None:
        lanes = found(nest, call, merges)
        return replace(lanes, count=2) if lanes else None

    monkeypatch.setattr(LoopNest, "lanes", shorter)
    text = scheduled_c(verified, "gemm").files["gemm.c"]
    assert ("double2" in text, "double4" in text) == (True, False)


def test_the_loops_of_groups_stand_in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    verified = sample("kernels/knapsack/knapsack.cs")
    (system,) = verified.mappings
    loop = "for (int64_t w = 0; w <= min64(W, wanted - 1); w++)"
    assert loop in scheduled_c(verified, system).files[f"{system}.c"]
    monkeypatch.setattr(innermost_loops, "readable_scan", lambda *_: Block(()))
    assert loop not in scheduled_c(verified, system).files[f"{system}.c"]


ROWS = """affine rows {N | N>=1}
input double A {i,j | 0<=(i,j)<N}; double x {j | 0<=j<N};
output double y {i | 0<=i<N};
let y[i] = reduce(+, [j], A[i,j] * x[j]); .
"""
ROW_DATES = 'setSpaceTimeMap(prog, "rows", "y", "(i,j->i,j)"); setParallel(prog, "rows", "", "0");'
DRAWN = ("tile", "scan", "unpeel", "share-out", "limit-teams", "scalar-replace", "guards")


def test_the_page_of_the_house_draws_a_kernel_after_each_pass_that_changes_it(tmp_path: Path) -> None:
    verified = proved(tmp_path, ROWS, ROW_DATES)
    texts = {name: tree_text(verified, "rows", Pipeline(until=name)) for name in NAMES}
    changed = [later for sooner, later in pairwise(NAMES) if texts[sooner] != texts[later]]
    assert {*DRAWN[1:]} <= {*changed}
    drawn = "\n".join(f"-- {name}\n{texts[name]}" for name in DRAWN)
    assert drawn in (ROOT / "docs/architecture.md").read_text(encoding="utf-8"), drawn
