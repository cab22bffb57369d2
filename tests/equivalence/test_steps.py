"""Ways to show a lemma: one is enough, each is looked at soon before any is searched, and none is taken for another."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from alphaz.equivalence.lemmas import Lemmas, _Covering, _Step
from alphaz.equivalence.proof_context import ProofContext
from alphaz.poly import Affine, Domain, Formula, Space, at_least
from tests.equivalence.test_witness import N, X, between

SPACE = Space(("N",), ("x",))
NOTHING = Formula(SPACE, (), ((),))
SOMETHING = Formula(SPACE, (), ())
HARD, HIDDEN = Formula(SPACE, ("hard",), ()), Formula(SPACE, ("hidden",), ((),))
"""A set that no engine decides, and a set that only a search shows to be empty."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the list of questions, in the order in which they are asked."""
    found: list[str] = []

    def glance(stated: Callable[[], Formula]) -> bool | None:
        found.append("glance")
        return None if stated() in (HARD, HIDDEN) else stated() is NOTHING

    def search(stated: Callable[[], Formula], compared: Sequence[tuple[str, str]], met: object) -> bool:
        found.append("search")
        return stated() is HIDDEN

    monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], "is_empty_by_few_steps", glance)
    monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], "is_empty_by_cases", search)
    return found


def lemmas() -> Lemmas:
    """Lemmas of a kernel without a statement, which remember as those of any other do."""
    nothing = cast("Any", SimpleNamespace(statements=()))
    return Lemmas(ProofContext(nothing, nothing, {}, nothing, nothing, nothing))


def step(title: str, stated: Formula, *objects: object) -> _Step:
    return _Step(title, objects, lambda: stated)


def test_what_is_seen_of_one_spares_the_search_in_others(asked: list[str]) -> None:
    assert lemmas()._is_one_empty(step("late", HARD), step("early", NOTHING))
    assert asked == ["glance", "glance"]


def test_what_is_not_seen_is_searched(asked: list[str]) -> None:
    assert not lemmas()._is_one_empty(step("late", HARD), step("early", HARD))
    assert asked == ["glance", "glance", "search", "search"]


def test_what_is_searched_is_about_its_objects(asked: list[str]) -> None:
    known, one, other = lemmas(), object(), object()
    assert known._is_one_empty(step("late", HIDDEN, one))
    assert not known._is_one_empty(step("late", HARD, other))
    assert not known._is_one_empty(step("early", HARD, one))
    assert asked == ["glance", "search"] * 3


def test_where_there_is_something_nothing_is_searched(asked: list[str]) -> None:
    assert not lemmas()._is_one_empty(step("late", SOMETHING))
    assert asked == ["glance"]


def test_steps_are_told_apart(asked: list[str]) -> None:
    one, other = object(), object()
    known = lemmas()
    assert known._is_one_empty(step("late", NOTHING, one))
    assert not known._is_one_empty(step("early", SOMETHING, one))
    assert not known._is_one_empty(step("late", SOMETHING, other))
    assert len(asked) == 3
    assert known._is_one_empty(step("late", NOTHING, one))
    assert len(asked) == 3


def row(low: int, title: str, *objects: object) -> _Covering:
    """That all x from 0 on are written, by those that write all x from `low` on."""
    whole = Domain.where(Space(("N",), ("x",)), between(Affine(), X, N))
    some = Domain.where(Space(("N",), ("x",)), [*between(Affine(), X, N), at_least(X, low)])
    return _Covering(
        title=title,
        objects=objects,
        written=[(some, (X,))],
        needed=(whole, (X,)),
        parts=lambda: (whole,),
        most=1_000_000,
    )


def test_one_way_to_cover_is_enough() -> None:
    one, other = object(), object()
    assert lemmas()._is_one_covered([row(1, "whole", one), row(0, "whole", other)])
    known = lemmas()
    assert not known._is_one_covered([row(1, "whole", one), row(2, "needed", one)])
    assert known._is_one_covered([row(0, "whole", other)])
    assert not known._is_one_covered([row(1, "whole", one)])


def test_isl_sees_it_where_z3_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("is_empty_by_few_steps", "is_empty_by_cases"):
        monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], name, lambda *_: None)
    one, other = object(), object()
    known = lemmas()
    assert known._is_one_covered([row(0, "whole", one)])
    assert not known._is_one_covered([row(1, "whole", other)])


def test_what_isl_does_not_come_to_is_not_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("is_empty_by_few_steps", "is_empty_by_cases"):
        monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], name, lambda *_: None)
    for name in ("_LITTLE", "_MUCH", "_SOME"):
        monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], name, 1)
    way = row(0, "whole", object())
    assert not lemmas()._is_one_covered([replace(way, most=1)])


def test_what_is_shown_of_all_is_not_asked_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Formula] = []

    def glance(stated: Callable[[], Formula]) -> None:
        seen.append(stated())

    monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], "is_empty_by_few_steps", glance)
    monkeypatch.setattr(sys.modules["alphaz.equivalence.lemmas"], "is_empty_by_cases", lambda *_: None)
    known, array = lemmas(), object()
    whole = row(0, "whole", array)
    assert known._is_one_covered([whole, row(1, "needed", object())])
    count = len(seen)
    assert known._is_one_covered([whole, row(1, "needed", object())])
    assert len(seen) == count


def test_each_who_writes_must_have_done_so(asked: list[str]) -> None:
    def pairs(title: str, stated: Formula) -> _Step:
        return step(title, stated, object())

    known = lemmas()
    assert known._are_empty([pairs("one", NOTHING), pairs("other", NOTHING)])
    assert not known._are_empty([pairs("one", NOTHING), pairs("other", SOMETHING)])
    assert not known._are_empty([pairs("one", SOMETHING), pairs("other", NOTHING)])
