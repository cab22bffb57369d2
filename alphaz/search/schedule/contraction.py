"""Contractions: sums of products of two matrices, W[i,j] += A[i,k] * B[k,j], for any names and index order."""

from dataclasses import dataclass
from itertools import permutations

from alphaz.mapping.statement import Role
from alphaz.search.schedule.accesses import StatementAccess, reads_of, written_access
from alphaz.search.schedule.problem import Problem


@dataclass(frozen=True, slots=True)
class Contraction:
    """Roles of the indices of a contraction. `columns` is the index of the result that moves along memory, `rows` the
    other one, `inner` the summed one; `batch` are further indices of the result. `factors` are the variables that
    are read."""

    statement: str
    rows: str
    columns: str
    inner: str
    batch: tuple[str, ...]
    factors: tuple[str, ...]


def contraction(problem: Problem, name: str) -> Contraction | None:
    """Returns the contraction that a statement is; None otherwise.

    With W, r and s the indices of the result and of two reads: rows = (W and r) without s, columns = (W and s) without
    r, inner = (r and s) without W, and none of them is empty."""
    statement = problem.statements[name]
    if statement.role is not Role.BODY:
        return None
    result, reads = written_access(statement), reads_of(problem, name)
    found = (_of(statement.domain.space.names, name, result, one, two) for one, two in permutations(reads, 2))
    possible = [each for each in found if each is not None]
    along = [each for each in possible if result.last.names == (each.columns,)]
    if not along:
        return None
    best = along[0]
    factors = tuple(dict.fromkeys(read.variable for read in reads if best.inner in read.names))
    return Contraction(
        statement=name, rows=best.rows, columns=best.columns, inner=best.inner, batch=best.batch, factors=factors
    )


def _of(
    indices: tuple[str, ...], name: str, result: StatementAccess, one: StatementAccess, two: StatementAccess
) -> Contraction | None:
    w, r, s = result.names, one.names, two.names
    rows, columns, inner = (w & r) - s, (w & s) - r, (r & s) - w
    if not rows or len(columns) != 1 or len(inner) != 1:
        return None
    *more, row = (index for index in indices if index in rows)
    batch = tuple(index for index in indices if index in (w & r & s) | set(more))
    return Contraction(statement=name, rows=row, columns=min(columns), inner=min(inner), batch=batch, factors=())
