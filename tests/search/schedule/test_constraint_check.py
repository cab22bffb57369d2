"""Strategies respect the constraints of the request."""

import pytest

from alphaz.diagnostics import Rejected
from alphaz.search.schedule.ilp.cost import COSTS
from alphaz.search.schedule.request import NONE, Fuse, ScheduleEngine, ScheduleRequest, shared_loops
from tests.search.schedule.proposals import design_of, proposed

CHAIN = """affine chain {N | N>=5}
input
  float x {i,j | 0<=(i,j)<N};
output
  float z {i,j | 2<=(i,j)<N-2};
local
  float rows {i,j | 2<=i<N-2 && 0<=j<N};
  float both {i,j | 2<=(i,j)<N-2};
let
  rows[i,j] = x[i-2,j] + x[i,j] + x[i+2,j];
  both[i,j] = rows[i,j-2] + rows[i,j] + rows[i,j+2];
  z[i,j] = x[i,j] - both[i,j];
."""
SWEEPS = """affine sweeps {N,T | N>=4 && T>=1}
input
  double x {i | 0<=i<N};
output
  double y {i | 0<=i<N};
local
  double u {t,i | 0<=t<=T && 0<=i<N};
let
  u[t,i] = case
    {| t==0} : x[i];
    {| t>0 && i==0} || {| t>0 && i==N-1} : u[t-1,i];
    {| t>0 && 0<i<N-1} : 0.33 * (u[t,i-1] + u[t-1,i] + u[t-1,i+1]);
  esac;
  y[i] = u[T,i];
."""


def _schedule_request(constraints: str) -> ScheduleRequest:
    return ScheduleRequest(engine=ScheduleEngine.ILP, constraints=constraints)


@pytest.mark.slow
def test_a_strategy_puts_nothing_together_that_was_to_be_apart() -> None:
    freely = proposed(design_of(CHAIN)).dates
    assert shared_loops(freely, "rows", "both") == 1
    apart = proposed(design_of(CHAIN), _schedule_request("separate rows, both")).dates
    assert shared_loops(apart, "rows", "both") == 0
    alone = proposed(design_of(CHAIN), ScheduleRequest(fuse=Fuse.NO)).dates
    assert {shared_loops(alone, one, two) for one in alone for two in alone if one != two} == {0}


def test_a_strategy_keeps_together_what_was_to_share_loops() -> None:
    freely = proposed(design_of(SWEEPS), ScheduleRequest(engine=ScheduleEngine.ILP)).dates
    assert shared_loops(freely, "u", "y") == 0
    assert shared_loops(proposed(design_of(SWEEPS), _schedule_request("fuse u, y 2")).dates, "u", "y") == 2


def test_more_loops_than_there_are_cannot_be_shared() -> None:
    with pytest.raises(Rejected) as refused:
        proposed(design_of(SWEEPS), _schedule_request("fuse u, y 3"))
    assert refused.value.diagnostics[0].message == "fuse u, y 3 conflicts with u -> y"


def test_what_keeps_two_statements_together_is_a_circle_and_nothing_else() -> None:
    through = SWEEPS.replace("double u ", "double v, u ").replace("u[t,i-1]", "v[t,i-1]")
    text = through.replace("let", "let v[t,i] = u[t,i];")
    with pytest.raises(Rejected) as refused:
        proposed(design_of(text), _schedule_request("separate u, v"))
    assert refused.value.diagnostics[0].message == "separate u, v conflicts with u -> v, v -> u"


@pytest.mark.parametrize(("cost", "bound"), [("pluto", "1"), ("feautrier", "None")])
def test_a_bound_is_said_where_it_was_made_small(cost: str, bound: str) -> None:
    proposal = proposed(
        design_of(SWEEPS),
        ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP, cost=COSTS[cost], constraints="fuse u, y 2"),
    )
    assert str(next(row for row in proposal.dates["u"] if row.is_row).bound) == bound
