"""Participants of obligations (a statement instance, or the caller before or after the call), and their order of
execution as C and OpenMP guarantee it, by the text alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from alphaz.equivalence.joined_sets import joined_domain
from alphaz.order.happens_before import Conjunction, OrderCase, Verdict
from alphaz.order.kernel_order import statement_order
from alphaz.poly import Affine, Constraint, Domain, Piece, equal
from alphaz.poly.plain.space import Space
from alphaz.scop.c_model import KernelLoop, KernelStatement


@dataclass(frozen=True, slots=True, eq=False)
class Participant:
    """`domain` is over `dimensions`, unique in the obligation; `names` maps the names of the statement (or of the
    variable that START writes or END reads) to them. `every` are all its instances."""

    role: str
    statement: KernelStatement | None
    names: Mapping[str, str]
    domain: Domain
    is_start: bool = False
    is_end: bool = False
    every: Domain | None = None

    @property
    def dimensions(self) -> tuple[str, ...]:
        return self.domain.space.names

    @property
    def is_whole(self) -> bool:
        """Returns True if these are all instances of the statement."""
        return self.domain is self.every

    def own(self, values: Sequence[Affine]) -> tuple[Affine, ...]:
        """Returns expressions over the names of the statement, over those of the obligation."""
        return tuple(value.rename(self.names) for value in values)

    @property
    def parts(self) -> tuple[tuple[Piece, ...], ...]:
        """Returns the conditions of an instance, one alternative of each part. The conditions of the text are fewer
        than the pieces of their conjunction."""
        if self.statement is None or not self.is_whole or self.domain.piece_count == 1:
            return (self.domain.pieces(),)
        return tuple(
            tuple(Piece(tuple(constraint.rename(self.names) for constraint in piece.constraints)) for piece in part)
            for part in instance_parts(self.statement, self.statement.domain)
        )

    def within(self, part: Domain) -> "Participant":
        """Returns the participant restricted to the instances in `part`, over the names of the statement."""
        if self.statement is None:
            return replace(self, domain=part.renamed(self.dimensions))
        return participant(self.role, self.statement, part)


def instance_parts(statement: KernelStatement, domain: Domain) -> tuple[tuple[Piece, ...], ...]:
    """Returns the conditions of the instances in a domain, over the iterators of their statement: one alternative of
    each part holds.
    """
    if domain is not statement.domain or domain.piece_count == 1:
        return (domain.pieces(),)
    plain = tuple(c for condition in statement.conditions if len(condition) == 1 for c in condition[0])
    chosen = [condition for condition in statement.conditions if len(condition) != 1]
    return tuple(
        tuple(Piece(tuple(dict.fromkeys(case))) for case in alternatives) for alternatives in ((plain,), *chosen)
    )


@lru_cache(maxsize=4096)
def participant(role: str, statement: KernelStatement, domain: Domain | None = None) -> Participant:
    names = {name: f"{name}.{role}" for name in statement.iterators}
    renamed_domain = (domain or statement.domain).renamed(tuple(names.values()))
    return Participant(
        role, statement, names, renamed_domain, every=renamed_domain if domain in (None, statement.domain) else None
    )


def caller(role: str, domain: Domain, *, is_end: bool) -> Participant:
    """Returns START or END, one participant for each point of a domain."""
    names = {name: f"{name}.{role}" for name in domain.space.names}
    return Participant(role, None, names, domain.renamed(tuple(names.values())), is_start=not is_end, is_end=is_end)


def together(*participants: Participant) -> Space:
    """Returns the space of all dimensions of the participants."""
    space = participants[0].domain.space
    return space.with_names(tuple(name for participant_ in participants for name in participant_.dimensions))


def compared(participants: Sequence[Participant]) -> tuple[tuple[str, str], ...]:
    """Returns the iterators of common loops of two participants, outermost first: conflicts most often depend on
    these."""
    pairs = [
        pair
        for position, one in enumerate(participants)
        for other in participants[position + 1 :]
        for pair in _common(one, other)
    ]
    return tuple((left, right) for _, left, right in sorted(pairs, key=lambda pair: pair[0]))


def _common(one: Participant, other: Participant) -> Iterator[tuple[int, str, str]]:
    if one.statement is None or other.statement is None:
        return
    for depth, (here, there) in enumerate(zip(one.statement.date, other.statement.date, strict=False)):
        if here != there:
            return
        if isinstance(here, KernelLoop):
            yield depth, one.names[here.iterator], other.names[here.iterator]


def conflict(
    participants: Sequence[Participant], meets: Sequence[Constraint], cases: Sequence[Sequence[Constraint]]
) -> Domain:
    """Returns the set of all participants at once, where `meets` holds, and one of the cases."""
    cases_ = ([*meets, *case] for case in cases)
    return joined_domain(together(*participants), [participant_.domain for participant_ in participants], *cases_)


def same(left: Sequence[Affine], right: Sequence[Affine]) -> list[Constraint]:
    """Returns the equalities of two points, component by component."""
    return [equal(a, b) for a, b in zip(left, right, strict=True)]


def one(left: Participant, right: Participant) -> list[Constraint] | None:
    """Returns the constraints that both are the same instance; None if they never are."""
    if left.statement is None or left.statement is not right.statement:
        return None
    return same(
        [Affine.name(left.names[n]) for n in left.statement.iterators],
        [Affine.name(right.names[n]) for n in right.statement.iterators],
    )


Relation = tuple[Conjunction, ...]

EVER: Relation = ((),)
NEVER: Relation = ()


def before(one: Participant, other: Participant) -> Relation:
    """Returns the pairs in which the instance of `one` ends before that of `other` begins."""
    if one.is_start or other.is_end:
        return EVER
    if one.is_end or other.is_start:
        return NEVER
    return tuple(case.where for case in _cases(one, other) if case.verdict is Verdict.BEFORE)


def not_before(one: Participant, other: Participant) -> Relation:
    """Returns all other pairs: `one` comes later, the order is open, or they are one instance."""
    if one.is_start or other.is_end:
        return NEVER
    if one.is_end or other.is_start:
        return EVER
    return tuple(case.where for case in _cases(one, other) if case.verdict is not Verdict.BEFORE)


def unordered(one: Participant, other: Participant) -> tuple[tuple[Conjunction, int], ...]:
    """Returns the pairs that may happen at once, each with the component of the dates that leaves them unordered."""
    return tuple(
        (case.where, case.cause)
        for case in _cases(one, other)
        if case.verdict is Verdict.UNORDERED and case.cause is not None
    )


@lru_cache(maxsize=4096)
def _cases(one: Participant, other: Participant) -> tuple[OrderCase, ...]:
    assert one.statement is not None
    assert other.statement is not None
    return statement_order(one.statement, other.statement, one.names, other.names)
