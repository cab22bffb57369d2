"""R1 to R4: a sum is started once and first, and each of its parts is combined once, before it is read."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.poly import Affine, Constraint, Domain, equal
from alphaz.poly.plain.space import Space
from alphaz.verify.c.actor import Actor, actor, meeting, one, same, together
from alphaz.verify.c.claims import Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.order import EVER, not_before
from alphaz.verify.c.readers import Reader, Source, earlier, meets, statement_of
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.trace import IDEMPOTENT


def of_sum_reader(reader: Reader, starts: Sequence[Source], parts: Sequence[Source]) -> Iterator[Requirement]:
    about = reader.who.statement
    first = parts[0].origin
    assert isinstance(first, Contribution)
    for number, item in enumerate(first.sum.items):
        names = tuple(f"{name}.b" for name in item.names)
        build = partial(_missing, reader, starts, parts, number, names)
        yield Requirement(
            family="R1",
            claim=f"all is in the sum: {reader.text}, part {number + 1}",
            violations=build,
            actors=(reader.who,),
            about=about,
        )
    for each in parts:
        statement = statement_of(each)
        assert statement is not None
        claim = f"{reader.text} is read after {statement} has added to it"
        build = partial(_too_early, reader, each)
        yield Requirement(
            family="R3", claim=claim, violations=build, actors=(reader.who, each.who), about=about, others=(statement,)
        )


def _missing(
    reader: Reader, starts: Sequence[Source], parts: Sequence[Source], number: int, names: tuple[str, ...]
) -> Domain:
    """Readers of the sum with the points of its body that nobody has combined in the cell."""
    first = parts[0].origin
    assert isinstance(first, Contribution)
    item = first.sum.items[number]
    renaming = dict(zip(item.names, names, strict=True))
    own = reader.who.domain.space
    space = own.with_names((*own.names, *names))
    started = Domain.empty(own)
    for start in starts:
        started = started | earlier(reader, start).onto(own.names)
    wanted = started.embedded(space) & item.region.domain.renamed(names).embedded(space)
    belongs = [equal(p.rename(renaming), q) for p, q in zip(item.projection, reader.point, strict=True)]
    wanted = wanted & Domain.where(space, belongs)
    for each in parts:
        assert isinstance(each.origin, Contribution)
        for share in each.origin.shares:
            if share.number == number:
                wanted = wanted - _combined(reader, each, share.body, names, space)
    return wanted


def _combined(reader: Reader, source: Source, body: Sequence[Affine], names: Sequence[str], space: Space) -> Domain:
    both = together(reader.who, source.who)
    wide = both.space.with_names((*both.space.names, *names))
    is_it = same([Affine.name(name) for name in names], source.who.own(body))
    found = both.embedded(wide) & Domain.where(wide, [*meets(reader, source), *is_it])
    return found.onto(space.names)


def _too_early(reader: Reader, source: Source) -> Domain:
    return meeting((reader.who, source.who), meets(reader, source), not_before(source.who, reader.who))


def of_sum(inquiry: Inquiry, made: Sequence[Contribution]) -> Iterator[Requirement]:
    """What is asked of the contributions to one key in one array, whoever reads."""
    for at, left in enumerate(made):
        for right in made[at:]:
            yield from _twice(left, right)
        for right in made:
            if left.starts:
                yield from _start(left, right)


def _epoch(x: Actor, left: Contribution, y: Actor, right: Contribution) -> list[Constraint]:
    """The same sum in the same cell."""
    cells = same(x.own(left.statement.target.subscripts), y.own(right.statement.target.subscripts))
    return [*same(x.own(left.point), y.own(right.point)), *cells]


def _twice(left: Contribution, right: Contribution) -> Iterator[Requirement]:
    if left.sum.operator in IDEMPOTENT:
        return
    x, y = actor("x", left.statement, left.domain), actor("y", right.statement, right.domain)
    for i, a in enumerate(left.shares):
        for j, b in enumerate(right.shares):
            if a.number == b.number and not (left is right and j < i):
                is_same = left is right and i == j
                build = partial(_both, x, y, left, right, a.body, b.body, is_same)
                claim = f"nothing is added twice to {left.key}: {left.statement} and {right.statement}"
                yield Requirement(
                    family="R1",
                    claim=claim,
                    violations=build,
                    actors=(x, y),
                    about=left.statement,
                    others=(right.statement,),
                )


def _both(
    x: Actor, y: Actor, left: Contribution, right: Contribution, a: Sequence[Affine], b: Sequence[Affine],
    is_same: bool,
) -> Domain:  # fmt: skip
    found = meeting((x, y), [*_epoch(x, left, y, right), *same(x.own(a), y.own(b))], EVER)
    itself = one(x, y)
    return found - Domain.where(found.space, itself) if is_same and itself is not None else found


def _start(start: Contribution, other: Contribution) -> Iterator[Requirement]:
    x, y = actor("x", start.statement, start.domain), actor("y", other.statement, other.domain)
    if other.starts:
        claim = f"{start.key} is started once: {start.statement} and {other.statement}"
        yield Requirement(
            family="R4",
            claim=claim,
            violations=partial(_started_twice, x, y, start, other),
            actors=(x, y),
            about=start.statement,
            others=(other.statement,),
        )
    else:
        claim = f"{start.key} is started ({start.statement}) before {other.statement} adds to it"
        yield Requirement(
            family="R2",
            claim=claim,
            violations=partial(_added_before, x, y, start, other),
            actors=(x, y),
            about=start.statement,
            others=(other.statement,),
        )


def _started_twice(x: Actor, y: Actor, left: Contribution, right: Contribution) -> Domain:
    found = meeting((x, y), _epoch(x, left, y, right), EVER)
    itself = one(x, y)
    return found if itself is None else found - Domain.where(found.space, itself)


def _added_before(x: Actor, y: Actor, start: Contribution, other: Contribution) -> Domain:
    return meeting((x, y), _epoch(x, start, y, other), not_before(x, y))
