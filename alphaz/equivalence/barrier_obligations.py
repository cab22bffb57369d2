"""C7: all threads of a block reach each of its barriers, in the same iterations of the loops around it."""

from collections.abc import Iterator
from functools import partial

from alphaz.equivalence.kernel_obligation import KernelObligation, within
from alphaz.poly import Domain, Formula
from alphaz.poly.plain.space import Space
from alphaz.scop.c_model import CKernel, KernelBarrier


def arrivals(kernel: CKernel) -> Iterator[KernelObligation]:
    for number, barrier in enumerate(kernel.barriers):
        line, _ = barrier.span.position
        yield KernelObligation(
            family="C7",
            claim=f"{reached_by(barrier)} in line {line}",
            violations=partial(_missing, barrier),
            participants=(),
            about=None,
            subjects={"barrier": number},
            stated=partial(_missing_stated, barrier),
            span=barrier.span,
        )


def reached_by(barrier: KernelBarrier) -> str:
    """Returns the sentence that all who wait reach a barrier, or take part in an exchange."""
    if barrier.is_of_warp:
        return "all lanes of a warp reach the barrier or the exchange"
    return "all threads of a block reach the barrier"


def _missing(barrier: KernelBarrier) -> Domain:
    """Returns the arrivals of a thread, with another thread of its block that does not arrive."""
    space = _pairs(barrier)
    there = barrier.domain.embedded(space) & _other(barrier, barrier.members).embedded(space)
    return there - _other(barrier, barrier.domain).embedded(space)


def _missing_stated(barrier: KernelBarrier) -> Formula:
    parts = within(barrier.domain), within(_other(barrier, barrier.members))
    return Formula(_pairs(barrier), (), parts, within(_other(barrier, barrier.domain)))


def _pairs(barrier: KernelBarrier) -> Space:
    space = barrier.domain.space
    return space.with_names((*space.names, *map(_title, barrier.threads)))


def _other(barrier: KernelBarrier, domain: Domain) -> Domain:
    """Returns a set for the other thread."""
    return domain.renamed([_title(name) if name in barrier.threads else name for name in domain.space.names])


def _title(thread: str) -> str:
    return f"{thread}.other"
