"""A loop is never empty only where that holds at each place at which it stands."""

from collections.abc import Iterator

import pytest

from alphaz.diagnostics import NOWHERE
from alphaz.legality.loops.loop_obligations import never_empty
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.tree import Block, Conditional, For, Instance, Node, inside
from alphaz.poly import Affine, Domain, OutOfBudget, Space, at_least, budget
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName, IntegerOperation
from alphaz.proof import Obligation, Proved, Refuted, discharge, holds

LOOP = For("i", 0, IntegerConstant(0), "<", IntegerName("N"), IntegerConstant(1), Instance("S", (IntegerName("i"),)))
SOME = IntegerOperation(">=", (IntegerName("N"), IntegerConstant(1)))
GUARDED = Conditional(SOME, LOOP)
BEFORE = Instance("T", ())
HALF = IntegerOperation(
    "floor_div", (IntegerOperation("min", (IntegerName("M"), IntegerName("N"))), IntegerConstant(2))
)


@pytest.mark.parametrize(
    ("tree", "least", "holds"),
    [
        (LOOP, 0, False),
        (LOOP, 1, True),
        (GUARDED, 0, True),
        (Block((LOOP, GUARDED)), 0, False),
        (Block((GUARDED, LOOP)), 0, False),
        (Block((GUARDED, GUARDED)), 0, True),
        (Conditional(SOME, LOOP, BEFORE), 0, True),
        (Conditional(SOME, BEFORE, LOOP), 0, False),
        (
            For(
                "j",
                0,
                IntegerConstant(0),
                "<",
                IntegerOperation("min", (IntegerName("M"), IntegerName("N"))),
                IntegerConstant(1),
                LOOP,
            ),
            0,
            True,
        ),
        (
            For(
                "j",
                0,
                IntegerConstant(0),
                "<=",
                IntegerOperation("max", (IntegerName("M"), IntegerName("N"))),
                IntegerConstant(1),
                LOOP,
            ),
            0,
            False,
        ),
        (For("j", 0, IntegerConstant(1), "<=", HALF, IntegerConstant(1), LOOP), 0, True),
        (For("j", 0, IntegerConstant(0), "<=", HALF, IntegerConstant(1), LOOP), 0, False),
    ],
)
def test_a_loop_at_all_its_places(tree: Node, least: int, holds: bool) -> None:
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), least)])
    assert all(_answers(tree, LoopPlace(context))) is holds


def _answers(node: Node, place: LoopPlace) -> Iterator[bool]:
    """Returns the answers about the loop, one for each of its places."""
    if node is LOOP:
        yield all(map(holds, _asked(LOOP, place)))
    for child, here in zip(inside(node), place.inside(node), strict=True):
        yield from _answers(child, here)


def _asked(loop: For, place: LoopPlace) -> list[Obligation]:
    missing = place.without_iterations(loop)
    assert missing is not None
    return list(never_empty("a loop", missing, NOWHERE))


def test_what_is_not_proved_has_a_witness_by_plain_integers() -> None:
    """Of a loop over the half of something, inside another one: floors have names of their own."""
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), 1)])
    half = IntegerOperation("floor_div", (IntegerName("k"), IntegerConstant(2)))
    outer = For("k", 0, IntegerConstant(0), "<", IntegerName("N"), IntegerConstant(1), Instance("T", ()))
    (place,) = LoopPlace(context).inside(outer)
    (asked,) = _asked(For("i", 0, IntegerConstant(0), "<", half, IntegerConstant(1), LOOP), place)
    verdict = discharge(asked)
    assert isinstance(verdict, Refuted)
    assert verdict.witness.sentence == "N=1: nothing around it keeps it from having no iteration at k=0"
    assert asked.recheck(verdict.point)
    assert not asked.recheck({**verdict.point, "k": 2, "floor((k)/2)": 1, "N": 3})
    assert not asked.recheck({**verdict.point, "N": 0})
    (asked,) = _asked(For("i", 0, IntegerConstant(0), "<=", half, IntegerConstant(1), LOOP), place)
    assert isinstance(discharge(asked), Proved)


def test_a_name_that_is_declared_twice_tells_nothing() -> None:
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), 1)])
    assert LoopPlace(context).without_iterations(LOOP) is not None
    assert LoopPlace(context, ("N",)).without_iterations(LOOP) is None


def test_of_too_many_cases_nothing_is_asked_where_the_others_do_not_decide() -> None:
    """Each loop begins at a floor of a maximum: 2^40 cases."""
    low = [
        IntegerOperation(
            "floor_div", (IntegerOperation("max", (IntegerName("M"), IntegerName(f"j{at}"))), IntegerConstant(2))
        )
        for at in range(40)
    ]
    tree: Node = LOOP
    for at in reversed(range(40)):
        tree = For(
            f"j{at}",
            0,
            IntegerConstant(0),
            "<",
            IntegerName("M"),
            IntegerConstant(1),
            Conditional(IntegerOperation("<=", (IntegerConstant(0), low[at])), tree),
        )
    context = Domain.where(Space(("N", "M"), ()), [at_least(Affine.name("N"), 0)])
    place = LoopPlace(context)
    while tree is not LOOP:
        (place, tree), *_ = zip(place.inside(tree), inside(tree), strict=True)
    assert sum(len(each) > 1 for each in place.conditions) == 40
    (first,) = place.without_iterations(LOOP) or ()
    with budget(100_000), pytest.raises(OutOfBudget, match="cases"):
        first.points()
    (second,) = place.without_iterations(LOOP, IntegerOperation("-", (IntegerName("N"), IntegerConstant(1)))) or ()
    assert second.points().is_empty()
