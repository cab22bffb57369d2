"""C that this generator wrote for proved mappings, before three of its faults were mended: each is refuted."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.execution.c_proof import Task, prove_c

HERE = Path(__file__).parent / "historic"


def source(name: str) -> Source:
    return Source(name, (HERE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "sizes", "said"),
    [
        ("lost", {}, "N=1: y[0] is 0.0"),
        ("twice", {}, "c["),
        ("beyond", {"ts1_l1": 5, "ts2_l1": 4, "ts2_l2": 3}, "heap-buffer-overflow"),
    ],
)
def test_it_is_refuted_by_an_execution(name: str, sizes: dict[str, int], said: str) -> None:
    """The only contribution is lost where N is 1; values are added twice; a buffer is filled beyond its tile."""
    found = prove_c(read_program(source(f"{name}.ab")), source(f"{name}.c"), Task(sizes=sizes))
    assert found.verdict == "refuted", found.findings
    (only,) = found.findings
    assert only.witness is not None
    assert said in only.witness.sentence
    assert "executed" in only.witness.sentence


def test_tiles_whose_sizes_are_not_said_are_undecided() -> None:
    found = prove_c(read_program(source("beyond.ab")), source("beyond.c"), Task(executes=False))
    assert found.verdict == "undecided"
    assert "ts1_l1" in found.findings[0].message
