"""Larger examples of Bondhugula (2008), and Feautrier's latencies, by integer programs."""

import pytest

from alphaz.search.schedule.ilp.bands import BandTask, one_row
from alphaz.search.schedule.ilp.cost import FEAUTRIER
from alphaz.search.schedule.ilp.user_constraints import read_steering
from alphaz.search.schedule.request import Fuse
from tests.search.schedule.loops import Loops
from tests.search.schedule.proposals import kernel_design, problem

SQUARE = "0<=i,j<N"


def test_two_matrix_vector_products_share_a_loop() -> None:
    """y = A x, then z = B y: column by column of B, as soon as an entry of y is there (figure 4.4)."""
    loops = Loops(
        "N",
        [f"S[i,j]: {SQUARE}", "U[k,l]: 0<=k,l<N"],
        ["S[i,j] -> S[i,j+1]", "U[k,l] -> U[k,l+1]", "S[i,j] -> U[k,i]: 0<=k<N"],
    )
    assert loops.rows(Fuse.MAX) == {"S": ["i", "0", "j"], "U": ["l", "1", "k"]}


def test_of_three_in_a_chain_two_do() -> None:
    loops = Loops(
        "N",
        [f"S[i,j]: {SQUARE}", "U[k,l]: 0<=k,l<N", "V[p,q]: 0<=p,q<N"],
        [
            "S[i,j] -> S[i,j+1]", "U[k,l] -> U[k,l+1]", "V[p,q] -> V[p,q+1]",
            "S[i,j] -> U[k,i]: 0<=k<N", "U[k,l] -> V[p,k]: 0<=p<N",
        ],
    )  # fmt: skip
    rows = loops.rows(Fuse.MAX)
    assert {rows[name][0] for name in "SUV"} == {"0", "1"}
    together = [names for names in ("SU", "UV") if len({rows[name][0] for name in names}) == 1]
    assert len(together) == 1


def test_gemver_cuts_where_a_whole_result_is_needed_and_shares_where_that_is_asked_for() -> None:
    """Figure 4.12: S1 transposed with S2, in parallel outside; S3 and S4 apart."""
    loops = Loops(
        "N",
        [f"S[i,j]: {SQUARE}", f"U[i,j]: {SQUARE}", "V[i]: 0<=i<N", f"W[i,j]: {SQUARE}"],
        [
            "S[i,j] -> U[j,i]", "U[i,j] -> U[i,j+1]", "U[i,j] -> V[i]", "V[j] -> W[i,j]: 0<=i<N", "S[i,j] -> W[i,j]",
            "W[i,j] -> W[i,j+1]",
        ],
    )  # fmt: skip
    rows = loops.rows(steering=read_steering("fuse S, U 2; separate U, V", "SUVW"))
    assert rows == {"S": ["0", "j", "i", "0"], "U": ["0", "i", "j", "1"], "V": ["1", "i"], "W": ["2", "i", "j"]}


@pytest.mark.long
@pytest.mark.slow
def test_a_tensor_and_what_is_made_of_it_share_six_loops() -> None:
    """CCSD(T), figure 4.7, with one loop of the sum."""
    inside = "[a,b,c,i,j,k]: 0<=a,b,c,i,j,k<N"
    loops = Loops(
        "N",
        ["X[a,b,c,i,j,k,e]: 0<=a,b,c,i,j,k,e<N", *(f"{name}{inside}" for name in "YEF")],
        [
            "X[a,b,c,i,j,k,e] -> X[a,b,c,i,j,k,e+1]", "X[a,b,c,i,j,k,e] -> E[a,b,c,i,j,k]",
            "X[a,b,c,i,j,k,e] -> F[a,b,c,i,j,k]", "Y[a,b,c,i,j,k] -> F[a,b,c,i,j,k]",
        ],
    )  # fmt: skip
    rows = loops.rows(Fuse.MAX)
    assert {tuple(rows[name][:6]) for name in "XYEF"} == {("a", "b", "c", "i", "j", "k")}


@pytest.mark.slow
def test_four_indices_are_transformed_in_pairs() -> None:
    """Figures 4.9 and 4.10, as printed."""
    loops = Loops(
        "N",
        [
            "S[a,q,r,s,p]: 0<=a,q,r,s,p<N", "T[a,b,r,s,q]: 0<=a,b,r,s,q<N",
            "U[a,b,c,s,r]: 0<=a,b,c,s,r<N", "V[a,b,c,d,s]: 0<=a,b,c,d,s<N",
        ],
        [
            "S[a,q,r,s,p] -> S[a,q,r,s,p+1]", "T[a,b,r,s,q] -> T[a,b,r,s,q+1]",
            "U[a,b,c,s,r] -> U[a,b,c,s,r+1]", "V[a,b,c,d,s] -> V[a,b,c,d,s+1]",
            "S[a,q,r,s,p] -> T[a,b,r,s,q]: 0<=b<N", "T[a,b,r,s,q] -> U[a,b,c,s,r]: 0<=c<N",
            "U[a,b,c,s,r] -> V[a,b,c,d,s]: 0<=d<N",
        ],
    )  # fmt: skip
    assert loops.rows(Fuse.MAX) == {
        "S": ["a", "s", "0", "r", "q", "0", "p"],
        "T": ["a", "s", "0", "r", "q", "1", "b"],
        "U": ["a", "s", "1", "b", "c", "0", "r"],
        "V": ["a", "s", "1", "b", "c", "1", "d"],
    }


def test_doitgen_shares_its_rows_and_puts_the_copy_behind() -> None:
    loops = Loops(
        "N",
        ["S[r,q,p]: 0<=r,q,p<N", "U[r,q,p,s]: 0<=r,q,p,s<N", "V[r,q,p]: 0<=r,q,p<N"],
        [
            "S[r,q,p] -> U[r,q,p,0]", "U[r,q,p,s] -> U[r,q,p,s+1]", "U[r,q,p,s] -> V[r,q,p]",
            # In place: what is read of a row is overwritten behind.
            "U[r,q,p,s] -> V[r,q,s]",
        ],
    )  # fmt: skip
    rows = loops.rows(Fuse.MAX)
    assert {tuple(rows[name][:2]) for name in "SUV"} == {("r", "q")}
    assert [rows[name][2] for name in "SUV"] == ["0", "0", "1"]


LATENCIES = {
    "nussinov": {"S": "2j-i+2", "NR_S": "2j-i+1", "pairs": "2N+1"},
    "matrix-chain": {"M": "2j-2i", "NR_M": "2j-2i-1", "best": "2N-1"},
    "lu": {"L": "i+2j", "U": "2i+j", "S": "i+j+k"},
    "fdtd-2d": {"EX": "2t", "EY": "2t", "HZ": "2t+1"},
    "floyd-warshall": {"D": "2k", "row": "2k+1", "column": "2k+1"},
    "jacobi-1d": {"X": "t", "B": "T+1"},
}


@pytest.mark.parametrize("name", LATENCIES)
def test_feautriers_times_of_kernels(name: str) -> None:
    asked = problem(kernel_design(name))
    row = one_row(BandTask(asked.domains, asked.flow, cost=FEAUTRIER))
    assert row is not None
    assert {key: str(row[key]) for key in LATENCIES[name]} == LATENCIES[name]
