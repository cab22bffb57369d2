"""Examples of Reddy (2019): calls as single operations (3.1, 4.3), and a layer of a network (6.1)."""

import pytest

from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.locality import reuse_lost
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import NONE, ScheduleRequest
from tests.search.schedule.proposals import design_of, problem, proposed, rows

PLAIN = ScheduleRequest(strategy=NONE)

# Figure 3.2: each call reads 32 numbers, and writes as many; figure 4.4: each goes through the depth of a volume.
TRANSFORMS = """
affine transform {n | n>0}
input
  double x {i | 0<=i<32};
output
  double y {i | 0<=i<32};
let
  y[i] = reduce(+, [k], {| 0<=k<32} : x[k]);
.
affine transforms {N,M | N>0 && M>0}
input
  double A {r,c,i | 0<=r<N && 0<=c<M && 0<=i<32};
output
  double B {r,c,i | 0<=r<N && 0<=c<M && 0<=i<32};
let
  use {r,c | 0<=r<N && 0<=c<M} transform[N] ((r,c,i->r,c,i)@A) returns (B);
.
"""
VOLUME = """
affine column {D | D>0}
input
  double x {z | 0<=z<D};
output
  double y {z | 0<=z<D};
let
  y[z] = case {| z==0} : x[z]; {| z>0} : x[z] + y[z-1]; esac;
.
affine volume {N,M,D | N>0 && M>0 && D>0}
input
  double A {r,c,z | 0<=r<N && 0<=c<M && 0<=z<D};
output
  double B {r,c,z | 0<=r<N && 0<=c<M && 0<=z<D};
let
  use {r,c | 0<=r<N && 0<=c<M} column[D] ((r,c,z->r,c,z)@A) returns (B);
.
"""


@pytest.mark.parametrize(("system", "text"), [("transforms", TRANSFORMS), ("volume", VOLUME)])
def test_calls_on_rows_of_their_own_run_in_parallel(system: str, text: str) -> None:
    proposal = propose(design_of(text), system, PLAIN, carry_out)
    (name,) = proposal.dates
    assert rows(proposal, name) == [("r", "parallel"), ("c", "parallel")]


SAMPLED = """
affine metres {N,M | N>0 && M>0}
input
  double A {i,j | 0<=i<4N && 0<=j<4M};
output
  double B {y,x | 0<=y<N && 0<=x<M};
let
  B[y,x] = A[4y,4x] / 1000.0;
.
"""


def test_every_fourth_number_of_a_picture_is_taken_in_parallel() -> None:
    assert rows(proposed(design_of(SAMPLED), PLAIN), "B") == [("y", "parallel"), ("x", "parallel")]


# Two pictures of 3 planes, 4 filters of 3 x 3, a step of 2.
LAYER = """
affine layer {N | N>0}
input
  double I {z,k,x,y | 0<=z<2 && 0<=k<3 && 0<=(x,y)<13};
  double W {u,k,i,j | 0<=u<4 && 0<=k<3 && 0<=(i,j)<3};
  double B {u | 0<=u<4};
output
  double O {z,u,x,y | 0<=z<2 && 0<=u<4 && 0<=(x,y)<6};
local
  double S {z,u,x,y | 0<=z<2 && 0<=u<4 && 0<=(x,y)<6};
let
  S[z,u,x,y] = reduce(+, [k,i,j], {| 0<=k<3 && 0<=(i,j)<3} : I[z,k,2x+i,2y+j] * W[u,k,i,j]);
  O[z,u,x,y] = max(0.0, B[u] + S[z,u,x,y]);
.
"""


def test_a_layer_of_a_network_is_parallel_but_for_its_sums() -> None:
    """Weights are used again for each picture and each place (2, 6 and 6 times), the picture by each filter (4)."""
    design = design_of(LAYER)
    proposal = proposed(design, PLAIN)
    assert [kind for _, kind in rows(proposal, "S")] == ["parallel"] * 4 + ["reduction"] * 3
    assert reuse_lost(problem(design), "S") == (2, 4, 6, 6, 3, 3, 3)
