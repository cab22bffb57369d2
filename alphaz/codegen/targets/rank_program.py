"""The C of a distributed system before files are made of it: parts that a target with ranks puts together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.legality.message_overlap import Border
from alphaz.model.program import Program
from alphaz.model.types import ScalarType
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import unlike

Sides = tuple[tuple[str, str], ...]
"""The names of the ends `[low, high)` of places, for each distributed dimension."""


@dataclass(frozen=True, slots=True)
class RankNames:
    """Names of integers in the parts: the components of a step; the ends of places of this rank, of the places that are
    computed (`part`; `own` if these are all of a rank), and of the sender and of the receiver of a message. If places
    are dealt out, by distributed dimension: the smallest place, the number of ranks, this rank, and the receiver.
    """

    steps: tuple[str, ...]
    own: Sides
    part: Sides
    sender: Sides
    receiver: Sides
    first_place: tuple[str, ...]
    ranks: tuple[str, ...]
    own_rank: tuple[str, ...]
    to_rank: tuple[str, ...]

    @staticmethod
    def unlike(taken: Iterable[str], steps: int, width: int, has_parts: bool = False) -> "RankNames":
        """Returns names that differ from those taken, for so many components of a step and distributed dimensions."""
        numbers = [""] if width == 1 else [str(position) for position in range(width)]
        sides = ("", "part_", "from_", "to_") if has_parts else ("", "from_", "to_")
        ends = [f"{side}{end}{at}" for side in sides for at in numbers for end in ("low", "high")]
        dealt = (f"{word}{at}" for word in ("first_place", "ranks", "own_rank", "to_rank") for at in numbers)
        words = (*(f"step{position}" for position in range(steps)), *ends, *dealt)
        names = iter(unlike(words, tuple(taken)))
        step_names = tuple(next(names) for _ in range(steps))
        own = tuple((next(names), next(names)) for _ in numbers)
        return RankNames(
            steps=step_names,
            own=own,
            part=tuple((next(names), next(names)) for _ in numbers) if has_parts else own,
            sender=tuple((next(names), next(names)) for _ in numbers),
            receiver=tuple((next(names), next(names)) for _ in numbers),
            first_place=tuple(next(names) for _ in numbers),
            ranks=tuple(next(names) for _ in numbers),
            own_rank=tuple(next(names) for _ in numbers),
            to_rank=tuple(next(names) for _ in numbers),
        )

    @property
    def every(self) -> tuple[str, ...]:
        every = dict.fromkeys((self.own, self.part, self.sender, self.receiver))
        ends = (name for sides in every for side in sides for name in side)
        return (*self.steps, *ends, *self.first_place, *self.ranks, *self.own_rank, *self.to_rank)


@dataclass(frozen=True, slots=True)
class ExchangedArray:
    """An input or an output: the caller's array of all points, the array of the points of one rank, and functions that
    move the points of a rank between a buffer and either of them, for each part of its places, or once. Rank 0 gives
    outputs that are `on_all` ranks.
    """

    name: str
    whole: FlatArray
    block: FlatArray
    is_input: bool
    of_whole: c.Function
    of_block: c.Function
    is_by_parts: bool
    on_all: bool


@dataclass(frozen=True, slots=True)
class CommonMessage:
    """The values of a step, if all ranks that receive any receive the same from one place: a broadcast. Of a
    grid, those of the places of a line, which differ in one `dimension`, for other ranks of this line.

    `message` moves them as that of the program does; `receives` says whether a rank is a receiver.
    """

    dimension: int
    place: c.Expression
    message: c.Function
    receives: c.Function


@dataclass(frozen=True, slots=True)
class CombinedValues:
    """The values of a variable that ranks combine at the end of a step: `moves` moves them as the message of the
    program does, `neutral` returns the neutral element, and `step` combines two elements. `prefixes`: the values are
    totals, which are combined before the step; the function copies those of all places below to the values before the
    first place of the rank. `reader`: the only place that reads the values of a step, whose rank alone gets them.
    """

    name: str
    type: ScalarType
    moves: c.Function
    neutral: c.Function
    step: c.Function
    prefixes: c.Function | None = None
    reader: c.Expression | None = None

    @property
    def functions(self) -> tuple[c.Function, ...]:
        functions = (self.moves, self.neutral, self.step)
        return functions if self.prefixes is None else (*functions, self.prefixes)


@dataclass(frozen=True, slots=True)
class RankProgram:
    """The C of one rank. Parameters of the functions are those that they use.

    `loops` computes one step, `totals` those of scans in it; `message` moves the values of a step between a buffer and
    the arrays of the sender, or of the receiver, and returns their bytes (None: no rank reads a value of another one).
    If `common` has messages, they have all these values. `exchanged` are the inputs and outputs, `local` the other
    arrays of a rank.
    `steps` are loops over all steps in which a call of `step_call` stands for one. `places` are the smallest place and
    the one behind the largest, by dimension; `checks` return a status for parameters that are not valid. Places are
    dealt out in blocks of `block`; 0: a rank owns an interval of them, or of a grid a box. `shape`: the ranks in each
    dimension, at most (0: all); empty if they are not given. With a `border`, messages arrive after the inner
    operations of the next step: `loops` computes a step at the places of a part. `is_given`: the caller gives the
    ends of the blocks. `owners`: the places of the values of computed variables, over their indices.
    """

    name: str
    system: str
    stem: str
    program: Program
    comment: str
    parameters: tuple[str, ...]
    names: RankNames
    is_pipeline: bool
    block: int
    places: Sequence[tuple[c.Expression, c.Expression]]
    shape: tuple[int, ...]
    border: Border | None
    is_given: bool
    checks: tuple[c.Statement, ...]
    loops: c.Function
    totals: c.Function | None
    message: c.Function | None
    common: Sequence[CommonMessage]
    combined: Sequence[CombinedValues]
    exchanged: Sequence[ExchangedArray]
    local: Sequence[FlatArray]
    steps: tuple[c.Statement, ...]
    step_call: str
    interface: tuple[c.Parameter, ...]
    usage: str
    types: str = ""
    owners: Mapping[str, tuple[Affine, ...]] = field(default_factory=dict)

    @property
    def has_lines(self) -> bool:
        """Returns True if messages go along the rows or the columns of a grid."""
        return bool(self.common) and len(self.places) > 1
