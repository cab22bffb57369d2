"""What comes of one obligation, as plain data that can come from another process."""

from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Rule
from alphaz.proof import Verdict


class Under(StrEnum):
    """The order under which a question is asked: without tiling, for tiles of all sizes, or of those in the script."""

    PLAIN = "plain"
    TILED = "tiled"
    SIZED = "sized"


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on one obligation: that of the question of this number, asked under one order."""

    number: int
    under: Under
    rule: Rule
    claim: str
    verdict: Verdict
