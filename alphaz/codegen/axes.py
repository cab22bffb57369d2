"""The loops of a mapping: one for each component of the dates, loops over tiles in front of bands, and last what orders
equal dates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.codegen.names import Names, identifier
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import NOT_YET
from alphaz.mapping.axes import Level as Stated
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target import DimensionKind
from alphaz.poly import Affine
from alphaz.poly.tiling import Level, Tile


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of the loops. `iterators` are those of the components of dates, then the rank of equal ones, then ties.

    `dimensions`: the dimension of the dates by whose kind a loop is parallel; `independent`: loops over the tiles of a
    wavefront.
    """

    iterators: tuple[str, ...]
    levels: tuple[Level, ...]
    dimensions: Mapping[str, int]
    independent: frozenset[str]

    def is_parallel(self, iterator: str, statement: Statement) -> bool:
        """Whether operations of this statement that differ in this loop first are unordered."""
        if iterator in self.independent:
            return True
        at = self.dimensions.get(iterator)
        return at is not None and statement.kinds[at] is DimensionKind.PARALLEL


def layout_of(
    levels: Sequence[Stated], scanned: Mapping[str, Statement], dimensions: int, ties: int, names: Names
) -> Layout:
    """The loops for what is scanned: its statement by its name."""
    statements = list({s.name: s for s in scanned.values()}.values())
    points = [_iterator(at, statements, names) for at in range(dimensions)]
    by_name = dict(zip(points, range(dimensions), strict=True))
    found: list[Level] = []
    independent: list[str] = []
    for level in levels:
        tiles = tuple(
            Tile(names.new(f"t{points[t.dimension]}"), t.dimension, t.size or t.parameter) for t in level.tiles
        )
        members = frozenset(name for name, statement in scanned.items() if level.has(statement))
        if level.wavefront:
            wave = (
                names.new(f"w{points[tiles[0].dimension]}"),
                *(names.new(f"n{points[t.dimension]}") for t in tiles[1:]),
            )
            independent += wave[1:]
            found.append(Level(level.position, tiles, members, wave))
        else:
            by_name |= {tile.origin: tile.dimension for tile in tiles}
            found.append(Level(level.position, tiles, members))
    last = (names.new("order"), *(names.new(f"k{at}") for at in range(ties)))
    return Layout((*points, *last), tuple(found), by_name, frozenset(independent))


def _iterator(dimension: int, statements: Sequence[Statement], names: Names) -> str:
    """An index x where every statement that has an index x has it as this dimension of its dates; else c0, c1, ..."""
    dates = {s.name: s.date.renamed(s.domain.space.names).outputs[dimension] for s in statements}
    for statement in statements:
        for index in statement.domain.space.names:
            owners = [s for s in statements if index in s.domain.space.names]
            if all(dates[s.name] == Affine.name(index) for s in owners):
                return names.new(identifier(index))
    return names.new(f"c{dimension}")


def refuse_reduction_dimensions(mapping: ResolvedMapping) -> None:
    """Raises Rejected (AZ407) for accumulators of reduction dimensions."""
    for statement in mapping.statements:
        at = statement.merged_at
        if at is not None:
            setting = statement.settings[at]
            message = f"private accumulators for {statement.variable} (reduction dimension {at}) are not generated yet"
            place = Label(setting.span if setting else statement.span)
            raise Rejected(Diagnostic(NOT_YET, message, place, help="the same dimension can be generated sequential"))


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
