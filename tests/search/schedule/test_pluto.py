"""The examples of Bondhugula (2008) by integer programs: no coefficient below 0, and the transformations of the thesis.

Where the thesis leaves a tie, either answer is taken.
"""

from itertools import pairwise

import pytest

from alphaz.poly.scheduling.band_schedules import BandNode, NoSchedule, SequenceNode, bands
from alphaz.search.schedule.ilp.cost import FEAUTRIER, Cost
from alphaz.search.schedule.request import Fuse
from tests.search.schedule.loops import Loops


def test_figure_3_11() -> None:
    """a[i,j] from a[i,j-1] and a[j,i]."""
    loops = Loops(
        "N",
        ["S[i,j]: 1<=i<=N and 2<=j<=N"],
        ["S[i,j] -> S[i,j+1]", "S[j,i] -> S[i,j]: i-j>=1", "S[i,j] -> S[j,i]: j-i>=1"],
    )
    assert loops.rows()["S"] == ["i+j", "i"]


def test_jacobi_in_one_dimension() -> None:
    edges = ["S[t,i] -> S[t+1,i]", "S[t,i] -> S[t+1,i+1]", "S[t,i] -> S[t+1,i-1]"]
    loops = Loops("N,T", ["S[t,i]: 0<=t<T and 0<=i<N"], edges)
    assert loops.rows()["S"] == ["t", "i+t"]
    (band,) = bands(loops.tree())
    assert len(band.rows) == 2


def test_jacobi_with_a_statement_that_updates() -> None:
    """Two three-point stencils in turn: the second one is a row behind, and both are skewed by two."""
    loops = Loops(
        "N,T",
        ["S[t,i]: 0<=t<T and 2<=i<=N-2", "U[t,j]: 0<=t<T and 2<=j<=N-2"],
        [
            *(f"S[t,i] -> U[t,i+{d}]" for d in (-1, 0, 1)),
            *(f"U[t,j] -> S[t+1,j+{d}]" for d in (-1, 0, 1)),
        ],
    )
    rows = loops.rows()
    assert rows["S"][:2] == ["t", "i+2t"]
    assert rows["U"][:2] == ["t", "j+2t+1"]


def test_lu() -> None:
    loops = Loops(
        "N",
        ["S[k,j]: 0<=k<j and j<N", "U[k,i,j]: 0<=k<i and k<j and i<N and j<N"],
        [
            "S[k,j] -> U[k,i',j]: i'>k",
            "U[k,i,j] -> U[k+1,i,j]",
            "U[k,i,j] -> S[k+1,j]: i=k+1",
            "U[k,i,j] -> U[k+1,i',j]: i=k+1 and i'>i",
            "U[k,i,j] -> U[k+1,i,j']: j=k+1 and j'>j",
        ],
    )
    band = next(bands(loops.tree()))
    assert len(band.rows) == 3
    assert sorted(str(row["U"]) for row in band.rows) == ["i", "j", "k"]
    assert {str(row["S"]) for row in band.rows} == {"j", "k"}


def test_fdtd() -> None:
    loops = Loops(
        "N,T",
        [f"{name}[t,i,j]: 0<=t<T and 0<=i,j<N" for name in ("Y", "X", "H")],
        [
            *(f"{name}[t,i,j] -> {name}[t+1,i,j]" for name in "YXH"),
            "H[t,i,j] -> Y[t+1,i,j]", "H[t,i,j] -> Y[t+1,i+1,j]", "H[t,i,j] -> X[t+1,i,j]", "H[t,i,j] -> X[t+1,i,j+1]",
            "X[t,i,j] -> H[t,i,j]", "X[t,i,j] -> H[t,i,j-1]", "Y[t,i,j] -> H[t,i,j]", "Y[t,i,j] -> H[t,i-1,j]",
        ],
    )  # fmt: skip
    rows = loops.rows()
    assert [rows[name][:3] for name in "YXH"] == [["t", "i+t", "j+t"], ["t", "i+t", "j+t"], ["t", "i+t+1", "j+t+1"]]


def test_gauss_seidel_with_nine_points() -> None:
    steps = [(0, 0, 1), (0, 1, -1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, -1), (1, -1, 1), (1, -1, 0), (1, -1, -1)]
    edges = [f"S[t,i,j] -> S[t+{a},i+{b},j+{c}]" for a, b, c in steps]
    loops = Loops("N,T", ["S[t,i,j]: 0<=t<T and 0<=i,j<N"], edges)
    assert loops.rows()["S"] == ["t", "i+t", "i+j+2t"]


def test_a_sweep_is_tiled_as_it_is() -> None:
    loops = Loops("N", ["S[i,j]: 0<=i,j<N"], ["S[i,j] -> S[i+1,j]", "S[i,j] -> S[i,j+1]"])
    assert loops.rows()["S"] == ["i", "j"]


def test_two_products_share_their_loops() -> None:
    """C = A B, D = E C: C[k,j] is needed whole."""
    loops = Loops(
        "N",
        ["S[i,j,k]: 0<=i,j,k<N", "U[i,j,k]: 0<=i,j,k<N"],
        ["S[i,j,k] -> S[i,j,k+1]", "U[i,j,k] -> U[i,j,k+1]", "S[k,j,l] -> U[i',j,k]: 0<=l<N"],
    )
    rows = loops.rows(Fuse.MAX)
    assert rows["S"][0] == rows["U"][0] == "j"


def test_a_stencil_of_a_stencil_is_shifted() -> None:
    edges = [f"S[i] -> U[i+{d}]" for d in (-1, 0, 1)]
    loops = Loops("N", ["S[i]: 0<=i<N", "U[i]: 0<=i<N"], edges)
    assert [loops.rows(Fuse.MAX)[name][0] for name in "SU"] == ["i", "i+1"]


def test_five_stencils_in_a_chain_are_shifted_one_by_one() -> None:
    names = "ABCDE"
    edges = [f"{one}[i] -> {two}[i+{d}]" for one, two in pairwise(names) for d in (-1, 0, 1)]
    loops = Loops("N", [f"{name}[i]: 0<=i<N" for name in names], edges)
    rows = loops.rows(Fuse.MAX)
    assert [rows[name][0] for name in names] == ["i", "i+1", "i+2", "i+3", "i+4"]


def test_who_needs_the_whole_sum_is_cut_off() -> None:
    """s += b[i] c[i], then c[i] = s + a[i], for smart fusion."""
    loops = Loops("N", ["S[i]: 0<=i<N", "U[i]: 0<=i<N"], ["S[i] -> S[i+1]", "S[i] -> U[j]"])
    assert [loops.rows()[name][0] for name in "SU"] == ["0", "1"]
    assert isinstance(loops.tree(), SequenceNode)


TRANSPOSED = ["S[i,j]: 0<=i,j<N", "U[i,j]: 0<=i,j<N"]


def test_products_with_a_matrix_and_its_transpose() -> None:
    """Without reads: the outer loops are parallel. With them the matrix is read once, in one order."""
    sums = ["S[i,j] -> S[i,j+1]", "U[i,j] -> U[i,j+1]"]
    plain = Loops("N", TRANSPOSED, sums)
    assert [plain.rows(Fuse.MAX)[name][:2] for name in "SU"] == [["i", "j"], ["i", "j"]]
    near = Loops("N", TRANSPOSED, sums, ("S[i,j] -> U[j,i]",)).rows(Fuse.MAX)
    assert (near["S"][:2], near["U"][:2]) in ((["i", "j"], ["j", "i"]), (["j", "i"], ["i", "j"]))


def test_the_loops_of_a_product() -> None:
    loops = Loops("N", ["S[i,j,k]: 0<=i,j,k<N"], ["S[i,j,k] -> S[i,j,k+1]"])
    band = next(bands(loops.tree()))
    assert [str(row["S"]) for row in band.rows] == ["i", "j", "k"]
    assert band.coincident == (True, True, False)


def test_the_nearer_of_two_legal_skews_is_taken() -> None:
    loops = Loops("N", ["S[i,j]: 0<=i,j<N"], ["S[i,j] -> S[i+1,j]", "S[i,j] -> S[i+1,j-1]"])
    assert loops.rows()["S"] == ["i", "i+j"]


def test_loops_run_backwards_only_where_that_is_asked_for() -> None:
    loops = Loops("N", ["X[i]: 0<=i<N"], ["X[i] -> X[i-1]"])
    with pytest.raises(NoSchedule):
        loops.rows()
    assert loops.rows(backwards=True)["X"] == ["-i"]


def test_a_split_in_two_dimensions_runs_backwards_in_one() -> None:
    """S[i,j] from S[i,k] and S[k+1,j], i <= k < j."""
    edges = ["S[i,k] -> S[i,j]: k<j", "S[l,j] -> S[i,j]: i<l"]
    loops = Loops("N", ["S[i,j]: 0<=i<=j<N"], edges)
    band = next(bands(loops.tree(backwards=True)))
    assert isinstance(band, BandNode)
    assert sorted(str(row["S"]) for row in band.rows) == ["-i", "j"]


# --- Feautrier --------------------------------------------------------------------------------------------------------


def test_feautrier_takes_as_few_steps_as_there_can_be() -> None:
    edges = ["S[t,i] -> S[t+1,i]", "S[t,i] -> S[t+1,i+1]", "S[t,i] -> S[t+1,i-1]"]
    loops = Loops("N,T", ["S[t,i]: 0<=t<T and 0<=i<N"], edges)
    assert loops.rows(cost=FEAUTRIER)["S"][0] == "t"
    sweep = Loops("N", ["S[i,j]: 0<=i,j<N"], ["S[i,j] -> S[i+1,j]", "S[i,j] -> S[i,j+1]"])
    assert sweep.rows(cost=FEAUTRIER)["S"][0] == "i+j"


def test_feautrier_of_the_kernels() -> None:
    """LU in 3N steps: the rows of L and U in turns, and the sums between them."""
    loops = Loops(
        "N",
        ["L[i,j]: 0<=j<i<N", "U[i,j]: 0<=i<=j<N", "S[i,j,k]: 0<=i,j<N and 0<=k<i and k<j"],
        [
            "L[i,k] -> S[i,j,k]", "U[k,j] -> S[i,j,k]", "S[i,j,k] -> L[i,j]", "S[i,j,k] -> U[i,j]", "U[j,j] -> L[i,j]",
        ],
    )  # fmt: skip
    rows = loops.rows(cost=FEAUTRIER, backwards=True)
    assert [rows[name][0] for name in "LUS"] == ["i+2j", "2i+j", "i+j+k"] or rows["S"][0] == "i+j+k+1"


def test_a_parallel_row_is_first_where_that_is_what_counts() -> None:
    loops = Loops("N", ["S[k,i]: 0<=k,i<N"], ["S[k,i] -> S[k+1,i]"])
    first = {text: loops.rows(cost=Cost("mine", text))["S"][0] for text in (_ORDER, (((1, "sequential"),), *_ORDER))}
    assert first == {_ORDER: "k", (((1, "sequential"),), *_ORDER): "i"}


_ORDER = (((1, "coefficients"),), ((1, "order"),))


def test_coefficients_grow_with_the_longest_circle_and_not_with_what_shares_its_loops() -> None:
    """Six statements in a ring, each from its neighbours in the one before: 6t + i."""
    names = [f"X{at}" for at in range(6)]
    edges = [f"{one}[t,i] -> {two}[t,i+{d}]" for one, two in pairwise(names) for d in (-1, 1)]
    edges += [f"X5[t,i] -> X0[t+1,i+{d}]" for d in (-1, 1)]
    loops = Loops("N,T", [f"{name}[t,i]: 0<=t<T and 0<=i<N" for name in names], edges)
    assert loops.rows()["X0"][:2] == ["t", "i+6t"]
