"""Triangular solves: x[i] needs the sum of L[i,j] * x[j] over all j before it, or over all j after it."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.mapping.statement import Role
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.affine import less
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import reads_of, written_access
from alphaz.search.schedule.strategy import Tactic

_STREAMS = 8
"""Rows that memory streams at once."""


@dataclass(frozen=True, slots=True)
class Solve:
    """A triangular solve. `result` is read by the contributions to `sums`, along its last index; `backwards`: from the
    last row to the first."""

    result: str
    sums: str
    backwards: bool

    def dates(self, problem: Problem) -> Mapping[str, tuple[Affine, Affine, Affine]]:
        """Returns rows, columns, and between them what orders the two in a tile: the result of a row lies in the
        column of its contributions to later rows."""
        sign = -1 if self.backwards else 1
        row, column = problem.statements[self.sums].domain.space.names
        (own,) = problem.statements[self.result].domain.space.names
        return {
            self.sums: (Affine.of([(row, sign)]), Affine(), Affine.of([(column, sign)])),
            self.result: (Affine.of([(own, sign)]), Affine(constant=1), Affine.of([(own, sign)])),
        }

    def some_rows(self, prefix: tuple[int, ...], place: int) -> Tactic:
        """Returns the tactic of a few rows at once. `place`: the dimension of the rows, after the prefix."""
        front = ",".join(map(str, prefix))
        streams = Line("setRegisterTile", (*([front] if front else []), place, _STREAMS))
        lanes = Line("setVectorDimension", (front, place + 2))
        return Tactic(((streams, lanes), (streams,)), f"{_STREAMS} rows at once, their sums in lanes.", "rows at once")


def solve_of(problem: Problem, name: str) -> Solve | None:
    """Returns the triangular solve of a statement: a row of results that needs a sum over a matrix and the results
    themselves, without any other cycle."""
    sums = problem.statements[name]
    if sums.role is not Role.BODY or sums.domain.space.dimensions != 2:
        return None
    row, column = sums.domain.space.names
    if written_access(sums).indices != (Affine.name(row),):
        return None
    readers = {e.target for e in problem.flow if e.source == name and e.target != name}
    own = [read for read in reads_of(problem, name) if read.indices == (Affine.name(column),)]
    results = [read.variable for read in own if readers == {read.variable}]
    if not results or problem.statements[results[0]].role is not Role.VALUE:
        return None
    matrices = [read for read in reads_of(problem, name) if read.indices == (Affine.name(row), Affine.name(column))]
    below, above = (
        sums.domain.is_subset(Domain.where(sums.domain.space, [less(Affine.name(one), Affine.name(other))]))
        for one, other in ((column, row), (row, column))
    )
    return Solve(results[0], name, above) if matrices and (below or above) else None
