"""Runs a search: points are tried until the budget is used up, and the best of them are timed against each other."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from alphaz.run.bench.contest import Contestant, NoPeer
from alphaz.tuning.evaluator import Evaluator, TrialState, TuningTrial
from alphaz.tuning.searches import Asking, Genetic, Sampling, Search, promising
from alphaz.tuning.space import Point, SearchSpace, Unproved

# The share of the time for the search, including the model; the rest is for the final comparison.
_SHARE, _LOOKING = 0.75, 0.4
_ROUNDS, _MOST_ROUNDS = 5, 25
# The overhead of a round, in seconds.
_START = 0.2


@dataclass(frozen=True, slots=True)
class TuneRequest:
    """Options. `budget` in seconds; `top` points are in the final comparison. With a `rank`, this number of points is
    timed, the cheapest under the model among all points that can be proved and evaluated in time, and the axes that
    the model ignores are tried at the best of them, instead of the points of the search."""

    search: Search
    budget: float
    seed: int
    top: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result. `trials` in the order in which they were made; `finals` are the best of them with their ratios to the
    reference (times, less is better), the best first; `whole`: the search ended by itself. `ranked` are the points
    evaluated by the model, with their costs, infinite for unproved ones."""

    trials: tuple[TuningTrial, ...]
    finals: tuple[TuningTrial, ...]
    is_complete: bool
    ranked: tuple[tuple[float, Point], ...] = ()

    @property
    def best(self) -> TuningTrial | None:
        return self.finals[0] if self.finals else None


Known = Callable[[Point], TuningTrial | None]
Watch = Callable[[TuningTrial], None]


def tune(
    evaluator: Evaluator,
    schedule_request: TuneRequest,
    earlier_trial: Known,
    watch: Watch,
    show_count: Callable[[int], None] = lambda _: None,
) -> Tuned:
    """Runs the search within its budget. `earlier_trial` are results of earlier runs, which cost no time; `watch` is
    called with each trial, `show_count` with the number of points that the model has evaluated. An interrupt ends the
    search early: the best so far counts."""
    started = time.monotonic()
    until = started + _SHARE * schedule_request.budget
    trials: dict[Point, TuningTrial] = {}
    whole, ranked = False, list[tuple[float, Point]]()
    with suppress(KeyboardInterrupt):
        if schedule_request.rank:
            ranked += _rank_points(
                evaluator, schedule_request.seed, started + _LOOKING * schedule_request.budget, show_count
            )
        for trial in _ask_points(
            evaluator, _search(schedule_request, evaluator.space, ranked), earlier_trial, trials, until
        ):
            watch(trial)
        whole = time.monotonic() < until
    timed = sorted((t for t in trials.values() if t.state is TrialState.TIMED), key=lambda t: (t.ratio, t.point))
    finals = _finals(evaluator, timed[: schedule_request.top], started + schedule_request.budget)
    return Tuned(tuple(trials.values()), finals, whole, tuple(ranked))


def _rank_points(
    evaluator: Evaluator, seed: int, until: float, show_count: Callable[[int], None]
) -> Iterator[tuple[float, Point]]:
    """Points with their costs, each once: the initial points, a population that the model rates, for half of the time,
    then random points, since a population stops where few changes help."""
    seen: dict[Point, float] = {}
    half, count = (time.monotonic() + until) / 2, 0
    space = evaluator.space
    for asking, end in (
        (_initial_points(space), until),
        (Genetic().over(space, Random(seed)), half),
        (Sampling().over(space, Random(seed)), until),
    ):
        candidate = next(asking, None)
        while candidate is not None and time.monotonic() <= end:
            point, count = space.representative(space.plain(candidate)), count + 1
            if point not in seen:
                seen[point] = evaluator.predicted(point)
                yield seen[point], point
            show_count(count)
            try:
                candidate = asking.send(seen[point])
            except StopIteration:
                break


def _initial_points(space: SearchSpace) -> Asking:
    """One point of each kind, some of which random points may miss."""
    for point in space.beginnings:
        _ = yield point


def _search(schedule_request: TuneRequest, space: SearchSpace, ranked: Sequence[tuple[float, Point]]) -> Asking:
    if not schedule_request.rank:
        return schedule_request.search.over(space, Random(schedule_request.seed))
    return promising(space, ranked, schedule_request.rank)


def _ask_points(
    evaluator: Evaluator, asking: Asking, earlier_trial: Known, trials: dict[Point, TuningTrial], until: float
) -> Iterator[TuningTrial]:
    point = next(asking, None)
    while point is not None:
        point = evaluator.space.representative(point)
        if point not in trials:
            if time.monotonic() > until:
                return
            # The reference always runs: it is the basis of comparison.
            trials[point] = (earlier_trial(point) if evaluator.reference else None) or evaluator.trial(point)
            yield trials[point]
        try:
            point = asking.send(trials[point].cost)
        except StopIteration:
            return


def _finals(evaluator: Evaluator, best: list[TuningTrial], until: float) -> tuple[TuningTrial, ...]:
    """The best again, timed alternately: the times of the search come from different moments.

    As many of them as there is time for, and at least one. The reference is among them once, with ratio 1."""
    if evaluator.reference is None or len(best) < 2:
        return tuple(best)
    left, round_time = max(until - time.monotonic(), 0.0), (_ROUNDS + 1) * max(trial.seconds for trial in best) + 0.5
    contestants = dict(_enter(evaluator, best[: max(2, int(left / round_time))]))
    # As many rounds as there is time for.
    left, once = until - time.monotonic(), sum(trial.seconds for trial in contestants.values()) + _START
    rounds = max(_ROUNDS, min(_MOST_ROUNDS, int(left / once)))
    base, *timings = evaluator.contest([evaluator.reference, *contestants], rounds)
    trials = [
        TuningTrial(t.point, TrialState.TIMED, ratio=1.0, seconds=base.median)
        for t in best
        if t.point == evaluator.origin
    ]
    for timing in timings:
        if not timing.differences:
            point, ratio = contestants[timing.contestant].point, 1 / timing.faster_than(base)
            trials.append(TuningTrial(point, TrialState.TIMED, ratio=ratio, seconds=timing.median))
    return tuple(sorted(trials, key=lambda t: (t.ratio, t.point)))


def _enter(evaluator: Evaluator, best: list[TuningTrial]) -> Iterator[tuple[Contestant, TuningTrial]]:
    for trial in best:
        if trial.point == evaluator.origin:
            continue
        try:
            yield evaluator.contestant(trial.point, "candidate"), trial
        except (Unproved, NoPeer):
            continue
