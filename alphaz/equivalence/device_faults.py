"""Undefined behaviour of kernels of a GPU, by plain integers: barriers that some threads of a block do not reach, data
races of blocks and of threads, cells outside of their arrays, cells that are read before they are written.

Each instance of a statement has passed a number of barriers. Two threads of a block are ordered if these numbers
differ; two blocks of a launch never are. That is a second definition, beside `alphaz.order`.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alphaz.diagnostics import Span
from alphaz.equivalence.access_obligations import is_shielded
from alphaz.equivalence.concrete_instances import Point, TooMany
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.equivalence.data_races import RacingAccess, accesses_of, pairs_of
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_values import affine
from alphaz.scop.kernel import CKernel, Date, KernelBarrier, KernelLoop, LoopKind

_MOST_PAIRS = 200_000
Values = Mapping[str, int]
# The blocks and threads of a launch by the values of the loops around the kernel.
_Member = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """What is undefined for these parameters, at these places, and a sentence about the instances."""

    parameters: Values
    message: str
    spans: tuple[Span, ...]
    sentence: str


def fault_in(kernel: CKernel, parameter_sets: Iterable[Values]) -> DeviceFault | None:
    """Returns what is undefined for the first parameters for which something is. None: nothing was found, though there
    may be something."""
    if all(statement.block is None for statement in kernel.statements):
        return None
    return next(filter(None, (_fault_at(kernel, parameters) for parameters in parameter_sets)), None)


def _fault_at(kernel: CKernel, parameters: Values) -> DeviceFault | None:
    passed = _passages(kernel, parameters)
    if (fault := _divergence(kernel, parameters, passed)) is not None:
        return fault
    try:
        steps, filled = in_order(kernel, parameters)
    except TooMany:
        return None
    return (
        _outside(parameters, steps)
        or _race(parameters, steps, _moments(passed))
        or _unwritten(parameters, steps, frozenset(filled))
    )


# --- barriers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Passages:
    """The passages of a thread through barriers, in their order: moments, with the numbers of the barriers."""

    thread: Values
    of: tuple[tuple[Point, int], ...]


def _passages(kernel: CKernel, parameters: Values) -> dict[tuple[int, _Member], _Passages]:
    """Returns the passages of each thread of each launch that has barriers, by the launch and the thread."""
    found: dict[tuple[int, _Member], list[tuple[Point, int]]] = {}
    threads: dict[tuple[int, _Member], Values] = {}
    for number, barrier in enumerate(kernel.barriers):
        launch = id(barrier.launch)
        for point in barrier.members.points(dict(parameters)):
            values = dict(zip(barrier.members.space.names, point, strict=True))
            threads.setdefault((launch, point), values)
            found.setdefault((launch, point), [])
        names = barrier.domain.space.names
        for point in barrier.domain.points(dict(parameters)):
            values = dict(zip(names, point, strict=True))
            member = tuple(values[name] for name in barrier.members.space.names)
            found[launch, member].append((_moment(barrier.date, values), number))
    return {key: _Passages(threads[key], tuple(sorted(own))) for key, own in found.items()}


def _moment(date: Date, values: Values) -> Point:
    return tuple(part.step * values[part.iterator] if isinstance(part, KernelLoop) else part for part in date)


def _moments(passed: Mapping[tuple[int, _Member], _Passages]) -> dict[tuple[int, _Member], list[Point]]:
    return {key: [moment for moment, _ in own.of] for key, own in passed.items()}


def _divergence(
    kernel: CKernel, parameters: Values, passed: Mapping[tuple[int, _Member], _Passages]
) -> DeviceFault | None:
    """Returns a barrier that a thread of a block reaches, and another one does not, or more often."""
    first: dict[tuple[object, ...], _Passages] = {}
    for own in passed.values():
        for number in {number for _, number in own.of}:
            barrier = kernel.barriers[number]
            around = tuple(value for name, value in own.thread.items() if name not in barrier.threads)
            first.setdefault((id(barrier.launch), around), own)
    for (launch, _), own in passed.items():
        barrier = next((each for each in kernel.barriers if id(each.launch) == launch), None)
        assert barrier is not None
        around = tuple(value for name, value in own.thread.items() if name not in barrier.threads)
        other = first.get((launch, around))
        if other is not None and [number for _, number in own.of] != [number for _, number in other.of]:
            return _diverging(kernel, parameters, other, own)
    return None


def _diverging(kernel: CKernel, parameters: Values, one: _Passages, other: _Passages) -> DeviceFault:
    counts = [[number for _, number in each.of] for each in (one, other)]
    numbers = dict.fromkeys(number for count in counts for number in count)
    number = next((n for n in numbers if counts[0].count(n) != counts[1].count(n)), next(iter(numbers)))
    barrier = kernel.barriers[number]
    acts = [f"{_named(each.thread, barrier)} reaches it {_times(count.count(number))}"
            for each, count in zip((one, other), counts, strict=True)]
    line, _ = barrier.span.position
    message = f"not all threads of a block reach the barrier in line {line}"
    return DeviceFault(parameters, message, (barrier.span,), "; ".join(acts))


def _named(thread: Values, barrier: KernelBarrier) -> str:
    inside = ", ".join(f"{name}={value}" for name, value in thread.items() if name in barrier.threads)
    around = ", ".join(f"{name}={value}" for name, value in thread.items() if name not in barrier.threads)
    return f"thread {inside}" + (f" of {around}" if around else "")


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


# --- races ------------------------------------------------------------------------------------------------------------


def _race(
    parameters: Values, steps: Sequence[tuple[ConcreteStep, Point]], moments: Mapping[tuple[int, _Member], list[Point]]
) -> DeviceFault | None:
    accesses: dict[tuple[str, Point], list[RacingAccess]] = {}
    for step, point in steps:
        if step.statement.block is not None:
            for cell, access in accesses_of(step, point):
                accesses.setdefault(cell, []).append(access)
    left = _MOST_PAIRS
    for here in accesses.values():
        for one, other in pairs_of(here):
            left -= 1
            parted = _parted(one, other)
            if parted is not None and _may_meet(one, other, parted, moments):
                return _racing(parameters, one, other, parted)
            if left == 0:
                return None
    return None


def _parted(one: RacingAccess, other: RacingAccess) -> KernelLoop | None:
    """Returns the first of the loops over blocks and threads in which two instances of a launch differ; None if the
    host orders them, or they are of one thread."""
    left, right = one.step.statement, other.step.statement
    if left.block is None or left.block is not right.block:
        return None
    here, there = one.instance, other.instance
    differing = (
        part
        for part in left.date[: left.block.depth]
        if isinstance(part, KernelLoop) and here[part.iterator] != there[part.iterator]
    )
    parted = next(differing, None)
    return parted if parted is not None and parted.kind in (LoopKind.GRID, LoopKind.BLOCK) else None


def _may_meet(
    one: RacingAccess, other: RacingAccess, parted: KernelLoop, moments: Mapping[tuple[int, _Member], list[Point]]
) -> bool:
    left, right = one.step.statement, other.step.statement
    at = left.date.index(parted)
    if is_shielded(left, right, one.access, other.access, at):
        return False
    return parted.kind is LoopKind.GRID or _interval(one, moments) == _interval(other, moments)


def _interval(access: RacingAccess, moments: Mapping[tuple[int, _Member], list[Point]]) -> int:
    """Returns how many barriers the thread has passed."""
    statement, values = access.step.statement, access.instance
    assert statement.block is not None
    member = tuple(values[part.iterator] for part in statement.date[: statement.block.depth] if isinstance(part, KernelLoop))
    return bisect_left(moments.get((id(statement.block), member), []), _moment(statement.date, values))


def _racing(parameters: Values, one: RacingAccess, other: RacingAccess, parted: KernelLoop) -> DeviceFault:
    who = "blocks of a grid" if parted.kind is LoopKind.GRID else "threads of a block"
    acts = []
    for access in (one, other):
        acts.append(f"{_instance(access.step, access.point)} {'writes' if access.is_write else 'reads'} it")
    spans = tuple(dict.fromkeys(access.step.statement.span for access in (one, other)))
    name = _cell(one.step, one)
    return DeviceFault(parameters, f"data race: {who} access `{name}` at once", spans, "; ".join(acts))


def _instance(step: ConcreteStep, point: Point) -> str:
    values = dict(zip(step.statement.iterators, point, strict=True))
    at = ", ".join(
        f"{part.iterator}={values[part.iterator]}" for part in step.statement.date if isinstance(part, KernelLoop)
    )
    return f"{step.statement} at {at}"


def _cell(step: ConcreteStep, access: RacingAccess) -> str:
    cell = "".join(f"[{subscript}]" for subscript in step.cell(access.access, access.point))
    return f"{access.access.array.label}{cell}"


# --- cells ------------------------------------------------------------------------------------------------------------


def _outside(parameters: Values, steps: Sequence[tuple[ConcreteStep, Point]]) -> DeviceFault | None:
    """Returns an access outside of the memory of its array."""
    for step, point in steps:
        for _, access in accesses_of(step, point):
            array = access.access.array
            lengths = [_length(extent, parameters) for extent in array.extents]
            cell = step.cell(access.access, point)
            if array.packed is not None or None in lengths[1:] or len(lengths) != len(cell) or not cell:
                continue
            position, size = 0, 1
            for subscript, length in zip(cell, lengths, strict=True):
                position = position * (length or 1) + subscript
                size = size * length if length is not None else size
            if position < 0 or (lengths[0] is not None and position >= size):
                message = f"`{_cell(step, access)}` is outside of `{array.label}`"
                return DeviceFault(parameters, message, (step.statement.span,), f"{_instance(step, point)} accesses it")
    return None


def _length(extent: Polynomial | None, parameters: Values) -> int | None:
    bound = None if extent is None else affine(extent)
    return None if bound is None or not {*bound.names} <= parameters.keys() else bound.at(parameters)


def _unwritten(
    parameters: Values, steps: Sequence[tuple[ConcreteStep, Point]], filled: frozenset[str]
) -> DeviceFault | None:
    """Returns a read of a cell that nothing has written, in an order in which the threads may be executed."""
    written: set[tuple[str, Point]] = set()
    for step, point in steps:
        for cell, access in accesses_of(step, point):
            array = access.access.array
            if access.is_write or array.is_argument or array.name in filled or cell in written:
                continue
            message = f"`{_cell(step, access)}` is read, and nothing has been written there"
            return DeviceFault(parameters, message, (step.statement.span,), f"{_instance(step, point)} reads it")
        written.add(step.target.at(point))
    return None
