"""Random recurrences: a schedule is found and proved wherever a search by force finds one."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.propose import propose
from alphaz.search.schedule.request import ScheduleRequest
from tests.search.schedule.random_recurrences import recurrence
from tests.strategies.rewritable import program
from tools.fuzz_schedules import ENGINES, verdict

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


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_what_force_finds_is_found(engine: str) -> None:
    seen = Counter(verdict(recurrence(Random(seed)), engine) for seed in range(40))
    assert seen["missed"] == 0
    assert seen["found"] > 20


def test_force_and_the_engines_agree_that_there_is_none() -> None:
    """X[i] from X[i-1] in the lower half and X[i+1] in the upper."""
    assert {verdict(HALVES, engine) for engine in ENGINES} == {"none"}


@pytest.mark.slow
@pytest.mark.parametrize("make", [program, recurrence])
def test_strategies_are_proved_or_say_that_there_is_no_schedule(make: Callable[[Random], str]) -> None:
    """Of what is random: reads outside of what is local, branches, sums, variables that nobody reads."""
    seen: Counter[str] = Counter()
    for seed in range(16):
        try:
            design = Design(read_program(Source("random.ab", make(Random(seed)))))
        except Rejected:
            continue
        for system in design.program.systems:
            try:
                proposal = propose(design, system.name, ScheduleRequest(), carry_out)
            except Rejected as refused:
                seen.update(finding.rule.code for finding in refused.diagnostics)
                continue
            design = proposal.design
            seen["proved" if proposal.report.is_proved else "not proved"] += 1
    assert seen["proved"] > 8
    assert set(seen) <= {"proved", "AZ511"}
