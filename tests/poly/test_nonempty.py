"""A loop is never empty only where that holds at each place at which it stands."""

import pytest

from alphaz.poly import Affine, Domain, Space, at_least
from alphaz.poly.integer import Name, Number, Operation
from alphaz.poly.loops import Block, Call, For, If, Node
from alphaz.poly.nonempty import never_empty

LOOP = For("i", 0, Number(0), "<", Name("N"), Number(1), Call("S", (Name("i"),)))
GUARDED = If(Operation(">=", (Name("N"), Number(1))), LOOP)


@pytest.mark.parametrize(
    ("tree", "least", "holds"),
    [
        (LOOP, 0, False),
        (LOOP, 1, True),
        (GUARDED, 0, True),
        (Block((LOOP, GUARDED)), 0, False),
        (Block((GUARDED, LOOP)), 0, False),
        (Block((GUARDED, GUARDED)), 0, True),
    ],
)
def test_a_loop_at_all_its_places(tree: Node, least: int, holds: bool) -> None:
    context = Domain.where(Space(("N",), ()), [at_least(Affine.name("N"), least)])
    assert (id(LOOP) in never_empty(tree, context, {"S"})) is holds
    assert not never_empty(tree, context, {"T"})
