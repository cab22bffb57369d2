"""How the accesses to a variable move from one turn of the innermost loop to the next."""

from collections.abc import Sequence
from itertools import product

from alphaz.mapping.bands import limits
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import Band, DimensionKind
from alphaz.poly import Affine
from alphaz.storage.lattices import Vector, rank
from alphaz.verify.reads.table import Operations

# By which vector an access moves, and what it counts: accesses of fewer indices than others happen less often.
Steps = tuple[tuple[Vector, float], ...]
_LESS_OFTEN = 0.1
_LINE = 8


def steps_of(operations: Operations, variable: str) -> Steps:
    """One vector for each access whose statement moves along a loop; zero where it stays at one element. Reads of one
    statement that differ by constants are one: what is in the cache for one of them is there for all.
    """
    found: list[tuple[Vector, int]] = []
    bands = operations.mapping.bands
    for family in operations.families:
        if family.variable == variable and family.statement is not None:
            loops = _loops(family.names, family.statement.date.outputs, _inside(family.statement, bands))
            found += _step(family.names, loops, family.target.outputs)
    seen: set[tuple[str, tuple[Affine, ...]]] = set()
    for read in operations.reads:
        line = (read.reader.name, tuple(output - output.constant for output in read.function.outputs))
        if read.variable == variable and read.reader.statement is not None and line not in seen:
            seen.add(line)
            loops = _loops(read.names, read.occurrence.date, _inside(read.reader.statement, bands))
            found += _step(read.names, loops, read.function.outputs)
    most = max((indices for _, indices in found), default=0)
    return tuple((vector, _LESS_OFTEN ** (most - indices)) for vector, indices in found)


def _inside(statement: Statement, bands: Sequence[Band]) -> int | None:
    """The dimension of the dates that vectors go along, where that is said: a vector dimension or, of register tiles,
    the longest side, if it has a line of the cache; fewer are streams that run side by side.
    """
    vectors = [at for at, kind in enumerate(statement.kinds) if kind is DimensionKind.VECTOR]
    if vectors:
        return vectors[-1]
    for band in bands:
        if band.registers and has_prefix(statement, band.prefix):
            first, _ = limits(band)
            size, at = max((size or 1, at) for at, size in enumerate(band.sizes[-1]))
            return first + at if size >= _LINE else None
    return None


def _loops(names: Sequence[str], date: Sequence[Affine], inside: int | None) -> list[Affine]:
    """The components in which there is more than one value once those before have theirs; `inside` is the last."""
    order = [*date[:inside], *date[inside + 1 :], date[inside]] if inside is not None else date
    found: list[Affine] = []
    for output in order:
        rows = [[o.coefficient(name) for name in names] for o in (*found, output)]
        if rank(rows) > len(found):
            found.append(output)
    return found


def _step(names: Sequence[str], loops: Sequence[Affine], index: Sequence[Affine]) -> list[tuple[Vector, int]]:
    moved = _innermost(names, loops)
    if moved is None:
        return []
    vector = tuple(sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in index)
    return [(vector, len(names))]


def _innermost(names: Sequence[str], loops: Sequence[Affine]) -> Vector | None:
    """How the indices move in the innermost loop. A loop inside the operation, over an index that no date has, is
    further in than all of them.
    """
    for at, name in enumerate(names):
        if not any(output.coefficient(name) for output in loops):
            return tuple(int(at == other) for other in range(len(names)))
    if not loops or len(names) > 6:
        return None
    for moved in sorted(product((0, 1, -1), repeat=len(names)), key=lambda v: sum(map(abs, v))):
        *outer, last = (sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in loops)
        if last == 1 and not any(outer):
            return moved
    return None
