"""The dimensions that are scanned: those of `alphaz.mapping.axes`, and a last one that orders equal dates."""

from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NOT_YET
from alphaz.mapping.axes import Axis as Dated
from alphaz.mapping.axes import Tile
from alphaz.mapping.axes import axes_of as dated_axes
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target import Band, DimensionKind
from alphaz.poly import Affine
from alphaz.poly.loops import Coordinate


@dataclass(frozen=True, slots=True)
class Axis:
    """One scanned dimension; `dated` is None for the last one, which orders equal dates."""

    dated: Dated | None

    @property
    def dimension(self) -> int | None:
        """The dimension of the dates that it stands for."""
        return self.dated.dimension if self.dated else None

    @property
    def band(self) -> Band | None:
        return self.dated.band if self.dated else None

    @property
    def tiles(self) -> tuple[Tile, ...]:
        return self.dated.tiles if self.dated else ()

    @property
    def wavefront(self) -> bool:
        return self.dated is not None and self.dated.wavefront

    def coordinate(self, statement: Statement, rank: int) -> Coordinate:
        """The component of the date of a statement, over the names of its domain; `rank` orders equal dates."""
        if self.dated is None:
            return Coordinate(Affine(constant=rank))
        date = statement.date.renamed(statement.domain.space.names).outputs
        if self.dated.band is None:
            return Coordinate(date[self.dated.dimension])
        if not self.dated.has(statement):
            return Coordinate()
        return Coordinate(tiles=tuple((date[t.dimension], _size(self.dated.band, t)) for t in self.dated.tiles))

    def is_parallel(self, statement: Statement) -> bool:
        """Whether operations of this statement that differ here first are unordered."""
        return self.dated is not None and self.dated.kind(statement) is DimensionKind.PARALLEL


def axes_of(mapping: ResolvedMapping) -> tuple[Axis, ...]:
    """All scanned dimensions, outermost first.

    Raises Rejected (AZ407) for tile sizes that are not numbers, and for accumulators of reduction dimensions.
    """
    _refuse_reduction_dimensions(mapping)
    dated = dated_axes(mapping.statements, mapping.bands, mapping.dimensions)
    for axis in dated:
        for tile in axis.tiles:
            assert axis.band is not None
            _size(axis.band, tile)
    return (*(Axis(each) for each in dated), Axis(None))


def _refuse_reduction_dimensions(mapping: ResolvedMapping) -> None:
    for statement in mapping.statements:
        at = statement.merged_at
        if at is not None:
            setting = statement.settings[at]
            message = f"private accumulators for {statement.variable} (reduction dimension {at}) are not generated yet"
            place = Label(setting.span if setting else statement.span)
            raise Rejected(Diagnostic(NOT_YET, message, place, help="the same dimension can be generated sequential"))


def _size(band: Band, tile: Tile) -> int:
    if tile.size is None:
        message = f"tile sizes that are parameters (band {band.name}) are not supported yet"
        raise Rejected(Diagnostic(NOT_YET, message, Label(band.span), help="give the sizes as numbers"))
    return tile.size


def ranks(mapping: ResolvedMapping) -> dict[str, int]:
    """A place for each statement in a total order that contains the statement ordering, initialisations first."""
    before = set(mapping.before)
    for init in mapping.statements:
        if init.role is Role.INIT:
            others = (s for s in mapping.statements if s.variable == init.variable and s.role is Role.BODY)
            before |= {(init.name, other.name) for other in others}
    waiting = [s.name for s in mapping.statements]
    order: dict[str, int] = {}
    while waiting:
        ready = next(n for n in waiting if not any((other, n) in before for other in waiting))
        waiting.remove(ready)
        order[ready] = len(order)
    return order
