"""Only what costs least by the model is timed, and what the model does not see."""

from contextlib import suppress
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from alphaz.diagnostics import Source
from alphaz.run.bench.contest import Contestant
from alphaz.run.bench.contestants import Candidates, Files
from alphaz.tuning.evaluator import Evaluator, TrialState, TuningTrial
from alphaz.tuning.searches import Orthogonal, promising
from alphaz.tuning.space import Point, SearchAxis, SearchSpace
from alphaz.tuning.tune import TuneRequest, tune
from tests.model.programs import checked

SPACE = SearchSpace(
    Source("s.cs", ""), (SearchAxis("a", ("0", "1", "2", "3"), ()), SearchAxis("b", ("0", "1", "2"), ()))
)


def evaluator(timed: list[Point]) -> Evaluator:
    """The model is right but for (3,1), which is not proved."""

    def trial(point: Point) -> TuningTrial:
        timed.append(point)
        made.reference = made.reference or object()
        return TuningTrial(point, TrialState.TIMED, ratio=1.0 + sum(point), seconds=0.0)

    def predicted(point: Point) -> float:
        return inf if point == (3, 1) else 10.0 - sum(point)

    made: Any = SimpleNamespace(space=SPACE, reference=None, trial=trial, predicted=predicted)
    made.contest = lambda *_: (None,)
    made.contestant = None
    return cast(Evaluator, made)


def test_only_the_cheapest_are_timed_beside_the_reference() -> None:
    timed: list[Point] = []
    ranking = tune(evaluator(timed), TuneRequest(Orthogonal(), 60.0, 1, 1, rank=3), lambda _: None, lambda _: None)
    assert timed == [(0, 0), (3, 2), (2, 2), (3, 0)]
    assert len(ranking.ranked) == SPACE.size
    assert (inf, (3, 1)) in ranking.ranked


def test_what_the_model_does_not_see_is_tried_at_the_best_it_knows() -> None:
    """The axis c makes no difference to the model. Before it come points that are no worse than the usual one, of those
    that cost nearly the same the plainest; behind it what is not.
    """
    space = SearchSpace(SPACE.source, (*SPACE.axes, SearchAxis("c", ("0", "1", "2"), (), is_fine=True)))
    ranked = [(9.0, (0, 0, 0)), (5.0, (3, 0, 0)), (4.999, (3, 2, 0)), (7.0, (2, 2, 0)), (12.0, (1, 0, 0))]
    asking = promising(space, [*ranked, (9.5, (0, 1, 0)), (inf, (3, 1, 0))], 6)
    costs: dict[Point, float] = {(3, 0, 0): 4.0, (2, 2, 0): 3.0, (2, 2, 1): 5.0, (2, 2, 2): 2.0}
    asked = [next(asking)]
    with suppress(StopIteration):
        while True:
            asked.append(asking.send(costs.get(asked[-1], 9.0)))
    assert asked == [(0, 0, 0), (3, 0, 0), (2, 2, 0), (0, 1, 0), (2, 2, 1), (2, 2, 2), (3, 2, 0), (1, 0, 0)]


def test_without_a_rank_the_search_asks() -> None:
    timed: list[Point] = []
    ranking = tune(evaluator(timed), TuneRequest(Orthogonal(), 60.0, 1, 1), lambda _: None, lambda _: None)
    assert ranking.ranked == ()
    assert (3, 0) in timed


def test_what_is_clearly_behind_runs_few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind the best so far, not behind the reference."""
    system = checked("affine one {N | N>0} output double y {i | 0<=i<N}; let y[i] = 1; .").program.systems[0]
    rounds: dict[str, int] = {}

    def contestant(_: Evaluator, point: Point, name: str) -> Contestant:
        seconds, array = (1.0, 0.5, 0.6, 0.8)[point[0]], np.zeros(4)

        def run() -> float:
            rounds[str(point[0])] = rounds.get(str(point[0]), 0) + 1
            array[:] = 1
            return seconds

        return Contestant(name, 1, run, lambda: {"y": array}, spinning=0.0)

    monkeypatch.setattr(Evaluator, "contestant", contestant)
    candidates = Candidates.of(system, {"N": 4}, 1, Files(Path("one"), None, None), 1)
    made = Evaluator(SPACE, Path(), candidates)
    monkeypatch.setattr("alphaz.tuning.evaluator._LEAST", 7)
    ratios = [made.trial((at, 0)).ratio for at in range(4)]
    assert ratios == [1.0, 0.5, 0.6, 0.8]
    assert (rounds["1"], rounds["2"], rounds["3"]) == (8, 8, 3)
