"""How far apart in memory neighbours along an index are: what loops over that index are good for."""

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
    """Of an access, along an index of its statement; arrays lie row by row."""
    if index not in access.names:
        return Stride.NONE
    *others, last = access.indices
    alone = not any(index in other.names for other in others)
    return Stride.UNIT if alone and abs(last.coefficient(index)) == 1 else Stride.FAR


def accesses_of(problem: Problem, name: str) -> Iterator[StatementAccess]:
    """All that an equation reads and writes."""
    statement = problem.statements[name]
    if statement.role in (Role.VALUE, Role.BODY):
        yield written_access(statement)
        yield from reads_of(problem, name)


def strides_of(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name)]


def along_lines(problem: Problem, name: str) -> tuple[int, ...]:
    """For each index of a statement, how many of its accesses go to neighbours along it."""
    indices = problem.statements[name].domain.space.names
    return tuple(strides_of(problem, name, index).count(Stride.UNIT) for index in indices)


def reuse_lost(problem: Problem, name: str) -> tuple[int, ...]:
    """For each index of a statement, how often elements are touched again along it: that is lost where it is outermost.

    Source: Reddy (2019), 6.2.3, with weights that favour what its examples favour.
    """
    return tuple(
        extent * _of_arrays(problem, name, index).count(Stride.NONE)
        for index, extent in zip(problem.statements[name].domain.space.names, _extents(problem, name), strict=True)
    )


def vector_worth(problem: Problem, name: str) -> tuple[int, ...]:
    """For each index of a statement, what a loop of vectors along it is worth, from 0 on.

    Of each access 2 for neighbours, 4 for one element for all, -16 for anything else; 8 where there is nothing else.
    Source: the weights are those of Pluto's choice of the loop that becomes the innermost.
    """
    indices = problem.statements[name].domain.space.names
    return tuple(_vector_worth(_of_arrays(problem, name, index)) for index in indices)


def _vector_worth(strides: list[Stride]) -> int:
    unit, same, far = (strides.count(each) for each in (Stride.UNIT, Stride.NONE, Stride.FAR))
    return 16 * len(strides) + 2 * unit + 4 * same + 8 * (far == 0) - 16 * far


def _of_arrays(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name) if access.indices]


def _extents(problem: Problem, name: str) -> list[int]:
    """How many values each index has, where that does not depend on parameters; many, where it does."""
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
    """Of all accesses, along a row of the dates; FAR where that is no single index."""
    index = index_of(problem, name, row.value)
    if index is not None:
        return strides_of(problem, name, index)
    moves = set(row.value.names) & set(problem.statements[name].domain.space.names)
    return [Stride.FAR] if moves else []


def index_of(problem: Problem, name: str, value: Affine) -> str | None:
    """The index of a statement that a row is, shifted or backwards at most."""
    indices = problem.statements[name].domain.space.names
    (own, *more) = [each for each in value.names if each in indices] or [""]
    return own if not more and abs(value.coefficient(own)) == 1 else None
