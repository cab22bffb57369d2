"""The fuzzer itself: a fault in the verifier is found, shrunk, and written as a pair of files that runs."""

import re
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.verify import trial
from alphaz.verify.verified import Verified
from tests.cli.asking import ask
from tests.verify.fuzz import RULES, drawn, main


def test_some_cases_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "40", "--seed", "3", "--largest", "3"]) == 0
    told = capsys.readouterr().out
    assert "40 cases, 0 disagreements" in told
    assert all(f"refuted by {rule}" in told for rule in RULES)


def test_a_fault_is_found_and_written_as_a_pair_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the races (M4) in the verifier."""
    monkeypatch.setattr(trial, "races", lambda _: iter(()))
    assert main(["--cases", "6", "--seed", "0", "--largest", "3", "-o", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "AZ701: the verifier says None, brute force" in told
    monkeypatch.undo()
    scripts = list(tmp_path.glob("*.cs"))
    assert scripts
    for script in scripts:
        assert f"alphaz verify {script}" in told
        before = drawn(0, int(script.stem.rpartition("-")[2]))
        assert len(script.with_suffix(".ab").read_text(encoding="utf-8")) <= len(before.program)
        assert len(script.read_text(encoding="utf-8").splitlines()) < len(before.script("").splitlines())
        assert ask("verify", "--no-hints", script).code == 1


def test_a_sample_whose_code_is_wrong_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parameters are refused that it is run with."""

    def wrong(verified: Verified, system: str, *, pipeline: Pipeline) -> Sources:
        files = scheduled_c(verified, system, pipeline=pipeline).files
        return Sources({name: text.replace("N < 1", "N < 3") for name, text in files.items()})

    monkeypatch.setattr("tests.differential.proved_mappings.scheduled_c", wrong)
    monkeypatch.setattr("tests.verify.fuzz._smaller", lambda _: iter(()))
    assert main(["--executed", "1", "--seed", "1", "-o", str(tmp_path)]) == 1
    told = capsys.readouterr().out
    (script,) = tmp_path.glob("*.cs")
    assert re.search("N=2.* with 1 threads: `S0` stopped for N = 2.*: the parameters are outside the context", told)
    assert re.search(rf"alphaz test( --plain)? --seed 1 {re.escape(str(script))}$", told, re.MULTILINE)
    assert ask("test", script, "-p", "N=2").code == 0
