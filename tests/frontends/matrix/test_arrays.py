"""Arguments of a generated function: whole matrices, even if few elements are stored, and packed bands."""

import numpy as np
import pytest

import alphaz
from alphaz.diagnostics import Rejected
from alphaz.mapping.storage_formats import layout_of
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FORMS = (
    "triangular(upper)", "triangular(lower, unit)", "symmetric(lower)", "band(0, 0)", "band(0, 2)", "band(2, 0)",
    "band(kl, ku)",
)  # fmt: skip
SIZES = ((0, 3), (3, 0), (1, 1), (2, 7), (7, 2), (5, 4))


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).uniform(0.5, 2.0, shape)


def test_whole_matrices_are_passed_where_only_a_part_is_stored() -> None:
    """Elements that are not stored are NaN, so a read of them is visible. Sizes need not be given."""
    types = {"L": "triangular(lower, unit) matrix", "U": "column triangular(upper, unit) matrix",
             "B": "band(0, 2) matrix", "C": "column band(kl, 0) matrix"}  # fmt: skip
    design = alphaz.matrix("p = L*(U*v); q = B*w - v; r = C*w + v", **types)
    kernel = alphaz.compile(design.complete_mapping("kernel"), "kernel")
    for m, n in SIZES:
        lower, upper, band, other, v, w = (random(*shape) for shape in ((m, m), (m, m), (m, n), (m, n), (m,), (n,)))
        i, j = np.indices((m, n))
        band[(j < i) | (j > i + 2)] = other[(j > i) | (i > j + 1)] = np.nan
        lower[np.triu_indices(m)] = upper[np.tril_indices(m)] = np.nan
        result = kernel(
            kl=1, L=lower, U=np.ascontiguousarray(upper.T), B=band, C=np.ascontiguousarray(other.T), v=v, w=w
        )
        assert isinstance(result, dict)
        ones = np.eye(m)
        expected = (np.nan_to_num(lower) + ones) @ (np.nan_to_num(upper) + ones) @ v
        np.testing.assert_allclose(result["p"], expected, rtol=1e-12)
        np.testing.assert_allclose(result["q"], np.nan_to_num(band) @ w - v, rtol=1e-12)
        np.testing.assert_allclose(result["r"], np.nan_to_num(other) @ w + v, rtol=1e-12)


def test_packed_bands_of_which_one_side_has_no_diagonals() -> None:
    types = {"A": "band(0, 2) packed matrix", "B": "column band(3, 0) packed matrix", "y": "out vector"}
    design = alphaz.matrix("y = A*x; z = B*x + y", **types)
    kernel = alphaz.compile(design.complete_mapping("kernel"), "kernel")
    for m, n in SIZES:
        matrix, x = random(m, n), random(n)
        i, j = np.indices((m, n))
        right, left = (j >= i) & (j <= i + 2), (i >= j) & (i <= j + 3)
        result = kernel(m=m, A=matrix[right], B=matrix.T[left.T], x=x)
        assert isinstance(result, dict)
        np.testing.assert_allclose(result["y"], np.where(right, matrix, 0) @ x, rtol=1e-12)
        np.testing.assert_allclose(result["z"], np.where(left, matrix, 0) @ x + result["y"], rtol=1e-12)


@pytest.mark.parametrize("form", thinned(FORMS, 8))
def test_every_format_that_a_type_can_say_has_a_layout(form: str) -> None:
    """Of matrices with any numbers of rows and columns, and of square ones beside others."""
    for order in ("row", "column"):
        for packing in ("", "packed", "leading(ld)", *(("banded", "banded leading(ld)") if "band" in form else ())):
            for formulas in ("y = A*x + z", "y = A*x + x; w = B*x"):
                types = {"A": f"{order} {form} {packing} matrix", "B": "band(0, diagonals) banded matrix"}
                design = alphaz.matrix(formulas, **{name: types[name] for name in types if f"{name}*" in formulas})
                (system,) = design.program.systems
                for entry in design.mapping(system.name).formats:
                    assert layout_of(system, entry, system.variable(entry.variable)).components


def test_sizes_that_no_array_says_are_asked_for() -> None:
    design = alphaz.matrix("y = A*x", A="band(kl, 1) banded matrix")
    kernel = alphaz.compile(design.complete_mapping("kernel"), "kernel")
    value, x = random(4, 3), random(5)
    assert np.array_equal(np.asarray(kernel(A=value, x=x)), np.asarray(kernel(m=4, n=5, kl=1, A=value, x=x)))
    for wrong, item in (({"x": x}, "`m` has no value"), ({"A": value, "x": x, "n": 4}, "`x` has shape")):
        with pytest.raises(Rejected, match=item):
            kernel(**wrong)
