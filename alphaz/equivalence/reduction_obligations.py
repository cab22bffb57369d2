"""R1 to R4: a sum is started once and first, and each of its terms is combined exactly once, before the sum is read."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.claims import Contribution, Share
from alphaz.equivalence.joined_sets import joined_domain
from alphaz.equivalence.kernel_obligation import (
    KernelObligation,
    all_of,
    any_of,
    conjunctions,
    no_participant,
    participants_formula,
    rename_part,
)
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.participant import EVER, Participant, before, conflict, not_before, one, participant, same
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.readers_and_writers import ValueReader, ValueWriter, earlier, meets, statement_of
from alphaz.equivalence.value_graph import Item
from alphaz.equivalence.value_numbering import IDEMPOTENT
from alphaz.poly import Affine, Constraint, Domain, Formula, equal
from alphaz.poly.plain.space import Space


def of_sum_reader(
    lemmas: Lemmas, reader: ValueReader, starts: Sequence[ValueWriter], parts: Sequence[ValueWriter]
) -> Iterator[KernelObligation]:
    about = reader.who.statement
    for number, item, own in _items(parts):
        names = tuple(f"{name}.b" for name in item.names)
        arguments = (reader, starts, item, own, names)
        missing, shares = (
            partial(_missing, *arguments),
            [(contribution, contribution.who.own(share.body)) for contribution, share in own],
        )
        yield KernelObligation(
            family="R1",
            claim=f"all is in the sum: {reader.text}, part {number + 1}",
            violations=missing,
            participants=(reader.who,),
            about=about,
            subjects={"reader": reader, "item": number},
            stated=partial(_missing_stated, *arguments),
            lemma=partial(lemmas.all_added, reader, item, shares, missing),
        )
    for part in parts:
        statement = statement_of(part)
        assert statement is not None
        assert part.origin is not None
        yield KernelObligation(
            family="R3",
            claim=f"{reader.text} is read after {statement} has added to it",
            violations=partial(_too_early, reader, part),
            participants=(reader.who, part.who),
            about=about,
            subjects={"reader": reader, "source": part.origin},
            stated=partial(_too_early_stated, reader, part),
            others=(statement,),
        )


Shares = Sequence[tuple[ValueWriter, Share]]


def _items(parts: Sequence[ValueWriter]) -> Iterator[tuple[int, Item, Shares]]:
    """Yields the numbered items of the sum, with their shares.

    A value that is defined by cases may be another sum in each of them.
    """
    contributing_parts = [part for part in parts if isinstance(part.origin, Contribution)]
    sums = {
        id(contributing.origin.sum): contributing.origin.sum
        for contributing in contributing_parts
        if isinstance(contributing.origin, Contribution)
    }
    count = 0
    for sum_ in sums.values():
        for number, item in enumerate(sum_.items):
            yield (
                count,
                item,
                [
                    (contributing, share)
                    for contributing in contributing_parts
                    if isinstance(contributing.origin, Contribution) and contributing.origin.sum is sum_
                    for share in contributing.origin.shares
                    if share.number == number
                ],
            )
            count += 1


def _missing(
    reader: ValueReader, starts: Sequence[ValueWriter], item: Item, shares: Shares, names: tuple[str, ...]
) -> Domain:
    """Returns readers of the sum with the points of its body that are not combined in the cell."""
    own = reader.who.domain.space
    space = own.with_names((*own.names, *names))
    started = Domain.empty(own)
    for start in starts:
        started = started | earlier(reader, start).onto(own.names)
    needed = started.embedded(space) & item.region.domain.renamed(names).embedded(space)
    needed = needed & Domain.where(space, _belongs(reader, item, names))
    for source, share in shares:
        needed = needed - _combined_points(reader, source, share.body, names, space)
    return needed


def _belongs(reader: ValueReader, item: Item, names: Sequence[str]) -> list[Constraint]:
    """Returns the constraints that a point of the body belongs to the sum that is read."""
    renaming = dict(zip(item.names, names, strict=True))
    return [equal(p.rename(renaming), q) for p, q in zip(item.projection, reader.point, strict=True)]


def _missing_stated(
    reader: ValueReader, starts: Sequence[ValueWriter], item: Item, shares: Shares, names: tuple[str, ...]
) -> Formula:
    """Returns the stated formula of missing terms, in which the start of the sum is an auxiliary participant."""
    began = tuple(
        piece
        for start in starts
        for piece in conjunctions(*start.who.parts, all_of(meets(reader, start)), any_of(before(start.who, reader.who)))
    )
    auxiliary = {name: f"{name}0" for start in starts for name in start.who.dimensions}
    point = tuple(map(Affine.name, names))
    absent = (
        no_participant(source.who, all_of([*meets(reader, source), *same(point, source.who.own(share.body))]))
        for source, share in shares
    )
    own = reader.who.domain
    return Formula(
        space=own.space.with_names((*own.space.names, *names)),
        auxiliary=tuple(auxiliary.values()),
        parts=(
            *reader.who.parts,
            rename_part(began, auxiliary),
            item.region.domain.renamed(names).pieces(),
            all_of(_belongs(reader, item, names)),
        ),
        absent=tuple(absent),
    )


def _combined_points(
    reader: ValueReader, source: ValueWriter, body: Sequence[Affine], names: Sequence[str], space: Space
) -> Domain:
    wide = space.with_names((*space.names, *source.who.dimensions))
    is_it = same([Affine.name(name) for name in names], source.who.own(body))
    joint = joined_domain(wide, [reader.who.domain, source.who.domain], [*meets(reader, source), *is_it])
    return joint.onto(space.names)


def _too_early(reader: ValueReader, source: ValueWriter) -> Domain:
    return conflict((reader.who, source.who), meets(reader, source), not_before(source.who, reader.who))


def _too_early_stated(reader: ValueReader, source: ValueWriter) -> Formula:
    late = any_of(not_before(source.who, reader.who))
    return participants_formula((reader.who, source.who), all_of(meets(reader, source)), late)


def of_sum(proof_context: ProofContext, contributions: Sequence[Contribution]) -> Iterator[KernelObligation]:
    """Yields the obligations of the contributions to one key in one array, for any reader."""
    for position, left in enumerate(contributions):
        for right in contributions[position:]:
            yield from _twice(left, right)
        for right in contributions:
            if left.starts:
                yield from _start(left, right)


def _epoch(x: Participant, left: Contribution, y: Participant, right: Contribution) -> list[Constraint]:
    """Returns the constraints of the same sum in the same cell."""
    cells = same(x.own(left.statement.target.subscripts), y.own(right.statement.target.subscripts))
    return [*same(x.own(left.point), y.own(right.point)), *cells]


def _twice(left: Contribution, right: Contribution) -> Iterator[KernelObligation]:
    if left.sum.operator in IDEMPOTENT:
        return
    x, y = participant("x", left.statement, left.domain), participant("y", right.statement, right.domain)
    for i, a in enumerate(left.shares):
        for j, b in enumerate(right.shares):
            if a.number == b.number and not (left is right and j < i):
                is_same = left is right and i == j
                build = partial(_both, x, y, left, right, a.body, b.body, is_same)
                claim = f"nothing is added twice to {left.key}: {left.statement} and {right.statement}"
                yield KernelObligation(
                    family="R1",
                    claim=claim,
                    violations=build,
                    participants=(x, y),
                    about=left.statement,
                    subjects={"source": left, "other": right, "share": i, "other share": j},
                    stated=partial(_both_stated, x, y, left, right, a.body, b.body, is_same),
                    others=(right.statement,),
                )


def _both(
    x: Participant,
    y: Participant,
    left: Contribution,
    right: Contribution,
    a: Sequence[Affine],
    b: Sequence[Affine],
    is_same: bool,
) -> Domain:
    pairs = conflict((x, y), [*_epoch(x, left, y, right), *same(x.own(a), y.own(b))], EVER)
    itself = one(x, y)
    return pairs - Domain.where(pairs.space, itself) if is_same and itself is not None else pairs


def _both_stated(
    x: Participant,
    y: Participant,
    left: Contribution,
    right: Contribution,
    a: Sequence[Affine],
    b: Sequence[Affine],
    is_same: bool,
) -> Formula:
    itself = one(x, y) if is_same else None
    is_it = all_of([*_epoch(x, left, y, right), *same(x.own(a), y.own(b))])
    return participants_formula((x, y), is_it, without=() if itself is None else all_of(itself))


def _start(start: Contribution, other: Contribution) -> Iterator[KernelObligation]:
    who = participant("x", start.statement, start.domain), participant("y", other.statement, other.domain), start, other
    if other.starts:
        family, claim = "R4", f"{start.key} is started once: {start.statement} and {other.statement}"
        violations, stated = partial(_started_twice, *who), partial(_started_twice_stated, *who)
    else:
        family, claim = "R2", f"{start.key} is started ({start.statement}) before {other.statement} adds to it"
        violations, stated = partial(_added_before, *who), partial(_added_before_stated, *who)
    yield KernelObligation(
        family=family,
        claim=claim,
        violations=violations,
        participants=who[:2],
        about=start.statement,
        subjects={"source": start, "other": other},
        stated=stated,
        others=(other.statement,),
    )


def _started_twice(x: Participant, y: Participant, left: Contribution, right: Contribution) -> Domain:
    pairs = conflict((x, y), _epoch(x, left, y, right), EVER)
    itself = one(x, y)
    return pairs if itself is None else pairs - Domain.where(pairs.space, itself)


def _added_before(x: Participant, y: Participant, start: Contribution, other: Contribution) -> Domain:
    return conflict((x, y), _epoch(x, start, y, other), not_before(x, y))


def _started_twice_stated(x: Participant, y: Participant, left: Contribution, right: Contribution) -> Formula:
    itself = one(x, y)
    return participants_formula(
        (x, y), all_of(_epoch(x, left, y, right)), without=() if itself is None else all_of(itself)
    )


def _added_before_stated(x: Participant, y: Participant, start: Contribution, other: Contribution) -> Formula:
    return participants_formula((x, y), all_of(_epoch(x, start, y, other)), any_of(not_before(x, y)))
