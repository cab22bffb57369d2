"""The values that a rank receives, and the steps in which it receives a message, as sets with the ends of the places of
the sender and of the receiver as parameters. Counts of them are polynomials in these ends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from alphaz.legality.obligations.rank_communication import remote_reads
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.prefix_scans import PrefixScan
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.program import System
from alphaz.order.operation_table import OperationTable, operations
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, at_least, less, unlike
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.integer_expression import as_affine


@dataclass(frozen=True, slots=True)
class BlockNames:
    """The names of the ends `[low, high)` of the places of a rank, in one distributed dimension."""

    low: str
    high: str

    @property
    def low_end(self) -> Affine:
        return Affine.name(self.low)

    @property
    def high_end(self) -> Affine:
        return Affine.name(self.high)


def ends_of(blocks: Sequence[BlockNames]) -> tuple[str, ...]:
    """Returns the names of all ends."""
    return tuple(end for block in blocks for end in (block.low, block.high))


@dataclass(frozen=True, slots=True)
class PlaceRange:
    """The places of a dimension: all of `[first, behind)`."""

    first: Affine
    behind: Affine


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """The values of a variable that an operation reads: their indices, steps and places, and the places that read."""

    width: int
    values: tuple[str, ...]
    points: Domain


@dataclass(frozen=True, eq=False)
class RankPairs:
    """The sets of a distributed mapping. `senders` and `receivers` have the names of their ends, by dimension. With
    `scans` the values of lower places are no messages.
    """

    table: OperationTable
    distribution: Distribution
    senders: tuple[BlockNames, ...]
    receivers: tuple[BlockNames, ...]
    steps: tuple[str, ...]
    made: tuple[str, ...]
    read: tuple[str, ...]
    scans: tuple[PrefixScan, ...] = ()
    _received: dict[str, Domain] = field(default_factory=dict, repr=False)

    @property
    def system(self) -> System:
        return self.table.system

    @property
    def ends(self) -> tuple[str, ...]:
        return (*ends_of(self.senders), *ends_of(self.receivers))

    @cached_property
    def pairs(self) -> dict[str, _Pairs]:
        """Returns the pairs of every variable whose values other ranks read."""
        pairs: dict[str, _Pairs] = {}
        for read, writer in remote_reads(self.table):
            assert writer.statement is not None
            variable, at = self.system.variable(read.variable), self.distribution
            names = tuple(f"value{d}" for d in range(variable.domain.space.dimensions))
            names = unlike(names, (*self.system.parameters, *self.ends, *self.steps, *self.made, *self.read))
            space = self.system.space((*names, *self.steps, *self.made, *self.read))
            made, reader = writer.statement, read.occurrence
            outputs = (*writer.target.renamed(made.domain.space.names).outputs, *made.dates[: at.dimensions.stop])
            home = made.domain.image(AffineFunction(made.domain.space, outputs), (*names, *self.steps, *self.made))
            home = at.with_steps(made, home, self.steps)
            outputs = (*read.function.outputs, *reader.date[at.dimensions])
            readers = read.domain.image(AffineFunction(read.domain.space, outputs), (*names, *self.read))
            points = home.embedded(space) & readers.embedded(space)
            if self.scans:
                points &= Domain.where(space, [less(Affine.name(self.read[0]), Affine.name(self.made[0]))])
            known = pairs.get(read.variable)
            width = variable.type.bytes
            pairs[read.variable] = _Pairs(width, names, points if known is None else known.points | points)
        return pairs

    @cached_property
    def ranges(self) -> tuple[PlaceRange, ...] | None:
        """Returns the places of each dimension, if their ends are affine."""
        names, parts = unlike(self.made, self.system.parameters), []
        for statement in self.table.mapping.statements:
            outputs = tuple(statement.dates[self.distribution.dimensions])
            parts.append(statement.domain.image(AffineFunction(statement.domain.space, outputs), names))
        box = bounding_box(_union(parts), self.system.context)
        bounds = [(as_affine(low), as_affine(high)) for low, high in zip(box.lower, box.upper, strict=True)]
        known = [PlaceRange(low, high + 1) for low, high in bounds if low is not None and high is not None]
        return tuple(known) if len(known) == len(bounds) else None

    def steps_of(self, statement: Statement) -> Domain:
        """Returns the steps of a statement."""
        outputs = tuple(statement.dates[: self.distribution.position])
        dates = statement.domain.image(AffineFunction(statement.domain.space, outputs), self.steps)
        return self.distribution.with_steps(statement, dates, self.steps)

    # --- sets -------------------------------------------------------------------------------------------------------

    def received(self, variable: str) -> Domain:
        """Returns the values that a rank reads, and that another one computes."""
        return self.received_in_steps(variable).onto(self.pairs[variable].values).coalesced()

    def received_in_steps(self, variable: str) -> Domain:
        """Returns the same values, each with its step."""
        if variable not in self._received:
            pairs = self.pairs[variable]
            whole = pairs.points.with_parameters(ends_of(self.receivers))
            inside = whole & Domain.where(whole.space, self._within(self.read, self.receivers))
            others = [
                [constraint]
                for name, block in zip(self.made, self.receivers, strict=True)
                for constraint in (less(Affine.name(name), block.low_end), at_least(Affine.name(name), block.high_end))
            ]
            received = inside & Domain.where(whole.space, *others)
            self._received[variable] = received.onto((*pairs.values, *self.steps)).coalesced()
        return self._received[variable]

    def messages(self, where: Iterable[Constraint]) -> Domain:
        """Returns the steps in which the sender sends the receiver a value, where their ends meet the constraints."""
        limits = [*where, *self._within(self.made, self.senders), *self._within(self.read, self.receivers)]
        parts = []
        for pairs in self.pairs.values():
            whole = pairs.points.with_parameters(self.ends)
            parts.append((whole & Domain.where(whole.space, limits)).onto(self.steps))
        return _union(parts).coalesced() if parts else Domain.empty(self.system.space(self.steps))

    def _within(self, names: Sequence[str], blocks: Sequence[BlockNames]) -> list[Constraint]:
        constraints = []
        for name, block in zip(names, blocks, strict=True):
            constraints += [at_least(Affine.name(name), block.low_end), less(Affine.name(name), block.high_end)]
        return constraints

    def context(self, ends: Sequence[str], where: Iterable[Constraint]) -> Domain:
        """Returns the parameters and the ends of places that meet the constraints."""
        known = self.system.context.with_parameters(ends)
        return known & Domain.where(known.space, list(where))

    # --- places that are dealt out ----------------------------------------------------------------------------------

    def elsewhere(self, variable: str) -> Domain:
        """Returns the pairs of a value and a place that reads it, other than the place of the value in the first
        dimension.
        """
        points = self.pairs[variable].points
        return points & self._apart(points, 0)

    def elsewhere_by_line(self, variable: str) -> dict[tuple[int, ...], Domain]:
        """Returns the pairs of a value and a place that reads it, other than the place of the value, by the dimensions
        in which its readers are elsewhere: of a grid both, for a value that any place reads in another row and column;
        else one after the other.
        """
        points = self.pairs[variable].points
        parts: dict[tuple[int, ...], Domain] = {
            (position,): points & self._apart(points, position) for position in range(len(self.made))
        }
        if len(parts) == 1:
            return parts
        both = (parts[0,] & parts[1,]).onto(self.pairs[variable].values).embedded(points.space)
        lines: dict[tuple[int, ...], Domain] = {(0, 1): (parts[0,] | parts[1,]) & both}
        lines |= {(position,): (parts[position,] - parts[1 - position,]) - both for position in range(2)}
        return {at: part for at, part in lines.items() if not part.is_empty()}

    def _apart(self, points: Domain, dimension: int) -> Domain:
        made, read = Affine.name(self.made[dimension]), Affine.name(self.read[dimension])
        return Domain.where(points.space, [less(made, read)], [less(read, made)])

    def is_read_everywhere(self, variable: str, places: PlaceRange) -> bool:
        """Returns True if all other places of one dimension read every value that another place reads."""
        readers, pairs = self.elsewhere(variable), self.pairs[variable]
        made, read = Affine.name(self.made[0]), Affine.name(self.read[0])
        known = readers.onto((*pairs.values, *self.steps, *self.made)).embedded(readers.space)
        inside = [at_least(read, places.first), less(read, places.behind)]
        others = Domain.where(readers.space, [*inside, less(made, read)], [*inside, less(read, made)])
        return (known & others).is_subset(readers)


def rank_pairs(mapping: ResolvedMapping) -> RankPairs:
    """Returns the sets of a distributed mapping."""
    distribution, table = mapping.distribution, operations(mapping)
    assert distribution is not None
    width = distribution.width
    words = [f"{word}{index}" for word in ("low", "high", "from", "to", "made", "read") for index in range(width)]
    words += [f"step{index}" for index in range(distribution.position)]
    names = unlike(tuple(words), mapping.system.parameters)
    low, high, begin, end, made, read = (names[index * width : (index + 1) * width] for index in range(6))
    return RankPairs(
        table=table,
        scans=distribution.scans,
        distribution=distribution,
        senders=tuple(map(BlockNames, begin, end)),
        receivers=tuple(map(BlockNames, low, high)),
        steps=names[6 * width :],
        made=made,
        read=read,
    )


def _union(parts: Sequence[Domain]) -> Domain:
    result = parts[0]
    for part in parts[1:]:
        result = result | part
    return result
