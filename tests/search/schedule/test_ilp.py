"""Engine 2 on programs: kernels are proved, costs of one's own are read, dates that are given are kept."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import alphaz
from alphaz.cli.schedule import command
from alphaz.diagnostics import Rejected, Source, Span
from alphaz.poly import Affine
from alphaz.poly.scheduling.band_schedules import bands
from alphaz.search.schedule.ilp.bands import BandTask, schedule
from alphaz.search.schedule.ilp.cost import COSTS, FEAUTRIER, PLUTO, Cost, read_cost
from alphaz.search.schedule.ilp.row import Model, ScheduleRow, orthogonal, solve
from alphaz.search.schedule.ilp.user_constraints import Steering
from alphaz.search.schedule.request import NONE, Fuse, ScheduleEngine, ScheduleRequest
from tests.search.schedule.large import chain
from tests.search.schedule.proposals import design_of, kernel, kernel_design, problem, program_of, proposed, rows
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def ilp(cost: Cost, fuse: Fuse = Fuse.SMART) -> ScheduleRequest:
    return ScheduleRequest(fuse=fuse, strategy=NONE, engine=ScheduleEngine.ILP, cost=cost)


@pytest.mark.parametrize("cost", thinned(COSTS, 8))
@pytest.mark.parametrize(
    "name", ["gemm", "gemver", "jacobi-2d", "lu", "durbin", "nussinov", "floyd-warshall", "trisolv"]
)
def test_what_each_cost_finds_is_proved(name: str, cost: str) -> None:
    assert kernel(name, ilp(COSTS[cost])).report.is_proved


def test_what_gains_shares_loops_and_nothing_else() -> None:
    """As isl has it: the products of gemver are three nests, each with a parallel loop outside."""
    result = kernel("gemver", ilp(PLUTO))
    assert [rows(result, name) for name in ("NR_x", "NR_w")] == [[("i", "parallel"), ("j", "reduction")]] * 2
    assert result.dates["NR_x"][0].value != result.dates["NR_w"][0].value
    assert kernel("gemver", ilp(PLUTO, Fuse.MAX)).report.is_proved


def test_feautrier_leaves_one_sequential_loop() -> None:
    assert [kind for _, kind in rows(kernel("seidel-2d", ilp(FEAUTRIER)), "X")] == [
        "sequential",
        "parallel",
        "parallel",
    ]


def test_a_chain_is_dated() -> None:
    assert proposed(design_of(chain(10)), ilp(PLUTO)).report.is_proved


@given(seed=st.integers(0, 2**16))
@settings(max_examples=8, deadline=None)
def test_orthogonal_vectors_complete_the_space(seed: int) -> None:
    dimensions = 2 + seed % 3
    vectors = [tuple((seed >> (3 * at + column)) % 5 - 2 for column in range(dimensions)) for at in range(seed % 3)]
    for item in orthogonal(vectors, dimensions):
        assert any(item)
        assert all(sum(a * b for a, b in zip(item, vector, strict=True)) == 0 for vector in vectors)


def test_objectives_come_one_after_the_other() -> None:
    model = Model()
    for name in "xy":
        model.add(name, 0, 9)
    model.require({"x": 1, "y": 1}, -5)
    assert solve(model, [{"x": 1}, {"y": 1}], 5) == {"x": 0, "y": 5}
    assert solve(model, [{"y": 1}, {"x": 1}], 5) == {"x": 5, "y": 0}
    model.require({"x": -1, "y": -1}, 4)
    assert solve(model, [{"x": 1}], 5) is None


def test_without_the_solver_the_text_has_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(Rejected, match=r"AZ511 .*HiGHS: pip install highspy, or the extra `schedule`"):
        solve(Model(), [], 1)


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """A script is what is printed, and nothing before it."""
    model = Model()
    model.add("x", 0, 5)
    model.require({"x": 2}, -3)
    assert solve(model, [{"x": 1}], 5) == {"x": 2}
    assert capfd.readouterr() == ("", "")


def _read(text: str) -> Cost:
    return read_cost(Span(Source("mine.cost", text), 0, len(text)), "mine.cost")


def test_a_cost_of_ones_own() -> None:
    cost = _read("# near, then simple\nslope + distance\n2 reversals + coefficients; order - shifts\n")
    assert cost.sums == (
        ((1, "slope"), (1, "distance")),
        ((2, "reversals"), (1, "coefficients")),
        ((1, "order"), (-1, "shifts")),
    )
    assert proposed(kernel_design("jacobi-1d"), ilp(_read("coefficients; slope; distance; order"))).report.is_proved


def test_a_term_of_ones_own_is_seen_in_the_explanation(tmp_path: Path) -> None:
    """The coefficient of one index, in a file: i and k are kept out of the first row."""
    file = tmp_path / "mine.cost"
    program = str(program_of("gemm"))
    shown = {}
    for first in ("NR_C.i", "NR_C.j"):
        file.write_text(f"slope\n3 NR_C.k + {first}\ndistance; reversals; coefficients; order + shifts\n", "utf-8")
        asked = [program, "--engine", "ilp", "--cost", str(file), "--strategy", "none", "--explain"]
        shown[first] = CliRunner().invoke(command, asked).output
    assert "# parallel C: j, NR_C: j\n#   parallel C: i, NR_C: i" in shown["NR_C.i"]
    assert "# parallel C: i, NR_C: i\n#   parallel C: j, NR_C: j" in shown["NR_C.j"]
    assert "at most u.n + w = NK" in shown["NR_C.i"]


def _rows_late(row: ScheduleRow) -> dict[str, int]:
    return {name: 1 for coefficient, name in row.own.items() if coefficient.endswith(".i")}


def test_a_function_is_a_term_of_the_cost() -> None:
    """It decides before the list: columns are outermost."""
    design = alphaz.read(program_of("gemm"))
    plain, late = (design.schedule(cost=cost, strategy="none") for cost in ("pluto", [_rows_late, "pluto"]))
    assert '"C", "(i,j -> i,j' in str(plain.history)
    assert '"C", "(i,j -> j,NK,i' in str(late.history)
    assert alphaz.verify(late).is_proved
    assert design.schedule(cost=["slope", "distance; coefficients; order + shifts"], strategy="none").mapped_systems


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (lambda row: {"x": 1}, "gives `x` the weight 1"),
        (lambda row: dict.fromkeys(row.slopes, 0.5), "the weight 0.5"),
        (lambda row: {"w": 1 // 0}, "fails: ZeroDivisionError"),
        (lambda row: None, "fails: TypeError"),
        ([], "the cost has no term"),
        ([7], "`7` is no term"),
        (["slope", "nothing"], "there is no term `nothing`"),
    ],
)
def test_a_term_that_is_none_is_refused(cost: object, message: str) -> None:
    design = alphaz.Design.of(kernel_design("jacobi-1d"))
    with pytest.raises(Rejected) as refused:
        design.schedule(cost=cost)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ514"
    assert message in finding.message


def test_a_coefficient_that_there_is_not_is_refused() -> None:
    with pytest.raises(Rejected) as refused:
        kernel("gemm", ilp(_read("NR_C.q; slope")))
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ514"
    assert finding.help is not None
    assert "NR_C." in finding.help


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("slope\ndistanse", "distanse"),
        ("slope distance", "slope distance"),
        ("# none", "# none"),
        ("slope\ngroups + shifts", "groups + shifts"),
    ],
)
def test_a_cost_that_means_nothing_is_located(text: str, marked: str) -> None:
    with pytest.raises(Rejected) as refused:
        _read(text)
    (finding,) = refused.value.diagnostics
    assert (finding.rule.code, finding.primary.span.text) == ("AZ514", marked)


def test_rows_that_are_given_are_kept() -> None:
    """Seidel's sweep with steps outside: the rest is found around them."""
    asked = problem(kernel_design("seidel-2d"))
    inside = {"X": asked.domains["X"]}
    flow = tuple(e for e in asked.flow if (e.source, e.target) == ("X", "X"))
    tree = schedule(
        BandTask(inside, flow, steering=Steering({"X": (Affine.name("t"), Affine.of([("t", 1), ("i", 1)]))}))
    )
    dates = [str(row["X"]) for band in bands(tree) for row in band.rows]
    assert dates[:2] == ["t", "i+t"]
    assert "j" in dates[2]


def test_many_statements_run_backwards_where_they_have_to() -> None:
    """A ring of eight, each entry from the one behind it; without signs there is no row."""
    names = [f"X{at}" for at in range(8)]
    rest = "\n".join(f"  {name}[i] = {before}[i] + 1.0;" for before, name in pairwise(names))
    text = f"""
affine back {{N | N>1}}
input
  double A;
output
  double B {{i | 0<=i<N}};
local
  double {", ".join(names)} {{i | 0<=i<N}};
let
  X0[i] = case {{| i==N-1}} : A[]; {{| i<N-1}} : X7[i+1]; esac;
{rest}
  B[i] = X7[i];
.
"""
    proposal = proposed(design_of(text), ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP))
    assert {rows(proposal, name)[0][0] for name in names} <= {"-i", "-i+N", "-i+N-1"}
    assert proposal.report.is_proved
