"""`alphaz test` without -p: legal parameters, small ones that show most."""

from pathlib import Path

import pytest

from tests.cli.command_line import ask
from tests.thinning import thinned

PROGRAM = """
affine pairs {N,M | N>=3 && M>N+2}
input int A {i | 0<=i<M};
output int B {i | 0<=i<N};
let B[i] = A[i] + A[M-1];
.
affine many {N | N>=700}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let B[i] = A[i];
.
affine one {|}
output int B;
let B = 3;
.
"""
MAPS = 'setSpaceTimeMap(prog, "pairs", "B", "(i->i)");\nsetSpaceTimeMap(prog, "many", "B", "(i->i)");\n'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "values"), [("pairs", "N=3, M=6"), ("many", "N=700"), ("one", "no parameters")], ids=lambda item: item
)
@pytest.mark.parametrize("maps", thinned(["", MAPS]), ids=["unmapped", "mapped"])
def test_each_system_gets_parameters_of_its_own(system: str, values: str, maps: str, folder: Path) -> None:
    if maps and system == "one":
        pytest.skip("it has no mapping")
    (folder / "p.ab").write_text(PROGRAM, encoding="utf-8")
    (folder / "p.cs").write_text(f'prog = ReadAlphabets("p.ab");\n{maps}', encoding="utf-8")
    answer = ask("test", "p.cs", "--threads", "1")
    assert answer.code == 0
    assert f"{system}, {values}, " in answer.out
    assert "runs agree" in answer.out


def test_parameters_that_are_given_are_given_whole(folder: Path) -> None:
    (folder / "p.ab").write_text(PROGRAM, encoding="utf-8")
    (folder / "p.cs").write_text('prog = ReadAlphabets("p.ab");', encoding="utf-8")
    assert "`pairs` needs a value for `M`" in ask("test", "p.cs", "-p", "N=3").err


def test_no_parameters_are_legal(folder: Path) -> None:
    (folder / "p.ab").write_text(
        "affine none {N | N>5 && N<3} output int B {i | 0<=i<N}; let B[i] = [i]; .", encoding="utf-8"
    )
    (folder / "p.cs").write_text('prog = ReadAlphabets("p.ab");', encoding="utf-8")
    answer = ask("test", "p.cs")
    assert (answer.code, "`none` has no legal parameters" in answer.err) == (2, True)
