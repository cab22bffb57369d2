"""All small maps of a variable, by brute force: which of those that need fewer cells than a known one are legal.

Nothing here looks for lattices. Differences of conflicting values at a few sizes, as plain integers, rule most maps
out; isl is asked about the others, once for all that put the same differences into one cell (as far as `_REACH`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from alphaz.search.memory.lattices import ReuseLattice, Vector
from alphaz.search.memory.map_candidates import MapComponent, candidate
from alphaz.search.memory.proposal import MemoryProposal

FACTORS = (0, 2, 3, 4)
_SIZES, _REACH, _WORDS = (3, 6, 9, 13), 12, 4


@dataclass(frozen=True)
class SmallMaps:
    """Maps whose components are `components`; `cells` of each at the samples, and which of some differences each puts
    into one cell: `near` are all that are no further than `_REACH`, `clashes` those of values that conflict.
    """

    proposal: MemoryProposal
    variable: str
    components: list[MapComponent]
    cells: np.ndarray
    near: list[int]
    clashes: list[int]
    telling: np.ndarray

    @staticmethod
    def of(proposal: MemoryProposal, variable: str, most: int) -> "SmallMaps":
        """With entries up to `most`, and factors up to 4."""
        system, reuse = proposal.prices.system, proposal.legality.reuse(variable)
        names = system.variable(variable).domain.space.names
        components, cells = [], []
        for row, factor in product(_rows(len(names), most), FACTORS):
            one = MapComponent(row, factor)
            made = candidate(variable, names, (one,), ReuseLattice(), proposal.prices.sizes, ())
            if made is not None and (any(row) or not factor):
                components.append(one)
                cells.append(made.cells)
        known = reuse.differences.in_context(system.context)
        clashes = sorted({d for n in _SIZES for d in known.points(dict.fromkeys(system.parameters, n))})
        together = _together(components, np.array(clashes, dtype=np.int64).reshape(-1, len(names)))
        often = np.argsort(-together.sum(axis=0), kind="stable")[: 64 * _WORDS]
        words = np.packbits(np.pad(together[:, often], ((0, 0), (0, 64 * _WORDS - len(often)))), axis=1)
        return SmallMaps(
            proposal=proposal,
            variable=variable,
            components=components,
            cells=np.array(cells, dtype=float),
            near=_bits(_together(components, _grid(len(names)))),
            clashes=_bits(together),
            telling=np.ascontiguousarray(words).view(np.uint64),
        )

    def cheaper(self, price: tuple[int, int]) -> Iterator[tuple[MapComponent, ...]]:
        """The legal ones with a lower degree, or the same and fewer cells."""
        if price <= (0, 1):
            return
        asked: dict[int, bool] = {}
        reuse = self.proposal.legality.reuse(self.variable)
        width = len(self.components[0].row)
        for chosen in (item for count in range(1, width + 1) for item in self._possible(count, price)):
            clashes, kernel = -1, -1
            for at in chosen:
                clashes, kernel = clashes & self.clashes[at], kernel & self.near[at]
            if clashes:
                continue
            components = tuple(self.components[at] for at in chosen)
            if kernel not in asked:
                asked[kernel] = reuse.allows_map([c.row for c in components], [c.factor for c in components])
            if asked[kernel]:
                yield components

    def _possible(self, count: int, price: tuple[int, int]) -> Iterator[tuple[int, ...]]:
        """Cheaper ones that no telling difference rules out."""
        degree, most = price
        for first in combinations_with_replacement(range(len(self.components)), count - 1):
            start = first[-1] if first else 0
            cells = np.prod(self.cells[list(first)], axis=0) * self.cells[start:]
            degrees = np.round(np.log10(np.maximum(cells[:, 1], 1) / np.maximum(cells[:, 0], 1)))
            cheap = (degrees < degree) | ((degrees == degree) & (cells[:, 2] < most))
            words = self.telling[start:].copy()
            for at in first:
                words &= self.telling[at]
            for last in np.flatnonzero(cheap & ~words.any(axis=1)):
                yield (*first, start + int(last))


@cache
def _rows(width: int, most: int) -> tuple[Vector, ...]:
    """One of each two opposite ones."""
    every = product(range(-most, most + 1), repeat=width)
    return tuple(row for row in every if next((x for x in row if x), 0) >= 0)


@cache
def _grid(width: int) -> np.ndarray:
    return np.array(list(product(range(-_REACH, _REACH + 1), repeat=width)), dtype=np.int64).reshape(-1, width)


def _together(components: list[MapComponent], differences: np.ndarray) -> np.ndarray:
    """For each component which of the differences it puts into one cell."""
    rows = []
    for component in components:
        moved = differences @ np.array(component.row, dtype=np.int64).reshape(-1)
        assert isinstance(component.factor, int)
        rows.append((moved % component.factor if component.factor else moved) == 0)
    return np.array(rows).reshape(len(components), -1)


def _bits(together: np.ndarray) -> list[int]:
    return [int.from_bytes(np.packbits(row).tobytes()) for row in together]
