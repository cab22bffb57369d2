"""Strides of the accesses to a variable from one iteration of the innermost loop to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from alphaz.mapping.statement import Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable
from alphaz.order.operations import StatementInstances
from alphaz.poly import Affine
from alphaz.poly.plain.solve import rank
from alphaz.search.memory.lattices import Vector

# Accesses of fewer indices than others happen less often.
_LESS_OFTEN = 0.1
_LINE = 8


@dataclass(frozen=True, slots=True)
class Move:
    """The vector by which an access moves, with its weight. `is_recurrence`: values of the variable are computed from
    one another along the vector, so that the loop moves along it under every memory map."""

    vector: Vector
    weight: float
    is_recurrence: bool = False


Steps = tuple[Move, ...]


def steps_of(operations: OperationTable, variable: str) -> Steps:
    """Returns one vector for each access whose statement moves along a loop; zero if it stays at one element. Reads of
    one statement that differ by constants count once: they share lines of the cache."""
    steps: list[tuple[Vector, int]] = []
    for family in operations.families:
        if family.variable == variable and family.statement is not None:
            steps += _step(_write_access(family, family.statement), _inside(operations, family.statement))
    for read in _distinct_reads(operations):
        if read.variable == variable and read.reader.statement is not None:
            steps += _step(_read_access(read), _inside(operations, read.reader.statement))
    most = max((indices for _, indices in steps), default=0)
    along = _recurrences(operations, variable) if steps else []
    return tuple(
        Move(vector, _LESS_OFTEN ** (most - indices), any(rank([vector, step]) == 1 for step in along if any(vector)))
        for vector, indices in steps
    )


def _recurrences(operations: OperationTable, variable: str) -> list[Vector]:
    """Distances between values of which one is computed from the other, if the distance is uniform."""
    recurrences = []
    for read in operations.reads:
        if read.variable == variable == read.reader.variable and not read.is_running:
            pairs = zip(read.occurrence.target, read.function.outputs, strict=True)
            apart = [here - there for here, there in pairs]
            if all(difference.is_constant for difference in apart) and any(difference.constant for difference in apart):
                recurrences.append(tuple(difference.constant for difference in apart))
    return recurrences


@dataclass(frozen=True, slots=True)
class _Access:
    """The index and the date of an access, for all values of the names."""

    names: Sequence[str]
    index: Sequence[Affine]
    date: Sequence[Affine]


def _write_access(family: StatementInstances, statement: Statement) -> _Access:
    return _Access(family.names, family.target.outputs, statement.date.outputs)


def _read_access(read: Read) -> _Access:
    return _Access(read.names, read.function.outputs, read.occurrence.date)


def _distinct_reads(operations: OperationTable) -> Iterator[Read]:
    seen: set[tuple[str, str, tuple[Affine, ...]]] = set()
    for read in operations.reads:
        line = (read.reader.name, read.variable, tuple(output - output.constant for output in read.function.outputs))
        if line not in seen:
            seen.add(line)
            yield read


def _inside(operations: OperationTable, statement: Statement) -> int | None:
    """The dimension of the dates along which vectors run, if the mapping states one: a vector dimension or, of register
    tiles, the longest side, if it has at least a line of the cache; fewer are streams that run next to each other.
    Longer sides are streams, too, if that leaves fewer accesses strided (in arrays that lie as they are declared):
    gathered vectors count as none."""
    vectors = [position for position, kind in enumerate(statement.kinds) if kind is DimensionKind.VECTOR]
    if vectors:
        return vectors[-1]
    band = operations.mapping.registers(statement)
    if band is not None:
        size, at = max((size or 1, position) for position, size in enumerate(band.sizes[-1], band.first))
        accesses = tuple(_accesses(operations, statement)) if size >= _LINE else ()
        side_by_side = _strided_count(accesses, at) > _strided_count(accesses, None) or size < _LINE
        return None if side_by_side else at
    return None


def _accesses(operations: OperationTable, statement: Statement) -> Iterator[_Access]:
    """All accesses of a statement, to any variables."""
    yield from (_write_access(family, statement) for family in operations.families if family.statement is statement)
    yield from (_read_access(read) for read in _distinct_reads(operations) if read.reader.statement is statement)


def _strided_count(accesses: Sequence[_Access], inside: int | None) -> int:
    """The number of accesses that move by more than one element in rows of their last index."""
    steps = [vector for access in accesses for vector, _ in _step(access, inside)]
    return sum(any(vector[:-1]) or abs(vector[-1]) > 1 for vector in steps if vector)


def _loops(names: Sequence[str], date: Sequence[Affine], inside: int | None) -> list[Affine]:
    """The components with more than one value once the values of the components before are fixed; `inside` is the
    last."""
    order = [*date[:inside], *date[inside + 1 :], date[inside]] if inside is not None else date
    loops: list[Affine] = []
    for output in order:
        rows = [[o.coefficient(name) for name in names] for o in (*loops, output)]
        if rank(rows) > len(loops):
            loops.append(output)
    return loops


def _step(access: _Access, inside: int | None) -> list[tuple[Vector, int]]:
    """The vectors by which the index moves, with the number of indices of the statement; empty if no loop is known."""
    names = access.names
    moved = _innermost(names, _loops(names, access.date, inside))
    if moved is None:
        return []
    vector = tuple(sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in access.index)
    return [(vector, len(names))]


def _innermost(names: Sequence[str], loops: Sequence[Affine]) -> Vector | None:
    """The vector by which the indices move in the innermost loop. A loop inside the operation, over an index without a
    date, is further in than all others."""
    for position, name in enumerate(names):
        if not any(output.coefficient(name) for output in loops):
            return tuple(int(position == other) for other in range(len(names)))
    if not loops or len(names) > 6:
        return None
    for moved in sorted(product((0, 1, -1), repeat=len(names)), key=lambda v: sum(map(abs, v))):
        *outer, last = (sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in loops)
        if last == 1 and not any(outer):
            return moved
    return None
