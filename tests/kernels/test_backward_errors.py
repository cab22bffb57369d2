"""Factors of a matrix that is nothing in particular: how they round depends on the order of the sums, and may be seen
in every digit. What every order keeps to, in exact arithmetic, is the bound on what the product of the factors leaves
of the matrix: |A - LU| <= g |L| |U| with g = n u / (1 - n u). Source: N. J. Higham, Accuracy and Stability of
Numerical Algorithms, theorem 9.3.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.run.data import random_inputs
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import ROOT, proved
from tests.thinning import thinned

pytestmark = pytest.mark.slow

LU = ROOT / "samples" / "kernels" / "lu"
ORDER = 35
# g, for numbers of 53 bits.
UNIT = Fraction(ORDER, 2**53)
BOUND = UNIT / (1 - UNIT)


@pytest.mark.parametrize("sizes", thinned([(sizes,) for sizes in [(2, 16), (16, 2), (8, 6)]], 3))
def test_what_the_factors_leave(tmp_path: Path, sizes: tuple[int, int]) -> None:
    stated = [line for line in (LU / "lu-tuned.cs").read_text().splitlines() if line.startswith("set")]
    commands = [line.replace("system", '"lu"') for line in stated if "setRegisterTile" not in line]
    commands += [f'setRegisterTile(prog, "lu", "0", {at}, {size});' for at, size in enumerate(sizes)]
    verified = proved(tmp_path, (LU / "lu.ab").read_text(), "\n".join(commands))
    checked = verified.design.checked
    kernel = compile_kernel(scheduled_c(verified, "lu"), checked, "lu", flags=("-O2",))
    matrix = random_inputs(checked.program.system("lu"), {"N": ORDER}, 2)["A"]
    factors = kernel.run({"N": ORDER}, {"A": matrix}, 2).outputs["LU"]
    assert within(matrix, factors)
    factors[20, 30] *= 1 + 1e-12
    assert not within(matrix, factors)


def within(matrix: np.ndarray, factors: np.ndarray) -> bool:
    value, result = ([[Fraction(float(x)) for x in row] for row in values] for values in (matrix, factors))
    every = ((i, j) for i in range(ORDER) for j in range(ORDER))
    return all(_is_within(value[i][j], _terms(result, i, j)) for i, j in every)


def _terms(results: list[list[Fraction]], i: int, j: int) -> list[Fraction]:
    """The summands of (LU)[i,j]: L has ones on its diagonal."""
    return [(results[i][k] if k < i else 1) * results[k][j] for k in range(min(i, j) + 1)]


def _is_within(value: Fraction, terms: list[Fraction]) -> bool:
    return abs(value - sum(terms)) <= BOUND * sum(map(abs, terms))
