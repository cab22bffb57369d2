"""User constraints on a schedule: respected if possible, otherwise rejected with the conflicting dependences."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import alphaz
from alphaz.cli.schedule import command
from alphaz.diagnostics import Diagnostic, Rejected, Source
from alphaz.mapping.design import Design
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.request import NONE, ScheduleEngine, ScheduleRequest
from tests.search.schedule.proposals import SAMPLES, kernel, rows

pytestmark = pytest.mark.slow

KERNELS = SAMPLES / "kernels"


def _run(kernel_name: str, *lines: str) -> Design:
    program = KERNELS / kernel_name / f"{kernel_name}.ab"
    text = "\n".join((f'prog = ReadAlphabets("{program}");', f'system = "{kernel_name}";', *lines))
    session = run_script(Source("steer.cs", text), Path())
    assert not session.findings, session.findings
    (design,) = session.designs
    return design


def _dates(design: Design) -> dict[str, str]:
    (system,) = design.mapped_systems
    return {entry.variable: str(entry.function) for entry in design.mapping(system).space_time}


VERIFIED = 'VerifyTargetMapping(prog, system, "MIN");'


def test_an_outer_row_that_is_given_stays_and_the_rest_is_found() -> None:
    outcome = _run(
        "seidel-2d", 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> t)");', "completeMapping(prog, system);", VERIFIED
    )
    assert _dates(outcome)["X"] == "(t,i,j -> t,i+t,i+j+2t,0)"


def test_of_a_given_wavefront_the_points_are_parallel() -> None:
    """Matrix chains by length: no dependence is left that is not of a sum."""
    program = KERNELS / "matrix-chain" / "matrix-chain.ab"
    text = f"""prog = ReadAlphabets("{program}");
system = "matrix_chain";
NormalizeReduction(prog);
setSpaceTimeMap(prog, system, "M", "(i,j -> j-i)");
setSpaceTimeMap(prog, system, "NR_M", "(i,j,k -> j-i)");
setSpaceTimeMap(prog, system, "best", "( -> N)");
completeMapping(prog, system);
setDimensionType(prog, system, "M, NR_M, best", 1, "P");
{VERIFIED}"""
    session = run_script(Source("steer.cs", text), Path())
    assert session.is_clean


def test_dates_of_some_statements_are_kept_among_those_of_the_others() -> None:
    outcome = _run(
        "gemver",
        "NormalizeReduction(prog);",
        'setSpaceTimeMap(prog, system, "NR_w", "(i,j -> 4,i,j)");',
        "completeMapping(prog, system);",
        VERIFIED,
    )
    assert _dates(outcome)["NR_w"].startswith("(i,j -> 4,i,j,")
    assert set(_dates(outcome)) == {"B", "NR_x", "x", "NR_w", "w"}


GIVEN = {
    "legal in this order, and no band": ('"X", "(t,i,j -> t,i,j)"', "X", "(t,i,j -> t,i,j,0)"),
    "of what reads alone": ('"B", "(i,j -> i,j)"', "X", "(t,i,j -> i+t-T,t-T,i+j+2t,0)"),
    "a wavefront, that others are behind": ('"X", "(t,i,j -> 2i+j+4t)"', "B", "(i,j -> 4T+2i+j,T,T+i,1)"),
}


@pytest.mark.parametrize("what", GIVEN)
def test_dates_of_one_statement_are_kept_wherever_there_are_others_for_the_rest(what: str) -> None:
    value, name, result = GIVEN[what]
    design = _run("seidel-2d", f"setSpaceTimeMap(prog, system, {value});", "completeMapping(prog, system);", VERIFIED)
    assert _dates(design)[name] == result


def _refused(kernel_name: str, *lines: str) -> Diagnostic:
    program = KERNELS / kernel_name / f"{kernel_name}.ab"
    text = "\n".join((f'prog = ReadAlphabets("{program}");', f'system = "{kernel_name}";', *lines))
    (finding,) = run_script(Source("steer.cs", text), Path()).findings
    return finding


def test_a_row_that_runs_against_a_dependence_is_refused_with_it() -> None:
    finding = _refused(
        "seidel-2d", 'setSpaceTimeMap(prog, system, "X", "(t,i,j -> i)");', "completeMapping(prog, system);"
    )
    assert (finding.rule.code, finding.message) == ("AZ516", "the row i of X conflicts with X -> X")
    (note,) = finding.notes
    assert "i==i'+1" in note


def test_a_row_that_cannot_be_parallel_is_refused() -> None:
    finding = _refused("jacobi-1d", 'completeMapping(prog, system, "parallel X 0");')
    assert finding.message == "parallel X 0 conflicts with X -> X"


def test_a_row_that_there_is_not_cannot_be_parallel() -> None:
    finding = _refused("jacobi-1d", 'completeMapping(prog, system, "parallel B 5");')
    assert (finding.rule.code, finding.message) == ("AZ516", "parallel B 5 is not possible")


@pytest.mark.parametrize("schedule_request", ["parallel Q 0", "together X, B", "fuse X 2"])
def test_a_constraint_that_means_nothing_is_marked(schedule_request: str) -> None:
    finding = _refused("jacobi-1d", f'completeMapping(prog, system, "separate X, B; {schedule_request}");')
    assert (finding.rule.code, finding.primary.span.text) == ("AZ515", schedule_request)


def _asked(constraints: str) -> ScheduleRequest:
    return ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP, constraints=constraints)


def test_statements_share_loops_where_that_is_asked_for() -> None:
    alone, fused = kernel("gemver", _asked("separate NR_x, B")), kernel("gemver", _asked("fuse NR_x, NR_w 1"))
    assert fused.report.is_proved
    assert fused.dates["NR_x"][0].value == fused.dates["NR_w"][0].value
    assert alone.dates["NR_x"][0].value != alone.dates["B"][0].value


def test_what_need_each_other_in_a_circle_cannot_be_apart() -> None:
    with pytest.raises(Rejected) as refused:
        kernel("fdtd-2d", _asked("separate EX, HZ"))
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ516"
    assert "EX -> HZ" in finding.message


def test_parallel_rows_that_can_be_had_are() -> None:
    result = kernel("gemm", _asked("parallel NR_C 0; parallel NR_C 1"))
    assert [kind for _, kind in rows(result, "NR_C")] == ["parallel", "parallel", "reduction"]


def test_the_command_line_takes_constraints_with_the_engine_alone() -> None:
    program = str(KERNELS / "gemver" / "gemver.ab")
    arguments = [program, "--strategy", "none", "--explain", "--constraint", "fuse NR_x, NR_w 1"]
    assert CliRunner().invoke(command, [*arguments, "--engine", "ilp"]).exit_code == 0
    assert CliRunner().invoke(command, arguments).exception is not None


def test_mappings_are_taken_from_files(tmp_path: Path) -> None:
    program = KERNELS / "jacobi-1d" / "jacobi-1d.ab"
    (tmp_path / "x.dates").write_text("# two lines in turn\nX: (t,i -> t,t+i)\nB: (i -> T+1,T+1+i)\n", encoding="utf-8")
    (tmp_path / "x.cells").write_text("X: (t,i -> t,i) mod 2,0\n", encoding="utf-8")
    text = f"""prog = ReadAlphabets("{program}");
system = "jacobi-1d";
ManualScheduler(prog, system, "x.dates");
MemoryMapper(prog, system, "x.cells");
{VERIFIED}"""
    session = run_script(Source(str(tmp_path / "steer.cs"), text), tmp_path)
    assert session.is_clean
    (design,) = session.designs
    assert _dates(design) == {"X": "(t,i -> t,i+t)", "B": "(i -> T+1,T+i+1)"}
    (cells,) = design.mapping("jacobi-1d").memory
    assert cells.moduli == (2, 0)
    (tmp_path / "x.cells").write_text("X in two lines\n", encoding="utf-8")
    (finding,) = run_script(Source(str(tmp_path / "steer.cs"), text), tmp_path).findings
    assert finding.primary.span.text == "X in two lines"


@pytest.mark.parametrize("scheduler", ["PlutoScheduler", "FarkasMDScheduler"])
@pytest.mark.parametrize("name", ["jacobi-1d", "seidel-2d", "lu"])
def test_schedulers_of_scripts_give_what_a_mapping_takes(name: str, scheduler: str) -> None:
    system = "graph = BuildPRDG(prog, system);"
    outcome = _run(name, system, f"setSchedule(prog, system, {scheduler}(graph));", VERIFIED)
    assert set(_dates(outcome)) == {
        variable.name for variable in outcome.program.systems[0].variables if variable.name not in "AR"
    }


@pytest.mark.parametrize("scheduler", ["PlutoScheduler", "FarkasMDScheduler"])
@pytest.mark.parametrize("index", ["k,N-1-i", "N-1-k,i"])
def test_schedulers_of_scripts_put_a_call_before_what_reads_its_outputs(
    tmp_path: Path, scheduler: str, index: str
) -> None:
    program = f"""
affine f {{M | M>=1}} input int x {{i | 0<=i<M}}; output int y {{i | 0<=i<M}}; let y[i] = x[i] + 1; .
affine main {{N | N>=2}} input int a {{i | 0<=i<N}}; output int c {{k,i | 0<=(k,i)<N}};
local int b, d {{k,i | 0<=(k,i)<N}};
let use {{k | 0<=k<N}} f[N]((k,i->i)@a) returns (b);
    use {{k | 0<=k<N}} f[N]((k,i->i,k)@b) returns (d);
    c[k,i] = d[{index}];
."""
    (tmp_path / "main.ab").write_text(program, encoding="utf-8")
    script = f"""prog = ReadAlphabets("main.ab");
setSchedule(prog, "main", {scheduler}(BuildPRDG(prog, "main")));
VerifyTargetMapping(prog, "main", "MIN");"""
    session = run_script(Source(str(tmp_path / "main.cs"), script), tmp_path)
    assert not session.has_errors, session.findings
    assert set(_dates(session.designs[0])) == {"UseEquation_b", "UseEquation_d", "c"}


def test_a_strategy_needs_no_goal() -> None:
    """In Python by its name, in scripts by what the word can be."""
    design = alphaz.read(KERNELS / "trisolv" / "trisolv.ab").schedule("trisolv", strategy="none")
    assert _dates(design) == _dates(_run("trisolv", 'schedule(prog, system, "none");', VERIFIED))
    assert alphaz.verify(design).is_proved


def test_one_dimension_orders_all_steps_or_is_refused() -> None:
    taken = "setSchedule(prog, system, Farkas1DScheduler(graph));"
    outcome = _run("jacobi-1d", "graph = BuildPRDG(prog, system);", taken)
    assert _dates(outcome) == {"X": "(t,i -> t)", "B": "(i -> T+1)"}
