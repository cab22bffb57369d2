"""What a schedule is to be good for, and what is tried for it in turn."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from alphaz.poly.scheduling.scheduler import FEAUTRIER, Options

OPERATIONS = 2_000_000
"""isl's operations for one attempt: a kernel needs 10^3 to 10^5."""


AUTO, NONE = "auto", "none"


class Goal(StrEnum):
    """TILE: bands of many rows, with short distances. PARALLEL: parallel loops, inside sequential ones where there are
    none outside. LATENCY: as few sequential steps as can be had.
    """

    TILE = "tile"
    PARALLEL = "parallel"
    LATENCY = "latency"


class Fuse(StrEnum):
    """Which statements share loops: those of one strongly connected component only; those that gain by it; all."""

    NO = "no"
    SMART = "smart"
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `recipe` is AUTO, NONE, or the name of one."""

    goal: Goal = Goal.TILE
    fuse: Fuse = Fuse.SMART
    recipe: str = AUTO
    operations: int = OPERATIONS


def attempts(wish: Wish) -> Iterator[tuple[str, Options]]:
    """What is tried, in words, and how: first what was asked for; then less and less, until an answer comes."""
    asked = _options(wish)
    yield f"goal {wish.goal}, fusion {wish.fuse}", asked
    alone = replace(asked, serialize_sccs=1, whole_component=0)
    if alone != asked:
        yield "strongly connected components one after the other", alone
    steps = Options(algorithm=FEAUTRIER, serialize_sccs=1)
    if steps not in (asked, alone):
        yield "Feautrier's algorithm", steps


def _options(wish: Wish) -> Options:
    fused = Options(serialize_sccs=wish.fuse is Fuse.NO, whole_component=wish.fuse is Fuse.MAX)
    if wish.goal is Goal.PARALLEL:
        return replace(fused, outer_coincidence=1)
    return replace(fused, algorithm=FEAUTRIER) if wish.goal is Goal.LATENCY else fused
