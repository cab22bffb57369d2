"""What is said of the loops of a nest besides their order: threads, vectors, rows in registers."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.search.schedule.line import Line
from alphaz.tuning.fusion import FusionStep, Lines

# So many iterations of the outermost loop at once, each with sums of its own (unroll and jam).
ROWS = ("1", "2", "4", "8")
# So many iterations a thread takes at a time, where they do not all have as much to do.
CHUNK = 16
# Which loop goes along vectors. With a size, pieces of it are the innermost loop, unrolled: several vectors at once.
_INNERMOST, _OUTERMOST, _BY = "innermost", "outermost", " by "
VECTORS = (_INNERMOST, f"{_INNERMOST}{_BY}16", f"{_INNERMOST}{_BY}32", f"{_OUTERMOST}{_BY}8", "none")


@dataclass(frozen=True, slots=True)
class TunedNest:
    """The `place`-th nest of a sequence, `depth` loops deep, which the operation `first` begins. `outermost` is the
    loop, counted from 0, of which something stands outermost: points, or blocks where it is cut.
    """

    place: int
    first: str
    outermost: int
    depth: int

    @property
    def prefix(self) -> str:
        """That of its dates, which are places in the sequence and loops in turn."""
        return str(self.place)

    @property
    def innermost(self) -> int:
        """The dimension of the innermost loop, behind the prefix."""
        return 2 * (self.depth - 1)

    def threads(self, *, in_chunks: bool) -> tuple[Lines, ...]:
        """Threads share the outermost loop, in chunks or in equal parts, or else add up what they make of it."""
        loop = self.prefix, 2 * self.outermost
        chunks = (Line("setChunks", (*loop, CHUNK)),) if in_chunks else ()
        return tuple((Line(verb, loop), *chunks) for verb in ("setParallel", "setReductionDimension"))

    def vectors(self, wish: str, *, parallel: bool) -> tuple[Line, ...]:
        """One of VECTORS. Of a loop that threads share, each of them has vectors anyway."""
        loop, _, size = wish.partition(_BY)
        sizes = (int(size),) if size else ()
        if loop == _OUTERMOST and self.depth > 1:
            return (Line("setVectorDimension", (self.prefix, 0, *sizes)),)
        if loop != _INNERMOST or not self.depth:
            return ()
        if not parallel or self.outermost < self.depth - 1:
            return (Line("setVectorDimension", (self.prefix, self.innermost, *sizes)),)
        return (Line("setRegisterTile", (self.prefix, self.innermost, *sizes)),) if sizes else ()

    def registers(self, rows: str, vectors: str) -> tuple[Line, ...]:
        """So many of ROWS, where these are not vectors already."""
        if self.depth < 2 or rows == ROWS[0] or vectors.startswith(_OUTERMOST):
            return ()
        return (Line("setRegisterTile", (self.prefix, 0, int(rows))),)


def nests(steps: Sequence[FusionStep]) -> tuple[TunedNest, ...]:
    """Those of a sequence of steps."""
    found: list[TunedNest] = []
    for step in steps:
        if step.shared:
            last = found.pop()
            found.append(TunedNest(last.place, last.first, last.outermost, max(last.depth, len(step.loops))))
        else:
            found.append(TunedNest(len(found), step.operation, next(iter(step.cut), 0), len(step.loops)))
    return tuple(found)
