"""The target mpi: outputs are those of the interpreter on any number of ranks, and the bytes sent are exactly those of
the values that other ranks read.
"""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.diagnostics import Rejected
from alphaz.legality.verify import certify
from alphaz.resources import resource_folder
from alphaz.run.data import random_inputs
from alphaz.run.guarded_call import Broke, compile_isolated
from tests.codegen.mpi_mutants import MpiMutant, is_found, mutants
from tests.codegen.mpi_programs import MpiCase, build, engine, expected, run, sample
from tests.legality.mapped import Mapped
from tests.legality.test_distribution import mapping
from tests.strategies.distributed_mappings import FLOYD, JACOBI, LCS, LU, PREFIX, SUMMA, SUMS, Example
from tests.thinning import thinned

pytestmark = pytest.mark.slow


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


def with_tiles(case_: MpiCase, start: int, *sizes: int) -> MpiCase:
    assert isinstance(case_.mapped, Mapped)
    return replace(case_, mapped=case_.mapped.band(start, start + len(sizes) - 1, sizes=sizes))


def with_ghosts(case_: MpiCase, variable: str, cells: str, moduli: tuple[int, ...] = ()) -> MpiCase:
    assert isinstance(case_.mapped, Mapped)
    return replace(case_, mapped=case_.mapped.ghosts(variable, cells, moduli=moduli))


def shifted(name: str, *ranks: int) -> MpiCase:
    """Rows that move to the right, on a grid of so many ranks."""
    mapped = (
        Mapped(SHIFTED.replace("Shifted", name))
        .time("X", "(t,i,j -> t,i,j)")
        .time("B", "(i,j -> 3,i,j)")
        .distributed(1)
        .distributed(2)
        .processors(*ranks)
    )
    return MpiCase(mapped, ({"N": 5},))


SCANS = """//@ identity compose = 97
long compose(long, long);
affine Scans {N,M,T | N>0 && M>0 && T>0}
input long A {i,j | 0<=i<N && 0<=j<M};
output long B {t,i,j | 0<=t<T && 0<=i<N && 0<=j<M};
local long X {t,i,j | 0<=t<T && 0<=i<N && 0<=j<M}; long P {t,i,j | 0<=t<T && 0<=j<=i<N && j<M};
let
  X[t,i,j] = case {| t==0} : A[i,j]; {| t>0 && i<N-1} : X[t-1,i+1,j] + B[t-1,i,j]; {| t>0 && i==N-1} : [t]; esac;
  P[t,i,j] = case {| i==j} : X[t,i,j] + 98; {| i>j} : compose(P[t,i-1,j], X[t,i,j] + 97); esac;
  B[t,i,j] = case {| j<=i} : P[t,i,j] - 97; {| j>i} : A[i,j]; esac;
.
"""


def scans(name: str, ownership: str = "block") -> MpiCase:
    """Prefixes of maps, which do not commute, along lines that begin one after the other; their values are terms of the
    next step, in which rows also move to lower ranks.
    """
    mapped = (
        Mapped(SCANS.replace("Scans", name))
        .time("X", "(t,i,j -> t,0,i,j,0)")
        .time("P", "(t,i,j -> t,1,i,j,0)")
        .time("B", "(t,i,j -> t,1,i,j,1)")
        .distributed(2, ownership)
        .communication("scan")
    )
    return MpiCase(mapped, ({"N": 9, "M": 3, "T": 2}, {"N": 2, "M": 4, "T": 1}))


OPERATORS = """//@ identity compose = 97
long compose(long, long);
affine Operators {N,T | N>0 && T>0}
input long A {i | 0<=i<N};
output long R {t | 0<=t<T};
local long X {t,i | 0<=t<=T && 0<=i<N}; long S {t | 0<=t<T};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0} : X[t-1,i] + S[t-1]; esac;
  S[t] = reduce(compose, [i], {| 0<=i<N} : X[t,i] + 97);
  R[t] = S[t];
.
"""


def operators(name: str, term: str = "", ownership: str = "block") -> MpiCase:
    """Ranks combine maps, which do not commute: all ranks read them, or with another term one alone."""
    mapped = (
        Mapped(OPERATORS.replace("Operators", name).replace("S[t-1]", term or "S[t-1]"))
        .time("X", "(t,i -> 2t,i)")
        .time("S", "(t,i -> 2t+1,i)")
        .time("R", "(t -> 2t+2,2t)")
        .distributed(1, ownership)
        .kind("1", "R")
    )
    return MpiCase(mapped, ({"N": 7, "T": 3}, {"N": 1, "T": 2}))


SHIFTED = """affine Shifted {N | N > 0}
input int A {i,j | 0<=i<N && 0<=j<N};
output int B {i,j | 0<=i<N && 0<=j<N};
local int X {t,i,j | 0<=t<=2 && 0<=i<N && 0<=j<N};
let
  X[t,i,j] = case {| t==0} || {| t>0 && j==0} : A[i,j]; {| t>0 && j>0} : X[t-1,i,j-1]; esac;
  B[i,j] = X[2,i,j];
.
"""


def rows_in_place(name: str, ownership: str, block: int = 0) -> MpiCase:
    """Every row reads the next one before it is overwritten in the same step: the order of rows counts."""
    mapped = (
        Mapped(IN_PLACE.replace("InPlace", name))
        .time("X", "(t,i,j -> t,i,j)")
        .time("B", "(i,j -> 3,i,j)")
        .memory("X", "(t,i,j -> i,j)")
        .ghosts("X", "(t,i,j -> i)")
        .distributed(1, ownership, block)
        .distributed(2, ownership, block)
    )
    return MpiCase(mapped, ({"N": 7},))


IN_PLACE = SHIFTED.replace("Shifted", "InPlace").replace(
    "{| t==0} || {| t>0 && j==0} : A[i,j]; {| t>0 && j>0} : X[t-1,i,j-1];",
    "{| t==0} : A[i,j]; {| t>0 && i==N-1} : X[t-1,i,j] + 1; {| t>0 && i<N-1} : X[t-1,i,j] + X[t-1,i+1,0];",
)


def on_few(case_: MpiCase, *ranks: int) -> MpiCase:
    assert isinstance(case_.mapped, Mapped)
    return replace(case_, mapped=case_.mapped.processors(*ranks))


def on_grid(case_: MpiCase, *ranks: int) -> MpiCase:
    """The case on a grid of so many ranks, whose rows and columns have broadcasts."""
    assert isinstance(case_.mapped, Mapped)
    return replace(case_, mapped=case_.mapped.distributed(2).processors(*ranks))


CASES = (
    case("Jacobi", JACOBI, 0, {"N": 10, "T": 3}, {"N": 3, "T": 1}, two="X"),
    case("Skewed", JACOBI, 1, {"N": 9, "T": 4}, two="X"),
    case("DealtInBlocks", JACOBI, 0, {"N": 11, "T": 2}, two="X", ownership="block-cyclic", block=2),
    case("Given", JACOBI, 0, {"N": 11, "T": 2}, two="X", ownership="given"),
    with_ghosts(case("GivenRow", FLOYD, 0, {"N": 5}, two="F", ownership="given"), "F", "(k,i,j -> j)"),
    case("GivenSums", SUMS, 0, {"N": 9}, ownership="given"),
    with_ghosts(case("BlockRow", FLOYD, 0, {"N": 5}, two="F"), "F", "(k,i,j -> j)"),
    with_ghosts(case("Left", SUMS, 0, {"N": 9}), "P", "(i -> 0)"),
    norms("DealtNorms", "block-cyclic", 2),
    scans("Scans", "given"),
    operators("Operators"),
    operators("Reduced", "[t]", "given"),
    with_tiles(case("Tiles", JACOBI, 3, {"N": 9, "T": 6}, {"N": 3, "T": 1}, two="X"), 0, 3, 2),
    on_few(case("Few", JACOBI, 0, {"N": 8, "T": 2}, two="X"), 3),
    shifted("OneColumn", 3, 1),
    shifted("Columns", 0, 3),
    rows_in_place("Rows", "block-cyclic", 2),
    with_tiles(with_ghosts(case("Panels", LCS, 0, {"N": 9}), "C", "(i,j -> i,0)", (4, 0)), 0, 3, 0),
    on_grid(with_ghosts(case("SummaRows", SUMMA, 0, {"N": 3}, {"N": 5}), "Y", "(k,j -> j)"), 4, 1),
    on_grid(case("LuColumns", LU, 2, {"N": 5}), 1, 3),
)

SAMPLES = sorted(
    path for path in (resource_folder("samples") / "distributed").glob("*/*.cs") if "wrong" not in path.name
)


@pytest.fixture(scope="module")
def mpi() -> None:
    if engine("mpicc") is None or engine("mpiexec") is None:
        pytest.skip("MPI is missing: pip install mpich, or apt install mpich")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, MpiCase]:
    folder = tmp_path_factory.mktemp("samples")
    return {f"{script.parent.name}/{script.stem}": sample(script, folder) for script in SAMPLES}


@pytest.fixture(scope="module", params=thinned([3, 1]))
def cases(request: pytest.FixtureRequest, samples: dict[str, MpiCase]) -> tuple[MpiCase, ...]:
    """Returns all samples, and one in so many of the other cases."""
    return (*CASES[:: request.param], *samples.values())


@pytest.fixture(scope="module")
def program(mpi: None, cases: tuple[MpiCase, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(cases, tmp_path_factory.mktemp("mpi"))


@pytest.mark.parametrize("ranks", thinned([4, 1]))
def test_ranks_compute_the_outputs_and_send_what_others_read(
    program: Path, cases: tuple[MpiCase, ...], ranks: int
) -> None:
    results = run(program, cases, ranks)
    for mpi_case in cases:
        for size in mpi_case.sizes:
            found, wanted = next(results), expected(mpi_case, size, ranks)
            for name, values in wanted.outputs.items():
                assert mpi_case.agree(found.outputs[name], values), (mpi_case.mapped.system, name, found.outputs)
            assert (found.messages, found.sent) == (wanted.messages, wanted.sent), mpi_case.mapped.system


def _mutated(case_: MpiCase, kind: str) -> MpiMutant:
    return next(mutant for mutant in mutants(_text(case_)) if mutant.kind == kind)


@pytest.mark.usefixtures("mpi")
def test_a_fault_of_generated_code_is_found() -> None:
    assert is_found(CASES[0], _mutated(CASES[0], "not unpacked"))


@pytest.mark.usefixtures("mpi")
def test_alphaz_test_watches_the_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another rank may end first, at what it received: one of several runs tells the cause."""
    starter = engine("mpicc")
    assert starter is not None
    monkeypatch.setenv("PATH", f"{Path(starter).parent}:{os.environ['PATH']}")
    sources, checked = scheduled_c(CASES[0].verified, "Jacobi", target=MPI), CASES[0].mapped.design.checked
    mutated = replace(sources, files={**sources.files, "Jacobi.c": _mutated(CASES[0], "buffer used again").text})
    isolated = compile_isolated(mutated, checked, "Jacobi", include=None)
    system, size = checked.program.system("Jacobi"), {"N": 9, "T": 2}
    notes: list[str] = []
    for _ in range(5):
        with pytest.raises(Broke) as broken:
            isolated.run(size, random_inputs(system, size, 1), 3)
        notes += broken.value.finding.notes
        if any("the buffer of a message was changed before it was sent" in note for note in notes):
            return
    raise AssertionError(notes)


def test_the_bytes_of_jacobi_are_those_of_the_formula() -> None:
    wanted = expected(CASES[0], {"N": 10, "T": 3}, 3)
    assert (wanted.messages, wanted.sent) == (2 * 3 * 2, 8 * 2 * 3 * 2)


def test_arrays_of_a_rank_have_its_own_points_and_ghosts_alone() -> None:
    text = scheduled_c(CASES[0].verified, "Jacobi", target=MPI).files["Jacobi.c"]
    allocation = text[text.index("Jacobi_allocate_X") :].split("\n}\n")[0]
    assert "high" in allocation
    assert "low" in allocation


def test_dealt_out_rows_lie_one_after_another_and_a_row_for_all_is_broadcast(samples: dict[str, MpiCase]) -> None:
    text = _text(samples["floyd-warshall/rows"])
    assert "F: int[2][own_places(N - 1 + 1 - 0, 2, ranks, own_rank)][N], holds F" in text
    assert "F_ghost: int[N], holds F" in text
    assert "MPI_Bcast" in text


def test_rows_and_columns_of_a_grid_have_broadcasts(samples: dict[str, MpiCase]) -> None:
    text = _text(samples["summa/grid"])
    for column, line in (("run->rank % columns", "line0"), ("run->rank / columns", "line1")):
        assert f"line_of(has_places ? {column} : MPI_UNDEFINED, run->rank, run->comm, &run->{line})" in text
        assert f"return broadcast(rank == root ? out : in, bytes, root, run->{line});" in text


def test_values_that_one_place_reads_are_combined_on_its_rank() -> None:
    """A scan and the values that all ranks read have other functions of MPI."""
    cases = (operators("Reduced", "[t]", "given"), operators("Operators"), scans("Scans"))
    functions = [re.findall(r"MPI_(Reduce|Allreduce|Exscan)\(MPI_IN_PLACE", _text(case_)) for case_ in cases]
    assert functions == [["Reduce"], ["Allreduce"], ["Exscan"]]


def test_threads_of_a_rank_share_parallel_loops(samples: dict[str, MpiCase]) -> None:
    threads = samples["heat-3d/slabs"]
    assert "#pragma omp parallel for" in _text(threads)
    assert "#pragma" not in _text(replace(threads, target=MPI))


def _text(case_: MpiCase) -> str:
    name = case_.mapped.system
    return scheduled_c(case_.verified, name, target=case_.target).files[f"{name}.c"]


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
