"""The space of a search: a text of which some places may say different things."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from alphaz.diagnostics import Source, Span
from alphaz.mapping.resolved import ResolvedMapping

# Which alternative each axis takes.
Point = tuple[int, ...]


class Unproved(Exception):
    """Why a point is no proved mapping."""


@dataclass(frozen=True, slots=True)
class SearchAxis:
    """One choice: `alternatives` are texts for its places, of which the script as it stands has the `usual` one. Where
    it `is_rare`, points by chance mostly have that: of many such axes few at a time are worth a change. Where it
    `is_fine`, it changes nothing that the model of costs sees, and time has to tell.
    """

    name: str
    alternatives: tuple[str, ...]
    places: tuple[Span, ...]
    usual: int = 0
    is_rare: bool = False
    is_fine: bool = False


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """All scripts that one script stands for."""

    source: Source
    axes: tuple[SearchAxis, ...]

    def outlined(self, point: Point) -> ResolvedMapping | None:
        """The mapping of a point as far as it decides what moves through memory, where that is known without the rest
        of its script; None where it is not. Raises Unproved.
        """
        return None

    def outline(self, point: Point) -> Hashable:
        """What `outlined` depends on; no axis that `is_fine` changes it."""
        return point

    def settled(self, point: Point) -> Point:
        """The point that makes the same script, of all that do."""
        return point

    def departure(self, point: Point, mapping: ResolvedMapping) -> str:
        """In what the mapping that its script makes is not what the point says; empty where it is."""
        return ""

    def plain(self, point: Point) -> Point:
        """The point with what is usual of all that is fine."""
        return tuple(axis.usual if axis.is_fine else at for axis, at in zip(self.axes, point, strict=True))

    @property
    def shape(self) -> Point:
        """How many alternatives each axis has."""
        return tuple(len(axis.alternatives) for axis in self.axes)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def usual(self) -> Point:
        """The script as it stands."""
        return tuple(axis.usual for axis in self.axes)

    @property
    def beginnings(self) -> tuple[Point, ...]:
        """What the model is to look at first."""
        return (self.usual,)

    def points(self) -> Iterator[Point]:
        return product(*(range(length) for length in self.shape))

    def chosen(self, point: Point) -> Mapping[str, str]:
        """What each axis says at a point, by its name."""
        return {axis.name: axis.alternatives[at] for axis, at in zip(self.axes, point, strict=True)}

    def written(self, point: Point) -> str:
        """The script of a point: a plain one. Raises Unproved where it is known to be refused."""
        text = self.source.text
        edits = [
            (place, axis.alternatives[at]) for axis, at in zip(self.axes, point, strict=True) for place in axis.places
        ]
        for place, words in sorted(edits, key=lambda edit: -edit[0].start):
            text = text[: place.start] + words + text[place.end :]
        return text
