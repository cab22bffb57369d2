"""Hoisting and short names change nothing of what C means."""

from collections.abc import Iterator
from random import Random

import pytest

from alphaz.c import tree as c
from alphaz.codegen.c.readable_c import CONSTANT, Hoist, ShortenNames
from tests.codegen.c_semantics import meaning
from tools.differential.generation import Tally, drawn

Body = tuple[c.Statement, ...]


def const(name: str, value: c.Expression) -> c.Declare:
    return c.Declare(CONSTANT, name, value)


def sets(name: str) -> c.Assign:
    return c.Assign(c.Index(c.Name("a"), c.Name(name)), c.ZERO)


def test_names_and_braces_mean_nothing() -> None:
    one = (c.Block((const("i", c.Name("N")), sets("i"))), c.Block((const("i_2", c.Name("N")), sets("i_2"))))
    assert meaning(one) == meaning((const("k", c.Name("N")), sets("k"), sets("k")))


def test_another_value_has_another_meaning() -> None:
    """As when a name is declared anew around what needs the one further out."""
    right = (const("i", c.Name("N")), c.Block((const("j", c.Name("M")), sets("j"), sets("i"))))
    wrong = (const("i", c.Name("N")), c.Block((const("i", c.Name("M")), sets("i"), sets("i"))))
    assert meaning(right) != meaning(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_passes_over_c_keep_what_it_means(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for before, after in passed(seed, 10, monkeypatch):
        assert meaning(before) == meaning(after)


def passed(seed: object, samples: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Body, Body]]:
    """The C of random proved mappings in front of the passes and behind them."""
    before: list[Body] = []
    after: list[Body] = []
    hoist, shorten = Hoist.__call__, ShortenNames.__call__

    def hoisted(self: Hoist, body: Body) -> Body:
        before.append(body)
        return hoist(self, body)

    def shortened(self: ShortenNames, body: Body) -> Body:
        after.append(shorten(self, body))
        return after[-1]

    monkeypatch.setattr(Hoist, "__call__", hoisted)
    monkeypatch.setattr(ShortenNames, "__call__", shortened)
    random, tally = Random(f"meaning/{seed}"), Tally()
    while len(after) < samples:
        for case in drawn("S", random, tally):
            case.sources()
    yield from zip(before, after, strict=True)
