"""Data races by plain integers: two instances of a text, in different iterations of one parallel loop, of which one
writes a cell that the other accesses.

The obligations C6 ask for the absence of races, from the order of the text. That they fail is no proof of a race, since
they count an access where it only may happen, and an order that a schedule may imply. A race found here has neither of
these: its behaviour is undefined, whatever a run of it computes (OpenMP 5.2, 1.4.1).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.equivalence.access_obligations import is_shielded
from alphaz.equivalence.concrete_instances import Point, TooMany
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.scop.kernel import ArrayAccess, CKernel, KernelLoop, LoopKind
from alphaz.scop.pragmas import limits_threads
from alphaz.scop.value_tree import is_lazy

_MOST_PAIRS = 200_000


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
    """Two conflicting accesses to a cell by different iterations of `loop`, for these parameters."""

    parameters: Mapping[str, int]
    loop: KernelLoop
    one: RacingAccess
    other: RacingAccess


def race_in(kernel: CKernel, parameter_sets: Iterable[Mapping[str, int]]) -> Race | None:
    """Returns a race for the first parameters that have one. None: none was found, though there may be one."""
    loops = (part for statement in kernel.statements for part in statement.date if isinstance(part, KernelLoop))
    if all(loop.kind is not LoopKind.PARALLEL for loop in loops) or limits_threads(kernel.source.text):
        return None
    return next(filter(None, (_race_at(kernel, parameters) for parameters in parameter_sets)), None)


def _race_at(kernel: CKernel, parameters: Mapping[str, int]) -> Race | None:
    try:
        steps, _ = in_order(kernel, parameters)
    except TooMany:
        return None
    accesses: dict[tuple[str, Point], list[RacingAccess]] = {}
    for step, point in steps:
        for cell, access in _accesses(step, point):
            accesses.setdefault(cell, []).append(access)
    left = _MOST_PAIRS
    for here in accesses.values():
        for one, other in _pairs(here):
            left -= 1
            loop = _parted(one, other)
            if loop is not None:
                return Race(parameters, loop, one, other)
            if left == 0:
                return None
    return None


def _accesses(step: ConcreteStep, point: Point) -> Iterator[tuple[tuple[str, Point], RacingAccess]]:
    """Yields the accesses that certainly happen, each with its cell."""
    statement = step.statement
    if statement.is_there or is_lazy(statement.value):
        return
    for number, cell in enumerate((step.target, *step.reads)):
        if not cell.access.array.is_stale:
            yield cell.at(point), RacingAccess(step, point, cell.access, number == 0)


def _pairs(accesses: Sequence[RacingAccess]) -> Iterator[tuple[RacingAccess, RacingAccess]]:
    """Yields pairs of accesses to one cell, at least one a write, those of near instances first."""
    writes = [at for at, access in enumerate(accesses) if access.is_write]
    for at in writes:
        for distance in range(1, len(accesses)):
            for other in (at + distance, at - distance):
                if 0 <= other < len(accesses):
                    yield accesses[min(at, other)], accesses[max(at, other)]


def _parted(one: RacingAccess, other: RacingAccess) -> KernelLoop | None:
    """Returns the parallel loop of which the accesses are in different iterations that nothing orders."""
    left, right = one.step.statement, other.step.statement
    for at, (here, there) in enumerate(zip(left.date, right.date, strict=False)):
        if not isinstance(here, KernelLoop):
            if here != there:
                return None
            continue
        if here is not there:
            return None
        if one.instance[here.iterator] == other.instance[here.iterator]:
            # Further in, a team of its own may have one thread. Collapsed loops stand side by side.
            if here.kind is LoopKind.PARALLEL and not isinstance(left.date[at + 1], KernelLoop):
                return None
            continue
        is_open = here.kind is LoopKind.PARALLEL and not is_shielded(left, right, one.access, other.access, at)
        return here if is_open else None
    return None
