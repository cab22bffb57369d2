"""One of several spaces: products of a kernel in other orders, each with mappings of its own."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from alphaz.cli.tuning_problem import opening
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.machine import USUAL
from alphaz.run.kernel import compile_kernel
from alphaz.search.cost.estimate import estimate
from alphaz.tuning.evaluator import proved_mapping
from alphaz.tuning.searches import any_point
from alphaz.tuning.space import Alternatives, SearchAxis, SearchSpace
from tests.cli.command_line import ask

SAMPLES = Path(__file__).parents[2] / "samples" / "matrix"
SIZES = ((0, 3), (3, 0), (1, 1), (5, 7), (13, 11))


def small(*shape: int) -> SearchSpace:
    return SearchSpace(
        Source("s.cs", ""), tuple(SearchAxis(f"a{at}", tuple("xyz"[:n]), ()) for at, n in enumerate(shape))
    )


def test_one_space_is_no_choice_and_several_are_all_their_points() -> None:
    one, other = small(2, 3), small(3)
    assert Alternatives.of("formulas", ["as written"], [one]) is one
    both = Alternatives.of("formulas", ["as written", "other"], [one, other])
    assert [axis.name for axis in both.axes] == ["formulas", "a0", "a1", "a0 (2)"]
    points = list(both.points())
    assert len(points) == len({both.representative(point) for point in points}) == both.size == 2 * 3 + 3
    assert {both.representative(any_point(both, Random(seed))) for seed in range(200)} <= {*points}
    assert both.chosen((0, 1, 2, 1)) == {"formulas": "as written", "a0": "y", "a1": "z"}
    assert both.representative((1, 1, 2, 1)) == (1, 0, 0, 1)
    assert both.chosen((1, 1, 2, 1)) == {"formulas": "other", "a0 (2)": "y"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atax", "aatx"])
def test_products_in_other_orders_are_mapped_and_compute_what_numpy_does(name: str) -> None:
    """With the product of two matrices in a temporary, by rows or by columns; that costs more, as the model says."""
    rng = np.random.default_rng(1)
    with opening(str(SAMPLES / f"{name}.m"), None) as problem:
        message = problem.space.axes[0].alternatives
        orders = [item for item in message if not item.endswith("in panels")]
        assert [order.partition("; ")[2] for order in orders] == ["", "", "t1 by columns"]
        assert message == (*orders, *(["as written, in panels"] if name == "aatx" else []))
        costs = []
        for which in range(len(orders)):
            verified = proved_mapping(
                problem.space.script_of((which, *problem.space.usual[1:])), "k.cs", problem.folder, problem.system
            )
            mapping = verified.mappings[problem.system]
            costs.append(estimate(mapping, {"m": 1000, "n": 1000}, USUAL, 1).cost)
            kernel = compile_kernel(scheduled_c(verified, problem.system), verified.design.checked, problem.system)
            for m, n in SIZES:
                a, x = rng.uniform(0.5, 2.0, (m, n)), rng.uniform(0.5, 2.0, n if name == "atax" else m)
                expected = a.T @ (a @ x) if name == "atax" else a @ (a.T @ x)
                result = kernel(m=m, n=n, A=a, x=x, threads=2)
                assert isinstance(result, np.ndarray)
                np.testing.assert_allclose(result, expected, rtol=1e-12)
        assert costs[0] * 10 < min(costs[1:])


@pytest.mark.slow
@pytest.mark.long
def test_the_equations_of_another_order_are_written_beside_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the reference is the only one that is timed, and is another order than the written one."""
    monkeypatch.setattr(Alternatives, "usual", property(lambda space: (1, *(axis.usual for axis in space.axes[1:]))))
    output = tmp_path / "best.cs"
    answer = ask("tune", str(SAMPLES / "atax.m"), "-p", "m=7,n=5", "--rank", "1", "--budget", "4s", "--afresh", "-o",
                 str(output))  # fmt: skip
    assert answer.code == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert len(names) == 2
    (program,) = (name for name in names if name.endswith(".ab"))
    assert f'ReadAlphabets("{program}")' in output.read_text(encoding="utf-8")
