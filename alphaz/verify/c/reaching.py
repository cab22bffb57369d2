"""C1 and C4: what is read has been written, and is not overwritten before."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.poly import Domain
from alphaz.poly.plain.space import Space
from alphaz.verify.c.actor import Actor, actor, meeting, one, same, together
from alphaz.verify.c.claims import Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.order import not_before
from alphaz.verify.c.readers import Reader, Source, earlier, statement_of, unwritten
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.sums import of_sum_reader


def of_reader(
    inquiry: Inquiry, reader: Reader, writers: Sequence[Source], parts: Sequence[Source]
) -> Iterator[Requirement]:
    starts = [s for s in parts if isinstance(s.origin, Contribution) and s.origin.starts]
    about = reader.who.statement
    yield Requirement(
        family="C1",
        claim=f"{reader.text} is written before it is read",
        violations=partial(unwritten, reader, (*writers, *starts)),
        actors=(reader.who,),
        about=about,
    )
    overwriting = []
    for source in (*writers, *starts):
        for statement in inquiry.writers.get(reader.array.name, ()):
            excused = [c for c in (parts if source in starts else writers) if statement_of(c) is statement]
            overwriting.append(partial(_overwritten, reader, source, actor("y", statement), tuple(excused)))
    if overwriting:
        build = partial(_lost, reader, (*writers, *starts), tuple(overwriting))
        yield Requirement(
            family="C4",
            claim=f"{reader.text} is not overwritten before",
            violations=build,
            actors=(reader.who,),
            about=about,
        )
    if starts:
        yield from of_sum_reader(reader, starts, parts)


def _lost(reader: Reader, sources: Sequence[Source], overwriting: Sequence["partial[Domain]"]) -> Domain:
    """Readers that nobody's value reaches. Cheap where nothing is overwritten; else each reader needs one writer whose
    value stays."""
    lost = {id(source): Domain.empty(_pair(reader, source)) for source in sources}
    is_any = False
    for build in overwriting:
        found = build()
        if not found.is_empty():
            is_any = True
            source = build.args[1]
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


def _overwritten(reader: Reader, source: Source, y: Actor, excused: Sequence[Source]) -> Domain:
    """Reader, writer, and who writes something else into the cell when the writer is over and the reader is not."""
    others = _others(reader, y, excused)
    space = together(reader.who, source.who, y).space
    # Most often there is nobody, whoever the writer is: that takes two at once, and not three.
    if others.is_empty():
        return Domain.empty(space)
    written = earlier(reader, source).embedded(space)
    late = Domain.where(space, *not_before(y, source.who))
    found = (written & others.embedded(space)) & late
    itself = one(y, source.who)
    return found if itself is None else found - Domain.where(space, itself)


def _others(reader: Reader, y: Actor, excused: Sequence[Source]) -> Domain:
    """Reader, and who else writes something else into the cell and is not over after the reader."""
    assert y.statement is not None
    cell = same(y.own(y.statement.target.subscripts), reader.cell)
    found = both = meeting((reader.who, y), cell, not_before(reader.who, y))
    itself = one(y, reader.who)
    if itself is not None:
        found = found - Domain.where(both.space, itself)
    for each in excused:
        own = Actor(y.role, y.statement, y.names, each.who.domain.renamed(y.dimensions))
        assert each.origin is not None
        is_it = same(own.own(each.origin.point), reader.point)
        found = found - (own.domain.embedded(both.space) & Domain.where(both.space, is_it))
    return found
