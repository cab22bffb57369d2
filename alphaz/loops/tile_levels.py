"""The levels of tile loops that are requested of the scan, each before a component of the dates."""

from dataclasses import dataclass

from alphaz.poly.plain.affine import Affine, Constraint


@dataclass(frozen=True, slots=True)
class LevelCut:
    """The intersection of a tile with `around`, the tile of the enclosing level: names for its first value, and for the
    first value after it.
    """

    first: str
    end: str
    around: "LoopTile"


@dataclass(frozen=True, slots=True)
class LoopTile:
    """Boxes along one component of the dates. `origin` names the loop; a size that is a name is a positive parameter.

    `around`: the origin and the size of the enclosing tile, which contains the tile if one size is a multiple of the
    other. With a `cut`, a part of the tile may lie outside the enclosing one.
    """

    origin: str
    dimension: int
    size: int | str
    around: tuple[str, int] | None = None
    cut: LevelCut | None = None

    @property
    def extent(self) -> Affine:
        return Affine(constant=self.size) if isinstance(self.size, int) else Affine.name(self.size)

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the parameters of the contents of the tile."""
        return (self.origin, self.cut.first, self.cut.end) if self.cut else (self.origin,)

    @property
    def first(self) -> Affine:
        """Returns the first value of the component in the tile."""
        return Affine.name(self.cut.first if self.cut else self.origin)

    @property
    def end(self) -> Affine:
        """Returns the first value after the tile."""
        return Affine.name(self.cut.end) if self.cut else Affine.name(self.origin) + self.extent


@dataclass(frozen=True, slots=True)
class TileEdge:
    """Names for one edge of the boxes of recursive tiles. Of all tiles: the number of the first one, the number of
    tiles, and the number of blocks. Of a block: its number, its first value, the first value after it, and its tiles.
    """

    low: str
    count: str
    blocks: str
    block: str
    first: str
    end: str
    tiles: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.low, self.count, self.blocks, self.block, self.first, self.end, self.tiles)


@dataclass(frozen=True, slots=True)
class Recursion:
    """Names for the loops over recursive tiles: an edge for each tile, the diagonal of a block, the iteration over the
    tiles of a block, and the row-major number of that tile. `free`: the edges, by number, along which tiles are
    unordered.
    """

    edges: tuple[TileEdge, ...]
    diagonal: str
    iteration: str
    number: str
    free: frozenset[int] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.diagonal, self.iteration, self.number, *(name for edge in self.edges for name in edge.names))

    @property
    def ordered(self) -> tuple[int, ...]:
        """Returns the edges along which tiles are ordered."""
        return tuple(position for position in range(len(self.edges)) if position not in self.free)

    @property
    def shared(self) -> tuple[str, ...]:
        """Returns the loops over independent blocks: of the ordered edges one follows from the diagonal."""
        led = {*self.ordered[:1]}
        return tuple(edge.block for position, edge in enumerate(self.edges) if position not in led)


@dataclass(frozen=True, slots=True)
class TileVersion:
    """Another version of some tiles: in those `where` constraints on the origins hold, the scans `inside` stand for the
    scans `outside`, which are those of all other tiles.
    """

    where: tuple[Constraint, ...]
    inside: frozenset[str]
    outside: frozenset[str]


@dataclass(frozen=True, slots=True)
class TileLevel:
    """Loops over tiles before component `position`, around the scans `names`, in the order of `tiles`.

    With `wavefront`, which has one name for each tile: a loop over the sum of the numbers of the tiles (origin /
    size), then loops over the number of each tile but the first, which follows from them. With a `recursion` tiles are
    in the order in which boxes of them are halved, in blocks that run by diagonals. `whole_tiles` are scanned as one
    point, for scans that can compute them at once. `merged`: accumulations of these scans inside the level are merged
    after it. `packs`: buffers that are filled before the contents. `version`: the contents of some tiles.
    """

    position: int
    tiles: tuple[LoopTile, ...]
    names: frozenset[str]
    wavefront: tuple[str, ...] = ()
    whole_tiles: bool = False
    merged: frozenset[str] = frozenset()
    packs: tuple[str, ...] = ()
    recursion: Recursion | None = None
    version: TileVersion | None = None

    @property
    def is_counted(self) -> bool:
        """Returns True if isl scans the wavefronts: sizes are known, and no more than two tiles are added up.

        For more tiles isl takes long and finds unreadable bounds.
        """
        return bool(self.wavefront) and len(self.tiles) <= 2 and all(isinstance(tile.size, int) for tile in self.tiles)
