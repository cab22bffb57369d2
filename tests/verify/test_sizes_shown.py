"""Under tiles of sizes that a script gives, a refutation is shown where there is more than one of them."""

from pathlib import Path

import pytest

import alphaz

PROGRAM = """affine skewed {N,T | N>=3 && T>=1}
input double A {i | 0<=i<N};
output double B {i | 0<=i<N};
local double X {t,i | 0<=t<=T && 0<=i<N};
let
X[t,i] = case {| t==0} : A[i]; {| t>0 && i==0} || {| t>0 && i==N-1} : X[t-1,i];
	{| t>0 && 0<i<N-1} : X[t-1,i-1]+X[t-1,i+1]; esac;
B[i] = X[T,i];
.
"""


@pytest.mark.parametrize(("size", "least"), [("", 3), (", 1", 3), (", 2", 3), (", 8", 9), (", 31", 32)])
def test_the_witness_has_two_tiles(tmp_path: Path, size: str, least: int) -> None:
    (tmp_path / "skewed.ab").write_text(PROGRAM)
    script = tmp_path / "skewed.cs"
    script.write_text(
        'prog = ReadAlphabets("skewed.ab");\n'
        'setSpaceTimeMap(prog, "skewed", "X", "(t,i -> t,i)");\n'
        'setSpaceTimeMap(prog, "skewed", "B", "(i -> T+1,i)");\n'
        f'setTiling(prog, "skewed", 0{size});\nsetTiling(prog, "skewed", 1{size});\n'
    )
    report = alphaz.verify(alphaz.run(script))
    (finding,) = (each for each in report.findings if each.rule.code == "AZ702")
    assert finding.witness is not None
    assert dict(finding.witness.parameters)["N"] == least
