"""C1 and C4: what is read has been written, and is not overwritten before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from alphaz.c_reading.kernel import Statement
from alphaz.poly import Constraint, Domain, Formula, Missing
from alphaz.poly.plain.space import Space
from alphaz.verify.c.actor import Actor, actor, meeting, one, same, together
from alphaz.verify.c.claims import Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.joined import joined
from alphaz.verify.c.order import before, not_before
from alphaz.verify.c.readers import Reader, Source, earlier, meets, statement_of, unwritten, unwritten_stated, written
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.stated import Part, all_of, any_of, asked, nobody, within
from alphaz.verify.c.sums import of_sum_reader


def of_reader(
    inquiry: Inquiry, reader: Reader, writers: Sequence[Source], parts: Sequence[Source]
) -> Iterator[Requirement]:
    starts = [s for s in parts if isinstance(s.origin, Contribution) and s.origin.starts]
    about, sources = reader.who.statement, (*writers, *starts)
    subjects = {"reader": reader}
    yield Requirement(
        family="C1",
        claim=f"{reader.text} is written before it is read",
        violations=partial(unwritten, reader, sources),
        actors=(reader.who,),
        about=about,
        subjects=subjects,
        stated=partial(unwritten_stated, reader, sources),
    )
    threats = tuple(
        Threat(
            reader, source, actor("y", statement), tuple(_excused(parts if source in starts else writers, statement))
        )
        for source in sources
        for statement in inquiry.writers.get(reader.array.name, ())
    )
    if threats:
        yield Requirement(
            family="C4",
            claim=f"{reader.text} is not overwritten before",
            violations=partial(_lost, reader, sources, threats),
            actors=(reader.who,),
            about=about,
            subjects=subjects,
            stated=partial(_lost_stated, reader, sources, threats),
        )
    if starts:
        yield from of_sum_reader(reader, starts, parts)


def _excused(sources: Sequence[Source], statement: Statement) -> Iterator[Source]:
    """Whoever writes the same value disturbs nobody."""
    return (each for each in sources if statement_of(each) is statement)


@dataclass(frozen=True, slots=True, eq=False)
class Threat:
    """That `y` writes into the cell when the source is over and the reader is not. Those that are `excused` write the
    same value."""

    reader: Reader
    source: Source
    y: Actor
    excused: tuple[Source, ...]

    def found(self) -> Domain:
        """Reader, writer, and who writes something else between them."""
        others = self._others()
        space = together(self.reader.who, self.source.who, self.y)
        # Most often there is nobody, whoever the writer is: that takes two at once, and not three.
        if others.is_empty():
            return Domain.empty(space)
        cases = (
            [*meets(self.reader, self.source), *there, *late]
            for there in before(self.source.who, self.reader.who)
            for late in not_before(self.y, self.source.who)
        )
        found = joined(space, [self.source.who.domain, others], *cases)
        itself = one(self.y, self.source.who)
        return found if itself is None else found - Domain.where(space, itself)

    def _others(self) -> Domain:
        """Reader, and who else writes something else into the cell and is not over after the reader."""
        who, y = self.reader.who, self.y
        found = both = meeting((who, y), self._same_cell(), not_before(who, y))
        itself = one(y, who)
        if itself is not None:
            found = found - Domain.where(both.space, itself)
        for domain, is_it in self._same_value():
            found = found - (domain.embedded(both.space) & Domain.where(both.space, is_it))
        return found

    def _same_cell(self) -> list[Constraint]:
        assert self.y.statement is not None
        return same(self.y.own(self.y.statement.target.subscripts), self.reader.cell)

    def _same_value(self) -> Iterator[tuple[Domain, list[Constraint]]]:
        """Where `y` writes what is read."""
        for each in self.excused:
            assert each.origin is not None
            yield each.who.domain.renamed(self.y.dimensions), same(self.y.own(each.origin.point), self.reader.point)

    def absent(self, title: str) -> Missing:
        """That nobody does, over the names of the reader and the source."""
        return nobody(self.y, *self._parts(), without=self._without(), title=title)

    def _parts(self) -> Iterator[Part]:
        yield all_of(self._same_cell())
        yield any_of(not_before(self.reader.who, self.y))
        yield any_of(not_before(self.y, self.source.who))

    def _without(self) -> Part:
        itself = [each for each in (one(self.y, self.reader.who), one(self.y, self.source.who)) if each is not None]
        excused = (piece for domain, is_it in self._same_value() for piece in within(domain, *is_it))
        return (*any_of(itself), *excused)


def _lost(reader: Reader, sources: Sequence[Source], threats: Sequence[Threat]) -> Domain:
    """Readers that nobody's value reaches. Cheap where nothing is overwritten; else each reader needs one writer whose
    value stays."""
    lost = {id(source): Domain.empty(_pair(reader, source)) for source in sources}
    is_any = False
    for each in threats:
        found = each.found()
        if not found.is_empty():
            is_any = True
            source = each.source
            lost[id(source)] = lost[id(source)] | found.onto(_pair(reader, source).names)
    if not is_any:
        return Domain.empty(reader.who.domain.space)
    rest = reader.who.domain
    for source in sources:
        rest = rest - (earlier(reader, source) - lost[id(source)]).onto(reader.who.dimensions)
    return rest


def _pair(reader: Reader, source: Source) -> Space:
    space = reader.who.domain.space
    return space.with_names((*reader.who.dimensions, *source.who.dimensions))


def _lost_stated(reader: Reader, sources: Sequence[Source], threats: Sequence[Threat]) -> Formula:
    absent = []
    for at, source in enumerate(sources):
        own = [each for each in threats if each.source is source]
        disturbed = [each.absent(f"{at}.{number}") for number, each in enumerate(own)]
        absent.append(written(reader, source, str(at), disturbed))
    return asked((reader.who,), absent=absent)
