"""What somebody says that statements work on: taken where it agrees with what was seen, and claimed, not believed."""

from collections.abc import Sequence

from alphaz.c_reading.kernel import Statement
from alphaz.poly import Affine
from alphaz.verify.c.equations import Item
from alphaz.verify.c.fit import Sample


def told_point(statement: Statement, key: str, count: int, samples: Sequence[Sample]) -> tuple[Affine, ...] | None:
    """The point with so many indices of a value, or of an operation inside of its equation."""
    told = statement.told
    if told is None or told.variable != key.partition(".")[0] or len(told.point) != count:
        return None
    return told.point if _agrees(told.point, samples) else None


def told_body(statement: Statement, key: str, item: Item, samples: Sequence[Sample]) -> tuple[Affine, ...] | None:
    """The point of the body of a sum that is added."""
    told = statement.told
    if told is None or told.variable != key.partition(".")[0] or len(told.body) != len(item.names) or not told.body:
        return None
    return told.body if _agrees(told.body, samples) else None


def _agrees(point: tuple[Affine, ...], samples: Sequence[Sample]) -> bool:
    return all(tuple(each.at(instance) for each in point) in points for instance, points in samples)
