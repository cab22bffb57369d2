"""Teams: where loops in a row wait for each other, and what each thread has for itself."""

from dataclasses import replace
from random import Random

import pytest

from alphaz.loops.loop_text import text_of
from alphaz.loops.modes import SEQUENTIAL, Parallel, Reduction
from alphaz.loops.passes.simplify import Fold
from alphaz.loops.passes.teams import DropBarriers, JoinTeams, ShareOut, every_loop
from alphaz.loops.passes.vectorise import Vectorise
from alphaz.loops.tree import Allocate, Barrier, Block, For, Instance, Merge, Node, Pack, Scratch, Team, in_row
from alphaz.order.happens_before import SyncScope, Verdict, order_cases
from alphaz.poly import Domain, Space
from alphaz.poly.plain.integer_expression import IntegerConstant, IntegerName
from tests.loops.tree_order import leaves, order_of

NOWHERE = Domain.universe(Space(("N",), ()))
WAIT = Barrier(SyncScope.TEAM)


def loop(iterator: str, body: Node) -> For:
    return For(iterator, 0, IntegerConstant(0), "<", IntegerName("N"), IntegerConstant(1), body, SEQUENTIAL)


def shared_out(iterator: str, body: Node) -> Node:
    return ShareOut(lambda each: each.iterator == iterator)(loop(iterator, body))


def statement(loop: Node) -> str:
    assert isinstance(loop, For)
    assert isinstance(loop.body, Instance)
    return loop.body.name


@pytest.mark.parametrize("seed", range(40))
def test_loops_that_meet_are_in_order(seed: int) -> None:
    """By the order that the tree states; without one barrier less they would not be."""
    random = Random(seed)
    names = [f"S{at}" for at in range(random.randint(2, 6))]
    pairs = {frozenset(random.choices(names, k=2)) for _ in range(random.randint(0, 5))}

    def meet(one: For, other: For) -> bool:
        return frozenset((statement(one), statement(other))) in pairs

    apart = Block(tuple(shared_out("i", Instance(name, ())) for name in names))
    (joined,) = in_row(JoinTeams()(apart))
    team = DropBarriers(SyncScope.TEAM, meet)(joined)

    def is_ordered(tree: Node) -> bool:
        order = order_of(tree)
        early, late = (dict(zip(names, leaves(order, suffix), strict=True)) for suffix in ("", "'"))
        met = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :] if frozenset((a, b)) in pairs]
        cases = [case for a, b in met for case in order_cases(order, early[a], late[b])]
        return all(case.verdict is Verdict.BEFORE for case in cases)

    assert isinstance(joined, Team)
    assert isinstance(team, Team)
    assert is_ordered(apart)
    assert is_ordered(joined)
    assert is_ordered(team)
    nodes = list(in_row(team.body))
    assert [statement(node) for node in nodes if node != WAIT] == names
    for at, node in enumerate(nodes):
        if node == WAIT:
            assert not is_ordered(replace(team, body=Block((*nodes[:at], *nodes[at + 1 :]))))


def test_only_parallel_loops_in_a_row_are_joined() -> None:
    one, two = (shared_out("i", Instance(name, ())) for name in "AB")
    mode = Parallel(reductions=(Reduction("+", "s"),))
    reducing = Team(SyncScope.THREAD, replace(loop("i", Instance("R", ())), mode=mode))
    between = Block((one, Instance("C", ()), two, reducing))
    assert JoinTeams()(between) == between
    assert JoinTeams()(one) == one


def test_a_barrier_with_nothing_to_wait_for_is_dropped() -> None:
    """That of another scope, one inside a loop, and one beside what is no loop stay."""
    one, other = (loop("i", Instance(name, ())) for name in "AB")
    drop = DropBarriers(SyncScope.TEAM, lambda *_: False)

    def kept(*nodes: Node) -> Node:
        dropped = drop(Team(SyncScope.THREAD, Block(nodes)))
        assert isinstance(dropped, Team)
        return dropped.body

    assert kept(one, WAIT, other, WAIT) == Block((one, other))
    for nodes in ((one, Barrier(SyncScope.BLOCK), other), (Instance("C", ()), WAIT, other), (loop("t", WAIT), one)):
        assert kept(*nodes) == Block(nodes)


def test_each_thread_collects_for_itself() -> None:
    """The loop combines what it can; the rest is combined by one thread after the other."""
    body = Block((Instance("s", ()), Instance("t 0", ())))
    tree = Merge((), NOWHERE, loop("i", body))
    collected = {"s.body": Reduction("+", "s.body"), "t.body": None}
    statements = {"s": "s.body", "t 0": "t.body"}
    made = ShareOut(every_loop, lambda _: collected, statements)(tree)
    assert text_of(made, {}).splitlines() == [
        "collect :",
        "    team of threads:",
        "        scratch t.body for each thread",
        "        for i = 0; i < N  [parallel, + of s.body]:",
        "            s ()",
        "            t 0 ()",
        "        one at a time:",
        "            combine t.body",
    ]
    by_itself = ShareOut(every_loop, lambda _: {"s.body": collected["s.body"]}, statements)(tree)
    assert "for i = 0; i < N  [parallel, + of s.body]:" in text_of(by_itself, {})
    assert "scratch" not in text_of(by_itself, {})


def test_a_thread_collects_in_the_order_of_its_iterations() -> None:
    tree = Merge((), NOWHERE, loop("i", Instance("t", ())))
    vectors = Vectorise(lambda _: True, lambda _: False, lambda *_: None)
    assert "[parallel, vector]" in text_of(vectors(ShareOut(every_loop)(tree)), {})
    for made in (collecting(tree, None), collecting(tree, Reduction("+", "t.body"))):
        assert vectors(made) == made


def collecting(tree: Node, reduction: Reduction | None) -> Node:
    return ShareOut(every_loop, lambda _: {"t.body": reduction}, {"t": "t.body"})(tree)


FILLED = Pack(("B",), (), NOWHERE, loop("j", Instance("S", ())))
MEMORY = Allocate(Scratch(SyncScope.THREAD, buffers=("B",)), loop("i", FILLED))


def test_each_thread_has_its_own_buffers() -> None:
    run = replace(loop("i", FILLED), mode=Parallel(uneven=True))
    assert ShareOut(lambda each: each.iterator == "i")(MEMORY) == Team(
        SyncScope.THREAD, replace(MEMORY, body=Block((run, WAIT)))
    )


def test_buffers_that_are_filled_outside_of_teams_are_for_all() -> None:
    made = ShareOut(lambda each: each.iterator == "j")(MEMORY)
    assert isinstance(made, Allocate)
    assert made.scratch == Scratch(SyncScope.TEAM, buffers=("B",))
    assert text_of(made, {}).startswith("scratch B for the team\nfor i = 0; i < N:\n")


def test_folding_keeps_teams() -> None:
    tree = ShareOut(every_loop)(loop("i", Instance("S", ())))
    assert Fold(Domain.universe(Space(("N",), ())))(tree) == tree
