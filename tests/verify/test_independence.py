"""V: what loops are changed for is proved by the engine; what is not is left as it was, with a witness."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import asked_of_loops
from alphaz.proof import Proved, Refuted, discharge
from tests.cli.asking import ask
from tests.codegen.building import ROOT, proved

ROWS = """affine f {N | N>=4}
input double A {i | 0<=i<N};
output double b {i | 0<=i<N};
let b[i] = case {| i<BACK} : A[i]; {| i>=BACK} : A[i] + b[i-BACK]; esac; .
"""
DATES = 'setSpaceTimeMap(prog, "f", "b", "(i->i)");'


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_loop_that_needs_its_own_results_is_left_as_it_was(tmp_path: Path, back: int) -> None:
    verified = proved(tmp_path, ROWS.replace("BACK", str(back)), DATES)
    asked = asked_of_loops(verified, "f", ALL)
    verdicts = [discharge(obligation) for obligation, _ in asked]
    assert [isinstance(verdict, Proved) for verdict in verdicts] == [holds for _, holds in asked]
    (refuted,) = (verdict for verdict in verdicts if isinstance(verdict, Refuted))
    assert refuted.witness.sentence == (
        f"N={max(4, 2 * back + 1)}: b[{2 * back}] touches, by b[i-{back}], the cell that b[{back}] writes"
    )


def test_memory_decides(tmp_path: Path) -> None:
    """The same loop over two rows that lie apart, and over one row."""
    program = """affine f {N | N>=4}
input double A {i | 0<=i<N};
output double b {i | 0<=i<N};
local double s {i | 0<=i<=N};
let s[i] = case {| i==0} : A[0]; {| i>0} : A[i-1]; esac; b[i] = s[i] + 1; .
"""
    dates = 'setSpaceTimeMap(prog, "f", "s", "(i->0,i)"); setSpaceTimeMap(prog, "f", "b", "(i->1,i)");'
    apart = proved(tmp_path, program, dates)
    assert all(holds for _, holds in asked_of_loops(apart, "f", ALL))


def test_the_command_line_explains() -> None:
    answer = ask("run", ROOT / "samples/kernels/seidel-2d/seidel-2d.cs", "-o", "out", "--explain")
    assert answer.code == 0
    assert "proved: loop over j of X 0: no iteration touches by X[t,i,j] what another one writes" in answer.out
    assert "refuted: N=4, T=1: X[1,1,2] touches, by X[t,i,j-1], the cell that X[1,1,1] writes" in answer.out
