"""Accesses of statements in their own indices, contractions of two matrices, and input reuse."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from alphaz.mapping.statement import Role, Statement
from alphaz.order.mapped_read import Read
from alphaz.poly import Affine, AffineFunction
from alphaz.poly.relation import Relation
from alphaz.poly.scheduling.band_schedules import DependenceEdge
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
    used_names = {*own.values(), *read.domain.space.parameters}
    inner = {name: f"{name}'" for name in read.domain.space.names if name not in own and name in used_names}
    names = tuple(own.get(name, inner.get(name, name)) for name in read.domain.space.names)
    return read.function.renamed(names)


def _access(statement: Statement, variable: str, indices: tuple[Affine, ...]) -> StatementAccess:
    own = set(statement.domain.space.names)
    names = frozenset(name for index in indices for name in index.names if name in own)
    return StatementAccess(statement.variable, variable, indices, names)


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
    candidates = (_of(statement.domain.space.names, name, result, one, two) for one, two in permutations(reads, 2))
    possible = [candidate for candidate in candidates if candidate is not None]
    along = [candidate for candidate in possible if result.last.names == (candidate.columns,)]
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


_Elements = dict[str, list[Relation]]
"""By statement: the elements of one variable that each operation reads, an entry for each read."""


def reuse(problem: Problem) -> tuple[DependenceEdge, ...]:
    """Returns an edge for each pair of statements and each variable that both read, from the statement that comes first
    in the text."""
    variables = dict.fromkeys(read.variable for read in problem.reads)
    return tuple(edge for variable in variables for edge in reuse_of(problem, variable))


def reuse_of(problem: Problem, variable: str) -> Iterator[DependenceEdge]:
    """Yields the reuse edges of one variable."""
    elements = _elements(problem, variable)
    for name, own in elements.items():
        yield from _edge(name, name, [one.then(two.turned()).next_of_each() for one in own for two in own])
    for source, target in combinations(elements, 2):
        pairs = [one.then(two.turned()) for one in elements[source] for two in elements[target]]
        yield from _edge(source, target, pairs)


def _edge(source: str, target: str, pairs: list[Relation]) -> Iterator[DependenceEdge]:
    whole, *others = pairs
    for other in others:
        whole = whole | other
    if not whole.is_empty():
        yield DependenceEdge(source, target, whole)


def _elements(problem: Problem, variable: str) -> _Elements:
    space = problem.system.variable(variable).domain.space
    elements: _Elements = {}
    for read in problem.reads if space.names else ():
        statement = read.reader.statement
        if read.variable == variable and statement is not None and not read.is_running:
            here = statement.domain
            relation = Relation.of(read.domain, read.at, read.function, here.space, space).with_sources_in(here)
            elements.setdefault(statement.variable, []).append(relation)
    return elements
