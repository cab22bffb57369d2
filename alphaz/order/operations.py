"""Operations: as families, as symbolic instances (by name) and as concrete instances (by number).

START writes the inputs that have no dates and the results of accumulations over no points; END reads the outputs.
Source: verifier.md section 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import takewhile

from alphaz.diagnostics import NOWHERE, Span, WitnessPoint
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import DimensionKind
from alphaz.poly import Affine, AffineFunction, Domain

Values = Mapping[str, int]


class Phase(IntEnum):
    """The phase of an operation: START precedes all others, END follows all others, dates order the rest."""

    START = 0
    DATED = 1
    END = 2


@dataclass(frozen=True, slots=True, eq=False)
class StatementInstances:
    """A family of operations, one for each point of `domain`; it writes (END: reads) `variable[target(point)]`.

    `statement` exists for DATED families only. A `partial` family does not write all points of its variable.

    Contributions to an accumulation across a reduction dimension write only private accumulators; their `merge` writes
    the result. The operations of a merge are named by contributions (one operation merges those of one result and one
    loop), and come after the whole loop of that dimension.

    An operation that writes many points, such as a call, is a family of its own, the `whole` of the families that
    represent its writes: their points begin with its own. `direct`: it writes them in place, throughout the operation.

    `nest` are the constants of the ordering dimensions that lead its dates.
    """

    name: str
    variable: str
    moment: Phase
    domain: Domain
    target: AffineFunction
    statement: Statement | None = None
    partial: bool = False
    merge: bool = False
    whole: "StatementInstances | None" = None
    direct: bool = False
    nest: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Caches the nest, which every pair of operations uses."""
        outputs = self.statement.date.outputs if self.statement else ()
        leading = takewhile(lambda pair: pair[0] is DimensionKind.ORDERING, zip(self.kinds, outputs, strict=True))
        object.__setattr__(self, "nest", tuple(output.constant for _, output in leading))

    @property
    def operation(self) -> "StatementInstances":
        """Returns the executed family: this family, or the one that it is a part of."""
        return self.whole or self

    @property
    def names(self) -> tuple[str, ...]:
        return self.domain.space.names

    @property
    def kinds(self) -> tuple[DimensionKind, ...]:
        return self.statement.kinds if self.statement else ()

    @property
    def is_body(self) -> bool:
        """Returns True if the family contributes to an accumulation (a merge collects, so it does not)."""
        return self.statement is not None and self.statement.role is Role.BODY and not self.merge

    @property
    def span(self) -> Span:
        """Returns the place of the command that dates the family (of its declaration if no command does)."""
        return self.statement.span if self.statement else NOWHERE

    def event(self, values: Values, point: Sequence[int]) -> "ConcreteInstance":
        """Returns the operation at a point, for these parameters."""
        bindings = {**values, **dict(zip(self.names, point, strict=True))}
        date = self.statement.date.at(bindings) if self.statement else None
        return ConcreteInstance(self, tuple(point), date, self.target.at(bindings))

    def has(self, values: Values, point: Sequence[int]) -> bool:
        """Returns True if there is an operation at the point for these parameters; uses plain integers."""
        return self.domain.contains({**values, **dict(zip(self.names, point, strict=True))})


@dataclass(frozen=True, slots=True, eq=False)
class SymbolicInstance:
    """The operation of a family at a point whose coordinates are expressions."""

    family: StatementInstances
    point: tuple[Affine, ...]
    date: tuple[Affine, ...] = field(init=False)

    def __post_init__(self) -> None:
        date = self._at(self.family.statement.date) if self.family.statement else ()
        object.__setattr__(self, "date", date)

    def _at(self, function: AffineFunction) -> tuple[Affine, ...]:
        values = dict(zip(self.family.names, self.point, strict=True))
        return tuple(output.substitute(values) for output in function.outputs)

    @property
    def target(self) -> tuple[Affine, ...]:
        return self._at(self.family.target)

    @property
    def own(self) -> tuple[Affine, ...]:
        """Returns the indices of the operation itself."""
        return self.point[: len(self.family.operation.names)]

    def event(self, values: Values) -> "ConcreteInstance":
        return self.family.event(values, [x.at(values) for x in self.point])


@dataclass(frozen=True, slots=True)
class ConcreteInstance:
    """One operation. `date` is None for START and END; it writes (END: reads) `variable[target]`."""

    family: StatementInstances
    point: tuple[int, ...]
    date: tuple[int, ...] | None
    target: tuple[int, ...]

    @property
    def own(self) -> tuple[int, ...]:
        """Returns the indices of the operation itself."""
        return self.point[: len(self.family.operation.names)]

    def is_same(self, other: "ConcreteInstance") -> bool:
        return self.family.operation is other.family.operation and self.own == other.own

    def place(self, role: str) -> WitnessPoint:
        """Returns the place; for a merge, the result and the components of the date that its whole loop shares."""
        if self.family.merge and self.date is not None and self.family.statement is not None:
            return WitnessPoint(role, self.family.name, self.target, self.date[: self.family.statement.merged_at])
        return WitnessPoint(role, self.family.name, self.own, self.date)


def in_order(one: ConcreteInstance, two: ConcreteInstance) -> tuple[ConcreteInstance, ConcreteInstance]:
    """Returns both instances, the one with the smaller date first."""
    return (one, two) if (one.date or ()) <= (two.date or ()) else (two, one)
