"""Strides: the distance in memory of neighbours along an index, and the loops that they suit."""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum

from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.search.schedule.accesses import StatementAccess, reads_of, written_access
from alphaz.search.schedule.dates import Component
from alphaz.search.schedule.problem import Problem


class Stride(IntEnum):
    """NONE: one element for all; UNIT: neighbours in memory; FAR: anything else."""

    NONE = 0
    UNIT = 1
    FAR = 2


def stride(access: StatementAccess, index: str) -> Stride:
    """Returns the stride of an access along an index of its statement; arrays are row-major."""
    if index not in access.names:
        return Stride.NONE
    *others, last = access.indices
    alone = not any(index in other.names for other in others)
    return Stride.UNIT if alone and abs(last.coefficient(index)) == 1 else Stride.FAR


def accesses_of(problem: Problem, name: str) -> Iterator[StatementAccess]:
    """Yields all reads and writes of an equation."""
    statement = problem.statements[name]
    if statement.role in (Role.VALUE, Role.BODY):
        yield written_access(statement)
        yield from reads_of(problem, name)


def strides_of(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name)]


def along_lines(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the number of its accesses with unit stride along it."""
    indices = problem.statements[name].domain.space.names
    return tuple(strides_of(problem, name, index).count(Stride.UNIT) for index in indices)


def reuse_lost(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the reuse along it, which is lost if the index is outermost.

    Source: Reddy (2019), 6.2.3, with weights that reproduce its examples."""
    return tuple(
        extent * _of_arrays(problem, name, index).count(Stride.NONE)
        for index, extent in zip(problem.statements[name].domain.space.names, _extents(problem, name), strict=True)
    )


def vector_worth(problem: Problem, name: str) -> tuple[int, ...]:
    """Returns for each index of a statement the benefit of a vector loop along it, at least 0.

    Each access counts 2 for neighbours, 4 for one element for all, -16 for anything else; 8 if there is nothing else.
    Source: the weights are those of Pluto's choice of the innermost loop."""
    indices = problem.statements[name].domain.space.names
    return tuple(_vector_worth(_of_arrays(problem, name, index)) for index in indices)


def _vector_worth(strides: list[Stride]) -> int:
    unit, same, far = (strides.count(each) for each in (Stride.UNIT, Stride.NONE, Stride.FAR))
    return 16 * len(strides) + 2 * unit + 4 * same + 8 * (far == 0) - 16 * far


def _of_arrays(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name) if access.indices]


def _extents(problem: Problem, name: str) -> list[int]:
    """The number of values of each index, if it does not depend on parameters; a large number if it does."""
    domain = problem.statements[name].domain.in_context(problem.system.context)
    ends = ((domain.least(index), domain.greatest(index)) for index in domain.space.names)
    return [_MANY if low is None or high is None else high - low + 1 for low, high in ends]


_MANY = 1000
BY_INDEX: Mapping[str, Callable[[Problem, str], tuple[int, ...]]] = {
    "neighbours": along_lines,
    "reuse": reuse_lost,
    "vectors": vector_worth,
}
"""The terms of costs that weigh each index of a statement."""


def row_strides(problem: Problem, name: str, row: Component) -> list[Stride]:
    """Returns the strides of all accesses along a row of the dates; FAR if that is not a single index."""
    index = index_of(problem, name, row.value)
    if index is not None:
        return strides_of(problem, name, index)
    moves = set(row.value.names) & set(problem.statements[name].domain.space.names)
    return [Stride.FAR] if moves else []


def index_of(problem: Problem, name: str, value: Affine) -> str | None:
    """Returns the index of a statement that a row is, up to a shift and direction; None otherwise."""
    indices = problem.statements[name].domain.space.names
    (own, *more) = [each for each in value.names if each in indices] or [""]
    return own if not more and abs(value.coefficient(own)) == 1 else None
