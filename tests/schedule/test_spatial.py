"""Neighbours in memory are innermost where that costs no parallel loop and no band."""

import pytest

from alphaz.schedule.goals import NONE, Engine, Wish
from alphaz.schedule.ilp.cost import SPATIAL
from alphaz.schedule.strides import along_lines
from tests.schedule.building import kernel, kernel_design, problem, rows

ASKED = Wish(recipe=NONE, engine=Engine.ILP, cost=SPATIAL)


def test_how_often_accesses_run_along_lines() -> None:
    """S[i,j,k] += L[i,k] * U[k,j]: none with i, two with j (the result among them), one with k."""
    assert along_lines(problem(kernel_design("lu")), "S") == (0, 2, 1)


@pytest.mark.parametrize(
    ("name", "statement", "order"),
    [
        ("lu", "S", ["i", "k", "j"]),
        ("gemm", "NR_C", ["i", "k", "j"]),
        ("seidel-2d", "X", ["t", "i+t", "i+j+2t"]),
        ("jacobi-2d", "X", ["t", "i+t", "j+t"]),
    ],
)
def test_lines_are_innermost(name: str, statement: str, order: list[str]) -> None:
    """Of lu as PolyAST and Reddy (2019), 5.9 have it."""
    found = kernel(name, ASKED)
    assert found.report.is_proved
    assert [value for value, _ in rows(found, statement)] == order
