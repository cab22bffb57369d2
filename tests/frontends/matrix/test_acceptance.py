"""Acceptance tests of the compiler of matrix formulas, executed: sizes that are not multiples of tiles, sums of
threads, storage, and plans by hand.

The rest of the list is elsewhere: which loops may be shared, partitions counted, plans that are not kept
(`tests/tuning/test_fusion.py`), shapes that are refused (`test_findings.py`), searches
(`tests/tuning/test_searches.py`), the model (`tests/search/cost`), and times, which are reported
(`benchmarks/matrix/sharing.py`).
Source: G. Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 3.2 to 7.1.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import alphaz
from alphaz.analysis.facts.work_and_traffic import traffic_of
from alphaz.cli.tuning_problem import opening, operations_of
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import certify, verify
from alphaz.run.kernel import Kernel, compile_kernel
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.strategy import prove_lines
from alphaz.tuning.evaluator import proved_mapping
from alphaz.tuning.fusion import FusionCut, FusionOperations, FusionStep
from alphaz.tuning.kernel_space import VECTORS
from alphaz.tuning.space import SearchAxis
from tests.frontends.matrix.test_kernels import check, kernel_of
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples" / "matrix"
FUSED = ("atax", "bicgk", "dgemvt", "gemver")
OTHERS = [path for path in sorted(SAMPLES.glob("*.m")) if path.stem not in FUSED]
SIZES = ((0, 3), (3, 0), (1, 1), (1, 7), (13, 5), (11, 30))


def compiled(path: Path, folder: Path, rows: int = 1, vectors: str = VECTORS[0]) -> Kernel:
    """The C of the beginning of a kernel's space, with so many rows in registers, and such vectors."""
    with opening(str(path), None, as_written=True) as problem:
        assert problem.program is not None
        space, name = problem.space, path.stem
        (folder / f"{name}.ab").write_text(problem.program, encoding="utf-8")
        schedule_request = {"rows of": str(rows), "vectors": vectors}
        point = tuple(_requested(axis, schedule_request) for axis in space.axes)
        verified = proved_mapping(space.script_of(point), f"{name}.cs", folder, problem.system)
    return compile_kernel(scheduled_c(verified, problem.system), verified.design.checked, problem.system)


def _requested(axis: SearchAxis, schedule_request: Mapping[str, str]) -> int:
    result = (text for beginning, text in schedule_request.items() if axis.name.startswith(beginning))
    return next(map(axis.alternatives.index, result), axis.usual)


def outputs(values: np.ndarray | dict[str, np.ndarray]) -> list[np.ndarray]:
    return list(values.values()) if isinstance(values, dict) else [values]


def data(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    return [random.uniform(0.5, 2.0, shape) for shape in shapes]


# --- every kernel, in C ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", thinned(FUSED, 3))
def test_fused_kernels_compute_what_numpy_does(name: str, tmp_path: Path) -> None:
    """With eight rows in registers, whole ones and the rest."""
    kernel = compiled(SAMPLES / f"{name}.m", tmp_path, rows=8)
    for m, n in SIZES:
        value, expected = EXPECTED[name](m, n)
        for output, other in zip(outputs(kernel(m=m, n=n, threads=2, **value)), expected, strict=True):
            np.testing.assert_allclose(output, other.reshape(output.shape), rtol=1e-12)


@pytest.mark.parametrize("path", thinned(OTHERS, 8), ids=lambda path: path.stem)
def test_the_other_kernels_compute_what_numpy_does(path: Path, tmp_path: Path) -> None:
    """Triangular, symmetric, packed and banded ones among them; with rows that are longer than what lies in them, and
    all that can be requested of vectors in turn.
    """
    kernel = compiled(path, tmp_path, rows=4, vectors=VECTORS[OTHERS.index(path) % len(VECTORS)])
    text = kernel_of(path.read_text(encoding="utf-8"))
    known = {"kl": 2, "ku": 1}
    for seed, (m, n) in enumerate(SIZES):
        values = {name: known.get(name, {"m": m, "n": n}.get(name, 30)) for name in text.parameters}
        check(text, values, seed, run=lambda values, value: kernel.run(values, value, 2).outputs)


def _atax(m: int, n: int) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    a, x = data((m, n), (n,))
    return {"A": a, "x": x}, [a.T @ (a @ x)]


def _bicgk(m: int, n: int) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    a, p, r = data((m, n), (n,), (m,))
    return {"A": a, "p": p, "r": r}, [a @ p, a.T @ r]


def _dgemvt(m: int, n: int) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    A, y, z, a, b = data((m, n), (m,), (n,), (), ())
    x = b * (A.T @ y) + z
    return {"A": A, "y": y, "z": z, "a": a, "b": b}, [x, a * (A @ x)]


def _gemver(m: int, n: int) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    A, u1, v1, u2, v2, a, b, y, z = data((m, n), (m,), (n,), (m,), (n,), (), (), (m,), (n,))
    B = A + np.outer(u1, v1) + np.outer(u2, v2)
    x = b * (B.T @ y) + z
    return {"A": A, "u1": u1, "v1": v1, "u2": u2, "v2": v2, "a": a, "b": b, "y": y, "z": z}, [B, x, a * (B @ x)]


EXPECTED = {"atax": _atax, "bicgk": _bicgk, "dgemvt": _dgemvt, "gemver": _gemver}


def test_sums_of_threads_are_exact_for_every_number_of_rows(tmp_path: Path) -> None:
    """Numbers whose sums are exact in any order: a block that is left out, or comes twice, is seen."""
    kernel = compiled(SAMPLES / "bicgk.m", tmp_path)
    random = np.random.default_rng(1)
    for n in (*range(1, 24), 63, 64, 65, 127, 199, 361, 400):
        a, p, r = (random.integers(-8, 8, shape).astype(float) for shape in ((n, 5), (5,), (n,)))
        for threads in (1, 2, 3, 7, 20, 64):
            q, s = outputs(kernel(m=n, n=5, A=a, p=p, r=r, threads=threads))
            assert np.array_equal(q, a @ p), (n, threads)
            assert np.array_equal(s, a.T @ r), (n, threads)


def test_solutions_in_c_are_those_of_numpy() -> None:
    """Forward and backward substitution of several right-hand sides, in tiles, and a tridiagonal system."""
    design = alphaz.matrix(
        "X = L \\ B; Y = L' \\ X; x = T \\ b",
        L="triangular(lower) matrix", B="matrix", X="out matrix", Y="out matrix", T="band(1,1) dominant matrix",
    )  # fmt: skip
    kernel = alphaz.compile(design.complete_mapping("kernel"), "kernel")
    for n in (0, 1, 7, 150):
        L, T, B, b = (np.random.default_rng(n).uniform(0.5, 2.0, shape) for shape in ((n, n), (n, n), (n, n), n))
        L, T = np.tril(L) + n * np.eye(n), np.triu(np.tril(T, 1), -1) + 4 * np.eye(n)
        result = kernel(L=L, B=B, T=T, b=b, n=n)
        assert isinstance(result, dict)
        X = np.linalg.solve(L, B)
        for name, expected in {"X": X, "Y": np.linalg.solve(L.T, X), "x": np.linalg.solve(T, b)}.items():
            np.testing.assert_allclose(result[name], expected, rtol=1e-9, atol=1e-12)


# --- temporaries that become scalars, and plans that split one use of an operand -------------------------------------


def test_a_temporary_is_one_number_where_its_loop_is_shared_and_nowhere_else() -> None:
    """With a date for sums over nothing, which are written too."""
    _, operations, _ = operations_of(str(SAMPLES / "atax.m"))
    scalar = Line("setMemoryMap", ("t1", "(i -> 0)"))
    for shared in (1, 0):
        lines = operations.lines([FusionStep("t1", ("i", "j")), FusionStep("y", ("j", "i"), shared)])
        first, *others = lines
        sums = Line(first.command, (*first.arguments, "(i -> 0,i,-1,0,0)"))
        assert is_proved(operations, [sums, *others])
        assert is_proved(operations, [sums, *others, scalar]) == (shared == 1)


def is_proved(operations: FusionOperations, lines: list[Line]) -> bool:
    return prove_lines(operations.design, operations.system, lines, carry_out)[1].is_proved


SPLIT: dict[str, Any] = {
    "outer": ([FusionStep("A", ("i", "j"))], ("rows", 1, "0", 0, 0), {"x": (9,)}, lambda x: [np.triu(np.outer(x, x))]),
    "two-products": (
        [FusionStep("w", ("i", "j")), FusionStep("y", ("i", "j"))],
        ("both", 2, "1", 0, 2),
        {"A": (9, 7), "x": (7,), "z": (7,)},
        lambda A, x, z: [A @ z, A @ x],
    ),
}


@pytest.mark.parametrize("name", SPLIT)
def test_one_use_of_an_operand_is_split_and_another_is_not(name: str) -> None:
    """One side of x*x', and one of two products with a matrix, in tiles at two levels."""
    steps, band, shapes, expected = SPLIT[name]
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    kernel = tiled(operations, steps, band)
    value = dict(zip(shapes, data(*shapes.values()), strict=True))
    sizes = {size.name: number for size, number in zip(kernel.sizes, (4, 5, 2, 3), strict=False)}
    numbers = dict(zip(kernel.system.parameters, (9, 7), strict=False))
    for output, other in zip(outputs(kernel(**numbers, **sizes, **value)), expected(**value), strict=True):
        np.testing.assert_allclose(output, other, rtol=1e-12)


def tiled(operations: FusionOperations, steps: list[FusionStep], band: tuple[str | int, ...]) -> Kernel:
    """With a band of tiles, whose sizes are parameters."""
    return built(operations, [*operations.lines(steps), Line("setBandForTiling", band)])


def built(operations: FusionOperations, lines: list[Line]) -> Kernel:
    """The C of a mapping that is proved."""
    design, report = prove_lines(operations.design, operations.system, lines, carry_out)
    assert report.is_proved
    verified = certify(verify(design, [operations.system]))
    name, sizes = operations.system, verified.mappings[operations.system].tile_sizes
    return compile_kernel(scheduled_c(verified, name), verified.design.checked, name, sizes=sizes)


@pytest.mark.parametrize("partition", [("i",), ("j",), ("i", "i"), ("i", "j"), ("j", "i"), ("j", "j")])
def test_both_loops_of_a_nest_are_cut_into_blocks_at_two_levels(partition: tuple[str, ...]) -> None:
    """By threads that share the outermost blocks, or add up what is summed across them."""
    _, operations, _ = operations_of(str(SAMPLES / "bicgk.m"))
    first = FusionStep("q", ("i", "j"), 0, tuple(map(FusionCut, partition, (6, 2))))
    second = FusionStep("s", ("j", "i")).beside(first, 2)
    assert second is not None
    lines = [*operations.lines([first, second]), Line("setReductionDimension", ("0", 2 * first.cut[0]))]
    kernel = built(operations, lines)
    for m, n in (*SIZES, (6, 12)):
        value, expected = _bicgk(m, n)
        for output, other in zip(outputs(kernel(m=m, n=n, threads=3, **value)), expected, strict=True):
            np.testing.assert_allclose(output, other, rtol=1e-12)


def test_blocks_leave_no_sum_of_threads_whole() -> None:
    """Each block would merge what its threads have summed up, and none would be the first."""
    _, operations, _ = operations_of(str(SAMPLES / "bicgk.m"))
    lines = operations.lines([FusionStep("q", ("i", "j")), FusionStep("s", ("j", "i"))])
    summed = Line("setReductionDimension", ("1", 0))
    for sizes, legal in (("6,0,0; 2,0,3", True), ("0,0,3; 2,0,0", False)):
        band = Line("setBandForTiling", ("blocks", "1", 0, 2, sizes))
        report = prove_lines(operations.design, operations.system, [*lines, summed, band], carry_out)[1]
        assert report.is_proved == legal
        assert [finding.rule.code for finding in report.findings] == ([] if legal else ["AZ411"])


# --- triangles --------------------------------------------------------------------------------------------------------


def test_the_fourth_element_of_the_diagonal_is_the_sixteenth_that_is_packed(tmp_path: Path) -> None:
    (tmp_path / "packed.m").write_text(
        "PACKED in T : triangular(upper) packed matrix, x : vector out y : vector { y = T*x }", encoding="utf-8"
    )
    result = compiled(tmp_path / "packed.m", tmp_path)(n=6, T=np.arange(21.0), x=np.eye(6)[3])
    assert outputs(result)[0][3] == 15


def test_a_triangle_in_tiles_computes_what_the_whole_matrix_does_with_half_the_operations() -> None:
    _, operations, _ = operations_of(str(SAMPLES / "triangular.m"))
    kernel = tiled(operations, [FusionStep("y", ("i", "j"))], ("both", 1, "0", 0, 2))
    for n in (1, 4, 13):
        t, x = data((n, n), (n,))
        for rows, columns in ((1, 1), (3, 4), (5, 2)):
            numbers = dict(zip([size.name for size in kernel.sizes], (rows, 1, columns), strict=False))
            np.testing.assert_allclose(outputs(kernel(n=n, T=t, x=x, **numbers))[0], np.triu(t) @ x, rtol=1e-12)
    assert 0.5 <= work("triangular") / work("gemv") < 0.51


def work(name: str) -> int:
    """Returns the number of operations of a kernel."""
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    checked = operations.design.checked
    counted = traffic_of(checked.facts, checked.program.system(operations.system)).operations_at({"m": 1000, "n": 1000})
    assert counted is not None
    return counted
