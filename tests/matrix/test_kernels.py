"""What equations say of a kernel is what NumPy computes, one operation after the other."""

import math
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from alphaz.diagnostics import Source
from alphaz.matrix.equations import equations, output_name
from alphaz.matrix.kernel import Array, Kernel, check_kernel
from alphaz.matrix.reading import read_kernel
from alphaz.matrix.storage import Order
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.model.program import Variable
from alphaz.model.values import variable_box
from tests.matrix.dense import computed, size, stored
from tests.matrix.drawing import kernel as drawn

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "matrix").glob("*.m"))
SIZES = ({"m": 0, "n": 0}, {"m": 1, "n": 0}, {"m": 0, "n": 3}, {"m": 1, "n": 1}, {"m": 5, "n": 3}, {"m": 4, "n": 7})

# Of arrays whose rows are longer than what lies in them.
LEADING = 9


def kernel_of(text: str) -> Kernel:
    return check_kernel(read_kernel(Source("kernel.m", text)))


def check(kernel: Kernel, values: Mapping[str, int], seed: int) -> None:
    """Every stored element of every output, from inputs that are random where they are stored."""
    rng = np.random.default_rng(seed)
    checked = equations(kernel)
    system = checked.program.systems[0]
    inputs = {
        name: rng.uniform(0.5, 2.0, [size(each, values) for each in array.extent.sizes])
        for name, array in kernel.arrays.items()
        if array.is_read
    }
    given = {
        name: ordered(kernel.arrays[name], data)[slices(system.variable(name), values)] for name, data in inputs.items()
    }
    found = evaluate(checked.program, checked.facts, kernel.name, values, given, {"sqrt": math.sqrt})
    for name, expected in computed(kernel, inputs, values).items():
        array = kernel.arrays[name]
        variable = system.variable(output_name(array, kernel))
        shown = np.zeros([size(each, values) for each in array.extent.sizes])
        ordered(array, shown)[slices(variable, values)] = found[variable.name]
        kept = stored(array, values)
        np.testing.assert_allclose(shown.reshape(kept.shape)[kept], expected[kept], rtol=1e-9, atol=1e-9)


def ordered(array: Array, data: np.ndarray) -> np.ndarray:
    """The same memory with the indices of the program: of a matrix by columns, the column first."""
    return data.T if data.ndim == 2 and array.storage.order is Order.COLUMN else data


def slices(variable: Variable, values: Mapping[str, int]) -> tuple[slice, ...]:
    """Where the box of a variable lies in the whole array."""
    box = variable_box(variable, values)
    return tuple(slice(low, low + length) for low, length in zip(box.lower, box.shape, strict=True))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_compute_what_numpy_does(path: Path) -> None:
    kernel = kernel_of(path.read_text(encoding="utf-8"))
    for at, sizes in enumerate(SIZES):
        for bands in ({"kl": 0, "ku": 0}, {"kl": 2, "ku": 1}):
            values = {**sizes, **bands}
            check(kernel, {name: values.get(name, LEADING) for name in kernel.parameters}, at)


@pytest.mark.parametrize("seed", range(24))
def test_drawn_kernels_compute_what_numpy_does(seed: int) -> None:
    """Triangular, unit, symmetric and band matrices in sums and products, transposed and scaled."""
    kernel = kernel_of(drawn(random.Random(seed)))
    for length in (0, 1, 4):
        values = {name: 1 if name == "kb" else length for name in kernel.parameters}
        check(kernel, values, seed)


def test_the_samples_are_those_of_the_literature() -> None:
    assert len(SAMPLES) >= 15
    assert {"axpydot", "vadd", "waxpby", "atax", "bicgk", "dgemv", "dgemvt", "gemver", "gesummv"} <= {
        path.stem for path in SAMPLES
    }
