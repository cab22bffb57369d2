"""The equations of a kernel give the values that NumPy computes, one operation after the other."""

import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.frontends.matrix.checked_kernel import MatrixArray, MatrixKernel, check_kernel
from alphaz.frontends.matrix.equations import equations, output_name, program_text
from alphaz.frontends.matrix.reading import read_kernel
from alphaz.frontends.matrix.storage import StorageOrder
from alphaz.frontends.matrix.variants import MOST, variants
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.model.program import Variable
from tests.frontends.matrix.dense import computed, size, stored
from tests.frontends.matrix.random_kernels import kernel as drawn
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = sorted((Path(__file__).parents[3] / "samples" / "matrix").glob("*.m"))
UNITS = """UNITS
in  A, B : triangular(lower, unit) matrix, U, V : triangular(upper, unit) matrix
out C : triangular(lower, unit) matrix, D, F : matrix, E : triangular(lower, unit) packed matrix,
    G : triangular(upper, unit) matrix
{ C = A*B  D = A*U  E = V'*C  F = U*A  G = U*V }
"""
SIZES = ({"m": 0, "n": 0}, {"m": 1, "n": 0}, {"m": 0, "n": 3}, {"m": 1, "n": 1}, {"m": 5, "n": 3}, {"m": 4, "n": 7})

# Of arrays whose rows are longer than what lies in them.
LEADING = 9


def kernel_of(text: str) -> MatrixKernel:
    return check_kernel(read_kernel(Source("kernel.m", text)))


Arrays = Mapping[str, np.ndarray]
Run = Callable[[Mapping[str, int], Arrays], Arrays]


def check(
    kernel: MatrixKernel, values: Mapping[str, int], seed: int, program: str | None = None, run: Run | None = None
) -> None:
    """Every stored element of every output, from inputs that are random where they are stored; of its own equations, or
    others; as the interpreter evaluates them, or as they run.
    """
    rng = np.random.default_rng(seed)
    checked = equations(kernel) if program is None else read_program(Source("kernel.ab", program))
    system = checked.program.systems[0]
    inputs = {
        name: rng.uniform(0.5, 2.0, [size(item, values) for item in array.extent.sizes])
        for name, array in kernel.arrays.items()
        if array.is_read
    }
    for name, data in inputs.items():
        if kernel.arrays[name].storage.solution is not None:
            data[np.diag_indices(len(data))] += 2 * len(data)
    arguments = {
        name: ordered(kernel.arrays[name], data)[slices(system.variable(name), values)] for name, data in inputs.items()
    }
    if run is None:
        results = evaluate(checked.program, checked.facts, kernel.name, values, arguments, {"sqrt": math.sqrt})
    else:
        results = dict(run(values, arguments))
    for name, expected in computed(kernel, inputs, values).items():
        array = kernel.arrays[name]
        variable = system.variable(output_name(array, kernel))
        shown = np.zeros([size(item, values) for item in array.extent.sizes])
        ordered(array, shown)[slices(variable, values)] = results[variable.name]
        rest = stored(array, values)
        np.testing.assert_allclose(shown.reshape(rest.shape)[rest], expected[rest], rtol=1e-9, atol=1e-9)


def ordered(array: MatrixArray, data: np.ndarray) -> np.ndarray:
    """The same memory with the indices of the program: of a matrix by columns, the column first."""
    return data.T if data.ndim == 2 and array.storage.order is StorageOrder.COLUMN else data


def slices(variable: Variable, values: Mapping[str, int]) -> tuple[slice, ...]:
    """Returns the box of a variable inside the whole array."""
    box = variable_box(variable, values)
    return tuple(slice(low, low + length) for low, length in zip(box.lower, box.shape, strict=True))


@pytest.mark.parametrize("path", thinned(SAMPLES, 6), ids=lambda path: path.stem)
def test_samples_compute_what_numpy_does(path: Path) -> None:
    kernel = kernel_of(path.read_text(encoding="utf-8"))
    for at, sizes in enumerate(SIZES):
        for bands in ({"kl": 0, "ku": 0}, {"kl": 2, "ku": 1}):
            values = {**sizes, **bands}
            check(kernel, {name: values.get(name, LEADING) for name in kernel.parameters}, at)


@pytest.mark.parametrize("seed", thinned(range(24), 12))
def test_drawn_kernels_compute_what_numpy_does(seed: int) -> None:
    """Triangular, unit, symmetric and band matrices in sums and products, transposed and scaled."""
    kernel = kernel_of(drawn(random.Random(seed)))
    for length in (0, 1, 4):
        values = {name: 1 if name == "kb" else length for name in kernel.parameters}
        check(kernel, values, seed)


@pytest.mark.parametrize(
    "text",
    [
        "K in T : triangular(upper, unit) matrix, S : symmetric(lower) column matrix, B : band(1, kb) matrix, "
        "x : vector out y : vector, z : scalar { y = T'*S*(B*x) + 2*x  z = x'*B*y }",
        "K in A : matrix, B : column matrix, u, v, x : vector out C : matrix, w : vector "
        "{ C = (A*B)'*A + u*v'*B  w = A*(u*v'*x) }",
    ],
)
def test_products_in_other_orders_compute_the_same(text: str) -> None:
    """Of one formula or of several, and with temporaries that lie by columns."""
    first, *others = variants(read_kernel(Source("kernel.m", text)))
    assert first.program == program_text(first.kernel)
    assert len(others) == MOST - 1
    for other in others:
        for length in (0, 1, 3):
            values = {name: 1 if name == "kb" else length for name in first.kernel.parameters}
            check(first.kernel, values, length, other.program)


def test_products_of_triangles_and_bands_are_such() -> None:
    """Where rows meet no columns there is no sum: an output that stores nothing there gets all of it."""
    kernel = kernel_of(
        "K in U, V : triangular(upper) matrix, L : triangular(lower, unit) matrix, A, B : band(1, 2) matrix "
        "out W : triangular(upper) packed matrix, M : triangular(lower) matrix, C : band(2, 4) banded matrix, "
        "G : matrix { W = U*V + U  M = L*L  C = A*B - 2*A  G = L*U + U*V }"
    )
    for at, length in enumerate((0, 1, 2, 9)):
        check(kernel, dict.fromkeys(kernel.parameters, length), at)


@pytest.mark.parametrize(
    ("formulas", "said"),
    [
        ("w = A'*(A*x)", ["w = (A'*A)*x", "w = (A'*A)*x; t1 by columns"]),
        ("w = c*(A*x) + x", []),
        ("w = (x'*x)*(A*x)", []),
        ("B = A*A  w = B*x", ["B by columns"]),
        ("w = A*x*x'*x", ["w = A*(x*(x'*x))", "w = A*((x*x')*x)", "w = (A*x)*(x'*x)", "w = (A*(x*x'))*x"]),
    ],
)
def test_the_other_ways_to_say_it(formulas: str, said: list[str]) -> None:
    """A factor that is a scalar changes no order, and a vector has only one storage."""
    source = f"K in A : matrix, x : vector, c : scalar out w : vector {{ {formulas} s = A*x + x }}"
    results = [variant.change for variant in variants(read_kernel(Source("kernel.m", source)))]
    assert results[: len(said) + 1] == ["as written", *said]
    assert all("by columns" in item for item in results[len(said) + 1 :])


def test_the_samples_are_those_of_the_literature() -> None:
    assert len(SAMPLES) >= 15
    assert {"axpydot", "vadd", "waxpby", "atax", "bicgk", "dgemv", "dgemvt", "gemver", "gesummv"} <= {
        path.stem for path in SAMPLES
    }


SOLUTIONS = (
    "K in L : triangular(lower) matrix, U : triangular(upper, unit) column matrix, P : packed lower matrix, "
    "b : vector, B : column matrix out x, y, z : vector, X, Y : matrix, s : scalar "
    "{ x = L \\ (b + B*b)  y = U' \\ (L' \\ b)  z = 2*(P \\ b) + x  X = U \\ B  Y = (P' \\ B')'  s = b'*(L \\ b) }",
    "K in S : symmetric(upper, definite) matrix, T : symmetric(lower, definite) packed column matrix, b, c : vector, "
    "B : matrix inout v : vector out x, y : vector, X : matrix "
    "{ x = S \\ b  y = S' \\ (b - c) + norm2(T \\ c)*c  X = T \\ (B + b*c')  v = S \\ (v + x) }",
    "K in A : dominant matrix, C : dominant column matrix, S : symmetric(lower, dominant) matrix, b : vector, "
    "B : matrix inout v : vector out x, y, z : vector, X : column matrix "
    "{ x = A \\ b  y = A' \\ (C \\ b)  z = (S \\ b)/2  X = C' \\ (B*A)  v = A \\ v }",
    "K in T : band(1,1) dominant matrix, B : band(2, ku) dominant column matrix, L : band(kl, 0) matrix, "
    "U : band(0, 2) matrix, b : vector, M : matrix out x, y, z, w : vector, X : matrix "
    "{ x = T \\ b  y = B' \\ b  z = L \\ b  w = (U \\ (L' \\ b))  X = B \\ M }",
    "K in L : triangular(lower) matrix, T : triangular(lower) matrix out X : matrix { X = L \\ T }",
)


@pytest.mark.parametrize("text", thinned(SOLUTIONS, 3))
def test_solutions_are_those_of_numpy(text: str) -> None:
    """By substitution, Cholesky and LU; of transposed, packed, banded matrices, several right-hand sides, sums."""
    kernel = kernel_of(text)
    for at, length in enumerate((0, 1, 2, 6)):
        values = {name: at % 3 if name in ("kl", "ku") else length for name in kernel.parameters}
        check(kernel, values, at)


def test_factors_are_computed_once_for_each_value_of_a_matrix() -> None:
    kernel = kernel_of("K in b : vector inout A : dominant matrix out x, y, z : vector "
                       "{ x = A \\ b  y = A' \\ b  A = A + A'  z = A \\ b }")  # fmt: skip
    assert program_text(kernel).count("case") == 2
    check(kernel, {"n": 4}, 1)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_products_of_triangles_with_ones_on_the_diagonal_have_ones_there(n: int) -> None:
    """They may go where these are not stored; where an upper and a lower one meet, the diagonal is a sum."""
    kernel = kernel_of(UNITS)
    check(kernel, {"n": n}, 3)
    assert program_text(kernel).count("reduce(") == 5
