"""C6: no two accesses of one cell, one of them a write, may happen at once."""

from collections.abc import Iterator
from functools import partial

from alphaz.c_reading.kernel import Access, Statement
from alphaz.poly import Domain
from alphaz.verify.c.actor import Actor, actor, meeting, same
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.order import Relation, unordered
from alphaz.verify.c.requirement import Requirement


def races(inquiry: Inquiry) -> Iterator[Requirement]:
    statements = inquiry.kernel.statements
    for at, left in enumerate(statements):
        for right in statements[at:]:
            x, y = actor("x", left), actor("y", right)
            cases = unordered(x, y)
            for a, b in _conflicts(left, right) if cases else ():
                pairs = tuple(pair for pair, at in cases if not _is_shielded(left, right, a, b, at))
                if not pairs:
                    continue
                claim = f"no race for {a.array.label} between {left} and {right}"
                build = partial(_at_once, x, y, a, b, pairs)
                yield Requirement(
                    family="C6", claim=claim, violations=build, actors=(x, y), about=left, others=(right,)
                )


def _is_shielded(left: Statement, right: Statement, a: Access, b: Access, at: int) -> bool:
    """Whether two accesses are kept apart that are not ordered by component `at` of the dates."""
    lock, other = left.write.mutex, right.write.mutex
    if lock is not None and other is not None and lock.name == other.name and at < min(lock.depth, other.depth):
        is_cell = a.same_cell(left.target) and b.same_cell(right.target)
        return is_cell or not lock.is_atomic
    own = left.write.reduction
    return own is not None and own is right.write.reduction and own is left.date[at]


def _conflicts(left: Statement, right: Statement) -> Iterator[tuple[Access, Access]]:
    pairs = [(left.target, right.target)]
    pairs += [(left.target, read) for read in right.reads]
    pairs += [(read, right.target) for read in left.reads] if left is not right else []
    seen: set[tuple[object, ...]] = set()
    for a, b in pairs:
        title = (a.subscripts, b.subscripts)
        if a.array is b.array and title not in seen:
            seen.add(title)
            yield a, b


def _at_once(x: Actor, y: Actor, a: Access, b: Access, pairs: Relation) -> Domain:
    return meeting((x, y), same(x.own(a.subscripts), y.own(b.subscripts)), pairs)
