"""Candidate memory maps of a reuse lattice: two values share a cell exactly if they differ by a vector of the lattice.

There are as many independent rows, orthogonal to the lattice, as it lacks dimensions; and for each generator with a
factor above 1 one more, modulo the factor. Preferred are the smallest extents, no factor in the innermost loop, and
neighbours in the innermost loop next to each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import gcd, prod
from operator import mul

from alphaz.mapping.factors import Factor, factor_of, not_positive, value_at
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.poly import Affine, AffineFunction, Domain, OutOfBudget, Space
from alphaz.poly.plain.solve import rank
from alphaz.proof.discharge import with_growing_budget
from alphaz.search.memory.access_strides import Steps
from alphaz.search.memory.lattices import ReuseLattice, ReuseVector, Vector, directions
from alphaz.search.memory.set_sizes import SMALL, Range, SetSizes, VariableTiles, degree

_MOST_LATTICES = 60
# Most maps tried with rolling buffers, and isl operations for each dimension.
_MOST_FOLDED, _WINDOW = 4, 30_000
# Factor over the fewest cells that is accepted for a map whose tiles touch fewer cells.
_MOST_MORE = 2


@dataclass(frozen=True, slots=True)
class MapComponent:
    """One dimension of a memory map: `row . index`, modulo the factor where that is not 0."""

    row: Vector
    factor: Factor = 0

    def affine(self, names: Sequence[str]) -> Affine:
        return Affine.of(zip(names, self.row, strict=True))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory map of one variable in a space of its own, legal on its own.

    `cells` for each of the samples; `bad` counts accesses that move by more than one element, twice if they cross a mod
    factor; `odd` measures how hard the map is to read; `touched` as in `tiles`."""

    components: tuple[MapComponent, ...]
    lattice: ReuseLattice
    cells: tuple[int, ...]
    bad: float
    odd: float
    touched: int = 0

    @property
    def degree(self) -> int:
        return degree(self.cells)

    def entry(self, variable: str, space: Space) -> MemoryMap:
        outputs = tuple(component.affine(space.names) for component in self.components)
        moduli = tuple(component.factor for component in self.components)
        return MemoryMap(variable, variable, AffineFunction(space, outputs), moduli)


def candidates(
    reuse: ReuseVector, lattices: Iterable[ReuseLattice], tiles: VariableTiles, steps: Steps
) -> list[Candidate]:
    """Returns one map for each lattice that has one with small entries, and another one if rows that are short in a
    tile touch fewer cells of it; if there are many lattices, only for those of the highest rank."""
    candidates_: dict[tuple[MapComponent, ...], Candidate] = {}
    variable, names, sizes = tiles.variable, tiles.names, tiles.sizes
    rows = _smallest_first(variable, names, sizes, steps)
    in_tiles = sorted(rows, key=lambda row: tiles.cells([row], [0]))
    for lattice, chosen in product(_highest(lattices), (rows, in_tiles) if tiles.tiles else (rows,)):
        components = _components(chosen, lattice, steps)
        if components is None or components in candidates_:
            continue
        if chosen is in_tiles and not _touches_less(components, _components(rows, lattice, steps), tiles):
            continue
        candidate_ = candidate(variable, names, components, lattice, sizes, steps)
        if candidate_ is not None and reuse.allows_map([c.row for c in components], [c.factor for c in components]):
            candidates_[components] = candidate_
    every = [*candidates_.values(), *_rolling_candidates(variable, reuse, list(candidates_.values()), sizes, steps)]
    return _with_touched_cells(every, tiles)


def _touches_less(
    components: Sequence[MapComponent], others: Sequence[MapComponent] | None, tiles: VariableTiles
) -> bool:
    return others is None or tiles.cells(*split(components)) < tiles.cells(*split(others))


def _with_touched_cells(candidates_: Sequence[Candidate], tiles: VariableTiles) -> list[Candidate]:
    """Adds the cells that a tile touches; maps with many more cells than equally good ones touch no fewer."""
    touched = [tiles.cells(*split(candidate_.components)) for candidate_ in candidates_]
    most = max(touched, default=0)
    fewest: dict[tuple[int, float], int] = {}
    for candidate_ in candidates_:
        alike = (candidate_.degree, candidate_.bad)
        fewest[alike] = min(candidate_.cells[2], fewest.get(alike, candidate_.cells[2]))
    return [
        replace(
            candidate_,
            touched=cells if candidate_.cells[2] <= _MOST_MORE * fewest[candidate_.degree, candidate_.bad] else most,
        )
        for candidate_, cells in zip(candidates_, touched, strict=True)
    ]


def _rolling_candidates(
    variable: str, reuse: ReuseVector, candidates_: Sequence[Candidate], sizes: SetSizes, steps: Steps
) -> Iterator[Candidate]:
    """Rolling buffers: the maps with the fewest cells, with components modulo the distance of conflicting values that
    differ in this component alone.
    Source: Lefebvre, Feautrier, Automatic storage management for parallel programs, Parallel Computing 24, 1998."""
    names, components_ = (
        sizes.system.variable(variable).domain.space.names,
        {base_candidate.components for base_candidate in candidates_},
    )
    for base_candidate in sorted(
        candidates_, key=lambda candidate_: (candidate_.degree, candidate_.cells[2], candidate_.odd)
    )[:_MOST_FOLDED]:
        components = base_candidate.components
        for position in range(len(components)):
            components = _with_window(reuse, components, position, sizes)
        new_candidate = candidate(variable, names, components, base_candidate.lattice, sizes, steps)
        if (
            new_candidate is None
            or new_candidate.components in components_
            or new_candidate.cells[2] >= base_candidate.cells[2]
        ):
            continue
        components_.add(new_candidate.components)
        if reuse.allows_map([c.row for c in components], [c.factor for c in components]):
            yield new_candidate


def _with_window(
    reuse: ReuseVector, components: tuple[MapComponent, ...], position: int, sizes: SetSizes
) -> tuple[MapComponent, ...]:
    """The components with a factor for one of them, if there is one."""
    this, others = components[position], (*components[:position], *components[position + 1 :])
    if this.factor:
        return components
    try:
        width = with_growing_budget(lambda: _width(reuse.window(this.row, *split(others)), sizes), _WINDOW)
    except OutOfBudget:
        return components
    if width is None or not_positive(width, sizes.system.context) is not None:
        return components
    return (*components[:position], MapComponent(this.row, width), *components[position + 1 :])


def split(components: Sequence[MapComponent]) -> tuple[list[Vector], list[Factor]]:
    return [component.row for component in components], [component.factor for component in components]


def _width(window: Domain, sizes: SetSizes) -> Factor | None:
    """One more than the greatest value, affine in the parameters: the least of several bounds."""
    (name,) = window.space.names
    bounds = window.in_context(sizes.system.context).upper_bounds(name)
    factors = [factor_of(bound + 1) for bound in bounds]
    return min(factors, key=lambda upper_bound: value_at(upper_bound, sizes.samples[2]), default=None)


def _highest(lattices: Iterable[ReuseLattice]) -> list[ReuseLattice]:
    ranked = sorted(lattices, key=lambda lattice: -lattice.rank)
    return [
        *ranked[:_MOST_LATTICES],
        *(reuse_lattice for reuse_lattice in ranked[_MOST_LATTICES:] if not reuse_lattice.rank),
    ]


def candidate(
    variable: str,
    names: Sequence[str],
    components: tuple[MapComponent, ...],
    lattice: ReuseLattice,
    sizes: SetSizes,
    steps: Steps,
) -> Candidate | None:
    """Returns the map of a lattice with its cost; None if it needs infinitely many cells."""
    extents = []
    for component in components:
        ranges = sizes.ranges(variable, component.affine(names))
        if ranges is None:
            return None
        factor, sizes_ = component.factor, zip(ranges, sizes.samples, strict=True)
        extents.append([value_at(factor, at) if factor else max(0, high - low + 1) for (low, high), at in sizes_])
    cells = tuple(prod(extent) for extent in zip(*extents, strict=True)) if extents else (1,) * len(sizes.samples)
    ordered, bad = in_best_order(components, steps)
    return Candidate(components=ordered, lattice=lattice, cells=cells, bad=bad, odd=oddness(ordered, steps))


def _components(rows: Sequence[Vector], lattice: ReuseLattice, steps: Steps) -> tuple[MapComponent, ...] | None:
    plain = _orthogonal(rows, lattice)
    if plain is None:
        return None
    components = [MapComponent(_forwards(row)) for row in plain]
    for position, (direction, factor) in enumerate(lattice.generators):
        if factor > 1:
            row = _row_modulo(lattice, position, direction, factor, steps)
            if row is None:
                return None
            components.append(MapComponent(_forwards(row), factor))
    return tuple(components)


def _smallest_first(variable: str, names: Sequence[str], sizes: SetSizes, steps: Steps) -> list[Vector]:
    """Rows with small entries, those with the smallest extents first."""

    def price(row: Vector) -> tuple[float, ...]:
        ranges: tuple[Range, ...] | None = sizes.ranges(variable, MapComponent(row).affine(names))
        large, size = (float("inf"),) * 2 if ranges is None else (ranges[at][1] - ranges[at][0] for at in (0, 2))
        jumps = sum(step.weight * (abs(dot(row, step.vector)) > 1) for step in steps)
        return (large > SMALL, size, jumps, sum(map(abs, row)), sum(x < 0 for x in row))

    return sorted(directions(len(names), 2 if len(names) <= 3 else 1), key=price)


def _orthogonal(rows: Sequence[Vector], lattice: ReuseLattice) -> list[Vector] | None:
    """The first independent rows orthogonal to the lattice; None if there are too few."""
    along = [direction for direction, _ in lattice.generators]
    width = len(rows[0]) if rows else 0
    vectors: list[Vector] = []
    for row in rows:
        if len(vectors) == width - lattice.rank:
            break
        if not any(dot(row, direction) for direction in along) and rank([*vectors, row]) > len(vectors):
            vectors.append(row)
    return vectors if len(vectors) == width - lattice.rank else None


@lru_cache(maxsize=64)
def _unmoved_first(width: int, steps: Steps) -> tuple[Vector, ...]:
    """Rows with small entries, those first that the fewest accesses move."""

    def price(row: Vector) -> tuple[float, ...]:
        moved = sum(step.weight * (dot(row, step.vector) != 0) for step in steps)
        return moved, sum(map(abs, row)), sum(x < 0 for x in row)

    return tuple(sorted(directions(width), key=price))


def _row_modulo(lattice: ReuseLattice, position: int, direction: Vector, factor: int, steps: Steps) -> Vector | None:
    """A row that counts multiples of the direction modulo the factor, and none of those of the other generators."""

    for row in _unmoved_first(len(direction), steps):
        others = (g for other, g in enumerate(lattice.generators) if other != position)
        if gcd(dot(row, direction), factor) == 1 and not any(dot(row, o) * g % factor for o, g in others):
            return row
    return None


def _forwards(row: Vector) -> Vector:
    """The row or its opposite, so that its last entry is positive: `i-t`."""
    last = next((x for x in reversed(row) if x), 1)
    return row if last > 0 else tuple(-x for x in row)


def in_best_order(components: tuple[MapComponent, ...], steps: Steps) -> tuple[tuple[MapComponent, ...], float]:
    """The components in the order in which the fewest accesses are bad, and how many are. The last one decides which
    accesses are bad; the others follow the indices that they begin with."""
    numbers = range(len(components))
    by_index = sorted(numbers, key=lambda at: _first_index(components[at]))
    orders = sorted([*(at for at in by_index if at != last), last] for last in numbers) or [[]]
    chosen = [tuple(components[at] for at in order) for order in orders]
    best = min(chosen, key=lambda order: (bad_accesses(order, steps), exchanges(order)))
    return best, bad_accesses(best, steps)


def exchanges(components: Sequence[MapComponent]) -> int:
    """Returns the number of pairs of components that are not in the order of the indices that they begin with."""
    first = list(map(_first_index, components))
    return sum(b < a for position, a in enumerate(first) for b in first[position + 1 :])


def _first_index(component: MapComponent) -> int:
    return next((position for position, x in enumerate(component.row) if x), len(component.row))


def bad_accesses(components: Sequence[MapComponent], steps: Steps) -> float:
    """Returns the number of accesses that move by more than one element, twice if they cross a mod factor. Accesses of
    a recurrence may cycle through a few cells, which stay in the first cache: the loop is not vectorised anyway."""
    count = 0.0
    for step in steps:
        moves = [(dot(c.row, step.vector), c.factor) for c in components]
        goes_round = step.is_recurrence and all(isinstance(f, int) and f for move, f in moves if move)
        if goes_round or not any(move for move, _ in moves):
            continue
        *outer, (last, factor) = moves
        if any(move for move, _ in outer) or factor or abs(last) != 1:
            count += step.weight * (1 + any(move and f for move, f in moves))
    return round(count, 6)


def oddness(components: Sequence[MapComponent], steps: Steps) -> float:
    """Returns a measure of how hard a map is to read; accesses that run backwards, which cannot be vectorised, count
    most."""
    backwards = sum(step.weight for step in steps if components and dot(components[-1].row, step.vector) < 0)
    entries = sum(abs(x) + 0.1 * (x < 0) for c in components for x in c.row)
    factors = sum(2 for c in components if c.factor)
    return round(10 * backwards + entries + factors + 0.01 * exchanges(components), 6)


def dot(row: Sequence[int], vector: Sequence[int]) -> int:
    return sum(map(mul, row, vector))
