"""Mappings that the comments of the kernel scripts call illegal are refuted; so are near misses of tuned mappings."""

import shutil
from pathlib import Path

import pytest

from alphaz.diagnostics import Rule
from alphaz.diagnostics.rules import ACCUMULATION, CAUSALITY, OVERWRITE, TILING
from alphaz.legality.verify import verify
from alphaz.scripting.interpreter.python_api import run
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "samples" / "kernels"

# A script, what is replaced in it, by what, and a rule that must refute the result.
CHANGES = [
    ("durbin/durbin-tuned", '"(k,i -> k,i)", "2,0"', '"(k,i -> i)"', OVERWRITE),
    ("longest-common-subsequence/longest-common-subsequence-rows", '"2,0"', '"1,0"', OVERWRITE),
    ("knapsack/knapsack-in-place", '"(i,w -> i,-w)"', '"(i,w -> i,w)"', OVERWRITE),
    ("knapsack/knapsack-tuned", '"2,0"', '"1,0"', OVERWRITE),
    ("smith-waterman/smith-waterman-tuned", '"3,0"', '"2,0"', OVERWRITE),
    ("needleman-wunsch/needleman-wunsch-tuned", '"3,0"', '"2,0"', OVERWRITE),
    ("deriche/deriche-tuned", '"0,2"', '"0,1"', OVERWRITE),
    ("correlation/correlation-tuned", "5,0,j,i", "4,0,j,i", CAUSALITY),
    ("covariance/covariance-tuned", "4,0,j,i", "3,0,j,i", CAUSALITY),
    ("trmm/trmm-in-place", '"(i,j -> j,i,M)"', '"(i,j -> j,-i,M)"', CAUSALITY),
    ("doitgen/doitgen-in-place", '"(r,q,p -> r,p)"', '"(r,q,p -> p)"', OVERWRITE),
    ("heat-3d/heat-3d-tuned", "i-t,j-t,k", "i,j,k", OVERWRITE),
    ("jacobi-1d/jacobi-1d-tuned", '"(t,i -> 0,t,i+t)"', '"(t,i -> 0,t,i)"', TILING),
    ("jacobi-2d/jacobi-2d-tuned", '"(t,i,j -> t,t+i,j)"', '"(t,i,j -> t,i,j)"', TILING),
    ("seidel-2d/seidel-2d-tuned", "2t+i+j", "t+i+j", TILING),
    ("fdtd-2d/fdtd-2d-tuned", "t,t+i+1,2,t+j+1", "t,t+i,2,t+j", CAUSALITY),
    ("cholesky/cholesky-tuned", '"(i,j -> j,i,j)"', '"(i,j -> j,i,i)"', TILING),
    ("gramschmidt/gramschmidt-tuned", "b,1,k,2,0", "b,1,k,4,0", CAUSALITY),
    ("mvt/mvt-tuned", "setReductionDimension", "setParallel", ACCUMULATION),
    ("gesummv/gesummv-tuned", "(i -> i,2,0)", "(i -> i,1,N)", CAUSALITY),
    # Cuts and roots that are done first are 16 away from both ends: a larger tile would read what it has not yet made.
    *(
        (f"{name}/{name}-tuned", "Tile(prog, system, 1, 16)", "Tile(prog, system, 1, 32)", TILING)
        for name in ("matrix-chain", "optimal-search-tree", "nussinov")
    ),
    # The classical loop of Floyd and Warshall: no copies of the row and the column.
    (
        "floyd-warshall/floyd-warshall-tuned",
        'setMemoryMap(prog, system, "row", "(k,i -> i)");\nsetMemoryMap(prog, system, "column", "(k,i -> i)");',
        'setMemoryMap(prog, system, "column", "d", "(k,i -> i,k)");\nsetMemorySpace(prog, system, "d", "row");',
        OVERWRITE,
    ),
]


@pytest.mark.parametrize(
    ("script", "old", "new", "rule"), thinned(CHANGES, 4), ids=[change[0].split("/")[1] for change in CHANGES]
)
def test_the_change_is_refuted(script: str, old: str, new: str, rule: Rule, tmp_path: Path) -> None:
    path = FOLDER / f"{script}.cs"
    text = path.read_text(encoding="utf-8")
    assert old in text
    for program in path.parent.glob("*.ab"):
        shutil.copy(program, tmp_path)
    changed = tmp_path / path.name
    changed.write_text(text.replace(old, new), encoding="utf-8")
    report = verify(run(changed))
    assert not report.is_proved
    assert rule in {finding.rule for finding in report.findings}
