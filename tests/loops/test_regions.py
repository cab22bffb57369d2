"""Regions of threads: where loops in a row wait for each other, and what each thread has for itself."""

from random import Random

import pytest

from alphaz.c.modes import SEQUENTIAL, Parallel, Reduction
from alphaz.loops.passes.loop_modes import JoinRegions, Parallelise
from alphaz.loops.text import text_of
from alphaz.loops.tree import Block, For, Initialise, Instance, Merge, Node, Pack, Region, in_row
from alphaz.poly import Domain, Space
from alphaz.poly.plain.integer import IntegerConstant, IntegerName

NOWHERE = Domain.universe(Space(("N",), ()))


def loop(iterator: str, body: Node, *, parallel: bool = False) -> For:
    mode = Parallel() if parallel else SEQUENTIAL
    return For(iterator, 0, IntegerConstant(0), "<", IntegerName("N"), IntegerConstant(1), body, mode)


def statement(loop: Node) -> str:
    assert isinstance(loop, For)
    assert isinstance(loop.body, Instance)
    return loop.body.name


@pytest.mark.parametrize("seed", range(40))
def test_between_two_loops_that_meet_all_threads_wait(seed: int) -> None:
    """And nowhere else: without one wait less there would be two that meet and go on."""
    random = Random(seed)
    names = [f"S{at}" for at in range(random.randint(2, 6))]
    pairs = {frozenset(random.choices(names, k=2)) for _ in range(random.randint(0, 5))}

    def meet(one: For, other: For) -> bool:
        return frozenset((statement(one), statement(other))) in pairs

    found = JoinRegions(meet)(Block(tuple(loop("i", Instance(name, ()), parallel=True) for name in names)))
    (region,) = in_row(found)
    assert isinstance(region, Region)
    loops = list(in_row(region.body))
    assert [statement(each) for each in loops] == names
    modes = [each.mode for each in loops if isinstance(each, For)]
    waits = [at for at, mode in enumerate(modes) if isinstance(mode, Parallel) and mode.in_region and not mode.nowait]

    def is_apart(waits: list[int]) -> bool:
        met = ((a, b) for b in range(len(names)) for a in range(b) if frozenset((names[a], names[b])) in pairs)
        return all(any(a <= at < b for at in waits) for a, b in met)

    assert waits[-1] == len(names) - 1
    assert is_apart(waits)
    assert not any(is_apart([at for at in waits if at != left]) for left in waits[:-1])


def test_only_parallel_loops_in_a_row_are_joined() -> None:
    one, two = (loop("i", Instance(name, ()), parallel=True) for name in "AB")
    reducing = For(
        "i",
        0,
        IntegerConstant(0),
        "<",
        IntegerName("N"),
        IntegerConstant(1),
        Instance("R", ()),
        Parallel(reductions=(Reduction("+", "s"),)),
    )
    between = Block((one, Instance("C", ()), two, reducing))
    assert JoinRegions(lambda *_: True)(between) == between
    assert JoinRegions(lambda *_: True)(one) == one


def test_each_thread_collects_for_itself() -> None:
    """The loop combines what it can; the rest is combined by one thread after the other."""
    body = Block((Instance("s", ()), Instance("t 0", ())))
    tree = Merge((), NOWHERE, loop("i", body))
    collected = {"s.body": Reduction("+", "s.body"), "t.body": None}
    statements = {"s": "s.body", "t 0": "t.body"}
    made = Parallelise(lambda _: True, lambda _: collected, statements)(tree)
    assert text_of(made, {}).splitlines() == [
        "collect :",
        "    threads:",
        "        own t.body",
        "        for i = 0; i < N  [parallel, + of s.body, no wait]:",
        "            s ()",
        "            t 0 ()",
        "        one at a time:",
        "            combine t.body",
    ]
    by_itself = Parallelise(lambda _: True, lambda _: {"s.body": collected["s.body"]}, statements)(tree)
    assert "for i = 0; i < N  [parallel, + of s.body]:" in text_of(by_itself, {})
    assert "threads" not in text_of(by_itself, {})


def test_each_thread_has_its_own_buffers() -> None:
    inner = Pack(("B",), (), NOWHERE, loop("j", Instance("S", ())))
    made = Parallelise(lambda each: each.iterator == "i")(loop("i", inner))
    assert isinstance(made, Region)
    first, run = in_row(made.body)
    assert first == Initialise(buffers=("B",))
    assert isinstance(run, For)
    assert run.mode == Parallel(uneven=True, in_region=True)
    outside = Parallelise(lambda each: each.iterator == "j")(loop("i", inner))
    assert isinstance(outside, For)
    assert not outside.is_parallel
