"""Packed and banded arrays: as SciPy's BLAS has them, and crossed with what else a mapping says."""

import re
from dataclasses import replace
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from scipy.linalg import blas, cholesky_banded

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import NOWHERE, Rejected
from alphaz.equivalence.driver.generated_code import prove_generated as proved_c
from alphaz.equivalence.driver.generated_code import prove_stage_a
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.run.compare import compare_arrays
from alphaz.run.data import tame_inputs
from alphaz.run.guarded_call import compile_isolated
from alphaz.run.kernel import Kernel, compile_kernel
from alphaz.run.storage_conversion import converted, exchanged, points_of
from alphaz.scripting.commands.generators import unscheduled
from alphaz.scripting.commands.outcome import Generation, Generator
from tests.codegen.generated_kernels import STRICT, design_of
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SYMMETRIC = """affine f {{n | n>=0}}
input double A {{i,j | 0<=i<n && 0<=j<n && {half}}}; double x {{i | 0<=i<n}};
output double y {{i | 0<=i<n}};
let y[i] = reduce(+, [j], {{| 0<=j<n}} : case {{| {here}}} : A[i,j]; {{| {there}}} : A[j,i]; esac * x[j]); .
"""
TRIANGULAR = """affine f {{n | n>=0}}
input double A {{i,j | 0<=i<n && 0<=j<n && {half}}}; double x {{i | 0<=i<n}};
output double y {{i | 0<=i<n}};
let y[i] = reduce(+, [j], A[i,j] * x[j]); .
"""
SYMMETRIC_BAND = """affine f {{n,k | n>=0 && k>=0}}
input double A {{i,j | 0<=i<n && 0<=j<n && {band}}}; double x {{i | 0<=i<n}};
output double y {{i | 0<=i<n}};
let y[i] = reduce(+, [j], {{| 0<=j<n && -k<=i-j<=k}} :
    case {{| {here}}} : A[i,j]; {{| {there}}} : A[j,i]; esac * x[j]); .
"""
BAND = """affine f {m,n,kl,ku | m>=0 && n>=0 && kl>=0 && ku>=0}
input double A {i,j | 0<=i<m && 0<=j<n && -kl<=j-i<=ku}; double x {i | 0<=i<n};
output double y {i | 0<=i<m};
let y[i] = reduce(+, [j], A[i,j] * x[j]); .
"""
SUMS = 'setSpaceTimeMap(prog, "f", "y", "(i,j->i,j)", "(i->i,-1)"); setParallel(prog, "f", "", 0);'
SEPARATE = """
setSpaceTimeMap(prog, "f", "NR_y", "(i,j->0,i,j)", "(i->0,i,-1)"); setSpaceTimeMap(prog, "f", "y", "(i->1,i,0)");
"""
HALVES = {False: ("i<=j", "j<i"), True: ("j<=i", "i<j")}
SIZES = (0, 1, 2, 7, 16)


def mapped(text: str, *commands: str) -> Design:
    with TemporaryDirectory() as folder:
        return design_of(Path(folder), text, "".join(commands))


def proved(text: str, *commands: str) -> Verified:
    return certify(verify(mapped(text, *commands)))


def kernel_of(text: str, *commands: str) -> Kernel:
    verified = proved(text, *commands)
    return compile_kernel(scheduled_c(verified, "f"), verified.design.checked, "f", flags=("-O1", *STRICT))


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).uniform(-1, 1, shape)


def banded(rows: int, columns: int, below: int, above: int) -> np.ndarray:
    """A band matrix as the BLAS has it, by columns: what is outside of the matrix is never to be read."""
    found = drawn(columns, below + above + 1)
    for at in range(columns):
        for diagonal in range(below + above + 1):
            if not 0 <= at + diagonal - above < rows:
                found[at, diagonal] = np.nan
    return found


# --- the BLAS ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lower", [False, True])
def test_packed_symmetric_as_dspmv(lower: bool) -> None:
    here, there = HALVES[lower]
    text = SYMMETRIC.format(half=here, here=here, there=there)
    half = "lower" if lower else "upper"
    kernel = kernel_of(text, SUMS, f'setStorageFormat(prog, "f", "A", "packed {half} column");')
    for n in SIZES[1:]:
        a, x = drawn(n * (n + 1) // 2), drawn(n)
        assert np.allclose(np.asarray(kernel(n=n, A=a, x=x)), blas.dspmv(n, 1.0, a, x, lower=lower))


@pytest.mark.parametrize("lower", [False, True])
def test_packed_triangular_as_dtpmv(lower: bool) -> None:
    kernel = kernel_of(
        TRIANGULAR.format(half=HALVES[lower][0]), SUMS, 'setStorageFormat(prog, "f", "A", "packed column");'
    )
    for n in SIZES[1:]:
        a, x = drawn(n * (n + 1) // 2), drawn(n)
        assert np.allclose(np.asarray(kernel(n=n, A=a, x=x)), blas.dtpmv(n, a, x, lower=lower))


@pytest.mark.parametrize("order", ["column", "row"])
@pytest.mark.parametrize("lower", [False, True])
def test_packed_triangular_without_its_diagonal_as_dtpmv(lower: bool, order: str) -> None:
    """The array has places for the diagonal that are never read. By rows it is the other triangle of the transpose."""
    text = TRIANGULAR.format(half="j<i" if lower else "i<j").replace("A[i,j] * x[j])", "A[i,j] * x[j]) + x[i]")
    kernel = kernel_of(
        text, "NormalizeReduction(prog);", SEPARATE, f'setStorageFormat(prog, "f", "A", "packed unit {order}");'
    )
    is_lower = lower if order == "column" else not lower
    for n in SIZES[1:]:
        a, x = drawn(n * (n + 1) // 2), drawn(n)
        expected = blas.dtpmv(n, a, x, lower=is_lower, trans=order == "row", diag=1)
        at = np.cumsum([0, *(range(n, 1, -1) if is_lower else range(2, n + 1))])
        a[at] = np.nan
        assert np.allclose(np.asarray(kernel(A=a, x=x)), expected)
        rows = [[a[_place(i, j, n, is_lower)] if order == "column" else a[_place(j, i, n, is_lower)]
                 for j in range(n)] for i in range(n)]  # fmt: skip
        box = np.array(rows)[1:, :-1] if lower else np.array(rows)[:-1, 1:]
        assert np.allclose(kernel.run({"n": n}, {"A": box, "x": x}).outputs["y"], expected)


def _place(i: int, j: int, n: int, lower: bool) -> int:
    """Of the BLAS, by columns; of what is not stored that of the diagonal, which is no number."""
    if (i > j) != lower or i == j:
        i = j
    return j * n - j * (j + 1) // 2 + i if lower else j * (j + 1) // 2 + i


@pytest.mark.parametrize("lower", [False, True])
def test_full_storage_as_dtrmv_and_dsymv(lower: bool) -> None:
    here, there = HALVES[lower]
    triangular = kernel_of(TRIANGULAR.format(half=here), SUMS)
    symmetric = kernel_of(SYMMETRIC.format(half=here, here=here, there=there), SUMS)
    for n in SIZES[1:]:
        a, x = drawn(n, n), drawn(n)
        assert np.allclose(np.asarray(triangular(n=n, A=a, x=x)), blas.dtrmv(a, x, lower=lower))
        assert np.allclose(np.asarray(symmetric(n=n, A=a, x=x)), blas.dsymv(1.0, a, x, lower=lower))


@pytest.mark.parametrize("lower", [False, True])
def test_symmetric_band_as_dsbmv(lower: bool) -> None:
    here, there = HALVES[lower]
    band = "0<=i-j<=k" if lower else "0<=j-i<=k"
    text = SYMMETRIC_BAND.format(band=band, here=here, there=there)
    kernel = kernel_of(text, SUMS, 'setStorageFormat(prog, "f", "A", "banded column");')
    for n, k in ((1, 0), (5, 2), (9, 8), (4, 6)):
        a, x = banded(n, n, *((k, 0) if lower else (0, k))), drawn(n)
        expected = blas.dsbmv(k, 1.0, np.nan_to_num(a).T, x, lower=lower)
        assert np.allclose(np.asarray(kernel(n=n, k=k, A=a, x=x)), expected)


def test_band_as_dgbmv() -> None:
    kernel = kernel_of(BAND, SUMS, 'setStorageFormat(prog, "f", "A", "banded column");')
    for m, n, kl, ku in ((1, 1, 0, 0), (7, 9, 2, 1), (9, 4, 1, 3), (8, 5, 3, 4)):
        a, x = banded(m, n, kl, ku), drawn(n)
        expected = blas.dgbmv(m, n, kl, ku, 1.0, np.nan_to_num(a).T, x)
        assert np.allclose(np.asarray(kernel(m=m, n=n, kl=kl, ku=ku, A=a, x=x)), expected)


@pytest.mark.parametrize(("order", "m", "n"), [("row", 7, 5), ("column", 7, 5), ("row", 3, 9), ("column", 3, 9)])
def test_bands_are_compared_in_their_format(order: str, m: int, n: int) -> None:
    """Elements outside the matrix are not compared; a difference is named by its point."""
    verified = proved(BAND, SUMS, f'setStorageFormat(prog, "f", "A", "banded {order}");')
    layouts, sizes = exchanged(scheduled_c(verified, "f").layouts), {"m": m, "n": n, "kl": 2, "ku": 1}
    variable = verified.design.program.system("f").variable("A")
    points = points_of(variable, layouts, sizes)
    array = drawn(*points.mask.shape)
    other = np.where(points.mask, array, np.nan)
    assert np.count_nonzero(points.mask) == sum(-2 <= j - i <= 1 for i in range(m) for j in range(n))
    assert compare_arrays(variable, sizes, array, other, layouts=layouts) is None
    for i, j in ((0, 0), (2, 1), (1, 2)):
        at = (i, 2 + j - i) if order == "row" else (j, 1 + i - j)
        wrong = other.copy()
        wrong[at] += 1
        difference = compare_arrays(variable, sizes, array, wrong, layouts=layouts)
        assert difference is not None
        assert (difference.name, difference.count) == (f"A[{i},{j}]", 1)
    there = converted(variable, layouts, {}, sizes, array)
    assert np.array_equal(converted(variable, {}, layouts, sizes, there), np.where(points.mask, array, 0))


BAND_FACTORS = """double sqrt(double);
affine f {n,k | n>=0 && k>=0}
input double A {i,j | 0<=j<n && 0<=i<n && 0<=i-j<=k};
output double L {i,j | 0<=j<n && 0<=i<n && 0<=i-j<=k};
local double S {i,j | 0<=j<n && 0<=i<n && 0<=i-j<=k};
let
    S[i,j] = reduce(+, [p], {| 0<=p<j && i-k<=p} : L[i,p] * L[j,p]);
    L[i,j] = case {| i==j} : sqrt(A[i,j] - S[i,j]); {| j<i} : (A[i,j] - S[i,j]) / L[j,j]; esac; .
"""
BAND_DATES = (
    'setSpaceTimeMap(prog, "f", "S", "(i,j,p->j,0,i,p)", "(i,j->j,-1,i,0)");'
    'setSpaceTimeMap(prog, "f", "L", "(i,j->j,1,i,0)"); setOrderingDimensions(prog, "f", 1);'
)


def test_a_band_is_factored_in_the_storage_of_lapack() -> None:
    """A whole matrix is nowhere: with n = 500,000 it would not fit."""
    formats = 'setStorageFormat(prog, "f", "A, L, S", "banded column");'
    kernel = kernel_of(BAND_FACTORS, BAND_DATES, formats)
    for n, k in ((1, 0), (7, 2), (12, 11), (500_000, 3)):
        a = drawn(n, k + 1)
        a[:, 0] += 2 * (k + 1)
        for diagonal in range(1, k + 1):
            a[n - diagonal :, diagonal] = 0
        expected = cholesky_banded(a.T, lower=True).T
        assert np.allclose(np.asarray(kernel(n=n, k=k, A=a)), expected)


# --- leading dimensions and increments --------------------------------------------------------------------------------

INCREMENTS = (
    'setStorageFormat(prog, "f", "x", "full leading incx");',
    'setStorageFormat(prog, "f", "y", "full leading incy");',
)


def with_steps(text: str, more: str = "") -> str:
    """The same system with parameters behind its own: increments, and perhaps a leading dimension with a condition."""
    ((own, condition),) = re.findall(r"affine f \{(.*?) \| (.*?)\}", text)
    names = f"{own},ld,incx,incy" if more else f"{own},incx,incy"
    said = " && ".join(filter(None, (condition, "incx>=1 && incy>=1", more)))
    return re.sub(r"affine f \{.*?\}", f"affine f {{{names} | {said}}}", text, count=1)


def called(kernel: Kernel, numbers: tuple[int, ...], *arrays: np.ndarray) -> None:
    """The C function itself, with arrays that begin anywhere."""
    assert kernel.function(len(arrays))(*numbers, *(array.ctypes.data for array in arrays)) == 0


def stepped(length: int, step: int) -> np.ndarray:
    """Returns a vector with an increment; memory between its elements must not be read."""
    found = np.full(length * step, np.nan)
    found[::step] = drawn(length)
    return found


@pytest.mark.parametrize("lower", [False, True])
def test_packed_with_increments_as_dspmv_and_dtpmv(lower: bool) -> None:
    here, there = HALVES[lower]
    form = f'setStorageFormat(prog, "f", "A", "packed {"lower" if lower else "upper"} column");'
    symmetric = kernel_of(with_steps(SYMMETRIC.format(half=here, here=here, there=there)), SUMS, form, *INCREMENTS)
    triangular = kernel_of(with_steps(TRIANGULAR.format(half=here)), SUMS, form, *INCREMENTS)
    for n, incx, incy in ((1, 1, 1), (5, 2, 3), (9, 3, 1)):
        a, x, y = drawn(n * (n + 1) // 2), stepped(n, incx), np.full(n * incy, np.nan)
        called(symmetric, (n, incx, incy), a, x, y)
        expected = blas.dspmv(n, 1.0, a, np.nan_to_num(x), incx=incx, lower=lower)
        assert np.allclose(y[::incy], expected[:n])
        assert np.count_nonzero(np.isnan(y)) == n * (incy - 1)
        called(triangular, (n, incx, incy), a, x, y)
        assert np.allclose(y[::incy], blas.dtpmv(n, a, np.nan_to_num(x), incx=incx, lower=lower)[::incx])


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", thinned([False, True]))
def test_a_part_of_a_larger_array_as_dsymv_and_dtrmv(lower: bool, unit: bool) -> None:
    here, there = HALVES[lower]
    form = 'setStorageFormat(prog, "f", "A", "full column leading ld");'
    part = here.replace("<=", "<") if unit else here
    ones = f"case {{| {part}}} : A[i,j] * x[j]; {{| i==j}} : x[j]; esac"
    text = TRIANGULAR.format(half=part).replace("A[i,j] * x[j]", ones if unit else "A[i,j] * x[j]")
    triangular = kernel_of(with_steps(text, "ld>=n"), SUMS, form)
    symmetric = kernel_of(with_steps(SYMMETRIC.format(half=here, here=here, there=there), "ld>=n"), SUMS, form)
    for n, rows, row, column in ((1, 1, 0, 0), (5, 9, 2, 3), (8, 11, 3, 0)):
        whole = np.asfortranarray(np.full((rows, column + n + 1), np.nan))
        inside = whole[row : row + n, column : column + n]
        stored = np.tril_indices(n, -unit) if lower else np.triu_indices(n, unit)
        inside[stored] = drawn(len(stored[0]))
        x, y = drawn(n), np.zeros(n)
        called(triangular, (n, rows, 1, 1), inside, x, y)
        assert np.allclose(y, blas.dtrmv(np.nan_to_num(inside), x, lower=lower, diag=unit))
        if not unit:
            called(symmetric, (n, rows, 1, 1), inside, x, y)
            assert np.allclose(y, blas.dsymv(1.0, np.nan_to_num(inside), x, lower=lower))


def test_band_with_a_leading_dimension_as_dgbmv() -> None:
    form = 'setStorageFormat(prog, "f", "A", "banded column leading ld");'
    kernel = kernel_of(with_steps(BAND, "ld>=kl+ku+1"), SUMS, form, *INCREMENTS)
    for (m, n, kl, ku), ld, incx, incy in (((1, 1, 0, 0), 1, 1, 1), ((7, 9, 2, 1), 6, 2, 3), ((8, 5, 3, 4), 9, 1, 2)):
        a = np.full((n, ld), np.nan)
        a[:, : kl + ku + 1] = banded(m, n, kl, ku)
        x, y = stepped(n, incx), np.full(m * incy, np.nan)
        called(kernel, (m, n, kl, ku, ld, incx, incy), a, x, y)
        assert np.allclose(y[::incy], blas.dgbmv(m, n, kl, ku, 1.0, np.nan_to_num(a).T, np.nan_to_num(x), incx=incx))


def test_an_output_in_a_part_of_a_larger_array_leaves_the_rest_alone() -> None:
    text = """affine f {m,n,ld | m>=0 && n>=0 && ld>=m}
    input double x {i | 0<=i<m}; double y {i | 0<=i<n};
    output double A {i,j | 0<=i<m && 0<=j<n};
    let A[i,j] = x[i] * y[j]; .
    """
    dates = 'setSpaceTimeMap(prog, "f", "A", "(i,j->j,i)"); setParallel(prog, "f", "", 0);'
    kernel = kernel_of(text, dates, 'setStorageFormat(prog, "f", "A", "full column leading ld");')
    whole, x, y = np.asfortranarray(np.full((9, 6), np.nan)), drawn(4), drawn(3)
    called(kernel, (4, 3, 9), x, y, whole[2:, 1:])
    assert np.allclose(whole[2:6, 1:4], np.outer(x, y))
    assert np.count_nonzero(np.isnan(whole)) == whole.size - 12
    assert np.allclose(np.asarray(kernel(m=4, n=3, ld=9, x=x, y=y))[:, :4].T, np.outer(x, y))


# --- outputs, locals, and what else a mapping says -----------------------------------------------------------------

FACTORS = """affine f {n | n>=0}
input double A {i,j | 0<=j<=i<n};
output double L {i,j | 0<=j<=i<n};
local double S {i,j,k | 0<=k<=j<=i<n};
let
    S[i,j,k] = case {| k==0} : A[i,j]; {| k>0} : S[i,j,k-1] - L[i,k-1] * L[j,k-1]; esac;
    L[i,j] = case {| i==j} : sqrt(S[i,j,j]); {| j<i} : S[i,j,j] / L[j,j]; esac; .
"""
IN_PLACE = (
    'setSpaceTimeMap(prog, "f", "S", "(i,j,k->k,1,i,j)"); setSpaceTimeMap(prog, "f", "L", "(i,j->j,2,i,i-j)");',
    'setMemoryMap(prog, "f", "S", "L", "(i,j,k->i,j)"); setOrderingDimensions(prog, "f", 1);',
)
FORMATS = ("packed lower row", "packed column")
PRODUCT = """affine f {n | n>=0}
input double A {i,j | 0<=i<=j<n}; double B {i,j | 0<=i<n && 0<=j<n};
output double C {i,j | 0<=i<n && 0<=j<n};
let C[i,j] = reduce(+, [k], A[i,k] * B[k,j]); .
"""
TILED = 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->j,k,i)", "(i,j->j,-1,i)");'
CROSSED = {
    "tiles": 'setTiling(prog, "f", 0, 4); setTiling(prog, "f", 1, 3); setTiling(prog, "f", 2, 5);',
    "registers": 'setRegisterTile(prog, "f", 0, 2); setRegisterTile(prog, "f", 2, 4);',
    "vectors": 'setVectorDimension(prog, "f", "", 2);',
    "buffers": 'setTiling(prog, "f", 0, 4); setTiling(prog, "f", 1, 3); setTiling(prog, "f", 2, 5);'
    'setPacking(prog, "f", "C", "A, B");',
}


def agrees(text: str, *commands: str, sizes: tuple[int, ...] = SIZES) -> None:
    """Of numbers that make decompositions exist, without undefined behaviour."""
    verified = proved(text, *commands)
    checked = verified.design.checked
    kernel = compile_isolated(scheduled_c(verified, "f"), checked, "f", include=None, sanitize=True)
    program, facts, system = checked.program, checked.facts, checked.program.system("f")
    for n in sizes:
        given = tame_inputs(system, {"n": n}, 1)
        found, expected = (
            kernel.run({"n": n}, given).outputs,
            evaluate(program, facts, "f", {"n": n}, given, {"sqrt": sqrt}),
        )
        for variable in system.outputs:
            mine, wanted = found[variable.name], expected[variable.name]
            inside = domain_mask(variable.domain, variable_box(variable, {"n": n}), {"n": n})
            assert np.allclose(mine[inside], wanted[inside], rtol=1e-12), (n, variable.name)


@pytest.mark.parametrize("form", FORMATS)
def test_factors_are_computed_in_place_in_a_packed_output(form: str) -> None:
    agrees("double sqrt(double);" + FACTORS, *IN_PLACE, f'setStorageFormat(prog, "f", "A, L", "{form}");')


@pytest.mark.parametrize("crossed", CROSSED)
@pytest.mark.parametrize("form", thinned(["packed row", "packed column"], 4))
def test_packed_matrices_in_tiles_vectors_and_buffers(crossed: str, form: str) -> None:
    agrees(PRODUCT, TILED, CROSSED[crossed], f'setStorageFormat(prog, "f", "A", "{form}");')


def test_a_local_variable_has_an_array_in_its_format() -> None:
    text = """affine f {n | n>=0}
    input double x {i | 0<=i<n};
    output double y {i,j | 0<=i<n && 0<=j<=i};
    local double T {i,j | 0<=i<=j<n};
    let T[i,j] = x[i] * x[j]; y[i,j] = T[j,i]; .
    """
    dates = 'setSpaceTimeMap(prog, "f", "T", "(i,j->0,i,j)"); setSpaceTimeMap(prog, "f", "y", "(i,j->1,i,j)");'
    formats = 'setStorageFormat(prog, "f", "T", "packed row"); setStorageFormat(prog, "f", "y", "banded row");'
    with pytest.raises(Rejected, match="does not say how many diagonals"):
        resolve(mapped(text, dates, formats), "f")
    agrees(text, dates, formats.replace("banded", "packed"))


# --- packed bands -----------------------------------------------------------------------------------------------------

BANDS = """affine f {m,n,kl,ku | m>=0 && n>=0 && kl>=0 && ku>=0}
input double A {i,j | 0<=i<m && 0<=j<n && -kl<=j-i<=ku}; double x {i | 0<=i<n};
output double y {i | 0<=i<m}; double B {i,j | 0<=i<m && 0<=j<n && -kl<=j-i<=ku};
let y[i] = reduce(+, [j], A[i,j] * x[j]); B[i,j] = A[i,j] + x[j]; .
"""


@pytest.mark.parametrize(("one", "other"), [("row", "column"), ("column", "row")])
def test_packed_bands_have_one_element_after_the_other(one: str, other: str) -> None:
    """With no diagonals beside the main one, some, and more than there are; rows that begin beyond the last column."""
    forms = f'setStorageFormat(prog, "f", "A", "packed {one}"); setStorageFormat(prog, "f", "B", "packed {other}");'
    dates = 'setSpaceTimeMap(prog, "f", "B", "(i,j->i,n+j)"); '
    kernel = kernel_of(BANDS, SUMS + dates, forms)
    for m, n in ((0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (5, 3), (7, 13), (13, 11)):
        for kl, ku in ((0, 0), (1, 2), (3, 0), (0, 4), (20, 1), (2, 20), (30, 40)):
            i, j = np.indices((m, n))
            band = (j - i <= ku) & (i - j <= kl)
            whole, x = np.where(band, drawn(m, n), 0), drawn(n)
            packed = {"row": whole[band], "column": whole.T[band.T]}
            found = kernel(m=m, n=n, kl=kl, ku=ku, A=packed[one], x=x, threads=2)
            assert isinstance(found, dict)
            np.testing.assert_allclose(found["y"], whole @ x, atol=1e-12)
            shifted = whole + x
            expected = {"row": shifted[band], "column": shifted.T[band.T]}
            np.testing.assert_array_equal(found["B"], expected[other])


def test_bands_of_fixed_numbers_and_others_are_packed() -> None:
    """Of a local variable, and with the first row and column elsewhere."""
    text = """affine f {n | n>=0} input double x {i | 0<=i<=n};
    output double y {i,j | 1<=i<=n && 1<=j<=n && i-1<=j<=i+2};
    local double T {i,j | 1<=i<=n && 1<=j<=n && i-1<=j<=i+2};
    let T[i,j] = x[i] * x[j]; y[i,j] = T[i,j] + x[i]; .
    """
    dates = 'setSpaceTimeMap(prog, "f", "T", "(i,j->0,i,j)"); setSpaceTimeMap(prog, "f", "y", "(i,j->1,i,j)");'
    for one, other in (("row", "column"), ("column", "row")):
        forms = (("T", one), ("y", other))
        agrees(text, dates, *(f'setStorageFormat(prog, "f", "{name}", "packed {form}");' for name, form in forms))


def test_places_of_diagonals_of_locals_and_bands() -> None:
    text = """affine f {n | n>=0} input double x {i | 0<=i<n};
    output double y {i,j | 0<=i<n && j<n && i<j<=i+2};
    local double T {i,j | 0<=j<i<n};
    let T[i,j] = x[i] * x[j]; y[i,j] = T[j,i] + x[i]; .
    """
    dates = 'setSpaceTimeMap(prog, "f", "T", "(i,j->0,i,j)"); setSpaceTimeMap(prog, "f", "y", "(i,j->1,i,j)");'
    for one, other in (("row", "column"), ("column", "row")):
        forms = (("T", f"lower {one}"), ("y", f"upper {other}"))
        agrees(text, dates, *(f'setStorageFormat(prog, "f", "{name}", "packed unit {form}");' for name, form in forms))


# --- what cannot be -----------------------------------------------------------------------------------------------

REFUSED = {
    ("packed lower row", "0<=i<=j<n"): "not lower",
    ("banded row", "0<=i<=j<n"): "does not say how many diagonals",
    ("packed row", "0<=i<n && i<=j<n && 2j<=3i"): "no position that is one polynomial",
    ("packed row", "0<=i<n && i<=j<n && j<=2i && i+j<=n"): "no position that is one polynomial",
    ("full row leading n", "0<=i<n && 0<=j<=n"): "`n` may be smaller than a row of `A`",
    ("full row leading lda", "0<=i<n && 0<=j<n"): "`lda` is no parameter of `f`",
    ("full row leading n", "0<=i<n && i-1<=j<n"): "has negative indices",
    ("banded row leading n", "0<=i<n && 0<=j<=n && i<=j<=i+2"): "`n` may be smaller",
    ("packed unit row", "0<=i<=j<n"): "do not end next to a diagonal",
    ("packed unit row", "0<=i<j<n && j>=3"): "with an element in each row",
    ("packed unit row", "0<=i<j<n && 2<=i+j"): "with an element in each row",
}


@pytest.mark.parametrize(("form", "domain"), REFUSED)
def test_refused_formats(form: str, domain: str) -> None:
    text = f"affine f {{n | n>=0}} input double A {{i,j | {domain}}}; output double y; let y[] = reduce(+, [i,j], A); ."
    with pytest.raises(Rejected, match=f"AZ224.*{REFUSED[form, domain]}"):
        resolve(mapped(text, f'setStorageFormat(prog, "f", "A", "{form}");'), "f")


@pytest.mark.parametrize("form", ["packed upper row", "packed column"])
def test_c_that_takes_packed_elements_is_proved(form: str) -> None:
    verified = proved(TRIANGULAR.format(half="i<=j"), SUMS, f'setStorageFormat(prog, "f", "A", "{form}");')
    found = proved_c(scheduled_c(verified, "f"), verified.design.checked, "f")
    assert found.verdict.is_proved


@pytest.mark.parametrize(
    ("program", "form", "right", "wrong"),
    [
        (TRIANGULAR.format(half="j<=i"), "packed row", "i * (i + 1) / 2", "i * (i + 3) / 2"),
        (BAND, "banded row", "+ j + kl - i]", "+ j + kl - i + 1]"),
    ],
    ids=["triangle", "diagonals"],
)
def test_generated_c_that_leaves_what_is_held_is_a_fault(program: str, form: str, right: str, wrong: str) -> None:
    verified = proved(program, SUMS, f'setStorageFormat(prog, "f", "A", "{form}");')
    sources = scheduled_c(verified, "f")
    text = sources.files["f.c"]
    assert right in text
    faulty = replace(sources, files={**sources.files, "f.c": text.replace(right, wrong)})
    with pytest.raises(Rejected, match="AZ839"):
        prove_stage_a(faulty, verified.design.checked, "f")


def test_demand_driven_code_takes_no_formats() -> None:
    design = mapped(TRIANGULAR.format(half="i<=j"), 'setStorageFormat(prog, "f", "A", "packed row");')
    with pytest.raises(Rejected, match=r"AZ224.*demand-driven code takes arrays over boxes"):
        unscheduled(Generation(design, "f", NOWHERE, Generator.DEMAND_DRIVEN, ""))


def test_large_parameters_have_a_status_of_their_own() -> None:
    kernel = kernel_of(TRIANGULAR.format(half="i<=j"), SUMS, 'setStorageFormat(prog, "f", "A", "packed row");')
    function = kernel.function(3)
    assert [function(n, None, None, None) for n in (-1, 1 << 29, 1 << 40)] == [1, 2, 2]
