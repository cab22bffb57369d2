"""Traces of the samples: what is shown of proved and of refuted mappings, at which parameters, and what is refused."""

import json
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics.finding_groups import summarized
from alphaz.diagnostics.work_limits import OutOfTime
from alphaz.figures.trace.trace_data import Element, Trace
from alphaz.figures.trace.tracing import trace
from alphaz.legality.verdicts import Options
from alphaz.mapping.design import Design
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
SCRIPTS = sorted(SAMPLES.glob("*/*.cs"))
WRONG = sorted(SAMPLES.glob("*/wrong-*.cs"))


def traces(path: Path) -> list[Trace]:
    design = alphaz.run(path)
    return [trace(design, system) for system in design.mapped_systems]


@pytest.mark.parametrize("path", thinned([p for p in SCRIPTS if p not in WRONG], 12), ids=lambda p: p.stem)
def test_a_proved_mapping_shows_nothing_wrong(path: Path) -> None:
    for shown in traces(path):
        assert shown.verdict == "proved"
        assert not shown.violations
        assert not [read for read in shown.reads if read.is_lost]


@pytest.mark.parametrize("path", thinned(WRONG, 4), ids=lambda p: p.stem)
def test_a_refuted_mapping_shows_its_witness(path: Path) -> None:
    """The places of the witness are those of the finding, but for the parameters, which may be a little larger."""
    design = alphaz.run(path)
    report = alphaz.verify(design)
    result = next(finding for finding in summarized(report.findings) if finding.is_error)
    system = next(system for system in report.systems if not system.is_proved)
    shown = trace(design, system.system, verdict=system)
    assert shown.witness is not None
    assert result.witness is not None
    assert shown.witness.rule is result.rule
    places = [(role, shown.operations[number]) for role, number in shown.witness.places]
    assert [(role, o.name, o.point) for role, o in places] == [(p.role, p.name, p.point) for p in result.witness.places]
    assert all(value >= dict(result.witness.parameters)[name] for name, value in shown.parameters)
    if result.rule.code != "AZ604" and "writer" not in dict(places):
        assert any(read.is_lost for read in shown.reads)


def test_what_a_tiling_breaks_is_in_the_wrong_order_in_the_tiles_drawn() -> None:
    (shown,) = traces(SAMPLES / "matrix-product" / "wrong-tiling.cs")
    assert shown.tiles
    assert shown.witness is not None
    roles = shown.witness.roles
    assert shown.operations[roles["reader"]].step <= shown.operations[roles["producer"]].step


def test_parallel_operations_share_a_step_and_wavefronts_a_number() -> None:
    (shown,) = traces(SAMPLES / "matrix-chain" / "mcm.cs")
    assert shown.parameters == (("N", 4),)
    diagonals = {o.point[1] - o.point[0]: o.step for o in shown.dated if o.name == "M"}
    assert len(set(diagonals.values())) == len(diagonals)


def test_parameters_may_be_given() -> None:
    design = alphaz.run(SAMPLES / "prefix-sum" / "prefix-sum.cs")
    shown = alphaz.trace(design, "prefix_sum", {"N": 5})
    assert [operation.step for operation in shown.dated] == [1, 2, 3, 4, 5]
    assert shown.why == "as asked for"
    assert repr(shown) == "Trace(prefix_sum, N = 5: 15 operations in 6 steps, 0 violations)"


def test_cells_are_kept_from_writing_to_the_last_reading() -> None:
    design = alphaz.run(SAMPLES / "prefix-sum" / "prefix-sum.cs")
    shown = alphaz.trace(design, "prefix_sum", {"N": 3})
    lives = {str(lifetime.value): (str(lifetime.cell), lifetime.first, lifetime.last) for lifetime in shown.lifetimes}
    assert lives["y[0]"] == ("y[0]", 1, 4)
    assert lives["x[2]"] == ("x[2]", 0, 3)


def test_a_limit_names_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    design = alphaz.run(SAMPLES / "prefix-sum" / "prefix-sum.cs")

    def stopped(*_: object) -> bool:
        raise OutOfTime(1.0)

    monkeypatch.setattr("alphaz.figures.trace.tracing.is_too_large", stopped)
    with pytest.raises(OutOfTime) as over:
        trace(design, "prefix_sum", {"N": 3})
    message = over.value.finding.message
    assert message == "it is not decided which operations of `prefix_sum` the figure shows"


@pytest.mark.parametrize(
    ("parameters", "code", "said"),
    [
        ({"N": 1000}, "AZ841", "-p N=3"),
        ({"N": 10**12}, "AZ841", "-p N=3"),
        ({"N": 0}, "AZ807", "1"),
        ({"M": 3}, "AZ807", "its parameters are `N`"),
        ({}, "AZ807", "its parameters are `N`"),
    ],
)
def test_parameters_that_do_not_do_are_refused(parameters: dict[str, int], code: str, said: str) -> None:
    design = alphaz.run(SAMPLES / "prefix-sum" / "prefix-sum.cs")
    with pytest.raises(alphaz.Rejected) as refused:
        trace(design, "prefix_sum", parameters)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == code
    assert finding.help is not None
    assert said in finding.help


def test_too_small_parameters_are_said_to_be_too_small() -> None:
    design = alphaz.run(SAMPLES / "prefix-sum" / "wrong-parallel.cs")
    shown = trace(design, "prefix_sum", {"N": 1})
    assert not shown.violations
    assert shown.witness is None
    assert "too small to go wrong" in shown.why


def test_tiles_of_the_script_are_kept_where_the_verdict_is_for_them_only() -> None:
    design = alphaz.run(SAMPLES / "matrix-product" / "wrong-tiling.cs")
    shown = trace(design, "MM", options=Options(exact_tiles=True))
    assert "with the tile sizes of the script" in shown.why


def test_a_trace_is_plain_data() -> None:
    (shown,) = traces(SAMPLES / "matrix-chain" / "wrong-sharing.cs")
    assert is_dataclass(shown)
    assert {field.name for field in fields(Element)} == {"name", "index"}
    assert json.loads(json.dumps(asdict(shown)))["system"] == "MCM"


def test_there_is_no_trace_of_a_system_that_is_not_there() -> None:
    design: Design = alphaz.run(SAMPLES / "prefix-sum" / "prefix-sum.cs")
    with pytest.raises(alphaz.Rejected, match="AZ403 there is no system `nobody`"):
        trace(design, "nobody")


def test_numbers_are_those_of_the_equations() -> None:
    """The numbers do not depend on the mapping: a wrong mapping has the same numbers."""
    program = SAMPLES / "prefix-sum"
    wrong, right = (
        alphaz.trace(alphaz.run(program / name), "prefix_sum", {"N": 4}, with_values=True)
        for name in ("wrong-parallel.cs", "prefix-sum.cs")
    )
    assert wrong.values == right.values
    numbers = {str(value): number for value, number in right.values}
    total = 0.0
    for at in range(4):
        total += numbers[f"x[{at}]"]
        assert numbers[f"y[{at}]"] == total


def test_a_system_that_calls_itself_has_numbers_too() -> None:
    shown = alphaz.trace(alphaz.run(SAMPLES / "subsystems" / "halves.cs"), "total", with_values=True)
    known = dict(shown.values)
    assert known
    assert all(read.value in known for read in shown.reads)


def test_a_counterexample_that_is_too_large_is_drawn_smaller_with_smaller_tiles() -> None:
    """With tiles of 16 nothing goes wrong below N = 17, which has more operations than can be drawn."""
    program = """affine steps {N | N > 2}
input int A {i | 0 <= i < N};
output int B {i | 0 <= i < N};
local int X {t,i | 0 <= t < N && 0 <= i < N};
let
  X[t,i] = case
    {| t == 0} : A[i];
    {| t > 0 && i == N-1} : X[t-1,i];
    {| t > 0 && i < N-1} : X[t-1,i] + X[t-1,i+1];
  esac;
  B[i] = X[N-1,i];
.
"""
    script = """prog = ReadAlphabets("steps.ab");
setSpaceTimeMap(prog, "steps", "X", "(t,i -> t,i)");
setSpaceTimeMap(prog, "steps", "B", "(i -> N,i)");
setTiling(prog, "steps", 0, 16);
setTiling(prog, "steps", 1, 16);
"""
    shown = alphaz.trace(alphaz.run("steps.cs", text=script, texts={"steps.ab": program}), "steps")
    assert dict(shown.parameters)["N"] < 17
    assert all(size <= 3 for _, size in shown.tiles)
    assert shown.witness is not None
    roles = shown.witness.roles
    assert shown.operations[roles["reader"]].step <= shown.operations[roles["producer"]].step
    assert "smaller than those of the counterexample" in shown.why
