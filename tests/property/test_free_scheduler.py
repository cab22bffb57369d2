"""The program of the earliest dates computes the longest chains of reads, which brute force finds too."""

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.analysis.facts.dependences import dependences
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.model.interpreter.evaluate import evaluate
from alphaz.poly.algorithms.bounds import box_of
from alphaz.transform.systems.free_schedule import free_scheduler
from alphaz.transform.systems.inline_system import inline_subsystem
from tests.strategies.rewritable import program

Point = tuple[str, tuple[int, ...]]


def _dates(design: Design, system: str, parameters: dict[str, int]) -> dict[Point, int]:
    """By the definition: one more than the latest date of the computed values that a value needs."""
    home = design.system(system)
    inputs = {v.name for v in home.inputs}
    needs: dict[Point, set[Point]] = {}
    for edge in dependences(home, design.checked.facts):
        if edge.producer in inputs:
            continue
        for point in edge.domain.points(parameters):
            here = {**parameters, **dict(zip(edge.domain.space.names, point, strict=True))}
            reader = (edge.consumer, edge.projection.at(here))
            needs.setdefault(reader, set()).add((edge.producer, edge.function.at(here)))

    @cache
    def date(point: Point) -> int:
        return max((date(other) + 1 for other in needs.get(point, ())), default=0)

    return {
        (v.name, point): date((v.name, point))
        for v in (*home.outputs, *home.locals)
        for point in v.domain.in_context(home.context).points(parameters)
    }


def _compare(design: Design, system: str, parameters: dict[str, int]) -> int:
    """Both ways; the number of dates that are not 0."""
    dated = free_scheduler(design)
    values = evaluate(dated.program, dated.checked.facts, f"date_{system}", parameters, {})
    wanted = _dates(design, system, parameters)
    for (name, point), date in wanted.items():
        lower = box_of(design.system(system).variable(name).domain, parameters).lower
        at = tuple(z - low for z, low in zip(point, lower, strict=True))
        assert values[f"date_{name}"][at] == date, (name, point, parameters)
    return sum(date > 0 for date in wanted.values())


@pytest.mark.slow
@given(seed=st.integers(0, 2**20))
@settings(max_examples=8, deadline=None)
def test_dates_are_the_longest_chains(seed: int) -> None:
    design = Design(read_program(Source("test.ab", program(Random(seed)))))
    for size in (1, 4):
        _compare(design, "test", {"N": size})


CHAIN = """affine chain {N | N>0}
input int A {i | 0<=i<N};
output int B {i,j | 0<=i<N && 0<=j<=i}; int Most;
local int S {i | 0<=i<N};
let
  S[i] = reduce(+, [k], {| 0<=k<i}: S[k] * A[k]);
  B[i,j] = case {| j==0}: S[i]; {| j>0}: B[i,j-1] + S[i-j]; esac;
  Most = reduce(max, [i,j], {| j==i}: B[i,j]);
.
"""


def test_dates_of_recurrences_and_reductions() -> None:
    design = Design(read_program(Source("chain.ab", CHAIN)))
    assert _compare(design, "chain", {"N": 5}) > 10


CALLS = """affine step {K | K>0}
input int X {i | 0<=i<K};
output int Y {i | 0<=i<K};
let Y[i] = case {| i==0}: X[0]; {| i>0}: Y[i-1] + X[i]; esac;
.
affine twice {N | N>0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
local int L {i | 0<=i<N};
let
  use step[N](A) returns (L);
  use step[N](L) returns (B);
.
"""


@pytest.mark.parametrize("size", [1, 4])
def test_dates_go_through_calls(size: int) -> None:
    """As in the one system that the calls make when they are put in."""
    design = Design(read_program(Source("calls.ab", CALLS)))
    dated = free_scheduler(design)
    values = evaluate(dated.program, dated.checked.facts, "date_twice", {"N": size}, {})
    flat = inline_subsystem(inline_subsystem(design, "twice", "UseEquation_L"), "twice", "UseEquation_B")
    wanted = _dates(flat, "twice", {"N": size})
    np.testing.assert_array_equal(values["date_B"], [wanted["B", (i,)] for i in range(size)])
    np.testing.assert_array_equal(values["date_L"], [wanted["L", (i,)] for i in range(size)])
