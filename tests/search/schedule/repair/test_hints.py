"""Hints: each names a change that was verified, and its text, put into the script, makes the mapping proved."""

from pathlib import Path
from time import process_time

import pytest

from alphaz.diagnostics import Source
from alphaz.legality.verdicts import DesignVerdict, Options
from alphaz.legality.verify import is_legal, verify
from alphaz.scripting.interpreter.python_api import run
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.repair.case import Hint
from alphaz.search.schedule.repair.search import hints, with_hints
from tests.strategies.chains import SYSTEM, Chain
from tests.thinning import thinned

SUMS = """affine S {N | N>=1}
input
  int A {i,k | 0<=i && i<N && 0<=k && k<N};
output
  int C {i | 0<=i && i<N};
let
  C[i] = reduce(+, [k], {| 0<=k && k<N} : A[i,k]);
.
"""

CHAIN = """affine S {N | N>=1}
input
  int A {i | 0<=i && i<N};
output
  int Y {i | 0<=i && i<N};
local
  int X {i | 0<=i && i<N};
let
  X[i] = A[i] + 1;
  Y[i] = X[i] * 2;
.
"""

STENCIL = """affine S {T,N | T>=1 && N>=3}
input
  int A {i | 0<=i && i<N};
output
  int Y {i | 0<=i && i<N};
local
  int U {t,i | 0<=t && t<=T && 0<=i && i<N};
let
  U[t,i] = case {| t==0} : A[i]; {| t>0 && 0<i && i<N-1} : U[t-1,i-1] + U[t-1,i] + U[t-1,i+1];
                {| t>0 && i==0} : U[t-1,i]; {| t>0 && i==N-1} : U[t-1,i]; esac;
  Y[i] = U[T,i];
.
"""

BACKWARDS = """affine S {N | N>=2}
output
  int U {i,j | 0<=i && i<N && 0<=j && j<N};
let
  U[i,j] = case {| j==N-1} : 1; {| j<N-1 && i==0} : U[i,j+1];
                {| j<N-1 && i>0} : U[i,j+1] + U[i-1,j+1] + U[N-1-i,j+1]; esac;
.
"""

STENCIL_DATES = 'setSpaceTimeMap(prog, "S", "U", "(t,i -> t,i)"); setSpaceTimeMap(prog, "S", "Y", "(i -> T+1,i)");'


def judged(folder: Path, program: str, *commands: str) -> DesignVerdict:
    (folder / "p.ab").write_text(program, encoding="utf-8")
    script = "\n".join(['prog = ReadAlphabets("p.ab");', *commands, ""])
    session = run_script(Source(str(folder / "s.cs"), script), folder)
    assert not session.has_errors, [str(f.message) for f in session.findings]
    return session.design_verdicts[-1]


def found(case: DesignVerdict) -> tuple[Hint, ...]:
    return hints(case.design, case.first.system, case.first, seconds=60)


# What is wrong, and the text and the commands of one hint that must be among those found.
CASES = {
    "sequential": (
        CHAIN,
        ('setSpaceTimeMap(prog, "S", "X", "(i -> i,0)"); setSpaceTimeMap(prog, "S", "Y", "(i -> i,1)");',
         'setParallel(prog, "S", "", 1);'),
        "dimension 1 sequential",
        ('setDimensionType(prog, "S", "Y, X", 1, "SEQUENTIAL");',),
    ),
    "reduction dimension": (
        SUMS,
        ('setSpaceTimeMap(prog, "S", "C", "(i,k -> i,k)");', 'setParallel(prog, "S", "", 1);'),
        "dimension 1 as a reduction dimension",
        ('setDimensionType(prog, "S", "C", 1, "REDUCTION");',),
    ),
    "statement ordering": (
        CHAIN,
        ('setSpaceTimeMap(prog, "S", "X, Y", "(i -> i)");',),
        "X before Y at equal dates",
        ('setStatementOrdering(prog, "S", "X", "Y");',),
    ),
    "memory map": (
        STENCIL,
        (STENCIL_DATES, 'setMemoryMap(prog, "S", "U", "U", "(t,i -> i)");'),
        "a memory map (i-t) for U",
        ('setMemoryMap(prog, "S", "U", "U", "(t,i -> i-t)");',),
    ),
    "skew": (
        STENCIL,
        (STENCIL_DATES, 'setBandForTiling(prog, "S", "b", 0, 1);'),
        "dimension 1 skewed by 1 times dimension 0",
        ('setSpaceTimeMap(prog, "S", "Y", "(i -> T+1,T+i+1)");', 'setSpaceTimeMap(prog, "S", "U", "(t,i -> t,i+t)");'),
    ),
    "shift": (
        CHAIN,
        ('setSpaceTimeMap(prog, "S", "X", "(i -> i,1)"); setSpaceTimeMap(prog, "S", "Y", "(i -> i,0)");',),
        "Y moved by 2 in dimension 1",
        ('setSpaceTimeMap(prog, "S", "Y", "(i -> i,2)");',),
    ),
    "reversal": (
        BACKWARDS,
        ('setSpaceTimeMap(prog, "S", "U", "(i,j -> j,i)");',),
        "dimension 0 of U reversed",
        ('setSpaceTimeMap(prog, "S", "U", "(i,j -> -j,i)");',),
    ),
    "apart": (
        STENCIL,
        ('setSpaceTimeMap(prog, "S", "U", "(t,i -> 0,t,i)"); setSpaceTimeMap(prog, "S", "Y", "(i -> 1,0,i)");',
         'setMemorySpace(prog, "S", "U", "Y"); setMemoryMap(prog, "S", "U", "(t,i -> i)");'),
        "a memory map (i-t) for U and Y with a cell for each of its points",
        ('setMemoryMap(prog, "S", "U", "U", "(t,i -> i-t)");', 'setMemoryMap(prog, "S", "Y", "Y", "(i -> i)");'),
    ),
    "component": (
        SUMS.replace("C[i] =", "D[i] = C[i] * 2;\n  C[i] =").replace(
            "  int C {i | 0<=i && i<N};\nlet", "  int D {i | 0<=i && i<N};\nlocal\n  int C {i | 0<=i && i<N};\nlet"
        ),
        ('setSpaceTimeMap(prog, "S", "C", "(i,k -> i,k)"); setSpaceTimeMap(prog, "S", "D", "(i -> i,0)");',),
        "D with N in dimension 1",
        ('setSpaceTimeMap(prog, "S", "D", "(i -> i,N)");',),
    ),
    "ranks combine": (
        SUMS,
        ('setSpaceTimeMap(prog, "S", "C", "(i,k -> k,i)");', 'setDistributed(prog, "S", "", 0, "block");'),
        "dimension 0 as a reduction dimension, across which ranks combine,",
        ('setReductionDimension(prog, "S", "", "0");',),
    ),
    "a halo": (
        STENCIL,
        (STENCIL_DATES, 'setDistributed(prog, "S", "", 1, "block"); setGhostMap(prog, "S", "U", "(t,i -> 0)");'),
        "received values of U next to its own ones (a halo)",
        ('setGhostMap(prog, "S", "U", "U", "(t,i -> t,i)");',),
    ),
    "ghost lines": (
        STENCIL,
        (STENCIL_DATES, 'setDistributed(prog, "S", "", 1, "cyclic");',
         'setGhostMap(prog, "S", "U", "(t,i -> t,i)", "1,0"); setMemoryMap(prog, "S", "U", "(t,i -> t,i)", "1,0");'),
        'a memory map with mod factors "2,0" for U',
        ('setMemoryMap(prog, "S", "U", "U", "(t,i -> t,i)", "2,0");',),
    ),
    "blocks": (
        STENCIL,
        ('setSpaceTimeMap(prog, "S", "U", "(t,i -> i+t,t)"); setSpaceTimeMap(prog, "S", "Y", "(i -> i+T,T+1)");',
         'setDistributed(prog, "S", "", 0, "cyclic");'),
        "a distribution by blocks",
        ('setDistributed(prog, "S", "", 0, "block");',),
    ),
    "skewed places": (
        STENCIL,
        ('setSpaceTimeMap(prog, "S", "U", "(t,i -> i,t)"); setSpaceTimeMap(prog, "S", "Y", "(i -> i,T+1)");',
         'setDistributed(prog, "S", "", 0, "block");'),
        "dimension 0 skewed by 1 times dimension 1",
        ('setSpaceTimeMap(prog, "S", "Y", "(i -> T+i+1,T+1)");', 'setSpaceTimeMap(prog, "S", "U", "(t,i -> i+t,t)");'),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", thinned(CASES, 4))
def test_a_hint_says_what_was_tried_and_its_text_makes_the_mapping_legal(name: str, tmp_path: Path) -> None:
    program, commands, text, lines = CASES[name]
    case = judged(tmp_path, program, *commands)
    assert case.first.word == "refuted"
    chosen = {hint.text: hint for hint in found(case)}
    assert text in chosen
    assert chosen[text].commands == lines
    for hint in chosen.values():
        assert not hint.commands or judged(tmp_path, program, *commands, *hint.commands).first.word == "proved", (
            hint.text
        )


def test_tiles_of_the_given_sizes_are_offered_where_others_are_illegal(tmp_path: Path) -> None:
    sizes = 'setTiling(prog, "S", 0, 1); setTiling(prog, "S", 1, 8);'
    case = judged(tmp_path, STENCIL, STENCIL_DATES, sizes)
    hint = found(case)[0]
    assert hint.text.startswith("the same mapping, for tile sizes 1,8 of dimensions 0,1 only")
    assert not hint.commands
    report = verify(case.design, ["S"], Options(exact_tiles=True)).systems[0]
    assert repr(report).startswith("S: proved for tile sizes 1,8 of dimensions 0,1 only, ")


def test_shorter_dates_are_padded(tmp_path: Path) -> None:
    commands = ('setSpaceTimeMap(prog, "S", "X", "(i -> 0,i)");', 'setSpaceTimeMap(prog, "S", "Y", "(i -> N)");')
    case = judged(tmp_path, CHAIN.replace("Y[i] = X[i]", "Y[i] = X[0]"), *commands)
    assert case.first.word == "not well formed"
    assert not found(case)  # padded, all points of Y would have one date
    single = CHAIN.replace("int Y {i | 0<=i && i<N}", "int Y").replace("Y[i] = X[i]", "Y = X[0]")
    commands = (commands[0], 'setSpaceTimeMap(prog, "S", "Y", "( -> N)");')
    (hint,) = found(judged(tmp_path, single, *commands))
    assert hint.text == "the dates of Y padded with zeros"
    assert hint.commands == ('setSpaceTimeMap(prog, "S", "Y", "( -> N,0)");',)
    assert judged(tmp_path, single, *commands, *hint.commands).first.word == "proved"


ONE = CHAIN.replace("int Y {i | 0<=i && i<N}", "int Y").replace("Y[i] = X[i]", "Y = X[0]")
AFTER = ('setSpaceTimeMap(prog, "S", "X", "(i -> 0,i)");', 'setSpaceTimeMap(prog, "S", "Y", "( -> 1,0)");')


@pytest.mark.parametrize(
    ("commands", "line"),
    [
        (('setSpaceTimeMap(prog, "S", "Y", "( -> )");',), 'setSpaceTimeMap(prog, "S", "Y", "( -> 0)");'),
        (
            (*AFTER, 'setDimensionType(prog, "S", "X", 0, "ORDERING");'),
            'setDimensionType(prog, "S", "Y, X", 0, "ORDERING");',
        ),
        (
            (*AFTER, 'setBandForTiling(prog, "S", "outer", 1, "0", 0, 0, "4");'),
            'setOrderingDimensions(prog, "S", "0");',
        ),
        (
            (
                *AFTER,
                'setMemoryMap(prog, "S", "X", "M", "(i -> i)");',
                'setMemoryMap(prog, "S", "Y", "M", "( -> )");',
            ),
            'setMemoryMap(prog, "S", "Y", "Y", "( -> )");',
        ),
    ],
)
def test_a_line_that_makes_a_mapping_well_formed_is_offered(
    commands: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    before = 'setStatementOrdering(prog, "S", "X", "Y");'
    case = judged(tmp_path, ONE, before, *commands)
    assert case.first.word == "not well formed"
    assert [hint.commands for hint in found(case)] == [(line,)]


def test_hints_speak_of_the_program_as_the_script_does(tmp_path: Path) -> None:
    (tmp_path / "p.ab").write_text(CHAIN, encoding="utf-8")
    script = 'q = ReadAlphabets("p.ab"); sys = "S";\nsetSpaceTimeMap(q, sys, "X, Y", "(i -> i)");\n'
    (case,) = run_script(Source(str(tmp_path / "s.cs"), script), tmp_path).design_verdicts
    assert 'setStatementOrdering(q, sys, "X", "Y");' in found(case)[0].commands


def test_the_first_error_shows_what_was_tried_and_advice_claims_nothing(tmp_path: Path) -> None:
    case = judged(tmp_path, CHAIN, 'setSpaceTimeMap(prog, "S", "X, Y", "(i -> i)");')
    report = with_hints(case.design, case.first, seconds=60)
    shown = report.findings[0].help or ""
    assert shown.startswith("X before Y at equal dates would be legal (tried):\n  setStatementOrdering")
    assert "would be legal" not in (case.first.findings[0].help or "")


def test_a_proved_mapping_and_a_hopeless_one_have_no_hints(tmp_path: Path) -> None:
    assert not found(judged(tmp_path, CHAIN, 'setSpaceTimeMap(prog, "S", "X", "(i -> i,0)");',
                            'setSpaceTimeMap(prog, "S", "Y", "(i -> i,1)");'))  # fmt: skip
    hopeless = judged(tmp_path, STENCIL, 'setSpaceTimeMap(prog, "S", "U", "(t,i -> i,t)");',
                      'setSpaceTimeMap(prog, "S", "Y", "(i -> N,i)");')  # fmt: skip
    assert hopeless.first.word == "refuted"
    assert not found(hopeless)
    assert with_hints(hopeless.design, hopeless.first, seconds=60) is hopeless.first


def test_what_is_not_proved_in_time_is_not_offered(tmp_path: Path) -> None:
    """One trial of a large system takes longer than all of them may: it is broken off."""
    design = run(Chain(4).write(tmp_path))
    assert is_legal(design, SYSTEM)
    assert not is_legal(design, SYSTEM, until=process_time() - 1)
