"""Overlapped tiles have the values of the program; their mapping is proved, and wrong ones are refuted."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Rejected, Source
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.model.interpreter import evaluate
from alphaz.scripting.interpreter.run import run_script
from alphaz.transform.schedules import overlap as overlapped
from tests.codegen.generated_kernels import ROOT, design_of
from tests.thinning import thinned

BEGIN = "t==0}: A[i]"
ENDS = "{| t>0 && i==0} || {| t>0 && i==N-1}: X[t-1,i]"

# The equation of X, further declarations and equations, and dates of them.
PROGRAMS = {
    "stencil": (f"case {{| {BEGIN}; {{| t>0 && 0<i<N-1}}: X[t-1,i-1] - X[t-1,i] + 3 * X[t-1,i+1]; {ENDS}; esac", ""),
    "two steps back": (
        "case {| t<=1}: A[i] + [t]; {| t>1 && i<N-2}: X[t-2,i+2] - X[t-1,i]; {| t>1 && i>=N-2}: X[t-2,i]; esac", ""
    ),
    "sum inside": (f"case {{| {BEGIN}; {{| t>0}}: reduce(+, [k], {{| 0<=k<2 && k<=i}}: [k+1] * X[t-1,i-k]); esac", ""),
    "first row": (f"case {{| {BEGIN}; {{| t>0 && i>0}}: X[t-1,i-1] - X[0,i]; {{| t>0 && i==0}}: X[0,0]; esac", ""),
    "edge": (
        f"case {{| {BEGIN}; {{| t>0 && i>0}}: X[t-1,i-1] - X[t-1,i]; {{| t>0 && i==0}}: edge[t]; esac",
        "local int edge {t | 1<=t<=T}; let edge[t] = A[0] + [t];",
    ),
    "two variables": (
        f"case {{| {BEGIN}; {{| t>0 && i<N-1}}: X[t-1,i] - Y[t,i+1]; {{| t>0 && i==N-1}}: Y[t,i]; esac",
        "local int Y {t,i | 1<=t<=T && 0<=i<N}; let Y[t,i] = case {| t==1}: A[i];"
        " {| t>1 && i>0}: Y[t-1,i] + X[t-1,i-1]; {| t>1 && i==0}: X[t-1,i]; esac;",
    ),
}  # fmt: skip


def program(name: str) -> str:
    value, more = PROGRAMS[name]
    declared, _, equations = more.partition(" let ")
    return f"""affine sweep {{N,T | N>=3 && T>=0}} input int A {{i | 0<=i<N}}; output int B {{i | 0<=i<N}};
local int X {{t,i | 0<=t<=T && 0<=i<N}}; {declared.removeprefix("local")}
let X[t,i] = {value}; {equations} B[i] = X[T,i]; ."""


DATES = """setSpaceTimeMap(prog, "sweep", "X", "(t,i -> 0,t,1,i)");
setSpaceTimeMap(prog, "sweep", "B", "(i -> 1,0,0,i)"); setOrderingDimensions(prog, "sweep", "0");
"""
FURTHER = {
    "edge": 'setSpaceTimeMap(prog, "sweep", "edge", "(t -> -1,t,0,0)");',
    "two variables": 'setSpaceTimeMap(prog, "sweep", "Y", "(t,i -> 0,t,0,i)");',
}


def tiled(folder: Path, name: str, steps: int, size: int, more: str = "") -> Design:
    variables = "X, Y" if name == "two variables" else "X"
    overlap = f'setOverlap(prog, "sweep", "0", "{variables}", 0, {steps}, "{size}");'
    return design_of(folder, program(name), f"{DATES}{FURTHER.get(name, '')}{overlap}{more}")


def values(design: Design, sizes: dict[str, int]) -> np.ndarray:
    inputs = {"A": np.arange(3, 3 + 5 * sizes["N"], 5, dtype=np.int32)}
    return evaluate(design.program, design.checked.facts, "sweep", sizes, inputs)["B"]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("steps", "size"), thinned([(3, 4), (1, 3), (2, 5)], 12))
def test_tiles_have_the_values_of_the_program(tmp_path: Path, name: str, steps: int, size: int) -> None:
    before, after = design_of(tmp_path, program(name), DATES), tiled(tmp_path, name, steps, size)
    for n, t in ((3, 0), (4, 1), (9, 7), (13, 6)):
        assert (values(before, {"N": n, "T": t}) == values(after, {"N": n, "T": t})).all(), (n, t)
    report = verify(after)
    assert report.systems[0].is_usable, [finding.message for finding in report.findings]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first row", "two variables"])
def test_tiles_of_boxes_in_each_step_have_the_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Points in many pieces are enlarged to a box in each step; here all are."""
    monkeypatch.setattr(overlapped, "_MOST_PIECES", 0)
    test_tiles_have_the_values_of_the_program(tmp_path, name, 2, 5)


def test_the_equations_of_a_stencil(tmp_path: Path) -> None:
    text = ashow(tiled(tmp_path, "stencil", 4, 16).program)
    assert "X_tile {g,b0,t,i |" in text
    assert "X_kept[g,t,i] = reduce(*, [b0], {| 16b0<=i<=16b0+15}: case" in text
    assert "int X {t,i | t==T && 0<=i<N};" in text


WRONG = {
    "one step of memory": ('setMemoryMap(prog, "sweep", "X_tile", "(g,b0,t,i -> i-4b0)");', "AZ601"),
    "one place too few": ('setMemoryMap(prog, "sweep", "X_tile", "(g,b0,t,i -> t,i-4b0)", "2,7");', "AZ601"),
    "one array between groups": ('setMemoryMap(prog, "sweep", "X_kept", "(g,t,i -> i)");', "AZ601"),
    "private to a point": ('setPrivateMemory(prog, "sweep", "X_tile", 5);', "AZ605"),
    "groups at once": ('setParallel(prog, "sweep", "0", "0");', "AZ502"),
    "steps at once": ('setParallel(prog, "sweep", "0", "2");', "AZ502"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(WRONG, 4))
def test_wrong_mappings_of_tiles_are_refuted(tmp_path: Path, name: str) -> None:
    commands, code = WRONG[name]
    report = verify(tiled(tmp_path, "stencil", 3, 4, commands))
    assert not report.systems[0].is_usable
    assert code in {finding.rule.code for finding in report.findings}
    with pytest.raises(Rejected):
        certify(report)


def errors(folder: Path, text: str, commands: str) -> dict[str, str]:
    """The messages of a script, by the codes of their rules."""
    (folder / "program.ab").write_text(text)
    session = run_script(Source("script.cs", f'prog = ReadAlphabets("program.ab");\n{commands}\n'), folder)
    found = [*session.findings, *(f for verdict in session.design_verdicts for f in verdict.first.findings)]
    return {finding.rule.code: finding.message for finding in found if finding.is_error}


HALO = """affine sweep {N | N>=1} input int A {i | -2<=i<N+2}; output int B {i | 0<=i<N};
local int L {b,i | 0<=4b<N && 4b-1<=i<=4b+%s && i<=N}; int K {i | 0<=i<N};
let L[b,i] = A[i-1] + A[i+1]; K[i] = reduce(*, [b], {| 4b%s<=i<=4b+%s}: L[b,i-1] - L[b,i+1]); B[i] = K[i]; ."""
OWN = """setSpaceTimeMap(prog, "sweep", "L", "(b,i -> 0,b,0,i)");
setSpaceTimeMap(prog, "sweep", "K", "(i,b -> 0,b,1,i)");
setSpaceTimeMap(prog, "sweep", "B", "(i -> 1,0,0,i)"); setOrderingDimensions(prog, "sweep", "0");
setPrivateMemory(prog, "sweep", "L", 2); setMemoryMap(prog, "sweep", "L", "(b,i -> i-4b)"%s);
"""
SELECTED = 'setKeptOnce(prog, "sweep", "K");'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bounds", "modulo", "code"),
    [
        (("4", "", "3"), "", None),
        (("4", "", "3"), ', "6"', None),
        (("4", "", "3"), ', "5"', "AZ601"),
        (("5", "", "4"), "", "AZ504"),
        (("3", "", "3"), "", "AZ504"),
        (("4", "+1", "3"), "", "AZ504"),
    ],
)
def test_tiles_of_a_program_itself(tmp_path: Path, bounds: tuple[str, ...], modulo: str, code: str | None) -> None:
    found = errors(tmp_path, HALO % bounds, f'{OWN % modulo}{SELECTED}VerifyTargetMapping(prog, "sweep", "MIN");')
    assert set(found) == ({code} if code else set())


def test_dates_of_a_body_number_no_points(tmp_path: Path) -> None:
    """V[a,b] is computed at (b,a): in iteration b."""
    text = """affine sweep {N | N>=2} input int A {i,j | 0<=i,j<N}; output int B {a,b | 0<=a,b<N};
    local int V {a,b | 0<=a,b<N};
    let V[a,b] = reduce(+, (i,j -> j,i), {| 0<=i<N && 0<=j<N}: A[i,j]); B[a,b] = V[a,b]; ."""
    commands = """setSpaceTimeMap(prog, "sweep", "V", "(i,j -> i,0,j)");
    setSpaceTimeMap(prog, "sweep", "B", "(a,b -> b,1,a)"); setOrderingDimensions(prog, "sweep", "1");
    setMemoryMap(prog, "sweep", "V", "(a,b -> 0)"); setPrivateMemory(prog, "sweep", "V", 1);"""
    (message,) = errors(tmp_path, text, f'{commands} VerifyTargetMapping(prog, "sweep", "MIN");').values()
    assert message == "the dates of V are those of its reduction's body, which do not number its points"


def test_a_variable_that_is_stated_twice_has_one_obligation(tmp_path: Path) -> None:
    once = OWN % "" + SELECTED
    both = [design_of(tmp_path, HALO % ("4", "", "3"), commands) for commands in (once, once + SELECTED)]
    one, other = (len(verify(design).systems[0].results) for design in both)
    assert one == other


@pytest.mark.slow
def test_a_step_of_several_variables_is_within_the_budget_of_the_checks(tmp_path: Path) -> None:
    """The halo of 24 half-steps is derived, and the order of 39 reads of nine variables is found."""
    design = design_of(
        tmp_path,
        (ROOT / "samples/kernels/fdtd-2d/fdtd-2d.ab").read_text(),
        """system = "fdtd-2d";
setSpaceTimeMap(prog, system, "EY", "(t,i,j -> 0,t,0,i,j)");
setSpaceTimeMap(prog, system, "EX", "(t,i,j -> 0,t,1,i,j)");
setSpaceTimeMap(prog, system, "HZ", "(t,i,j -> 0,t,2,i,j)");
setSpaceTimeMap(prog, system, "ex, ey, hz", "(i,j -> 1,0,0,i,j)"); setOrderingDimensions(prog, system, "0");
setOverlap(prog, system, "0", "EX, EY, HZ", 0, 8, "32,32");""",
    )
    assert verify(design).is_proved


REFUSED = {
    "values of one step": (
        program("stencil").replace("X[t-1,i-1] -", "X[t,i-1] -"),
        'setOverlap(prog, "sweep", "0", "X", 0, 3, "4");',
        "a tile would need more and more points of `X` in one step",
    ),
    "sizes": (program("stencil"), 'setOverlap(prog, "sweep", "0", "X", 0, 3, "4,4");', "2 tile sizes are given for 1"),
    "whole": (program("stencil"), 'setOverlap(prog, "sweep", "0", "X", 0, 3, "0");', "each dimension has a size"),
    "no dates": (program("stencil"), 'setOverlap(prog, "sweep", "0", "A, X", 0, 3, "4");', "`A` is an input"),
    "prefix": (program("stencil"), 'setOverlap(prog, "sweep", "3", "X", 0, 3, "4");', "have no dimension 0 below"),
    "others in the nest": (
        program("stencil"),
        'setSpaceTimeMap(prog, "sweep", "B", "(i -> 0,T+1,0,i)"); setOverlap(prog, "sweep", "0", "X", 0, 3, "4");',
        "`B` has dates in the nest of the tiles",
    ),
    "after tiles": (
        program("stencil"),
        'setTiling(prog, "sweep", 1, 4); setOverlap(prog, "sweep", "0", "X", 0, 3, "4");',
        "this command counts them without",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_tiles_that_do_not_fit_are_refused(tmp_path: Path, name: str) -> None:
    text, commands, message = REFUSED[name]
    (found,) = errors(tmp_path, text, DATES + commands).values()
    assert message in found
