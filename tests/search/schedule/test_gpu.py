"""Mappings for a GPU that are found: what they choose, and that a wrong one is never chosen."""

from collections.abc import Iterator

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.driver.generated_cuda import estimated
from alphaz.machine import GPUS
from alphaz.mapping.design import Design
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.gpu import search
from alphaz.search.schedule.gpu.search import GpuRequest, propose_gpu
from alphaz.search.schedule.propose import Proposal
from alphaz.search.schedule.request import ScheduleRequest
from alphaz.search.schedule.script_lines import Line

COLUMNS = """affine f {N | N>=1} input double a {i,j | 0<=i<N && 0<=j<N};
output double b {i,j | 0<=i<N && 0<=j<N}; let b[i,j] = 2.0 * a[i,j]; .
"""
CHAIN = """affine f {N | N>=2} input double a {i | 0<=i<N}; output double b {i | 0<=i<N};
let b[i] = case {| i==0}: a[0]; {| i>0}: b[i-1] + a[i]; esac; .
"""
SUM = """affine f {N | N>=0} input double x {i | 0<=i<N}; output double s;
let s[] = reduce(+, [i], {| 0<=i<N}: x[i]); .
"""


def _found(program: str, trials: int = 32) -> Proposal:
    request = GpuRequest(
        trials=trials,
        estimates=lambda verdict, values: estimated(verdict, values, GPUS["h100"]),
        sizes={"N": 2000},
    )
    return propose_gpu(Design(read_program(Source("f.ab", program))), "f", ScheduleRequest(), request, carry_out)


def _lines(proposal: Proposal, command: str) -> list[tuple[str | int, ...]]:
    return [line.arguments for line in proposal.lines if line.command == command]


@pytest.mark.slow
def test_threads_along_x_access_adjacent_elements() -> None:
    found = _found(COLUMNS)
    assert _lines(found, "setBlockDimensions") == [("", "0,1", "y,x")]
    assert found.report.is_proved
    assert any(attempt.tried.startswith("b: a thread for each element") for attempt in found.attempts)


@pytest.mark.slow
def test_threads_of_all_blocks_share_a_sum() -> None:
    found = _found(SUM)
    assert _lines(found, "setReductionOver") == [("", 0, "partials")]
    assert found.report.is_proved


@pytest.mark.slow
def test_no_more_mappings_are_tried_than_allowed() -> None:
    found = _found(COLUMNS, trials=2)
    outcomes = [attempt.outcome for attempt in found.attempts if attempt.tried.startswith("b: a thread")]
    assert [outcome for outcome in outcomes if not outcome.startswith("proved")] == ["left out after 2 mappings"]
    assert found.report.is_proved


def test_a_wrong_mapping_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search proposes that all rows are parallel, although one carries a dependence."""

    def all_parallel(dates: Dates) -> Iterator[Line]:
        for at in range(max(map(len, dates.values()))):
            yield Line("setDimensionType", (", ".join(dates), at, "P"))

    monkeypatch.setattr(search, "kind_lines", all_parallel)
    with pytest.raises(Rejected) as refused:
        _found(CHAIN)
    (finding,) = refused.value.diagnostics
    assert finding.rule.code == "AZ511"
    assert all("not proved" in note for note in finding.notes)
