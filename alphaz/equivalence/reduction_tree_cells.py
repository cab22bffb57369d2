"""Splits a step of a reduction tree into one statement for each cell, so that each cell is a partial sum of its own.

A step of the tree adds a cell to another cell of its array: the same statement then works on several partial sums. As
statements of one cell each, they are partial sums like those of registers. The instances, their order and accesses are
those of the text.
"""

from collections.abc import Sequence
from dataclasses import replace

from alphaz.equivalence.accumulation_chain import combined_terms, own_read
from alphaz.poly import Affine, Domain, equal
from alphaz.scop.c_model import CKernel, KernelArray, KernelStatement
from alphaz.scop.index_polynomials import Condition
from alphaz.scop.value_tree import OperationValue, ReadValue

_MOST_CELLS = 8


def with_cells_apart(kernel: CKernel) -> CKernel | None:
    """Returns the kernel with a statement for each cell of arrays that hold trees; None if there are none."""
    arrays = {id(step.target.array) for step in kernel.statements if _is_step(step)}
    if not arrays or kernel.collected:
        return None
    statements: list[KernelStatement] = []
    for statement in kernel.statements:
        statements += _instances(statement) if id(statement.target.array) in arrays else (statement,)
    return replace(kernel, statements=tuple(statements)) if len(statements) > len(kernel.statements) else None


def _is_step(statement: KernelStatement) -> bool:
    """Returns True if a statement adds a cell of a local array to another cell of it."""
    array, value = statement.target.array, statement.value
    if array.is_argument or not isinstance(value, OperationValue) or own_read(statement) is None:
        return False
    is_update, terms = combined_terms(statement, value.operator)
    return is_update and any(_is_of(tree, statement, array) for _, tree in terms)


def _is_of(tree: object, statement: KernelStatement, array: KernelArray) -> bool:
    return isinstance(tree, ReadValue) and statement.reads[tree.number].array is array


def _instances(statement: KernelStatement) -> Sequence[KernelStatement]:
    """Returns a statement for each value of each iterator that selects one of a few cells."""
    own = statement.target.subscripts[len(statement.target.array.prefix) :]
    apart = [statement]
    for name in dict.fromkeys(name for subscript in own for name in subscript.names if name in statement.iterators):
        low, high = statement.domain.least(name), statement.domain.greatest(name)
        if low is None or high is None or (high - low + 1) * len(apart) > _MOST_CELLS:
            return [statement]
        apart = [_at(one, name, value) for one in apart for value in range(low, high + 1)]
    return [one for one in apart if not one.domain.is_empty()]


def _at(statement: KernelStatement, name: str, value: int) -> KernelStatement:
    constraint = equal(Affine.name(name), value)
    condition: Condition = ((constraint,),)
    return replace(
        statement,
        name=f"{statement.name}_{name}_{value}",
        conditions=(*statement.conditions, condition),
        domain=statement.domain & Domain.where(statement.space, [constraint]),
    )
