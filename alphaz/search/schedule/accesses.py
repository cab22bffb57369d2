"""Reads and writes of statements, in their own indices."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.mapping.statement import Role, Statement
from alphaz.order.read import Read
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.problem import Problem


@dataclass(frozen=True, slots=True)
class StatementAccess:
    """`variable[indices]`, at each operation of a statement; names other than its indices and the parameters range over
    all elements that the operation reads at once."""

    statement: str
    variable: str
    indices: tuple[Affine, ...]
    names: frozenset[str]
    """The indices of the statement that it depends on."""

    @property
    def last(self) -> Affine:
        """Returns the index that moves along memory; 0 for a scalar."""
        return self.indices[-1] if self.indices else Affine()


def written_access(statement: Statement) -> StatementAccess:
    """Returns the element that a statement computes, or contributes to."""
    target = statement.target.renamed(statement.domain.space.names)
    return _access(statement, statement.variable, target.outputs)


def reads_of(problem: Problem, name: str) -> tuple[StatementAccess, ...]:
    """Returns the distinct reads of an equation."""
    return tuple(dict.fromkeys(_reads(problem, name)))


def _reads(problem: Problem, name: str) -> Iterator[StatementAccess]:
    statement = problem.statements[name]
    if statement.role not in (Role.VALUE, Role.BODY):
        return
    for read in problem.reads:
        if read.reader.statement is not None and read.reader.variable == name and not read.is_running:
            yield _access(statement, read.variable, _in_own_indices(read, statement).outputs)


def _in_own_indices(read: Read, statement: Statement) -> AffineFunction:
    """The element that is read; names of the evaluation that are indices of the statement keep the name that it gives
    them."""
    own = {
        point.names[0]: name
        for point, name in zip(read.at.outputs, statement.domain.space.names, strict=True)
        if point == Affine.name(next(iter(point.names), ""))
    }
    taken = {*own.values(), *read.domain.space.parameters}
    inner = {name: f"{name}'" for name in read.domain.space.names if name not in own and name in taken}
    names = tuple(own.get(name, inner.get(name, name)) for name in read.domain.space.names)
    return read.function.renamed(names)


def _access(statement: Statement, variable: str, indices: tuple[Affine, ...]) -> StatementAccess:
    own = set(statement.domain.space.names)
    names = frozenset(name for index in indices for name in index.names if name in own)
    return StatementAccess(statement.variable, variable, indices, names)
