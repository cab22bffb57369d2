"""Writes that intervene between a write and a read of one cell, and the closest writer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from alphaz.equivalence.joined_sets import joined_domain
from alphaz.equivalence.kernel_obligation import Part, all_of, any_of, no_participant, participants_formula, within
from alphaz.equivalence.participant import Participant, before, compared, conflict, not_before, one, same, together
from alphaz.equivalence.readers_and_writers import ValueReader, ValueWriter, meets
from alphaz.poly import Affine, Constraint, Domain, Formula, Missing, equal
from alphaz.proof import BUDGET, is_empty, is_empty_by_isl


@dataclass(frozen=True, slots=True, eq=False)
class InterveningWrite:
    """`y` writes into the cell after the source and before the reader. Writers of the same value are `excused`."""

    reader: ValueReader
    source: ValueWriter
    y: Participant
    excused: tuple[ValueWriter, ...]

    def violating_triples(self) -> Domain:
        """Returns triples of reader, writer, and an intervening writer of another value."""
        others = self._others()
        space = together(self.reader.who, self.source.who, self.y)
        # In most cases no writer intervenes, whichever the source: that involves two instances at once, not three.
        if others.is_empty():
            return Domain.empty(space)
        cases = (
            [*meets(self.reader, self.source), *there, *late]
            for there in before(self.source.who, self.reader.who)
            for late in not_before(self.y, self.source.who)
        )
        triples = joined_domain(space, [self.source.who.domain, others], *cases)
        itself = one(self.y, self.source.who)
        return triples if itself is None else triples - Domain.where(space, itself)

    def _others(self) -> Domain:
        """Returns pairs of a reader and a writer of another value into its cell that does not follow the reader."""
        who, y = self.reader.who, self.y
        pairs = both = conflict((who, y), self._same_cell(self.reader.cell), not_before(who, y))
        itself = one(y, who)
        if itself is not None:
            pairs = pairs - Domain.where(both.space, itself)
        for domain, is_it in self._same_value(self.reader.point):
            pairs = pairs - (domain.embedded(both.space) & Domain.where(both.space, is_it))
        return pairs

    def _same_cell(self, cell: Sequence[Affine]) -> list[Constraint]:
        assert self.y.statement is not None
        return same(self.y.own(self.y.statement.target.subscripts), cell)

    def _same_value(self, point: Sequence[Affine]) -> Iterator[tuple[Domain, list[Constraint]]]:
        """Yields the cases in which `y` writes the value at the point."""
        for writer in self.excused:
            assert writer.origin is not None
            yield writer.who.domain.renamed(self.y.dimensions), same(self.y.own(writer.origin.point), point)

    def absent(self) -> Missing:
        """Returns the part that no such writer exists, over the names of the reader and the source."""
        return no_participant(self.y, *self._parts(), without=self._without())

    def late(self) -> Formula:
        """Returns the formula of pairs of a reader and a writer of another value into its cell that does not follow the
        reader."""
        return participants_formula(
            (self.reader.who, self.y), *self._is_late(), without=self._but(self.reader.point, self.reader.who)
        )

    def early(self) -> Formula:
        """Returns the formula of pairs of a writer and a writer of another value into its cell that does not precede
        it."""
        source = self.source
        is_early = all_of(self._same_cell(source.cell)), any_of(not_before(self.y, source.who))
        return participants_formula((source.who, self.y), *is_early, without=self._but(source.point, source.who))

    def between(self, close: Sequence[Constraint] = ()) -> Formula:
        """Returns the formula of both at once: a reader and a writer of one value in one cell, and a possible
        intervening writer; only those that are `close`."""
        participants = self.reader.who, self.source.who, self.y
        both = all_of([*meets(self.reader, self.source), *close])
        return participants_formula(participants, both, *self._parts(), without=self._without())

    def _parts(self) -> Iterator[Part]:
        yield from self._is_late()
        yield any_of(not_before(self.y, self.source.who))

    def _is_late(self) -> Iterator[Part]:
        yield all_of(self._same_cell(self.reader.cell))
        yield any_of(not_before(self.reader.who, self.y))

    def _without(self) -> Part:
        return self._but(self.reader.point, self.reader.who, self.source.who)

    def _but(self, point: Sequence[Affine], *participants: Participant) -> Part:
        """Returns the part that `y`, an instance, is one of the participants, or writes the value at the point."""
        itself = [
            constraints for constraints in (one(self.y, other) for other in participants) if constraints is not None
        ]
        excused = (
            piece
            for writer, (domain, is_it) in zip(self.excused, self._same_value(point), strict=True)
            for piece in (all_of(is_it) if writer.who.is_whole and self.y.is_whole else within(domain, *is_it))
        )
        return (*any_of(itself), *excused)


def none_disturbed(reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]) -> bool:
    """Returns True if C4 holds: each reader has a close writer, and no other value is written between any close writer
    and the reader."""
    if not any(_close(reader, source) for source in sources):
        return False
    is_written = is_empty_by_isl(partial(_unwritten, reader, sources), BUDGET) is True
    return is_written and all(map(_is_harmless, threats))


def _close(reader: ValueReader, source: ValueWriter) -> list[Constraint]:
    """Returns the constraints that both are in the same iterations of their shared loops."""
    return [equal(Affine.name(left), Affine.name(right)) for left, right in compared((reader.who, source.who))]


def _unwritten(reader: ValueReader, sources: Sequence[ValueWriter]) -> Domain:
    """Returns the readers without a close writer."""
    rest = reader.who.domain
    for source in sources:
        conditions = [*meets(reader, source), *_close(reader, source)]
        pairs = conflict((reader.who, source.who), conditions, before(source.who, reader.who))
        rest = rest - pairs.onto(reader.who.dimensions)
    return rest


def _is_harmless(threat: InterveningWrite) -> bool:
    reader, writer, y = threat.reader.who, threat.source.who, threat.y
    between = partial(threat.between, _close(threat.reader, threat.source))
    return is_empty(threat.late, compared((reader, y))) or is_empty(between, compared((reader, writer, y)))
