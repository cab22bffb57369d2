"""Packed reads: an expression that a tile reads repeatedly and copies to a buffer, with its dimensions and place."""

from dataclasses import dataclass, field

from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Expression


@dataclass(frozen=True, slots=True)
class Along:
    """Index `name` of a statement: dates[dimension] is the index or its negative, plus a term in the parameters."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True, eq=False)
class PackedRead:
    """The values of `read`, an expression of `statement` that only reads cells of `variable`.

    They depend on the indices `along` alone. The buffer is filled inside tile `tile` of level `level` (numbers in the
    levels of the mapping, and in the tiles of that level), and holds the values that the statement reads in there.
    `twins` are other places of the statement that read the same values.
    """

    statement: Statement
    variable: str
    read: Expression
    along: tuple[Along, ...]
    level: int
    tile: int
    span: Span = field(default=NOWHERE, repr=False)
    twins: tuple[Expression, ...] = ()

    @property
    def reads(self) -> tuple[Expression, ...]:
        """Returns all expressions that the buffer replaces."""
        return (self.read, *self.twins)
