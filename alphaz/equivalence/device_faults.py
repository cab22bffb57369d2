"""Undefined behaviour of kernels of a GPU, by plain integers: barriers that some threads of a block do not reach, data
races of blocks and of threads, cells outside of their arrays, cells that are read before they are written.

Two threads of a block are ordered if they have passed different numbers of barriers; two blocks of a launch never are.
That is a second definition of the order, beside `alphaz.order`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import prod

from alphaz.diagnostics import Span
from alphaz.equivalence.barrier_obligations import reached_by
from alphaz.equivalence.barrier_passages import BarrierPassages, Values
from alphaz.equivalence.bounds_and_race_obligations import is_shielded, misread_instances, read_exactly
from alphaz.equivalence.c_proof import Proof
from alphaz.equivalence.concrete_instances import Point, TooMany
from alphaz.equivalence.concrete_steps import ConcreteStep, in_order
from alphaz.equivalence.data_races import RacingAccess, accesses_of, conflicts
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.index_polynomials import affine

_MOST_INSTANCES = 400_000
_Steps = Sequence[tuple[ConcreteStep, Point]]


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A `message` about what is undefined for these parameters, at these places, and a sentence about the instances."""

    parameters: Values
    message: str
    spans: tuple[Span, ...]
    sentence: str


def fault_in(kernel: CKernel, parameter_sets: Iterable[Values], most: int = _MOST_INSTANCES) -> DeviceFault | None:
    """Returns what is undefined for the first parameters for which something is; at most so many instances are
    enumerated. None: nothing was found, though there may be something."""
    if all(statement.block is None for statement in kernel.statements):
        return None
    for parameters in read_exactly(kernel, parameter_sets):
        try:
            steps, filled = in_order(kernel, parameters, most)
        except TooMany:
            # The next ones are larger.
            break
        most -= len(steps)
        passages = BarrierPassages.of(kernel, parameters)
        fault = (
            _divergence(parameters, passages)
            or _outside(parameters, steps)
            or _race(parameters, steps, passages)
            or _race_of_streams(kernel, parameters, steps)
            or _unwritten(parameters, steps, filled)
        )
        if fault is not None:
            return fault
    return None


def _divergence(parameters: Values, passages: BarrierPassages) -> DeviceFault | None:
    """Returns a barrier that a thread of a block reaches, and another one does not, or more often."""
    for barrier, one, first, other, second in passages.differing():
        line, _ = barrier.span.position
        acts = (f"{_listed(own.values)} reaches it {_times(count)}" for own, count in ((one, first), (other, second)))
        message = f"not {reached_by(barrier)} in line {line}"
        return DeviceFault(parameters, message, (barrier.span,), "; ".join(acts))
    return None


def _listed(values: Values) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def unwritten_output(proof: Proof) -> DeviceFault | None:
    """Returns an output that a kernel of a GPU does not write, in a run of the model."""
    if all(statement.block is None for statement in proof.kernel.statements):
        return None
    missing = next((disagreement for disagreement in proof.disagreements if disagreement.fault.is_unwritten), None)
    if missing is None or misread_instances(proof.kernel):
        return None
    message = missing.fault.what
    return DeviceFault(missing.parameters, message, (proof.kernel.span,), "no block and no thread writes it")


# --- races ------------------------------------------------------------------------------------------------------------


def _race(parameters: Values, steps: _Steps, passages: BarrierPassages) -> DeviceFault | None:
    in_kernels = (accesses_of(step, point) for step, point in steps if step.statement.block is not None)
    for one, other in conflicts(chain.from_iterable(in_kernels)):
        parted = _parted(one, other)
        if parted is not None and _may_meet(one, other, parted, passages):
            return _racing(parameters, one, other, parted)
    return None


def _race_of_streams(kernel: CKernel, parameters: Values, steps: _Steps) -> DeviceFault | None:
    """Returns two accesses by operations of streams, or of the host, that nothing orders."""
    if not kernel.streams.is_certain or not kernel.streams.pairs:
        return None
    found = (accesses_of(step, point) for step, point in steps)
    for one, other in conflicts(chain.from_iterable(found)):
        if kernel.streams.separates(one.step.statement, other.step.statement):
            acts = (f"{_instance(a.step, a.point)} {'writes' if a.is_write else 'reads'} it" for a in (one, other))
            spans = tuple(dict.fromkeys(access.step.statement.span for access in (one, other)))
            message = f"data race: operations that no stream or event orders access `{_cell(one)}`"
            return DeviceFault(parameters, message, spans, "; ".join(acts))
    return None


def _parted(one: RacingAccess, other: RacingAccess) -> KernelLoop | None:
    """Returns the first of the loops over blocks and threads in which two instances of a launch differ; None if the
    host orders them, or they are of one thread."""
    loops = _loops_of_launch(one.step.statement, other.step.statement)
    parted = next((loop for loop, here, there in loops if one.point[here] != other.point[there]), None)
    return parted if parted is not None and parted.kind is not LoopKind.SEQUENTIAL else None


@lru_cache(maxsize=4096)
def _loops_of_launch(left: KernelStatement, right: KernelStatement) -> tuple[tuple[KernelLoop, int, int], ...]:
    """Returns the loops around two statements of one launch, with the places of their iterators in the points."""
    if left.block is None or left.block is not right.block:
        return ()
    loops = (part for part in left.date[: left.block.depth] if isinstance(part, KernelLoop))
    places = [{name: position for position, name in enumerate(statement.iterators)} for statement in (left, right)]
    return tuple((loop, places[0][loop.iterator], places[1][loop.iterator]) for loop in loops)


def _may_meet(one: RacingAccess, other: RacingAccess, parted: KernelLoop, passages: BarrierPassages) -> bool:
    left, right = one.step.statement, other.step.statement
    if is_shielded(left, right, one.access, other.access, left.date.index(parted)):
        return False
    if parted.kind is LoopKind.GRID:
        return True
    first, second = (
        passages.passed(access.step.statement, access.instance, is_of_warp=parted.kind is LoopKind.WARP)
        for access in (one, other)
    )
    return first == second


def _racing(parameters: Values, one: RacingAccess, other: RacingAccess, parted: KernelLoop) -> DeviceFault:
    members = "blocks of a grid" if parted.kind is LoopKind.GRID else "threads of a block"
    acts = (f"{_instance(a.step, a.point)} {'writes' if a.is_write else 'reads'} it" for a in (one, other))
    spans = tuple(dict.fromkeys(access.step.statement.span for access in (one, other)))
    return DeviceFault(parameters, f"data race: {members} access `{_cell(one)}` at once", spans, "; ".join(acts))


def _instance(step: ConcreteStep, point: Point) -> str:
    values = dict(zip(step.statement.iterators, point, strict=True))
    loops = (part.iterator for part in step.statement.date if isinstance(part, KernelLoop))
    return f"{step.statement} at {_listed({name: values[name] for name in loops})}"


def _cell(access: RacingAccess) -> str:
    cell = access.step.cell(access.access, access.point)
    return "".join((access.access.array.label, *(f"[{subscript}]" for subscript in cell)))


# --- cells ------------------------------------------------------------------------------------------------------------


def _outside(parameters: Values, steps: _Steps) -> DeviceFault | None:
    """Returns an access outside of the memory of its array."""
    for step, point in steps:
        for _, access in accesses_of(step, point):
            array, cell = access.access.array, step.cell(access.access, access.point)
            lengths = [_length(extent, parameters) for extent in array.extents]
            known = [length for length in lengths if length is not None]
            if array.packed is None and cell and len(known) == len(cell) and not 0 <= _flat(cell, known) < prod(known):
                message = f"`{_cell(access)}` is outside of `{array.label}`"
                return DeviceFault(parameters, message, (step.statement.span,), f"{_instance(step, point)} accesses it")
    return None


def _flat(cell: Point, lengths: Sequence[int]) -> int:
    position = 0
    for subscript, length in zip(cell, lengths, strict=True):
        position = position * length + subscript
    return position


def _length(extent: Polynomial | None, parameters: Values) -> int | None:
    bound = None if extent is None else affine(extent)
    return None if bound is None or not {*bound.names} <= parameters.keys() else bound.at(parameters)


def _unwritten(parameters: Values, steps: _Steps, filled: Mapping[str, object]) -> DeviceFault | None:
    """Returns a read of a cell that nothing has written, in an order in which the threads may be executed."""
    written: set[tuple[str, Point]] = set()
    for step, point in steps:
        for cell, access in accesses_of(step, point):
            array = access.access.array
            if not (access.is_write or array.is_argument or array.name in filled or cell in written):
                message = f"`{_cell(access)}` is read, and nothing has been written there"
                return DeviceFault(parameters, message, (step.statement.span,), f"{_instance(step, point)} reads it")
        written.add(step.target.at(point))
    return None
