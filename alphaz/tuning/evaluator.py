"""Evaluation of points: a script is proved, compiled, run and timed; results are cached."""

import json
import platform
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from pathlib import Path

from alphaz.cache import cache_name, keep, recall
from alphaz.diagnostics import Rejected, Source
from alphaz.legality.verdicts import Verified
from alphaz.legality.verify import certify
from alphaz.poly.algorithms.counting import Count
from alphaz.run.bench.contest import Contestant, NoPeer, Timing, alternately
from alphaz.run.bench.contestants import Candidates
from alphaz.run.compiler import find_compiler
from alphaz.run.machine import machine
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.cost.estimate import estimate
from alphaz.tuning.space import Point, SearchSpace, Unproved


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

    def document(self, chosen: Mapping[str, str]) -> dict[str, object]:
        """Returns a line of a log: plain values, as JSON has them."""
        value: dict[str, object] = {"choices": dict(chosen), "state": str(self.state)}
        if self.state is TrialState.TIMED:
            return {**value, "ratio": round(self.ratio, 4), "seconds": self.seconds}
        return {**value, "reason": self.reason}


_TITLE = "tuned"
_MOST_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class Results:
    """Results by content: choices, script, program, sizes, threads, compiler and machine."""

    space: SearchSpace
    content: tuple[str, ...]

    @staticmethod
    def of(space: SearchSpace, program: str, parameters: Mapping[str, int], threads: int) -> "Results":
        """Returns the results for a program; `program` is the text of all equations."""
        compiler = find_compiler()
        machine = f"{platform.node()} {platform.machine()} {platform.processor()}"
        sizes = json.dumps(dict(sorted(parameters.items())))
        usual = json.dumps(space.chosen(space.usual))
        return Results(space, (machine, compiler.version, program, space.source.text, usual, sizes, str(threads)))

    def earlier_trial(self, point: Point) -> TuningTrial | None:
        """Returns the result of an earlier trial of the point."""
        entry = recall(self._name(point))
        if entry is None:
            return None
        value = json.loads(entry)
        ratio, seconds = value.get("ratio", inf), value.get("seconds", inf)
        return TuningTrial(
            point=point, state=TrialState(value["state"]), reason=value.get("reason", ""), ratio=ratio, seconds=seconds
        )

    def keep(self, trial: TuningTrial) -> None:
        content = json.dumps(trial.document({})).encode()
        keep(self._name(trial.point), content, _MOST_BYTES)

    def _name(self, point: Point) -> str:
        return cache_name(_TITLE, (*self.content, json.dumps(self.space.chosen(point))))


REFERENCE = "reference"
# Seconds for the rounds of a trial, and the least and the greatest number of rounds.
_SECONDS, _LEAST, _MOST = 0.6, 1, 7
# A candidate that takes this multiple of the best time in every round is abandoned.
_BEHIND = 1.4


def proved_mapping(text: str, name: str, folder: Path, system: str) -> Verified:
    """Returns the mapping of a system that a script makes. Raises Unproved."""
    try:
        session = run_script(Source(name, text), folder)
    except Rejected as rejected:
        raise Unproved(rejected.diagnostics[0].message) from None
    errors = [finding for finding in session.findings if finding.is_error]
    if errors:
        raise Unproved(f"{errors[0].rule.code}: {errors[0].message}")
    for design_verdict in session.design_verdicts:
        if design_verdict.first.system == system and design_verdict.first.is_proved:
            return certify(design_verdict)
    findings = [
        finding_
        for design_verdict in session.design_verdicts
        for finding_ in design_verdict.first.findings
        if finding_.is_error
    ]
    raise Unproved(f"{findings[0].rule.code}: {findings[0].message}" if findings else "the script maps no system")


@dataclass(slots=True)
class Evaluator:
    """Times points of a space against a reference: the first point that could be run, `origin`."""

    space: SearchSpace
    folder: Path
    candidates: Candidates
    reference: Contestant | None = None
    origin: Point | None = None
    _rounds: int = _LEAST
    _least: float = 1.0
    _predicted: dict[Hashable, float] = field(default_factory=dict, repr=False)
    _counts: dict[str, Count | None] = field(default_factory=dict, repr=False)

    def trial(self, point: Point) -> TuningTrial:
        """Proves, compiles and times one point."""
        try:
            contestant_ = self.contestant(point, "candidate")
        except Unproved as reason:
            return TuningTrial(point, TrialState.NOT_PROVED, str(reason))
        except NoPeer as reason:
            return TuningTrial(point, TrialState.FAILED, str(reason))
        if self.reference is None:
            return self._first(point, contestant_)
        timings = self.contest([self.reference, contestant_], self._rounds, self._is_behind)
        timing = next((timing_ for timing_ in timings if timing_.contestant is contestant_), None)
        if timing is None:
            return TuningTrial(point, TrialState.FAILED, "it died")
        if timing.differences:
            return TuningTrial(
                point, TrialState.FAILED, f"{timing.differences[0].name} differs from that of the reference"
            )
        ratio = 1 / timing.faster_than(timings[0])
        self._least = min(self._least, ratio)
        return TuningTrial(point, TrialState.TIMED, ratio=ratio, seconds=timing.median)

    def _is_behind(self, seconds: Sequence[Sequence[float]]) -> bool:
        """Returns True if the candidate is clearly slower than the best, given the times of the reference and of the
        candidate in each round."""
        reference, candidate = seconds
        return all(one > _BEHIND * self._least * other for one, other in zip(candidate, reference, strict=False))

    def predicted(self, point: Point) -> float:
        """Returns the cost of the point under the model; infinite if it is not proved."""
        outline = self.space.outline(point)
        if outline not in self._predicted:
            try:
                mapping = self.space.outlined(point) or self._proved(point).mappings[self.candidates.system.name]
                candidates = self.candidates
                cost = estimate(mapping, candidates.parameters, machine(), candidates.threads, self._counts).cost
            except Unproved:
                cost = inf
            self._predicted[outline] = cost
        return self._predicted[outline]

    def _proved(self, point: Point) -> Verified:
        source, system = self.space.source, self.candidates.system.name
        verified = proved_mapping(self.space.script_of(point), source.name, self.folder, system)
        wrong = self.space.departure(point, verified.mappings[system])
        if wrong:
            raise Unproved(f"the mapping differs from the plan: {wrong}")
        return verified

    def _first(self, point: Point, contestant: Contestant) -> TuningTrial:
        try:
            contestant.run()
            seconds = contestant.run()
        except NoPeer as reason:
            return TuningTrial(point, TrialState.FAILED, str(reason))
        self.reference, self.origin = contestant, point
        self._rounds = max(_LEAST, min(_MOST, int(_SECONDS / seconds)))
        return TuningTrial(point, TrialState.TIMED, ratio=1.0, seconds=seconds)

    def contestant(self, point: Point, name: str) -> Contestant:
        """Returns the executable of a point. Raises Unproved, and NoPeer if it cannot be compiled."""
        verified = self._proved(point)
        try:
            return self.candidates.compile(name, verified)
        except Rejected as rejected:
            raise NoPeer(rejected.diagnostics[0].message) from None

    def contest(
        self,
        contestants: Sequence[Contestant],
        rounds: int,
        is_told: Callable[[Sequence[Sequence[float]]], bool] = lambda _: False,
    ) -> tuple[Timing, ...]:
        """Times all of them alternately, on the same inputs, until the timings are reliable."""
        system, parameters, layouts = self.candidates.system, self.candidates.parameters, self.candidates.layouts
        timings, _ = alternately(system, parameters, contestants, rounds, lambda _: None, layouts, is_told)
        return timings
