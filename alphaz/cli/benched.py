"""What `alphaz bench` found out."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.execution.bench.contest import Timing


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """One system at one set of parameters, measured. `own` are the contestants that are mappings."""

    system: str
    parameters: Mapping[str, int]
    operations: int | None
    bytes: int | None
    timings: tuple[Timing, ...]
    remarks: tuple[tuple[str, str], ...]
    own: tuple[str, ...]

    @property
    def base(self) -> Timing:
        """What speed-ups relate to: the first peer, else the first mapping with the first number of threads."""
        return next((t for t in self.timings if t.contestant.name not in self.own), self.timings[0])

    @property
    def differs(self) -> bool:
        return any(timing.differences for timing in self.timings)
