"""Cells that are kept in a local variable for some steps, read as if they were not.

double sum = y[i];
for (j ..) sum += A[i][j];        for (j ..) y[i] += A[i][j];
y[i] = sum;

A sum that goes on in each tile is one in a cell then, and not one of each tile of all that was before. That is the same
program where nothing else in these steps touches the cell, and where some step is taken that reads and writes: so
the cell is read and written in the same iterations as it was, and who may meet that could do so before. What a
reduction clause says of the number it says of the cell then.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.poly import Domain, OutOfBudget, budget, equal
from alphaz.scop.kernel import ArrayAccess, CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.value_tree import ReadValue

# Operations of isl to see that some step is always taken.
_OPERATIONS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What is in a cell is copied to a local variable by `first`, and back by `last`; `steps` stand between."""

    first: KernelStatement
    last: KernelStatement
    steps: tuple[KernelStatement, ...]

    @property
    def local(self) -> ArrayAccess:
        return self.first.target

    @property
    def cell(self) -> ArrayAccess:
        return self.first.reads[0]


def in_their_cells(kernel: CKernel) -> CKernel:
    """The same function, whose steps work on the cells themselves."""
    changed: dict[str, KernelStatement | None] = {}
    arrays = dict(kernel.arrays)
    for kept in _all_kept(kernel):
        changed |= {each.name: None for each in (kept.first, kept.last)}
        changed |= {step.name: _in_cell(step, kept) for step in kept.steps if _accesses(step, kept)}
        del arrays[kept.local.array.name]
    found = (changed.get(statement.name, statement) for statement in kernel.statements)
    return replace(kernel, arrays=arrays, statements=tuple(each for each in found if each is not None))


def _all_kept(kernel: CKernel) -> Iterator[_Kept]:
    """No two of them share a statement: a step that is in two is taken as it is in one."""
    taken = set(map(id, kernel.collecting))
    for first in filter(_is_loaded, kernel.statements):
        for last in (statement for statement in kernel.statements if _is_stored(first, statement)):
            kept = _Kept(first, last, tuple(_between(first, last, kernel.statements)))
            mine = {id(each) for each in (first, last, *kept.steps) if _accesses(each, kept)}
            if _is_alone(kept, kernel) and not taken & mine:
                taken |= mine
                yield kept


def _is_loaded(statement: KernelStatement) -> bool:
    """Whether it copies a cell to a local number, of which each instance has its own."""
    local = statement.target
    return (
        _is_copy(statement)
        and not local.array.is_argument
        and not local.array.is_stale
        and not local.array.extents
        and {*local.array.prefix} == {*statement.iterators}
        and statement.reads[0].array is not local.array
    )


def _is_copy(statement: KernelStatement) -> bool:
    """Whether nothing happens to the value on the way."""
    is_read = isinstance(statement.value, ReadValue) and len(statement.reads) == 1
    types = {statement.value.type, statement.target.array.type, *(read.array.type for read in statement.reads)}
    return is_read and len(types) == 1 and statement.write.is_plain


def _is_stored(first: KernelStatement, last: KernelStatement) -> bool:
    """Whether the last one copies back what the first has copied, in each of its instances."""
    return (
        _is_copy(last)
        and last.reads[0].same_cell(first.target)
        and last.target.same_cell(first.reads[0])
        and (last.iterators, last.conditions) == (first.iterators, first.conditions)
    )


def _between(
    first: KernelStatement, last: KernelStatement, statements: Sequence[KernelStatement]
) -> Iterator[KernelStatement]:
    """Who stands between two statements of a block."""
    around, low = _block(first)
    same, high = _block(last)
    if around != same or low is None or high is None:
        return
    depth = len(around)
    for statement in statements:
        at = statement.date[depth] if len(statement.date) > depth and statement.date[:depth] == around else None
        if isinstance(at, int) and low < at < high:
            yield statement


def _block(statement: KernelStatement) -> tuple[tuple[object, ...], int | None]:
    """What stands around a statement, and its position there."""
    *around, last = statement.date
    return tuple(around), last if isinstance(last, int) else None


def _is_alone(kept: _Kept, kernel: CKernel) -> bool:
    """Whether nobody else has to do with the local number, no step with the cell, and some step that reads and writes
    is always taken."""
    steps = [step for step in kept.steps if _accesses(step, kept)]
    known = {id(each) for each in (kept.first, kept.last, *steps)}
    writers = [step for step in steps if step.target.same_cell(kept.local)]
    return (
        all(id(statement) in known for statement in kernel.statements if _accesses(statement, kept))
        and all(_is_in_order(step, len(kept.first.date)) for step in steps)
        and all(any(read.same_cell(kept.local) for read in writer.reads) for writer in writers)
        and _is_shown(lambda: all(_is_apart(step, kept) for step in kept.steps) and _is_taken(kept, writers))
    )


def _is_in_order(statement: KernelStatement, depth: int) -> bool:
    """Whether the instances are one after the other that agree in so many components of their dates; in a loop with a
    reduction clause they may be in any order."""
    inside, reduced = statement.date[depth:], statement.write.reductions
    return statement.write.mutex is None and all(
        each.kind is LoopKind.SEQUENTIAL or each in reduced if isinstance(each, KernelLoop) else isinstance(each, int)
        for each in inside
    )


def _is_shown(ask: Callable[[], bool]) -> bool:
    try:
        with budget(_OPERATIONS):
            return ask()
    except OutOfBudget:
        return False


def _is_taken(kept: _Kept, writers: Sequence[KernelStatement]) -> bool:
    """Whether each instance of the first has one of a writer."""
    taken = Domain.empty(kept.first.space)
    for writer in writers:
        taken = taken | writer.domain.onto(kept.first.iterators)
    return kept.first.domain.is_subset(taken)


def _is_apart(step: KernelStatement, kept: _Kept) -> bool:
    """Whether a step has nothing to do with the cell that is kept while it is taken."""
    others = [each for each in (step.target, *step.reads) if each.array is kept.cell.array]
    if others and not {*kept.first.iterators} <= {*step.iterators}:
        return False
    return all(_are_two(other, kept.cell, step.domain) for other in others)


def _are_two(one: ArrayAccess, other: ArrayAccess, where: Domain) -> bool:
    """Whether two accesses are never of one cell. One row of an array may not tell where another ends, unless accesses
    stay in their rows: that is asked of all of them (C0)."""
    pairs = list(zip(one.subscripts, other.subscripts, strict=True))
    if any((a - b).is_constant and (a - b).constant for a, b in pairs):
        return True
    return (where & Domain.where(where.space, [equal(a, b) for a, b in pairs])).is_empty()


def _accesses(statement: KernelStatement, kept: _Kept) -> bool:
    return statement.touches(kept.local.array)


def _in_cell(statement: KernelStatement, kept: _Kept) -> KernelStatement:
    """The same in the cell itself."""

    def moved(access: ArrayAccess) -> ArrayAccess:
        return replace(kept.cell, span=access.span) if access.same_cell(kept.local) else access

    return replace(statement, target=moved(statement.target), reads=tuple(map(moved, statement.reads)))
