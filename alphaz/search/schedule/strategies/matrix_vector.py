"""Matrix-vector products: one pass over each matrix along its rows.

Rows run in parallel, as many at once as memory streams, each in vectors. A product with the transposed matrix is
accumulated in a private vector of each thread. Products that read one matrix, or run over the same points, share a
pass. A matrix that is computed from another one and vectors is recomputed at each read: memory streams one matrix, not
two."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.analysis.facts.dependence_graph import cyclic_components
from alphaz.mapping.design import Design
from alphaz.mapping.statement import Role
from alphaz.model import expression as model
from alphaz.model.program import Equation, System, Variable
from alphaz.model.walk import children, walk
from alphaz.poly import Affine
from alphaz.poly.algorithms.tile_corners import BoxStep, lines_agree
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates, with_kinds
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line
from alphaz.search.schedule.statement_accesses import StatementAccess, reads_of, written_access
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

_STREAMS = 8
"""Rows that memory streams at once; two where a row is used again while it is in the first cache."""


@dataclass(frozen=True, slots=True)
class _Product:
    """`statement` reads `matrix[row,column]`; its result has the index of the columns where it is `transposed`."""

    statement: str
    matrix: str
    row: str
    column: str
    transposed: bool


Nest = tuple[str, ...]
_ARITHMETIC = (model.Access, model.Constant, model.Unary, model.Binary, model.Nary)


def rewrite(design: Design, name: str, blocking: Blocking) -> tuple[Line, ...]:
    """Returns the lines that recompute updated matrices at their reads."""
    del blocking
    system = design.system(name)
    lines = [Line("InlineAll", (name, v.name), of_system=False) for v in system.locals if _is_updated(system, v)]
    return (*lines, Line("RemoveUnusedVariables", of_system=False)) if lines else ()


def _is_updated(system: System, matrix: Variable) -> bool:
    """Returns True if it is a matrix, of sums and products of at most one element of a matrix and of vectors, and only
    matrix-vector products read it."""
    if matrix.domain.space.dimensions != 2 or not all(isinstance(equation, Equation) for equation in system.equations):
        return False
    of = {e.variable: e.expression for e in system.equations if isinstance(e, Equation)}
    nodes = list(walk(of[matrix.name]))
    matrices = [n for n in nodes if isinstance(n, model.Access) and len(n.function.outputs) > 1]
    if not all(isinstance(node, _ARITHMETIC) for node in nodes) or len(matrices) > 1:
        return False
    readers = [(name, whole) for name, whole in of.items() if _reads(whole, matrix.name)]
    return bool(readers) and all(
        system.variable(name).domain.space.dimensions == 1 and not _reads_outside(whole, matrix.name)
        for name, whole in readers
    )


def _reads(whole: model.Expression, matrix: str) -> bool:
    return any(isinstance(node, model.Access) and node.variable == matrix for node in walk(whole))


def _reads_outside(node: model.Expression, matrix: str) -> bool:
    """Returns True if it is read outside of all reductions."""
    if isinstance(node, model.Reduce):
        return False
    if isinstance(node, model.Access):
        return node.variable == matrix
    return any(_reads_outside(child, matrix) for child in children(node))


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    del blocking
    products = {name: product_ for name in dates if (product_ := _product(problem, name)) is not None}
    bodies = [name for name, statement in problem.statements.items() if statement.role is Role.BODY]
    if not products or set(bodies) != set(products) or _is_cyclic(problem):
        return
    for together in (True, False):
        nests = _nests(problem, products, tuple(dates), together)
        laid = with_kinds(problem, _nest_dates(problem, products, nests))
        yield StrategyPlan(laid, (), tuple(_steps(problem, products, nests)))


def _product(problem: Problem, name: str) -> _Product | None:
    """The matrix-vector product of a statement: one index of the result and one that is summed over, and a matrix that
    is read at both."""
    statement = problem.statements[name]
    names = statement.domain.space.names
    if statement.role is not Role.BODY or len(names) != 2:
        return None
    result = written_access(statement)
    matrices = [read for read in reads_of(problem, name) if len(read.indices) == 2 and _is_plain(read)]
    if len(result.indices) != 1 or len(result.names) != 1 or not matrices:
        return None
    row, column = (index.names[0] for index in matrices[0].indices)
    return _Product(
        statement=name, matrix=matrices[0].variable, row=row, column=column, transposed=result.names == {column}
    )


def _is_plain(read: StatementAccess) -> bool:
    """Returns True if the read has two different indices of the statement."""
    return len(read.names) == 2 and all(index == Affine.name(next(iter(index.names), "")) for index in read.indices)


def _is_cyclic(problem: Problem) -> bool:
    graph: dict[str, list[str]] = {name: [] for name in problem.statements}
    for edge in problem.flow:
        graph[edge.source].append(edge.target)
    return bool(cyclic_components(graph))


def _nests(
    problem: Problem, products: Mapping[str, _Product], names: Sequence[str], together: bool
) -> tuple[Nest, ...]:
    """The nests in a legal order: products as early as possible, with those that share their pass."""
    needs = {name: {e.source for e in problem.flow if e.target == name} for name in names}
    nests: list[Nest] = []
    done: set[str] = set()
    while len(done) < len(names):
        ready = [name for name in names if name not in done and needs[name] <= done]
        others = [name for name in ready if name not in products]
        group = tuple(others)
        if not others:
            group = (ready[0],)
            for name in (n for n in names if together and n in products and n not in done and n not in group):
                if needs[name] <= done | set(group) and _share(problem, products, group, name):
                    group = (*group, name)
        nests += [(name,) for name in others] or [group]
        done |= set(group)
    return tuple(nests)


def _share(problem: Problem, products: Mapping[str, _Product], group: Nest, name: str) -> bool:
    """Returns True if a product can join a group: over one matrix, or over the same points."""
    first, other = products[group[0]], products[name]
    if first.matrix == other.matrix:
        return True
    here, there = (problem.statements[statement.statement].domain for statement in (first, other))
    return not first.transposed and not other.transposed and here.space == there.space and here.equals(there)


def _nest_dates(problem: Problem, products: Mapping[str, _Product], nests: Sequence[Nest]) -> Dates:
    """(nest, row, turn, column)."""
    laid: dict[str, tuple[Component, ...]] = {}
    for number, nest in enumerate(nests):
        head = (Component(Affine(constant=number), ComponentKind.ORDER, ()),) if len(nests) > 1 else ()
        for turn, name in enumerate(nest, 1):
            if name in products:
                components = _of_product(products[name], turn if _needs(problem, nest) else 1)
            else:
                indices = problem.statements[name].domain.space.names
                components = tuple(
                    Component(Affine.name(index), ComponentKind.SEQUENTIAL, (number,)) for index in indices
                )
            laid[name] = (*head, *components)
    return laid


def _of_product(product: _Product, turn: int) -> tuple[Component, ...]:
    row, column = (Component(Affine.name(n), ComponentKind.SEQUENTIAL, ()) for n in (product.row, product.column))
    return row, Component(Affine(constant=turn), ComponentKind.SEQUENTIAL, ()), column


def _needs(problem: Problem, nest: Nest) -> bool:
    """Returns True if a product of the nest reads the result of another one."""
    return any(e.source in nest and e.target in nest and e.source != e.target for e in problem.flow)


def _steps(problem: Problem, products: Mapping[str, _Product], nests: Sequence[Nest]) -> Iterator[Tactic]:
    for number, nest in enumerate(nests):
        prefix = str(number) if len(nests) > 1 else ""
        if nest[0] not in products:
            yield from _of_points(problem, nest[0], prefix)
            continue
        collected = any(products[name].transposed for name in nest)
        rows = Line("setReductionDimension" if collected else "setParallel", (prefix, 0))
        names = " and ".join(nest)
        yield Tactic(((rows,),), f"{names}: rows in parallel.", f"threads for {names}")
        yield Tactic(((Line("setVectorDimension", (prefix, 2)),),), "", f"vectors for {names}")
        if collected and not all(_rows_agree(problem, products[name]) for name in nest):
            # Only the rows of a whole tile are in vectors, and accumulators of threads have none.
            continue
        streams = 2 if _needs(problem, nest) else _STREAMS // len({products[name].matrix for name in nest})
        below = (prefix,) if prefix else ()
        sizes = tuple((Line("setRegisterTile", (*below, 0, size)),) for size in (streams, 2) if size > 1)
        yield Tactic(sizes, f"{streams} rows at once.", f"rows of {names} at once")


def _rows_agree(problem: Problem, product: _Product) -> bool:
    """Returns True if neighbouring rows have the same columns, and the same products there."""
    statement = problem.statements[product.statement]
    is_whole = not any(isinstance(node, model.Case) for node in walk(statement.reduction.body))
    return is_whole and lines_agree(statement.domain, (BoxStep(product.row, 1, 2),), (product.column,))


def _of_points(problem: Problem, name: str, prefix: str) -> Iterator[Tactic]:
    if problem.statements[name].domain.space.dimensions > 1:
        yield Tactic(((Line("setParallel", (prefix, 0)),),), "", f"threads for {name}")


STRATEGY = Strategy("matrix-vector", "One pass over each matrix, in vectors, rows in parallel.", plan, rewrite)
