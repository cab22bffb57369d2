"""Certificates of distributed mappings: complete, confirmed by both engines and by the kernel, and changes noticed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from alphaz.certificate import document, smt
from alphaz.certificate.mapping_inventory import PROVED, REFUTED, BorderRecord, Inventory, RanksRecord, Record
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.violation_sets import LinearSum
from alphaz.diagnostics import Rejected
from alphaz.kernel.certificate_check import derived_outcomes
from alphaz.legality.reporting.certificate_record import record
from alphaz.proof import isl_engine
from alphaz.proof.refute.document import proofs_of
from tests.certificate.sample_certificates import SAMPLES, certificate, records
from tests.cli.command_line import ask
from tests.kernel.derived_sets import disagreements
from tests.strategies.distributed_mappings import distributed_sample
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = SAMPLES / "distributed"
SCRIPTS = [
    FOLDER / f"{name}.cs"
    for name in (
        "floyd-warshall/rows",
        "jacobi-2d/wrong-one-ghost",
        "longest-common-subsequence/pipeline",
        "longest-common-subsequence/wrong-rows",
        "norm/blocks",
        "prefix-sum/wrong-cyclic",
        "product/wrong-columns",
    )
]
SMALL = FOLDER / "prefix-sum" / "pipeline.cs"
SCAN = FOLDER / "prefix-sum" / "scan.cs"


@pytest.mark.parametrize("script", thinned(SCRIPTS, 8), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_isl_and_the_derived_sets_agree_with_the_verifier(script: Path) -> None:
    text = document.write(certificate(script))
    (read,) = document.read(text)[0].systems
    _, decide = isl_engine.engine()
    assert [check for check in recheck(read, decide) if check.outcome is not RecheckOutcome.AGREES] == []
    assert list(disagreements(read)) == []


@pytest.mark.parametrize("name", thinned(["prefix-sum/scan", "norm/blocks", "longest-common-subsequence/tiles"], 3))
def test_z3_and_the_kernel_confirm_it(name: str) -> None:
    made = certificate(FOLDER / f"{name}.cs")
    _, decide = smt.engine()
    assert [c for c in recheck(made.systems[0], decide) if c.outcome is not RecheckOutcome.AGREES] == []
    text = document.write(made)
    proofs = proofs_of(text, lambda place: None)
    assert proofs.missing == {}
    assert set(dict(derived_outcomes(text.encode(), proofs.text.encode())).values()) == {""}


def test_every_kind_occurs() -> None:
    kinds = {entry.key.kind for script in SCRIPTS for r in records(script) for entry in r.obligations}
    assert kinds >= {"D0", "D1", "D3", "D4", "D5", "D6"}


@pytest.mark.parametrize("seed", [0, 2])
def test_random_mappings(seed: int) -> None:
    """isl confirms the verdicts of the verifier, and of the set that the kernel derives, the other way round too."""
    try:
        report = distributed_sample(Random(f"certificate/{seed}")).mapped.report()
    except Rejected:
        pytest.skip("a mapping that cannot be distributed")
    if report.mapping is None:
        pytest.skip("a mapping that is not well formed")
    made = record("script.cs", report)
    _, decide = isl_engine.engine()
    assert [check for check in recheck(made, decide) if check.outcome is not RecheckOutcome.AGREES] == []
    assert [(e["key"], empty) for e, empty in disagreements(made) if empty or e["verdict"] == PROVED] == []


def test_each_obligation_of_ranks_is_required() -> None:
    for script in (SMALL, SCAN, FOLDER / "norm" / "blocks.cs"):
        (made,) = records(script)
        for entry in (entry for entry in made.obligations if entry.key.kind[0] == "D" and entry.key.kind != "D"):
            rest = tuple(obligation for obligation in made.obligations if obligation.id != entry.id)
            first = next(recheck(replace(made, obligations=rest), lambda *_: pytest.fail("no engine is asked")))
            assert first.text == f"an obligation is not listed: {entry.key}"


def changed(made: Record, change: Callable[[RanksRecord], RanksRecord]) -> Record:
    assert made.inventory is not None
    assert made.inventory.ranks is not None
    return replace(made, inventory=replace(made.inventory, ranks=change(made.inventory.ranks)))


def test_another_distribution_has_other_sets() -> None:
    """The sets as stated are those of the verifier; the derived ones follow the inventory."""
    (pipeline,) = records(SMALL)
    late = [entry["key"]["kind"] for entry, _ in disagreements(changed(pipeline, lambda r: replace(r, pipeline=False)))]
    assert late == ["D1"]
    (halo,) = records(FOLDER / "longest-common-subsequence" / "pipeline.cs")

    def one_ghost(ranks: RanksRecord) -> RanksRecord:
        zero = LinearSum({}, 0)
        return replace(ranks, ghosts=tuple(replace(cell, map=(zero,) * len(cell.map)) for cell in ranks.ghosts))

    assert {entry["key"]["kind"] for entry, _ in disagreements(changed(halo, one_ghost))} == {"D5"}


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda r: replace(r, first=-1), "dimensions -1 to 0 cannot be distributed"),
        (lambda r: replace(r, blocks=False), "only blocks of one dimension are a pipeline"),
        (lambda r: replace(r, last=1), "only blocks of one dimension are a pipeline"),
        (lambda r: replace(r, first=7, last=7), "have no dimension 7"),
        (lambda r: replace(r, ghosts=()), "does not say where received copies of"),
    ],
)
def test_contradictions(change: Callable[[RanksRecord], RanksRecord], text: str) -> None:
    (made,) = records(SMALL)
    first = next(recheck(changed(made, change), lambda *_: pytest.fail("no engine is asked")))
    assert (first.outcome, text in first.text) == (RecheckOutcome.DISAGREES, True)


def test_an_overlap_of_messages() -> None:
    """Of the five-point stencil by rows, one row at either end waits. Other borders and mappings have other sets."""
    (made,) = records(FOLDER / "jacobi-2d" / "rows.cs")
    assert made.inventory is not None
    assert made.inventory.ranks is not None
    assert made.inventory.ranks.border == BorderRecord((1,), (1,))
    own = replace(made, obligations=tuple(e for e in made.obligations if e.key.kind.startswith("D12")))
    assert {entry.key.kind for entry in own.obligations} == {"D12", "D12.S2", "D12.M", "D12.M4"}
    assert list(disagreements(own)) == []

    def kinds(change: Callable[[RanksRecord], RanksRecord]) -> set[str]:
        return {entry["key"]["kind"] for entry, _ in disagreements(changed(own, change))}

    assert kinds(lambda ranks: replace(ranks, border=BorderRecord((0,), (1,)))) == {"D12"}
    assert kinds(lambda ranks: replace(ranks, border=BorderRecord((1,), (0,)))) == {"D12"}
    assert kinds(lambda ranks: replace(ranks, first=0, last=0)) >= {"D12.S2"}, "the steps of time at once"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda r: replace(r, border=None), "the inventory does not require an obligation: D12"),
        (lambda r: replace(r, border=BorderRecord((1, 1), (1,))), "an overlap of messages that such a mapping"),
        (lambda r: replace(r, border=BorderRecord((-1,), (1,))), "an overlap of messages that such a mapping"),
        (lambda r: replace(r, blocks=False), "an overlap of messages that such a mapping"),
        (lambda r: replace(r, pipeline=True), "an overlap of messages that such a mapping"),
    ],
)
def test_an_overlap_that_the_mapping_cannot_have(change: Callable[[RanksRecord], RanksRecord], text: str) -> None:
    (made,) = records(FOLDER / "jacobi-2d" / "rows.cs")
    first = next(recheck(changed(made, change), lambda *_: pytest.fail("no engine is asked")))
    assert (first.outcome, text in first.text) == (RecheckOutcome.DISAGREES, True)


def test_a_scan() -> None:
    """Other reads as values before, and other pipelines, have other sets, or contradict the inventory."""
    (made,) = records(SCAN)
    assert made.inventory is not None
    own = replace(made, obligations=tuple(e for e in made.obligations if e.key.kind == "D13"))
    assert list(disagreements(own)) == []
    assert [entry.key.families.keys() for entry in own.obligations] == [{"producer"}, {"value"}]
    assert made.inventory.ranks is not None
    (scan,) = made.inventory.ranks.scans

    def text(**changes: object) -> str:
        ranks = changed(made, lambda r: replace(r, **changes))  # type: ignore[arg-type]
        return next(recheck(ranks, lambda *_: pytest.fail("no engine is asked"))).text

    for reads in ((0,), (9,)):
        assert text(scans=(replace(scan, reads=reads),)) == "the inventory has scans that such a mapping cannot have"
    assert text(pipeline=False) == "the inventory has scans that such a mapping cannot have"
    assert text(scans=()).startswith("the inventory does not require an obligation: D13")
    unread = changed(own, lambda r: replace(r, scans=(replace(scan, reads=()),)))
    assert len(list(disagreements(unread))) == 2, "each value would begin a line"


def test_the_sizes_of_tiles_are_the_steps() -> None:
    """With larger tiles the received rows overwrite each other; what is no step contradicts the distribution."""
    (made,) = records(FOLDER / "longest-common-subsequence" / "tiles.cs")
    assert isinstance(made.inventory, Inventory)
    (band,) = made.inventory.bands

    def tiled(**changes: object) -> Record:
        assert isinstance(made.inventory, Inventory)
        return replace(made, inventory=replace(made.inventory, bands=(replace(band, **changes),)))  # type: ignore[arg-type]

    assert {e["key"]["kind"] for e, _ in disagreements(tiled(sizes=((32, 8),)))} >= {"D3", "D5"}
    for changes in ({"sizes": ((None, 8),)}, {"last": 0}, {"recursive": (0,)}, {"registers": True}):
        first = next(recheck(tiled(**changes), lambda *_: pytest.fail("no engine is asked")))
        assert first.text == "the inventory has tiles that are no steps before the distributed dimension"


def test_the_command_line(tmp_path: Path) -> None:
    certificate_ = tmp_path / "c.json"
    assert ask("verify", "--certificate", certificate_, "--proofs", SMALL).code == 0
    for options in ((), ("--kernel",)):
        assert ask("recheck", *options, certificate_).code == 0
    assert "ranks own blocks of dimension 0" in ask("show", certificate_).out
    wrong = FOLDER / "prefix-sum" / "wrong-cyclic.cs"
    assert ask("verify", "--certificate", certificate_, wrong).code == 1
    assert ask("recheck", certificate_).code == 0
    (made,) = records(wrong)
    assert [entry.key.kind for entry in made.obligations if entry.verdict == REFUTED] == ["D1"]
