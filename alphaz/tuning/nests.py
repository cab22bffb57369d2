"""Properties of the loops of a nest besides their order: threads, vectors, rows in registers."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.search.schedule.line import Line
from alphaz.tuning.fusion import FusionStep, Lines

# Numbers of iterations of the outermost loop at once, each with its own sums (unroll and jam).
ROWS = ("1", "2", "4", "8")
# Iterations in a chunk of a thread, if they differ in work.
CHUNK = 16
# The vectorised loop. With a size, it is strip-mined and its inner loop unrolled: several vectors at once.
_INNERMOST, _OUTERMOST, _BY = "innermost", "outermost", " by "
VECTORS = (_INNERMOST, f"{_INNERMOST}{_BY}16", f"{_INNERMOST}{_BY}32", f"{_OUTERMOST}{_BY}8", "none")


@dataclass(frozen=True, slots=True)
class TunedNest:
    """The `place`-th nest of a sequence, `depth` loops deep, which begins with the operation `first`. `outermost` is
    the number, from 0, of the loop whose points or blocks are outermost."""

    place: int
    first: str
    outermost: int
    depth: int

    @property
    def prefix(self) -> str:
        """Returns the ordering prefix of its dates, which alternate places in the sequence and loops."""
        return str(self.place)

    @property
    def innermost(self) -> int:
        """Returns the dimension of the innermost loop, after the prefix."""
        return 2 * (self.depth - 1)

    def threads(self, *, in_chunks: bool) -> tuple[Lines, ...]:
        """Returns alternatives: threads share the outermost loop, in chunks or in equal parts, or have private
        accumulators for it."""
        loop = self.prefix, 2 * self.outermost
        chunks = (Line("setChunks", (*loop, CHUNK)),) if in_chunks else ()
        return tuple((Line(verb, loop), *chunks) for verb in ("setParallel", "setReductionDimension"))

    def vectors(self, wish: str, *, parallel: bool) -> tuple[Line, ...]:
        """Returns the commands for one of VECTORS. A loop that threads share is vectorised anyway."""
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
        """Returns the commands for this number of ROWS, unless these are vectors already."""
        if self.depth < 2 or rows == ROWS[0] or vectors.startswith(_OUTERMOST):
            return ()
        return (Line("setRegisterTile", (self.prefix, 0, int(rows))),)


def nests(steps: Sequence[FusionStep]) -> tuple[TunedNest, ...]:
    """Returns the nests of a sequence of steps."""
    found: list[TunedNest] = []
    for step in steps:
        if step.shared:
            last = found.pop()
            found.append(TunedNest(last.place, last.first, last.outermost, max(last.depth, len(step.loops))))
        else:
            found.append(TunedNest(len(found), step.operation, next(iter(step.cut), 0), len(step.loops)))
    return tuple(found)
