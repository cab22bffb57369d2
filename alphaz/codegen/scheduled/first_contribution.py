"""The first contribution to a result, which assigns it: by the dates or, where tiles change the order of contributions,
in the order of the loops over them.

Tiles change it where the mapping is legal for its tile sizes only, and where register tiles have the loop of a
reduction dimension inside: no other dimension orders the contributions that it separates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from alphaz.mapping.axes import axes_of
from alphaz.mapping.bands import limits
from alphaz.mapping.kinds import has_prefix
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.mapping.target import DimensionKind
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.smallest import Floors, first_of_each


@dataclass(frozen=True, slots=True)
class FirstContributions:
    """Finds the first contributions to the reductions of a system. `scope`: the tile sizes for which alone the
    mapping is proved.
    """

    mapping: ResolvedMapping
    scope: str = ""

    def contributions(self, statement: Statement) -> Domain:
        """Returns the first contribution to each result; for merged ones, all in the first loop that has any."""
        whole = statement.domain.in_context(self.mapping.system.context)
        names = whole.space.names
        date = statement.date.renamed(names).outputs
        plain = self._first(whole, statement, date[: statement.merged_at])
        if not self.scope and not self._merges_inside(statement):
            return plain
        axes = axes_of(self.mapping.bands, self.mapping.dimensions)
        before = takewhile(lambda axis: axis.kind(statement) is not DimensionKind.REDUCTION, axes)
        found = self._first(whole, statement, [axis.coordinate(statement, date) for axis in before])
        return plain if found.equals(plain) else found

    def _merges_inside(self, statement: Statement) -> bool:
        """Returns True if loops over register tiles enclose the loop after which the statement is merged. Tiles whose
        sizes are parameters enclose all of these. A proof for all sizes covers tiles of one point, and of two
        contributions that differ first before the merge none is then later by any other dimension of the band: the
        first one in tiles of one point is in the first tile of every size.
        """
        at = statement.merged_at
        bands = (band for band in self.mapping.bands if band.registers and has_prefix(statement, band.prefix))
        return at is not None and any(limits(band)[0] <= at for band in bands)

    def _first(self, whole: Domain, statement: Statement, date: Sequence[Affine | Floors]) -> Domain:
        return first_of_each(whole, statement.target.renamed(whole.space.names), date)
