"""Loops over tiles as they are wanted: levels of boxes, each in front of a component of the dates."""

from dataclasses import dataclass

from alphaz.poly.plain.affine import Affine


@dataclass(frozen=True, slots=True)
class LevelCut:
    """What a tile has in common with `around`, the tile of the level around: names for its first value, and for the
    first value behind it.
    """

    first: str
    end: str
    around: "LoopTile"


@dataclass(frozen=True, slots=True)
class LoopTile:
    """Boxes along one component of the dates. `origin` names the loop; a size that is a name is a parameter above 0.

    `around`: the origin and the size of the tile in which it lies whole, where the one is a multiple of the other. With
    a `cut`, a part of it may lie outside of the tile around.
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
        """The parameters that what is in the tile has."""
        return (self.origin, self.cut.first, self.cut.end) if self.cut else (self.origin,)

    @property
    def first(self) -> Affine:
        """The first value of the component in the tile."""
        return Affine.name(self.cut.first if self.cut else self.origin)

    @property
    def end(self) -> Affine:
        """The first value behind it."""
        return Affine.name(self.cut.end) if self.cut else Affine.name(self.origin) + self.extent


@dataclass(frozen=True, slots=True)
class TileEdge:
    """Names for one edge of the boxes of recursive tiles. Of all tiles: the number of the first one, how many there
    are, and in how many blocks. Of a block: its number, its first value, the first value behind it, and its tiles.
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
    tiles of a block, and the row-major number of that one there. `free`: the edges, by number, along which tiles are in
    no order.
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
        """The edges along which tiles follow each other."""
        return tuple(at for at in range(len(self.edges)) if at not in self.free)

    @property
    def shared(self) -> tuple[str, ...]:
        """The loops over blocks that are independent: of the ordered edges one follows from the diagonal."""
        led = {*self.ordered[:1]}
        return tuple(edge.block for at, edge in enumerate(self.edges) if at not in led)


@dataclass(frozen=True, slots=True)
class TileLevel:
    """Loops over tiles in front of component `position`, around the scans `names`: in the order of `tiles`.

    With `wavefront`, one name more than there are tiles but one: a loop over the sum of the numbers of the tiles
    (origin / size), then loops over the number of each tile but the first, which follows from them. With a `recursion`
    tiles are in the order in which boxes of them are halved, in blocks that go by diagonals. `whole_tiles` are
    scanned as one point, for scans that have a way to do that. `merged`: what these scans accumulate inside
    is merged behind it. `packs`: buffers that are filled in front of what is inside.
    """

    position: int
    tiles: tuple[LoopTile, ...]
    names: frozenset[str]
    wavefront: tuple[str, ...] = ()
    whole_tiles: bool = False
    merged: frozenset[str] = frozenset()
    packs: tuple[str, ...] = ()
    recursion: Recursion | None = None

    @property
    def is_counted(self) -> bool:
        """Whether isl finds the wavefronts: sizes are known, and no more than two tiles are added up.

        For more it finds bounds that nobody can read, and takes long.
        """
        return bool(self.wavefront) and len(self.tiles) <= 2 and all(isinstance(tile.size, int) for tile in self.tiles)
