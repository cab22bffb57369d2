"""Only what costs least by the model is timed."""

from math import inf
from types import SimpleNamespace
from typing import Any, cast

from alphaz.diagnostics import Source
from alphaz.tuning.laboratory import Laboratory
from alphaz.tuning.searches.orthogonal import Orthogonal
from alphaz.tuning.space import Axis, Point, Space
from alphaz.tuning.trial import State, Trial
from alphaz.tuning.tune import Wish, tune

SPACE = Space(Source("s.cs", ""), (Axis("a", ("0", "1", "2", "3"), ()), Axis("b", ("0", "1", "2"), ())))


def laboratory(timed: list[Point]) -> Laboratory:
    """The model is right but for (3,1), which is not proved."""

    def trial(point: Point) -> Trial:
        timed.append(point)
        made.reference = made.reference or object()
        return Trial(point, State.TIMED, ratio=1.0 + sum(point), seconds=0.0)

    def predicted(point: Point) -> float:
        return inf if point == (3, 1) else 10.0 - sum(point)

    made: Any = SimpleNamespace(space=SPACE, reference=None, trial=trial, predicted=predicted)
    made.contest = lambda *_: (None,)
    made.contestant = None
    return cast(Laboratory, made)


def test_only_the_cheapest_are_timed_beside_the_reference() -> None:
    timed: list[Point] = []
    found = tune(laboratory(timed), Wish(Orthogonal(), 60.0, 1, 1, rank=3), lambda _: None, lambda _: None)
    assert timed == [(0, 0), (3, 2), (2, 2), (1, 2)]
    assert len(found.ranked) == SPACE.size
    assert (inf, (3, 1)) in found.ranked


def test_without_a_rank_the_search_asks() -> None:
    timed: list[Point] = []
    found = tune(laboratory(timed), Wish(Orthogonal(), 60.0, 1, 1), lambda _: None, lambda _: None)
    assert found.ranked == ()
    assert (3, 0) in timed
