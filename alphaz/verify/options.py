"""What a verification is asked for besides the verdict."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`exact_tiles`: where tiling is not legal for all sizes, prove it for those that the script gives.

    `explain`: findings say their obligation in mathematics. `hints`: changes of a refuted mapping are searched and
    tried (by `alphaz.schedule.repair.search`, which takes its time). `advise`: of a mapping that is proved, smaller
    memory maps are looked for (by `alphaz.storage.advice`).
    """

    exact_tiles: bool = False
    explain: bool = False
    hints: bool = False
    advise: bool = False
