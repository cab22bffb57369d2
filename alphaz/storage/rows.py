"""Maps of lattices: rows that put exactly what differs by a vector of the lattice into one cell.

As many independent rows, orthogonal to the lattice, as it lacks dimensions; and for each generator with a factor above
1 one more, modulo the factor. Of the choices: the smallest extents, no factor in the innermost loop, neighbours in the
innermost loop next to each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import gcd, prod

from alphaz.mapping.target import MemoryMap
from alphaz.poly import Affine, AffineFunction, Space
from alphaz.storage.accesses import Steps
from alphaz.storage.lattices import Lattice, Reuse, Vector, directions, rank
from alphaz.storage.sizes import SMALL, Range, Sizes, degree

_MOST_LATTICES = 60


@dataclass(frozen=True, slots=True)
class MapComponent:
    """One dimension of a memory map: `row . index`, modulo the factor where that is not 0."""

    row: Vector
    factor: int = 0

    def affine(self, names: Sequence[str]) -> Affine:
        return Affine.of(zip(names, self.row, strict=True))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory map of one variable in a space of its own: legal alone.

    `cells` for each of the samples; `bad` counts accesses that move by neither nothing nor one element, twice
    where they pass a mod factor; `odd` is the greater the less readable the map.
    """

    components: tuple[MapComponent, ...]
    lattice: Lattice
    cells: tuple[int, ...]
    bad: float
    odd: float

    @property
    def degree(self) -> int:
        return degree(self.cells)

    def entry(self, variable: str, space: Space) -> MemoryMap:
        outputs = tuple(component.affine(space.names) for component in self.components)
        moduli = tuple(component.factor for component in self.components)
        return MemoryMap(variable, variable, AffineFunction(space, outputs), moduli)


def candidates(variable: str, reuse: Reuse, found: Iterable[Lattice], sizes: Sizes, steps: Steps) -> list[Candidate]:
    """One map for each lattice that has one with small entries; where there are many, for those of the highest rank."""
    made: dict[tuple[MapComponent, ...], Candidate] = {}
    names = sizes.system.variable(variable).domain.space.names
    for lattice in _highest(found):
        components = _components(variable, names, lattice, sizes, steps)
        if components is None or components in made:
            continue
        each = candidate(variable, names, components, lattice, sizes, steps)
        if each is not None and reuse.allows_map([c.row for c in components], [c.factor for c in components]):
            made[components] = each
    return list(made.values())


def _highest(found: Iterable[Lattice]) -> list[Lattice]:
    ranked = sorted(found, key=lambda lattice: -lattice.rank)
    return [*ranked[:_MOST_LATTICES], *(each for each in ranked[_MOST_LATTICES:] if not each.rank)]


def candidate(
    variable: str,
    names: Sequence[str],
    components: tuple[MapComponent, ...],
    lattice: Lattice,
    sizes: Sizes,
    steps: Steps,
) -> Candidate | None:
    """With its price; None where it needs infinitely many cells."""
    extents = []
    for component in components:
        ranges = sizes.ranges(variable, component.affine(names))
        if ranges is None:
            return None
        extents.append([component.factor or max(0, high - low + 1) for low, high in ranges])
    cells = tuple(prod(each) for each in zip(*extents, strict=True)) if extents else (1,) * len(sizes.samples)
    ordered, bad = _arranged(components, steps)
    return Candidate(ordered, lattice, cells, bad, oddness(ordered, steps))


def _components(
    variable: str, names: Sequence[str], lattice: Lattice, sizes: Sizes, steps: Steps
) -> tuple[MapComponent, ...] | None:
    rows = _orthogonal(variable, names, lattice, sizes, steps)
    if rows is None:
        return None
    found = [MapComponent(_forwards(row)) for row in rows]
    for at, (direction, factor) in enumerate(lattice.generators):
        if factor > 1:
            row = _row_modulo(lattice, at, direction, factor, steps)
            if row is None:
                return None
            found.append(MapComponent(_forwards(row), factor))
    return tuple(found)


def _orthogonal(
    variable: str, names: Sequence[str], lattice: Lattice, sizes: Sizes, steps: Steps
) -> list[Vector] | None:
    """Independent rows with the smallest extents; None where there are too few with small entries."""
    wanted = len(names) - lattice.rank
    along = [direction for direction, _ in lattice.generators]
    free = [row for row in directions(len(names), 2) if not any(dot(row, direction) for direction in along)]

    def price(row: Vector) -> tuple[float, ...]:
        ranges: tuple[Range, ...] | None = sizes.ranges(variable, MapComponent(row).affine(names))
        large, wanted = (float("inf"),) * 2 if ranges is None else (ranges[at][1] - ranges[at][0] for at in (0, 2))
        jumps = sum(weight * (abs(dot(row, step)) > 1) for step, weight in steps)
        return (large > SMALL, wanted, jumps, sum(map(abs, row)), sum(x < 0 for x in row))

    rows: list[Vector] = []
    for row in sorted(free, key=price):
        if len(rows) == wanted:
            break
        if rank([*rows, row]) > len(rows):
            rows.append(row)
    return rows if len(rows) == wanted else None


def _row_modulo(lattice: Lattice, at: int, direction: Vector, factor: int, steps: Steps) -> Vector | None:
    """A row that counts multiples of the direction modulo the factor, and none of those of the other generators."""

    def price(row: Vector) -> tuple[float, ...]:
        return (
            sum(weight * (dot(row, step) != 0) for step, weight in steps),
            sum(map(abs, row)),
            sum(x < 0 for x in row),
        )

    for row in sorted(directions(len(direction)), key=price):
        others = (g for other, g in enumerate(lattice.generators) if other != at)
        if gcd(dot(row, direction), factor) == 1 and not any(dot(row, o) * g % factor for o, g in others):
            return row
    return None


def _forwards(row: Vector) -> Vector:
    """The row or its opposite, so that its last entry is positive: `i-t`."""
    last = next((x for x in reversed(row) if x), 1)
    return row if last > 0 else tuple(-x for x in row)


def _arranged(components: tuple[MapComponent, ...], steps: Steps) -> tuple[tuple[MapComponent, ...], float]:
    """The components in the order in which the fewest accesses are bad, and how many are."""

    def price(order: tuple[MapComponent, ...]) -> tuple[float, int]:
        return bad_accesses(order, steps), exchanges(order)

    best = min(permutations(components), key=price)
    return best, bad_accesses(best, steps)


def exchanges(components: Sequence[MapComponent]) -> int:
    """How many pairs of components do not stand in the order of the indices that they begin with."""
    first = [next((at for at, x in enumerate(c.row) if x), len(c.row)) for c in components]
    return sum(b < a for at, a in enumerate(first) for b in first[at + 1 :])


def bad_accesses(components: Sequence[MapComponent], steps: Steps) -> float:
    """Accesses that move by neither nothing nor one element, twice where they pass a mod factor."""
    found = 0.0
    for step, weight in steps:
        moves = [(dot(c.row, step), c.factor) for c in components]
        if not any(move for move, _ in moves):
            continue
        *outer, (last, factor) = moves
        if any(move for move, _ in outer) or factor or abs(last) != 1:
            found += weight * (1 + any(move and f for move, f in moves))
    return round(found, 6)


def oddness(components: Sequence[MapComponent], steps: Steps) -> float:
    """The greater the less readable a map; accesses that go backwards, for which there are no vectors, count most."""
    backwards = sum(weight for step, weight in steps if components and dot(components[-1].row, step) < 0)
    entries = sum(abs(x) + 0.1 * (x < 0) for c in components for x in c.row)
    factors = sum(2 for c in components if c.factor)
    return round(10 * backwards + entries + factors + 0.01 * exchanges(components), 6)


def dot(row: Sequence[int], vector: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(row, vector, strict=True))
