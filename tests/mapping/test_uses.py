"""Use equations under a mapping: what is resolved, what is refused, and what a called system reads."""

from pathlib import Path

import pytest

from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.mapping.design import Design
from alphaz.mapping.input_footprint import called_systems, footprint
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.scripting.interpreter.run import run_script

ROWS = """\
affine part {N | N > 0}
input
  int A {i | 0 <= i <= N};
  int U {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
let
  B[i] = A[i+1] + U[0];
.
affine main {N | N > 0}
input
  int X {r,i | 0 <= r < N && 0 <= i <= N};
  int W {i | 0 <= i < N};
output
  int Y {r,i | 0 <= r < N && 0 <= i < N};
let
  use {r | 0 <= r < N} part[N] (X, (r,i -> i)@W + 1) returns (Y);
.
affine small {N | N > 1}
input
  int X {i | 0 <= i <= N};
output
  long Z {i | 0 <= i < N};
  int Y {i | 0 <= i < N-1};
  int V {i | 0 <= i < N};
let
  use part[N] (X, X) returns (Y);
  use part[N] (X, X) returns (Z);
  V[i] = X[i];
.
"""
LABEL = "UseEquation_Y"


def design_of(text: str, folder: Path, program: str) -> Design:
    (folder / "program.ab").write_text(program, encoding="utf-8")
    session = run_script(Source("script.cs", f'prog = ReadAlphabets("program.ab");\n{text}'), folder)
    assert [finding.message for finding in session.findings if finding.is_error] == []
    result = session.values["prog"]
    assert isinstance(result, Design)
    return result


def rows(text: str, folder: Path, system: str = "main") -> ResolvedMapping:
    return resolve(design_of(text, folder, ROWS), system)


def refused(text: str, folder: Path, system: str = "main") -> Diagnostic:
    with pytest.raises(Rejected) as caught:
        rows(text, folder, system)
    (finding,) = caught.value.diagnostics
    return finding


def test_without_any_command_the_call_does_it_all(tmp_path: Path) -> None:
    mapping = rows("", tmp_path)
    assert [(s.name, str(s.role), str(s.date)) for s in mapping.statements] == [(LABEL, "call", "(r -> r,0)")]
    (use,) = mapping.uses
    assert [a.has_array or a.in_place for a in use.arguments] == [False] * 3
    assert set(mapping.cells) == {"X", "W", "Y"}
    assert [n.rule.code for n in mapping.notes] == ["AZ409", "AZ409"]


def test_what_is_read_is_what_the_callee_reads(tmp_path: Path) -> None:
    (use,) = rows("", tmp_path).uses
    assert str(use.inputs[0].callee_variable.name) == "A"
    assert sorted(use.inputs[0].used_domain.points({"N": 2})) == [(r, i) for r in (0, 1) for i in (1, 2)]
    assert sorted(use.inputs[1].used_domain.points({"N": 2})) == [(0, 0), (1, 0)]
    assert len(list(use.inputs[0].domain.points({"N": 2}))) == 6


def test_an_input_that_shares_its_space_is_read_whole(tmp_path: Path) -> None:
    design = design_of('setMemorySpace(prog, "part", "u", "U, B");', tmp_path, ROWS)
    part = design.system("part")
    assert len(list(footprint(design, part, part.variable("U")).points({"N": 3}))) == 3
    assert len(list(footprint(design, part, part.variable("A")).points({"N": 3}))) == 3
    assert [s.name for s in called_systems(design.program, design.system("main"))] == ["part"]


def test_calls_share_the_array_that_is_allocated_at_one_date(tmp_path: Path) -> None:
    text = f"""
    setSpaceTimeMap(prog, "main", "{LABEL}", "(r -> 1,r,1)");
    setSpaceTimeMapForUseEquationOptimization(prog, "main", "{LABEL}", 0, 0,
        "(r -> 0,0,0)", "(r -> 1,r,0)", "(r -> 2,0,0)");
    setSpaceTimeMapForUseEquationOptimization(prog, "main", "{LABEL}", 1, 0,
        "(r -> 0,r,0)", "(r -> 1,r,2)", "(r -> 2,r,0)");
    """
    mapping = rows(text, tmp_path)
    (use,) = mapping.uses
    shared, own = use.inputs[0], use.outputs[0]
    assert (str(shared.instance), str(own.instance)) == ("(r -> 0,0,0)", "(r -> r)")
    assert str(mapping.cells[shared.name].function) == "(r,i -> 0,0,0,i)"
    assert {s.name for s in mapping.statements} == {
        LABEL, *(f"{LABEL}.{side}.{what}" for side in ("in0", "out0") for what in ("alloc", "copy", "free"))
    }  # fmt: skip
    assert {
        (f"{LABEL}.in0.alloc", LABEL),
        (f"{LABEL}.in0.copy", LABEL),
        (LABEL, f"{LABEL}.out0.copy"),
    } <= mapping.before


def test_in_place_the_dates_of_the_copy_do_not_count(tmp_path: Path) -> None:
    text = f"""
    setSpaceTimeMap(prog, "main", "{LABEL}", "(r -> r)");
    setSpaceTimeMapForUseEquationOptimization(prog, "main", "{LABEL}", 0, 0, "(a,b,c -> 0)", "(a,b,c -> a,b)", "(-> )");
    setMemorySpaceForUseEquationOptimization(prog, "main", "{LABEL}", 0, 0, "X");
    """
    mapping = rows(text, tmp_path)
    assert mapping.uses[0].inputs[0].in_place
    assert [s.name for s in mapping.statements] == [LABEL]
    assert "is in X already" in next(n.message for n in mapping.notes if n.rule.code == "AZ410")


def test_a_space_of_nobody_is_ignored(tmp_path: Path) -> None:
    mapping = rows(f'setMemorySpaceForUseEquationOptimization(prog, "main", "{LABEL}", 0, 0, "mine");', tmp_path)
    assert not mapping.uses[0].inputs[0].in_place
    assert "no variable is in memory space mine" in next(n.message for n in mapping.notes if n.rule.code == "AZ408")


REFUSED = [
    (
        'setSpaceTimeMap(prog, "main", "UseEquation_Y", "(r -> r,1)");'
        'setSpaceTimeMapForValueCopy(prog, "main", "UseEquation_Y", 0, 0, "(r,i -> r,0)");',
        "AZ404",
        "has 2 indices; the extension domain of UseEquation_Y has 1",
    ),
    (
        'setSpaceTimeMap(prog, "main", "UseEquation_Y", "(r -> r,1)");'
        'setSpaceTimeMapForValueCopy(prog, "main", "UseEquation_Y", 0, 0, "(r -> r)");',
        "AZ411",
        "has 1 dimension; the dates have 2",
    ),
    (
        'setMemorySpaceForUseEquationOptimization(prog, "main", "UseEquation_Y", 0, 1, "W");',
        "AZ411",
        "UseEquation_Y.in1 is computed",
    ),
    (
        'setMemorySpaceForUseEquationOptimization(prog, "main", "UseEquation_Y", 0, 0, "Y");',
        "AZ411",
        "is X, which is in memory space X and not in Y",
    ),
]


@pytest.mark.parametrize(("text", "code", "message"), REFUSED, ids=[item[2] for item in REFUSED])
def test_what_does_not_fit_is_refused_where_it_is_said(text: str, code: str, message: str, tmp_path: Path) -> None:
    result = refused(text, tmp_path)
    assert result.rule.code == code
    assert message in result.message
    assert result.primary.span.source.name == "script.cs"


def test_in_place_an_output_has_one_type(tmp_path: Path) -> None:
    other = 'setMemorySpaceForUseEquationOptimization(prog, "small", "UseEquation_Z", 1, 0, "Z");'
    assert "there must be a copy" in refused(other, tmp_path, "small").message


def test_a_date_of_what_a_call_computes_has_no_effect(tmp_path: Path) -> None:
    mapping = rows('setSpaceTimeMap(prog, "main", "Y", "(r,i -> r,i)");', tmp_path)
    assert [s.name for s in mapping.statements] == [LABEL]
    assert "Y is computed by UseEquation_Y" in next(n.message for n in mapping.notes if n.rule.code == "AZ408")
