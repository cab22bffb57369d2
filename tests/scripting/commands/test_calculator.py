"""The calculator: what scripts print of domains and functions, and what is refused."""

from pathlib import Path

import pytest

from alphaz.scripting.commands.catalogue import commands
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.reference import EXAMPLE_PROGRAM
from alphaz.scripting.interpreter.run import Settings
from tests.scripting.commands.scripts import design_of, error_of, run

CASES = [
    ('calc_ReadDomain("{i,j|0<=i&&i<=j&&j<N}")', "{i,j | 0<=i<=j<N}"),
    ('calc_ReadFunction("(i,j->N-j,i+j)")', "(i,j->N-j,i+j)"),
    ('calc_Inverse("(i,j->i+j,j)")', "(x0,j->x0-j,j)"),
    ('calc_Inverse("(i,j->2i+3j,i+2j)")', "(x0,x1->2x0-3x1,2x1-x0)"),
    ('calc_InverseInContext("(i,j->i)", "{i,j|j==i+N}")', "(i->i,N+i)"),
    ('calc_Compose("(i->i,N)", "(i,j->i+j)")', "(i,j->i+j,N)"),
    ('calc_Join("(i,j->i)", "(a,b->a+b)")', "(i,j->i,i+j)"),
    ('calc_Intersection("{i|0<=i<N}", "{k|2<=k}")', "{i | 2<=i<N}"),
    ('calc_Union("{i|0<=i<N}", "{i|i==N && N>=0}")', "{i | 0<=i<=N}"),
    ('calc_Difference("{i|0<=i<N}", "{i|i==0}")', "{i | 1<=i<N}"),
    ('calc_Image("{i,j|0<=i<=j<N}", "(i,j->j)")', "{j | 0<=j<N}"),
    ('calc_PreImage("{i|0<=i<N}", "(i,j->i+j)")', "{i,j | 0<=i+j<N}"),
    ('calc_IsEmpty("{i|i<0 && i>0}")', "true"),
    ('calc_IsEmpty("{i|i<N}")', "false"),
    ('calc_IsEquivalent("{i|0<i}", "{j|1<=j}")', "true"),
    ('calc_IsEquivalent("{i|0<i}", "{j|0<=j}")', "false"),
    ('calc_SimplifyInContext("{i|0<=i<N}", "{i|0<=i}")', "{i | i<N}"),
    ('calc_ReadDomain("{|}")', "{|}"),
    ('calc_ReadDomain("{i | 0<=i<N} || {i | i==2N}")', "{i | 0<=i<N} || {i | i==2N}"),
    ('calc_ReadDomain("{i,j | 0<=(i,j)<N && i!=j}")', "{i,j | 0<=j<i<N} || {i,j | 0<=i<j<N}"),
    ('calc_ReadFunction("(->N,0)")', "(->N,0)"),
    ('calc_ReadFunction("(i -> 2i-3)")', "(i->2i-3)"),
    ('calc_Inverse("(i->N-i)")', "(x0->N-x0)"),
    ('calc_Inverse("(i,j->j,i,i-j)")', "(j,i,x2->i,j)"),
    ('calc_InverseInContext("(i,j->i+j)", "{i,j|j==0}")', "(x0->x0,0)"),
    ('calc_InverseInContext("(i->2i,3i)", "{i|i>=0}")', "(x0,x1->x1-x0)"),
    ('calc_Compose("(i,j->j,i)", "(i,j->j,i)")', "(i,j->i,j)"),
    ('calc_Compose("(->N)", "(i->)")', "(i->N)"),
    ('calc_Join("(i->)", "(i->i)")', "(i->i)"),
    ('calc_Join("(i,j->i,j)", "(i,j->i,j)")', "(i,j->i,j,i,j)"),
    ('calc_Intersection("{i,j|i<=j}", "{i,j|j<=i}")', "{i,j | i==j}"),
    ('calc_Intersection("{i|i<0}", "{i|i>0}")', "{i | 0==1}"),
    ('calc_Union("{i|i<0}", "{i|i>0}")', "{i | i+1<=0} || {i | i>=1}"),
    ('calc_Union("{i,j|i==j}", "{i,j|i<j}")', "{i,j | i<=j}"),
    ('calc_Difference("{i|0<=i<N}", "{i|0<=i<N}")', "{i | 0==1}"),
    ('calc_Difference("{i,j|0<=i<N && 0<=j<N}", "{i,j|i<j}")', "{i,j | 0<=j<=i<N}"),
    ('calc_Image("{i|0<=i<N}", "(i->2i,i)")', "{x0,i | x0==2i && 0<=x0<2N-1}"),
    ('calc_Image("{i,j|0<=i<=j<N}", "(i,j->i+j,j)")', "{x0,j | j<=x0<=2j && j<N}"),
    ('calc_PreImage("{i,j|0<=i<=j<N}", "(i->i,N-1)")', "{i | 0<=i<N}"),
    ('calc_PreImage("{i|i==3}", "(i->2i)")', "{i | 0==1}"),
    ('calc_PreImage("{i|i==4}", "(i->2i)")', "{i | i==2}"),
    ('calc_PreImage(calc_Image("{i|0<=i<N}", "(i->2i)"), "(i->2i)")', "{i | 0<=i<N}"),
    ('calc_IsEmpty("{i,j | 2i==2j+1}")', "true"),
    ('calc_IsEquivalent("{i|0<=i<N}", "{i|0<=i<M}")', "false"),
    ('calc_SimplifyInContext("{i|0<=i<N && i==j}", "{i|i<N}")', "{i | i==j && j>=0}"),
    ('calc_SimplifyInContext("{i,j|0<=i<=j<N}", "{i,j|i<=j}")', "{i,j | i>=0 && j<N}"),
    ('calc_SimplifyInContext("{i|i<N}", "{i|i<N}")', "{i|}"),
    ('calc_ReadDomain("{i,j | (i,j)%2 == 1 && (i+j)%4 == 0}")', "{i,j | (i+j)%4==0 && j%2==1}"),
    ('calc_Image("{i|0<=i<N}", "(i->2i)")', "{x0 | 0<=x0<2N-1 && x0%2==0}"),
    ('calc_Difference("{i|}", "{i|i%3==0}")', "{i | i%3>=1}"),
]


def test_each_command_is_met_three_times() -> None:
    names = [command.name for command in commands() if command.topic is Topic.CALCULATOR]
    assert [name for name in names if sum(call.startswith(name) for call, _ in CASES) < 3] == []


@pytest.mark.parametrize(("call", "expected"), CASES, ids=[call for call, _ in CASES])
def test_a_value_prints_as_people_write_it(call: str, expected: str, tmp_path: Path) -> None:
    messages: list[str] = []
    session = run(f'x = {call};\nprint(x);\nprint("it is " + x);', tmp_path, Settings(say=messages.append))
    assert [finding.message for finding in session.findings] == []
    assert messages == [f"{expected}\n", f"it is {expected}\n"]


def test_a_value_of_the_calculator_is_an_argument_of_a_transformation(tmp_path: Path) -> None:
    design = design_of(
        """
        NormalizeReduction(prog);
        AddLocal(prog, "sums", "S", "0,1,0,0");
        skew = calc_Inverse("(i,k->i-k,k)");
        CoB(prog, "sums", "S", skew);
        """,
        tmp_path,
        EXAMPLE_PROGRAM,
    )
    assert design.history[-1] == 'CoB(prog, "sums", "S", "(x0,k->k+x0,k)");'


def test_a_function_without_an_inverse_is_refused(tmp_path: Path) -> None:
    error = error_of('f = calc_Inverse("(i->2i)");', tmp_path)
    assert (error.rule.code, error.primary.span.text) == ("AZ406", '"(i->2i)"')
    error = error_of('f = calc_Compose("(i,j->i)", "(i->i)");', tmp_path)
    assert (error.rule.code, error.primary.span.text) == ("AZ404", '"(i,j->i)"')
    error = error_of('f = calc_Intersection("{N | N>0}", "{i | i<N}");', tmp_path)
    assert "`N` is an index" in error.message


def test_points_that_programs_cannot_write_are_shown_and_no_argument(tmp_path: Path) -> None:
    messages: list[str] = []
    run('d = calc_ReadDomain("{i|i%99<=N%7}");\nprint(d);', tmp_path, Settings(say=messages.append))
    assert "floor" in messages[0]
    error = error_of(
        """
        d = calc_ReadDomain("{i,k|i%99<=k%7}");
        AddLocal(prog, "sums", "S", "0,1,0,0");
        Split(prog, "sums", "S", d);
        """,
        tmp_path,
    )
    assert error.rule.code == "AZ402"
    assert "integer division" in error.primary.text
