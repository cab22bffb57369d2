"""The fuzzer itself: a fault in the verifier is found, shrunk, and written as a pair of files that runs."""

import faulthandler
import json
import os
import re
import signal
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.legality import mapping_obligations
from alphaz.legality.verdicts import Verified
from tests.cli.command_line import ask
from tools.fuzz_verifier import RULES, drawn, main

pytestmark = pytest.mark.slow


def test_fuzzed_cases_agree_and_meet_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "40", "--seed", "3", "--largest", "3"]) == 0
    text = capsys.readouterr().out
    assert "40 cases, 0 disagreements" in text
    assert all(f"refuted by {rule}" in text for rule in RULES)


def test_a_fault_is_found_and_written_as_a_pair_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the races (M4) in the verifier."""
    monkeypatch.setattr(mapping_obligations, "races", lambda _: iter(()))
    assert main(["--cases", "6", "--seed", "0", "--largest", "3", "-o", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert "AZ701: the verifier says None, brute force" in text
    monkeypatch.undo()
    scripts = list(tmp_path.glob("*.cs"))
    assert scripts
    for script in scripts:
        assert f"alphaz verify {script}" in text
        before = drawn(0, int(script.stem.rpartition("-")[2]))
        assert len(script.with_suffix(".ab").read_text(encoding="utf-8")) <= len(before.program)
        assert len(script.read_text(encoding="utf-8").splitlines()) < len(before.script("").splitlines())
        assert ask("verify", "--no-hints", script).code == 1


def _wrong(verified: Verified, system: str, *, pipeline: Pipeline) -> Sources:
    """The parameters are refused that it is run with."""
    files = scheduled_c(verified, system, pipeline=pipeline).files
    return Sources({name: text.replace("N < 1", "N < 3") for name, text in files.items()})


@pytest.mark.long
def test_a_sample_whose_code_is_wrong_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.differential.proved_mappings.scheduled_c", _wrong)
    monkeypatch.setattr("tools.fuzz_verifier._smaller", lambda _: iter(()))
    log = tmp_path / "log.jsonl"
    assert main(["--executed", "2", "--seed", "1", "-o", str(tmp_path), "--log", str(log)]) == 1
    text = capsys.readouterr().out
    assert re.search("batch 0, sample 0.*: N=1.* with 1 thread: the parameters are outside the context", text)
    script = tmp_path / "executed-1-0-0.cs"
    assert re.search(rf"alphaz test( --plain)? --seed 1 {re.escape(str(script))}$", text, re.MULTILINE)
    assert "scripts/fuzz-verifier --executed 2 --seed 1 --only 0" in text
    assert "2 samples executed" in text.splitlines()[-1]
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [bool(line["said"]) for line in lines[:2]] == [True, True]
    assert lines[0]["script"] == script.read_text(encoding="utf-8")
    assert lines[0]["program"] in text.replace("\n  ", "\n")
    assert lines[2]["tally"]["proved"] > 0
    monkeypatch.undo()
    more = ("-p", "M=3") if "N,M |" in lines[0]["program"] else ()
    assert ask("test", script, "-p", "N=2", *more).code == 0


def test_a_verifier_that_fails_or_dies_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("of no use")

    monkeypatch.setattr("tools.differential.generation.Verification.of", fails)
    assert main(["--executed", "1", "--seed", "1", "-o", str(tmp_path), "--as-drawn"]) == 1
    assert "sample 0: the verifier failed: ValueError: of no use" in capsys.readouterr().out

    def dies(*_: object) -> None:
        # The traces of a death that is wanted would look like a fault of the tests.
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGSEGV)

    monkeypatch.setattr("tools.differential.generation.Verification.of", dies)
    assert main(["--executed", "1", "--seed", "1", "-o", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert "batch 0: the process that draws and proves its samples was ended by SIGSEGV" in text
    assert "scripts/fuzz-verifier --executed 1 --seed 1 --only 0" in text


def test_nothing_is_begun_when_time_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--executed", "1000", "--seconds", "0", "--jobs", "2", "-o", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("0 samples executed")
