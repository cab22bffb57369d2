"""Overlap of messages and work: which mappings have one, how wide the border is, and the executions of these."""

from random import Random

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.diagnostics import Rejected
from alphaz.legality.message_overlap import Border, overlap_of
from alphaz.legality.verify import certify
from alphaz.mapping.resolution import resolve
from alphaz.order.operation_table import operations
from tests.legality.bruteforce import world
from tests.legality.distributed_execution import DistributedExecution
from tests.legality.mapped import Mapped
from tests.legality.test_distribution import mapping
from tests.strategies.distributed_mappings import FLOYD, JACOBI, LCS, LU, POWER, PREFIX, SUMMA

_TWO = ("X", "(t,i -> t,i)")
_JACOBI = mapping(JACOBI).memory(*_TWO, moduli=(2, 0))

FAR = """affine S {N,T | N > 6 && T >= 0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
local int X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0 && 2<=i<N-1} : X[t-1,i-2]+X[t-1,i+1];
    {| t>0 && i<2} || {| t>0 && i==N-1} : X[t-1,i]; esac;
  B[i] = X[T,i];
.
"""
_FAR = Mapped(FAR).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)").distributed(1).memory(*_TWO, moduli=(2, 0))

LEFT = (
    FAR.replace("X[t-1,i-2]+X[t-1,i+1]", "X[t-1,i]+X[t-1,i+1]")
    .replace("2<=i<N-1", "i<N-1")
    .replace("{| t>0 && i<2} || ", "")
)
_LEFT = Mapped(LEFT).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)").distributed(1)


def _overlap(mapped: Mapped) -> Border | str:
    return overlap_of(operations(resolve(mapped.design, mapped.system)))


@pytest.mark.parametrize(
    ("mapped", "border"),
    [
        (_JACOBI, Border((1,), (1,))),
        (_FAR, Border((2,), (1,))),
        (_LEFT, Border((0,), (1,))),
        (mapping(JACOBI).ghosts("X", "(t,i -> t,i)"), Border((1,), (1,))),
    ],
)
def test_the_border_is_as_wide_as_the_reads(mapped: Mapped, border: Border) -> None:
    assert mapped.report().is_proved
    assert _overlap(mapped) == border


@pytest.mark.parametrize(
    ("mapped", "reason"),
    [
        (mapping(JACOBI, ownership="cyclic"), "places are dealt out"),
        (mapping(PREFIX), "the mapping is a pipeline: ranks receive before they compute"),
        (mapping(POWER, 3).kind("1", "R"), "ranks combine the values of Y at the end of a step"),
        (mapping(FLOYD), "a read of a value of another rank may be more than 16 places away"),
        (mapping(LCS, 1).communication("exchange").band(0, 1, sizes=(2, 0)), "steps are tiles"),
        # The cell of X[t-1,i] has X[t,i]: places of a step must keep their order.
        (_LEFT.memory("X", "(t,i -> i)"), "operations of one step at different places depend on each other"),
        # The copy would arrive in a cell that the rank has written in the step before it waits.
        (_JACOBI.memory("X", "(t,i -> t,i+t)", moduli=(0, 0)).ghosts("X", "(t,i -> t+1,i+t)", "X"), "X writes cells"),
    ],
)
def test_mappings_without_overlap(mapped: Mapped, reason: str) -> None:
    result = _overlap(mapped)
    assert isinstance(result, str)
    assert result.startswith(reason)


@pytest.mark.parametrize(("mapped", "size"), [(_JACOBI, {"N": 7, "T": 3}), (_FAR, {"N": 9, "T": 2})])
def test_executions_find_a_border_that_is_too_narrow(mapped: Mapped, size: dict[str, int]) -> None:
    """The same executions find nothing wrong with the border that is proved."""
    border = _overlap(mapped)
    assert isinstance(border, Border)

    def fault(low: int, high: int) -> str:
        there = world(mapped.design, mapped.system, size, resolve(mapped.design, mapped.system).aliases)
        execution = DistributedExecution(there, 1, False, 1, ((low,), (high,)))
        return execution.fault(lambda place: place[0] // 4, Random(1))

    (low,), (high,) = border.low, border.high
    assert not fault(low, high)
    assert fault(low - 1, high)
    assert fault(low, high - 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mapped", "message"),
    [
        (
            mapping(FLOYD).communication("overlap"),
            "messages of S are not overlapped with work: a read of a value of another rank may be more than 16 places",
        ),
        (_JACOBI.communication("broadcast"), "the values of a step are not one message of one place for all ranks"),
        (mapping(PREFIX, ownership="cyclic").communication("pipeline"), "a pipeline needs ranks in the order"),
        (mapping(JACOBI, ownership="cyclic").communication("overlap"), "operations of places that are dealt out have"),
        (
            mapping(SUMMA).distributed(2).time("X", "(i,k -> 0,i,k)").communication("broadcast"),
            "the values of a step are not one message of one row or column of places for all ranks that receive any",
        ),
        (mapping(LU).distributed(2).communication("broadcast"), "the values of a step are not one message of one row"),
        (mapping(JACOBI, ownership="cyclic").processors(2), "a number of ranks for places that are dealt out"),
        (_JACOBI.processors(2, 3), "2 numbers of ranks for 1 distributed dimension"),
    ],
)
def test_requests_that_are_not_possible(mapped: Mapped, message: str) -> None:
    with pytest.raises(Rejected) as rejected:
        scheduled_c(certify(mapped.verified()), "S", target=MPI)
    assert message in {d.message[: len(message)] for d in rejected.value.diagnostics}


def test_an_exchange_of_a_pipeline_is_refuted_and_a_pipeline_of_an_exchange_is_proved() -> None:
    assert "AZ521" in mapping(PREFIX).communication("exchange").refuted()
    assert _JACOBI.communication("pipeline").report().is_proved


@pytest.mark.slow
def test_messages_are_exchanged_before_the_next_step_on_request() -> None:
    def text(mapped: Mapped) -> str:
        return scheduled_c(certify(mapped.verified()), "S", target=MPI).files["S.c"]

    assert "S_border" in text(_JACOBI)
    assert "S_border" not in text(_JACOBI.communication("exchange"))
