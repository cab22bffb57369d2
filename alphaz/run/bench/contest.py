"""Contestants that compute the same, run alternately, so that disturbances of the machine affect them all equally.

Every round runs each contestant once, in turn. A first round is not timed: it fills the caches, and its results are
compared; those of the last round are compared again. Two contestants are compared by the median of the ratios of their
times within a round.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

import numpy as np

from alphaz.diagnostics.message_words import count_text, plural
from alphaz.model.program import System
from alphaz.run.bench.blas_libraries import BlasLibrary
from alphaz.run.compare import Difference, Tolerance, compare
from alphaz.run.storage_conversion import Layouts

# Threads that wait for more work spin for so many seconds; the next contestant has to have the processors for itself.
# A process with a BLAS is stopped after its run, and its threads continue at the next one.
SPINNING, SPINNING_BLAS = 0.02, 0.06
# Shorter runs are repeated for this many seconds: disturbances of the machine last as long,
# and the caches fill again after the runs of other contestants.
LASTING = 0.005

# The load of a machine on which nothing else runs.
_IDLE = 0.5
# Seconds are noisy if the middle half of them lies farther apart than this share of their median. Then there are more
# rounds, up to this many times as many.
NOISY, _MORE = 0.05, 3
_FEWEST = 3


class NoPeer(Exception):
    """The reason why a peer does not take part."""


@dataclass(frozen=True, slots=True, eq=False)
class Contestant:
    """One implementation: `run` computes once and returns the seconds that it took; `outputs` are the values of its
    last run.

    `threads` is None for an implementation that chooses the number itself. `spoils`: it overwrites its outputs itself
    before its first run (`spoil`); for `spinning` seconds after a run it may still keep processors busy. `outputs` is
    None where results are not compared. `libraries`: the BLAS libraries that it has loaded. `member`: the word for one
    of its threads, which may be a rank.
    """

    name: str
    threads: int | None
    run: Callable[[], float]
    outputs: Callable[[], Mapping[str, np.ndarray]] | None
    spoils: bool = False
    spinning: float = SPINNING
    libraries: Callable[[], tuple[BlasLibrary, ...]] = tuple
    member: str = "thread"

    @property
    def title(self) -> str:
        if self.threads is None:
            return self.name
        return f"{self.name} with {count_text(self.threads, self.member)}"


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """The seconds of a contestant, round by round, and the first difference of its results from those of the first
    contestant.
    """

    contestant: Contestant
    seconds: tuple[float, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def spread(self) -> float:
        """Returns the distance of the quartiles, as a share of the median; 0 for fewer than three rounds."""
        if len(self.seconds) < _FEWEST:
            return 0.0
        low, _, high = quantiles(self.seconds, n=4, method="inclusive")
        return (high - low) / self.median

    def faster_than(self, other: "Timing") -> float:
        """Returns the median of the ratios of the other's time to this one's, round by round."""
        return median(theirs / ours for ours, theirs in zip(self.seconds, other.seconds, strict=True))


def alternately(
    system: System,
    parameters: Mapping[str, int],
    contestants: Sequence[Contestant],
    rounds: int,
    watch: Callable[[str], None],
    layouts: Layouts | None = None,
    is_told: Callable[[Sequence[Sequence[float]]], bool] = lambda _: False,
    *,
    repeats: bool = False,
) -> tuple[tuple[Timing, ...], tuple[tuple[str, str], ...]]:
    """Returns a timing for each contestant, and the titles of failed peers with the reasons; calls `watch` with the
    running contestant.

    Outputs are over boxes, or in these formats. When `is_told` holds for the seconds of each contestant so far, one
    more round is the last. `repeats`: while the seconds of a contestant are noisy there are more rounds. Raises
    Rejected when the first contestant fails.
    """
    seconds: list[list[float]] = [[] for _ in contestants]
    differences: list[tuple[Difference, ...]] = [() for _ in contestants]
    failed: dict[int, str] = {}
    spinning = SPINNING
    number, last = 0, rounds
    while number <= last:
        reference: Mapping[str, np.ndarray] = {}
        for position, contestant in enumerate(contestants):
            if position in failed:
                continue
            watch(f"{_round(number, last)}: {contestant.title}")
            try:
                if number == 0 and not contestant.spoils and contestant.outputs is not None:
                    spoil(contestant.outputs())
                time.sleep(spinning)
                spinning = contestant.spinning
                taken = contestant.run()
                is_compared = number in (0, last) and not differences[position]
                outputs = contestant.outputs() if is_compared and contestant.outputs is not None else None
            except NoPeer as reason:
                failed[position] = str(reason)
                continue
            if number:
                seconds[position].append(taken)
            if outputs is None:
                continue
            if position == 0:
                reference = {name: array.copy() for name, array in outputs.items()}
            else:
                differences[position] = _differences(system, parameters, reference, outputs, layouts)
        number += 1
        if 1 < number < last and is_told(seconds):
            last = number
        if repeats and rounds < number == last + 1 <= _MORE * rounds:
            last += any(
                Timing(contestant, tuple(seconds[position])).spread > NOISY
                for position, contestant in enumerate(contestants)
                if position not in failed
            )
    watch("")
    timings = (Timing(*row) for row in zip(contestants, map(tuple, seconds), differences, strict=True))
    finished = tuple(timing for position, timing in enumerate(timings) if position not in failed)
    return finished, tuple((contestants[at].title, f"left out: {reason}") for at, reason in sorted(failed.items()))


def slower_with_threads(timings: Sequence[Timing], load: float, processors: int) -> Iterator[tuple[str, str]]:
    """Yields a remark for each contestant that more threads make slower, if other processes have its processors.

    `load` is the number of processes that ran before.
    """
    for timing in timings:
        threads = timing.contestant.threads or 1
        fewer = [
            other
            for other in timings
            if other.contestant.name == timing.contestant.name and (other.contestant.threads or 1) < threads
        ]
        if threads > processors:
            reason = f"this machine has {count_text(processors, 'processor')}"
        else:
            reason = f"other processes keep {load:.1f} of {processors} processors busy; repeat it on an idle machine"
        if load + threads > processors + _IDLE and any(timing.faster_than(other) < 1 for other in fewer):
            yield timing.contestant.title, f"slower than with fewer {plural(timing.contestant.member)}: {reason}"


def spoil(outputs: Mapping[str, np.ndarray]) -> None:
    """Overwrites the outputs, so that values of another contestant cannot pass for missing ones."""
    for array in outputs.values():
        array.fill(np.nan if array.dtype.kind == "f" else 85)


def _round(number: int, rounds: int) -> str:
    return f"round {number} of {rounds}" if number else "first round, not timed"


def _differences(
    system: System,
    parameters: Mapping[str, int],
    reference: Mapping[str, np.ndarray],
    other: Mapping[str, np.ndarray],
    layouts: Layouts | None,
) -> tuple[Difference, ...]:
    """Returns the differences: integers must be equal; floats must agree in half of their digits, relative to the
    greatest magnitude of the array.
    """
    differences: list[Difference] = []
    for variable in system.outputs:
        array = reference[variable.name]
        tolerance = Tolerance(nan_equal=True)
        if array.dtype.kind == "f":
            half = float(np.sqrt(np.finfo(array.dtype).eps))
            tolerance = Tolerance(half, half * _greatest(array), nan_equal=True)
        differences += compare([variable], parameters, reference, other, tolerance, layouts)
    return tuple(differences)


def _greatest(array: np.ndarray) -> float:
    """Returns the greatest magnitude of a finite value."""
    ends = float(np.max(array, initial=0.0)), float(np.min(array, initial=0.0))
    if not np.isfinite(ends).all():
        return float(np.max(np.abs(array[np.isfinite(array)]), initial=0.0))
    return max(map(abs, ends))
