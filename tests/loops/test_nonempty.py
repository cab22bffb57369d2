"""A loop is never empty only where that holds at each place at which it stands."""

from collections.abc import Iterator

import pytest

from alphaz.diagnostics import NOWHERE
from alphaz.loops.nonempty import Place
from alphaz.loops.tree import Block, For, If, Instance, Node, inside
from alphaz.poly import Affine, Domain, OutOfBudget, Space, at_least, budget
from alphaz.poly.plain.integer import Name, Number, Operation
from alphaz.proof import Obligation, Proved, Refuted, discharge, holds
from alphaz.verify.loops.iterations import never_empty

LOOP = For("i", 0, Number(0), "<", Name("N"), Number(1), Instance("S", (Name("i"),)))
SOME = Operation(">=", (Name("N"), Number(1)))
GUARDED = If(SOME, LOOP)
BEFORE = Instance("T", ())
HALF = Operation("floor_div", (Operation("min", (Name("M"), Name("N"))), Number(2)))


@pytest.mark.parametrize(
    ("tree", "least", "holds"),
    [
        (LOOP, 0, False),
        (LOOP, 1, True),
        (GUARDED, 0, True),
        (Block((LOOP, GUARDED)), 0, False),
        (Block((GUARDED, LOOP)), 0, False),
        (Block((GUARDED, GUARDED)), 0, True),
        (If(SOME, LOOP, BEFORE), 0, True),
        (If(SOME, BEFORE, LOOP), 0, False),
        (For("j", 0, Number(0), "<", Operation("min", (Name("M"), Name("N"))), Number(1), LOOP), 0, True),
        (For("j", 0, Number(0), "<=", Operation("max", (Name("M"), Name("N"))), Number(1), LOOP), 0, False),
        (For("j", 0, Number(1), "<=", HALF, Number(1), LOOP), 0, True),
        (For("j", 0, Number(0), "<=", HALF, Number(1), LOOP), 0, False),
    ],
)
def test_a_loop_at_all_its_places(tree: Node, least: int, holds: bool) -> None:
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), least)])
    assert all(_answers(tree, Place(context))) is holds


def _answers(node: Node, place: Place) -> Iterator[bool]:
    """What is said of the loop at each place at which it stands."""
    if node is LOOP:
        yield all(map(holds, _asked(LOOP, place)))
    for child, here in zip(inside(node), place.inside(node), strict=True):
        yield from _answers(child, here)


def _asked(loop: For, place: Place) -> list[Obligation]:
    missing = place.without_iterations(loop)
    assert missing is not None
    return list(never_empty("a loop", missing, NOWHERE))


def test_what_is_not_proved_has_a_witness_by_plain_integers() -> None:
    """Of a loop over the half of something, inside another one: floors have names of their own."""
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), 1)])
    half = Operation("floor_div", (Name("k"), Number(2)))
    outer = For("k", 0, Number(0), "<", Name("N"), Number(1), Instance("T", ()))
    (place,) = Place(context).inside(outer)
    (asked,) = _asked(For("i", 0, Number(0), "<", half, Number(1), LOOP), place)
    verdict = discharge(asked)
    assert isinstance(verdict, Refuted)
    assert verdict.witness.sentence == "N=1: nothing around it keeps it from having no iteration at k=0"
    assert asked.recheck(verdict.point)
    assert not asked.recheck({**verdict.point, "k": 2, "floor((k)/2)": 1, "N": 3})
    assert not asked.recheck({**verdict.point, "N": 0})
    (asked,) = _asked(For("i", 0, Number(0), "<=", half, Number(1), LOOP), place)
    assert isinstance(discharge(asked), Proved)


def test_a_name_that_is_declared_twice_tells_nothing() -> None:
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), 1)])
    assert Place(context).without_iterations(LOOP) is not None
    assert Place(context, ("N",)).without_iterations(LOOP) is None


def test_of_too_many_cases_nothing_is_asked_where_the_others_do_not_decide() -> None:
    """Each loop begins at a floor of a maximum: 2^40 cases."""
    low = [Operation("floor_div", (Operation("max", (Name("M"), Name(f"j{at}"))), Number(2))) for at in range(40)]
    tree: Node = LOOP
    for at in reversed(range(40)):
        tree = For(f"j{at}", 0, Number(0), "<", Name("M"), Number(1), If(Operation("<=", (Number(0), low[at])), tree))
    context = Domain.where(Space(("N", "M"), ()), [at_least(Affine.name("N"), 0)])
    place = Place(context)
    while tree is not LOOP:
        (place, tree), *_ = zip(place.inside(tree), inside(tree), strict=True)
    assert sum(len(each) > 1 for each in place.known) == 40
    (first,) = place.without_iterations(LOOP) or ()
    with budget(100_000), pytest.raises(OutOfBudget, match="cases"):
        first.points()
    (second,) = place.without_iterations(LOOP, Operation("-", (Name("N"), Number(1)))) or ()
    assert second.points().is_empty()
