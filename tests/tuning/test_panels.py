"""Operations that share blocks of columns: which they are, what they compute and cost, and that plans are kept."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from alphaz.cli.tuning_problem import opening, operations_of
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.machine import USUAL
from alphaz.run.kernel import compile_kernel
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.cost.estimate import estimate
from alphaz.tuning.evaluator import TrialState, TuningTrial, proved_mapping
from alphaz.tuning.panel_space import PanelSpace
from alphaz.tuning.searches import Orthogonal
from alphaz.tuning.space import Alternatives, Point
from alphaz.tuning.tune import TuneRequest, tune
from tests.thinning import thinned

SAMPLES = Path(__file__).parents[2] / "samples" / "matrix"
SIZES = ((0, 3), (3, 0), (1, 1), (2, 1), (5, 40), (37, 101), (3, 128))
# The nests of a panel, and what is behind all of them.
PANELS = {
    "aatx": ([["t1"], ["y"]], []),
    "dgemvt": ([["NR_x"], ["x"], ["NR_w"]], ["w"]),
    "gemver": ([["B", "NR_x"], ["x"], ["NR_w"]], ["w"]),
}
Values = Mapping[str, npt.NDArray[np.float64]]


def space_of(name: str) -> PanelSpace | None:
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    return PanelSpace.of(operations, Source(f"{name}.cs", ""), carry_out)


@pytest.mark.parametrize("name", PANELS)
def test_what_reads_a_matrix_twice_shares_panels(name: str) -> None:
    space = space_of(name)
    assert space is not None
    result = [[step.operation for step in nest] for nest in space.nests], [step.operation for step in space.rest]
    assert result == PANELS[name]


@pytest.mark.parametrize("name", ["gemv", "atax", "bicgk", "gesummv", "two-products", "vadd", "triangular", "axpydot"])
def test_what_shares_loops_or_no_matrix_has_none(name: str) -> None:
    """The transposed product of ATAX needs whole rows before."""
    assert space_of(name) is None


def expected(name: str, v: Values) -> dict[str, npt.NDArray[np.float64]]:
    if name == "aatx":
        return {"y": v["A"] @ (v["A"].T @ v["x"])}
    b = v["A"] if name == "dgemvt" else v["A"] + np.outer(v["u1"], v["v1"]) + np.outer(v["u2"], v["v2"])
    x = v["b"] * (b.T @ v["y"]) + v["z"]
    results = {"x": x, "w": v["a"] * (b @ x)}
    return results if name == "dgemvt" else {**results, "B": b}


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(PANELS, 3))
def test_panels_are_proved_and_compute_what_numpy_does(name: str) -> None:
    rng = np.random.default_rng(1)
    with opening(str(SAMPLES / f"{name}.m"), None) as problem:
        assert isinstance(problem.space, Alternatives)
        space = problem.space.spaces[-1]
        assert isinstance(space, PanelSpace)
        for point in ((3, 0, 0), (0, 1, 1)):
            verified = proved_mapping(space.script_of(point), "k.cs", problem.folder, problem.system)
            assert not space.departure(point, verified.mappings[problem.system])
            kernel = compile_kernel(scheduled_c(verified, problem.system), verified.design.checked, problem.system)
            for m, n in SIZES:
                boxes = {v.name: v.domain.space.dimensions for v in kernel.system.inputs}
                lengths = {**dict.fromkeys(("y", "u1", "u2", "x"), (m,)), **dict.fromkeys(("z", "v1", "v2"), (n,))}
                shapes = {key: {**lengths, "A": (m, n)}[key] if rank else () for key, rank in boxes.items()}
                values = {key: np.asarray(rng.uniform(0.5, 2.0, shape)) for key, shape in shapes.items()}
                results = kernel(m=m, n=n, threads=2, **values)
                results = results if isinstance(results, dict) else {"y": results}
                for key, value in expected(name, values).items():
                    np.testing.assert_allclose(results[key].reshape(value.shape), value, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", thinned(PANELS, 3))
def test_a_panel_is_read_once_from_memory_and_so_it_costs_less(name: str) -> None:
    with opening(str(SAMPLES / f"{name}.m"), None) as problem:
        assert isinstance(problem.space, Alternatives)
        costs, memory = [], []
        for space in (problem.space.spaces[0], problem.space.spaces[-1]):
            mapping = space.outlined(space.usual)
            assert mapping is not None
            cost = estimate(mapping, {"m": 3000, "n": 6000}, USUAL)
            costs.append(cost.cost)
            memory.append(cost.levels[-1].bytes / (8 * 3000 * 6000))
        once = 3 if name == "gemver" else 1
        assert memory[1] == pytest.approx(once, rel=0.05)
        assert memory[0] == pytest.approx(once + 1, rel=0.05)
        assert costs[1] < costs[0]


@pytest.mark.slow
def test_a_script_with_another_plan_is_named() -> None:
    with opening(str(SAMPLES / "dgemvt.m"), None) as problem:
        assert isinstance(problem.space, Alternatives)
        space = problem.space.spaces[-1]
        text = space.script_of(space.usual)
        for changed, item in (
            (text.replace("0,0,128,0", "0,0,64,0"), "the panels are"),
            (text.replace('"1", 1, 8', '"1", 1, 4'), "the panels are"),
            (text.replace('"w", "(i -> 2', '"w", "(i -> 3'), "the dates of w are"),
        ):
            mapping = proved_mapping(changed, "k.cs", problem.folder, problem.system).mappings[problem.system]
            assert item in space.departure(space.usual, mapping)


def test_each_space_is_looked_at_first() -> None:
    """Points by chance seldom say another one than the usual."""
    with opening(str(SAMPLES / "dgemvt.m"), None) as problem:
        assert isinstance(problem.space, Alternatives)
        assert problem.space.beginnings == ((0, *problem.space.usual[1:]), (1, *problem.space.usual[1:]))
        lookups: list[Point] = []

        def predicted(point: Point) -> float:
            lookups.append(point)
            return 1.0

        def trial(point: Point) -> TuningTrial:
            return TuningTrial(point, TrialState.FAILED)

        made: Any = SimpleNamespace(space=problem.space, reference=None, trial=trial, predicted=predicted)
        tune(made, TuneRequest(Orthogonal(), 0.5, 1, 1, rank=2), lambda _: None, lambda _: None)
        assert tuple(lookups[:2]) == problem.space.beginnings
