"""Mappings that are found: proved for every sample, as good as they are known to be, and refused with reasons."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.design import Design
from alphaz.processes.copies import bounded
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.explanation import script_of
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import NONE, Fuse, Goal, ScheduleEngine, ScheduleRequest
from alphaz.search.schedule.script_lines import Line
from tests.search.schedule.large import chain, ring
from tests.search.schedule.proposals import (
    KERNELS,
    SAMPLES,
    design_of,
    kernel,
    kernel_design,
    program_of,
    proposed,
    rows,
)
from tests.thinning import thinned

pytestmark = pytest.mark.slow

OTHERS = sorted(path for path in SAMPLES.glob("*/*.ab"))
PLAIN = ScheduleRequest(strategy=NONE)
REQUESTS = [ScheduleRequest(goal, fuse, NONE) for goal in Goal for fuse in Fuse]


@pytest.mark.parametrize("name", thinned(KERNELS))
def test_every_kernel_has_a_proved_mapping_in_a_second(name: str) -> None:
    design = kernel_design(name)
    start = time.process_time()
    proposal = proposed(design, PLAIN)
    assert proposal.report.is_proved
    assert time.process_time() - start < 1


@pytest.mark.parametrize("program", thinned(OTHERS, 3), ids=lambda path: path.stem)
def test_so_has_every_other_sample_with_and_without_calls(program: Path) -> None:
    design = Design(read_program(Source(str(program), program.read_text(encoding="utf-8"))))
    for system in design.program.systems:
        proposal = propose(design, system.name, ScheduleRequest(), carry_out)
        assert proposal.report.is_proved
        design = proposal.design


def test_a_system_alone_whose_call_takes_a_reduction_as_one_of_its_inputs() -> None:
    """The called system has a reduction inside an expression, too, which is not asked for."""
    text = """affine part {w | w>=1} input double m {i | 0<=i<w}; output double o {i | 0<=i<w};
let o[i] = m[i] * 2 + reduce(+, [k], {| 0<=k<=i} : m[k]); .
affine chain {n,w | n>=1 && w>=1} input double s {i | 0<=i<w}; double r {i,j | 0<=i<w && 0<=j<n};
output double y {i | 0<=i<w}; local double t {i | 0<=i<w};
let use part[w] (s - reduce(+, (i,j->i), r) * reduce(max, (i,j->i), r)) returns (t); y[i] = t[i] + 1; ."""
    proposal = propose(Design(read_program(Source("chain.ab", text))), "chain", ScheduleRequest(), carry_out)
    assert proposal.report.is_proved
    assert {line.command for line in proposal.rewriting} == {"NormalizeReduction"}
    assert proposal.design.system("part") == proposal.undated.system("part")


@pytest.mark.parametrize("engine", ScheduleEngine)
def test_statements_without_operations_are_dated_apart_from_the_loops_of_others(engine: ScheduleEngine) -> None:
    """A default map would be sequential where the loop of `s` is parallel."""
    text = """affine e {N | N>=1} input long l {i | 0<=i<N}; output long q, s {i | 0<=i<N};
local long r {i | 0<=i<N}; long z {i | 0<=i<N && i>=N};
let r[i] = reduce(+, [j], {| 0<=j && j<0} : l[i]); z[i] = l[i];
s[i] = reduce(+, [j], {| 0<=j<=i} : l[j] + r[j]); q[i] = l[i] + r[N-1-i]; ."""
    proposal = propose(Design(read_program(Source("e.ab", text))), "e", ScheduleRequest(engine=engine), carry_out)
    assert proposal.report.is_proved
    assert set(proposal.dates) == {"q", "s", "r", "z"}


def test_a_system_without_operations_has_a_mapping() -> None:
    text = """affine e {N | N>=1} input long l {i | 0<=i<N}; output long r {i | 0<=i<N};
let r[i] = reduce(+, [j], {| 0<=j && j<0} : l[i]); ."""
    proposal = propose(Design(read_program(Source("e.ab", text))), "e", ScheduleRequest(), carry_out)
    assert proposal.report.is_proved
    assert proposal.lines == ()


@pytest.mark.parametrize("schedule_request", REQUESTS, ids=lambda w: f"{w.goal}-{w.fuse}")
@pytest.mark.parametrize("name", thinned(["gemver", "fdtd-2d", "ludcmp", "nussinov"], 3))
def test_so_it_is_for_every_goal(name: str, schedule_request: ScheduleRequest) -> None:
    assert kernel(name, schedule_request).report.is_proved


def test_the_script_is_proved_when_it_is_read_and_always_the_same() -> None:
    for name in ("durbin", "gemm", "heat-3d"):
        design = Design(read_program(Source(name, program_of(name).read_text("utf-8"))))
        texts = {script_of(f'"{name}.ab"', "found", [proposed(design)], True) for _ in range(2)}
        (text,) = texts
        session = run_script(Source("found.cs", text), program_of(name).parent)
        assert session.is_clean
        (again,) = session.designs
        system = proposed(design).system
        assert [str(m.function) for m in again.mapping(system).space_time] == [
            str(m.function) for m in proposed(design).design.mapping(system).space_time
        ]


# --- what is known of good schedules ----------------------------------------------------------------------------------


def test_a_reduction_that_is_never_evaluated_needs_no_dates() -> None:
    text = """
        affine r {N | N>=1} input int b {i | 0<=i<N}; output int v, s {i | 0<=i<N}; let
        v[i] = case {| i==0}: reduce(+, [k], {| 0<=k<i}: b[k]); {| i<=0}: 9; {| i>0}: 3; esac;
        s[i] = case {| i==0}: 100; {| i>=0}: if b[i] > 0 then reduce(+, [k], {| 0<=k<i}: b[k]) else b[i]; esac;
        .
    """
    proposal = propose(Design(read_program(Source("r.ab", text))), "r", ScheduleRequest(), carry_out)
    assert proposal.report.is_proved
    assert "Simplify" in script_of("r.ab", "found", [proposal])


def test_loops_run_backwards_where_they_must() -> None:
    proposal = proposed(
        design_of("""
affine back {N | N>0}
input
  double A {i | 0<=i<=N};
output
  double X {i | 0<=i<=N};
let
  X[i] = case
    {| i==N} : A[i];
    {| i<N} : A[i] + X[i+1];
  esac;
.
"""),
        PLAIN,
    )
    assert rows(proposal, "X") == [("-i", "sequential")]


def test_reductions_let_their_results_run_in_parallel() -> None:
    assert rows(kernel("gemm", PLAIN), "NR_C") == [("i", "parallel"), ("j", "parallel"), ("k", "reduction")]
    assert [kind for _, kind in rows(kernel("doitgen", PLAIN), "sum")] == ["parallel"] * 3 + ["reduction"]


def test_a_sum_over_rows_has_its_columns_outside() -> None:
    proposal = proposed(
        design_of("""
affine columns {N | N>0}
input
  double A {k,i | 0<=(k,i)<N};
output
  double S {i | 0<=i<N};
let
  S[i] = reduce(+, (k,i->i), A[k,i]);
.
"""),
        PLAIN,
    )
    assert rows(proposal, "S") == [("i", "parallel"), ("k", "reduction")]


@pytest.mark.parametrize(
    ("name", "statement", "kinds"),
    [
        ("gemver", "NR_x", ["parallel", "reduction"]),
        ("gemver", "NR_w", ["parallel", "reduction"]),
        ("2mm", "NR_D", ["parallel", "parallel", "reduction"]),
        ("adi", "U", ["sequential", "parallel", "sequential"]),
        ("floyd-warshall", "D", ["sequential", "parallel", "parallel"]),
    ],
)
def test_outer_loops_stay_parallel(name: str, statement: str, kinds: list[str]) -> None:
    result = kernel(name, PLAIN)
    statement = next(date for date in result.dates if date.startswith(statement))
    assert [kind for _, kind in rows(result, statement)] == kinds


@pytest.mark.parametrize(
    ("name", "statement", "dates"),
    [
        ("jacobi-1d", "X", ["t", "i+t"]),
        ("jacobi-2d", "X", ["t", "i+t", "j+t"]),
        ("seidel-2d", "X", ["t", "i+t", "i+j+2t"]),
        ("matrix-chain", "M", ["-i", "j"]),
    ],
)
def test_stencils_and_dynamic_programs_can_be_tiled_in_all_loops(name: str, statement: str, dates: list[str]) -> None:
    result = kernel(name, PLAIN)
    outermost = next(c.band for c in result.dates[statement] if c.is_row)
    assert [str(c.value) for c in result.dates[statement] if c.band == outermost] == dates


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("(t,i,j -> t,i,j)", "2,0,0"), ["t", "i+t", "j+t"]),
        (("(t,i,j -> i-t,j)",), ["t", "i+t", "i+j+t"]),
        (("(t,i,j -> i,j)",), None),
    ],
    ids=["two arrays in turn", "one that wanders", "in place"],
)
def test_bands_are_those_that_the_memory_leaves(cells: tuple[str, ...], found: list[str] | None) -> None:
    """One band for tiles in time, whatever the memory; in place a step overwrites what its neighbours still need."""
    design = carry_out(kernel_design("jacobi-2d"), "jacobi-2d", Line("setMemoryMap", ("X", *cells)))
    if found is None:
        with pytest.raises(Rejected) as refused:
            proposed(design, PLAIN)
        assert refused.value.diagnostics[0].rule.code == "AZ511"
        return
    proposal = proposed(design, PLAIN)
    assert [value for value, _ in rows(proposal, "X")] == found
    assert len({component.band for component in proposal.dates["X"] if component.is_row}) == 1
    assert proposal.attempts[-1].tried.endswith("with the memory that is given")


def test_latency_is_what_is_asked_for() -> None:
    """Feautrier: one sequential loop of a wavefront, the others parallel."""
    result = kernel("seidel-2d", ScheduleRequest(Goal.LATENCY, strategy=NONE))
    assert [kind for _, kind in rows(result, "X")] == ["sequential", "parallel", "parallel"]


# --- no schedule ------------------------------------------------------------------------------------------------------

HALVES = """
affine halves {N | N>2}
input
  double A {i | 0<=i<2N};
output
  double Y {i | 0<=i<2N};
local
  double X {i | 0<=i<2N};
let
  X[i] = case
    {| i==0} || {| i==2N-1} : A[i];
    {| 0<i<N} : A[i] + X[i-1];
    {| N<=i<2N-1} : A[i] + X[i+1];
  esac;
  Y[i] = X[i];
.
"""


def test_what_has_a_schedule_in_two_pieces_only_is_told_where_to_be_cut() -> None:
    design = design_of(HALVES)
    with pytest.raises(Rejected) as refused:
        proposed(design, PLAIN)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ511"
    assert finding.message == "no affine schedule of X in one piece was found"
    assert finding.help is not None
    cut = Line("Split", ("halves", "X", "{i | i<N && i>=1}"), of_system=False)
    assert finding.help.startswith(f"{cut} makes two variables of it".replace(";", ""))
    assert proposed(carry_out(design, "", cut)).report.is_proved


def test_of_an_output_a_local_is_cut() -> None:
    """The local variable has the values of the output, and all equations read it instead."""
    text = HALVES.replace("local\n  double X {i | 0<=i<2N};\n", "").replace("  Y[i] = X[i];\n", "").replace("X", "Y")
    design = design_of(text)
    with pytest.raises(Rejected) as refused:
        proposed(design, PLAIN)
    (finding,) = refused.value.diagnostics
    cuts = (
        Line("AddLocal", ("halves", "Y_value", "0,0,0"), of_system=False),
        Line("InlineAll", ("halves", "Y"), of_system=False),
        Line("Split", ("halves", "Y_value", "{i | i<N && i>=1}"), of_system=False),
    )
    assert finding.help is not None
    assert finding.help.startswith(", ".join(str(cut)[:-1] for cut in cuts))
    proposal = proposed(design)
    assert proposal.rewriting == cuts
    assert proposal.report.is_proved


PAIR = """
affine pair {N | N>2}
input
  double x {i | 0<=i<2N};
output
  double A {i | 0<=i<2N};
local
  double B {i | 0<=i<2N};
let
  A[i] = case
    {| i==0} || {| i==2N-1} : x[i];
    {| 0<i<N} : B[i-1];
    {| N<=i<2N-1} : B[i+1];
  esac;
  B[i] = A[i] * 2.0;
.
"""


@pytest.mark.parametrize(
    "schedule_request", [PLAIN, ScheduleRequest(engine=ScheduleEngine.ILP, strategy=NONE)], ids=["isl", "ilp"]
)
def test_two_variables_that_need_each_other_have_points_that_no_piece_can_date(
    schedule_request: ScheduleRequest,
) -> None:
    """In one half A follows B from below, in the other from above: the points that say so are named, and are reads."""
    with pytest.raises(Rejected) as refused:
        proposed(design_of(PAIR), schedule_request)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ511"
    assert finding.message == "no affine schedule of A and B in one piece was found"
    witness = finding.witness
    assert witness is not None
    assert witness.parameters == (("N", 3),)
    assert witness.sentence == "N=3: B[0] comes before A[1], B[4] comes before A[3], A[0] comes before B[0]"
    points = [(place.name, place.point[0]) for place in witness.places]
    for (first, i), (then, j) in zip(points[::2], points[1::2], strict=True):
        reads = {0 < j < 3: j - 1, 3 <= j < 5: j + 1}.get(True) if then == "A" else j
        assert first == {"A": "B", "B": "A"}[then]
        assert i == reads


def test_values_that_need_themselves_are_refused_before_a_schedule_is_looked_for() -> None:
    """A[i] from B[N-1-i], B[i] from A[i-1]: the finding is the circle, point by point."""
    circle = PAIR.replace("2N", "N")
    at, end = circle.index("  A[i] = case"), circle.index("  B[i] = A[i]")
    circle = circle[:at] + "  A[i] = x[i] + B[N-1-i];\n" + circle[end:]
    circle = circle.replace("A[i] * 2.0", "case {| i==0} : x[0]; {| i>0} : A[i-1]; esac")
    with pytest.raises(Rejected) as refused:
        design_of(circle)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ310"
    assert finding.witness is not None
    assert finding.witness.sentence == "N=3: A[0] needs B[2] needs A[1] needs B[1] needs A[0]"


def test_strategies_split_what_has_no_schedule_in_one_piece() -> None:
    """The lower half runs forwards, the upper one backwards."""
    proposal = proposed(design_of(HALVES))
    assert [str(line) for line in proposal.rewriting] == ['Split(prog, "halves", "X", "{i | i<N && i>=1}");']
    assert proposal.attempts[0].tried == "in one piece"
    assert {rows(proposal, name)[0][0] for name in ("X", "X_split")} == {"i", "-i"}
    assert proposal.report.is_proved


def test_the_budget_ends_a_search() -> None:
    with pytest.raises(Rejected) as refused:
        proposed(kernel_design("fdtd-2d"), ScheduleRequest(operations=10))
    assert "more than 10 operations" in "".join(refused.value.diagnostics[0].notes)


@pytest.mark.long
def test_a_ring_of_twenty_stencils_is_answered_all_the_same() -> None:
    """isl's scheduler would need minutes: steps in time are enough."""
    proposal = proposed(design_of(ring(20, "ijk")), PLAIN)
    assert [kind for _, kind in rows(proposal, "X0")] == ["sequential", "parallel", "parallel", "parallel"]
    assert "takes isl minutes" in proposal.attempts[0].outcome


def test_what_takes_too_long_is_ended_and_something_else_is_tried() -> None:
    """A ring of seven needs seconds of isl's scheduler."""
    proposal = proposed(design_of(ring(7, "ijk")), replace(PLAIN, seconds=0.5, bounded=bounded))
    assert "isl was ended: more than 0.5 s of processor time" in proposal.attempts[0].outcome
    assert proposal.attempts[-1].tried == "Feautrier's algorithm"
    assert proposal.report.is_proved


def test_a_chain_of_a_hundred_statements_is_dated_in_seconds() -> None:
    design = design_of(chain(100))
    start = time.process_time()
    assert proposed(design).report.is_proved
    assert time.process_time() - start < 10
