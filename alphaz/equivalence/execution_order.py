"""Execution order as C and OpenMP guarantee it, by the text alone."""

from collections.abc import Iterator

from alphaz.equivalence.participant import Participant
from alphaz.poly import Affine, Constraint, equal, less
from alphaz.scop.kernel import Beside, KernelLoop, LoopKind

Conjunction = tuple[Constraint, ...]
Relation = tuple[Conjunction, ...]

EVER: Relation = ((),)
NEVER: Relation = ()


def before(one: Participant, other: Participant) -> Relation:
    """Returns the pairs in which the instance of `one` ends before that of `other` begins."""
    if one.is_start or other.is_end:
        return EVER
    if one.is_end or other.is_start:
        return NEVER
    return tuple(pair for verdict, pair, _ in _walk(one, other) if verdict)


def not_before(one: Participant, other: Participant) -> Relation:
    """Returns all other pairs: `one` comes later, the order is open, or they are one instance."""
    if one.is_start or other.is_end:
        return NEVER
    if one.is_end or other.is_start:
        return EVER
    return tuple(pair for verdict, pair, _ in _walk(one, other) if not verdict)


def unordered(one: Participant, other: Participant) -> tuple[tuple[Conjunction, int], ...]:
    """Returns the pairs that may happen at once, each with the component of the dates that leaves them unordered."""
    return tuple((pair, at) for verdict, pair, at in _walk(one, other) if verdict is None)


def _walk(one: Participant, other: Participant) -> Iterator[tuple[bool | None, Conjunction, int]]:
    """Yields disjoint and exhaustive cases: whether `one` is before (None: unordered), the condition, and the deciding
    component of the dates."""
    same: Conjunction = ()
    assert one.statement is not None
    assert other.statement is not None
    for at, (here, there) in enumerate(zip(one.statement.date, other.statement.date, strict=False)):
        match here, there:
            case KernelLoop(), KernelLoop():
                assert here is there, "two loops in one place"
                left = Affine.name(one.names[here.iterator]) * here.step
                right = Affine.name(other.names[here.iterator]) * here.step
                is_ordered = here.kind is LoopKind.SEQUENTIAL
                yield (True if is_ordered else None), (*same, less(left, right)), at
                yield (False if is_ordered else None), (*same, less(right, left)), at
                same = (*same, equal(left, right))
            case Beside(a), Beside(b):
                if a != b:
                    yield None, same, at
                    return
            case int(), int():
                if here != there:
                    yield here < there, same, at
                    return
            case _:
                raise AssertionError("positions of two kinds in one place")
    yield False, same, -1
