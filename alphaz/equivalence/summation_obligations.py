"""R5 and R6: each term belongs to one partial sum, and terms are added in the order of the equations."""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.claims import Contribution
from alphaz.equivalence.kernel_obligation import KernelObligation, all_of, any_of, participants_formula
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.participant import EVER, Participant, Relation, conflict, not_before, one, participant, same
from alphaz.order.happens_before import Conjunction
from alphaz.poly import Affine, Constraint, Domain, Formula, equal, less


def in_order(contributions: Sequence[Contribution]) -> Iterator[KernelObligation]:
    """Yields the obligations of the contributions to one key in one array, if their order counts."""
    for left in contributions:
        for right in contributions if left.sum.in_order else ():
            yield from _pairs(left, right)


def _pairs(left: Contribution, right: Contribution) -> Iterator[KernelObligation]:
    x, y = participant("x", left.statement, left.domain), participant("y", right.statement, right.domain)
    for i in range(len(left.shares)):
        for j in range(len(right.shares)):
            about = x, y, left, right, i, j
            yield KernelObligation(
                family="R6",
                claim=f"what comes first in {left.key} is added first: {left.statement} and {right.statement}",
                violations=partial(_disordered, *about),
                participants=(x, y),
                about=left.statement,
                subjects={"source": left, "other": right, "share": i, "other share": j},
                stated=partial(_disordered_stated, *about),
                others=(right.statement,),
            )


def _disordered(x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int) -> Domain:
    """Returns pairs where x adds the earlier term, but y is not known to follow x. One instance adds from left to
    right."""
    late = [(*first, *pair) for first in _first(x, y, left, right, i, j) for pair in _not_before(x, y)]
    pairs = conflict((x, y), _one_cell(x, y, left, right), late)
    itself = _itself(x, y, left, right, i, j)
    return pairs if itself is None else pairs - Domain.where(pairs.space, itself)


def _disordered_stated(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> Formula:
    itself = _itself(x, y, left, right, i, j)
    parts = all_of(_one_cell(x, y, left, right)), any_of(_first(x, y, left, right, i, j)), any_of(_not_before(x, y))
    return participants_formula((x, y), *parts, without=() if itself is None else all_of(itself))


def _not_before(x: Participant, y: Participant) -> Relation:
    """Returns the pairs not known to be ordered. Private sums of a reduction clause are combined later, whenever they
    were added."""
    is_apart = any(
        participant_.statement is not None and participant_.statement.write.reductions for participant_ in (x, y)
    )
    return EVER if is_apart else not_before(x, y)


def _first(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> list[Conjunction]:
    """Returns the conditions under which one point of the body precedes the other."""
    cases: list[Conjunction] = []
    before: tuple[Constraint, ...] = ()
    for a, b in zip(x.own(left.shares[i].body), y.own(right.shares[j].body), strict=True):
        cases.append((*before, less(a, b)))
        before = (*before, equal(a, b))
    return cases


def _one_cell(x: Participant, y: Participant, left: Contribution, right: Contribution) -> list[Constraint]:
    """Returns the constraints of the same sum in the same cell."""
    cells = same(x.own(left.statement.target.subscripts), y.own(right.statement.target.subscripts))
    return [*same(x.own(left.point), y.own(right.point)), *cells]


def _itself(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> list[Constraint] | None:
    return one(x, y) if left is right and i < j else None


def in_one_part(parts: Sequence[PartialReduction]) -> Iterator[KernelObligation]:
    """Yields the obligations that no term is in two partial sums."""
    for position, left in enumerate(parts):
        for there, right in enumerate(parts[position:], position):
            for item in sorted(left.members.keys() & right.members.keys()) if left.key == right.key else ():
                if _body(left, item) != _body(right, item):
                    # Terms of the equations, and sums of terms: the second sum is one of these.
                    continue
                claim = f"no part of {left.key} is in two sums: {left.statement} and {right.statement}"
                build = partial(_in_two, left, right, item)
                subjects = {"part": position, "other part": there, "definition": item[0], "item": item[1]}
                yield KernelObligation(
                    family="R5",
                    claim=claim,
                    violations=build,
                    participants=(),
                    about=left.statement,
                    subjects=subjects,
                    stated=partial(_in_two_stated, left, right, item),
                    others=(right.statement,),
                )


def _in_two(left: PartialReduction, right: PartialReduction, item: tuple[int, int]) -> Domain:
    """Returns pairs of parts with a common point of the body."""
    x, y, body = _names(left, right, item)
    one, other = left.members[item], right.members[item]
    space = one.space.with_names((*x, *y, *body))
    pairs = one.renamed((*x, *body)).embedded(space) & other.renamed((*y, *body)).embedded(space)
    if left is right:
        pairs = pairs - Domain.where(space, _equal(x, y))
    return pairs


def _names(
    left: PartialReduction, right: PartialReduction, item: tuple[int, int]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Returns the names of the two parts, and of the body."""
    x, y = (tuple(f"{name}.{role}" for name in part.names) for part, role in ((left, "x"), (right, "y")))
    return x, y, _body(left, item)


def _body(part: PartialReduction, item: tuple[int, int]) -> tuple[str, ...]:
    return part.members[item].space.names[len(part.names) :]


def _equal(x: Sequence[str], y: Sequence[str]) -> list[Constraint]:
    return same(list(map(Affine.name, x)), list(map(Affine.name, y)))


def _in_two_stated(left: PartialReduction, right: PartialReduction, item: tuple[int, int]) -> Formula:
    x, y, body = _names(left, right, item)
    one, other = left.members[item], right.members[item]
    parts = (one.renamed((*x, *body)).pieces(), other.renamed((*y, *body)).pieces())
    return Formula(one.space.with_names((*x, *y, *body)), (), parts, all_of(_equal(x, y)) if left is right else ())
