"""Cached results: a point that was timed on this machine is not timed again."""

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from alphaz.cache import cache_name, keep, recall
from alphaz.run.compiler import find_compiler
from alphaz.tuning.space import Point, SearchSpace
from alphaz.tuning.trial import TrialState, TuningTrial

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

    def known(self, point: Point) -> TuningTrial | None:
        """Returns the result of an earlier trial of the point."""
        kept = recall(self._name(point))
        if kept is None:
            return None
        value = json.loads(kept)
        ratio, seconds = value.get("ratio", inf), value.get("seconds", inf)
        return TuningTrial(
            point=point, state=TrialState(value["state"]), reason=value.get("reason", ""), ratio=ratio, seconds=seconds
        )

    def keep(self, trial: TuningTrial) -> None:
        content = json.dumps(trial.document({})).encode()
        keep(self._name(trial.point), content, _MOST_BYTES)

    def _name(self, point: Point) -> str:
        return cache_name(_TITLE, (*self.content, json.dumps(self.space.chosen(point))))
