"""The machine that tiles are cut for: caches and vectors, and the sizes that follow from them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cache:
    """`size` in bytes, `ways` of associativity."""

    size: int
    ways: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A core of today's servers, unless something else is said; the same on every computer, and so are its scripts."""

    first: Cache = Cache(32 * 1024, 8)
    second: Cache = Cache(1024 * 1024, 16)
    element: int = 8
    """Bytes of a value."""
    columns: int = 8
    """Of the sums that are in registers: the width of a vector, or a few."""
    rows: int = 6

    def inner(self) -> int:
        """How many contributions are added up at once, so that what they need of the right factor stays in the first
        cache: Kc of Low et al., "Analytical modeling is enough for high-performance BLIS" (TOMS 2016), as in Polly.
        """
        ways = int((self.first.ways - 1) / (1 + self.rows / self.columns))
        return ways * self.first.size // (self.columns * self.element * self.first.ways)

    def panel(self) -> int:
        """Rows of the left factor in the second cache (Mc there), at most 12 register tiles: with more threads idle."""
        ways = self.second.ways - 2
        most = ways * self.second.size // (self.element * self.second.ways * self.inner())
        return min(most // self.rows, 12) * self.rows

    def wide(self) -> int:
        """Columns of the right factor that are packed together, in the third cache."""
        return 2048

    def block(self) -> int:
        """The side of tiles in three dimensions, of which three faces fill half the second cache: a multiple of both
        sides of register tiles.
        """
        step = _least_multiple(self.rows, self.columns)
        side = int((self.second.size / (6 * self.element)) ** 0.5)
        return max(side // step, 1) * step


def _least_multiple(one: int, two: int) -> int:
    found = one
    while found % two:
        found += one
    return found
