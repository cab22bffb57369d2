"""Sizes of sets at sample values of the parameters, by which alternatives are ranked.

Users see symbolic counts (`count`); these numbers are cheap enough to be computed thousands of times in a search."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import log10

from alphaz.model.program import System
from alphaz.poly import Affine, Domain
from alphaz.poly.algorithms.bounds import extremes
from alphaz.poly.algorithms.set_operations import vertices

Values = Mapping[str, int]
Range = tuple[int, int]
Counts = tuple[int, ...]

# Large parameters, ten times as large ones, and those with which degrees that are equal are compared.
LARGE, SMALL = 10**5, 1000
_STEPS = (1, 2, 3, 4, 8)


@dataclass(frozen=True, slots=True, eq=False)
class SetSizes:
    """Sizes at `samples`: n and 10 n for all parameters, and the given sizes. Ranges are cached."""

    system: System
    samples: tuple[Values, Values, Values]
    _ranges: dict[tuple[str, Affine], tuple[Range, ...] | None] = field(default_factory=dict, repr=False)
    _points: dict[str, tuple["_Points", ...]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(system: System, wanted: Values) -> "SetSizes":
        """Returns the sizes of a system. `wanted` may leave out parameters: they are 1000."""
        direction = next(_directions(system), dict.fromkeys(system.parameters, 1))
        one, ten = ({name: n * times for name, times in direction.items()} for n in (LARGE, 10 * LARGE))
        usual = {name: SMALL * times for name, times in direction.items()}
        return SetSizes(system, (one, ten, {**usual, **{n: v for n, v in wanted.items() if n in usual}}))

    def ranges(self, variable: str, affine: Affine) -> tuple[Range, ...] | None:
        """The least and the greatest value over the points of a variable, for each of the samples. None: no bound.

        The expression is over the names of the variable's domain.
        """
        key = (variable, affine)
        if key not in self._ranges:
            self._ranges[key] = self._asked(variable, affine)
        return self._ranges[key]

    def _asked(self, variable: str, affine: Affine) -> tuple[Range, ...] | None:
        if variable not in self._points:
            domain = self.system.variable(variable).domain.in_context(self.system.context)
            self._points[variable] = tuple(_Points.of(domain, values) for values in self.samples)
        found = []
        for points in self._points[variable]:
            range_ = points.range(affine)
            if range_ is None:
                return None
            found.append(range_)
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Points:
    """The points of a variable at one sample; by their vertices, if these are integer."""

    domain: Domain
    values: Values
    vertices: tuple[tuple[int, ...], ...] | None

    @staticmethod
    def of(domain: Domain, values: Values) -> "_Points":
        here = domain.fixed(values)
        return _Points(here, values, () if here.is_empty() else vertices(here))

    def range(self, affine: Affine) -> Range | None:
        if self.vertices is None:
            return extremes(self.domain, affine)
        names = self.domain.space.names
        found = [affine.at({**self.values, **dict(zip(names, point, strict=True))}) for point in self.vertices]
        return (min(found), max(found)) if found else (0, -1)


def rays(system: System, ray: str) -> list[dict[str, Affine]]:
    """Directions in which all parameters grow without end: the values of the parameters, each affine in `ray`."""
    found = []
    for direction in _directions(system):
        found.append({name: Affine.name(ray) * times for name, times in direction.items()})
    return found[:2]


def _directions(system: System) -> Iterator[dict[str, int]]:
    """Along which the context has large parameters: all equal if that is possible."""
    names = system.parameters
    every = product(_STEPS, repeat=len(names)) if len(names) <= 4 else [(1,) * len(names)]
    for steps in sorted(every, key=lambda each: (len(set(each)), sum(each))):
        if all(
            system.context.contains({name: n * times for name, times in zip(names, steps, strict=True)})
            for n in (LARGE, 10 * LARGE)
        ):
            yield dict(zip(names, steps, strict=True))


def degree(counts: tuple[int, ...]) -> int:
    """Returns the degree of a number in the parameters; -1 if the number is zero."""
    if not counts or counts[0] <= 0 or counts[1] <= 0:
        return -1
    return round(log10(counts[1] / counts[0]))
