"""The verdicts on the samples with use equations, and that a caller's code waits for the proofs of what it calls."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.proof import Refuted
from alphaz.scripting.commands.generators import generate
from alphaz.scripting.interpreter.run import Settings, run_script

SAMPLES = Path(__file__).parents[2] / "samples" / "subsystems"


def report(script: str, change: tuple[str, str] = ("", "")) -> DesignVerdict:
    text = (SAMPLES / script).read_text(encoding="utf-8").replace(*change) if change[0] else None
    source = Source(script, text or (SAMPLES / script).read_text(encoding="utf-8"))
    design = run_script(source, SAMPLES).values["prog"]
    assert isinstance(design, Design)
    return verify(design)


def refuted(verdict: DesignVerdict) -> dict[str, list[str]]:
    """The witnesses by rule."""
    words: dict[str, list[str]] = {}
    for result in (r for s in verdict.systems for r in s.results):
        if isinstance(result.verdict, Refuted):
            words.setdefault(result.rule.code, []).append(result.verdict.witness.sentence)
    return words


WRONG = [
    ("wrong-copy.cs", "AZ502", "N=3: UseEquation_Change, at (2), reads Smooth[0], which is written at (3), later"),
    (
        "wrong-free.cs",
        "AZ604",
        "N=1, M=1: UseEquation_Y[0], at (0,3), uses the array UseEquation_Y.in0[0], which is freed at (0,2), later",
    ),
    ("wrong-halves.cs", "AZ502", "N=2: Sum, at (1), reads Right[1], which is written at (2), later"),
    (
        "wrong-overlap.cs",
        "AZ603",
        "but UseEquation_Once, at (0), overwrites its cell signal[0], in the same operation as the reading",
    ),
    (
        "wrong-shared-array.cs",
        "AZ601",
        "N=1, M=2: UseEquation_Y[0], at (1,0,1), reads UseEquation_Y.in0[0,0], which is written at (1,0,0), "
        "but UseEquation_Y.in0.copy[1], at (1,1,0), overwrites its cell UseEquation_Y.in0[0,0,0,0], unordered",
    ),
]


@pytest.mark.parametrize(("script", "code", "words"), WRONG, ids=[item[0] for item in WRONG])
def test_wrong_samples_are_refuted_with_a_reason(script: str, code: str, words: str) -> None:
    result = refuted(report(script))
    assert any(words in sentence for sentence in result[code]), result


def test_every_wrong_sample_is_here() -> None:
    assert {item[0] for item in WRONG} == {path.name for path in SAMPLES.glob("wrong-*.cs")}


def test_a_copy_lets_a_system_write_what_it_reads() -> None:
    """The same spaces as in wrong-overlap, but the input is copied before the call."""
    line = 'setMemorySpaceForUseEquationOptimization(prog, system, "UseEquation_Once", 0, 0, "signal");'
    result = refuted(report("wrong-overlap.cs", (line, "")))
    assert all("UseEquation_Change" in sentence for sentences in result.values() for sentence in sentences), result


def test_the_caller_waits_for_the_proof_of_what_it_calls() -> None:
    broken = report("matrix-vector.cs", ('"S", "(i -> i)"', '"S", "(i -> -i)"'))
    assert [(s.system, s.is_proved) for s in broken.systems] == [("scalar_product", False), ("matrix_vector", True)]
    alone = verify(broken.design, ["matrix_vector"])
    assert [s.system for s in alone.systems] == ["matrix_vector", "scalar_product"]
    with pytest.raises(Rejected) as caught:
        certify(alone)
    assert caught.value.diagnostics[0].rule.code == "AZ804"
    assert "scalar_product" in caught.value.diagnostics[0].message


def test_a_script_generates_no_caller_of_what_is_not_proved(tmp_path: Path) -> None:
    text = (SAMPLES / "matrix-vector.cs").read_text(encoding="utf-8").replace('"S", "(i -> i)"', '"S", "(i -> -i)"')
    text = text.replace("generateScheduledCode(prog, callee);\n", "").replace("VerifyTargetMapping(prog, callee", "#")
    (tmp_path / "matrix-vector.ab").write_text((SAMPLES / "matrix-vector.ab").read_text(encoding="utf-8"))
    session = run_script(Source("s.cs", text), tmp_path, Settings(generate))
    assert "AZ804" in {finding.rule.code for finding in session.findings}
    assert not any("matrix_vector.c" in sources.files for sources in session.files.values())
