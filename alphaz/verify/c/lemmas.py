"""Lemmas: what is easier to decide than a question, and settles it. Where one does not hold, nothing is known.

Whether there is a writer for each reader is asked of isl by leaving out the readers that some tile writes for; the
numbers of tiles are eliminated for that, which may take very long. Here it is asked in two: somebody writes the value,
whenever (once for all readers); and *whoever* writes it has done so before, in the cell that is read. The second is
about two instances at once without any "for all", which is what z3 is good at; for the first, tiles are eliminated from
one statement at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Formula, OutOfBudget, budget, less
from alphaz.proof import BUDGET, is_empty, patiently, soon_empty
from alphaz.verify.c.actor import Actor, compared, meeting, same
from alphaz.verify.c.equations import Item
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.order import not_before
from alphaz.verify.c.readers import Reader, Source, meets, unwritten
from alphaz.verify.c.stated import all_of, any_of, asked
from alphaz.verify.c.threat import Threat
from alphaz.verify.c.witness import Point, Points, unseen

# Operations of isl for a set in few dimensions: z3 needs longer to see that tiles cover it.
_MUCH = 20_000_000
# For what is asked of each reader apart.
_SOME = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Lemmas:
    """Those about an inquiry. What was found out once is kept with it."""

    inquiry: Inquiry

    # --- values -------------------------------------------------------------------------------------------------------

    def is_written(self, reader: Reader, sources: Sequence[Source]) -> bool:
        """Whether somebody has written what is read, by whatever way is the quickest; False where it is not known."""
        if not sources:
            return False
        quick = soon_empty(partial(unwritten, reader, sources))
        if quick is not None:
            return quick
        return self.all_written(reader, sources) or bool(soon_empty(partial(unwritten, reader, sources), BUDGET))

    def all_written(self, reader: Reader, sources: Sequence[Source]) -> bool:
        """C1. Either each value is written, and all that write it have written it there; or each is written there, and
        all that write it there have done so before."""

        def none(pairs: Callable[[Reader, Source], _Pairs]) -> bool:
            return all(pairs(reader, each).are_none() for each in sources)

        def ask() -> bool:
            if self._is_covered(reader, sources) and none(_elsewhere):
                return True
            return self._is_covered(reader, sources, in_cell=True) and none(_afterwards)

        return bool(sources) and self.inquiry.once("written", (reader, *map(self._origin, sources)), ask)

    def _origin(self, source: Source) -> object:
        """What stands for it: the caller is the same for all."""
        return self.inquiry.binding if source.origin is None else source.origin

    def _is_covered(self, reader: Reader, sources: Sequence[Source], in_cell: bool = False) -> bool:
        """Whether somebody writes each value that is needed (into the cell where it is)."""
        if reader.key not in self.inquiry.values:
            return False
        written = [(each.who.domain, (*each.point, *(each.cell if in_cell else ()))) for each in sources]
        read = reader.who.domain, (*reader.point, *(reader.cell if in_cell else ()))
        value = self.inquiry.values[reader.key]
        whole = value.domain if value.is_input else self.inquiry.origins.computed[reader.key].domain
        objects = (reader.array, value, *map(self._origin, sources))
        if not in_cell and self.inquiry.once("seen", objects, lambda: _sees(written, _all(whole))):
            return True
        if _sees(written, read):
            return True
        if not in_cell and self.inquiry.once("whole", objects, lambda: _covers(written, whole, _MUCH)):
            return True
        return _covers_image(written, read)

    def none_disturbed(self, reader: Reader, sources: Sequence[Source], threats: Sequence[Threat]) -> bool:
        """C4: nobody writes something else between *any* writer and reader."""
        return self.all_written(reader, sources) and all(map(self._is_harmless, threats))

    def _is_harmless(self, threat: Threat) -> bool:
        """Most often two at once show it."""
        excused = [self._origin(each) for each in threat.excused]
        assert threat.y.statement is not None
        about = (threat.reader.array, threat.y.statement, *excused)
        threat = replace(threat, excused=tuple(map(self._plainly, threat.excused)))
        who, writer, y = threat.reader.who, threat.source.who, threat.y
        return (
            self.inquiry.once("late", (threat.reader, *about), lambda: _none(threat.late, who, y))
            or self.inquiry.once("early", (self._origin(threat.source), *about), lambda: _none(threat.early, writer, y))
            or _none(threat.between, who, writer, y)
        )

    def _plainly(self, source: Source) -> Source:
        """The same about instances of its statement. Where these all do what is claimed, there is nothing else to say
        of them: the pieces of a domain that are not to hold would be cases for z3."""
        made = source.origin
        if made is None:
            return source

        def everywhere() -> bool:
            return soon_empty(lambda: made.statement.domain - made.domain, _SOME) is True

        if not self.inquiry.once("everywhere", (made,), everywhere):
            return source
        return replace(source, who=replace(source.who, domain=Domain.universe(source.who.domain.space)))

    # --- sums ---------------------------------------------------------------------------------------------------------

    def all_added(self, reader: Reader, item: Item, shares: Sequence[tuple[Source, Point]]) -> bool:
        """R1. Everything is added by somebody to the sum that it belongs to; and whoever adds to the sum that is read
        does so in the cell that is read."""
        sums = {id(each): each for each, _ in shares}.values()

        def is_there(source: Source) -> bool:
            ask = _in_other_cell(reader, source).are_none
            return self.inquiry.once("there", (reader, self._origin(source)), ask)

        return bool(shares) and self._is_added(reader, item, shares) and all(map(is_there, sums))

    def _is_added(self, reader: Reader, item: Item, shares: Sequence[tuple[Source, Point]]) -> bool:
        added = [(_belonging(each, item, body), body) for each, body in shares]
        whole = item.region.domain
        objects = (reader.array, item, *(self._origin(each) for each, _ in shares))
        if self.inquiry.once("all", objects, lambda: _sees(added, _all(whole)) or _covers(added, whole, _MUCH)):
            return True

        def needed() -> Domain:
            read = _image(reader.who.domain, reader.point)
            return whole & read.preimage(AffineFunction(whole.space, item.projection))

        wanted = _within_budget(needed)
        return wanted is not None and _covers(added, wanted)


def _none(stated: Callable[[], Formula], *actors: Actor) -> bool:
    """Whether there are no such actors."""
    return is_empty(stated, compared(actors))


def _sees(written: Sequence[Points], wanted: Points) -> bool:
    """Whether each point that is wanted is written, by an instance that is told from it."""
    return is_empty(partial(unseen, written, wanted))


def _all(domain: Domain) -> Points:
    return domain, tuple(map(Affine.name, domain.space.names))


def _covers(written: Sequence[Points], wanted: Domain, operations: int = _SOME) -> bool:
    """Whether each point that is wanted is written. What is written is seen apart from who does it, and when."""
    try:
        with budget(operations):
            return wanted.is_subset(_written(written))
    except OutOfBudget:
        return False


def _covers_image(written: Sequence[Points], read: Points) -> bool:
    wanted = _within_budget(partial(_image, *read))
    return wanted is not None and _covers(written, wanted)


def _written(written: Sequence[Points]) -> Domain:
    first, *others = (_image(domain, point) for domain, point in written)
    for each in others:
        first = first | each.renamed(first.space.names)
    return first.coalesced()


def _image(domain: Domain, point: Point) -> Domain:
    names = tuple(f"at.{number}" for number in range(len(point)))
    return domain.image(AffineFunction(domain.space, point), names).coalesced()


def _within_budget(work: Callable[[], Domain]) -> Domain | None:
    try:
        return patiently(work)
    except OutOfBudget:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """A reader and a writer for whom all of some conditions hold, and one of some cases."""

    reader: Reader
    source: Source
    meets: list[Constraint]
    cases: list[Sequence[Constraint]]

    def are_none(self) -> bool:
        actors = self.reader.who, self.source.who
        stated = partial(asked, actors, all_of(self.meets), any_of(self.cases))
        return is_empty(stated, compared(actors), partial(meeting, actors, self.meets, self.cases))


def _elsewhere(reader: Reader, source: Source) -> _Pairs:
    """Writers of what is read that write it into another cell, or have not done so before."""
    cases = [*not_before(source.who, reader.who), *_differ(source.cell, reader.cell)]
    return _Pairs(reader, source, same(source.point, reader.point), cases)


def _afterwards(reader: Reader, source: Source) -> _Pairs:
    """Writers of what is read, where it is read, that have not done so before."""
    return _Pairs(reader, source, meets(reader, source), [*not_before(source.who, reader.who)])


def _in_other_cell(reader: Reader, source: Source) -> _Pairs:
    """Those who add to the sum that is read, in another cell."""
    return _Pairs(reader, source, same(source.point, reader.point), [*_differ(source.cell, reader.cell)])


def _differ(left: Point, right: Point) -> Iterator[list[Constraint]]:
    for a, b in zip(left, right, strict=True):
        yield [less(a, b)]
        yield [less(b, a)]


def _belonging(source: Source, item: Item, body: Point) -> Domain:
    """The instances that add a part to the sum that it belongs to."""
    domain = source.who.domain
    known = dict(zip(item.names, body, strict=True))
    meets = same([each.substitute(known) for each in item.projection], source.point)
    return domain & Domain.where(domain.space, meets)
