"""Options of a verification, and the verdict of one obligation."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Rule
from alphaz.proof import Verdict


class TileOrder(StrEnum):
    """The order under which a question is asked: without tiling, for tiles of all sizes, or of those in the script."""

    PLAIN = "plain"
    TILED = "tiled"
    SIZED = "sized"


@dataclass(frozen=True, slots=True)
class ObligationVerdict:
    """The verdict on one obligation: that of the question of this number, asked under one order."""

    number: int
    under: TileOrder
    rule: Rule
    claim: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Options:
    """`exact_tiles`: where tiling is not legal for all sizes, prove it for those that the script gives.

    `explain`: findings say their obligation in mathematics. `hints`: changes of a refuted mapping are searched and
    tried (slow; `alphaz.search.schedule.repair.search` tries them). `advise`: of a mapping that is proved, smaller
    memory maps are looked for (by `alphaz.search.memory.advice`).
    """

    exact_tiles: bool = False
    explain: bool = False
    hints: bool = False
    advise: bool = False
