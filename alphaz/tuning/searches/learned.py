"""A sample is measured, a model of it predicts all points, and those are asked for in the order of the prediction.

Source: Reddy, thesis (ENS, 2019), section 6.3: from a sample all points are predicted, the best hundred run.
"""

import math
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from alphaz.tuning.search import Asking, any_point
from alphaz.tuning.space import Axis, Point, Space

# Of larger spaces so many points are predicted, chosen by chance.
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Learned:
    """`sample` points teach the model (regression by extremely randomised trees, of scikit-learn) what the logarithm
    of the cost is; `best` that it recommends are asked for. Needs the extra `tune`.
    """

    name: str = "learned"
    summary: str = "a model learns from a sample, and says which are worth a run"
    sample: int = 24
    best: int = 100

    def over(self, space: Space, random: Random) -> Asking:
        from sklearn.ensemble import ExtraTreesRegressor  # noqa: PLC0415 - an extra

        known: dict[Point, float] = {}
        wanted = [space.usual, *(any_point(space, random) for _ in range(self.sample - 1))]
        for point in dict.fromkeys(wanted):
            known[point] = yield point
        taught = [(point, math.log(cost)) for point, cost in known.items() if 0 < cost < math.inf]
        if not taught:
            return
        model: Any = ExtraTreesRegressor(n_estimators=100, random_state=random.randrange(2**31))
        model.fit([_features(space, point) for point, _ in taught], [cost for _, cost in taught])
        others = [point for point in _candidates(space, random) if point not in known]
        if not others:
            return
        predicted = model.predict([_features(space, point) for point in others])
        for _, point in islice(sorted(zip(predicted, others, strict=True)), self.best):
            yield point


def _candidates(space: Space, random: Random) -> list[Point]:
    if space.size <= _MOST:
        return list(space.points())
    return sorted({any_point(space, random) for _ in range(_MOST)})


def _features(space: Space, point: Point) -> list[float]:
    """Numbers by their logarithm, since sizes act by their ratio; other texts by one number for each alternative."""
    found: list[float] = []
    for axis, at in zip(space.axes, point, strict=True):
        found += [math.log(int(axis.alternatives[at]))] if _is_number(axis) else _one_of(axis, at)
    return found


def _is_number(axis: Axis) -> bool:
    return all(text.isdigit() and int(text) for text in axis.alternatives)


def _one_of(axis: Axis, at: int) -> list[float]:
    return [float(at == other) for other in range(len(axis.alternatives))]
