"""Lemmas: statements that are easier to decide than an obligation, and imply it. If a lemma fails, nothing follows.

To show that each reader has a writer, isl must subtract the readers that some tile writes for; it eliminates the
numbers of tiles for that, which may take very long. The lemmas split the obligation in two: each value is written at
some time (once for all readers); and *each* instance that writes it has done so before the read, in the cell that is
read. The second part is about two instances at once without any "for all", which suits z3; for the first part, tiles
are eliminated from one statement at a time.

Most lemmas have several alternatives, one of which suffices. Each alternative is tried with a small budget before any
is searched: an alternative that holds immediately saves the seconds that another spends on a failure.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from alphaz.equivalence.exact_projection import projected, some_projected
from alphaz.equivalence.intervening_writes import InterveningWrite
from alphaz.equivalence.kernel_obligation import all_of, any_of, participants_formula
from alphaz.equivalence.participant import compared, conflict, not_before, same
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.readers_and_writers import ValueReader, ValueWriter, meets, unwritten
from alphaz.equivalence.skolem import Point, Points, unseen
from alphaz.equivalence.value_graph import Item
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Formula, OutOfBudget, budget, equal, less
from alphaz.proof import BUDGET, is_empty_by_cases, is_empty_by_few_steps, is_empty_by_isl

# Operations of isl for a set in few dimensions: z3 needs longer to see that tiles cover it.
_MUCH = 4_000_000
# Operations for obligations about each reader separately.
_SOME = 2_000_000
# Operations for missing terms of a sum, and seconds for the first attempt: a search over all sums takes longer.
_MISSING, _PATIENT = 3_000_000, 10.0
# Seconds before z3 searches for results that it does not find immediately.
_LITTLE = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Lemmas:
    """Lemmas about a proof context. Results are kept with the context."""

    proof_context: ProofContext

    # --- values -------------------------------------------------------------------------------------------------------

    def is_written(self, reader: ValueReader, sources: Sequence[ValueWriter]) -> bool:
        """Returns True if some instance has written the value that is read, by the quickest method; False if this is
        unknown."""
        if not sources:
            return False
        quick = is_empty_by_isl(partial(unwritten, reader, sources))
        if quick is not None:
            return quick
        return self.all_written(reader, sources) or bool(is_empty_by_isl(partial(unwritten, reader, sources), BUDGET))

    def all_written(self, reader: ValueReader, sources: Sequence[ValueWriter]) -> bool:
        """Returns True if C1 holds. Either each value is written, and all its writers have written it there; or each
        value is written there, and all its writers there have done so before."""

        anywhere, there = (self._coverings(reader, sources, in_cell) for in_cell in (False, True))
        elsewhere = [_elsewhere(reader, source, self._origin(source)) for source in sources]
        afterwards = [_afterwards(reader, source, self._origin(source)) for source in sources]

        def ask() -> bool:
            soon = [self._is_one_covered(anywhere) and self._glimpsed(domain) for domain in elsewhere]
            # A buffer is filled repeatedly: whether it was filled for other readers is hard to decide.
            if all(soon) or (self._is_one_glimpsed(there) and self._are_empty(afterwards)):
                return True
            if False not in soon and self._are_empty(elsewhere):
                return True
            return self._is_one_covered(there) and self._are_empty(afterwards)

        return bool(sources) and self.proof_context.once("written", (reader, *map(self._origin, sources)), ask)

    def _origin(self, source: ValueWriter) -> object:
        """Returns the key under which a writer's results are kept: all instances of the caller share one."""
        return self.proof_context.binding if source.origin is None else source.origin

    def _coverings(self, reader: ValueReader, sources: Sequence[ValueWriter], in_cell: bool) -> list["_Covering"]:
        """Returns the coverings that show that each required value is written (into the cell that is read, if
        `in_cell`)."""
        if reader.key not in self.proof_context.values:
            return []
        origins = tuple(map(self._origin, sources))
        written = [(source.who.domain, (*source.point, *(source.cell if in_cell else ()))) for source in sources]
        read = reader.who.domain, (*reader.point, *(reader.cell if in_cell else ()))
        needed = _Covering(
            title=("needed", in_cell),
            objects=(reader, *origins),
            written=written,
            needed=read,
            parts=partial(_images, *read),
            most=_SOME,
        )
        if in_cell:
            return [needed]
        value = self.proof_context.values[reader.key]
        whole = value.domain if value.is_input else self.proof_context.origins.computed[reader.key].domain
        every = _Covering(
            title="whole",
            objects=(reader.array, value, *origins),
            written=written,
            needed=_all(whole),
            parts=lambda: (whole,),
            most=_MUCH,
        )
        return [every, needed]

    def none_disturbed(
        self, reader: ValueReader, sources: Sequence[ValueWriter], threats: Sequence[InterveningWrite]
    ) -> bool:
        """Returns True if C4 holds: no other value is written between *any* writer and reader. The existence of a
        writer is C1, on its own or by a stronger lemma."""
        return self.all_written(reader, sources) and self.all_harmless(threats)

    def all_harmless(self, threats: Sequence[InterveningWrite]) -> bool:
        return all(map(self._is_harmless, threats))

    def _is_harmless(self, threat: InterveningWrite) -> bool:
        """Returns True if a threat writes nothing in between; most often two instances at once show it."""
        excused = [self._origin(excused_writer) for excused_writer in threat.excused]
        assert threat.y.statement is not None
        about = (threat.reader.array, threat.y.statement, *excused)
        threat = replace(threat, excused=tuple(map(self._plainly, threat.excused)))
        who, writer, y = threat.reader.who, threat.source.who, threat.y
        source = self._origin(threat.source)
        return self._is_one_empty(
            _Step("late", (threat.reader, *about), threat.late, compared((who, y))),
            _Step("early", (source, *about), threat.early, compared((writer, y))),
            _Step("between", (threat.reader, source, *about), threat.between, compared((who, writer, y))),
        )

    def _plainly(self, source: ValueWriter) -> ValueWriter:
        """Returns the writer with all instances of its statement. If all of them satisfy the claim, the restriction is
        superfluous: the pieces of a domain would be cases for z3."""
        claim = source.origin
        if claim is None:
            return source

        def everywhere() -> bool:
            return is_empty_by_isl(lambda: claim.statement.domain - claim.domain, _SOME) is True

        if not self.proof_context.once("everywhere", (claim,), everywhere):
            return source
        return replace(source, who=replace(source.who, domain=Domain.universe(source.who.domain.space)))

    # --- sums ---------------------------------------------------------------------------------------------------------

    def all_added(
        self,
        reader: ValueReader,
        item: Item,
        shares: Sequence[tuple[ValueWriter, Point]],
        missing: Callable[[], Domain],
    ) -> bool:
        """Returns True if R1 holds: each term is added to the sum that it belongs to; and each instance that adds to
        the sum that is read does so in the cell that is read. Or isl shows directly that nothing is missing there,
        or knows the terms there."""
        sums = {id(summand): summand for summand, _ in shares}.values()

        def is_there(source: ValueWriter) -> bool:
            return self._is_one_empty(_in_other_cell(reader, source, self._origin(source)))

        if not shares:
            return False
        every = self._addition(reader, item, shares)
        if self._is_one_covered([every]) and all(map(is_there, sums)):
            return True
        if is_empty_by_isl(missing, _MISSING, _PATIENT):
            return True
        return _all_needed(reader, item, every.written) and all(map(is_there, sums))

    def _addition(self, reader: ValueReader, item: Item, shares: Sequence[tuple[ValueWriter, Point]]) -> "_Covering":
        """Returns the covering that each term is added to the sum that it belongs to, for any reader."""
        whole = item.region.domain
        return _Covering(
            title="all",
            objects=(reader.array, item, *(self._origin(source_) for source_, _ in shares)),
            written=[(_belonging(source_, item, body), body) for source_, body in shares],
            needed=_all(whole),
            parts=lambda: (whole,),
            most=_MUCH,
        )

    # --- alternatives
    # -----------------------------------------------------------------------------------------------------

    def _is_one_glimpsed(self, ways: Sequence["_Covering"]) -> bool:
        return any(self._glimpsed(way.step()) for way in ways)

    def _is_one_covered(self, ways: Sequence["_Covering"]) -> bool:
        """Returns True if one of the coverings holds. All are tried with a small budget first; those about all readers
        come before those about one."""
        return (
            any(self.proof_context.answer(("shown", way.title), way.objects) for way in ways)
            or self._is_one_glimpsed(ways)
            or any(map(self._shown, ways))
        )

    def _shown(self, way: "_Covering") -> bool:
        def ask() -> bool:
            soon = self._covers(way, _LITTLE)
            return bool(self._searched(way.step()) or self._covers(way, way.most)) if soon is None else soon

        return self.proof_context.once(("shown", way.title), way.objects, ask)

    def _covers(self, way: "_Covering", operations: int) -> bool | None:
        if operations > _LITTLE and (soon := self._covers(way, _LITTLE)) is not None:
            return soon
        ask = partial(_covers, way.written, way.parts, operations)
        return self.proof_context.once(("covers", way.title, operations), way.objects, ask)

    def _are_empty(self, steps: Sequence["_Step"]) -> bool:
        return all(map(self._is_one_empty, steps))

    def _is_one_empty(self, *steps: "_Step") -> bool:
        """Returns True if one of the sets is empty. All are tried with a small budget before any is searched."""
        return any(map(self._glimpsed, steps)) or any(map(self._searched, steps))

    def _glimpsed(self, step: "_Step") -> bool | None:
        return self.proof_context.once(
            ("glimpsed", step.title), step.objects, partial(is_empty_by_few_steps, self._stated(step))
        )

    def _searched(self, step: "_Step") -> bool:
        if self._glimpsed(step) is not None:
            return False
        ask = partial(is_empty_by_cases, self._stated(step), step.compared, step.met)
        return self.proof_context.once(("searched", step.title), step.objects, ask)

    def _stated(self, step: "_Step") -> Callable[[], Formula]:
        return lambda: self.proof_context.once(("stated", step.title), step.objects, step.stated)


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A set that should be empty; `met` is the set for isl, if that may be quick. The answer is kept with the objects
    that it is about, by its title."""

    title: object
    objects: tuple[object, ...]
    stated: Callable[[], Formula]
    compared: Sequence[tuple[str, str]] = ()
    met: Callable[[], Domain] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Covering:
    """Coverage of all wanted points, which are the union of `parts` independent of the reader. Each step may take
    `most` isl operations."""

    title: object
    objects: tuple[object, ...]
    written: Sequence[Points]
    needed: Points
    parts: Callable[[], Iterable[Domain]]
    most: int

    def step(self) -> _Step:
        """Returns the step that no wanted point is uncovered: each is written by an instance computed from it."""
        return _Step(("unseen", self.title), self.objects, partial(unseen, self.written, self.needed))


def _covers(written: Sequence[Points], needed_domains: Callable[[], Iterable[Domain]], operations: int) -> bool | None:
    """Returns True if each wanted point is written; None if that is not decided soon. Writers and dates are projected
    out; wanted parts are checked separately: the faces of a box have little in common."""
    try:
        with budget(operations):
            images = [_image(domain, point, some_projected) for domain, point in written]
            parts = iter(needed_domains())
        while True:
            with budget(operations):
                part = next(parts, None)
                if part is None:
                    return True
                if not all(_is_within(piece, images) for piece in part.parts()):
                    return False
    except OutOfBudget:
        return None


def _is_within(piece: Domain, images: Sequence[Domain]) -> bool:
    """Returns True if the images cover a piece: one is subtracted after the other, for they differ less in themselves
    than from each other."""
    for image in images:
        if piece.is_empty():
            return True
        piece = piece - image
    return piece.is_empty()


def _all_needed(reader: ValueReader, item: Item, added: Sequence[Points]) -> bool:
    """Returns True if every term of a sum that is read is added."""
    whole = item.region.domain

    def needed() -> Iterator[Domain]:
        for read in _images(reader.who.domain, reader.point):
            yield whole & read.preimage(AffineFunction(whole.space, item.projection))

    return _covers(added, needed, _SOME) is True


def _all(domain: Domain) -> Points:
    return domain, tuple(map(Affine.name, domain.space.names))


def _images(domain: Domain, point: Point) -> Iterator[Domain]:
    """Yields the points of each piece of a domain."""
    return (_image(part, point) for part in domain.parts())


def _image(domain: Domain, point: Point, projection: Callable[[Domain, Sequence[str]], Domain] = projected) -> Domain:
    names = tuple(f"at.{number}" for number in range(len(point)))
    space = domain.space.with_names((*domain.space.names, *names))
    places = (equal(Affine.name(name), affine) for name, affine in zip(names, point, strict=True))
    return projection(domain.embedded(space) & Domain.where(space, places), names).coalesced()


def _pairs(
    title: str, objects: tuple[ValueReader, object], source: ValueWriter, meets: Sequence[Constraint],
    cases: Sequence[Sequence[Constraint]],
) -> _Step:  # fmt: skip
    """Returns the step about a reader and a writer for whom all of the conditions hold, and one of the cases."""
    participants = objects[0].who, source.who
    return _Step(
        title=title,
        objects=objects,
        stated=partial(participants_formula, participants, all_of(meets), any_of(cases)),
        compared=compared(participants),
        met=partial(conflict, participants, meets, cases),
    )


def _elsewhere(reader: ValueReader, source: ValueWriter, origin: object) -> _Step:
    """Returns the step about writers of the read value that write it into another cell, or not before the read."""
    cases = [*not_before(source.who, reader.who), *_differ(source.cell, reader.cell)]
    return _pairs("elsewhere", (reader, origin), source, same(source.point, reader.point), cases)


def _afterwards(reader: ValueReader, source: ValueWriter, origin: object) -> _Step:
    """Returns the step about writers of the read value, in the read cell, that do not write before the read."""
    return _pairs("afterwards", (reader, origin), source, meets(reader, source), [*not_before(source.who, reader.who)])


def _in_other_cell(reader: ValueReader, source: ValueWriter, origin: object) -> _Step:
    """Returns the step about instances that add to the sum that is read, in another cell."""
    cases = [*_differ(source.cell, reader.cell)]
    return _pairs("in another cell", (reader, origin), source, same(source.point, reader.point), cases)


def _differ(left: Point, right: Point) -> Iterator[list[Constraint]]:
    for a, b in zip(left, right, strict=True):
        yield [less(a, b)]
        yield [less(b, a)]


def _belonging(source: ValueWriter, item: Item, body: Point) -> Domain:
    """Returns the instances that add a term to the sum that it belongs to."""
    domain = source.who.domain
    index_values = dict(zip(item.names, body, strict=True))
    meets = same([affine.substitute(index_values) for affine in item.projection], source.point)
    return domain & Domain.where(domain.space, meets)
