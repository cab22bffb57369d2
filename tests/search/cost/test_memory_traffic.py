"""Data movement: equal to enumeration and close to a simulated cache; faster mappings cost less."""

from collections import OrderedDict
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from alphaz.cli.tuning_problem import operations_of
from alphaz.machine import USUAL
from alphaz.mapping.loop_dimensions import axes_of
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.scripting.interpreter.python_api import run
from alphaz.search.cost.dated_accesses import touches_of
from alphaz.search.cost.estimate import Estimate, estimate, slowness, unevenness
from alphaz.search.cost.memory_traffic import LINE, Movement
from alphaz.tuning.fusion import FusionOperations, FusionStep
from tests.codegen.generated_kernels import design_of
from tests.thinning import thinned

SAMPLES = Path(__file__).parents[3] / "samples" / "matrix"

PRODUCTS = """affine f {m,n | m>=1 && n>=1}
input double A {i,j | 0<=i<m && 0<=j<n}; double x {j | 0<=j<n}; double y {i | 0<=i<m};
output double q {i | 0<=i<m}; double s {j | 0<=j<n};
let q[i] = reduce(+, [j], A[i,j] * x[j]); s[j] = reduce(+, [i], A[i,j] * y[i]); .
"""
MATRICES = """affine f {n | n>=1}
input double A {i,k | 0<=i<n && 0<=k<n}; double B {k,j | 0<=k<n && 0<=j<n};
output double C {i,j | 0<=i<n && 0<=j<n};
let C[i,j] = reduce(+, [k], A[i,k] * B[k,j]); .
"""
FUSED = 'setSpaceTimeMap(prog, "f", "q", "(i,j->0,i,j)"); setSpaceTimeMap(prog, "f", "s", "(j,i->0,i,j)");'
APART = FUSED.replace("(j,i->0", "(j,i->1")
ACROSS = 'setSpaceTimeMap(prog, "f", "q", "(i,j->0,j,i)"); setSpaceTimeMap(prog, "f", "s", "(j,i->1,j,i)");'
ROWS = 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->i,k,j)");'
TILES = "".join(f'setTiling(prog, "f", {at}, {size});' for at, size in enumerate((8, 8, 8)))
NESTS = {
    "fused": (PRODUCTS, FUSED, {"m": 40, "n": 32}),
    "apart": (PRODUCTS, APART, {"m": 40, "n": 32}),
    "across": (PRODUCTS, ACROSS, {"m": 40, "n": 32}),
    "product": (MATRICES, ROWS, {"n": 24}),
    "tiles": (MATRICES, ROWS + TILES, {"n": 24}),
}


@cache
def mapped(name: str) -> ResolvedMapping:
    text, commands, _ = NESTS[name]
    with TemporaryDirectory() as folder:
        return resolve(design_of(Path(folder), text, commands), "f")


Executed = list[tuple[tuple[int, ...], str, tuple[int, ...]]]


@cache
def executed(name: str, sizes: tuple[int, ...]) -> Executed:
    """All touches in the order of the loops: the place in them, the array, the element."""
    parameters = dict(zip(NESTS[name][2], sizes, strict=True))
    moving = Movement.of(mapped(name), parameters)
    axes = axes_of(moving.mapping.bands, moving.mapping.dimensions)
    results = []
    for at, touch in enumerate(moving.touches):
        for point in touch.domain.points(parameters):
            values = {**parameters, **dict(zip(touch.domain.space.names, point, strict=True))}
            date = [item.at(values) for item in touch.date]
            place = tuple(
                sum(date[t.dimension] // (t.size or 1) for t in axis.tiles) if axis.band else date[axis.dimension]
                for axis in axes
            )
            results.append((place, at, touch.array, tuple(item.at(values) for item in touch.element)))
    return [(place, array, element) for place, _, array, element in sorted(results)]


def missed(name: str, size: int) -> int:
    """Lines that come into a cache that forgets what was used longest ago."""
    lines, known, count = size // LINE, OrderedDict[object, None](), 0
    for _, array, element in executed(name, tuple(NESTS[name][2].values())):
        line = (array, element[:-1], element[-1] * 8 // LINE)
        if line in known:
            known.move_to_end(line)
            continue
        count += 1
        known[line] = None
        if len(known) > lines:
            known.popitem(last=False)
    return count


@pytest.mark.parametrize("name", ["fused", "apart", "across", "product"])
def test_elements_are_counted_as_enumeration_counts_them(name: str) -> None:
    parameters = {key: 5 + at for at, key in enumerate(NESTS[name][2])}
    every = executed(name, tuple(parameters.values()))
    moving = Movement.of(mapped(name), parameters)
    for depth in range(moving.depth + 1):
        expected = {(place[:depth], array, element) for place, array, element in every}
        for moved in moving.traffic(depth):
            assert moved.elements is not None
            assert moved.elements.at(parameters) == sum(array == moved.array for _, array, _ in expected)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1024, 4096, 16384])
@pytest.mark.parametrize("name", thinned(NESTS, 4))
def test_a_cache_misses_about_as_many_lines(name: str, size: int) -> None:
    parameters = NESTS[name][2]
    moving = Movement.of(mapped(name), parameters)
    predicted = sum(moved.lines for moved in moving.traffic(moving.fitting(size)))
    assert 0.6 < predicted / missed(name, size) < 1.9


# --- vectors ------------------------------------------------------------------------------------------------------

IN_VECTORS = FUSED + 'setVectorDimension(prog, "f", "", 2);'
SLOW = {
    "one by one": (FUSED, {"q": 4 * 4, "s": 1}),
    "in vectors": (IN_VECTORS, {"q": 1, "s": 1}),
    "by threads": (FUSED + 'setReductionDimension(prog, "f", "", 2);', {"q": 1, "s": 1}),
    "across rows": (ACROSS, {"q": 1, "s": 4 * 4}),
}


@pytest.mark.parametrize("name", SLOW)
def test_sums_along_the_innermost_loop_in_order_are_not_in_vectors(name: str, tmp_path: Path) -> None:
    """Of four lanes; an addition takes as long as four of them take to begin."""
    commands, expected = SLOW[name]
    mapping = resolve(design_of(tmp_path, PRODUCTS, commands), "f")
    touches = touches_of(mapping)
    results = {s.variable: slowness(s, touches, USUAL.vectors) for s in mapping.statements if s.role is Role.BODY}
    assert results == expected
    cost = estimate(mapping, {"m": 100, "n": 50}, USUAL)
    assert cost.scalar == tuple(name for name, factor in expected.items() if factor > 1)
    assert cost.working == pytest.approx(sum(expected.values()) / 2 * cost.computing)


# --- threads ------------------------------------------------------------------------------------------------------

TRIANGLE = """affine f {n | n>=0} input double A {i,j | 0<=i<=j<n}; output double y {i | 0<=i<n};
let y[i] = reduce(+, [j], A[i,j]); ."""
BY_ROWS = 'setSpaceTimeMap(prog, "f", "y", "(i,j->i,j)"); setParallel(prog, "f", "", 0);'


@pytest.mark.parametrize(("n", "threads"), [(0, 2), (1, 2), (3, 2), (40, 2), (41, 3), (64, 16)])
def test_the_busiest_thread_is_counted_as_enumeration_counts_it(n: int, threads: int, tmp_path: Path) -> None:
    (body,) = (s for s in resolve(design_of(tmp_path, TRIANGLE, BY_ROWS), "f").statements if s.role is Role.BODY)
    starts = [n * share // threads for share in range(threads + 1)]
    shares = [sum(n - i for i in range(low, high)) for low, high in pairwise(starts)]
    expected = max(shares) * threads / sum(shares) if n else 1.0
    assert unevenness([body], {"n": n}, threads) == pytest.approx(expected)


def test_uneven_shares_cost_more_and_turns_do_not(tmp_path: Path) -> None:
    shares, chunks, rectangle = (
        estimate(resolve(design_of(tmp_path, text, commands), "f"), parameters, USUAL, 2)
        for text, commands, parameters in (
            (TRIANGLE, BY_ROWS, {"n": 1000}),
            (TRIANGLE, BY_ROWS + 'setChunks(prog, "f", "", 0, 16);', {"n": 1000}),
            (PRODUCTS, APART + 'setParallel(prog, "f", "", 1);', {"m": 100, "n": 100}),
        )
    )
    assert (chunks.uneven, rectangle.uneven) == (1.0, 1.0)
    assert shares.cost == pytest.approx(1.5 * chunks.cost, rel=0.01)


# --- kernels: what shares a loop reads its matrix once ---------------------------------------------------------------


def cost_of(operations: FusionOperations, steps: list[FusionStep], size: int) -> Estimate:
    design = operations.design
    for line in operations.lines(steps):
        design = carry_out(design, operations.system, line)
    mapping = resolve(design, operations.system)
    return estimate(mapping, dict.fromkeys(mapping.system.parameters, size), USUAL)


# Sums over one matrix share the loop over what is summed last; what is needed between them stands in it.
TOGETHER = {
    "axpydot": [FusionStep("z", ("i",)), FusionStep("r", ("i",), 1)],
    "bicgk": [FusionStep("q", ("i", "j")), FusionStep("s", ("j", "i"), 2)],
    "atax": [FusionStep("t1", ("i", "j")), FusionStep("y", ("j", "i"), 1)],
    "dgemvt": [
        FusionStep("NR_x", ("i", "j")),
        FusionStep("x", ("i",), 1),
        FusionStep("NR_w", ("j", "i"), 1),
        FusionStep("w", ("i",)),
    ],
    "gemver": [
        FusionStep("B", ("j", "i")),
        FusionStep("NR_x", ("i", "j"), 2),
        FusionStep("x", ("i",), 1),
        FusionStep("NR_w", ("j", "i"), 1),
        FusionStep("w", ("i",)),
    ],
}


@pytest.mark.parametrize("name", TOGETHER)
@pytest.mark.parametrize("size", thinned([3000, 8000], 4))
def test_kernels_that_share_loops_cost_less(name: str, size: int) -> None:
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    together, size = TOGETHER[name], size if name != "axpydot" else 1000 * size
    assert operations.refusal(together, carry_out) == ""
    one, other = (
        cost_of(operations, together, size),
        cost_of(operations, [replace(s, shared=0) for s in together], size),
    )
    assert one.cost < other.cost
    assert one.seconds < other.seconds
    matrices = {"A": 8.0 * size * size, "B": 8.0 * size * size}
    for moved in one.levels[-1].traffic:
        assert moved.lines * LINE <= 1.02 * matrices.get(moved.array, moved.lines * LINE)


def test_no_more_elements_move_than_are_accessed() -> None:
    script = SAMPLES.parent / "distributed" / "jacobi-2d" / "grid.cs"
    parameters = {"N": 100, "T": 5}
    movement = Movement.of(resolve(run(script), "jacobi_2d"), parameters)
    accesses = 7 * (parameters["T"] + 1) * parameters["N"] ** 2
    for depth in range(movement.depth + 1):
        moved = next(array for array in movement.traffic(depth) if array.array == "X")
        assert moved.lines <= accesses, depth
