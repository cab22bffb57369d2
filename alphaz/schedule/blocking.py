"""Sizes of tiles, as they follow from the registers and the caches of a machine."""

from dataclasses import dataclass

from alphaz.machine import USUAL, Cache, Machine


@dataclass(frozen=True, slots=True)
class Blocking:
    """Tiles of values of `element` bytes for a machine: the usual one, unless something else is said, so that scripts
    are the same on every computer.
    """

    machine: Machine = USUAL
    element: int = 8

    @property
    def columns(self) -> int:
        """Of the sums that are in registers."""
        return self.machine.vectors.columns(self.element)

    @property
    def rows(self) -> int:
        return self.machine.vectors.rows()

    @property
    def _first(self) -> Cache:
        return self.machine.caches[0]

    @property
    def _second(self) -> Cache:
        return self.machine.caches[1]

    def inner(self) -> int:
        """How many contributions are added up at once, so that what they need of the right factor stays in the first
        cache: Kc of Low et al., "Analytical modeling is enough for high-performance BLIS" (TOMS 2016), as in Polly.
        """
        ways = int((self._first.ways - 1) / (1 + self.rows / self.columns))
        return ways * self._first.size // (self.columns * self.element * self._first.ways)

    def panel(self) -> int:
        """Rows of the left factor in the second cache (Mc there), at most 12 register tiles: with more threads idle."""
        ways = self._second.ways - 2
        most = ways * self._second.size // (self.element * self._second.ways * self.inner())
        return min(most // self.rows, 12) * self.rows

    def wide(self) -> int:
        """Columns of the right factor that are packed together, in the third cache."""
        return 2048

    def block(self) -> int:
        """The side of tiles in three dimensions, of which three faces fill half the second cache: a multiple of both
        sides of register tiles.
        """
        step = _least_multiple(self.rows, self.columns)
        side = int((self._second.size / (6 * self.element)) ** 0.5)
        return max(side // step, 1) * step


def _least_multiple(one: int, two: int) -> int:
    found = one
    while found % two:
        found += one
    return found
