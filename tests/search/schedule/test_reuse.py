"""Operations that read one element: which they are, against all pairs, and what is near because of them."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from alphaz.analysis.facts.dependences import dependences
from alphaz.mapping.design import Design
from alphaz.mapping.statement import Role
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.request import NONE, Goal, ScheduleEngine, ScheduleRequest
from alphaz.search.schedule.statement_accesses import reuse
from tests.cli.command_line import ask
from tests.search.schedule.proposals import design_of, kernel_design, problem, proposed, rows
from tests.search.schedule.test_problem import Operation, pairs_of

Element = tuple[str, tuple[int, ...]]


def _reads(design: Design, asked: Problem, sizes: dict[str, int]) -> dict[str, list[dict[tuple[int, ...], Element]]]:
    """By statement, for each place where it reads: the element that each operation reads there."""
    results: dict[str, list[dict[tuple[int, ...], Element]]] = {}
    for read in dependences(asked.system, design.checked.facts):
        reader = asked.statements[read.consumer]
        here: dict[tuple[int, ...], Element] = {}
        for point in read.domain.points(sizes):
            at = {**sizes, **dict(zip(read.domain.space.names, point, strict=True))}
            own = point[: reader.domain.space.dimensions] if reader.role is Role.BODY else read.projection.at(at)
            if read.function.outputs:
                here[own] = (read.producer, read.function.at(at))
        results.setdefault(read.consumer, []).append(here)
    return results


def _by_force(design: Design, asked: Problem, sizes: dict[str, int]) -> Iterator[frozenset[Operation]]:
    places = _reads(design, asked, sizes)
    for name, own in places.items():
        for one in own:
            for point, element in one.items():
                for two in own:
                    later = [other for other, theirs in two.items() if theirs == element and other > point]
                    if later:
                        yield frozenset({(name, point), (name, min(later))})
    for here, there in combinations(places, 2):
        for one in places[here]:
            for point, element in one.items():
                for two in places[there]:
                    yield from (
                        frozenset({(here, point), (there, other)}) for other, theirs in two.items() if theirs == element
                    )


@pytest.mark.parametrize("name", ["mvt", "gemm", "jacobi-1d", "lu", "gemver", "durbin"])
def test_what_reads_one_element_is_paired(name: str) -> None:
    design = kernel_design(name)
    asked = problem(design)
    sizes = dict.fromkeys(asked.system.parameters, 4)
    wanted = set(_by_force(design, asked, sizes))
    assert wanted
    assert {frozenset(pair) for pair in pairs_of(reuse(asked), sizes)} == wanted


TWICE = """
affine twice {N | N>0}
input
  double A {i,j | 0<=(i,j)<N};
output
  double X, Y {i,j | 0<=(i,j)<N};
let
  X[i,j] = A[i,j] + 1.0;
  Y[i,j] = 2.0 * A[j,i];
.
"""


@pytest.mark.parametrize("engine", list(ScheduleEngine))
@pytest.mark.parametrize("asked", [True, False])
def test_readers_of_one_matrix_share_their_loops_where_that_is_asked_for(engine: ScheduleEngine, asked: bool) -> None:
    """One of them runs across its result, so that each element of A is read once."""
    proposal = proposed(design_of(TWICE), ScheduleRequest(strategy=NONE, engine=engine, reuse=asked))
    assert proposal.report.is_proved
    dates = [[value for value, _ in rows(proposal, name)] for name in "XY"]
    assert (sorted(dates) == [["i", "j"], ["j", "i"]]) == asked
    first = {str(proposal.dates[name][0].value) for name in "XY"}
    assert (first != {"0", "1"}) == asked


def test_reuse_costs_no_parallel_loop() -> None:
    plain, near = (
        proposed(kernel_design("mvt"), ScheduleRequest(Goal.TILE, strategy=NONE, reuse=item)) for item in (False, True)
    )
    assert [rows(plain, name)[0] for name in plain.dates] == [rows(near, name)[0] for name in near.dates]


def test_the_command_says_that_it_was_asked_for(tmp_path: Path) -> None:
    program = tmp_path / "twice.ab"
    program.write_text(TWICE)
    done = ask("schedule", program, "--strategy", "none", "--reuse")
    assert done.code == 0
    assert "# Found by `alphaz schedule twice.ab --strategy none --reuse`, and proved." in done.out
