"""Which contribution to a result comes first, and assigns it: by the dates or, where the mapping is legal for its tile
sizes only, in the order of these tiles, which may be another one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from alphaz.mapping.axes import Axis, axes_of
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import DimensionKind
from alphaz.poly import Affine, Domain
from alphaz.poly.questions.lexicographic_minimum import Floors, first_of_each


@dataclass(frozen=True, slots=True)
class Firsts:
    """Answers for the reductions of a system; without `axes` tiles keep the order of contributions."""

    mapping: ResolvedMapping
    axes: tuple[Axis, ...] = ()

    @staticmethod
    def of(mapping: ResolvedMapping, scope: str) -> "Firsts":
        """`scope`: the tile sizes for which alone the mapping is proved."""
        return Firsts(mapping, axes_of(mapping.statements, mapping.bands, mapping.dimensions) if scope else ())

    def contributions(self, statement: Statement) -> Domain:
        """The first contribution to each result; of those that are merged, all in the first loop that has any."""
        whole = statement.domain.in_context(self.mapping.system.context)
        names = whole.space.names
        date = statement.date.renamed(names).outputs
        plain = self._first(whole, statement, date[: statement.merged_at])
        if not self.axes:
            return plain
        before = takewhile(lambda axis: axis.kind(statement) is not DimensionKind.REDUCTION, self.axes)
        found = self._first(whole, statement, [axis.coordinate(statement, date) for axis in before])
        return plain if found.equals(plain) else found

    def _first(self, whole: Domain, statement: Statement, date: Sequence[Affine | Floors]) -> Domain:
        return first_of_each(whole, statement.target.renamed(whole.space.names), date)
