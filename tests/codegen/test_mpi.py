"""The target mpi: outputs are those of the interpreter on any number of ranks, and the bytes sent are exactly those of
the values that other ranks read.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.codegen.targets.mpi_openmp import MPI_OPENMP
from alphaz.diagnostics import Rejected
from alphaz.legality.verify import certify
from tests.codegen.mpi_programs import MpiCase, build, engine, expected, run
from tests.legality.mapped import Mapped
from tests.legality.test_distribution import mapping
from tests.strategies.distributed_mappings import FLOYD, JACOBI, LCS, LU, POWER, PREFIX, Example

pytestmark = pytest.mark.slow

JACOBI_2D = """affine Jacobi2 {N,T | N > 2 && T > 0}
input double A {i,j | 0<=i<N && 0<=j<N};
output double B {i,j | 0<=i<N && 0<=j<N};
local double X {t,i,j | 0<=t<=T && 0<=i<N && 0<=j<N};
let
  X[t,i,j] = case {| t==0} || {| t>0 && i==0} || {| t>0 && i==N-1} || {| t>0 && 0<i<N-1 && j==0}
      || {| t>0 && 0<i<N-1 && j==N-1} : A[i,j];
    {| t>0 && 0<i<N-1 && 0<j<N-1} : X[t-1,i,j]+X[t-1,i-1,j]+X[t-1,i+1,j]+X[t-1,i,j-1]+X[t-1,i,j+1]; esac;
  B[i,j] = X[T,i,j];
.
"""

PRODUCT = """affine Product {N | N > 0}
input int A {i,k | 0<=i<N && 0<=k<N}; int B {k,j | 0<=k<N && 0<=j<N};
output int C {i,j | 0<=i<N && 0<=j<N};
let C[i,j] = reduce(+, [k], {| 0<=k<N} : A[i,k]*B[k,j]);
.
"""


NORMS = """affine Norms {N,T | N > 0 && T > 0}
input int A {i | 0<=i<N};
output int R; int M {t | 0<=t<T};
local long s {t | 0<=t<T}; long X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0} : X[t-1,i] + s[t-1]; esac;
  s[t] = reduce(+, [i], {| 0<=i<N} : X[t,i] * A[i]);
  M[t] = reduce(max, [i], {| 0<=i<N} : 0 - X[t,i]);
  R[] = s[T-1];
.
"""


def norms(name: str, ownership: str, block: int = 0) -> MpiCase:
    """Sums and maxima over the places, which the next step reads."""
    mapped = (
        Mapped(NORMS.replace("Norms", name))
        .time("X", "(t,i -> 2t,i)")
        .time("s,M", "(t,i -> 2t+1,i)")
        .time("R", "(-> 2T+1,0)")
        .distributed(1, ownership, block)
        .kind("1", "R")
    )
    return MpiCase(mapped, ({"N": 7, "T": 3}, {"N": 1, "T": 1}))


def case(
    name: str,
    example: Example,
    number: int,
    *sizes: dict[str, int],
    two: str = "",
    ownership: str = "block",
    block: int = 0,
) -> MpiCase:
    """The example under a name of its own; `two`: a variable with a memory map of two steps."""
    named = replace(example, text=example.text.replace("affine S ", f"affine {name} "))
    mapped = mapping(named, number, ownership, block)
    if two:
        indices = named.mappings[number][two].indices
        mapped = mapped.memory(two, f"({indices} -> {indices})", moduli=(2, *(0,) * indices.count(",")))
    return MpiCase(mapped, sizes)


def with_ghosts(case_: MpiCase, variable: str, cells: str, moduli: tuple[int, ...] = ()) -> MpiCase:
    return replace(case_, mapped=case_.mapped.ghosts(variable, cells, moduli=moduli))


CASES = (
    case("Jacobi", JACOBI, 0, {"N": 10, "T": 3}, {"N": 3, "T": 1}, two="X"),
    case("Skewed", JACOBI, 1, {"N": 9, "T": 4}, two="X"),
    case("Lcs", LCS, 0, {"N": 8}, {"N": 1}, two="C"),
    case("Power", POWER, 0, {"N": 5, "T": 3}),
    case("DealtInBlocks", JACOBI, 0, {"N": 11, "T": 2}, two="X", ownership="block-cyclic", block=2),
    with_ghosts(case("Panels", LU, 0, {"N": 7}, {"N": 2}, ownership="cyclic"), "W", "(k,i,j -> j)"),
    with_ghosts(case("Row", FLOYD, 0, {"N": 6}, two="F", ownership="cyclic"), "F", "(k,i,j -> j)"),
    with_ghosts(case("BlockRow", FLOYD, 0, {"N": 5}, two="F"), "F", "(k,i,j -> j)"),
    with_ghosts(case("Left", PREFIX, 0, {"N": 9}), "P", "(i -> 0)"),
    MpiCase(
        Mapped(JACOBI_2D.replace("Jacobi2", "Grid"))
        .time("X", "(t,i,j -> t,i,j)")
        .time("B", "(i,j -> T+1,i,j)")
        .memory("X", "(t,i,j -> t,i,j)", moduli=(2, 0, 0))
        .distributed(1)
        .distributed(2),
        ({"N": 6, "T": 2}, {"N": 3, "T": 1}),
    ),
    MpiCase(
        Mapped(FLOYD.text.replace("affine S ", "affine FloydGrid "))
        .time("F", "(k,i,j -> k,i,j)")
        .time("B", "(i,j -> N+1,i,j)")
        .memory("F", "(k,i,j -> k,i,j)", moduli=(2, 0, 0))
        .ghosts("F", "(k,i,j -> i,j)")
        .distributed(1)
        .distributed(2),
        ({"N": 5},),
    ),
    MpiCase(
        Mapped(JACOBI_2D.replace("Jacobi2", "Threads"))
        .time("X", "(t,i,j -> t,i,j)")
        .time("B", "(i,j -> T+1,i,j)")
        .memory("X", "(t,i,j -> t,i,j)", moduli=(2, 0, 0))
        .distributed(1)
        .kind("1", "P"),
        ({"N": 6, "T": 2},),
        MPI_OPENMP,
    ),
    norms("DealtNorms", "block-cyclic", 2),
    MpiCase(
        Mapped(PRODUCT.replace("Product", "InnerProducts")).time("C", "(i,j,k -> k,i,j)").distributed(0).kind("0", "R"),
        ({"N": 5},),
    ),
    MpiCase(
        Mapped(PRODUCT.replace("Product", "DealtProduct")).time("C", "(i,j,k -> i,j,k)").distributed(0, "cyclic"),
        ({"N": 5},),
    ),
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if engine("mpicc") is None or engine("mpiexec") is None:
        pytest.skip("MPI is missing: pip install mpich, or apt install mpich")
    return build(CASES, tmp_path_factory.mktemp("mpi"))


@pytest.mark.parametrize("ranks", [1, 4, 5])
def test_ranks_compute_the_outputs_and_send_what_others_read(program: Path, ranks: int) -> None:
    results = run(program, CASES, ranks)
    for mpi_case in CASES:
        for size in mpi_case.sizes:
            found, wanted = next(results), expected(mpi_case, size, ranks)
            for name, values in wanted.outputs.items():
                np.testing.assert_array_equal(found.outputs[name], values, err_msg=mpi_case.mapped.system)
            assert (found.messages, found.sent) == (wanted.messages, wanted.sent), mpi_case.mapped.system


def test_the_bytes_of_jacobi_are_those_of_the_formula() -> None:
    wanted = expected(CASES[0], {"N": 10, "T": 3}, 3)
    assert (wanted.messages, wanted.sent) == (2 * 3 * 2, 8 * 2 * 3 * 2)


def test_arrays_of_a_rank_have_its_own_points_and_ghosts_alone() -> None:
    text = scheduled_c(CASES[0].verified, "Jacobi", target=MPI).files["Jacobi.c"]
    allocation = text[text.index("Jacobi_allocate_X") :].split("\n}\n")[0]
    assert "high" in allocation
    assert "low" in allocation


def test_dealt_out_rows_lie_one_after_another_and_a_row_for_all_is_broadcast() -> None:
    text = scheduled_c(next(c for c in CASES if c.mapped.system == "Row").verified, "Row", target=MPI).files["Row.c"]
    assert "F: int[2][own_places(N - 1 + 1 - 0, 1, ranks, own_rank)][N], holds F" in text
    assert "F_ghost: int[N], holds F" in text
    assert "MPI_Bcast" in text


def test_threads_of_a_rank_share_parallel_loops() -> None:
    threads = next(c for c in CASES if c.mapped.system == "Threads")
    text = scheduled_c(threads.verified, "Threads", target=MPI_OPENMP).files["Threads.c"]
    assert text.count("#pragma omp parallel for") > 0
    assert "#pragma" not in scheduled_c(threads.verified, "Threads", target=MPI).files["Threads.c"]


@pytest.mark.parametrize(
    ("mapped", "message"),
    [
        (
            mapping(
                replace(
                    JACOBI,
                    text=JACOBI.text.replace(
                        "X[t-1,i-1]+X[t-1,i]+X[t-1,i+1]", "reduce(+, [k], {| 0<=k && 2k<=i} : X[t-1,i-2k])"
                    ),
                ),
                ownership="cyclic",
            ),
            "the places that read X are not intervals",
        ),
        (mapping(PREFIX).memory("B", "(i -> i+1)"), "B does not have an array of its own points"),
        (mapping(PREFIX).memory("B", "(i -> i)", "P"), "no code is generated for copies that are dropped"),
        (Mapped(PREFIX.text).time("P", "(i -> i,0)").time("B", "(i -> i,1)"), "the target `mpi` executes distributed"),
        (mapping(replace(PREFIX, text=PREFIX.text.replace("N", "size"))), "code for MPI uses the name `size` itself"),
    ],
)
def test_mappings_without_code(mapped: Mapped, message: str) -> None:
    with pytest.raises(Rejected) as rejected:
        scheduled_c(certify(mapped.verified()), "S", target=MPI)
    assert rejected.value.diagnostics[0].message.startswith(message)
