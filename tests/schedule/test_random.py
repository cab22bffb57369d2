"""Random recurrences: a schedule is found and proved wherever a search by force finds one."""

from collections import Counter
from random import Random

import pytest

from tests.schedule.fuzz import ENGINES, verdict
from tests.schedule.random_recurrences import recurrence

HALVES = """affine random {N | N>3}
input double A {i | -9<=i<N+9};
output double X {i | 0<=i<N};
let
X[i] = case
  {i | 2i<N && 1<=i} : A[i] + X[i-1];
  {i | 2i>=N && i<=N-2} : A[i] + X[i+1];
  {i | i==0} || {i | i==N-1} : A[i];
esac;
.
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_what_force_finds_is_found(engine: str) -> None:
    seen = Counter(verdict(recurrence(Random(seed)), engine) for seed in range(40))
    assert seen["missed"] == 0
    assert seen["found"] > 20


def test_force_and_the_engines_agree_that_there_is_none() -> None:
    """X[i] from X[i-1] in the lower half and X[i+1] in the upper."""
    assert {verdict(HALVES, engine) for engine in ENGINES} == {"none"}
