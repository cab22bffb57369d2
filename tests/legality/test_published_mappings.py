"""All mappings that the thesis prints are proved; perturbed, each is refuted with the smallest witness.

The programs are those of `samples/`; the mappings of chapters 3 and 4 stand here again, so that one page shows all.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.legality.mapped import Mapped

SAMPLES = Path(__file__).parents[2] / "samples"


def _program(path: str) -> Mapped:
    return Mapped((SAMPLES / path).read_text(encoding="utf-8"))


def substitution() -> Mapped:
    return _program("forward-substitution/fs.ab").time("SR_x", "(i,k -> i,k)").time("x", "(i -> i,i)")


def substitution_with_reduction() -> Mapped:
    return _program("forward-substitution/fs-reduce.ab").time("x", "(i -> i)")


def chain() -> Mapped:
    """Thesis 3.1.1."""
    design = _program("matrix-chain/mcm.ab").time("SR_M", "(i,j,k -> j-i,i,k)").time("M", "(i,j -> j-i,i,j)")
    return design.time("min_cost", "( -> N-1,1,N+1)")


def parallel_chain() -> Mapped:
    """Thesis 3.1.2."""
    return chain().kind("1", "P", "SR_M").kind("1", "P", "M").kind("1", "P", "min_cost")


def ordered_chain() -> Mapped:
    """Thesis 3.1.3.1."""
    design = _program("matrix-chain/mcm.ab").time("SR_M", "(i,j,k -> 0,j-i,i,0,k)").time("M", "(i,j -> 0,j-i,i,1,0)")
    return design.time("min_cost", "( -> 1,0,0,0,0)").kind("0,3", "O")


def folded_chain() -> Mapped:
    """Thesis 3.2."""
    return chain().memory("SR_M", "(i,j,k -> i,j)")


def shared_chain() -> Mapped:
    """Thesis 3.3, with the parallel dimension of 3.1.2."""
    return parallel_chain().memory("SR_M", "(i,j,k -> i,j)", "M").memory("M", "(i,j -> i,j)", "M")


def chain_by_body() -> Mapped:
    """Thesis 3.1.4.1."""
    design = _program("matrix-chain/mcm-normalized.ab").time("NR_M", "(i,j,k -> j-i,i,k)")
    return design.time("M", "(i,j -> j-i,i,j)").time("min_cost", "( -> N-1,1,N+1)")


def chain_by_result() -> Mapped:
    """Thesis 3.1.4.2."""
    design = _program("matrix-chain/mcm-normalized.ab").time("NR_M", "(i,j -> j-i,i,0)")
    return design.time("M", "(i,j -> j-i,i,1)").time("min_cost", "( -> N-1,1,2)")


def chain_in_case() -> Mapped:
    """Listing 3.3: the reduction inside a case is evaluated inside the operation of its equation."""
    return (
        _program("matrix-chain/mcm-reduce.ab").time("pM", "(i,j -> j-i,i)").time("min_cost", "( -> N,0)").kind("1", "P")
    )


def product() -> Mapped:
    """Thesis 3.4."""
    design = _program("matrix-product/mm.ab").time("Acc_C", "(i,j,k -> k,i,j)").time("C", "(i,j -> Q+1,i,j)")
    return design.band(0, 2)


LEGAL = (
    substitution, substitution_with_reduction, chain, parallel_chain, ordered_chain, folded_chain, shared_chain,
    chain_by_body, chain_by_result, chain_in_case, product,
)  # fmt: skip


@pytest.mark.parametrize("mapping", LEGAL)
def test_every_mapping_of_the_thesis_is_proved(mapping: Callable[[], Mapped]) -> None:
    report = mapping().report()
    assert report.is_proved
    assert {finding.rule.code for finding in report.findings} <= {"AZ410"}
    assert report.results


SAME_DATE = "unordered: the same date, and no statement ordering"
BACK = "unordered: tiling of dimensions 0..2 may put the second in an earlier tile"

WRONG: dict[str, tuple[Mapped, str, str]] = {
    # forward substitution
    "a later column": (
        substitution().time("SR_x", "(i,k -> k,i)").time("x", "(i -> i-1,i)"),
        "AZ502",
        f"N=2: x[1], at (0,1), reads SR_x[1,0], which is written at (0,1), {SAME_DATE}",
    ),
    "rows in parallel": (
        substitution().kind("0", "P"),
        "AZ502",
        "N=2: SR_x[1,0], at (1,0), reads x[0], which is written at (0,0), unordered: dimension 0 is parallel",
    ),
    "one cell for x": (
        substitution().memory("x", "(i -> 0)"),
        "AZ601",
        "N=3: SR_x[2,0], at (2,0), reads x[0], which is written at (0,0), but x[1], at (1,1), overwrites its "
        "cell x[0], in between",
    ),
    "backwards": (
        substitution_with_reduction().time("x", "(i -> -i)"),
        "AZ502",
        "N=2: x[1], at (-1), reads x[0], which is written at (0), later",
    ),
    "all at once": (
        substitution_with_reduction().kind("0", "P"),
        "AZ502",
        "N=2: x[1], at (1), reads x[0], which is written at (0), unordered: dimension 0 is parallel",
    ),
    "a window of two": (
        substitution_with_reduction().memory("x", "(i -> i)", moduli=[2]),
        "AZ602",
        "N=3: x[0], which is written at (0), is overwritten in cell x[0] by x[2], at (2), and lost at the end",
    ),
    # matrix chain, serialised
    "the answer too early": (
        chain().time("min_cost", "( -> N-2,1,N+1)"),
        "AZ502",
        "N=2: min_cost, at (0,1,3), reads M[1,2], which is written at (1,1,2), later",
    ),
    "minima backwards": (
        chain().time("SR_M", "(i,j,k -> j-i,i,-k)"),
        "AZ502",
        "N=3: SR_M[1,3,2], at (2,1,-2), reads SR_M[1,3,1], which is written at (2,1,-1), later",
    ),
    "minima at one date": (
        chain().time("SR_M", "(i,j,k -> j-i,i,0)"),
        "AZ501",
        "N=3: SR_M[1,3,1] and SR_M[1,3,2] have the same date (2,1,0)",
    ),
    "another thread": (
        parallel_chain().time("M", "(i,j -> j-1,j,j)"),
        "AZ502",
        "N=3: SR_M[1,3,2], at (2,1,2), reads M[3,3], which is written at (2,3,3), "
        "unordered: dimension 1 is parallel",
    ),
    "lengths in parallel": (
        chain().kind("0", "P"),
        "AZ502",
        "N=2: SR_M[1,2,1], at (1,1,1), reads M[1,1], which is written at (0,1,1), "
        "unordered: dimension 0 is parallel",
    ),
    "minima in parallel": (
        chain().kind("2", "P"),
        "AZ502",
        "N=3: SR_M[1,3,2], at (2,1,2), reads SR_M[1,3,1], which is written at (2,1,1), "
        "unordered: dimension 2 is parallel",
    ),
    # with ordering dimensions
    "the copy first": (
        ordered_chain().time("SR_M", "(i,j,k -> 0,j-i,i,1,k)").time("M", "(i,j -> 0,j-i,i,0,0)"),
        "AZ502",
        "N=2: M[1,2], at (0,1,1,0,0), reads SR_M[1,2,1], which is written at (0,1,1,1,1), later",
    ),
    "the answer in the nest": (
        ordered_chain().time("min_cost", "( -> 0,0,0,1,0)"),
        "AZ502",
        "N=2: min_cost, at (0,0,0,1,0), reads M[1,2], which is written at (0,1,1,1,0), later",
    ),
    "lengths in parallel, behind a prefix": (
        ordered_chain().kind("0", "P", prefix=[0]),
        "AZ502",
        "N=2: SR_M[1,2,1], at (0,1,1,0,1), reads M[1,1], which is written at (0,0,1,1,0), "
        "unordered: dimension 1 is parallel",
    ),
    "tiled without skewing": (
        ordered_chain().band(0, 2, prefix=[0]),
        "AZ702",
        "N=2: SR_M[1,2,1], at (0,1,1,0,1), reads M[2,2], which is written at (0,0,2,1,0), unordered: tiling of "
        "dimensions 1..3 may put the second in an earlier tile (dimension 2 goes from 2 back to 1)",
    ),
    # memory
    "one cell for all": (
        folded_chain().kind("1", "P").memory("SR_M", "(i,j,k -> 0,0)"),
        "AZ601",
        "N=3: M[1,2], at (1,1,2), reads SR_M[1,2,1], which is written at (1,1,1), but SR_M[2,3,2], at (1,2,2), "
        "overwrites its cell SR_M[0,0], unordered with its writing: dimension 1 is parallel and unordered with the "
        "reading: dimension 1 is parallel",
    ),
    "rows share a cell": (
        shared_chain().memory("SR_M", "(i,j,k -> i,i)", "M"),
        "AZ601",
        "N=3: SR_M[1,3,1], at (2,1,1), reads M[1,1], which is written at (0,1,1), but SR_M[1,2,1], at (1,1,1), "
        "overwrites its cell M[1,1], in between",
    ),
    "one row is not enough": (
        shared_chain().memory("SR_M", "(i,j,k -> i)", "M").memory("M", "(i,j -> i)", "M"),
        "AZ601",
        "N=3: SR_M[1,2,1], at (1,1,1), reads M[2,2], which is written at (0,2,2), but SR_M[2,3,2], at (1,2,2), "
        "overwrites its cell M[2], unordered with the reading: dimension 1 is parallel",
    ),
    "columns share a cell": (
        shared_chain().memory("M", "(i,j -> j,j)", "M").memory("SR_M", "(i,j,k -> j,j)", "M"),
        "AZ601",
        "N=3: SR_M[2,3,2], at (1,2,2), reads M[2,2], which is written at (0,2,2), but SR_M[1,2,1], at (1,1,1), "
        "overwrites its cell M[2,2], unordered with the reading: dimension 1 is parallel",
    ),
    # reductions
    "contributions in parallel": (
        chain_by_body().kind("2", "P"),
        "AZ503",
        "N=3: NR_M.body[1,3,1], at (2,1,1), and NR_M.body[1,3,2], at (2,1,2), accumulate into NR_M[1,3], "
        "unordered: dimension 2 is parallel",
    ),
    "the last contribution late": (
        chain_by_body().time("NR_M", "(i,j,k -> j-i,i,k+1)"),
        "AZ502",
        "N=2: M[1,2], at (1,1,2), reads NR_M[1,2], to which NR_M.body[1,2,1] contributes at (1,1,2), "
        + SAME_DATE,
    ),
    "initialised too late": (
        chain_by_body().time("NR_M", "(i,j,k -> j-i,i,k)", "(i,j -> j-i,i,j)"),
        "AZ502",
        "N=2: NR_M.body[1,2,1], at (1,1,1), accumulates into NR_M[1,2], which is initialised at (1,1,2), later",
    ),
    "the result in parallel": (
        chain_by_result().kind("2", "P"),
        "AZ502",
        "N=2: M[1,2], at (1,1,1), reads NR_M[1,2], which is written at (1,1,0), "
        "unordered: dimension 2 is parallel",
    ),
    "the result at the same date": (
        chain_by_result().time("M", "(i,j -> j-i,i,0)"),
        "AZ502",
        f"N=2: M[1,2], at (1,1,0), reads NR_M[1,2], which is written at (1,1,0), {SAME_DATE}",
    ),
    "the result by rows": (
        chain_by_result().time("NR_M", "(i,j -> i,j-i,0)").time("M", "(i,j -> i,j-i,1)"),
        "AZ502",
        "N=2: NR_M[1,2], at (1,1,0), reads M[2,2], which is written at (2,0,1), later",
    ),
    "lengths in parallel, in a case": (
        chain_in_case().kind("0", "P"),
        "AZ502",
        "N=2: pM[1,2], at (1,1), reads pM[1,1], which is written at (0,1), unordered: dimension 0 is parallel",
    ),
    "two lengths in memory": (
        chain_in_case().memory("pM", "(i,j -> j-i,i)", moduli=[2, 0]),
        "AZ601",
        "N=4: pM[1,4], at (3,1), reads pM[1,1], which is written at (0,1), but pM[1,3], at (2,1), overwrites its "
        "cell pM[0,1], in between",
    ),
    "the answer in another thread": (
        chain_in_case().time("min_cost", "( -> N-1,0)"),
        "AZ502",
        "N=2: min_cost, at (1,0), reads pM[1,2], which is written at (1,1), unordered: dimension 1 is parallel",
    ),
    # tiling
    "sums in parallel": (
        product().kind("0", "P"),
        "AZ502",
        "P=1, Q=1, R=1: Acc_C[0,0,1], at (1,0,0), reads Acc_C[0,0,0], which is written at (0,0,0), "
        "unordered: dimension 0 is parallel",
    ),
    "skewed the wrong way": (
        product().time("Acc_C", "(i,j,k -> k,i-k,j)"),
        "AZ702",
        "P=1, Q=1, R=1: Acc_C[0,0,1], at (1,-1,0), reads Acc_C[0,0,0], which is written at (0,0,0), "
        f"{BACK} (dimension 1 goes from 0 back to -1)",
    ),
    "the copy in an earlier tile": (
        product().time("C", "(i,j -> Q+1,i-1,j)"),
        "AZ702",
        "P=1, Q=1, R=1: C[0,0], at (2,-1,0), reads Acc_C[0,0,1], which is written at (1,0,0), "
        f"{BACK} (dimension 1 goes from 0 back to -1)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_perturbed_mapping_is_refuted_with_the_smallest_witness(name: str) -> None:
    mapping, code, sentence = WRONG[name]
    assert not mapping.report().is_proved
    assert sentence in mapping.refuted().get(code, [])
    assert code in mapping.codes()


def test_a_wider_window_is_refuted_no_more() -> None:
    assert chain_in_case().memory("pM", "(i,j -> j-i,i)", moduli=[0, 0]).report().is_proved


def test_tiling_may_break_what_only_memory_needs() -> None:
    """With one cell for each sum the flow permits the tiling, and so does memory: i and j never share a cell."""
    assert product().memory("Acc_C", "(i,j,k -> i,j)", "C").codes() == ["AZ410"]
    assert product().memory("Acc_C", "(i,j,k -> i,j,k)", moduli=[0, 0, 2]).report().is_proved
