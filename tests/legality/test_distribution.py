"""Distributed mappings: which are proved, which rule refutes the others, and random ones against executions."""

from random import Random

import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.registry import TARGETS
from alphaz.diagnostics import Rejected
from alphaz.legality.verify import certify
from tests.legality.distributed_agreement import compare_distributed
from tests.legality.mapped import Mapped
from tests.legality.test_rules import stencil
from tests.strategies.distributed_mappings import FLOYD, JACOBI, LCS, LU, POWER, PREFIX, Example, distributed_sample
from tests.thinning import thinned


def mapping(example: Example, number: int = 0, ownership: str = "block", block: int = 0) -> Mapped:
    """The dates of the example, distributed."""
    result, dates = Mapped(example.text), example.mappings[number]
    for name, date in dates.items():
        result = result.time(name, f"({date.indices} -> {','.join((*date.steps, date.place, *date.order))})")
    return result.distributed(len(next(iter(dates.values())).steps), ownership, block)


@pytest.mark.parametrize(
    "mapped",
    [
        mapping(JACOBI).memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(JACOBI, ownership="cyclic").memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(JACOBI, 1).memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(JACOBI, 1).memory("X", "(t,i -> i-t)"),
        mapping(LCS).memory("C", "(i,j -> i,j)", moduli=(2, 0)),
        mapping(PREFIX),
        mapping(FLOYD, ownership="cyclic")
        .memory("F", "(k,i,j -> k,i,j)", moduli=(2, 0, 0))
        .ghosts("F", "(k,i,j -> j)"),
        mapping(LU, ownership="cyclic").ghosts("W", "(k,i,j -> j)"),
        mapping(POWER).memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(POWER, 3).kind("1", "R"),
        mapping(POWER, 3, ownership="cyclic").kind("1", "R").memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(JACOBI, 3).band(0, 1, sizes=(8, 16)).memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(LCS).band(0, 1, sizes=(16, 0)).memory("C", "(i,j -> i,j)", moduli=(17, 0)),
        mapping(JACOBI, ownership="cyclic").band(0, 1, sizes=(1, 4)).memory("X", "(t,i -> t,i)", moduli=(2, 0)),
        mapping(FLOYD, ownership="cyclic").distributed(1, "cyclic").band(1, 2, sizes=(4, 4)),
        mapping(FLOYD).distributed(2).band(1, 2, sizes=(4, 4)),
    ],
)
def test_proved(mapped: Mapped) -> None:
    assert mapped.report().is_proved, mapped.refuted()


@pytest.mark.parametrize(
    ("mapped", "code", "witness"),
    [
        (
            mapping(PREFIX, ownership="cyclic"),
            "AZ521",
            "N=2: P[1], at (1,0) on the rank of place 1, reads P[0] of the rank of place 0, which is written at (0,0),"
            " and sent at the end",
        ),
        (
            mapping(POWER, 3),
            "AZ522",
            "N=2, T=1: Y.body[1,0,0], at (1,0,0), and Y.body[1,0,1], at (1,1,0), write Y[1,0], on different ranks",
        ),
        (
            mapping(JACOBI).ghosts("X", "(t,i -> 0)"),
            "AZ622",
            "N=3, T=1: X[1,1], at (1,1) on rank [1,2), reads the received copy of X[0,0] of rank [0,1), but that of"
            " X[0,2] of rank [2,3), for X[1,1], at (1,1), arrives in the same cell X_ghost[0] before",
        ),
        (
            mapping(JACOBI).ghosts("X", "(t,i -> t,0)", "X"),
            "AZ622",
            "N=3, T=1: X[0,0], which is written at (0,0) on rank [0,2), is read by X[1,0], at (1,0), but the received"
            " copy of X[0,2] of rank [2,3), for X[1,1], at (1,1), overwrites its cell X[0,0]",
        ),
        (
            mapping(JACOBI).band(0, 1, sizes=(2, 8)),
            "AZ521",
            "N=3, T=1: X[1,1], at (1,1) on rank [1,2), reads X[0,2] of rank [2,3), which is written at (0,2), and sent"
            " after step (0), from higher places: the ranks wait for each other",
        ),
        (
            mapping(LCS).band(0, 1, sizes=(4, 0)).memory("C", "(i,j -> i,j)", moduli=(4, 0)),
            "AZ622",
            "N=8: C[4,1], at (4,1) on rank [1,2), reads the received copy of C[3,0] of rank [0,1), but that of C[7,0]"
            " of rank [0,1), for C[8,1], at (8,1), arrives in the same cell C[3,0] before",
        ),
        (
            mapping(JACOBI, 3).band(0, 1, sizes=(4, 4)).memory("X", "(t,i -> t,i+t)", moduli=(2, 0)),
            "AZ621",
            "is sent after step (0) to",
        ),
    ],
)
def test_refuted(mapped: Mapped, code: str, witness: str) -> None:
    assert any(witness in text for text in mapped.refuted()[code])


def test_a_value_that_is_sent_must_be_kept_to_the_end_of_its_step() -> None:
    assert "AZ621" in mapping(JACOBI, 1).memory("X", "(t,i -> t,i+t)", moduli=(2, 0)).refuted()


@pytest.mark.parametrize(("ownership", "codes"), [("block", []), ("cyclic", ["AZ622"])])
def test_a_rank_with_any_places_needs_more_ghosts_than_one_with_an_interval(ownership: str, codes: list[str]) -> None:
    """Of an interval each step receives one value, on its left."""
    dates = stencil().memory("X", "(t,i -> t,i)", moduli=(2, 0)).ghosts("X", "(t,i -> 0)")
    assert sorted(dates.distributed(1, ownership).refuted()) == codes


def test_a_sum_that_other_ranks_read_is_accumulated_in_one_step() -> None:
    assert any("contribute in different steps" in text for text in mapping(POWER, 2).refuted()["AZ522"])


def test_ranks_combine_a_value_at_the_end_of_one_step() -> None:
    sums = Mapped(
        """affine S {N | N > 0}
input int A {i,j | 0<=i<N && 0<=j<N};
output int y {i | 0<=i<N};
let y[i] = reduce(+, [j], {| 0<=j<N} : A[i,j]);
."""
    )
    assert sums.time("y", "(i,j -> i,j)").distributed(1).kind("1", "R").report().is_proved
    dates = sums.time("y", "(i,j -> j,j)").distributed(1).kind("1", "R")
    assert "contribute to y[0] in different steps" in dates.refuted()["AZ522"][0]


@pytest.mark.parametrize(
    ("mapped", "message"),
    [
        (mapping(JACOBI).kind("0", "P"), "dimension 0 is PARALLEL for B, and lies before the distributed dimension"),
        (mapping(POWER).kind("2", "R"), "Y.body has a reduction dimension that is not the first distributed one"),
        (
            mapping(POWER, 3).kind("1", "R").memory("Y", "(t,i -> i)"),
            "Y is combined from contributions of several ranks",
        ),
        (
            mapping(POWER, 3).kind("1", "R").memory("Y", "(t,i -> t,i)", "X"),
            "Y is combined from contributions of several",
        ),
        (
            mapping(POWER, 3).kind("1", "R").ghosts("Y", "(t,i -> t,i)"),
            "Y is combined from contributions of several ranks",
        ),
        (
            mapping(POWER, 3).kind("1", "R").ghosts("X", "(t,i -> t,i)", "Y"),
            "Y is combined from contributions of several",
        ),
        (mapping(JACOBI).band(0, 1), "the tiles that are steps have a size that is a parameter"),
        (mapping(JACOBI).band(0, 0, sizes=(2,)), "the distributed dimension is not in the band of tiles around it"),
        (mapping(JACOBI).band(0, 1, sizes=(2, 2), wavefront=True), "tiles in wavefronts, or recursive ones, are"),
        (mapping(JACOBI).band(0, 1, sizes=(2, 2), recursive=True), "tiles in wavefronts, or recursive ones, are"),
        (mapping(JACOBI).band(0, 1, sizes=(2, 2)).band(1, 1, sizes=(2,)), "two bands of tiles have the distributed"),
        (mapping(POWER, 3).kind("1", "R").band(0, 2, sizes=(1, 2, 2)), "ranks combine the values of Y, and the"),
        (mapping(JACOBI).register(1, 4), "register tiles in a distributed mapping"),
        (
            mapping(JACOBI).distributed(0, "cyclic"),
            "two ways to share places, or two dimensions that are no",
        ),
        (mapping(JACOBI).ghosts("A", "(i -> i)"), "the input A is not received: it is there from the start on every"),
        (Mapped(JACOBI.text).distributed(2), "there is no dimension 2: the dates have 2, counted from 0"),
        (
            Mapped(JACOBI.text).time("X", "(t,i -> t,i)").time("B", "(i -> T+1,i)").distributed(0, prefix=(7,)),
            "the operations of B have no place: its dates begin with none of the prefixes",
        ),
    ],
)
def test_mappings_that_cannot_be_distributed(mapped: Mapped, message: str) -> None:
    assert mapped.report().findings[0].message.startswith(message)


def test_a_ghost_map_without_ranks_has_no_effect() -> None:
    plain = Mapped(PREFIX.text).time("P", "(i -> i,0)").time("B", "(i -> i,1)").ghosts("P", "(i -> i)")
    assert plain.codes() == ["AZ408"]


@pytest.mark.parametrize("target", [t for t in TARGETS.values() if not t.has_ranks])
def test_targets_without_ranks_refuse_it(target: object) -> None:
    verdict = mapping(PREFIX).verified()
    with pytest.raises(Rejected, match="has no ranks"):
        scheduled_c(certify(verdict), "S", target=target)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", thinned(range(15)))
def test_random_mappings_that_are_proved_never_go_wrong(case: int) -> None:
    random = Random(f"suite/{case}")
    result = compare_distributed(distributed_sample(random), random)
    assert not result.is_wrong, result.fault
    assert result.kind in ("proved", "refuted", "invalid")
