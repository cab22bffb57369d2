"""How the accesses to a variable move from one turn of the innermost loop to the next."""

from collections.abc import Sequence
from itertools import product

from alphaz.poly import Affine
from alphaz.storage.lattices import Vector, rank
from alphaz.verify.reads.table import Operations

# By which vector an access moves, and what it counts: accesses of fewer indices than others happen less often.
Steps = tuple[tuple[Vector, float], ...]
_LESS_OFTEN = 0.1


def steps_of(operations: Operations, variable: str) -> Steps:
    """One vector for each access whose statement moves along a loop; zero where it stays at one element."""
    found: list[tuple[Vector, int]] = []
    for family in operations.families:
        if family.variable == variable and family.statement is not None:
            found += _step(family.names, family.statement.date.outputs, family.target.outputs)
    for read in operations.reads:
        if read.variable == variable and read.reader.statement is not None:
            found += _step(read.names, read.occurrence.date, read.function.outputs)
    most = max((loops for _, loops in found), default=0)
    return tuple((vector, _LESS_OFTEN ** (most - loops)) for vector, loops in found)


def _step(names: Sequence[str], date: Sequence[Affine], index: Sequence[Affine]) -> list[tuple[Vector, int]]:
    moved = _innermost(names, date)
    if moved is None:
        return []
    vector = tuple(sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in index)
    return [(vector, len(names))]


def _innermost(names: Sequence[str], date: Sequence[Affine]) -> Vector | None:
    """How the indices move in the innermost loop. A loop inside the operation, over an index that no date has, is
    further in than all of them.
    """
    for at, name in enumerate(names):
        if not any(output.coefficient(name) for output in date):
            return tuple(int(at == other) for other in range(len(names)))
    loops = _loops(names, date)
    if not loops or len(names) > 6:
        return None
    for moved in sorted(product((0, 1, -1), repeat=len(names)), key=lambda v: sum(map(abs, v))):
        *outer, last = (sum(o.coefficient(n) * x for n, x in zip(names, moved, strict=True)) for o in loops)
        if last == 1 and not any(outer):
            return moved
    return None


def _loops(names: Sequence[str], date: Sequence[Affine]) -> list[Affine]:
    """The components in which there is more than one value once those before have theirs."""
    found: list[Affine] = []
    for output in date:
        rows = [[o.coefficient(name) for name in names] for o in (*found, output)]
        if rank(rows) > len(found):
            found.append(output)
    return found
