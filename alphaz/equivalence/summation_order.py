"""R6: if the order of a sum is kept, terms are added in the order of the equations.

That is the order of the points of the body, index by index: the one of the interpreter.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from alphaz.equivalence.claims import Contribution
from alphaz.equivalence.execution_order import EVER, Conjunction, Relation, not_before
from alphaz.equivalence.formulas import all_of, any_of, participants_formula
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.participant import Participant, actor, meeting, one, same
from alphaz.poly import Constraint, Domain, Formula, equal, less


def in_order(made: Sequence[Contribution]) -> Iterator[KernelObligation]:
    """Yields the obligations of the contributions to one key in one array, if their order counts."""
    for left in made:
        for right in made if left.sum.in_order else ():
            yield from _pairs(left, right)


def _pairs(left: Contribution, right: Contribution) -> Iterator[KernelObligation]:
    x, y = actor("x", left.statement, left.domain), actor("y", right.statement, right.domain)
    for i in range(len(left.shares)):
        for j in range(len(right.shares)):
            about = x, y, left, right, i, j
            yield KernelObligation(
                family="R6",
                claim=f"what comes first in {left.key} is added first: {left.statement} and {right.statement}",
                violations=partial(_disordered, *about),
                actors=(x, y),
                about=left.statement,
                subjects={"source": left, "other": right, "share": i, "other share": j},
                stated=partial(_disordered_stated, *about),
                others=(right.statement,),
            )


def _disordered(x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int) -> Domain:
    """Returns pairs where x adds the earlier term, but y is not known to follow x. One instance adds from left to
    right."""
    late = [(*first, *pair) for first in _first(x, y, left, right, i, j) for pair in _not_before(x, y)]
    found = meeting((x, y), _one_cell(x, y, left, right), late)
    itself = _itself(x, y, left, right, i, j)
    return found if itself is None else found - Domain.where(found.space, itself)


def _disordered_stated(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> Formula:
    itself = _itself(x, y, left, right, i, j)
    parts = all_of(_one_cell(x, y, left, right)), any_of(_first(x, y, left, right, i, j)), any_of(_not_before(x, y))
    return participants_formula((x, y), *parts, without=() if itself is None else all_of(itself))


def _not_before(x: Participant, y: Participant) -> Relation:
    """Returns the pairs not known to be ordered. Private sums of a reduction clause are combined later, whenever they
    were added."""
    is_apart = any(each.statement is not None and each.statement.write.reductions for each in (x, y))
    return EVER if is_apart else not_before(x, y)


def _first(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> list[Conjunction]:
    """Returns the conditions under which one point of the body precedes the other."""
    found: list[Conjunction] = []
    before: tuple[Constraint, ...] = ()
    for a, b in zip(x.own(left.shares[i].body), y.own(right.shares[j].body), strict=True):
        found.append((*before, less(a, b)))
        before = (*before, equal(a, b))
    return found


def _one_cell(x: Participant, y: Participant, left: Contribution, right: Contribution) -> list[Constraint]:
    """Returns the constraints of the same sum in the same cell."""
    cells = same(x.own(left.statement.target.subscripts), y.own(right.statement.target.subscripts))
    return [*same(x.own(left.point), y.own(right.point)), *cells]


def _itself(
    x: Participant, y: Participant, left: Contribution, right: Contribution, i: int, j: int
) -> list[Constraint] | None:
    return one(x, y) if left is right and i < j else None
