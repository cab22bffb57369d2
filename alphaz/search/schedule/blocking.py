"""Sizes of tiles, as they follow from the registers and the caches of a machine."""

from collections.abc import Callable
from dataclasses import dataclass

from alphaz.machine import USUAL, Cache, Machine

_LONG_ROW, _SHORT_ROW = 2048, 256
"""Values of a row that is whole, of a plane and of space: what is usual."""


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
        return self._cache(1)

    @property
    def _second(self) -> Cache:
        return self._cache(2)

    def _cache(self, level: int) -> Cache:
        """The last one, where there are fewer."""
        return self.machine.caches[min(level, len(self.machine.caches)) - 1]

    def _values(self, size: int) -> int:
        """How many fit into so many bytes."""
        return size // self.element

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

    def square(self) -> int:
        """The side of squares of which half a row at a time is in registers."""
        return 2 * self.columns

    def some_columns(self) -> tuple[int, ...]:
        """How many columns are done at once: some lines of the first cache; fewer where rows need them too."""
        return (4 * self.columns, 2 * self.columns, self.columns)

    def triangle(self) -> tuple[int, int]:
        """Rows and columns of the tiles of a triangular matrix: as much of the unknowns as half the first cache holds,
        for few rows, so that there are many tiles.
        """
        columns = _power(self._values(self._first.size) // 2)
        return max(columns // 16, 1), columns

    def skewed(self, dimensions: int) -> tuple[int, ...]:
        """Of tiles in time and so many dimensions of space: half as many steps as points, along lines four times as
        many, such that three arrays of this size fill half the second cache; of one dimension a quarter of the first.
        """
        if dimensions == 1:
            width = _power(self._values(self._first.size) // 4)
            return max(width // 32, 1), width
        most = self._values(self._second.size) // 2
        side = _power_while(lambda s: 3 * (3 * s // 2) ** (dimensions - 1) * 4 * s <= most)
        return max(side // 2, 1), *((side,) * (dimensions - 1)), 4 * side

    def skewed_rows(self, dimensions: int) -> tuple[int, ...]:
        """The same where rows are whole, so many dimensions besides: rows of a plane fill half the second cache, those
        of space an eighth of the third one.
        """
        if dimensions == 1:
            side = _power_while(lambda s: 2 * s * _LONG_ROW <= self._values(self._second.size) // 2)
            return side, side
        most = self._values(self._cache(3).size) // 8
        side = _power_while(lambda s: (5 * s // 4) ** dimensions * _SHORT_ROW <= most)
        return max(side // 4, 1), *((side,) * dimensions)


def _power(most: int) -> int:
    """The greatest power of two."""
    return _power_while(lambda each: each <= most)


def _power_while(fits: Callable[[int], bool]) -> int:
    found = 1
    while fits(2 * found):
        found *= 2
    return found


def _least_multiple(one: int, two: int) -> int:
    found = one
    while found % two:
        found += one
    return found
