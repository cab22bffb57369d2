"""The edges of a program, against what it reads point by point."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.facts.dependences import dependences
from alphaz.mapping.design import Design
from alphaz.mapping.statement import Role
from alphaz.poly.scheduling.band_schedules import DependenceEdge
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.request import NONE, ScheduleRequest, with_memory
from alphaz.search.schedule.script_lines import Line
from tests.search.schedule.proposals import design_of, kernel_design, only_system, problem, proposed
from tests.strategies.rewritable import program

Operation = tuple[str, tuple[int, ...]]


def pairs_of(edges: tuple[DependenceEdge, ...], parameters: dict[str, int]) -> set[tuple[Operation, Operation]]:
    results: set[tuple[Operation, Operation]] = set()
    for edge in edges:
        source, target = edge.relation.source.dimensions, edge.relation.target.dimensions
        names = [f"x{at}" for at in range(source)] + [f"y{at}" for at in range(target)]
        for point in edge.relation.pairs(names).points(parameters):
            results.add(((edge.source, point[:source]), (edge.target, point[source:])))
    return results


def _by_force(design: Design, asked: Problem, parameters: dict[str, int]) -> Iterator[tuple[Operation, Operation]]:
    """Returns the pairs of writer and reader of the program, by enumeration with plain integers."""
    writers: dict[Operation, list[Operation]] = {}
    for name, statement in asked.statements.items():
        for point in statement.domain.points(parameters):
            at = {**parameters, **dict(zip(statement.domain.space.names, point, strict=True))}
            writers.setdefault((name, statement.target.at(at)), []).append((name, point))
    for read in dependences(asked.system, design.checked.facts):
        reader = asked.statements[read.consumer]
        for point in read.domain.points(parameters):
            at = {**parameters, **dict(zip(read.domain.space.names, point, strict=True))}
            own = point[: reader.domain.space.dimensions] if reader.role is Role.BODY else read.projection.at(at)
            for writer in writers.get((read.producer, read.function.at(at)), ()):
                yield writer, (read.consumer, own)


@pytest.mark.parametrize("name", ["gemm", "lu", "nussinov", "jacobi-1d", "durbin", "adi", "covariance"])
def test_a_reader_comes_after_all_that_writes_what_it_reads(name: str) -> None:
    design = kernel_design(name)
    asked = problem(design)
    parameters = dict.fromkeys(asked.system.parameters, 4)
    wanted = set(_by_force(design, asked, parameters))
    assert wanted
    assert pairs_of(asked.flow, parameters) == wanted


@pytest.mark.slow
@given(seed=st.integers(0, 2**20))
@settings(max_examples=25, deadline=None)
def test_the_same_of_random_programs(seed: int) -> None:
    design = design_of(program(Random(seed)))
    for system in design.program.systems:
        asked = problem_of(design, system.name)
        for size in (1, 3):
            parameters = dict.fromkeys(asked.system.parameters, size)
            assert pairs_of(asked.flow, parameters) == set(_by_force(design, asked, parameters))


def test_contributions_to_one_result_follow_each_other() -> None:
    asked = problem(kernel_design("gemm"))
    pairs = pairs_of(asked.order, {"NI": 1, "NJ": 2, "NK": 3})
    chains = {(0, j, k): (0, j, k + 1) for j in range(2) for k in range(2)}
    assert pairs == {(("NR_C", before), ("NR_C", after)) for before, after in chains.items()}


def test_a_call_waits_for_all_that_the_callee_reads() -> None:
    design = design_of("""
affine mean {n | n>0}
input
  double x {i | 0<=i<2n};
output
  double y;
let
  y = reduce(+, [i], {| 0<=i<n} : x[i]);
.
affine means {N,M | N>0 && M>0}
input
  double A {r,i | 0<=r<M && 0<=i<2N};
output
  double Y {r | 0<=r<M};
local
  double X {r,i | 0<=r<M && 0<=i<2N};
let
  X[r,i] = 2 * A[r,i];
  use {r | 0<=r<M} mean[N] ((r,i->r,i)@X) returns (Y);
.
""")
    asked = problem_of(design, "means")
    assert pairs_of(asked.flow, {"N": 2, "M": 2}) == {
        (("X", (r, i)), ("UseEquation_Y", (r,))) for r in range(2) for i in range(2)
    }
    assert only_system(kernel_design("gemm")) == "gemm"


@pytest.mark.parametrize("cells", [("(t,i -> t,i)", "2,0"), ("(t,i -> i-t)",), ("(t,i -> t,i)", "3,0")])
def test_readers_come_before_the_next_writer_of_a_cell(cells: tuple[str, ...]) -> None:
    """Against all pairs of points, in the order of the dates."""
    design = carry_out(kernel_design("jacobi-1d"), "jacobi-1d", Line("setMemoryMap", ("X", *cells)))
    asked = problem(design)
    proposal = proposed(kernel_design("jacobi-1d"), ScheduleRequest(strategy=NONE))
    ordered = with_memory(asked, proposal.dates)
    assert ordered is not None
    parameters = {"N": 4, "T": 3}
    value = pairs_of(ordered.flow, parameters) - pairs_of(asked.flow, parameters)

    def cell(t: int, i: int) -> tuple[int, ...]:
        return (i - t,) if "i-t" in cells[0] else (t % int(cells[1][0]), i)

    def date(t: int, i: int) -> tuple[int, ...]:
        at = {**parameters, "t": t, "i": i}
        return tuple(c.value.at(at) for c in proposal.dates["X"])

    points = list(asked.statements["X"].domain.points(parameters))
    following: dict[Operation, Operation] = {}
    for t, i in points:
        later = [p for p in points if date(*p) > date(t, i) and cell(*p) == cell(t, i)]
        if later:
            following["X", (t, i)] = ("X", min(later, key=lambda p: date(*p)))
    wanted = set(following.items())
    for source, target in pairs_of(asked.flow, parameters):
        if source in following and following[source] != target:
            wanted.add((target, following[source]))
    assert value == wanted - pairs_of(asked.flow, parameters)
