"""Whether the innermost loop of a statement is done in vectors: what it touches lies side by side along the loop, or
does not move; and a sum along the loop is collected in lanes, since nobody may reorder it otherwise.
"""

from collections.abc import Iterable

from alphaz.cost.touches import Touch
from alphaz.machine import Vectors
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import DimensionKind

# So many additions could be begun while one ends: each element of a sum waits for the one before.
_LATENCY = 4


def slowness(statement: Statement, touches: Iterable[Touch], vectors: Vectors) -> int:
    """How many times as long the operations of a statement take as operations in vectors. `touches` are all of its
    mapping.
    """
    own = [touch for touch in touches if touch.statement is statement]
    loops = [at for at, date in enumerate(statement.dates) if not date.is_constant]
    lanes = max((vectors.lanes(touch.bytes) for touch in own), default=1)
    if not loops or not all(_is_beside(touch, loops[-1]) for touch in own):
        return lanes
    is_sum = any(touch.is_write and not _moves(touch, loops[-1]) for touch in own)
    is_ordered = statement.kinds[loops[-1]] in (DimensionKind.SEQUENTIAL, DimensionKind.ORDERING)
    return lanes * _LATENCY if is_sum and is_ordered else 1


def _is_beside(touch: Touch, dimension: int) -> bool:
    """Whether the next iteration touches the same element, or its neighbour."""
    date = touch.date[dimension]
    if date.is_constant:
        return True
    if len(date.terms) != 1 or abs(date.terms[0][1]) != 1 or any(touch.moduli):
        return False
    *rows, last = [index.coefficient(date.terms[0][0]) for index in touch.element] or [0]
    return not any(rows) and abs(last) <= 1


def _moves(touch: Touch, dimension: int) -> bool:
    names = set(touch.date[dimension].names)
    return any(names & set(index.names) for index in touch.element)
