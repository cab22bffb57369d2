"""C6: no two accesses of one cell, one of them a write, may happen at once."""

from collections.abc import Iterator
from functools import partial

from alphaz.c_reading.kernel import Access, Statement
from alphaz.poly import Domain, Formula
from alphaz.verify.c.actor import Actor, actor, meeting, same
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.order import Relation, unordered
from alphaz.verify.c.requirement import Requirement
from alphaz.verify.c.stated import all_of, any_of, asked


def races(inquiry: Inquiry) -> Iterator[Requirement]:
    statements = inquiry.kernel.statements
    for at, left in enumerate(statements):
        for right in statements[at:]:
            x, y = actor("x", left), actor("y", right)
            cases = unordered(x, y)
            for (i, a), (j, b) in _conflicts(left, right) if cases else ():
                pairs = tuple(pair for pair, at in cases if not _is_shielded(left, right, a, b, at))
                if not pairs:
                    continue
                subjects = {"one": left, "access": i, "other": right, "other access": j}
                yield Requirement(
                    family="C6",
                    claim=f"no race for {a.array.label} between {left} and {right}",
                    violations=partial(_at_once, x, y, a, b, pairs),
                    actors=(x, y),
                    about=left,
                    subjects=subjects,
                    stated=partial(_at_once_stated, x, y, a, b, pairs),
                    others=(right,),
                )


def _is_shielded(left: Statement, right: Statement, a: Access, b: Access, at: int) -> bool:
    """Whether two accesses are kept apart that are not ordered by component `at` of the dates."""
    lock, other = left.write.mutex, right.write.mutex
    if lock is not None and other is not None and lock.name == other.name and at < min(lock.depth, other.depth):
        is_cell = a.same_cell(left.target) and b.same_cell(right.target)
        return is_cell or not lock.is_atomic
    return left.date[at] in left.write.reductions and left.date[at] in right.write.reductions


def _conflicts(left: Statement, right: Statement) -> Iterator[tuple[tuple[int, Access], tuple[int, Access]]]:
    """Two accesses of one array, one of them a write, with their numbers in their statements: the target is 0."""
    target, other = (0, left.target), (0, right.target)
    pairs = [(target, other)]
    pairs += [(target, read) for read in enumerate(right.reads, 1)]
    pairs += [(read, other) for read in enumerate(left.reads, 1)] if left is not right else []
    seen: set[tuple[object, ...]] = set()
    for (i, a), (j, b) in pairs:
        title = (a.array.name, a.subscripts, b.subscripts)
        if a.array is b.array and title not in seen:
            seen.add(title)
            yield (i, a), (j, b)


def _at_once(x: Actor, y: Actor, a: Access, b: Access, pairs: Relation) -> Domain:
    return meeting((x, y), same(x.own(a.subscripts), y.own(b.subscripts)), pairs)


def _at_once_stated(x: Actor, y: Actor, a: Access, b: Access, pairs: Relation) -> Formula:
    return asked((x, y), all_of(same(x.own(a.subscripts), y.own(b.subscripts))), any_of(pairs))
