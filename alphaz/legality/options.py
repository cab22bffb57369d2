"""Options of a verification, and the verdict of one obligation."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Rule
from alphaz.proof import Verdict


class TileOrder(StrEnum):
    """The order of an obligation: without tiling, for tiles of all sizes, or for the tile sizes of the script."""

    PLAIN = "plain"
    TILED = "tiled"
    SIZED = "sized"


@dataclass(frozen=True, slots=True)
class ObligationVerdict:
    """The verdict on one obligation: the deferred obligation of this number, under one order."""

    number: int
    under: TileOrder
    rule: Rule
    claim: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a verification.

    `exact_tiles`: where tiling is not legal for all sizes, prove it for the sizes in the script. `explain`: findings
    state their obligation in mathematics. `hints`: search for changes of a refuted mapping and verify them (slow;
    `alphaz.search.schedule.repair.search`). `advise`: search for smaller memory maps of a proved mapping
    (`alphaz.search.memory.text`).
    """

    exact_tiles: bool = False
    explain: bool = False
    hints: bool = False
    advise: bool = False
