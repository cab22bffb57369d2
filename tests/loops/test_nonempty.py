"""A loop is never empty only where that holds at each place at which it stands."""

from collections.abc import Iterator

import pytest

from alphaz.loops.nonempty import Place
from alphaz.loops.tree import Block, Call, For, If, Node, inside
from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.plain.integer import Name, Number, Operation

LOOP = For("i", 0, Number(0), "<", Name("N"), Number(1), Call("S", (Name("i"),)))
SOME = Operation(">=", (Name("N"), Number(1)))
GUARDED = If(SOME, LOOP)
BEFORE = Call("T", ())
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
        yield place.runs(LOOP)
    for child, here in zip(inside(node), place.inside(node), strict=True):
        yield from _answers(child, here)
