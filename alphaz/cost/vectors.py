"""Whether operations are done in vectors, as far as the order of the loops says that: a sum along the innermost loop is
so only where it may be collected in lanes, since nobody may reorder it otherwise. What lies apart in memory is not
looked at here: its lines are counted as what moves, and register tiles may put it side by side.
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
    if not loops or statement.kinds[loops[-1]] not in (DimensionKind.SEQUENTIAL, DimensionKind.ORDERING):
        return 1
    lanes = max((vectors.lanes(touch.bytes) for touch in own), default=1)
    is_sum = any(touch.is_write and not _moves(touch, loops[-1]) for touch in own)
    return lanes * _LATENCY if is_sum else 1


def _moves(touch: Touch, dimension: int) -> bool:
    names = set(touch.date[dimension].names)
    return any(names & set(index.names) for index in touch.element)
