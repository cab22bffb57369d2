"""A target mapping with every default filled in: the executed operations, dates, cells, and packed reads."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from alphaz.diagnostics import NOWHERE, Diagnostic, Span
from alphaz.mapping.aliases import Aliases
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.loop_dimensions import Axis, AxisLevel, TileSize, axes_of, levels_of, tile_sizes
from alphaz.mapping.statement import Cell, Statement
from alphaz.mapping.target_mapping import DEFAULT_TARGET, Band, KeptOnce, LaunchDimension, StatementOrder
from alphaz.mapping.use_equations import Use
from alphaz.model.expression import Expression, Facts
from alphaz.model.program import System


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
    `twins` are other places of the statement that read the same values. `is_final`: only in tiles in which no operation
    writes these values, as the generator proves.
    """

    statement: Statement
    variable: str
    read: Expression
    along: tuple[Along, ...]
    level: int
    tile: int
    span: Span = field(default=NOWHERE, repr=False)
    twins: tuple[Expression, ...] = ()
    is_final: bool = False

    @property
    def reads(self) -> tuple[Expression, ...]:
        """Returns all expressions that the buffer replaces."""
        return (self.read, *self.twins)


if TYPE_CHECKING:
    from alphaz.mapping.storage_formats import Layout


@dataclass(frozen=True, slots=True, eq=False)
class ResolvedMapping:
    """A resolved mapping. All dates have `dimensions` components; `cells` has every variable of the system.

    `before` is the statement ordering as pairs of statement names, transitively closed, without cycles. `aliases` are
    the operations that were dropped because they only copy a value onto the cell that holds it; `statements` no longer
    have them. `notes` report the defaults taken to the user. `ordering` is the ordering as stated. The arrays of
    arguments of `uses` have cells too. `packed` are reads that tiles copy to buffers. `layouts` are those of the
    variables that have a storage format. `overwritable` are inputs that the caller does not need again. `target` is
    the name of what the code is generated for. With a `distribution`, several ranks execute the mapping. `launches`:
    the dimensions that blocks and threads of a GPU share. `kept_once`: reductions that select one instance each.
    """

    system: System
    facts: Facts
    dimensions: int
    statements: tuple[Statement, ...]
    cells: Mapping[str, Cell]
    before: frozenset[tuple[str, str]] = frozenset()
    bands: tuple[Band, ...] = ()
    aliases: Aliases = field(default_factory=Aliases)
    notes: tuple[Diagnostic, ...] = ()
    ordering: tuple[StatementOrder, ...] = ()
    uses: tuple[Use, ...] = ()
    packed: tuple[PackedRead, ...] = ()
    layouts: "Mapping[str, Layout]" = field(default_factory=dict)
    overwritable: frozenset[str] = frozenset()
    target: str = DEFAULT_TARGET
    architecture: str = ""
    distribution: Distribution | None = None
    launches: tuple[LaunchDimension, ...] = ()
    kept_once: tuple[KeptOnce, ...] = ()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Returns the dimensions of the loops, outermost first."""
        return axes_of(self.bands, self.dimensions)

    def registers(self, statement: Statement) -> Band | None:
        """Returns the band of the register tiles of a statement, if it has any."""
        return next((band for band in self.bands if band.registers and has_prefix(statement, band.prefix)), None)

    @property
    def levels(self) -> tuple[AxisLevel, ...]:
        """Returns the levels of tiles, outermost first."""
        used_names = (*self.system.parameters, *(variable.name for variable in self.system.variables))
        return levels_of(self.bands, self.dimensions, used_names)

    @property
    def tile_sizes(self) -> tuple[TileSize, ...]:
        """Returns the tile sizes that are parameters of the generated function, after those of the system."""
        return tile_sizes(self.levels)

    def sides_around(self, packed: PackedRead) -> Iterator[tuple[int, int]]:
        """Yields the dimensions and the sizes of the tiles in which a buffer is filled, where their sizes are known."""
        for position, level in enumerate(self.levels[: packed.level + 1]):
            if level.has(packed.statement) and not level.band.registers:
                tiles = level.tiles[: packed.tile + 1] if position == packed.level else level.tiles
                yield from ((tile.dimension, tile.size) for tile in tiles if tile.size is not None)

    def statement(self, name: str) -> Statement:
        """Returns the statement of this name. Raises KeyError if there is none."""
        for statement in self.statements:
            if statement.name == name:
                return statement
        raise KeyError(name)
