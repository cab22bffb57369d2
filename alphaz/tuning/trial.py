"""A trial of a point: proved, compiled, and timed alternately with the script as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Any

from alphaz.tuning.space import Point


class TrialState(StrEnum):
    """The last step that a point passed."""

    NOT_PROVED = "not proved"
    FAILED = "failed"
    TIMED = "timed"


@dataclass(frozen=True, slots=True)
class TuningTrial:
    """The result for a point. `ratio` is its time by that of the reference, the median over rounds; `seconds` is its
    own.

    Without timings they are infinite, and `reason` has the cause."""

    point: Point
    state: TrialState
    reason: str = ""
    ratio: float = inf
    seconds: float = inf

    @property
    def cost(self) -> float:
        """Returns the ratio; infinite if it was not timed."""
        return self.ratio

    def document(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        """Returns a line of a log: plain values, as JSON has them."""
        value: dict[str, Any] = {"choices": dict(chosen), "state": str(self.state)}
        if self.state is TrialState.TIMED:
            return {**value, "ratio": round(self.ratio, 4), "seconds": self.seconds}
        return {**value, "reason": self.reason}
