"""Of all who have written a value into a cell, the closest: those in the same iterations of the loops that they share
with the reader.

A buffer may be filled with the same again and again, and hold something else in between. Then not every writer of what
is read is one whose value stays; but each reader has one in the same iteration of a tile.
"""

from collections.abc import Sequence
from functools import partial

from alphaz.poly import Affine, Constraint, Domain, equal
from alphaz.proof import BUDGET, is_empty, soon_empty
from alphaz.verify.c.actor import compared, meeting
from alphaz.verify.c.order import before
from alphaz.verify.c.readers import Reader, Source, meets
from alphaz.verify.c.threat import Threat


def none_disturbed(reader: Reader, sources: Sequence[Source], threats: Sequence[Threat]) -> bool:
    """C4: each reader has a writer close by, and nobody writes something else between any of these and the reader."""
    if not any(_close(reader, each) for each in sources):
        return False
    is_written = soon_empty(partial(_unwritten, reader, sources), BUDGET) is True
    return is_written and all(map(_is_harmless, threats))


def _close(reader: Reader, source: Source) -> list[Constraint]:
    """That both are in the same iterations of the loops that they stand in."""
    return [equal(Affine.name(left), Affine.name(right)) for left, right in compared((reader.who, source.who))]


def _unwritten(reader: Reader, sources: Sequence[Source]) -> Domain:
    """Readers for whom nobody has written close by."""
    rest = reader.who.domain
    for source in sources:
        conditions = [*meets(reader, source), *_close(reader, source)]
        found = meeting((reader.who, source.who), conditions, before(source.who, reader.who))
        rest = rest - found.onto(reader.who.dimensions)
    return rest


def _is_harmless(threat: Threat) -> bool:
    reader, writer, y = threat.reader.who, threat.source.who, threat.y
    between = partial(threat.between, _close(threat.reader, threat.source))
    return is_empty(threat.late, compared((reader, y))) or is_empty(between, compared((reader, writer, y)))
