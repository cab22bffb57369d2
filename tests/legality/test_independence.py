"""V: what loops are changed for is proved by the engine; what is not is left as it was, with a witness."""

from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import ALL
from alphaz.codegen.scheduled.scheduled_c import explained, scheduled_c
from alphaz.proof import Proved, Refuted, discharge
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import ROOT, proved

ROWS = """affine f {N | N>=4}
input double A {i | 0<=i<N};
output double b {i | 0<=i<N};
let b[i] = case {| i<BACK} : A[i]; {| i>=BACK} : A[i] + b[i-BACK]; esac; .
"""
DATES = 'setSpaceTimeMap(prog, "f", "b", "(i->i)");'


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_loop_that_needs_its_own_results_is_left_as_it_was(tmp_path: Path, back: int) -> None:
    verified = proved(tmp_path, ROWS.replace("BACK", str(back)), DATES)
    asked = explained(verified, "f", ALL).answers
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
    assert all(holds for _, holds in explained(apart, "f", ALL).answers)


@pytest.mark.parametrize(("last", "is_proved"), [("N-1", True), ("i", True), ("i-1", False)])
def test_a_sum_needs_a_test_unless_its_loop_is_proved_to_have_an_iteration(
    tmp_path: Path, last: str, is_proved: bool
) -> None:
    program = f"""affine f {{N | N>=1}}
input double A {{i,j | 0<=(i,j)<N}};
output double y {{i | 0<=i<N}};
let y[i] = reduce(+, [j], {{| j<={last}}} : A[i,j]); .
"""
    verified = proved(tmp_path, program, 'setSpaceTimeMap(prog, "f", "y", "(i,j->i,j)", "(i->i,-1)");')
    where = "loop over j of y.body 0: it has an iteration wherever the bounds and tests around it let it be reached"
    ((asked, held),) = ((asked, held) for asked, held in explained(verified, "f", ALL).answers if asked.claim == where)
    verdict = discharge(asked)
    assert held is isinstance(verdict, Proved) is is_proved
    text = scheduled_c(verified, "f").files["f.c"]
    assert ("if (0 < i) {" in text) is not is_proved
    assert "double sum = y[i];" in text
    if isinstance(verdict, Refuted):
        assert verdict.witness.sentence == "N=1: nothing around it keeps it from having no iteration at i=0"


def test_the_command_line_explains() -> None:
    answer = ask("run", ROOT / "samples/kernels/seidel-2d/seidel-2d.cs", "-o", "out", "--explain")
    assert answer.code == 0
    assert "proved: loop over j of X 0: no iteration touches by X[t,i,j] what another one writes" in answer.out
    assert "refuted: N=4, T=1: X[1,1,2] touches, by X[t,i,j-1], the cell that X[1,1,1] writes" in answer.out
