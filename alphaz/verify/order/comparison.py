"""What comes of comparing two operations: the answer, its reason in words, and what in the mapping makes it so."""

from dataclasses import dataclass, field

from alphaz.mapping.target import Band
from alphaz.verify.order.operations import Family


@dataclass(frozen=True, slots=True)
class Cause:
    """What in the mapping makes two operations unordered, or late: a dimension, a band, the statement ordering."""

    families: tuple[Family, Family]
    dimension: int | None = None
    band: Band | None = None
    ordered: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a precedes b, and why not: `is_later` where b precedes a, else they are unordered; `reason` says it."""

    precedes: bool
    is_later: bool = False
    reason: str = ""
    cause: Cause | None = field(default=None, compare=False)


BEFORE = Comparison(True)
LATER = Comparison(False, True, "later")
