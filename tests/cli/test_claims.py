"""`--claims`: what the lines of a C file compute, told by whoever wrote it, and trusted by nobody."""

import json
from pathlib import Path
from random import Random

import pytest

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.c_proof import STAGE_A, Effort
from alphaz.equivalence.driver.claim_files import annotations_by_line, read_claims
from alphaz.equivalence.driver.claim_files import with_claims as with_claims_beside
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify
from alphaz.scop.c_model import Annotation
from tests.cli.command_line import ask
from tests.equivalence.asking import program, with_claims

KERNELS = Path(__file__).parents[2] / "samples" / "kernels"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("claims")
    answer = ask("run", str(KERNELS / "durbin" / "durbin-tuned.cs"), "-o", str(folder), "--claims")
    assert answer.code == 0, answer.err
    return folder


def test_they_stand_beside_the_c(made: Path) -> None:
    document = json.loads((made / "durbin.claims.json").read_text(encoding="utf-8"))
    assert (document["format"], document["version"]) == ("alphaz-claims", 1)
    lines = (made / "durbin.c").read_text(encoding="utf-8").splitlines()
    assert document["claims"] == sorted(document["claims"], key=lambda item: item["line"])
    for claim in document["claims"]:
        assert "=" in lines[claim["line"] - 1]
        assert isinstance(claim["point"], list)
    assert any(len(item.get("adds", ())) == 2 for item in document["claims"])


@pytest.mark.slow
def test_they_are_found_beside_the_c(made: Path) -> None:
    answer = ask("prove", str(KERNELS / "durbin" / "durbin.ab"), str(made / "durbin.c"))
    assert (answer.code, ": proved" in answer.out) == (0, True)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "alphaz-claims", "version": 2, "claims": []}', (
    '{"format": "alphaz-claims", "version": 1, "claims": [{"line": 1, "variable": "C", "point": [{"i": 0.5}]}]}'
)])  # fmt: skip
def test_what_is_no_claim_is_refused(made: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "wrong.json").write_text(text, encoding="utf-8")
    answer = ask(
        "prove", "--claims", str(tmp_path / "wrong.json"), str(KERNELS / "durbin" / "durbin.ab"), str(made / "durbin.c")
    )
    assert (answer.code, "is not a claim file" in answer.out + answer.err) == (2, True)


@pytest.mark.slow
def test_what_a_local_variable_begins_with_is_told() -> None:
    text, annotations = with_claims("smith-waterman", "smith-waterman-tuned")
    (line,) = [number for number, line in enumerate(text.splitlines(), 1) if "int greatest = " in line]
    assert annotations[line] == Annotation("score", ())
    task = ProofTask(executes=False, annotations=annotations, effort=Effort(STAGE_A))
    assert prove_c(program("smith-waterman"), Source("smith_waterman.c", text), task).is_proved


BLOCKS = """affine q {N | N>=1}
input
	double A {i | 0<=i<N};
output
	double R {i | 0<=i<N};
local
	double P {b,i | 0<=60b<=i<60b+60 && i<N};
let
	P[b,i] = A[i] * A[i];
	R[i] = reduce(+, [b], {| 0<=60b<=i<60b+60} : P[b,i]);
.
"""
IN_ROWS = """prog = ReadAlphabets("q.ab");
setSpaceTimeMap(prog, "q", "P", "(b,i -> 0,i)");
setSpaceTimeMap(prog, "q", "R", "(i,b -> 1,i)");
setMemoryMap(prog, "q", "P", "R", "(b,i -> i)");
generateScheduledCode(prog, "q");
"""


def test_quotients_are_told(tmp_path: Path) -> None:
    """The block of an element is no name of C, and more than one is beyond small runs."""
    (tmp_path / "q.ab").write_text(BLOCKS, encoding="utf-8")
    (tmp_path / "q.cs").write_text(IN_ROWS, encoding="utf-8")
    design = alphaz.run(tmp_path / "q.cs")
    sources = with_claims_beside(scheduled_c(certify(alphaz.verify(design)), "q"))
    text, claims = sources.files["q.c"], sources.files["q.claims.json"]
    messages = [[quotient["by"] for quotient in claim["quotients"]] for claim in json.loads(claims)["claims"]]
    assert messages == [[60], [60]]
    for divisor in (60, 59, 61):
        annotations = read_claims(Source("q.claims.json", claims.replace('"by": 60', f'"by": {divisor}')))
        verdict = prove_c(design.checked, Source("q.c", text), ProofTask(executes=False, annotations=annotations))
        assert verdict.is_proved == (divisor == 60)
    with pytest.raises(Rejected):
        read_claims(Source("q.claims.json", claims.replace('"by": 60', '"by": 0')))


@pytest.mark.slow
def test_wrong_claims_prove_nothing_that_is_wrong() -> None:
    """Claims that are drawn at random, of right and of wrong C."""
    random = Random(14)
    design = alphaz.run(KERNELS / "trisolv" / "trisolv.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "trisolv")
    text, claims = sources.files["trisolv.c"], sources.claims["trisolv.c"]
    wrong = text.replace("j < i", "j < i - 1", 1)
    assert wrong != text
    for _ in range(6):
        changed = {line: _changed(claim, random) for line, claim in claims.items()}
        for source in (text, wrong):
            verdict = prove_c(
                design.checked,
                Source("trisolv.c", source),
                ProofTask(executes=False, annotations=annotations_by_line(changed)),
            )
            assert not (verdict.is_proved and source is wrong)
    assert prove_c(
        design.checked, Source("trisolv.c", text), ProofTask(executes=False, annotations=annotations_by_line(claims))
    ).is_proved


def _changed(claim: object, random: Random) -> dict[str, object]:
    assert isinstance(claim, dict)
    moved = {name: [{**item, "": item.get("", 0) + random.choice((-1, 0, 1))} for item in claim[name]]
             for name in ("point", "adds") if name in claim}  # fmt: skip
    return {**claim, **moved, "variable": random.choice((claim["variable"], "x", "b", "nothing"))}
