"""Scanning: from domains with dates to the tree of loops that visits their points in the order of the dates; and how
long that may take.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from time import process_time

from alphaz.loops.tree import Block, Conditional, For, Instance, Let, Node, Scan, calls, inside
from alphaz.poly import Domain, OutOfBudget, budget
from alphaz.poly.scanned_loops import Dated, Fixed, Guard, Loop, Scanned, ScanRow, Visit
from alphaz.poly.scanning import scan_loops


@dataclass(slots=True)
class TimeBudget:
    """A budget of processor seconds from now on. `is_lost`: it was exhausted, or the caller gave up."""

    seconds: float = inf
    is_lost: bool = False
    _start: float = field(default_factory=process_time)

    def is_over(self) -> bool:
        """Returns True once the budget is exhausted, and notes it."""
        if process_time() - self._start <= self.seconds:
            return False
        self.is_lost = True
        return True

    def give_up(self) -> None:
        """Ends the budget: something takes too long."""
        self.is_lost = True


# Loops without guards may be this much longer than loops with guards.
_GROWTH = 4
_ENOUGH = 90

# So often each statement may stand in short loops.
_REPEATED = 2

# The budget for separating parts, half a second of isl; a longer separation gives too long a text anyway.
_STEPS = 1_000_000

# And with one loop for everything around the innermost ones, where that took too long.
_FEWER = 500_000

# How many iterations a loop has, where tests are weighed against each other.
_ITERATIONS = 16


def scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    separate: Collection[int] = (),
    whole: Collection[int] = (),
) -> Node:
    """Returns the loops of `alphaz.poly.scanning.scanned`."""
    dates = [Dated(position, one.domain, one.date) for position, one in enumerate(scans)]
    return _node(scan_loops(dates, context, iterators, separate, whole), [one.name for one in scans])


def _node(scanned_loops: Scanned, names: Sequence[str]) -> Node:
    match scanned_loops:
        case Visit(at, arguments):
            return Instance(names[at], arguments)
        case ScanRow(children):
            return Block(tuple(_node(child, names) for child in children))
        case Guard(condition, then, otherwise):
            return Conditional(condition, _node(then, names), None if otherwise is None else _node(otherwise, names))
        case Fixed(iterator, dimension, value, body):
            return Let(iterator, dimension, value, _node(body, names))
        case Loop(iterator, dimension, first, comparison, bound, step, body):
            return For(
                iterator=iterator,
                dimension=dimension,
                first=first,
                comparison=comparison,
                bound=bound,
                step=step,
                body=_node(body, names),
            )


def readable_scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    whole: Collection[int] = (),
    *,
    compact: bool = False,
    patience: TimeBudget | None = None,
) -> Node:
    """Returns the loops, without guards inside them where that does not make them much longer.

    In the dimensions of `whole` there is one loop for all statements. `compact`: prefer guards to length; only the
    innermost loops are split, so that guards are placed around them. Where the separation takes too long there is also
    one loop for all statements around the innermost ones; raises OutOfBudget if that takes too long as well.
    """
    patience = patience or TimeBudget()
    loops = [position for position in range(len(iterators)) if position not in whole]
    innermost = [at for at in loops if not all(one.date[at].is_constant for one in scans)][-1:]
    try:
        if patience.is_over():
            raise OutOfBudget("too late")
        with budget(_STEPS):
            separated = scan(scans, context, iterators, innermost if compact else loops, whole)
        if _size(separated) <= max(_ENOUGH, _GROWTH * len(scans)) and (compact or not _guards(separated)):
            return separated
        with budget(_STEPS):
            plain = scan(scans, context, iterators, whole=whole)
    except OutOfBudget:
        outer_loops = range(innermost[0] if innermost else 0)
        scanner = partial(scan, scans, context, iterators)
        return _scan_within(scanner, {*whole, *outer_loops}, _FEWER, len(iterators), patience)
    longest = _GROWTH * _size(plain) if compact else max(_ENOUGH, _GROWTH * _size(plain))
    return separated if _guards(separated) < _guards(plain) and _size(separated) <= longest else plain


def short_scan(
    scans: Sequence[Scan],
    context: Domain,
    iterators: Sequence[str],
    whole: Collection[int] = (),
    *,
    compact: bool = True,
    patience: TimeBudget | None = None,
) -> Node:
    """Returns the loops in their shortest form, which is always compact, with guards inside them where statements
    differ.

    Where statements begin and end at so many places that they are repeated, there is one loop for all of them, if that
    repeats less, or if the other loops take too long.
    """
    scanner = partial(scan, scans, context, iterators)
    node = _scan_within(scanner, whole, _STEPS, len(iterators), patience or TimeBudget())
    if _calls(node) <= _REPEATED * len(scans):
        return node
    return min((node, scanner(whole=range(len(iterators)))), key=_calls)


def _scan_within(
    scanner: Callable[..., Node], whole: Collection[int], steps: int, dimensions: int, patience: TimeBudget
) -> Node:
    """Returns the scan within so many isl operations, else one loop for all statements in each dimension."""
    try:
        if not patience.is_over():
            with budget(steps):
                return scanner(whole=whole)
    except OutOfBudget:
        patience.give_up()
    return scanner(whole=range(dimensions))


def _calls(node: Node) -> int:
    return sum(1 for _ in calls(node))


def _guards(node: Node, depth: int = 0) -> int:
    """Returns the cost of the tests inside loops: each enclosing loop repeats a test."""
    here = _ITERATIONS**depth - 1 if isinstance(node, Conditional) else 0
    return here + sum(_guards(child, depth + isinstance(node, For)) for child in inside(node))


def _size(node: Node) -> int:
    return 1 + sum(_size(child) for child in inside(node))
