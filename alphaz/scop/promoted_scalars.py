"""Undoes forward substitution and scalar promotion: local scalars are read as the cells that they stand for."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from alphaz.poly import Domain, OutOfBudget, budget, equal
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelLoop, KernelStatement, LoopKind, ThreadTeam
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree, replace_reads

# Budget of isl operations to show that some step is always taken.
_OPERATIONS = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class _PromotedCell:
    """`first` copies a cell to a local variable, `last` copies it back; `steps` are between them."""

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
    """Returns the function with these steps working on the cells themselves."""
    changed: dict[str, KernelStatement | None] = {}
    arrays = dict(kernel.arrays)
    for promoted in _promoted_cells(kernel):
        changed |= {statement_.name: None for statement_ in (promoted.first, promoted.last)}
        changed |= {step.name: _in_cell(step, promoted) for step in promoted.steps if _accesses(step, promoted)}
        del arrays[promoted.local.array.name]
    statements = (changed.get(statement.name, statement) for statement in kernel.statements)
    return replace(
        kernel, arrays=arrays, statements=tuple(statement_ for statement_ in statements if statement_ is not None)
    )


def _promoted_cells(kernel: CKernel) -> Iterator[_PromotedCell]:
    """Yields the promoted cells; no two share a statement: a step in two is assigned to one of them."""
    used_statements = set(map(id, kernel.collecting))
    for first in filter(_is_loaded, kernel.statements):
        for last in (statement for statement in kernel.statements if _is_stored(first, statement)):
            promoted = _PromotedCell(first, last, tuple(_between(first, last, kernel.statements)))
            own_statements = {
                id(statement_) for statement_ in (first, last, *promoted.steps) if _accesses(statement_, promoted)
            }
            is_alone = _is_alone(promoted, kernel) and not _is_seen_by_others(promoted, kernel)
            if is_alone and not used_statements & own_statements:
                used_statements |= own_statements
                yield promoted


def _is_loaded(statement: KernelStatement) -> bool:
    """Returns True if a statement copies a cell to a local scalar, one object for each instance."""
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
    """Returns True if the value is copied unchanged."""
    is_read = isinstance(statement.value, ReadValue) and len(statement.reads) == 1
    types = {statement.value.type, statement.target.array.type, *(read.array.type for read in statement.reads)}
    return is_read and len(types) == 1 and statement.write.is_plain


def _is_stored(first: KernelStatement, last: KernelStatement) -> bool:
    """Returns True if the last statement copies back the value of the first, in each of its instances."""
    return (
        _is_copy(last)
        and last.reads[0].same_cell(first.target)
        and last.target.same_cell(first.reads[0])
        and (last.iterators, last.conditions) == (first.iterators, first.conditions)
    )


def _between(
    first: KernelStatement, last: KernelStatement, statements: Sequence[KernelStatement]
) -> Iterator[KernelStatement]:
    """Yields the statements between two statements of a block."""
    around, low = _block(first)
    same, high = _block(last)
    if around != same or low is None or high is None:
        return
    depth = len(around)
    for statement in statements:
        at = statement.position(depth) if len(statement.date) > depth and statement.date[:depth] == around else None
        if at is not None and low < at < high:
            yield statement


def _block(statement: KernelStatement) -> tuple[tuple[object, ...], int | None]:
    """Returns the surroundings of a statement, and its position there."""
    return statement.date[:-1], statement.position(len(statement.date) - 1)


def _is_alone(promoted: _PromotedCell, kernel: CKernel) -> bool:
    """Returns True if no other statement uses the local scalar, no step the cell, and some step that reads and writes
    is always taken."""
    steps = [step for step in promoted.steps if _accesses(step, promoted)]
    promoted_statements = {id(statement_) for statement_ in (promoted.first, promoted.last, *steps)}
    writers = [step for step in steps if step.target.same_cell(promoted.local)]
    return (
        all(id(statement) in promoted_statements for statement in kernel.statements if _accesses(statement, promoted))
        and all(_is_in_order(step, len(promoted.first.date)) for step in steps)
        and all(any(read.same_cell(promoted.local) for read in writer.reads) for writer in writers)
        and _is_shown(
            lambda: (
                all(_is_apart(step, promoted) for step in promoted.steps) and _has_writer_everywhere(promoted, writers)
            )
        )
    )


def _is_seen_by_others(promoted: _PromotedCell, kernel: CKernel) -> bool:
    """Returns True if another thread of a block may access the cell while it has changed in its own place alone. If no
    thread waits between the load and the store, such an access is a race for the cell in both forms."""
    block, array = promoted.first.block, promoted.cell.array
    if block is None or not _is_interrupted(promoted, block):
        return False
    own = promoted.first, promoted.last
    return any(
        statement.block is block and statement not in own and statement.touches(array)
        for statement in kernel.statements
    )


def _is_interrupted(promoted: _PromotedCell, block: ThreadTeam) -> bool:
    """Returns True if threads of the block may wait for each other between the load and the store."""
    (around, low), (_, high) = _block(promoted.first), _block(promoted.last)
    if low is None or high is None:
        return True
    return any(
        any(low <= position < high for position in positions) if where == around else bool(positions)
        for where, positions in block.arrivals.items()
        if where[: len(around)] == around
    )


def _is_in_order(statement: KernelStatement, depth: int) -> bool:
    """Returns True if instances that agree in `depth` components of their dates are ordered; a loop with a reduction
    clause may have any order."""
    reduced = statement.write.reductions
    return statement.write.mutex is None and all(
        component.kind is LoopKind.SEQUENTIAL or component in reduced
        if isinstance(component, KernelLoop)
        else statement.position(index) is not None
        for index, component in enumerate(statement.date[depth:], depth)
    )


def _is_shown(ask: Callable[[], bool]) -> bool:
    try:
        with budget(_OPERATIONS):
            return ask()
    except OutOfBudget:
        return False


def _has_writer_everywhere(promoted: _PromotedCell, writers: Sequence[KernelStatement]) -> bool:
    """Returns True if each instance of the first statement has one of a writer."""
    covered = Domain.empty(promoted.first.space)
    for writer in writers:
        covered = covered | writer.domain.onto(promoted.first.iterators)
    return promoted.first.domain.is_subset(covered)


def _is_apart(step: KernelStatement, promoted: _PromotedCell) -> bool:
    """Returns True if a step does not access the promoted cell between load and store."""
    others = [access for access in (step.target, *step.reads) if access.array is promoted.cell.array]
    if others and not {*promoted.first.iterators} <= {*step.iterators}:
        return False
    return all(_are_two(other, promoted.cell, step.domain) for other in others)


def _are_two(one: ArrayAccess, other: ArrayAccess, where: Domain) -> bool:
    """Returns True if two accesses never touch one cell. Rows are separate only if accesses stay inside them, which is
    an obligation of all accesses (C0)."""
    pairs = list(zip(one.subscripts, other.subscripts, strict=True))
    if any((a - b).is_constant and (a - b).constant for a, b in pairs):
        return True
    return (where & Domain.where(where.space, [equal(a, b) for a, b in pairs])).is_empty()


def _accesses(statement: KernelStatement, promoted: _PromotedCell) -> bool:
    return statement.touches(promoted.local.array)


def _in_cell(statement: KernelStatement, promoted: _PromotedCell) -> KernelStatement:
    """Returns the statement working on the cell itself."""

    def moved(access: ArrayAccess) -> ArrayAccess:
        return replace(promoted.cell, span=access.span) if access.same_cell(promoted.local) else access

    return replace(statement, target=moved(statement.target), reads=tuple(map(moved, statement.reads)))


# Budget of isl operations to show that a scalar is defined in each iteration that reads it.
# Limit on the size of substituted expressions.
_MOST_READS = 16


def forward_substituted(kernel: CKernel) -> CKernel | None:
    """Returns the function with such scalars substituted into their readers; None if there are none."""
    fixed = {statement.name for statement in kernel.collecting}
    statements = list(kernel.statements)
    # A scalar may depend on other scalars: those were substituted into its definition before.
    for place in range(len(statements)):
        definition = statements[place]
        if definition.name in fixed or not _is_computed_from_inputs(definition, statements):
            continue
        for position, reader in enumerate(statements):
            if reader.name not in fixed and _reads_definition(definition, reader):
                statements[position] = _substitute_value(reader, definition)
    is_same = all(old is new for old, new in zip(kernel.statements, statements, strict=True))
    return None if is_same else replace(kernel, statements=tuple(statements))


def _is_computed_from_inputs(definition: KernelStatement, statements: Collection[KernelStatement]) -> bool:
    """Returns True if a statement computes a local scalar, one object for each instance, with no other writer, from
    data that is never written."""
    local, written = definition.target.array, [statement.target.array for statement in statements]
    return (
        isinstance(definition.value, OperationValue | ReadValue)
        and not (local.is_argument or local.is_stale or local.extents)
        and definition.value.type == local.type
        and {*local.prefix} == {*definition.iterators}
        and definition.write.is_plain
        and sum(array is local for array in written) == 1
        and not any(read.array is array for read in definition.reads for array in written)
    )


def _reads_definition(definition: KernelStatement, reader: KernelStatement) -> bool:
    """Returns True if a statement reads the scalar, always after its definition: later in the block of the
    definition."""
    if not any(read.same_cell(definition.target) for read in reader.reads):
        return False
    index = len(definition.date) - 1
    if len(reader.date) <= index or reader.date[:index] != definition.date[:index]:
        return False
    place, behind = definition.position(index), reader.position(index)
    if place is None or behind is None:
        return False
    if behind <= place or len(reader.reads) + len(definition.reads) > _MOST_READS:
        return False
    try:
        with budget(_OPERATIONS):
            return reader.domain.onto(definition.iterators).is_subset(definition.domain)
    except OutOfBudget:
        return False


def _substitute_value(reader: KernelStatement, definition: KernelStatement) -> KernelStatement:
    """Returns the reader with the value substituted for the scalar."""
    reads = [read_access for read_access in reader.reads if not read_access.same_cell(definition.target)]
    first = len(reads)
    reads += definition.reads
    value = replace_reads(definition.value, lambda read: replace(read, number=first + read.number))

    def change(read: ReadValue) -> Tree:
        access = reader.reads[read.number]
        return value if access.same_cell(definition.target) else replace(read, number=_place(reads, access))

    return replace(reader, reads=tuple(reads), value=replace_reads(reader.value, change))


def _place(reads: list[ArrayAccess], access: ArrayAccess) -> int:
    return next(position for position, read_access in enumerate(reads) if read_access is access)
