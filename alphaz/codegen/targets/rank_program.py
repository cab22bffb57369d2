"""The C of a distributed system before files are made of it: parts that a target with ranks puts together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.model.program import Program
from alphaz.model.types import ScalarType
from alphaz.poly.plain.space import unlike


@dataclass(frozen=True, slots=True)
class RankNames:
    """Names of integers in the parts: the components of a step, places of this rank `[low, high)`, those of the sender
    `[from_low, from_high)` and of the receiver `[to_low, to_high)` of a message. If places are dealt out: the smallest
    place, the number of ranks, this rank, and the receiver.
    """

    steps: tuple[str, ...]
    low: str
    high: str
    from_low: str
    from_high: str
    to_low: str
    to_high: str
    first_place: str
    ranks: str
    own_rank: str
    to_rank: str

    @staticmethod
    def unlike(taken: Iterable[str], steps: int) -> "RankNames":
        """Returns names that differ from those taken; there are so many components of a step."""
        fixed = tuple(field.name for field in fields(RankNames) if field.name != "steps")
        *new, low, high, from_low, from_high, to_low, to_high, first_place, ranks, own_rank, to_rank = unlike(
            (*(f"step{at}" for at in range(steps)), *fixed), tuple(taken)
        )
        return RankNames(
            steps=tuple(new),
            low=low,
            high=high,
            from_low=from_low,
            from_high=from_high,
            to_low=to_low,
            to_high=to_high,
            first_place=first_place,
            ranks=ranks,
            own_rank=own_rank,
            to_rank=to_rank,
        )

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.steps, *(getattr(self, field.name) for field in fields(self) if field.name != "steps"))


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
    """The values of a step, if all ranks that receive any receive the same from one place: a broadcast.

    `message` moves them as that of the program does; `receives` says whether a rank is a receiver.
    """

    place: c.Expression
    message: c.Function
    receives: c.Function


@dataclass(frozen=True, slots=True)
class CombinedValues:
    """The values of a variable that ranks combine at the end of a step: `moves` moves them as the message of the
    program does, `neutral` returns the neutral element, and `step` combines two elements.
    """

    name: str
    type: ScalarType
    moves: c.Function
    neutral: c.Function
    step: c.Function

    @property
    def functions(self) -> tuple[c.Function, ...]:
        return self.moves, self.neutral, self.step


@dataclass(frozen=True, slots=True)
class RankProgram:
    """The C of one rank. Parameters of the functions are those that they use.

    `loops` computes one step; `message` moves the values of a step between a buffer and the arrays of the sender, or of
    the receiver, and returns their bytes; `exchanged` are the inputs and outputs; `local` the other arrays of a rank.
    `steps` are loops over all steps in which a call of `step_call` stands for one. `first` and `behind` are the
    smallest place and the one behind the largest; `checks` return a status for parameters that are not valid. Places
    are dealt out in blocks of `block`; 0: a rank owns an interval of them.
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
    first: c.Expression
    behind: c.Expression
    checks: tuple[c.Statement, ...]
    loops: c.Function
    message: c.Function
    common: CommonMessage | None
    combined: Sequence[CombinedValues]
    exchanged: Sequence[ExchangedArray]
    local: Sequence[FlatArray]
    steps: tuple[c.Statement, ...]
    step_call: str
    interface: tuple[c.Parameter, ...]
    usage: str
    types: str = ""
