"""How far apart in memory neighbours along an index are: what loops over that index are good for."""

from collections.abc import Iterator
from enum import IntEnum

from alphaz.mapping.statement import Role
from alphaz.poly import Affine
from alphaz.schedule.accesses import Access, reads_of, written
from alphaz.schedule.dates import Component
from alphaz.schedule.problem import Problem


class Stride(IntEnum):
    """NONE: one element for all; UNIT: neighbours in memory; FAR: anything else."""

    NONE = 0
    UNIT = 1
    FAR = 2


def stride(access: Access, index: str) -> Stride:
    """Of an access, along an index of its statement; arrays lie row by row."""
    if index not in access.names:
        return Stride.NONE
    *others, last = access.indices
    alone = not any(index in other.names for other in others)
    return Stride.UNIT if alone and abs(last.coefficient(index)) == 1 else Stride.FAR


def accesses_of(problem: Problem, name: str) -> Iterator[Access]:
    """All that an equation reads and writes."""
    statement = problem.statements[name]
    if statement.role in (Role.VALUE, Role.BODY):
        yield written(statement)
        yield from reads_of(problem, name)


def strides_of(problem: Problem, name: str, index: str) -> list[Stride]:
    return [stride(access, index) for access in accesses_of(problem, name)]


def along_lines(problem: Problem, name: str) -> tuple[int, ...]:
    """For each index of a statement, how many of its accesses go to neighbours along it."""
    indices = problem.statements[name].domain.space.names
    return tuple(strides_of(problem, name, index).count(Stride.UNIT) for index in indices)


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
