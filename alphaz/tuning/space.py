"""Spaces of candidate mappings: a script with alternatives at some places, or a choice between several spaces."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from alphaz.diagnostics import Source, Span
from alphaz.mapping.resolved_mapping import ResolvedMapping

# The alternative of each axis.
Point = tuple[int, ...]


class Unproved(Exception):
    """The reason why the mapping of a point is not proved."""


@dataclass(frozen=True, slots=True)
class SearchAxis:
    """One choice: `alternatives` are texts for its places; the script as it stands has the `usual` one. If it
    `is_rare`, random points mostly have the usual one: few such axes are worth changing at a time. If it `is_fine`,
    it does not affect the model of costs, and timing decides."""

    name: str
    alternatives: tuple[str, ...]
    places: tuple[Span, ...]
    usual: int = 0
    is_rare: bool = False
    is_fine: bool = False


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """All scripts that one script represents."""

    source: Source
    axes: tuple[SearchAxis, ...]

    def outlined(self, point: Point) -> ResolvedMapping | None:
        """Returns the parts of the mapping of a point that determine memory traffic, if they are known without the rest
        of its script; else None. Raises Unproved."""
        return None

    def outline(self, point: Point) -> Hashable:
        """Returns a key of `outlined`; no axis that `is_fine` changes it."""
        return point

    def representative(self, point: Point) -> Point:
        """Returns the representative of all points that make the same script."""
        return point

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """Returns the difference between the mapping of its script and the point; empty if there is none."""
        return ""

    def plain(self, point: Point) -> Point:
        """Returns the point with the usual values of all axes that are fine."""
        return tuple(axis.usual if axis.is_fine else at for axis, at in zip(self.axes, point, strict=True))

    @property
    def shape(self) -> Point:
        """Returns the number of alternatives of each axis."""
        return tuple(len(axis.alternatives) for axis in self.axes)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def usual(self) -> Point:
        """Returns the point of the script as it stands."""
        return tuple(axis.usual for axis in self.axes)

    @property
    def beginnings(self) -> tuple[Point, ...]:
        """Returns the first points for the model."""
        return (self.usual,)

    def points(self) -> Iterator[Point]:
        return product(*(range(length) for length in self.shape))

    def chosen(self, point: Point) -> Mapping[str, str]:
        """Returns the alternative of each axis at a point, by its name."""
        return {axis.name: axis.alternatives[at] for axis, at in zip(self.axes, point, strict=True)}

    def script_of(self, point: Point) -> str:
        """Returns the script of a point, without choices. Raises Unproved if it is known to be refused."""
        text = self.source.text
        edits = [
            (place, axis.alternatives[at]) for axis, at in zip(self.axes, point, strict=True) for place in axis.places
        ]
        for place, words in sorted(edits, key=lambda edit: -edit[0].start):
            text = text[: place.start] + words + text[place.end :]
        return text


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives(SearchSpace):
    """A choice between spaces. The first axis selects the space; the axes of all spaces follow, and those of the
    unselected ones have their usual values. The axes of the second space are named `rows (2)`, and so on."""

    spaces: tuple[SearchSpace, ...]

    @staticmethod
    def of(name: str, names: Sequence[str], spaces: Sequence[SearchSpace]) -> SearchSpace:
        """Returns the choice `name` between spaces, described by `names`; for a single space, the space itself."""
        if len(spaces) == 1:
            return spaces[0]
        axes = [SearchAxis(name, tuple(names), (), is_rare=True)]
        for number, space in enumerate(spaces, 1):
            tag = "" if number == 1 else f" ({number})"
            axes += [replace(axis, name=f"{axis.name}{tag}") for axis in space.axes]
        return Alternatives(source=spaces[0].source, axes=tuple(axes), spaces=tuple(spaces))

    @property
    def size(self) -> int:
        return sum(space.size for space in self.spaces)

    @property
    def beginnings(self) -> tuple[Point, ...]:
        """Returns the initial points of each space."""
        return tuple(
            self._full_point(which, part) for which, space in enumerate(self.spaces) for part in space.beginnings
        )

    def points(self) -> Iterator[Point]:
        for which, space in enumerate(self.spaces):
            yield from (self._full_point(which, part) for part in space.points())

    def chosen(self, point: Point) -> Mapping[str, str]:
        """Returns the choices at a point, without those of unselected spaces."""
        start, (space, _) = self._start(point[0]), self._part(point)
        every = list(zip(self.axes, point, strict=True))
        return {axis.name: axis.alternatives[at] for axis, at in (every[0], *every[start : start + len(space.axes)])}

    def representative(self, point: Point) -> Point:
        space, part = self._part(point)
        return self._full_point(point[0], space.representative(part))

    def outlined(self, point: Point) -> ResolvedMapping | None:
        space, part = self._part(point)
        return space.outlined(part)

    def outline(self, point: Point) -> Hashable:
        space, part = self._part(point)
        return point[0], space.outline(part)

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        space, part = self._part(point)
        return space.departure(part, mapping)

    def script_of(self, point: Point) -> str:
        space, part = self._part(point)
        return space.script_of(part)

    def _part(self, point: Point) -> tuple[SearchSpace, Point]:
        start = self._start(point[0])
        space = self.spaces[point[0]]
        return space, point[start : start + len(space.axes)]

    def _full_point(self, which: int, part: Point) -> Point:
        start = self._start(which)
        return (which, *self.usual[1:start], *part, *self.usual[start + len(part) :])

    def _start(self, which: int) -> int:
        return 1 + sum(len(space.axes) for space in self.spaces[:which])
