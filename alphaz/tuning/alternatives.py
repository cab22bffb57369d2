"""A choice between several spaces: that of the program as it is, and those of equivalent programs."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.mapping.resolved import ResolvedMapping
from alphaz.tuning.space import Point, SearchAxis, SearchSpace


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives(SearchSpace):
    """A choice between spaces. The first axis selects the space; the axes of all spaces follow, and those of the
    unselected ones have their usual values. The axes of the second space are named `rows (2)`, and so on."""

    spaces: tuple[SearchSpace, ...]

    @staticmethod
    def of(name: str, said: Sequence[str], spaces: Sequence[SearchSpace]) -> SearchSpace:
        """Returns the choice named `name` between spaces, described by `said`; for a single space, the space itself."""
        if len(spaces) == 1:
            return spaces[0]
        axes = [SearchAxis(name, tuple(said), (), is_rare=True)]
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
        return tuple(self._whole(which, part) for which, space in enumerate(self.spaces) for part in space.beginnings)

    def points(self) -> Iterator[Point]:
        for which, space in enumerate(self.spaces):
            yield from (self._whole(which, part) for part in space.points())

    def chosen(self, point: Point) -> Mapping[str, str]:
        """Returns the choices at a point, without those of unselected spaces."""
        start, (space, _) = self._start(point[0]), self._part(point)
        every = list(zip(self.axes, point, strict=True))
        return {axis.name: axis.alternatives[at] for axis, at in (every[0], *every[start : start + len(space.axes)])}

    def settled(self, point: Point) -> Point:
        space, part = self._part(point)
        return self._whole(point[0], space.settled(part))

    def outlined(self, point: Point) -> ResolvedMapping | None:
        space, part = self._part(point)
        return space.outlined(part)

    def outline(self, point: Point) -> Hashable:
        space, part = self._part(point)
        return point[0], space.outline(part)

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        space, part = self._part(point)
        return space.departure(part, mapping)

    def written(self, point: Point) -> str:
        space, part = self._part(point)
        return space.written(part)

    def _part(self, point: Point) -> tuple[SearchSpace, Point]:
        start = self._start(point[0])
        space = self.spaces[point[0]]
        return space, point[start : start + len(space.axes)]

    def _whole(self, which: int, part: Point) -> Point:
        start = self._start(which)
        return (which, *self.usual[1:start], *part, *self.usual[start + len(part) :])

    def _start(self, which: int) -> int:
        return 1 + sum(len(space.axes) for space in self.spaces[:which])
