"""The parts of the text of a rank that differ between programs: its names, expressions and calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Border = tuple[int, int]
"""The numbers of places at the low and at the high end of a block that wait for messages, in one dimension."""

Sides = tuple[tuple[str, str], ...]
"""The names of the ends `[low, high)` of places, for each dimension of the ranks."""


class Way(StrEnum):
    """The order in which a rank computes a step, sends and receives."""

    EXCHANGE = "exchange"
    PIPELINE = "pipeline"
    OVERLAP = "overlap"


class MovedPart(StrEnum):
    """The points of an array of the caller that a rank moves: those of its places; all of them, on each rank; or all,
    on rank 0 alone.
    """

    BY_PLACES = "places"
    BY_ALL = "all"
    BY_FIRST = "first"


@dataclass(frozen=True, slots=True)
class BlockArray:
    """An array of a rank: `caller` is "input" or "output" of a block that the caller passes, else empty."""

    name: str
    type: str
    caller: str = ""
    moved: MovedPart = MovedPart.BY_PLACES


@dataclass(frozen=True, slots=True)
class SharedMessage:
    """A message of a step that is the same for all its receivers: those of all ranks, or of a line of a grid, which
    differ in one dimension. `place` is the place in this dimension whose rank sends it; `moving` and `receives` are the
    calls of the functions that move its values, and that say whether a rank with the places `receiver` gets it.
    """

    dimension: int
    place: str
    moving: str
    receives: str


@dataclass(frozen=True, slots=True)
class CombinedVariable:
    """A variable whose values ranks combine at the end of a step. `moving` is the call of the function that moves the
    values of a step; `place`: the one whose rank alone gets them, empty if all do.
    """

    name: str
    type: str
    moving: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class RankOutline:
    """The names in the text of a rank, and the expressions that a proof reads: `places` are the smallest place and the
    one after the largest, by dimension. `computing` and `moving`: the calls of the functions that compute a step, and
    that move the values of a message (empty without such messages), with their arguments; `points` those of the
    functions that move the points of an array, by its name and the side, "whole" or "mine".
    """

    name: str
    parameters: tuple[str, ...]
    steps: tuple[str, ...]
    own: Sides
    part: Sides
    sender: Sides
    receiver: Sides
    arrays: tuple[BlockArray, ...]
    way: Way
    border: tuple[Border, ...]
    places: tuple[tuple[str, str], ...]
    computing: str
    moving: str
    points: Mapping[tuple[str, str], str]
    shared: tuple[SharedMessage, ...] = ()
    combined: tuple[CombinedVariable, ...] = ()

    @property
    def is_grid(self) -> bool:
        return len(self.own) > 1

    @property
    def has_lines(self) -> bool:
        """Returns True if there are communicators of lines of the grid."""
        return self.is_grid and bool(self.shared)

    @property
    def is_silent(self) -> bool:
        """Returns True if no rank reads a value of another one, except combined ones."""
        return not self.moving and not self.shared

    def line(self, message: SharedMessage) -> str:
        """Returns the end of the names of a message."""
        return str(message.dimension) if self.is_grid else ""

    @property
    def ends(self) -> tuple[str, ...]:
        """Returns the names of the ends of places."""
        return tuple(dict.fromkeys(flat((*self.own, *self.part, *self.sender, *self.receiver))))

    @property
    def given(self) -> str:
        """Returns the parameters as arguments, with a comma after each."""
        return "".join(f"{name}, " for name in self.parameters)

    @property
    def declared(self) -> str:
        return "".join(f"int64_t {name}, " for name in self.parameters)

    @property
    def of_run(self) -> str:
        return "".join(f"run->{name}, " for name in self.parameters)

    @property
    def step_arguments(self) -> str:
        return "".join(f", {step}" for step in self.steps)

    @property
    def step_parameters(self) -> str:
        return "".join(f", int64_t {step}" for step in self.steps)

    @property
    def exchanged(self) -> tuple[BlockArray, ...]:
        return tuple(array for array in self.arrays if array.caller)

    @property
    def local(self) -> tuple[BlockArray, ...]:
        return tuple(array for array in self.arrays if not array.caller)


def flat(sides: Sides) -> tuple[str, ...]:
    """Returns the names of the ends of places."""
    return tuple(end for side in sides for end in side)
