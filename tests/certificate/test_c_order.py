"""The order in the record of a C function: its own definition leaves the same pairs unordered as that of the proof."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from alphaz.certificate.c_inventory import CInventory, CLoop, COrder
from alphaz.certificate.c_order import mistakes_of, unordered, ways_of
from alphaz.equivalence.certificate_record import order_of
from alphaz.order.happens_before import Verdict
from tests.order.regions import Region

LEAF = COrder("statement", (0,), ())


@pytest.mark.slow
def test_both_definitions_leave_the_same_pairs_unordered() -> None:
    random, result = Random(2), [0, 0]
    for _ in range(40):
        region = Region.drawn(random)
        loops = tuple(CLoop(loop.iterator, loop.step, str(loop.kind)) for loop in region.loops)
        ways = ways_of(order_of(region.places, {id(loop): number for number, loop in enumerate(region.loops)}))
        assert [*ways] == [*range(len(region.places))]
        for one, other in product(ways, ways):
            cases = region.cases(one, other)
            expected = {case.cause for case in cases if case.verdict is Verdict.UNORDERED}
            depths = {depth for depth, _ in unordered(loops, ways[one], ways[other])}
            assert depths == expected, (region, one, other)
            result[bool(depths)] += 1
    assert min(result) > 100


def inventory(order: COrder) -> CInventory:
    empty = CInventory((), (), (), order, (), (), (), (), (), (), (), (), ())
    return replace(empty, loops=(CLoop("i", 1, "sequential"),), statements=(None,))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (COrder("sequence", (), (LEAF, COrder("barrier", (), ()))), None),
        (COrder("loop", (0,), (LEAF,)), None),
        (COrder("loop", (1,), (LEAF,)), "the order has a loop that the inventory does not have"),
        (COrder("loop", (0,), (LEAF, LEAF)), "the order has a node of no kind"),
        (COrder("beside", (), (LEAF,)), "the order has a node of no kind"),
        (COrder("sequence", (), (LEAF, LEAF)), "the order does not have each statement once"),
        (COrder("sequence", (), ()), "the order does not have each statement once"),
    ],
)
def test_the_form_of_a_tree(order: COrder, said: str | None) -> None:
    assert next(mistakes_of(inventory(order), order), None) == said
