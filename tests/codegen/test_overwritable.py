"""Inputs that the caller does not need after the call: other values live in their arrays."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import NOWHERE, Rejected
from alphaz.diagnostics.rules import document
from alphaz.equivalence.driver.generated_code import prove_generated as proved_c
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import verify
from alphaz.mapping.resolution import resolve
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.run.data import random_inputs
from alphaz.run.guarded_call import Broke, Isolated, compile_isolated
from alphaz.run.kernel import compile_kernel
from alphaz.run.storage_conversion import boxed, to_storage
from alphaz.scripting.commands.generators import unscheduled
from alphaz.scripting.commands.outcome import Generation, Generator
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import MemoryProposal, propose
from alphaz.search.memory.text import lines
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import STRICT, compile_program, design_of, proved, run, write
from tests.thinning import thinned

pytestmark = pytest.mark.slow

LOWER = """affine f {N,T | N>=1 && T>=1}
input double A {i,j | 0<=j<=i<N}; double x {i | 0<=i<N};
output double B {i | 0<=i<N};
local double X {t,i,j | 1<=t<=T && 0<=j<=i<N};
let
  X[t,i,j] = case {| t==1} : 2.0 * A[i,j] + x[j]; {| t>1} : X[t-1,i,j] + 1.0; esac;
  B[i] = X[T,N-1,i] + X[T,i,0];
.
"""
DATES = 'setSpaceTimeMap(prog, "f", "X", "(t,i,j->0,t,i,j)"); setSpaceTimeMap(prog, "f", "B", "(i->1,0,i,0)");'
IN_PLACE = DATES + 'setMemoryMap(prog, "f", "X", "A", "(t,i,j->i,j)");'
LEAVE = 'setOverwritable(prog, "f", "A");'
SIZES = [{"N": 1, "T": 1}, {"N": 9, "T": 2}]


def code(verified: Verified) -> Sources:
    return scheduled_c(verified, "f")


def agrees(verified: Verified, parameters: Mapping[str, int], *kernels: Isolated, threads: int | None = None) -> None:
    checked = verified.design.checked
    inputs = random_inputs(checked.program.system("f"), parameters, 7)
    kept = {name: array.copy() for name, array in inputs.items()}
    wanted = evaluate(checked.program, checked.facts, "f", parameters, inputs)
    compiled = compile_kernel(code(verified), checked, "f", flags=("-O1", *STRICT))
    prepared = compiled.prepare(parameters, inputs)
    for _ in range(2):
        prepared(threads)
        assert np.allclose(prepared.outputs["B"], wanted["B"])
    for kernel in kernels:
        assert np.allclose(kernel.run(parameters, inputs).outputs["B"], wanted["B"])
    assert all(np.array_equal(inputs[name], array) for name, array in kept.items())


def isolated(verified: Verified, sources: Sources, sanitize: bool = False) -> Isolated:
    checked = verified.design.checked
    return compile_isolated(sources, checked, "f", include=None, sanitize=sanitize)


def test_nothing_changes_without_leave(tmp_path: Path) -> None:
    sources = code(proved(tmp_path, LOWER, IN_PLACE))
    assert "const double *restrict A" in sources.files["f.c"]
    assert "A_space: double" in sources.files["f.c"]
    assert "verwritten" not in sources.files["f.h"]
    assert not sources.overwritten


def test_leave_alone_changes_nothing_either(tmp_path: Path) -> None:
    with_leave, without = (code(proved(tmp_path, LOWER, DATES + more)) for more in (LEAVE, ""))
    assert with_leave.files == without.files


def test_the_signature_and_the_header_say_it(tmp_path: Path) -> None:
    sources = code(proved(tmp_path, LOWER, IN_PLACE + LEAVE))
    assert "int f_status(int64_t N, int64_t T, double *A, const double *x, double *B);" in sources.files["f.h"]
    assert "Overwritten, what they hold after the call means nothing: A." in sources.files["f.h"]
    assert " *   A: holds X as well" in sources.files["f.c"]
    assert "allocate(" not in sources.files["f.c"]
    assert sources.overwritten == {"A"}


@pytest.mark.parametrize("parameters", SIZES)
def test_the_same_is_computed_and_the_points_alone_are_overwritten(tmp_path: Path, parameters: dict[str, int]) -> None:
    verified = proved(tmp_path, LOWER, IN_PLACE + LEAVE)
    agrees(verified, parameters, isolated(verified, code(verified)))
    kernel = compile_kernel(code(verified), verified.design.checked, "f")
    inputs = random_inputs(kernel.system, parameters, 7)
    passed, a = inputs["A"].copy(), kernel.system.variable("A")
    kernel.function(3)(*parameters.values(), *(x.ctypes.data for x in (passed, inputs["x"], np.zeros(99))))
    inside = domain_mask(a.domain, variable_box(a, parameters), parameters)
    assert np.array_equal(passed[~inside], inputs["A"][~inside])
    assert not np.array_equal(passed[inside], inputs["A"][inside])


CROSSED = {
    "parallel": 'setOrderingDimensions(prog, "f", 0); setParallel(prog, "f", "", 2);',
    "tiles": 'setTiling(prog, "f", 2, 3); setTiling(prog, "f", 3, 2);',
    "tiles of one": 'setTiling(prog, "f", 2, 1); setTiling(prog, "f", 3, 1);',
    "packed": 'setStorageFormat(prog, "f", "A", "packed row");',
    "registers": 'setOrderingDimensions(prog, "f", 0); setRegisterTile(prog, "f", 3, 4);',
}


@pytest.mark.parametrize("crossed", thinned(CROSSED))
def test_other_things_that_a_mapping_says(crossed: str, tmp_path: Path) -> None:
    verified = proved(tmp_path, LOWER, IN_PLACE + LEAVE + CROSSED[crossed])
    assert code(verified).overwritten == {"A"}
    agrees(verified, {"N": 7, "T": 3}, isolated(verified, code(verified), sanitize=True), threads=2)


def test_of_two_inputs_the_other_one_is_still_guarded(tmp_path: Path) -> None:
    """The first one is overwritten: what is read of the second is compared all the same."""
    verified = proved(tmp_path, LOWER, IN_PLACE + LEAVE)
    sources = code(verified)
    wrong = sources.files["f.c"].replace(
        "    return 0;\n}\n\nvoid f(", "    ((double *)x)[0] += 1;\n    return 0;\n}\n\nvoid f("
    )
    assert wrong != sources.files["f.c"]
    inputs = random_inputs(verified.design.checked.program.system("f"), {"N": 5, "T": 2}, 1)
    with pytest.raises(Broke) as broke:
        isolated(verified, replace(sources, files={**sources.files, "f.c": wrong})).run({"N": 5, "T": 2}, inputs)
    assert "to the input `x`" in broke.value.finding.message


def test_the_program_that_is_compared_with_gets_the_inputs_as_they_were(tmp_path: Path) -> None:
    verified = proved(tmp_path, LOWER, IN_PLACE + LEAVE)
    made = code(verified)
    for generator in (Generator.VERIFICATION, Generator.WRAPPER):
        made |= unscheduled(Generation(verified.design, "f", NOWHERE, generator))
    write(made, tmp_path)
    compile_program(tmp_path, "f", ["f.c", "f_verify.c", "f-wrapper.c"], ("-DVERIFY",))
    assert "TEST for B PASSED" in run(tmp_path, "./f", "5", "3", "--random", "2").stdout


def test_the_generated_c_is_proved(tmp_path: Path) -> None:
    verified = proved(tmp_path, LOWER, IN_PLACE + LEAVE)
    assert proved_c(code(verified), verified.design.checked, "f").verdict.is_proved


def test_what_is_overwritten_before_its_last_read_is_refuted(tmp_path: Path) -> None:
    early = DATES + 'setMemoryMap(prog, "f", "X", "A", "(t,i,j->N-1-j,N-1-i)");' + LEAVE
    report = verify(design_of(tmp_path, LOWER, early))
    assert "AZ603" in {finding.rule.code for finding in report.systems[0].findings}


def test_an_output_lends_its_array_first(tmp_path: Path) -> None:
    """It has to be there anyway: the input is copied into it."""
    text = "affine f {N | N>=1} input double A {i | 0<=i<N}; output double B {i | 0<=i<N}; let B[i] = 2.0 * A[i]; ."
    commands = 'setSpaceTimeMap(prog, "f", "B", "(i->i)"); setMemorySpace(prog, "f", "A", "B");' + LEAVE
    assert not code(proved(tmp_path, text, commands)).overwritten


def test_what_leaves_the_domain_lives_in_a_copy(tmp_path: Path) -> None:
    """Elements of the caller's array that are no points are not touched: here X has points beside the triangle."""
    wider = LOWER.replace("1<=t<=T && 0<=j<=i<N", "1<=t<=T && 0<=j<=i<=N").replace("{| t==1} : 2.0 * A[i,j] + x[j]",
        "{| t==1 && i<N} : 2.0 * A[i,j] + x[j]; {| t==1 && i==N} : 1.0")  # fmt: skip
    assert not code(proved(tmp_path, wider, IN_PLACE + LEAVE)).overwritten


# --- in place ---------------------------------------------------------------------------------------------------------

FACTORS = """affine f {N | N>=1}
input double A {i,j | 0<=i<N && 0<=j<N};
output double LU {i,j | 0<=i<N && 0<=j<N};
local double D {k,i,j | 0<=k<=N && 0<=i<N && 0<=j<N};
let
  D[k,i,j] = case {| k==0} : A[i,j]; {| k>=1 && i>=k && j==k-1} : D[k-1,i,j] / D[k-1,j,j];
    {| k>=1 && i>=k && j>=k} : D[k-1,i,j] - D[k-1,i,k-1] / D[k-1,k-1,k-1] * D[k-1,k-1,j];
    {| k>=1 && i<k} : D[k-1,i,j]; {| k>=1 && i>=k && j<k-1} : D[k-1,i,j]; esac;
  LU[i,j] = D[N,i,j];
.
"""
SMOOTHED = """affine f {N | N>=1}
input double A {i,j | 0<=j<=i<N};
output double LU {i,j | 0<=j<=i<N};
let LU[i,j] = case {| j==0} : 0.5 * A[i,j]; {| j>=1} : 0.5 * A[i,j] + LU[i,j-1]; esac;
.
"""
ROWS = 'setSpaceTimeMap(prog, "f", "LU", "(i,j->i,j)");'
ONE = 'setMemorySpace(prog, "f", "LU", "A");'
PACKED = 'setStorageFormat(prog, "f", "A, LU", "packed row");'
MAY_BE = "LU may be the array A itself: in place, A before the call and LU after it."


def in_place(verified: Verified, size: int) -> None:
    """With one array for both, as the interpreter computes it."""
    checked = verified.design.checked
    a = checked.program.system("f").variable("A")
    inputs = {"A": random_inputs(checked.program.system("f"), {"N": size}, 3)["A"] + 9 * np.eye(size)}
    wanted = evaluate(checked.program, checked.facts, "f", {"N": size}, inputs)["LU"]
    for flags in (("-O1", *STRICT), ("-O3",)):
        kernel = compile_kernel(code(verified), checked, "f", flags=flags)
        passed = to_storage(a, kernel.layouts, {"N": size}, inputs["A"]).copy()
        assert kernel.function(2)(size, passed.ctypes.data, passed.ctypes.data) == 0
        inside = domain_mask(a.domain, variable_box(a, {"N": size}), {"N": size})
        assert np.allclose(boxed(a, kernel.layouts, {"N": size}, passed)[inside], wanted[inside])


@pytest.mark.parametrize("size", [1, 9])
@pytest.mark.parametrize("formats", ["", PACKED])
def test_an_input_and_an_output_may_be_one_array(formats: str, size: int, tmp_path: Path) -> None:
    verified = proved(tmp_path, SMOOTHED, ROWS + ONE + LEAVE + formats)
    assert MAY_BE in " ".join(code(verified).files["f.h"].split())
    assert "const double *A, double *LU)" in code(verified).files["f.c"]
    in_place(verified, size)


def test_an_elimination_in_place(tmp_path: Path) -> None:
    """Steps between live in the same cells: only what changes is executed."""
    dates = 'setSpaceTimeMap(prog, "f", "D", "(k,i,j->k,-j,i)");'
    memory = 'setMemoryMap(prog, "f", "D", "LU", "(k,i,j->i,j)");'
    verified = proved(tmp_path, FACTORS, dates + memory + ONE + LEAVE)
    assert MAY_BE in code(verified).files["f.h"]
    in_place(verified, 7)


SHORTER = """affine f {N | N>=2}
input double A {i,j | 0<=j<=i<N-1};
output double LU {i,j | 0<=j<=i<N};
let LU[i,j] = case {| i<N-1} : 0.5 * A[i,j]; {| i==N-1} : 1.0; esac;
.
"""


def test_what_is_done_in_one_array_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text about one array, which is the input at first and the output at last."""
    sources = code(proved(tmp_path, SMOOTHED, ROWS + ONE + LEAVE))
    for name, text in sources.files.items():
        one = text.replace("const double *A, ", "").replace("A[", "LU[").replace(" A, LU", " LU")
        (tmp_path / name).write_text(one.replace("sizeof(*A)", "sizeof(*LU)"))
    monkeypatch.chdir(tmp_path)
    told = ask("prove", "program.ab", "f.c", "--map", "LU=A+LU", "--no-execution").out
    assert "f computes f: proved" in told


@pytest.mark.parametrize(("text", "more"), [(SMOOTHED, ""), (SHORTER, LEAVE)])
def test_input_and_output_are_two_arrays_without_leave(text: str, more: str, tmp_path: Path) -> None:
    """Without leave; and where the array of the input has another shape."""
    sources = code(proved(tmp_path, text, ROWS + ONE + more))
    assert "may be" not in sources.files["f.h"]
    assert "const double *restrict A, double *restrict LU)" in sources.files["f.c"]


def test_proposals_say_what_may_be_one_array(tmp_path: Path) -> None:
    found = propose(design_of(tmp_path, SMOOTHED, ROWS + LEAVE), "f")
    assert isinstance(found, MemoryProposal)
    account = ProposalReport.of(found)
    assert [(e.variable, e.space) for e in account.in_place] == [("A", "LU")]
    assert "# A and LU may be one array of the caller, in place" in list(lines(account, found.design.mapping("f")))
    without = propose(design_of(tmp_path, SMOOTHED, ROWS), "f")
    assert isinstance(without, MemoryProposal)
    assert not ProposalReport.of(without).in_place


# --- calls ------------------------------------------------------------------------------------------------------------

CALLER = (
    LOWER
    + """affine main {N | N>=1}
input double M {i,j | 0<=j<=i<N}; double v {i | 0<=i<N};
output double S {i | 0<=i<N};
local double r {i | 0<=i<N};
let
  use f[N,3] (M, v) returns (r);
  S[i] = r[i] + M[i,0];
.
"""
)
OUTER = 'setSpaceTimeMap(prog, "main", "UseEquation_r", "(->0,0)"); setSpaceTimeMap(prog, "main", "S", "(i->1,i)");'
IN_MEMORY = 'setMemorySpaceForUseEquationOptimization(prog, "main", "UseEquation_r", 0, 0, "M");'
WITH_DATES = 'setSpaceTimeMapForValueCopy(prog, "main", "UseEquation_r", 0, 0, "(->-1,0)");'


def test_a_call_makes_an_array_for_what_is_overwritten(tmp_path: Path) -> None:
    verified = proved(tmp_path, CALLER, IN_PLACE + LEAVE + OUTER)
    checked = verified.design.checked
    sources = scheduled_c(verified, "main")
    assert not sources.overwritten
    inputs = random_inputs(checked.program.system("main"), {"N": 6}, 3)
    wanted = evaluate(checked.program, checked.facts, "main", {"N": 6}, inputs)
    kernel = compile_isolated(sources, checked, "main", include=None, sanitize=True)
    assert np.allclose(kernel.run({"N": 6}, inputs).outputs["S"], wanted["S"])


@pytest.mark.parametrize("said", [IN_MEMORY, WITH_DATES])
def test_arrays_of_arguments_that_live_longer_are_refused(said: str, tmp_path: Path) -> None:
    resolve(design_of(tmp_path, CALLER, IN_PLACE + OUTER + said), "main")
    with pytest.raises(Rejected) as rejected:
        resolve(design_of(tmp_path, CALLER, IN_PLACE + LEAVE + OUTER + said), "main")
    (finding,) = rejected.value.diagnostics
    assert finding.rule.code == "AZ613"
    assert "passes it an array that outlives the call" in finding.message


# --- what is found ----------------------------------------------------------------------------------------------------


def test_proposals_live_in_inputs_that_may_be_overwritten(tmp_path: Path) -> None:
    found = propose(design_of(tmp_path, LOWER, DATES + LEAVE), "f")
    assert isinstance(found, MemoryProposal)
    assert str(ProposalReport.of(found).cells) == "0"
    assert [(e.variable, e.space, str(e.function)) for e in found.entries] == [("X", "A", "(t,i,j -> i,j)")]
    without = propose(design_of(tmp_path, LOWER, DATES), "f")
    assert isinstance(without, MemoryProposal)
    assert str(ProposalReport.of(without).cells) == "N^2"


# --- what is said -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("section", ["Wrong", "Right"])
def test_the_document_says_what_is_found(section: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = document("AZ613").split(f"### {section}")[1]
    program, script = (found[1] for found in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)[:2])
    (tmp_path / "program.ab").write_text(program)
    (tmp_path / "script.cs").write_text(script)
    monkeypatch.chdir(tmp_path)
    answer = ask("verify", "script.cs")
    assert re.findall(r"error\[(AZ\d+)\]", answer.out) == (["AZ613"] if section == "Wrong" else []), answer.out


def test_only_inputs_need_leave(tmp_path: Path) -> None:
    (tmp_path / "program.ab").write_text(LOWER)
    script = tmp_path / "script.cs"
    script.write_text('prog = ReadAlphabets("program.ab");\nsetOverwritable(prog, "f", "A, B");\n')
    answer = ask("verify", script)
    assert answer.code == 1
    assert "`B` is an output, no input" in answer.out
