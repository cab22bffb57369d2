"""Data races by plain integers: two instances of a text, in different iterations of one parallel loop, of which one
writes a cell that the other accesses.

The obligations C6 ask for the absence of races, from the order of the text. That they fail is no proof of a race, since
they count an access where it only may happen, and an order that a schedule may imply. A race found here has neither of
these: its behaviour is undefined, whatever a run of it computes (OpenMP 5.2, 1.4.1).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain, islice

from alphaz.equivalence.bounds_and_race_obligations import is_shielded, read_exactly
from alphaz.equivalence.concrete_execution import Cell, ConcreteExecution, inputs_of, inputs_text
from alphaz.equivalence.concrete_instances import InstanceFormula, Point, TooMany
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.equivalence.participant import participant, unordered
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.supported_pragmas import has_master, limits_teams, limits_threads
from alphaz.scop.value_tree import chooses, is_lazy

_MOST_PAIRS = 200_000
_DIRECTIVE = re.compile(r"#[ \t]*pragma[ \t]+omp\b(?:\\\n|[^\n])*\s*\Z")
_DYNAMIC = re.compile(r"\bschedule[ \t]*\([^)]*\b(?:dynamic|guided)\b")
# Where data decides which accesses happen, so many instances are executed for each of the inputs.
_MOST_EXECUTED = 2_000


@dataclass(frozen=True, slots=True)
class RacingAccess:
    """One of the two accesses: the statement and the values of its iterators."""

    step: ConcreteStep
    point: Point
    access: ArrayAccess
    is_write: bool

    @property
    def instance(self) -> Mapping[str, int]:
        """Returns the values of the iterators that are names of the text."""
        return dict(zip(self.step.statement.iterators, self.point, strict=True))


@dataclass(frozen=True, slots=True)
class Race:
    """Two conflicting accesses to a cell by different iterations of `loop`, or (None) by different constructs of a
    parallel region without a barrier between them, for these parameters, and for these `inputs`, in words, if data
    decides about the accesses."""

    parameters: Mapping[str, int]
    loop: KernelLoop | None
    one: RacingAccess
    other: RacingAccess
    inputs: str = ""


def race_in(kernel: CKernel, parameter_sets: Iterable[Mapping[str, int]]) -> Race | None:
    """Returns a race for the first parameters that have one. None: none was found, though there may be one."""
    loops = (part for statement in kernel.statements for part in statement.date if isinstance(part, KernelLoop))
    is_region = any(statement.share is not None for statement in kernel.statements)
    if all(loop.kind is not LoopKind.PARALLEL for loop in loops) and not is_region:
        return None
    if limits_teams(kernel.source.text):
        return None
    sizes = read_exactly(kernel, parameter_sets)
    has_chunks = limits_threads(kernel.source.text)
    return next(filter(None, (_race_at(kernel, parameters, has_chunks=has_chunks) for parameters in sizes)), None)


def _race_at(kernel: CKernel, parameters: Mapping[str, int], *, has_chunks: bool = False) -> Race | None:
    try:
        steps, _ = in_order(kernel, parameters)
    except TooMany:
        return None
    plain = [(step, point) for step, point in steps if not chooses(step.statement.value)]
    certain = (found for step, point in plain for found in accesses_of(step, point))
    if (race := _race_of(kernel, parameters, certain, has_chunks=has_chunks)) is not None:
        return race
    if len(steps) > _MOST_EXECUTED or len(plain) == len(steps):
        return None
    labels = {name: array.label for name, array in kernel.arrays.items()}
    for inputs in inputs_of(kernel):
        execution = ConcreteExecution.of(kernel, inputs)
        executed = list(_happening(execution, steps))
        if (race := _race_of(kernel, parameters, executed, has_chunks=has_chunks)) is not None:
            return replace(race, inputs=inputs_text(execution.used, labels))
    return None


def _race_of(
    kernel: CKernel, parameters: Mapping[str, int], accesses: Iterable[tuple[Cell, RacingAccess]], *, has_chunks: bool
) -> Race | None:
    """Returns a race among these accesses. `has_chunks`: one thread may have all iterations of a loop."""
    constructs = _Constructs(has_master(kernel.source.text), has_chunks, frozenset(kernel.collecting))
    for one, other in conflicts(accesses):
        if not has_chunks and (loop := _parted(one, other)) is not None:
            return Race(parameters, loop, one, other)
        if (race := constructs.race(one, other)) is not None:
            return Race(parameters, None, *race)
    return None


def _happening(
    execution: ConcreteExecution, steps: Iterable[tuple[ConcreteStep, Point]]
) -> Iterator[tuple[Cell, RacingAccess]]:
    """Yields the accesses that happen in an execution, each with its cell."""
    for step, point, numbers in execution.accesses(steps):
        cells = (step.target, *step.reads)
        for number in sorted(numbers):
            if not cells[number].access.array.is_stale:
                yield cells[number].at(point), RacingAccess(step, point, cells[number].access, number == 0)


def conflicts(found: Iterable[tuple[Cell, RacingAccess]]) -> Iterator[tuple[RacingAccess, RacingAccess]]:
    """Yields pairs of accesses to one cell, at least one a write; not all, if there are many."""
    accesses: dict[Cell, list[RacingAccess]] = {}
    for cell, access in found:
        accesses.setdefault(cell, []).append(access)
    private = {array for (array, _), own in accesses.items() if own[0].access.array.is_exchanged}
    racing = (own for (array, _), own in accesses.items() if array not in private)
    return islice(chain.from_iterable(map(_pairs_of, racing)), _MOST_PAIRS)


def accesses_of(step: ConcreteStep, point: Point) -> Iterator[tuple[Cell, RacingAccess]]:
    """Yields the accesses that certainly happen, each with its cell."""
    statement = step.statement
    if statement.is_there or is_lazy(statement.value):
        return
    for number, cell in enumerate((step.target, *step.reads)):
        if not cell.access.array.is_stale:
            yield cell.at(point), RacingAccess(step, point, cell.access, number == 0)


def _pairs_of(accesses: Sequence[RacingAccess]) -> Iterator[tuple[RacingAccess, RacingAccess]]:
    """Yields pairs of accesses to one cell, at least one a write, those of near instances first."""
    writes = [position for position, access in enumerate(accesses) if access.is_write]
    for at in writes:
        for distance in range(1, len(accesses)):
            for other in (at + distance, at - distance):
                if 0 <= other < len(accesses):
                    yield accesses[min(at, other)], accesses[max(at, other)]


def _parted(one: RacingAccess, other: RacingAccess) -> KernelLoop | None:
    """Returns the parallel loop of which the accesses are in different iterations that nothing orders."""
    point = (*one.point, *other.point)
    for loop, tests in _open_iterations(one.step.statement, other.step.statement, one.access, other.access):
        if all(test.at(point) == 0 if is_equal else test.at(point) >= 0 for test, is_equal in tests):
            return loop
    return None


@lru_cache(maxsize=4096)
def _open_iterations(
    left: KernelStatement, right: KernelStatement, one: ArrayAccess, other: ArrayAccess
) -> tuple[tuple[KernelLoop, tuple[tuple[InstanceFormula, bool], ...]], ...]:
    """Returns the parallel loops whose iterations nothing orders, with the conditions on two instances under which
    these are in different ones, over the iterators of both."""
    x, y = participant("x", left), participant("y", right)
    names, iterations = (*x.names.values(), *y.names.values()), []
    for where, at in unordered(x, y):
        *around, loop = left.date[: at + 1]
        if not isinstance(loop, KernelLoop) or loop.kind is not LoopKind.PARALLEL or _has_team(around):
            continue
        if not is_shielded(left, right, one, other, at):
            tests = ((InstanceFormula.of(c.affine, names, {}), c.equality) for c in where)
            iterations.append((loop, tuple(tests)))
    return tuple(iterations)


_Conflict = tuple[RacingAccess, RacingAccess]


@dataclass(slots=True)
class _Constructs:
    """The conflicts of constructs of a parallel region that no barrier separates.

    Static schedules promise that two loops of the same number of iterations give those of the same number to one
    thread: that does not hold for two different distances of iterations. `master` (`has_master`) names the thread of a
    block, and so, perhaps, of one iteration. Statements that are `collecting` are not at their place in the text.
    `noted` has the distances of conflicts so far.
    """

    has_master: bool
    has_chunks: bool
    collecting: frozenset[KernelStatement]
    noted: dict[tuple[KernelStatement, KernelStatement], tuple[int, _Conflict]] = field(default_factory=dict)

    def race(self, one: RacingAccess, other: RacingAccess) -> _Conflict | None:
        """Returns two accesses that different threads may execute at once: these two, or some noted before."""
        left, right = one.step.statement, other.step.statement
        # Accumulators of clauses are private.
        are_private = bool(left.write.reductions and right.write.reductions)
        is_moved = left in self.collecting or right in self.collecting
        if left is right or are_private or is_moved or not _are_apart(one, other):
            return None
        first, second = _shared_loop(left), _shared_loop(right)
        if first is None or second is None:
            if not self.has_master:
                return one, other
            if first is second:
                return None
        elif _is_dynamic(first) or _is_dynamic(second):
            return one, other
        elif self.has_chunks or first.stride * first.step != second.stride * second.step:
            return None
        begin = 0 if first is None else one.instance[first.iterator]
        distance = (0 if second is None else other.instance[second.iterator]) - begin
        known, conflict = self.noted.setdefault((left, right), (distance, (one, other)))
        if known == distance:
            return None
        return (one, other) if abs(distance) > abs(known) else conflict


@cache
def _is_dynamic(loop: KernelLoop) -> bool:
    """Returns True if the directive of a loop says that any thread may have any iteration."""
    directive = _DIRECTIVE.search(loop.span.source.text, 0, loop.span.start)
    return directive is not None and _DYNAMIC.search(directive[0]) is not None


def _shared_loop(statement: KernelStatement) -> KernelLoop | None:
    """Returns the loop around a statement of a region whose iterations are shared out."""
    assert statement.share is not None
    part = statement.date[statement.share.depth]
    return part if isinstance(part, KernelLoop) and part.kind is LoopKind.PARALLEL else None


def _are_apart(one: RacingAccess, other: RacingAccess) -> bool:
    """Returns True if two accesses are in constructs of one region that nothing orders."""
    left, right = one.step.statement, other.step.statement
    if left.share is None or right.share is None or left.share.team is not right.share.team:
        return False
    depth = left.share.team.depth
    if left.is_of_every_thread or right.is_of_every_thread or _has_team(left.date[:depth]):
        return False
    point = (*one.point, *other.point)
    return any(
        all(test.at(point) == 0 if is_equal else test.at(point) >= 0 for test, is_equal in tests)
        for tests in _open_constructs(left, right, one.access, other.access)
    )


@lru_cache(maxsize=4096)
def _open_constructs(
    left: KernelStatement, right: KernelStatement, one: ArrayAccess, other: ArrayAccess
) -> tuple[tuple[tuple[InstanceFormula, bool], ...], ...]:
    """Returns the conditions on two instances of a region under which they are in constructs that nothing orders, over
    the iterators of both."""
    x, y = participant("x", left), participant("y", right)
    names = (*x.names.values(), *y.names.values())
    return tuple(
        tuple((InstanceFormula.of(c.affine, names, {}), c.equality) for c in where)
        for where, at in unordered(x, y)
        if _is_of_text(left.date[at]) and not is_shielded(left, right, one, other, at)
    )


def _is_of_text(part: int | KernelLoop) -> bool:
    """Returns True for a place in a block, and for a loop that each thread executes in sequence."""
    return isinstance(part, int) or part.kind is LoopKind.SEQUENTIAL


def _has_team(around: Sequence[int | KernelLoop]) -> bool:
    """Returns True if a parallel loop is around: a team inside may have one thread. Collapsed loops stand side by
    side."""
    loops = (
        position
        for position, part in enumerate(around)
        if isinstance(part, KernelLoop) and part.kind is LoopKind.PARALLEL
    )
    return any(at + 1 < len(around) and not isinstance(around[at + 1], KernelLoop) for at in loops)
