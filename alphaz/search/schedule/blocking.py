"""Sizes of tiles, derived from the registers and the caches of a machine."""

from collections.abc import Callable
from dataclasses import dataclass

from alphaz.machine import USUAL, Cache, Machine

_LONG_ROW, _SHORT_ROW = 2048, 256
"""Values of a whole row, of a plane and of space: the usual numbers."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """Tile sizes for values of `element` bytes on a machine: by default the usual one, so that scripts are the same on
    every computer."""

    machine: Machine = USUAL
    element: int = 8

    @property
    def columns(self) -> int:
        """Returns the number of columns of a register tile of sums."""
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
        """The cache of this level, or the last one if there are fewer."""
        return self.machine.caches[min(level, len(self.machine.caches)) - 1]

    def _values(self, size: int) -> int:
        """The number of values that fit into `size` bytes."""
        return size // self.element

    def inner(self) -> int:
        """Returns the number of contributions that are added at once, such that their part of the right factor stays in
        the first cache: Kc of Low et al., "Analytical modeling is enough for high-performance BLIS" (TOMS 2016), as
        in Polly."""
        ways = int((self._first.ways - 1) / (1 + self.rows / self.columns))
        return ways * self._first.size // (self.columns * self.element * self._first.ways)

    def panel(self) -> int:
        """Returns the rows of the left factor in the second cache (Mc there), at most 12 register tiles: with more,
        threads would idle."""
        ways = self._second.ways - 2
        most = ways * self._second.size // (self.element * self._second.ways * self.inner())
        return min(most // self.rows, 12) * self.rows

    def wide(self) -> int:
        """Returns the columns of the right factor that are packed together, in the third cache: a multiple of two and
        of three vectors of all machines."""
        return 2016

    def block(self) -> int:
        """Returns the side of three-dimensional tiles of which three faces fill half the second cache: a multiple of
        both sides of register tiles."""
        step = _least_multiple(self.rows, self.columns)
        side = int((self._second.size / (6 * self.element)) ** 0.5)
        return max(side // step, 1) * step

    def square(self) -> int:
        """Returns the side of squares of which half a row at a time is in registers."""
        return 2 * self.columns

    def some_columns(self) -> tuple[int, ...]:
        """Returns the number of columns that are computed at once: some lines of the first cache; fewer if rows need
        it, too."""
        return (4 * self.columns, 2 * self.columns, self.columns)

    def triangle(self) -> tuple[int, int]:
        """Returns the rows and columns of the tiles of a triangular matrix: the unknowns fill half the first cache,
        with few rows, so that there are many tiles."""
        columns = _power(self._values(self._first.size) // 2)
        return max(columns // 16, 1), columns

    def skewed(self, dimensions: int) -> tuple[int, ...]:
        """Returns the sizes of tiles in time and space: half as many steps as points, four times as many points along
        lines, such that three arrays of this size fill half the second cache; in one dimension a quarter of the
        first."""
        if dimensions == 1:
            width = _power(self._values(self._first.size) // 4)
            return max(width // 32, 1), width
        most = self._values(self._second.size) // 2
        side = _power_while(lambda s: 3 * (3 * s // 2) ** (dimensions - 1) * 4 * s <= most)
        return max(side // 2, 1), *((side,) * (dimensions - 1)), 4 * side

    def skewed_rows(self, dimensions: int) -> tuple[int, ...]:
        """Returns the sizes of such tiles with whole rows, and `dimensions` further ones: rows of a plane fill half the
        second cache, those of space an eighth of the third one."""
        if dimensions == 1:
            side = _power_while(lambda s: 2 * s * _LONG_ROW <= self._values(self._second.size) // 2)
            return side, side
        most = self._values(self._cache(3).size) // 8
        side = _power_while(lambda s: (5 * s // 4) ** dimensions * _SHORT_ROW <= most)
        return max(side // 4, 1), *((side,) * dimensions)


def _power(most: int) -> int:
    """The greatest power of two that is at most `most`."""
    return _power_while(lambda value: value <= most)


def _power_while(fits: Callable[[int], bool]) -> int:
    power = 1
    while fits(2 * power):
        power *= 2
    return power


def _least_multiple(one: int, two: int) -> int:
    multiple = one
    while multiple % two:
        multiple += one
    return multiple
