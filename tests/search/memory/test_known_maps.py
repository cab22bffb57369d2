"""Programs whose smallest memory maps are known from the literature, or have been found by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

import alphaz
from alphaz.search.memory.map_reports import ProposalReport
from alphaz.search.memory.proposal import Refusal, Request, propose
from alphaz.search.memory.sharing import Objective
from tests.search.memory.programs import blur, fib, floyd, kernel, maps, pingpong, proposed
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"


def test_a_stencil_in_one_dimension_has_two_maps_of_which_neither_is_always_smaller() -> None:
    account = ProposalReport.of(proposed(kernel("jacobi-1d-tuned")))
    (message,) = account.maps
    assert maps(account.proposal) == {"X": "X (t,i -> i-t)"}
    assert (str(message.cells), str(message.instead), message.bound) == ("N+T", "N*(T+1)", "degree 1 is least")
    other, folded = message.alternatives
    assert (str(folded.entry.function), str(folded.cells)) == ("(t,i -> i-t)", "2*N-1")
    assert (str(other.entry.function), other.entry.moduli) == ("(t,i -> t,i)", (2, 0))
    assert (str(other.cells), other.remark) == ("2*N", "fewer where T>N")


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ({}, "X (t,i,j -> i-t,j)"),
        ({"N": 100, "T": 1000}, "X (t,i,j -> t,i,j) mod 2,0,0"),
    ],
)
def test_the_sizes_decide_between_maps_of_one_degree(sizes: dict[str, int], found: str) -> None:
    assert maps(proposed(kernel("jacobi-2d-tuned"), Request(sizes=sizes))) == {"X": found}


@pytest.mark.parametrize(
    ("sizes", "found"),
    thinned(
        [
            ({"N": 1000, "T": 2000}, "X (t,i,j,k -> t,i,j,k) mod 2,0,0,0"),
            ({"N": 1000, "T": 1000}, "X (t,i,j,k -> i-t,j-t,k)"),
            ({"N": 1000, "T": 100}, "X (t,i,j,k -> i-t,j-t,k)"),
        ],
        3,
    ),
)
def test_a_stencil_in_three_dimensions(sizes: dict[str, int], found: str) -> None:
    """A tile touches fewer cells of one box that moves, which may be up to twice as large as two that take turns."""
    assert maps(proposed(kernel("heat-3d-tuned"), Request(sizes=sizes))) == {"X": found}


def test_without_tiles_a_stencil_moves_by_one_in_each_step() -> None:
    account = ProposalReport.of(proposed(kernel("heat-3d")), alternatives=9)
    (message,) = account.maps
    entries = [message.entry, *(other.entry for other in message.alternatives)]
    assert "(t,i,j,k -> i-t,j,k)" in [str(entry.function) for entry in entries]


def test_what_is_updated_in_place_needs_no_cells() -> None:
    account = ProposalReport.of(proposed(kernel("fdtd-2d-tuned")))
    assert str(account.cells) == "0"
    assert maps(account.proposal) == {f"{v}": f"{v.lower()} (t,i,j -> i,j)" for v in ("EX", "EY", "HZ")}


@pytest.mark.long
def test_factors_stay_in_their_matrix() -> None:
    plain = maps(proposed(kernel("lu")))
    assert plain == {"L": "LU (i,j -> i,j)", "U": "LU (i,j -> i,j)", "S": "S (i,j -> )"}
    tuned = maps(proposed(kernel("lu-tuned")))
    assert tuned == dict.fromkeys("SLU", "LU (i,j -> i,j)")


def test_speed_keeps_neighbours_together_and_size_does_not() -> None:
    (speed,) = proposed(kernel("smith-waterman-tuned")).entries
    assert speed.moduli == (3, 0)
    size = proposed(kernel("smith-waterman-tuned"), Request(Objective.SIZE))
    assert maps(size) == {"H": "H (i,j -> j-i)"}


def test_a_recurrence_writes_no_array_that_it_does_not_need() -> None:
    """Two columns hold what goes to the left, and two rows what goes up; what is read together lies together."""
    result = maps(proposed(kernel("deriche-tuned")))
    assert result["left"].endswith("mod 2,0")
    assert result["up"] == "up (i,j -> i,j) mod 2,0"
    assert (result["right"], result["down"]) == ("rows (i,j -> i,j)", "out (i,j -> i,j)")


def test_sums_are_collected_where_their_results_are() -> None:
    assert maps(proposed(kernel("gemver-tuned"))) == {"NR_x": "x (i -> i)", "NR_w": "w (i -> i)"}


def test_tiles_of_all_sizes_leave_one_diagonal() -> None:
    assert maps(proposed(kernel("smith-waterman-tiled"))) == {"H": "H (i,j -> j-i)"}


def test_copies_without_dates_decide_where_their_source_lives() -> None:
    result = maps(proposed(kernel("floyd-warshall-tuned")))
    assert result == {"D": "d (k,i,j -> i,j)", "row": "row (k,i -> i)", "column": "column (k,i -> i)"}


def test_two_steps_are_kept_where_no_row_is_copied() -> None:
    assert maps(proposed(floyd()))["D"] == "D (k,i,j -> k,i,j) mod 2,0,0"


@pytest.mark.long
def test_given_sizes_of_tiles_allow_less() -> None:
    proposal = proposed(kernel("matrix-chain-tuned"))
    assert proposal.report.scope.startswith("tile sizes 64,64 of dimensions 0,1")
    assert maps(proposal)["NR_M"].startswith("M ")
    assert maps(proposal)["NR_M_2"] == "NR_M_2 (i,j -> j)"


def test_a_solver_in_two_directions_has_one_array_besides_its_result() -> None:
    account = ProposalReport.of(proposed(kernel("adi-tuned")))
    assert str(account.cells) == "N^2-2"
    result = maps(account.proposal)
    assert result["U"].split()[0] == result["r"].split()[0] == "u"
    assert result["V"].split()[0] == result["q"].split()[0]
    assert {text.split(" ", 1)[1].split(" mod")[0] for text in result.values()} == {"(t,i,j -> i,j)"}


def test_a_space_of_several_variables_needs_what_one_of_them_does() -> None:
    account = ProposalReport.of(proposed(kernel("adi-tuned")))
    bounds = {map_.entry.variable: map_.bound for map_ in account.maps}
    assert bounds == {"U": "", "V": "", "q": "degree 2 is least", "r": ""}


def test_a_window_along_a_skewed_row_is_a_rolling_buffer() -> None:
    """N+1 values of a stencil are needed at one time, whatever T is."""
    result = ProposalReport.of(proposed(kernel("jacobi-1d"), Request(Objective.SIZE)))
    (message,) = result.maps
    assert (str(message.entry.function), [str(m) for m in message.entry.moduli]) == ("(t,i -> i-t)", ["N+1"])
    assert (str(message.cells), message.bound) == ("N+1", "degree 1 is least")
    assert {other.remark for other in message.alternatives} == {"never fewer", "fewer where 1>T"}


def test_arrays_take_turns() -> None:
    """x4 is read across while z is written, and so on back: every second one is in z."""
    results = {name: text.split()[0] for name, text in maps(proposed(pingpong())).items()}
    assert results["x1"] == results["x3"] == "z"
    assert results.get("x2", "x2") == results.get("x4", "x4")


def test_rows_of_a_window() -> None:
    (entry,) = proposed(blur()).entries
    assert (str(entry.function), entry.moduli) == ("(i,j -> i,j)", (3, 0))


def test_fibonacci_needs_two_cells() -> None:
    assert maps(proposed(fib())) == {"F": "F (n -> n) mod 2"}


def test_an_illegal_schedule_gets_the_findings_of_the_verifier_and_nothing_else() -> None:
    wrong = blur().kind("0", "P")
    proposal = propose(wrong.design, wrong.system)
    assert isinstance(proposal, Refusal)
    assert [finding.rule.code for finding in proposal.report.findings if finding.is_error] == ["AZ502"] * 2


def test_maps_of_other_dimensions_are_no_part_of_a_space_that_is_given() -> None:
    """M could be kept by diagonals; in its space are the rows and columns of NR_M."""
    dates = {"M": "(i,j -> 0,j-i,i,1,0)", "NR_M": "(i,j,k -> 0,j-i,i,0,k)", "min_cost": "( -> 1,0,0,0,0)"}
    lines = [f'setSpaceTimeMap(prog, "MCM_normalized", "{name}", "{date}");' for name, date in dates.items()]
    value = 'setMemoryMap(prog, "MCM_normalized", "NR_M", "M", "(i,j -> i,j)");'
    text = "\n".join(['prog = ReadAlphabets("mcm-normalized.ab");', *lines, value])
    design = alphaz.run(SAMPLES / "matrix-chain" / "given.cs", text=text)
    assert "M" not in maps(proposed((design, "MCM_normalized")))


def test_placements_that_were_met_on_the_way_are_proposals_too() -> None:
    """The last one shares nothing; each is proved, costs no less, and keeps what the script gives."""
    first = proposed(kernel("adi-tuned"))
    assert first.others
    for placement in first.others:
        other = first.with_placement(placement)
        assert other is not None
        assert other.report.is_proved
        assert {entry.variable for entry in other.entries} <= {entry.variable for entry in placement.entries}
        here, there = (first.prices.bill(item.placement) for item in (first, other))
        assert here is not None
        assert there is not None
        assert here.cells[2] <= there.cells[2]
        again = other.with_placement(first.placement)
        assert again is not None
        assert set(again.entries) == set(first.entries)
    alone = first.others[-1].spaces
    assert all(len(together) == 1 for space, together in alone.items() if space in {"q", "r", "V"})


def test_what_is_not_legal_is_no_placement() -> None:
    first = proposed(blur())
    (entry,) = first.entries
    assert first.with_placement(first.placement.with_entry(replace(entry, moduli=(2, 0)))) is None
