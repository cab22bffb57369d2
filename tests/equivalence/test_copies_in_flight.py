"""C8: the accesses before a wait for an asynchronous copy are those that counting groups finds, thread by thread."""

from collections.abc import Iterator

import pytest

from alphaz.equivalence.concrete_instances import Point
from alphaz.equivalence.copies_in_flight import arrivals_of_copies
from alphaz.scop.c_model import CKernel, CopyEvent, KernelLoop, KernelStatement
from tests.cases.proofs import proof_of, verdict_of
from tests.thinning import thinned

SIZES = {"N": 37}
CASES = (
    "no wait",
    "a group that does not end",
    "one group too few",
    "a wait of some threads",
    "a group that ends for some threads",
    "a group that one thread ends for all",
    "a copy behind the end of its group",
    "two copies to one cell",
    "two copies to one cell, one after the other",
    "groups of a loop, of which the last one is not waited for",
    "groups of a loop, waited for one after the other",
    "a wait for all groups, under a condition",
    "a source that is written before the wait",
    "a source that is written after the wait",
)


@pytest.mark.parametrize("name", thinned(CASES))
def test_accesses_to_cells_in_flight_are_those_of_a_count(name: str) -> None:
    proof = verdict_of(proof_of("cuda-copies", name)).proof
    assert proof is not None
    found = set[tuple[object, ...]]()
    for obligation in arrivals_of_copies(proof.kernel):
        copied, other = obligation.subjects["copy"], obligation.subjects["other"]
        assert isinstance(copied, KernelStatement)
        assert isinstance(other, KernelStatement)
        length = len(copied.iterators)
        for point in obligation.violations().points(SIZES):
            if thread(copied, point[:length]) == thread(other, point[length:]):
                found.add((id(copied), point[:length], id(other), point[length:]))
    assert found == set(counted(proof.kernel))


def counted(kernel: CKernel) -> Iterator[tuple[object, ...]]:
    """Yields the copies with later accesses of their thread to one of their cells, in front of a wait for their
    group."""
    for copied in kernel.statements:
        for other in kernel.statements if copied.is_asynchronous else ():
            for here in copied.domain.points(SIZES):
                events = [*events_of(kernel, thread(copied, here))]
                for there in other.domain.points(SIZES):
                    first, last = moment(copied, here), moment(other, there)
                    if thread(other, there) != thread(copied, here) or not first < last:
                        continue
                    if meet(copied, here, other, there) and not is_awaited(events, first, last):
                        yield id(copied), here, id(other), there


def is_awaited(events: list[tuple[Point, int | None]], first: Point, last: Point) -> bool:
    ended = 0
    for when, pending in sorted(events, key=lambda event: event[0]):
        if first < when < last:
            if pending is not None and ended > pending:
                return True
            ended += pending is None
    return False


def events_of(kernel: CKernel, own: Point) -> Iterator[tuple[Point, int | None]]:
    for event in kernel.copy_events:
        for point in event.domain.points(SIZES):
            if thread(event, point) == own:
                yield moment(event, point), event.pending


def meet(copied: KernelStatement, here: Point, other: KernelStatement, there: Point) -> bool:
    one, two = cells(copied, here), cells(other, there)
    return one[0] in two or two[0] in one


def cells(statement: KernelStatement, point: Point) -> list[tuple[str, Point]]:
    values = dict(zip(statement.iterators, point, strict=True)) | SIZES
    accesses = (statement.target, *statement.reads)
    return [(access.array.name, tuple(subscript.at(values) for subscript in access.subscripts)) for access in accesses]


def thread(of: KernelStatement | CopyEvent, point: Point) -> Point:
    return tuple(value for name, value in zip(of.iterators, point, strict=True) if "Idx" in name)


def moment(of: KernelStatement | CopyEvent, point: Point) -> Point:
    values, date = dict(zip(of.iterators, point, strict=True)), tuple[int, ...]()
    for part in of.date:
        date = (*date, part.step * values[part.iterator] if isinstance(part, KernelLoop) else part)
    return date
