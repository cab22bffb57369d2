"""Mod factors that are affine in the parameters: verdicts against brute force, certificates, and what is refused."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.diagnostics.rules import document
from tests.cli.command_line import ask
from tests.legality.agreement import compare
from tests.strategies.mapped_programs import Sample, Step, sample


def _folded(seed: int) -> Sample:
    """A random program and mapping, most of whose memory maps are folded by parameters."""
    random = Random(seed)
    drawn = sample(random)
    names = re.findall(r"affine \w+ \{([^|]*)\|", drawn.program)[0].replace(" ", "").strip(",").split(",")

    def factor() -> str:
        return random.choice(("0", *(f"{name}{plus}" for name in names if name for plus in ("", "+2", "+4"))))

    def steps() -> Iterator[Step]:
        for step in drawn.steps:
            if step.verb != "memory" or random.random() < 0.2:
                yield step
                continue
            name, space, function, *_ = step.arguments
            width = len([part for part in function.split("->")[1].strip(" )").split(",") if part.strip()])
            factors = [",".join(factor() for _ in range(width))] if width else []
            yield replace(step, arguments=(name, space, function, *factors))

    return replace(drawn, steps=tuple(steps()))


@pytest.mark.slow
@given(st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_verdicts_agree_with_brute_force(seed: int) -> None:
    case = _folded(seed)
    agreement = compare(case, 4)
    assert not agreement.complaints, (agreement.complaints, case.program, case.script("program.ab"))


@pytest.mark.slow
@pytest.mark.long
def test_all_verdicts_occur() -> None:
    """Otherwise the test above would say little."""
    seen = [compare(case, 2) for case in map(_folded, range(150)) if "N" in str(case.steps)]
    kinds = [agreement.kind for agreement in seen]
    assert kinds.count("proved") > 4
    assert kinds.count("refuted") > 5


_PROGRAM = """affine window {N, T | N > 2 && T > 0}
input
  double A {i | 0 <= i < N};
output
  double B {i | 0 <= i < N};
local
  double X {t,i | 0 <= t <= T && 0 <= i < N};
let
  X[t,i] = case
    {| t == 0} : A[i];
    {| t > 0 && i == 0} : X[t-1,i];
    {| t > 0 && i == N-1} : X[t-1,i];
    {| t > 0 && 0 < i < N-1} : X[t-1,i-1] + X[t-1,i] + X[t-1,i+1];
  esac;
  B[i] = X[T,i];
.
"""

_SCRIPT = """prog = ReadAlphabets("window.ab");
setSpaceTimeMap(prog, "window", "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, "window", "B", "(i -> T+1,i)");
setMemoryMap(prog, "window", "X", "(t,i -> i-t)", "{}");
VerifyTargetMapping(prog, "window", "MIN");
"""


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "window.ab").write_text(_PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "window.cs"


@pytest.mark.slow
def test_a_rolling_buffer_is_proved_and_its_certificate_too(script: Path) -> None:
    script.write_text(_SCRIPT.format("N+2"))
    answer = ask("verify", "--certificate", "window.json", script)
    assert answer.code == 0, answer.out + answer.err
    assert '"factors": [{"terms": {"N": 1}, "constant": 2}]' in Path("window.json").read_text()
    assert ask("recheck", "window.json", "--engine", "smt").code == 0
    assert ask("recheck", "window.json").code == 0


def test_fewer_cells_are_refuted_with_its_witness(script: Path) -> None:
    script.write_text(_SCRIPT.format("N"))
    answer = ask("verify", "--no-hints", script)
    assert answer.code == 1
    assert "error[AZ601]" in answer.out
    assert "overwrites its cell X[" in answer.out


def test_what_is_far_apart_is_not_decided(script: Path) -> None:
    """i+4t of values that are needed together may be more than 2 N apart."""
    wide = _SCRIPT.replace("(t,i -> i-t)", "(t,i -> 4i-t)").format("N")
    script.write_text(wide)
    answer = ask("verify", "--no-hints", script)
    assert answer.code == 1


@pytest.mark.parametrize("section", ["Wrong", "Right"])
def test_the_document_says_what_is_found(section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = document("AZ612").split(f"### {section}")[1]
    program, script = (item[1] for item in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)[:2])
    (tmp_path / "program.ab").write_text(program)
    (tmp_path / "script.cs").write_text(script)
    monkeypatch.chdir(tmp_path)
    answer = ask("verify", "script.cs")
    assert re.findall(r"error\[(AZ\d+)\]", answer.out) == (["AZ612"] if section == "Wrong" else []), answer.out


def test_a_space_has_one_parametric_factor(script: Path) -> None:
    other = 'setMemoryMap(prog, "window", "B", "X", "(i -> i)", "N");\nVerify'
    script.write_text(_SCRIPT.format("N+2").replace("Verify", other, 1))
    answer = ask("verify", script)
    assert "different mod factors: N for B, N+2 for X" in answer.out
    assert "error[AZ411]" in answer.out


def test_names_in_factors_are_parameters(script: Path) -> None:
    script.write_text(_SCRIPT.format("M+2"))
    assert "`M` is neither an index nor a parameter here" in ask("verify", script).out
