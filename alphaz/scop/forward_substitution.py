"""Forward substitution: a local scalar that is computed once for several reads is recomputed at each read.

double a = alpha * A[i][k];
for (j ..) C[i][j] += a * B[k][j];        for (j ..) C[i][j] += (alpha * A[i][k]) * B[k][j];

A factor that no equation contains becomes a part of the term that an equation adds. The program stays the same if the
scalar is computed from data that is never written, in each iteration that reads it, before the read. The definition is
kept, so its reads must still be valid.

Source: Muchnick, Advanced Compiler Design and Implementation (1997), 12.5 (copy propagation), for expressions.
"""

from collections.abc import Collection
from dataclasses import replace

from alphaz.poly import OutOfBudget, budget
from alphaz.scop.kernel import ArrayAccess, CKernel, KernelStatement
from alphaz.scop.value_tree import OperationValue, ReadValue, Tree, replace_reads

# Budget of isl operations to show that a scalar is defined in each iteration that reads it.
_OPERATIONS = 100_000
# Limit on the size of substituted expressions.
_MOST_READS = 16


def forward_substituted(kernel: CKernel) -> CKernel | None:
    """Returns the function with such scalars substituted into their readers; None if there are none."""
    fixed = {each.name for each in kernel.collecting}
    statements = list(kernel.statements)
    # A scalar may depend on other scalars: those were substituted into its definition before.
    for place in range(len(statements)):
        made = statements[place]
        if made.name in fixed or not _is_made_of_inputs(made, statements):
            continue
        for at, each in enumerate(statements):
            if each.name not in fixed and _is_made_for(made, each):
                statements[at] = _substitute_value(each, made)
    is_same = all(old is new for old, new in zip(kernel.statements, statements, strict=True))
    return None if is_same else replace(kernel, statements=tuple(statements))


def _is_made_of_inputs(made: KernelStatement, statements: Collection[KernelStatement]) -> bool:
    """Returns True if a statement computes a local scalar, one object for each instance, with no other writer, from
    data that is never written."""
    local, written = made.target.array, [statement.target.array for statement in statements]
    return (
        isinstance(made.value, OperationValue | ReadValue)
        and not (local.is_argument or local.is_stale or local.extents)
        and made.value.type == local.type
        and {*local.prefix} == {*made.iterators}
        and made.write.is_plain
        and sum(each is local for each in written) == 1
        and not any(read.array is each for read in made.reads for each in written)
    )


def _is_made_for(made: KernelStatement, reader: KernelStatement) -> bool:
    """Returns True if a statement reads the scalar, always after its definition: later in the block of the
    definition."""
    if not any(read.same_cell(made.target) for read in reader.reads):
        return False
    *around, place = made.date
    behind = reader.date[len(around)] if len(reader.date) > len(around) else None
    if [*reader.date[: len(around)]] != around or not (isinstance(place, int) and isinstance(behind, int)):
        return False
    if behind <= place or len(reader.reads) + len(made.reads) > _MOST_READS:
        return False
    try:
        with budget(_OPERATIONS):
            return reader.domain.onto(made.iterators).is_subset(made.domain)
    except OutOfBudget:
        return False


def _substitute_value(reader: KernelStatement, made: KernelStatement) -> KernelStatement:
    """Returns the reader with the value substituted for the scalar."""
    reads = [each for each in reader.reads if not each.same_cell(made.target)]
    first = len(reads)
    reads += made.reads
    value = replace_reads(made.value, lambda read: replace(read, number=first + read.number))

    def change(read: ReadValue) -> Tree:
        access = reader.reads[read.number]
        return value if access.same_cell(made.target) else replace(read, number=_place(reads, access))

    return replace(reader, reads=tuple(reads), value=replace_reads(reader.value, change))


def _place(reads: list[ArrayAccess], access: ArrayAccess) -> int:
    return next(at for at, each in enumerate(reads) if each is access)
