"""Under tiles of sizes that a script gives, a refutation is shown where there is more than one of them."""

from pathlib import Path

import pytest

import alphaz
from alphaz.mapping.loop_dimensions import Axis, TileAxis
from alphaz.mapping.target_mapping import Band
from alphaz.order.precedence import sizes_text

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
    (finding,) = (finding for finding in report.findings if finding.rule.code == "AZ702")
    assert finding.witness is not None
    assert dict(finding.witness.parameters)["N"] == least


def test_levels_and_register_tiles_are_told_apart() -> None:
    band = Band("b", (), 0, 1, ((64, 64), (16, None)))
    outer = tuple(Axis(d, band, (TileAxis(d, 64, f"ts{d + 1}_l1"),)) for d in (0, 1))
    inner = tuple(Axis(d, band, (TileAxis(d, 16, f"ts{d + 1}_l2"),)) for d in (0, 1))
    pieces = Band("r", (), 0, 1, ((4, 8),), registers=True)
    registers = tuple(Axis(d, pieces, (TileAxis(d, 4 + 4 * d, f"ts{d + 1}_l3"),)) for d in (0, 1))
    assert sizes_text(outer) == "tile sizes 64,64 of dimensions 0,1"
    assert sizes_text((*outer, *registers)) == (
        "tile sizes 64,64 of dimensions 0,1 and register tiles of 4,8 in dimensions 0,1"
    )
    assert sizes_text((*outer, *inner)) == (
        "tile sizes 64,64 of dimensions 0,1 (level 1) and tile sizes 16,16 of dimensions 0,1 (level 2)"
    )
    assert sizes_text((Axis(0),)) == "register tiles of one point"
