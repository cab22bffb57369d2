"""I: what a call writes in place are points of the caller's variable. Asked like every obligation, in certificates."""

from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.certificate import smt
from alphaz.certificate.recheck import RecheckOutcome, recheck
from alphaz.certificate.required_obligations import missing
from alphaz.diagnostics import Rejected
from alphaz.diagnostics.rules import IN_PLACE
from alphaz.legality.reporting.certificate_record import record
from alphaz.legality.verdicts import DesignVerdict
from alphaz.legality.verify import assume_legal, verify
from alphaz.proof import Proved, Refuted, isl_engine
from tests.codegen.generated_kernels import design_of

ROWS = """affine part {N | N>1}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let B[i] = A[i] + 1; .
affine main {N | N>1}
input int X {r,i | 0<=(r,i)<N};
output int Y {r,i | 0<=r<N && DOMAIN};
let use {r | 0<=r<N} part[N] (X) returns (Y); .
"""
SHARED = """setMemoryMap(prog, "main", "Y", "Y", "(r,i -> r,i)");
setMemorySpaceForUseEquationOptimization(prog, "main", "UseEquation_Y", 1, 0, "Y");"""
LACKING = {
    "0<=i<N": None,
    "0<=i<N-1": (0, 1),
    "1<=i<N": (0, 0),
    "0<=i<N && i<=r": (0, 1),
    "0<=i<N && i!=r": (0, 0),
    "0<=i<N && i%2==1": (0, 0),
}


def report(folder: Path, domain: str) -> DesignVerdict:
    return verify(design_of(folder, ROWS.replace("DOMAIN", domain), SHARED), ["main"])


@pytest.mark.parametrize(("domain", "lacks"), LACKING.items(), ids=list(LACKING))
def test_it_is_refuted_by_the_first_point_that_lacks(
    tmp_path: Path, domain: str, lacks: tuple[int, int] | None
) -> None:
    (system,) = report(tmp_path, domain).systems
    (verdict,) = (result.verdict for result in system.results if result.rule is IN_PLACE)
    assert isinstance(verdict, Proved if lacks is None else Refuted)
    assert system.is_proved is (lacks is None)
    if isinstance(verdict, Refuted):
        assert verdict.point["N"] == 2
        assert lacks is not None
        r, i = lacks
        assert verdict.witness.sentence == f"N=2: UseEquation_Y[{r}] computes B[{i}]; there is no Y[{r},{i}]"


def test_the_finding_is_at_the_command_and_code_is_not_generated_on_trust(tmp_path: Path) -> None:
    refuted = report(tmp_path, "0<=i<N-1")
    (finding,) = (f for f in refuted.findings if f.rule is IN_PLACE)
    assert finding.message == "part computes points of B that Y lacks"
    assert finding.primary.span.text.startswith("setMemorySpaceForUseEquationOptimization")
    with pytest.raises(Rejected) as caught:
        assume_legal(refuted)
    assert finding in caught.value.diagnostics


@pytest.mark.parametrize("domain", ["0<=i<N", "0<=i<N && i%2==1"])
def test_it_stands_in_certificates(tmp_path: Path, domain: str) -> None:
    (system,) = report(tmp_path, domain).systems
    made = record("f.cs", system)
    (entry,) = (entry for entry in made.obligations if entry.key.kind == "I")
    for module in (isl_engine, smt):
        checks = [check for check in recheck(made, module.engine()[1]) if check.entry is entry]
        assert [check.outcome for check in checks] == [RecheckOutcome.AGREES]
    without = replace(made, obligations=tuple(obligation for obligation in made.obligations if obligation is not entry))
    assert [key.kind for key in missing(without)] == ["I"]
