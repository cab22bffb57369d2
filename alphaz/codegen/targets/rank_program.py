"""The C of a distributed system before files are made of it: parts that a target with ranks puts together."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.model.program import Program


@dataclass(frozen=True, slots=True)
class RankNames:
    """Names of integers in the parts: the components of a step, the places of this rank `[low, high)`, those of the
    sender `[from_low, from_high)` and of the receiver `[to_low, to_high)` of a message.
    """

    steps: tuple[str, ...]
    low: str
    high: str
    from_low: str
    from_high: str
    to_low: str
    to_high: str

    @property
    def every(self) -> tuple[str, ...]:
        return (*self.steps, self.low, self.high, self.from_low, self.from_high, self.to_low, self.to_high)


@dataclass(frozen=True, slots=True)
class ExchangedArray:
    """An input or an output: the caller's array of all points, the array of the points of one rank, and functions that
    move the points of a rank between a buffer and either of them.
    """

    name: str
    whole: FlatArray
    block: FlatArray
    is_input: bool
    of_whole: c.Function
    of_block: c.Function


@dataclass(frozen=True, slots=True)
class RankProgram:
    """The C of one rank. Parameters of the functions are those that they use.

    `loops` computes one step; `message` moves the values of a step between a buffer and the arrays of the sender, or of
    the receiver, and returns their bytes; `exchanged` are the inputs and outputs; `local` the other arrays of a rank.
    `steps` are loops over all steps in which a call of `step_call` stands for one. `first` and `behind` are the
    smallest place and the one behind the largest; `checks` return a status for parameters that are not valid.
    """

    name: str
    system: str
    stem: str
    program: Program
    comment: str
    parameters: tuple[str, ...]
    names: RankNames
    is_pipeline: bool
    first: c.Expression
    behind: c.Expression
    checks: tuple[c.Statement, ...]
    loops: c.Function
    message: c.Function
    exchanged: Sequence[ExchangedArray]
    local: Sequence[FlatArray]
    steps: tuple[c.Statement, ...]
    step_call: str
    interface: tuple[c.Parameter, ...]
    usage: str
    types: str = ""
